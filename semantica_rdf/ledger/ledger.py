"""
The ledger: the one shell around the write path. It owns store, journal, writer lock and basis.

Commit order: journal row and payload (durable), then one atomic store write, then the answer. The
basis moves only when the store has everything, so a view never sees half a transaction. If the
store refuses after the journal has taken the row, the ledger refuses further writes, reads keep
the old basis, and the next open brings the transaction in.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from semantica_rdf.errors import (
    CorruptStore,
    JournalBroken,
    ProcessingError,
    StoreLocked,
    ValidationError,
)
from semantica_rdf.ledger.acknowledge import (
    receipt_of,
    receipt_of_nothing,
    receipt_of_the_first,
)
from semantica_rdf.ledger.chain import Head
from semantica_rdf.ledger.collection import collection_paused
from semantica_rdf.ledger.commit import Change, Moment, change_of
from semantica_rdf.ledger.commitments import payload_fits
from semantica_rdf.ledger.domain_gate import Finding, findings, refuse_violations
from semantica_rdf.ledger.domain_shapes import SHAPES_NAMESPACE, DomainShapes
from semantica_rdf.ledger.gate import Gate
from semantica_rdf.ledger.intake import Intake
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.ledger.present import PresentFollower
from semantica_rdf.ledger.receipt import Receipt
from semantica_rdf.ledger.targets import Targets
from semantica_rdf.ledger.terms import Terms
from semantica_rdf.ledger.transaction import Transaction
from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model import vocab
from semantica_rdf.model.time import FIRST_INSTANT, OPEN_END, Clock, instant_of_datetime
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import StatementReader
from semantica_rdf.view.transactions import TransactionReader, TransactionRecord

FLUSH_TRANSACTIONS = 256
FLUSH_BYTES = 32 * 1024 * 1024

_STORE_REFUSES = (OSError, RuntimeError, ValueError, SyntaxError, MemoryError)


class Ledger:
    """Writes transactions to one store and its journal."""

    def __init__(
        self,
        store: RdfStore,
        journal: Journal,
        clock: Clock,
        prefixes: Mapping[str, str],
        *,
        read_only: bool = False,
    ) -> None:
        self.store = store
        self.journal = journal
        self.identity = Identity(journal.store_id)
        self.transactions = TransactionReader(store, self.identity)
        self._clock = clock
        self.shapes = DomainShapes(store, self.identity)
        self._prefixes = prefixes
        self.read_only = read_only
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._failure: ProcessingError | None = None
        self._unflushed = 0
        self._unflushed_bytes = 0
        try:
            self._check_store()
            self._replay()
        except BaseException:
            store.close()
            raise
        self._keyed = store.has_predicate(vocab.FACT_KEY)
        self._head = journal.head()
        self._last_recorded = self._recorded_at_of(self._head)
        self.basis = self._last_recorded
        self.sequence = self._head.sequence
        self._follower = PresentFollower(store, self.identity)
        self._follower.open(self.sequence, self.basis, read_only=read_only)
        self.present = self._follower.present

    def _recorded_at_of(self, head: Head) -> int:
        rows = self.journal.rows(head.sequence - 1) if head.sequence else []
        return rows[0].recorded_at if rows else FIRST_INSTANT

    def _replay(self) -> None:
        """Bring in every payload that no flush has made durable; adding a quad twice is harmless."""
        pending = self.journal.pending()
        if not pending:
            return
        if self.read_only:
            raise StoreLocked(
                "transactions wait to be brought into the store",
                code="replay_needed",
                hint="open it once for writing",
            )
        for sequence in pending:
            quads = self.journal.payload(sequence)
            if not payload_fits(quads, self.journal.commitments(sequence), self.identity):
                raise _payload_broken(sequence)
            try:
                self.store.add(quads)
            except _STORE_REFUSES as error:
                raise _unfinished(sequence) from error
        self._flush(pending[-1])

    def _check_store(self) -> None:
        """Refuse to go on beside a store that somebody deleted: the journal cannot rebuild it."""
        head, pending = self.journal.head(), self.journal.pending()
        all_wait = bool(pending) and pending[0] == 1
        if head.sequence and not all_wait and self.store.is_empty():
            raise CorruptStore(
                f"the journal has {head.sequence} transactions and the store is empty",
                code="store_missing",
                hint="restore a backup",
            )

    def now(self) -> int:
        """Return the clock's instant."""
        return instant_of_datetime(self._clock(), where="clock")

    def next_instant(self) -> int:
        """Return the earliest `recordedAt` the next commit can get."""
        return max(self.now(), self._last_recorded + 1)

    def transaction(self, terms: Terms, *, lock_timeout: float) -> Transaction:
        """Return a transaction that takes the writer lock when entered."""

        def begin(transaction: Transaction) -> None:
            self._take_lock(lock_timeout)
            try:
                self._prepare(transaction)
            except BaseException:
                self._let_go()
                raise

        return Transaction(terms, begin)

    def check_writable(self) -> None:
        """Refuse to write to a base opened read-only (`read_only`)."""
        if self.read_only:
            raise ValidationError(
                "this knowledge base is open read-only",
                code="read_only",
                hint="open it for writing",
            )

    def _take_lock(self, timeout: float) -> None:
        self.check_writable()
        if self._owner == threading.get_ident():
            raise ValidationError(
                "a transaction is open in this thread already",
                code="nested_transaction",
                hint="use the open one, or leave its block first",
            )
        if not self._lock.acquire(timeout=timeout):
            raise StoreLocked(
                f"another thread has been writing for {timeout} seconds",
                code="writer_busy",
                hint="wait longer with lock_timeout=, or keep transactions short",
            )
        self._owner = threading.get_ident()
        if self._failure is not None:
            self._let_go()
            raise self._failure

    def check_idle(self) -> None:
        """Refuse inside a transaction of the same thread (`transaction_open`): waiting never ends."""
        if self._owner == threading.get_ident():
            raise ValidationError(
                "a transaction is open in this thread",
                code="transaction_open",
                hint="leave its block first",
            )

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """
        Keep writers out for the length of a block, journal and store being in step.

        Raises `StoreLocked` (`writer_busy`) after a minute, `ProcessingError`
        (`store_write_failed`) while a transaction waits for the next open.
        """
        self.check_idle()
        if not self._lock.acquire(timeout=60.0):
            raise StoreLocked("a writer has been busy for a minute", code="writer_busy")
        try:
            if self._failure is not None:
                raise self._failure
            yield
        finally:
            self._lock.release()

    def refresh_present(self) -> None:
        """Make `srdf:present` anew for the clock's instant; raises as `quiet`, and (`read_only`)."""
        self.check_writable()
        with self.quiet():
            if self.sequence:
                self._follower.rebuild(self.sequence, self.basis, self.now())

    def _let_go(self) -> None:
        self._owner = None
        self._lock.release()

    def _prepare(self, transaction: Transaction) -> None:
        self.store.check_open()
        terms = transaction.terms
        first = self._first_of(terms)
        if first is None:
            sequence, as_known = self._head.sequence + 1, OPEN_END
            transaction.earliest_end = self.next_instant
        else:
            sequence, as_known = first.sequence, first.recorded_instant - 1
            transaction.earliest_end = lambda: first.recorded_instant
        reader = StatementReader(self.store, self.identity, as_known=as_known, keyed=self._keyed)
        gate = Gate(
            self.identity.iri(sequence, 0), self.next_instant(), of_the_record=terms.of_the_record
        )
        transaction.working = WorkingSet(reader, self.identity, sequence, gate.check)
        transaction.intake = Intake(self._prefixes, terms.namespace, terms.source)
        transaction.targets = Targets(
            transaction.working, transaction.intake, self.identity, terms.namespace
        )
        transaction.end = lambda ended, ok: self._end(ended, first, ok=ok)
        transaction.judge = self._judged
        transaction.operation_of = lambda node: self.transactions.act(node).operation

    def _first_of(self, terms: Terms) -> TransactionRecord | None:
        if terms.reference is None:
            return None
        return self.transactions.with_reference(terms.namespace, terms.reference)

    def _end(
        self, transaction: Transaction, first: TransactionRecord | None, *, ok: bool
    ) -> Receipt | None:
        try:
            if not ok:
                return receipt_of_nothing(transaction)
            if first is not None:
                return receipt_of_the_first(first)
            return self._commit(transaction)
        finally:
            self._let_go()

    def _judged(self, transaction: Transaction) -> tuple[Finding, ...]:
        """
        Return the warnings of the namespace's shapes about what the transaction would leave.

        Raises `ShapeViolation`.
        """
        namespace, working = transaction.terms.namespace, transaction.working
        working.settle_versions()
        if namespace == SHAPES_NAMESPACE or not (working.new or working.closed):
            return ()
        shapes = self.shapes.in_force(namespace)
        return refuse_violations(findings(shapes, working, namespace)) if shapes else ()

    def _commit(self, transaction: Transaction) -> Receipt:
        warnings = self._judged(transaction)
        when = Moment(self.next_instant(), self.basis)
        with collection_paused(len(transaction.working.new)):
            change = change_of(transaction, self._head, when, self.identity)
        if change is None:
            return receipt_of_nothing(transaction)
        self._failure = _unfinished(change.row.sequence)
        try:
            self.journal.append(change.row, change.commitments, change.quads)
        except BaseException:
            if self.journal.head() == self._head:
                self._failure = None
            raise
        self._head = Head(change.row.sequence, change.row.hash)
        self._last_recorded = when.recorded_at
        try:
            self.store.add(change.quads)
        except _STORE_REFUSES as error:
            raise self._failure from error
        self._failure = None
        self._keyed = self._keyed or change.keyed
        self.basis, self.sequence = when.recorded_at, change.row.sequence
        self._follower.follow(transaction.working, self.sequence, self.basis)
        if transaction.terms.namespace == SHAPES_NAMESPACE:
            self.shapes.forget()
        self._note_unflushed(change)
        return receipt_of(transaction, change, self.identity, warnings)

    def _note_unflushed(self, change: Change) -> None:
        self._unflushed += 1
        self._unflushed_bytes += len(change.quads)
        if self._unflushed >= FLUSH_TRANSACTIONS or self._unflushed_bytes >= FLUSH_BYTES:
            self._flush(change.row.sequence)

    def _flush(self, up_to: int) -> None:
        """
        Make the store durable and drop the payloads it covers.

        Where the disk refuses, the payloads stay, which loses nothing: the next commit tries
        again, and the next open brings them in.
        """
        try:
            self.store.flush()
            self.journal.drop_payloads(up_to)
        except (OSError, RuntimeError, ProcessingError):
            return
        self._unflushed = self._unflushed_bytes = 0

    def close(self) -> None:
        """Flush, drop payloads, let go of both files; waits for another thread's transaction."""
        self.check_idle()
        with self._lock:
            try:
                if not self.read_only and self._failure is None and self._unflushed:
                    self._flush(self._head.sequence)
            finally:
                self.store.close()
                self.journal.close()


def _unfinished(sequence: int) -> ProcessingError:
    """Return the error that stands from before the journal write until the store has it all."""
    return ProcessingError(
        f"the store did not take transaction {sequence}",
        code="store_write_failed",
        hint="it is recorded in the journal and appears at the next open; "
        "make room, close and open again",
    )


def _payload_broken(sequence: int) -> JournalBroken:
    return JournalBroken(
        f"the payload of transaction {sequence} is not what it committed to",
        at=sequence,
        code="payload_damaged",
        hint="restore a backup",
    )
