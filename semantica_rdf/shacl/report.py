"""
What a validation found: results, and the report that carries them.

A report conforms when it holds no result at all, of whatever severity: so SHACL says. A shape that
met no focus node is named in `unmet`; it has not been tried, and must not pass for success.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from semantica_rdf.shacl import names
from semantica_rdf.shacl.names import SH, Node, Term, shown
from semantica_rdf.shacl.paths import Path, path_text, path_triples

_TYPE = ox.NamedNode(names.RDF_TYPE)


@dataclass(frozen=True, slots=True)
class Result:
    """
    One constraint that does not hold at one focus node.

    `component` and `severity` are IRIs as text; `source_constraint` is the node of a `sh:sparql`.
    """

    focus: Term
    path: Path | None
    value: Term | None
    source_shape: Node
    component: str
    severity: str
    message_literals: tuple[ox.Literal, ...] = ()
    source_constraint: Term | None = None

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages as text, without their languages."""
        return tuple(literal.value for literal in self.message_literals)

    def __str__(self) -> str:
        where = "" if self.path is None else f" {path_text(self.path)}"
        value = "" if self.value is None else f" {shown(self.value)}"
        return f"{shown(self.focus)}{where}{value}: {'; '.join(self.messages)}"


@dataclass(frozen=True, slots=True)
class Report:
    """All results of one validation; `focus_counts` has every shape with a target."""

    results: tuple[Result, ...]
    focus_counts: Mapping[Node, int]

    @property
    def conforms(self) -> bool:
        """Whether there is no result, of any severity."""
        return not self.results

    @property
    def unmet(self) -> tuple[Node, ...]:
        """The shapes with a target that met no focus node."""
        return tuple(shape for shape, count in self.focus_counts.items() if not count)

    @property
    def violations(self) -> tuple[Result, ...]:
        """The results of severity `sh:Violation`."""
        return self.of_severity(names.VIOLATION)

    @property
    def warnings(self) -> tuple[Result, ...]:
        """The results of severity `sh:Warning`."""
        return self.of_severity(names.WARNING)

    def of_severity(self, severity: str) -> tuple[Result, ...]:
        """Return the results of a severity, an IRI as text."""
        return tuple(result for result in self.results if result.severity == severity)

    def to_quads(self) -> list[ox.Quad]:
        """
        Return the report as RDF in the default graph, as SHACL 3.6 defines it.

        Report and results are blank nodes; a path that is no predicate is written out again, once
        for each shape, with blank nodes of its own.
        """
        report = ox.BlankNode()
        triples = [
            ox.Triple(report, _TYPE, _sh("ValidationReport")),
            ox.Triple(report, _sh("conforms"), ox.Literal(self.conforms)),
        ]
        paths: dict[tuple[Node, Path], Node] = {}
        for result in self.results:
            node = ox.BlankNode()
            triples.append(ox.Triple(report, _sh("result"), node))
            triples += _result_triples(result, node)
            if result.path is not None:
                key = (result.source_shape, result.path)
                if key not in paths:
                    paths[key], inner = path_triples(result.path)
                    triples += inner
                triples.append(ox.Triple(node, _sh("resultPath"), paths[key]))
        return [ox.Quad(*triple) for triple in triples]


def _result_triples(result: Result, node: ox.BlankNode) -> list[ox.Triple]:
    triples = [
        ox.Triple(node, _TYPE, _sh("ValidationResult")),
        ox.Triple(node, _sh("focusNode"), result.focus),
        ox.Triple(node, _sh("resultSeverity"), ox.NamedNode(result.severity)),
        ox.Triple(node, _sh("sourceConstraintComponent"), ox.NamedNode(result.component)),
        ox.Triple(node, _sh("sourceShape"), result.source_shape),
    ]
    if result.value is not None:
        triples.append(ox.Triple(node, _sh("value"), result.value))
    if result.source_constraint is not None:
        triples.append(ox.Triple(node, _sh("sourceConstraint"), result.source_constraint))
    messages = (ox.Triple(node, _sh("resultMessage"), text) for text in result.message_literals)
    return [*triples, *messages]


def _sh(name: str) -> ox.NamedNode:
    return ox.NamedNode(SH + name)


__all__ = ["Report", "Result"]
