"""The W3C suite of SHACL: its manifests walked, its expected reports read as comparable results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.shacl import MemoryGraph, Report, compile_shapes, path_text
from semantica_rdf.shacl.paths import read_path
from semantica_rdf.shacl.shapes_graph import ShapesGraph

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT.parent / "shared" / "data" / "w3c-shacl" / "tests"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
SHT = "http://www.w3.org/ns/shacl-test#"
SH = "http://www.w3.org/ns/shacl#"
FAILURE = ox.NamedNode(SHT + "Failure")


class Case(NamedTuple):
    """One test: its name, its two graphs, and the node of what is expected in its own graph."""

    name: str
    data: str
    shapes: str
    graph: ShapesGraph
    expected: object


@cache
def triples(iri: str) -> list[ox.Quad]:
    path = iri.removeprefix("file://")
    return list(ox.parse(path=path, format=ox.RdfFormat.TURTLE, base_iri=iri))


def cases() -> Iterator[Case]:
    """Give every test of every file, also of one that no manifest includes."""
    for path in sorted(SUITE.rglob("*.ttl")):
        iri = f"file://{path}"
        graph = ShapesGraph(triples(iri), path.name)
        for manifest, head in graph.pairs(MF + "entries"):
            for entry in graph.members(manifest, head, MF + "entries"):
                action = graph.objects(entry, MF + "action")[0]
                yield Case(
                    str(path.relative_to(SUITE).with_suffix("")),
                    graph.objects(action, SHT + "dataGraph")[0].value,
                    graph.objects(action, SHT + "shapesGraph")[0].value,
                    graph,
                    graph.objects(entry, MF + "result")[0],
                )


def validated(case: Case) -> Report:
    shapes = compile_shapes(triples(case.shapes), name=case.name)
    return shapes.validate(MemoryGraph(triples(case.data)))


def signature(focus, path, value, component, severity, shape):
    """Return what two results are compared by; blank nodes of the graphs keep their labels."""
    return tuple(str(part) for part in (focus, path, value, component, severity, shape))


def found(report: Report) -> Counter:
    return Counter(
        signature(
            result.focus,
            None if result.path is None else path_text(result.path),
            result.value,
            ox.NamedNode(result.component),
            ox.NamedNode(result.severity),
            result.source_shape,
        )
        for result in report.results
    )


def expected(case: Case) -> Counter:
    graph = case.graph
    counted: Counter = Counter()
    for result in graph.objects(case.expected, SH + "result"):
        path = graph.only(result, SH + "resultPath")
        shown = None if path is None else path_text(read_path(graph, result, path))
        parts = [
            graph.only(result, SH + name)
            for name in ("focusNode", "value", "sourceConstraintComponent", "resultSeverity",
                         "sourceShape")
        ]  # fmt: skip
        focus, value, component, severity, shape = parts
        counted[signature(focus, shown, value, component, severity, shape)] += 1
    return counted


def expected_conforms(case: Case) -> bool:
    return case.graph.only(case.expected, SH + "conforms").value in {"true", "1"}


def outcome(case: Case) -> str:
    """Return passed, differing, or refused with the reason."""
    try:
        report = validated(case)
    except ValidationError as error:
        if case.expected == FAILURE:
            return "passed"
        return f"refused: {error.message}"
    if case.expected == FAILURE:
        return "differing: a failure is expected"
    same = found(report) == expected(case) and report.conforms == expected_conforms(case)
    return "passed" if same else "differing"
