"""
The words of SHACL, and which of them may stand where.

A term of the `sh:` namespace that is in none of these sets is refused: a misspelt constraint must
not look like one that holds.
"""

from __future__ import annotations

from typing import TypeAlias

import pyoxigraph as ox

from semantica_rdf.model import vocab

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
Node: TypeAlias = ox.NamedNode | ox.BlankNode

SH = "http://www.w3.org/ns/shacl#"
OWL = "http://www.w3.org/2002/07/owl#"
OWL_IMPORTS = OWL + "imports"
RDF_TYPE = vocab.RDF_TYPE
RDF_FIRST = vocab.RDF + "first"
RDF_REST = vocab.RDF + "rest"
RDF_NIL = vocab.RDF + "nil"
RDFS_CLASS = vocab.RDFS + "Class"
RDFS_SUBCLASS_OF = vocab.RDFS + "subClassOf"

NODE_SHAPE = SH + "NodeShape"
PROPERTY_SHAPE = SH + "PropertyShape"
VIOLATION = SH + "Violation"
WARNING = SH + "Warning"
INFO = SH + "Info"

TARGETS = frozenset(
    SH + name for name in ("targetNode", "targetClass", "targetSubjectsOf", "targetObjectsOf")
)
"""Predicates that declare a target."""

DESCRIPTIONS = frozenset(
    SH + name for name in ("name", "description", "order", "group", "defaultValue")
)
"""Predicates of a shape that constrain nothing."""

SETTINGS = frozenset(SH + name for name in ("path", "severity", "message", "deactivated"))
"""Predicates that say how a shape is applied and reported."""

ONE_SHAPE = frozenset(SH + name for name in ("node", "property", "not", "qualifiedValueShape"))
"""Parameters whose value is a shape."""

SHAPE_LISTS = frozenset(SH + name for name in ("and", "or", "xone"))
"""Parameters whose value is a list of shapes."""

OF_QUERIES = (
    frozenset(SH + name for name in ("select", "prefixes", "message", "deactivated")) | DESCRIPTIONS
)
"""Predicates of the node a `sh:sparql` points to."""

ELSEWHERE = frozenset(
    SH + name
    for name in (
        "alternativePath",
        "conforms",
        "declare",
        "detail",
        "focusNode",
        "inversePath",
        "namespace",
        "nodeShape",
        "oneOrMorePath",
        "prefix",
        "result",
        "resultMessage",
        "resultPath",
        "resultSeverity",
        "shapesGraph",
        "shapesGraphWellFormed",
        "sourceConstraint",
        "sourceConstraintComponent",
        "sourceShape",
        "suggestedShapesGraph",
        "value",
        "zeroOrMorePath",
        "zeroOrOnePath",
    )
)
"""
Predicates of paths, prefix declarations, reports and ontologies, and `sh:nodeShape` of an early
draft, which the data of the suite has: never of a shape.
"""

CLASSES = frozenset(
    SH + name
    for name in (
        "NodeShape",
        "PrefixDeclaration",
        "PropertyGroup",
        "PropertyShape",
        "SPARQLConstraint",
        "Severity",
        "Shape",
        "ValidationReport",
        "ValidationResult",
    )
)
"""Classes of the `sh:` namespace that a shapes graph may use."""


def shown(term: Term) -> str:
    """Return a term as a message shows it: an IRI of the `sh:` namespace by its prefixed name."""
    text = str(term)
    if text.startswith("<" + SH):
        return "sh:" + text[1 + len(SH) : -1]
    return text if len(text) <= 120 else text[:119] + "…"
