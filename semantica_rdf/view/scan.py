"""
A scan of the whole record: every node's properties in one pass, for what asks about everything.

Reading the store's own dump costs a fifth of asking for each node; it is one snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from semantica_rdf.errors import CallerError
from semantica_rdf.model.statement import FactKey, Row, Statement
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import is_statement, row_from, scope_of, statement_from


class Scan(NamedTuple):
    """Properties of each node of the record, and the triples (subject, predicate, object) of each row."""

    nodes: dict[str, dict[str, str]]
    triples: dict[str, list[tuple[str, str, str]]]

    def note(self, own: str, quad: SplitLine) -> None:
        """Take one line in; `own` is how the record's nodes begin."""
        if not quad.graph:
            if quad.subject.startswith(own):
                node = self.nodes.setdefault(quad.subject[1:-1], {})
                node[quad.predicate[1:-1]] = quad.value
        elif quad.graph.startswith(own):
            self.triples.setdefault(quad.graph[1:-1], []).append(quad[:3])

    def reading(self) -> Reading:
        """Return every statement and belief row, and the nodes that garble what every one has."""
        statements: dict[str, Statement] = {}
        rows: list[Row] = []
        unreadable: list[str] = []
        for node, properties in self.nodes.items():
            if is_statement(properties):
                statement = _read(lambda: statement_from(node, properties))  # noqa: B023
                if statement is None:
                    unreadable.append(node)
                else:
                    statements[node] = statement
        for node, triples in self.triples.items():
            named = statements.get(node)
            for triple in triples:
                row = self._row(node, named, triple)
                if row is None:
                    unreadable.append(node)
                else:
                    rows.append(row)
        return Reading(list(statements.values()), rows, unreadable)

    def _row(self, node: str, named: Statement | None, triple: tuple[str, str, str]) -> Row | None:
        if named is not None:
            fact = FactKey(named.fact.namespace, named.fact.graph, *triple)
            return Row(node, fact, named.window, named.recorded_at, named.superseded_at)
        properties = self.nodes.get(node)
        if properties is None:
            return None
        return _read(lambda: row_from(node, FactKey(*scope_of(properties), *triple), properties))

    def statements(self) -> Iterator[Statement]:
        """Return every statement on record, all versions."""
        for node, properties in self.nodes.items():
            if is_statement(properties):
                yield statement_from(node, properties)


class Reading(NamedTuple):
    """What a scan's nodes say, and the nodes that say nothing whole."""

    statements: list[Statement]
    rows: list[Row]
    unreadable: list[str]


class SplitLine(NamedTuple):
    """The terms of one N-Quads line; `graph` is empty for the default graph."""

    subject: str
    predicate: str
    value: str
    graph: str


def split_line(line: str) -> SplitLine:
    """Return the terms of a canonical N-Quads line."""
    subject, predicate, rest = line.split(" ", 2)
    body = rest[:-3]
    if rest[0] == "<":
        value, _, graph = body.partition(" ")
        return SplitLine(subject, predicate, value, graph)
    cut = body.find(" ", body.rindex('"'))
    if cut < 0:
        return SplitLine(subject, predicate, body, "")
    return SplitLine(subject, predicate, body[:cut], body[cut + 1 :])


_Readable = TypeVar("_Readable", Statement, Row)


def _read(reading: Callable[[], _Readable]) -> _Readable | None:
    try:
        return reading()
    except (KeyError, ValueError, IndexError, CallerError):
        return None


def scan_of(lines: Iterable[str], identity: Identity) -> Scan:
    """Return the scan of a store's lines."""
    found = Scan({}, {})
    own = "<" + identity.prefix
    for line in lines:
        found.note(own, split_line(line))
    return found


def scan(store: RdfStore, identity: Identity) -> Scan:
    """Return the scan of a store as it is now."""
    return scan_of(store.lines(), identity)
