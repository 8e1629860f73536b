"""
What an export of the record holds: statements on both axes, sources, families, transactions.

In: a store. Out: triples of the default graph, in no order, so that a plain `Graph().parse` sees
all of them. What PROV-O readers know is said beside our own words: a statement is a
`prov:Entity`, a transaction a `prov:Activity` with its agent. Belief rows, which follow from the
statements, and the store's look-up keys stay behind. No blank node is added, and no node of the
record is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import IntegrityError
from semantica_rdf.model import vocab
from semantica_rdf.store.embedded import RdfStore

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
_ASSOCIATED = ox.NamedNode(vocab.WAS_ASSOCIATED_WITH)
_JOURNAL = ox.NamedNode(vocab.JOURNAL_GRAPH)
_EXPORTED = frozenset({ox.DefaultGraph(), _JOURNAL})
_CITING = frozenset({vocab.TRANSACTION, vocab.SUPERSEDED_BY})
_KINDS = frozenset({vocab.RDF_STATEMENT, vocab.BELIEF_ROW, vocab.TRANSACTION_CLASS, vocab.CURSOR})
_KEPT_LOOK_UPS = 4096


def _iri(term: object) -> str:
    """Return the IRI of a node of the record, which holds no other nodes; of others, nothing."""
    return term.value if isinstance(term, ox.NamedNode) else ""


def record_quads(
    store: RdfStore, *, statements: Collection[str] | None = None
) -> Iterator[ox.Quad]:
    """
    Yield the export of the record in a store.

    `statements` narrows it to the statements with these ids and the transactions that wrote or
    closed them; None means all, as one snapshot. Nothing is held but a few recent look-ups.

    Raises `IntegrityError`: `untyped_node` (a node of the record that is no statement, row or
    transaction), `unattributed` (a statement whose transaction names no agent).
    """
    export = _RecordExport(store)
    return export.everything() if statements is None else export.narrowed(statements)


class _RecordExport:
    """What each quad of the record gives, once the type of its node is looked up."""

    def __init__(self, store: RdfStore) -> None:
        self._store = store
        self._kind = lru_cache(_KEPT_LOOK_UPS)(self._kind_looked_up)
        self._agent = lru_cache(_KEPT_LOOK_UPS)(self._agent_looked_up)

    def everything(self) -> Iterator[ox.Quad]:
        """Yield what all quads give."""
        for quad in self._store:
            if quad.graph_name in _EXPORTED:
                yield from self._given(quad)

    def narrowed(self, statements: Collection[str]) -> Iterator[ox.Quad]:
        """Yield what the quads of these statements give, and of the transactions they cite."""
        cited = set()
        for quad in self._quads_of(sorted(statements), ox.DefaultGraph()):
            if quad.predicate.value in _CITING and self._kind_of(quad) == vocab.RDF_STATEMENT:
                cited.add(_iri(quad.object))
            yield from self._given(quad)
        for quad in self._quads_of(sorted(cited), ox.NamedNode(vocab.JOURNAL_GRAPH)):
            yield from self._given(quad)

    def _quads_of(
        self, nodes: Iterable[str], graph: ox.NamedNode | ox.DefaultGraph
    ) -> Iterator[ox.Quad]:
        for node in nodes:
            yield from self._store.raw.quads_for_pattern(ox.NamedNode(node), None, None, graph)

    def _given(self, quad: ox.Quad) -> Iterator[ox.Quad]:
        kind = self._kind_of(quad)
        if kind == vocab.TRANSACTION_CLASS:
            yield from _transaction_triples(quad)
        elif kind == vocab.RDF_STATEMENT:
            yield from self._statement(quad)

    def _kind_of(self, quad: ox.Quad) -> str:
        return self._kind(quad.subject, quad.graph_name)

    def _kind_looked_up(self, node: Any, graph: Any) -> str:
        for quad in self._store.raw.quads_for_pattern(node, _TYPE, None, graph):
            if _iri(quad.object) in _KINDS:
                return _iri(quad.object)
        raise IntegrityError(
            f"{_iri(node)} is neither a statement, a row nor a transaction",
            code="untyped_node",
            hint="run verify; export a view meanwhile",
        )

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
            agent = self._agent(quad.object)
            if agent is None:
                raise IntegrityError(
                    f"the transaction {_iri(quad.object)} of {_iri(quad.subject)} names no agent",
                    code="unattributed",
                    hint="run verify; export a view meanwhile",
                )
            yield ox.Quad(quad.subject, _ATTRIBUTED, agent)

    def _agent_looked_up(self, transaction: Any) -> ox.NamedNode | None:
        found = self._store.raw.quads_for_pattern(transaction, _ASSOCIATED, None, _JOURNAL)
        return next((ox.NamedNode(_iri(quad.object)) for quad in found), None)


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
