"""pySHACL as the reference: its verdict and results over the same graphs, term for term."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pyoxigraph as ox
import pyshacl
import rdflib
from pyshacl.errors import ReportableRuntimeError
from rdflib.namespace import SH as RSH

from semantica_rdf.shacl import MemoryGraph, Report, Shapes


class Verdict(NamedTuple):
    """Whether the data conforms; the results, None where the engine raised instead of reporting."""

    conforms: bool
    results: Counter | None


def parsed(turtle: str) -> list[ox.Quad]:
    return list(ox.parse(turtle.encode(), format=ox.RdfFormat.TURTLE))


def to_rdflib(quads) -> rdflib.Graph:
    """Return the same triples in rdflib, lexical forms and blank node labels unchanged."""
    graph = rdflib.Graph(bind_namespaces="none")
    for quad in quads:
        graph.add((term(quad.subject), term(quad.predicate), term(quad.object)))
    return graph


def term(value):
    if isinstance(value, ox.NamedNode):
        return rdflib.URIRef(value.value)
    if isinstance(value, ox.BlankNode):
        return rdflib.BNode(value.value)
    if value.language:
        return rdflib.Literal(value.value, lang=value.language)
    if value.datatype.value == str(rdflib.XSD.string):
        return rdflib.Literal(value.value)
    return rdflib.Literal(
        value.value, datatype=rdflib.URIRef(value.datatype.value), normalize=False
    )


def of_pyshacl(shapes, data) -> Verdict:
    """Return pySHACL's verdict; its TypeError and its own run-time errors count as a rejection."""
    report = report_of_pyshacl(shapes, data)
    if report is None:
        return Verdict(False, None)
    node = report.value(None, rdflib.RDF.type, RSH.ValidationReport)
    return Verdict(report.value(node, RSH.conforms).value, results_of_rdflib(report))


def report_of_pyshacl(shapes, data) -> rdflib.Graph | None:
    """Return pySHACL's report, None where it raised."""
    try:
        _, report, _ = pyshacl.validate(
            to_rdflib(data), shacl_graph=to_rdflib(shapes), advanced=False, inplace=True
        )
    except (TypeError, ReportableRuntimeError):
        return None
    assert isinstance(report, rdflib.Graph)
    return report


def results_of_rdflib(report: rdflib.Graph) -> Counter:
    counted: Counter = Counter()
    node = report.value(None, rdflib.RDF.type, RSH.ValidationReport)
    for result in report.objects(node, RSH.result):
        path = report.value(result, RSH.resultPath)
        value = report.value(result, RSH.value)
        shape = report.value(result, RSH.sourceShape)
        counted[
            report.value(result, RSH.focusNode).n3(),
            None if path is None else "path" if isinstance(path, rdflib.BNode) else path.n3(),
            None if value is None else value.n3(),
            str(report.value(result, RSH.sourceConstraintComponent)),
            str(report.value(result, RSH.resultSeverity)),
            "shape" if isinstance(shape, rdflib.BNode) else shape.n3(),
        ] += 1
    return counted


def of_ours(shapes: Shapes, data) -> Verdict:
    report = shapes.validate(MemoryGraph(data))
    return Verdict(report.conforms, results_of(report))


def results_of(report: Report) -> Counter:
    return Counter(
        (
            term(result.focus).n3(),
            path_shown(result.path),
            None if result.value is None else term(result.value).n3(),
            result.component,
            result.severity,
            "shape" if isinstance(result.source_shape, ox.BlankNode) else str(result.source_shape),
        )
        for result in report.results
    )


def path_shown(path) -> str | None:
    if path is None:
        return None
    return str(path) if isinstance(path, ox.NamedNode) else "path"
