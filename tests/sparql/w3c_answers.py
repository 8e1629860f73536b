"""
Answers in a form that can be compared: the engine's, ours, and what the W3C suites expect.

Rows and triples become quads that are put in canonical form, so that blank nodes, and the skolem
IRIs that stand for them, are compared up to their names, and rows as often as they come.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.shacl.shapes_graph import ShapesGraph

RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
RESULTS = {
    ".srx": ox.QueryResultsFormat.XML,
    ".srj": ox.QueryResultsFormat.JSON,
    ".tsv": ox.QueryResultsFormat.TSV,
}
GRAPHS = {".ttl": ox.RdfFormat.TURTLE, ".rdf": ox.RdfFormat.RDF_XML, ".nt": ox.RdfFormat.N_TRIPLES}
_TIMES = ox.NamedNode("urn:times")


class Rows(NamedTuple):
    """The answer of a SELECT: its columns and its rows in the order given."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


Answer = bool | Rows | tuple[tuple[Any, ...], ...]
"""Of ASK, SELECT, and CONSTRUCT or DESCRIBE."""


def of_engine(found) -> Answer:
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    if isinstance(found, ox.QuerySolutions):
        names = tuple(variable.value for variable in found.variables)
        return Rows(names, tuple(tuple(row) for row in found))
    return tuple(tuple(triple) for triple in found)


def of_view(found) -> Answer:
    if hasattr(found, "variables"):
        return Rows(
            tuple(found.variables), tuple(tuple(_term(cell) for cell in row) for row in found)
        )
    if hasattr(found, "to_rdflib"):
        return tuple(tuple(_term(term) for term in triple) for triple in found)
    return bool(found)


def _term(term) -> Any:
    if term is None:
        return None
    made = term.to_pyoxigraph()
    if isinstance(made, ox.NamedNode) and made.value.startswith(vocab.SKOLEM_BASE):
        return ox.BlankNode("s" + made.value.removeprefix(vocab.SKOLEM_BASE).replace("/", ""))
    return made


def expected(path: Path, base: str) -> Answer:
    """Read what a test expects from its file."""
    if path.suffix in RESULTS:
        return of_engine(ox.parse_query_results(path=path, format=RESULTS[path.suffix]))
    if path.suffix == ".csv":
        return _csv(path)
    quads = list(ox.parse(path=path, format=GRAPHS[path.suffix], base_iri=base))
    graph = ShapesGraph(quads, path.name)
    table = [quad.subject for quad in quads if quad.object == ox.NamedNode(RS + "ResultSet")]
    if not table:
        return tuple((quad.subject, quad.predicate, quad.object) for quad in quads)
    verdict = graph.only(table[0], RS + "boolean")
    return _table(graph, table[0]) if verdict is None else verdict.value == "true"


def _table(graph: ShapesGraph, table) -> Rows:
    names = tuple(sorted(name.value for name in graph.objects(table, RS + "resultVariable")))
    rows = []
    for solution in graph.objects(table, RS + "solution"):
        index = graph.only(solution, RS + "index")
        cells = {
            graph.only(binding, RS + "variable").value: graph.only(binding, RS + "value")
            for binding in graph.objects(solution, RS + "binding")
        }
        place = 0 if index is None else int(index.value)
        rows.append((place, tuple(cells.get(name) for name in names)))
    return Rows(names, tuple(row for _, row in sorted(rows, key=lambda row: row[0])))


def _csv(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return Rows(tuple(names), tuple(tuple(_cell(text) for text in row) for row in rows))


def _cell(text: str) -> Any:
    if text.startswith("_:"):
        return ox.BlankNode(text[2:])
    return ox.Literal(text) if text else None


def as_csv(answer: Rows) -> Rows:
    """Return rows as CSV would show them, which tells no IRI from a literal."""
    shown = (
        tuple(
            cell if cell is None or isinstance(cell, ox.BlankNode) else _cell(cell.value)
            for cell in row
        )
        for row in answer.rows
    )
    return Rows(answer.names, tuple(shown))


class Manner(NamedTuple):
    """How two answers are compared: rows in order, only which rows, as CSV shows them."""

    ordered: bool
    lax: bool
    csv: bool


def comparable(answer: Answer, manner: Manner):
    """Return an answer as what is equal for equal answers."""
    if isinstance(answer, bool):
        return answer
    if not isinstance(answer, Rows):
        return canonical(ox.Quad(*triple) for triple in answer)
    if manner.csv:
        answer = as_csv(answer)
    return tuple(sorted(answer.names)), canonical(_quads(answer, manner))


def _quads(answer: Rows, manner: Manner) -> Iterable[ox.Quad]:
    names = [ox.NamedNode(f"urn:column:{name}") for name in answer.names]
    if manner.ordered:
        counted = [(row, place) for place, row in enumerate(answer.rows)]
    else:
        counted = [(row, 1 if manner.lax else n) for row, n in Counter(answer.rows).items()]
    for number, (row, mark) in enumerate(counted):
        node = ox.BlankNode(f"row{number}")
        yield ox.Quad(node, _TIMES, ox.Literal(str(mark)))
        for name, cell in zip(names, row, strict=True):
            if cell is not None:
                yield ox.Quad(node, name, cell)


def canonical(quads: Iterable[ox.Quad]) -> frozenset[str]:
    """Return quads as texts with canonical blank nodes, literals as the store keeps them."""
    kept = ox.Store()
    kept.extend(list(quads))
    dataset = ox.Dataset(kept)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return frozenset(str(quad) for quad in dataset)
