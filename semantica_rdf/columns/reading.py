"""
Reading the record into entries: all of it, or what some transactions wrote.

The store is append-only, and a read of several steps is no snapshot: what transactions after the
one asked for have written is left out, closings of theirs undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.columns.dictionary import Dictionary
from semantica_rdf.columns.entries import Entries, Entry, entries_of, kind_of, node_number
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.time import OPEN_END, OPEN_START, start_of
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.store.templates import template

_JOURNAL = ox.NamedNode(vocab.JOURNAL_GRAPH)
_DEFAULT = ox.DefaultGraph()
_STANDING = {vocab.SRDF + name: name for name in vocab.STANDINGS}
_TRIPLE = (vocab.RDF_SUBJECT, vocab.RDF_PREDICATE, vocab.RDF_OBJECT)


class Written(NamedTuple):
    """What transactions wrote: new entries, and the numbers of nodes they closed, each with when."""

    entries: Entries
    closed: dict[int, int]


class _Node(NamedTuple):
    """What is known of one node while it is read."""

    properties: dict[str, str]
    triple: tuple[str, str, str] | None


class EntryReader:
    """Reads entries of one store, numbering their terms in one dictionary."""

    def __init__(self, store: RdfStore, identity: Identity, dictionary: Dictionary) -> None:
        self._store = store
        self._identity = identity
        self.dictionary = dictionary
        self._instants: dict[str, int] = {}

    def recorded_at(self, sequence: int) -> int:
        """Return when a transaction was recorded."""
        transaction = self._identity.iri(sequence, 0)
        return self._instant(self._store.properties(transaction, _JOURNAL)[vocab.RECORDED_AT])

    def _instant(self, text: str) -> int:
        found = self._instants.get(text)
        if found is None:
            lexical = text[1 : text.index('"', 1)] if text.startswith('"') else text
            found = self._instants[text] = start_of(lexical).instant
        return found

    def everything(self, upto: int) -> Entries:
        """Return every entry that transactions up to this one wrote, as the record stood then."""
        known_at = self.recorded_at(upto)
        nodes: dict[str, _Node] = {}
        raw = self._store.raw
        for quad in self._quads(vocab.RECORDED_AT):
            nodes[quad.subject.value] = _Node({vocab.RECORDED_AT: quad.object.value}, None)  # type: ignore[union-attr]
        for predicate in _READ:
            for quad in self._quads(predicate):
                node = nodes.get(quad.subject.value)  # type: ignore[union-attr]
                if node is not None:
                    node.properties[predicate] = quad.object.value  # type: ignore[union-attr]
        for name, *triple in raw.query(template("columns/rows").bind({})):  # type: ignore[union-attr]
            node = nodes.get(name.value)
            if node is not None:
                nodes[name.value] = node._replace(triple=tuple(map(str, triple)))  # type: ignore[arg-type]
        return entries_of(self._entries(nodes, upto, known_at))

    def _quads(self, predicate: str) -> Iterator[ox.Quad]:
        return self._store.raw.quads_for_pattern(None, ox.NamedNode(predicate), None, _DEFAULT)

    def _entries(self, nodes: dict[str, _Node], upto: int, known_at: int) -> Iterator[Entry]:
        for name, node in nodes.items():
            key = self._identity.key(name) if name.startswith(self._identity.prefix) else None
            if key is not None and key.sequence <= upto:
                yield self._entry(name, node_number(*key), node, known_at)

    def _entry(self, name: str, number: int, node: _Node, known_at: int) -> Entry:
        properties, triple = node
        source = properties.get(vocab.SOURCE)
        statement = source is not None
        if triple is None:
            described = self._store.properties(name)
            subject, predicate, value = (described.get(part, "") for part in _TRIPLE)
            triple = subject, predicate, value
        number_of = self.dictionary.number
        graph = properties.get(vocab.IN_GRAPH)
        start, end = properties.get(vocab.VALID_FROM), properties.get(vocab.VALID_UNTIL)
        superseded = properties.get(vocab.SUPERSEDED_AT)
        closed = OPEN_END if superseded is None else self._instant(superseded)
        standing = _STANDING[properties.get(vocab.STANDING, vocab.BELIEVED)]
        return Entry(
            number,
            number_of(properties.get(vocab.NAMESPACE, DEFAULT_NAMESPACE)),
            0 if graph is None else number_of(f"<{graph}>"),
            number_of(triple[0]),
            number_of(triple[1]),
            number_of(triple[2]),
            OPEN_START if start is None else self._instant(start),
            OPEN_END if end is None else self._instant(end),
            self._instant(properties[vocab.RECORDED_AT]),
            closed if closed <= known_at else OPEN_END,
            0 if source is None else number_of(f"<{source}>"),
            kind_of(row=node.triple is not None, standing=standing if statement else None),
        )

    def written(self, since: int, upto: int, *, at_most: int) -> Written | None:
        """
        Return what the transactions after `since` and up to `upto` wrote.

        None when that is more than `at_most` nodes, which `everything` reads quicker.
        """
        names: dict[str, None] = {}
        closed: dict[int, int] = {}
        for sequence in range(since + 1, upto + 1):
            transaction = ox.NamedNode(self._identity.iri(sequence, 0))
            names |= dict.fromkeys(self._store.subjects(vocab.TRANSACTION, transaction))
            for name in self._store.subjects(vocab.SUPERSEDED_BY, transaction):
                key = self._identity.key(name)
                if key is not None:
                    closed[node_number(*key)] = sequence
            if len(names) + len(closed) > at_most:
                return None
        times = {sequence: self.recorded_at(sequence) for sequence in set(closed.values())}
        nodes = {name: self._node(name) for name in names}
        entries = entries_of(self._entries(nodes, upto, self.recorded_at(upto)))
        return Written(entries, {node: times[sequence] for node, sequence in closed.items()})

    def _node(self, name: str) -> _Node:
        own = ox.NamedNode(name)
        raw = self._store.raw
        quads = raw.quads_for_pattern(own, None, None, _DEFAULT)
        properties = {quad.predicate.value: _value(quad.object) for quad in quads}
        triples = [
            (str(quad.subject), str(quad.predicate), str(quad.object))
            for quad in raw.quads_for_pattern(None, None, None, own)
        ]
        return _Node(properties, triples[0] if triples else None)


_READ = (
    vocab.VALID_FROM,
    vocab.VALID_UNTIL,
    vocab.SUPERSEDED_AT,
    vocab.NAMESPACE,
    vocab.IN_GRAPH,
    vocab.SOURCE,
    vocab.STANDING,
)
"""The predicates that entries are made of, beside `recordedAt`, which every node has."""


def _value(term: Iterable[object] | object) -> str:
    return getattr(term, "value", "")


__all__ = ["EntryReader", "Written"]
