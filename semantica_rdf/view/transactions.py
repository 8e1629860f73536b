"""
Transactions read back from the journal graph: who changed what, when, why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.time import datetime_of
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import instant_of, lexical

_JOURNAL = ox.NamedNode(vocab.JOURNAL_GRAPH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Who did a transaction, when and why, without what it wrote."""

    id: str
    recorded_instant: int
    operation: str
    reason: str
    reason_code: str
    agent: str
    namespace: str

    @property
    def recorded_at(self) -> datetime:
        """When it was recorded, aware UTC."""
        return datetime_of(self.recorded_instant)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionRecord(Act):
    """One transaction as recorded; `statements` and `superseded` are ids, in order."""

    sequence: int
    reference: str | None
    statements: tuple[str, ...]
    superseded: tuple[str, ...]


class TransactionReader:
    """Reads transactions of one store."""

    def __init__(self, store: RdfStore, identity: Identity) -> None:
        self._store = store
        self._identity = identity

    def transaction(self, sequence: int) -> TransactionRecord | None:
        """Return the transaction with this sequence number, None when the store has none."""
        node = self._identity.iri(sequence, 0)
        found = self._store.properties(node, _JOURNAL)
        if not found:
            return None
        reference = found.get(vocab.REFERENCE)
        return TransactionRecord(
            **_act(node, found),
            sequence=sequence,
            reference=None if reference is None else lexical(reference),
            statements=self._nodes(vocab.TRANSACTION, node),
            superseded=self._nodes(vocab.SUPERSEDED_BY, node),
        )

    def act(self, node: str) -> Act:
        """Return who did the transaction with this id, when and why; costs one look-up."""
        return Act(**_act(node, self._store.properties(node, _JOURNAL)))

    def _nodes(self, predicate: str, transaction: str) -> tuple[str, ...]:
        nodes = self._store.subjects(predicate, ox.NamedNode(transaction))
        statements = [node for node in nodes if self._is_statement(node)]
        return tuple(sorted(statements, key=lambda node: self._identity.key(node) or (0, 0)))

    def _is_statement(self, node: str) -> bool:
        quad = ox.Quad(
            ox.NamedNode(node), ox.NamedNode(vocab.RDF_TYPE), ox.NamedNode(vocab.RDF_STATEMENT)
        )
        return quad in self._store.raw

    def between(self, since: int, last: int) -> Iterator[TransactionRecord]:
        """Return the transactions after `since` up to `last`, in order."""
        for sequence in range(since + 1, last + 1):
            record = self.transaction(sequence)
            if record is not None:
                yield record

    def with_reference(self, namespace: str, reference: str) -> TransactionRecord | None:
        """Return the transaction recorded under a reference in a namespace, None when there is none."""
        for node in self._store.subjects(vocab.REFERENCE, ox.Literal(reference), _JOURNAL):
            key = self._identity.key(node)
            record = None if key is None else self.transaction(key.sequence)
            if record is not None and record.namespace == namespace:
                return record
        return None


def _act(node: str, found: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of an act, from the properties of its node."""
    return {
        "id": node,
        "recorded_instant": instant_of(found[vocab.RECORDED_AT]),
        "operation": lexical(found[vocab.OPERATION]),
        "reason": lexical(found[vocab.REASON]),
        "reason_code": lexical(found[vocab.REASON_CODE]),
        "agent": found[vocab.WAS_ASSOCIATED_WITH][1:-1],
        "namespace": _namespace(found),
    }


def _namespace(found: Mapping[str, str]) -> str:
    namespace = found.get(vocab.NAMESPACE)
    return DEFAULT_NAMESPACE if namespace is None else lexical(namespace)
