"""
Acknowledge: the receipt of a transaction, of one that changed nothing, of one repeated (pure).
"""

from __future__ import annotations

from semantica_rdf.ledger.commit import Change
from semantica_rdf.ledger.domain_gate import Finding
from semantica_rdf.ledger.receipt import Receipt
from semantica_rdf.ledger.transaction import Transaction
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.transactions import TransactionRecord


def receipt_of_nothing(transaction: Transaction) -> Receipt:
    """Return the receipt of a transaction that recorded nothing."""
    return Receipt(
        sequence=0,
        transaction=None,
        recorded_instant=None,
        already_there=transaction.already_there,
        reference=transaction.terms.reference,
    )


def receipt_of(
    transaction: Transaction, change: Change, identity: Identity, warnings: tuple[Finding, ...]
) -> Receipt:
    """Return the receipt of what a transaction recorded."""
    closed = frozenset(change.superseded)
    return Receipt(
        sequence=change.row.sequence,
        transaction=identity.iri(change.row.sequence, 0),
        recorded_instant=change.row.recorded_at,
        statements=change.statements,
        superseded=change.superseded,
        cut=tuple(node for node in transaction.cuts if node in closed),
        already_there=transaction.already_there,
        effects=dict(+transaction.effects),
        reference=transaction.terms.reference,
        warnings=warnings,
    )


def receipt_of_the_first(first: TransactionRecord) -> Receipt:
    """Return the receipt of the transaction that had the reference first."""
    return Receipt(
        sequence=first.sequence,
        transaction=first.id,
        recorded_instant=first.recorded_instant,
        statements=first.statements,
        superseded=first.superseded,
        reference=first.reference,
        repeated=True,
    )
