"""
A scan of the whole record: every node's properties in one pass, for what asks about everything.

Reading the store's own dump costs a fifth of asking for each node; it is one snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from semantica_rdf.errors import CallerError
from semantica_rdf.model.statement import FactKey, Row, Statement
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import is_statement, row_from, scope_of, statement_from


class Scan(NamedTuple):
    """Properties of each node of the record, and the triples (subject, predicate, object) of each row."""

    nodes: dict[str, dict[str, str]]
    triples: dict[str, list[tuple[str, str, str]]]

    def unreadable(self) -> Iterator[str]:
        """Return the nodes of statements and rows that lack or garble what every one has."""
        for node, properties in self.nodes.items():
            if is_statement(properties) and _read(statement_from, node, properties) is None:
                yield node
        for node in self.triples:
            properties = self.nodes.get(node, {})
            if _read(row_from, node, FactKey("", "", "", "", ""), properties) is None:
                yield node

    def readable(self) -> Scan:
        """Return the scan without the unreadable nodes."""
        bad = frozenset(self.unreadable())
        if not bad:
            return self
        return Scan(
            {node: found for node, found in self.nodes.items() if node not in bad},
            {node: found for node, found in self.triples.items() if node not in bad},
        )

    def statements(self) -> Iterator[Statement]:
        """Return every statement on record, all versions."""
        for node, properties in self.nodes.items():
            if is_statement(properties):
                yield statement_from(node, properties)

    def rows(self) -> Iterator[Row]:
        """Return every belief row with its fact."""
        for node, triples in self.triples.items():
            properties = self.nodes.get(node)
            if properties is None:
                continue
            for triple in triples:
                yield row_from(node, FactKey(*scope_of(properties), *triple), properties)


def _read(reading: Callable[..., Statement | Row], *given: Any) -> Statement | Row | None:
    try:
        return reading(*given)
    except (KeyError, ValueError, IndexError, CallerError):
        return None


def scan_of(lines: Iterable[str], identity: Identity) -> Scan:
    """Return the scan of a store's lines."""
    nodes: dict[str, dict[str, str]] = {}
    triples: dict[str, list[tuple[str, str, str]]] = {}
    own = "<" + identity.prefix
    for line in lines:
        subject, predicate, rest = line.split(" ", 2)
        value, graph = split_graph(rest)
        if not graph:
            if subject.startswith(own):
                nodes.setdefault(subject[1:-1], {})[predicate[1:-1]] = value
        elif graph.startswith(own):
            triples.setdefault(graph[1:-1], []).append((subject, predicate, value))
    return Scan(nodes, triples)


def split_graph(rest: str) -> tuple[str, str]:
    """Return object and graph name (empty for the default graph) of the end of an N-Quads line."""
    body = rest[:-3]
    if rest[0] == "<":
        value, _, graph = body.partition(" ")
        return value, graph
    end = body.rindex('"')
    cut = body.find(" ", end)
    return (body, "") if cut < 0 else (body[:cut], body[cut + 1 :])


def scan(store: RdfStore, identity: Identity) -> Scan:
    """Return the scan of a store as it is now."""
    return scan_of(store.lines(), identity)
