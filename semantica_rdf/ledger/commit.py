"""
Commit: from the working set to journal row, commitments and quads; then one atomic store write.

Input: what the transaction would change, the head of the chain and the time. Output: a `Change`,
computed without touching anything; `ledger.py` writes it, journal first. All nodes share one
`recordedAt`.
"""

from __future__ import annotations

from typing import NamedTuple

from semantica_rdf.ledger import commitments as parts
from semantica_rdf.ledger.chain import Head, JournalRow
from semantica_rdf.ledger.commitments import Commitment, PartKey, committed, root_of
from semantica_rdf.ledger.encoding import (
    closing_lines,
    journal_line,
    moment,
    row_lines,
    statement_lines,
    text,
)
from semantica_rdf.ledger.settle import RowPlan, settled
from semantica_rdf.ledger.terms import Terms
from semantica_rdf.ledger.transaction import Transaction
from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE, FactKey
from semantica_rdf.store.identity import Identity

_CODE_OF_OPERATION = {
    "assert": "new-information",
    "propose": "new-information",
    "load": "import",
    "retract": "ended",
    "withdraw": "withdrawn-by-source",
    "revise": "correction",
    "replace": "replacement",
    "believe": "review",
    "dispute": "review",
    "reject": "review",
    "mixed": "other",
}


class Moment(NamedTuple):
    """The time of a commit and the basis before it, as instants."""

    recorded_at: int
    basis: int


class Change(NamedTuple):
    """
    Everything a commit writes: a journal row, commitments, quads as N-Quads.

    `keyed` tells whether any of its statements carries a fact key instead of a row of its own.
    """

    row: JournalRow
    commitments: list[Commitment]
    quads: bytes
    statements: tuple[str, ...]
    superseded: tuple[str, ...]
    keyed: bool


def operation_of(transaction: Transaction) -> str:
    """Return the operation code: the one verb that took effect, or `mixed`."""
    if transaction.terms.operation is not None:
        return transaction.terms.operation
    verbs = set(+transaction.effects) - {"cut"}
    return verbs.pop() if len(verbs) == 1 else "mixed"


def change_of(
    transaction: Transaction, head: Head, when: Moment, identity: Identity
) -> Change | None:
    """Return what the transaction writes, None when its net effect is nothing."""
    working = transaction.working
    working.settle_versions()
    if not working.new and not working.closed:
        return None
    plans = {fact: _row_plan(working, fact) for fact in working.touched()}
    encoder = _Encoder(identity, working, when)
    operation = operation_of(transaction)
    code = transaction.terms.reason_code or _CODE_OF_OPERATION[operation]
    encoder.add_transaction(transaction.terms, operation, code, first=head.sequence == 0)
    minted = encoder.add_nodes(plans)
    commitments = committed(encoder.parts)
    counts = (len(working.new), len(working.closed), minted)
    row = JournalRow.chained(
        head, when.recorded_at, (operation, code), counts, root_of(commitments)
    )
    return Change(
        row,
        commitments,
        b"".join(encoder.parts.values()),
        tuple(working.new),
        tuple(working.closed),
        keyed=len(working.new) > sum(len(plan.named) for plan in plans.values()),
    )


def _row_plan(working: WorkingSet, fact: FactKey) -> RowPlan:
    stored = working.stored(fact)
    rows = [row for row in working.reader.rows_of(fact) if row.is_open] if stored else []
    believed = [item for item in working.open_of(fact) if item.standing == "believed"]
    return settled(rows, believed, new=working.new, closing=working.closed)


class _Encoder:
    """Collects the lines of one commit, by part, in the order they are committed to."""

    def __init__(self, identity: Identity, working: WorkingSet, when: Moment) -> None:
        self.parts: dict[PartKey, bytes] = {}
        self._identity = identity
        self._working = working
        self._when = when
        self._recorded = moment(when.recorded_at)
        self._transaction = identity.iri(working.sequence, 0)
        self._ordinal_at = len(self._transaction) - 1

    def _add_new(self, node: str, lines: list[str], part: int = parts.NODE) -> None:
        """Add a part of a node that this transaction mints: its ordinal stands at a known place."""
        key = PartKey(self._working.sequence, int(node[self._ordinal_at :]), part)
        self.parts[key] = parts.sworn(lines)

    def _add_closing(self, node: str, lines: list[str]) -> None:
        key = self._identity.key(node)
        if key is None:
            raise AssertionError(node)
        self.parts[PartKey(key.sequence, key.ordinal, parts.CLOSING)] = parts.sworn(lines)

    def add_transaction(self, terms: Terms, operation: str, code: str, *, first: bool) -> None:
        """Add the transaction's own node, with its agent and reason as parts of their own."""
        node = self._transaction
        sequence = f'"{self._working.sequence}"^^<{vocab.XSD}integer>'
        said = [
            (vocab.RDF_TYPE, f"<{vocab.TRANSACTION_CLASS}>"),
            (vocab.SEQUENCE, sequence),
            (vocab.RECORDED_AT, self._recorded),
            (vocab.OPERATION, text(operation)),
            (vocab.REASON_CODE, text(code)),
        ]
        if not first:
            said.append((vocab.BASIS, moment(self._when.basis)))
        if terms.namespace != DEFAULT_NAMESPACE:
            said.append((vocab.NAMESPACE, text(terms.namespace)))
        if terms.reference is not None:
            said.append((vocab.REFERENCE, text(terms.reference)))
        agent = journal_line(node, vocab.WAS_ASSOCIATED_WITH, f"<{terms.agent}>")
        reason = journal_line(node, vocab.REASON, text(terms.reason))
        self._add_new(node, [journal_line(node, *pair) for pair in said])
        self._add_new(node, [agent], parts.AGENT)
        self._add_new(node, [reason], parts.REASON)

    def add_nodes(self, plans: dict[FactKey, RowPlan]) -> int:
        """Add statements, minted rows and closings; return how many rows were minted."""
        named = {node for plan in plans.values() for node in plan.named}
        for node, statement in self._working.new.items():
            lines = statement_lines(statement, self._recorded, names_row=node in named)
            self._add_new(node, lines)
        minted = 0
        for fact, plan in plans.items():
            for window in plan.minted:
                node = self._working.next_id()
                lines = row_lines(node, fact, window, self._recorded, self._transaction)
                self._add_new(node, lines)
                minted += 1
        closed_rows = [node for plan in plans.values() for node in plan.closed]
        for node in [*self._working.closed, *closed_rows]:
            self._add_closing(node, closing_lines(node, self._recorded, self._transaction))
        return minted
