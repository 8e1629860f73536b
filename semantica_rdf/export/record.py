"""
What an export of the record holds: statements on both axes, sources, families, transactions.

In: the quads of a whole store, in any order. Out: triples of the default graph, so that a plain
`Graph().parse` sees all of them. What PROV-O readers know is said beside our own words: a
statement is a `prov:Entity`, a transaction a `prov:Activity` with its agent. Belief rows, which
follow from the statements, and the store's look-up keys stay behind. No blank node is added,
and no node of the record is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import IntegrityError
from semantica_rdf.model import vocab

PROV_ACTIVITY = vocab.PROV + "Activity"
PROV_AGENT = vocab.PROV + "Agent"
PROV_ENTITY = vocab.PROV + "Entity"
ENDED_AT_TIME = vocab.PROV + "endedAtTime"
GENERATED_AT_TIME = vocab.PROV + "generatedAtTime"
INVALIDATED_AT_TIME = vocab.PROV + "invalidatedAtTime"
SPECIALIZATION_OF = vocab.PROV + "specializationOf"
WAS_ATTRIBUTED_TO = vocab.PROV + "wasAttributedTo"
WAS_DERIVED_FROM = vocab.PROV + "wasDerivedFrom"
WAS_GENERATED_BY = vocab.PROV + "wasGeneratedBy"
WAS_INVALIDATED_BY = vocab.PROV + "wasInvalidatedBy"
DCTERMS_SOURCE = vocab.DCTERMS + "source"

_ALSO_OF_STATEMENT = {
    vocab.RECORDED_AT: (ox.NamedNode(GENERATED_AT_TIME),),
    vocab.SUPERSEDED_AT: (ox.NamedNode(INVALIDATED_AT_TIME),),
    vocab.SUPERSEDED_BY: (ox.NamedNode(WAS_INVALIDATED_BY),),
    vocab.TRANSACTION: (ox.NamedNode(WAS_GENERATED_BY),),
    vocab.SOURCE: (ox.NamedNode(WAS_DERIVED_FROM), ox.NamedNode(DCTERMS_SOURCE)),
    vocab.IN_FAMILY: (ox.NamedNode(SPECIALIZATION_OF),),
}
_ALSO_OF_TRANSACTION = {vocab.RECORDED_AT: (ox.NamedNode(ENDED_AT_TIME),)}

_TYPE = ox.NamedNode(vocab.RDF_TYPE)
_ENTITY = ox.NamedNode(PROV_ENTITY)
_ACTIVITY = ox.NamedNode(PROV_ACTIVITY)
_AGENT = ox.NamedNode(PROV_AGENT)
_ATTRIBUTED = ox.NamedNode(WAS_ATTRIBUTED_TO)
_EXPORTED = frozenset({ox.DefaultGraph(), ox.NamedNode(vocab.JOURNAL_GRAPH)})
_KINDS = frozenset({vocab.RDF_STATEMENT, vocab.BELIEF_ROW, vocab.TRANSACTION_CLASS})


Node: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Triple


def _iri(term: object) -> str:
    """Return the IRI of a node of the record, which holds no other nodes; of others, nothing."""
    return term.value if isinstance(term, ox.NamedNode) else ""


def record_quads(
    quads: Iterable[ox.Quad], *, statements: Collection[str] | None = None
) -> Iterator[ox.Quad]:
    """
    Yield the export of a record, from the quads of its store.

    `statements` narrows it to the statements with these ids and the transactions that wrote or
    closed them; None means all. A node's quads are held back only until its type is known.

    Raises `IntegrityError`: `untyped_node` (a node of the record that is no statement, row or
    transaction), `unattributed` (a statement whose transaction names no agent).
    """
    export = _RecordExport(None if statements is None else frozenset(statements))
    for quad in quads:
        if quad.graph_name in _EXPORTED:
            yield from export.take(quad)
    yield from export.rest()


class _RecordExport:
    """What has been seen of the record so far, and what waits for something not yet seen."""

    def __init__(self, statements: frozenset[str] | None) -> None:
        self._wanted = statements
        self._kinds: dict[str, str] = {}
        self._untyped: dict[str, list[ox.Quad]] = {}
        self._transactions: dict[str, list[ox.Quad]] = {}
        self._cited: set[str] = set()
        self._agents: dict[str, ox.NamedNode] = {}
        self._written: dict[str, list[Node]] = {}

    def take(self, quad: ox.Quad) -> Iterator[ox.Quad]:
        """Yield what the quad, and the quads that waited for it, give."""
        node = _iri(quad.subject)
        kind = self._kinds.get(node)
        if kind is None and quad.predicate == _TYPE and _iri(quad.object) in _KINDS:
            kind = self._kinds[node] = _iri(quad.object)
            yield from self._typed(quad, kind)
            for earlier in self._untyped.pop(node, ()):
                yield from self._typed(earlier, kind)
        elif kind is None:
            self._untyped.setdefault(node, []).append(quad)
        else:
            yield from self._typed(quad, kind)

    def rest(self) -> Iterator[ox.Quad]:
        """Yield the transactions and attributions, which are known only at the end."""
        if self._untyped:
            node = min(self._untyped)
            raise IntegrityError(
                f"{node} is neither a statement, a row nor a transaction",
                code="untyped_node",
                hint="run verify; export a view meanwhile",
            )
        for node, quads in self._transactions.items():
            if self._wanted is None or node in self._cited:
                for quad in quads:
                    yield from _transaction_triples(quad)
        for node, written in self._written.items():
            agent = self._agents.get(node)
            if agent is None:
                raise IntegrityError(
                    f"the transaction {node} of {_iri(written[0])} names no agent",
                    code="unattributed",
                    hint="run verify; export a view meanwhile",
                )
            for statement in written:
                yield ox.Quad(statement, _ATTRIBUTED, agent)

    def _typed(self, quad: ox.Quad, kind: str) -> Iterator[ox.Quad]:
        if kind == vocab.TRANSACTION_CLASS:
            self._keep_transaction(quad)
        elif kind == vocab.RDF_STATEMENT and self._is_wanted(_iri(quad.subject)):
            yield from self._statement(quad)

    def _is_wanted(self, node: str) -> bool:
        return self._wanted is None or node in self._wanted

    def _keep_transaction(self, quad: ox.Quad) -> None:
        node = _iri(quad.subject)
        self._transactions.setdefault(node, []).append(quad)
        if quad.predicate.value == vocab.WAS_ASSOCIATED_WITH:
            self._agents[node] = ox.NamedNode(_iri(quad.object))

    def _statement(self, quad: ox.Quad) -> Iterator[ox.Quad]:
        predicate = quad.predicate.value
        if predicate == vocab.FACT_KEY:
            return
        yield quad
        if predicate == vocab.RDF_TYPE:
            yield ox.Quad(quad.subject, _TYPE, _ENTITY)
        for also in _ALSO_OF_STATEMENT.get(predicate, ()):
            yield ox.Quad(quad.subject, also, quad.object)
        if predicate == vocab.TRANSACTION:
            self._cited.add(_iri(quad.object))
            self._written.setdefault(_iri(quad.object), []).append(quad.subject)
        elif predicate == vocab.SUPERSEDED_BY:
            self._cited.add(_iri(quad.object))


def _transaction_triples(quad: ox.Quad) -> Iterator[ox.Quad]:
    """Yield a journal quad in the default graph, with what PROV-O readers know it as."""
    predicate = quad.predicate.value
    yield ox.Quad(quad.subject, quad.predicate, quad.object)
    if predicate == vocab.RDF_TYPE:
        yield ox.Quad(quad.subject, _TYPE, _ACTIVITY)
    elif predicate == vocab.WAS_ASSOCIATED_WITH:
        yield ox.Quad(ox.NamedNode(_iri(quad.object)), _TYPE, _AGENT)
    for also in _ALSO_OF_TRANSACTION.get(predicate, ()):
        yield ox.Quad(quad.subject, also, quad.object)


__all__ = [
    "DCTERMS_SOURCE",
    "ENDED_AT_TIME",
    "GENERATED_AT_TIME",
    "INVALIDATED_AT_TIME",
    "PROV_ACTIVITY",
    "PROV_AGENT",
    "PROV_ENTITY",
    "SPECIALIZATION_OF",
    "WAS_ATTRIBUTED_TO",
    "WAS_DERIVED_FROM",
    "WAS_GENERATED_BY",
    "WAS_INVALIDATED_BY",
    "record_quads",
]
