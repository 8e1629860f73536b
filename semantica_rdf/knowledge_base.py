"""
The knowledge base: the façade that wires the floors together.

A directory (or memory) with a ledger, views at any coordinate, files in and out. Thread-safe, a
context manager, one open at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Self

from semantica_rdf.errors import ProcessingError
from semantica_rdf.export.export import Record, export
from semantica_rdf.ledger.chain import Head
from semantica_rdf.ledger.derived import columns_of
from semantica_rdf.ledger.directory import check_directory, opened_ledger
from semantica_rdf.ledger.domain_shapes import SHAPES_NAMESPACE
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.ledger.ledger import Ledger
from semantica_rdf.ledger.prefixes import Prefixes
from semantica_rdf.ledger.terms import checked_terms
from semantica_rdf.ledger.transaction import Transaction
from semantica_rdf.ledger.verify import VerificationReport, verify
from semantica_rdf.loading.load import LoadOptions
from semantica_rdf.loading.report import LoadReport
from semantica_rdf.loading.snapshot import load_as
from semantica_rdf.model.statement import DEFAULT_NAMESPACE, Statement
from semantica_rdf.model.terms import iri_of
from semantica_rdf.model.time import Clock, instant_text, start_of
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.lock import DirectoryLock
from semantica_rdf.validation.audit import ValidationReport, audited
from semantica_rdf.validation.register import ShapesRegister
from semantica_rdf.validation.shapes_document import compiled_at_open, shapes_texts
from semantica_rdf.view.base import Base
from semantica_rdf.view.coordinate import Coordinate, asked_instant, checked_namespace
from semantica_rdf.view.explanation import Explanation, explained
from semantica_rdf.view.history import fact_named, history_of
from semantica_rdf.view.kept_views import KeptViews
from semantica_rdf.view.materialise import BlankNodes
from semantica_rdf.view.pattern import pattern_of
from semantica_rdf.view.record import RecordView
from semantica_rdf.view.spelling import spelled_quads
from semantica_rdf.view.statements import StatementReader
from semantica_rdf.view.stats import Reach, Stats, stats_of
from semantica_rdf.view.timeline import Span, boundaries_of, timeline_of
from semantica_rdf.view.transactions import TransactionRecord
from semantica_rdf.view.view import View

WRITER_TIMEOUT = 60.0
"""Seconds a transaction waits for other threads' transactions unless told otherwise."""


def system_clock() -> datetime:
    """Return the present, aware UTC: the one place that asks the machine."""
    return datetime.now(UTC)


class KnowledgeBase:
    """
    A bitemporal knowledge base; make one with `KnowledgeBase.open` or `KnowledgeBase.memory`.

    Thread-safe: any number of readers, one writer at a time. What a transaction writes is on
    record, durably, once its block has ended.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        defaults: _Defaults,
        path: Path | None = None,
        lock: DirectoryLock | None = None,
    ) -> None:
        self._ledger = ledger
        self._defaults = defaults
        self._path = path
        self._lock = lock
        self._base = Base(
            ledger.store,
            ledger.identity,
            defaults.prefixes,
            KeptViews(),
            ledger.present,
            columns_of(ledger, path, writable=not ledger.read_only),
        )
        self._closed = False

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        agent: Any = None,
        source: Any = None,
        namespace: str = DEFAULT_NAMESPACE,
        shapes: Any = None,
        read_only: bool = False,
        create: bool = True,
        lock_timeout: float = 0.0,
        clock: Clock = system_clock,
    ) -> Self:
        """
        Open the base in a directory, creating it when absent (unless `create=False`).

        `agent` and `source` are the defaults of transactions, `namespace` the one read and
        written unless said otherwise; `lock_timeout` in seconds. `shapes` is a shapes document, or
        a list of them, that gates every write while this is open, beside what `kb.shapes` holds.
        Transactions that a power cut kept from the store are brought in. `read_only=True` shares
        the base with other readers.

        Raises `NotFound` (`no_base`), `ValidationError` (`not_a_base`, `bad_namespace`,
        `bad_shape`, `unsupported_shape`), `StoreLocked`, `NewerFormat`, `CorruptStore`,
        `JournalBroken`.
        """
        given = compiled_at_open(shapes)
        directory = Path(path)
        checked_namespace(namespace)
        check_directory(directory, create=create and not read_only)
        lock = DirectoryLock.acquire(
            directory / "lock",
            shared=read_only,
            timeout=lock_timeout,
            started=lambda: instant_text(start_of(clock()).instant),
        )
        try:
            ledger, prefixes = opened_ledger(directory, clock, read_only=read_only)
        except BaseException:
            lock.release()
            raise
        ledger.shapes.give_at_open(given)
        defaults = _Defaults(agent, source, namespace, prefixes)
        return cls(ledger, defaults=defaults, path=directory, lock=lock)

    @classmethod
    def memory(
        cls,
        *,
        agent: Any = None,
        source: Any = None,
        namespace: str = DEFAULT_NAMESPACE,
        shapes: Any = None,
        clock: Clock = system_clock,
    ) -> Self:
        """Return an empty base that lives as long as the object; arguments as for `open`."""
        checked_namespace(namespace)
        journal = Journal.memory()
        prefixes = Prefixes(journal)
        ledger = Ledger(RdfStore.memory(), journal, clock, prefixes)
        ledger.shapes.give_at_open(compiled_at_open(shapes))
        return cls(ledger, defaults=_Defaults(agent, source, namespace, prefixes))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<KnowledgeBase {self._path or 'in memory'}>"

    def close(self) -> None:
        """Flush and let go of the base; doing so twice is harmless."""
        if self._closed:
            return
        self._ledger.check_idle()
        self._closed = True
        try:
            # Without their files the columns are made anew, which is slower and never wrong.
            with suppress(OSError):
                self._base.columns.keep()
            self._ledger.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    @property
    def path(self) -> Path | None:
        """The directory, None in memory."""
        return self._path

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes in scope of terms and queries; `bind` adds one."""
        return self._defaults.prefixes

    @property
    def shapes(self) -> ShapesRegister:
        """The shapes that gate this base's writes; `add` records a graph, `remove` ends it."""
        return ShapesRegister(self._ledger.shapes, self._of_the_record, self._defaults.namespace)

    def _of_the_record(self, reason: str, agent: Any, source: Any) -> Transaction:
        """Return a transaction in which the record speaks of itself; its agent stands for a source."""
        given = self._defaults
        who = given.agent if agent is None else agent
        whence = given.source if source is None else source
        asked = {
            "agent": who,
            "reason": reason,
            "reason_code": None,
            "source": who if whence is None else whence,
            "namespace": SHAPES_NAMESPACE,
            "reference": None,
            "operation": None,
        }
        terms = checked_terms(asked, self.prefixes, of_the_record=True)
        return self._ledger.transaction(terms, lock_timeout=WRITER_TIMEOUT)

    @property
    def basis(self) -> datetime:
        """When the last transaction was recorded, aware UTC; year 1 for an empty base."""
        return self.at().basis

    def transaction(
        self,
        *,
        reason: str,
        agent: Any = None,
        reason_code: str | None = None,
        source: Any = None,
        namespace: str | None = None,
        reference: str | None = None,
        operation: Literal["load"] | None = None,
        lock_timeout: float = WRITER_TIMEOUT,
    ) -> Transaction:
        """
        Return a transaction to be used in a `with` block; see `Transaction`.

        `agent` and `reason` are required of every write (the agent may come from `open`).
        `reference` is the caller's batch id, unique per namespace: a repeat records nothing and
        gets the first receipt. Entering waits `lock_timeout` seconds for other writers.

        Raises `ShapeViolation` (`missing_agent`, `missing_reason`, `bad_namespace`,
        `bad_reference`), `UnknownFilter` (`unknown_reason_code`); on entering `StoreLocked`,
        `ValidationError` (`nested_transaction`, `read_only`).
        """
        given = self._defaults
        terms = checked_terms(
            {
                "agent": given.agent if agent is None else agent,
                "reason": reason,
                "reason_code": reason_code,
                "source": given.source if source is None else source,
                "namespace": given.namespace if namespace is None else namespace,
                "reference": reference,
                "operation": operation,
            },
            self.prefixes,
        )
        return self._ledger.transaction(terms, lock_timeout=_seconds(lock_timeout))

    def at(
        self, *, valid_at: Any = None, known_at: Any = None, namespace: str | None = None
    ) -> View:
        """
        Return the view at a coordinate: what held at `valid_at`, as known at `known_at`.

        Both default to now: `known_at` is the earlier of what is asked and the last recorded
        transaction, `valid_at` the later of the clock and that. Raises `TemporalValidationError`,
        `ValidationError` (`bad_namespace`).
        """
        basis = self._ledger.basis
        known = basis if known_at is None else start_of(known_at, where="known_at").instant
        if valid_at is None:
            valid = max(self._ledger.now(), basis)
        else:
            valid = start_of(valid_at, where="valid_at").instant
        scope = self._scope(namespace)
        return View(self._base, Coordinate(valid, min(known, basis), scope), basis)

    @property
    def record(self) -> RecordView:
        """The record itself, read-only: statements, windows, transactions as RDF."""
        return RecordView(self._ledger.store, self.prefixes)

    def timeline(self, subject: Any, *, namespace: str | None = None) -> tuple[Span, ...]:
        """Return every version of the claims about a subject, on both axes; raises as `at` does."""
        return timeline_of(self._base, pattern_of(self.prefixes, subject), self._scope(namespace))

    def boundaries(
        self,
        subject: Any = None,
        predicate: Any = None,
        object: Any = None,
        *,
        known_at: Any = None,
        namespace: str | None = None,
    ) -> tuple[datetime, ...]:
        """Return when belief in facts of a pattern begins or ends, as known; raises as `at` does."""
        pattern = pattern_of(self.prefixes, subject, predicate, object)
        at = self.at(known_at=known_at, namespace=namespace)
        return boundaries_of(self._base, pattern, at.coordinate)

    def _scope(self, namespace: str | None) -> str:
        return checked_namespace(self._defaults.namespace if namespace is None else namespace)

    def history(
        self,
        target: Any,
        *,
        namespace: str | None = None,
        valid_at: Any = None,
        known_at: Any = None,
    ) -> list[Statement]:
        """
        Return every version of a claim, oldest first.

        The target is a statement id of any version, a support id, or `(s, p, o[, graph])` for all
        claims of a fact, `(s, None, None)` of a subject. With `known_at` as they stood then, with
        `valid_at` those whose window holds then. Raises `NotFound`, `ValidationError`
        (`bad_target`), `TemporalValidationError`.
        """
        scope = self._scope(namespace)
        valid, known = asked_instant(valid_at, "valid_at"), asked_instant(known_at, "known_at")
        identity = self._ledger.identity
        reader = StatementReader(self._ledger.store, identity, as_known=known)
        return history_of(target, reader, identity, scope, self.prefixes, valid_at=valid)

    def explain(
        self,
        subject: Any,
        predicate: Any,
        object: Any,
        graph: Any = None,
        *,
        valid_at: Any = None,
        known_at: Any = None,
        namespace: str | None = None,
    ) -> Explanation:
        """
        Return why a fact holds at a coordinate, or does not: the statements on record for it.

        Takes terms and instants as `at` and `history` do, and raises as they do; a fact nobody
        ever recorded has an explanation with nothing in it.
        """
        view = self.at(valid_at=valid_at, known_at=known_at, namespace=namespace)
        terms = (subject, predicate, object, graph)
        key = fact_named(terms, view.coordinate.namespace, self.prefixes)
        return explained(key, self._ledger.store, self._ledger.identity, view.coordinate)

    def statement_ids(self, beginning: str) -> list[str]:
        """Return the ids of all statements whose full or short id begins with a text, in order."""
        identity = self._ledger.identity
        found = StatementReader(self._ledger.store, identity).by_id_prefix(beginning)
        return sorted(found, key=lambda node: identity.key(node) or (0, 0))

    def changes(self, since: int = 0) -> Iterator[TransactionRecord]:
        """Return the transactions after a sequence number, in order."""
        return self._ledger.transactions.between(since, self._ledger.sequence)

    def load(
        self,
        document: str | PathLike[str] | IO[Any] | bytes | Any,
        *,
        reason: str,
        mode: Literal["add", "snapshot"] = "add",
        source: Any = None,
        mapping: Any = None,
        format: str | None = None,
        graph: Any = None,
        agent: Any = None,
        namespace: str | None = None,
        valid_from: Any = None,
        valid_until: Any = None,
        max_closed: float | None = None,
        dry_run: bool = False,
        chunk: int | None = None,
        reference: str | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> LoadReport:
        """
        Load a document: RDF in any format; CSV, TSV, JSON Lines and frames through a mapping.

        `document` is a path, an open file or bytes, packed with gzip or not; an rdflib Graph or
        Dataset; a pandas data frame, an Arrow table or record batch. One document is
        one transaction unless `chunk` says how many statements make one; a failed one leaves
        nothing. Opens no connection and no other file. The report counts what was read, stored,
        already there, and rejected with line and reason.

        With `mode="snapshot"` the document is all that `source` says from `valid_from` on: what is
        new is asserted, what is missing retracted at that date, the rest untouched; a document
        that would end more than the share `max_closed` (0.1) of the source's current statements
        is refused. See `semantica_rdf.loading.load_snapshot`.

        Raises `ValidationError` (`syntax_error`, `unknown_format`, `nothing_read`, …), `NotFound` (`no_file`).
        """
        given = self._defaults
        options = LoadOptions(
            source=None if source is None else iri_of(source, self.prefixes, where="source"),
            default_source=None
            if given.source is None
            else iri_of(given.source, self.prefixes, where="source"),
            namespace=checked_namespace(given.namespace if namespace is None else namespace),
            graph=graph,
            valid_from=valid_from,
            valid_until=valid_until,
            mapping=mapping,
            format=format,
            chunk=chunk,
            dry_run=dry_run,
            progress=progress,
            max_closed=max_closed,
        )

        def opened(part: int) -> Transaction:
            return self.transaction(
                reason=reason,
                agent=agent,
                source=source,
                namespace=namespace,
                reference=reference if reference is None or part == 1 else f"{reference}#{part}",
                operation="load",
            )

        report = load_as(mode, document, opened, options)
        if not dry_run:
            self.prefixes.adopt(report.prefixes)
        return report

    def export(
        self,
        target: str | PathLike[str] | IO[bytes] | None = None,
        *,
        view: View | None = None,
        format: str | None = None,
        blank_nodes: BlankNodes = "skolem",
    ) -> bytes | None:
        """
        Write the record, or with `view=` what holds there, as RDF or as a table.

        As RDF the record has both axes, sources, and transactions as PROV-O, all in the default
        graph. CSV, Parquet and Arrow are the fact table of a view, the statement table of the
        record. The format is taken from the suffix of a path; without a target the bytes are
        returned. Raises `ValidationError` (`unknown_format`, `graphs_need_trig`, `extra_missing`).
        """
        ledger = self._ledger
        record = Record(ledger.store, ledger.identity, ledger.basis)
        prefixes = {"id": ledger.identity.prefix, **self.prefixes}
        source = record if view is None else view
        return export(source, target, format=format, prefixes=prefixes, blank_nodes=blank_nodes)

    def validate(
        self,
        *,
        shapes: Any = None,
        valid_at: Any = None,
        known_at: Any = None,
        namespace: str | None = None,
    ) -> ValidationReport:
        """
        Hold what is believed at a coordinate against shapes, and report; changes nothing.

        `shapes` is a shapes document or a list of them; without it, those given at open and those
        recorded as known then. What our compiler does not know goes to pySHACL. Raises
        `ValidationError` (`no_shapes_given`, `shapes_without_target`, `bad_shape`,
        `syntax_error`), `NotFound` (`no_file`), and as `at` does.
        """
        at = self.at(valid_at=valid_at, known_at=known_at, namespace=namespace).coordinate
        ledger = self._ledger
        texts = shapes_texts(shapes)
        own = () if texts else ledger.shapes.at(at.namespace, at.known_at)
        return audited(lambda: spelled_quads(ledger.store, ledger.identity, at), at, own, texts)

    def verify(self, *, head: Head | str | None = None) -> VerificationReport:
        """
        Check journal and record against each other; `head` is one kept elsewhere.

        Changes nothing; writers wait meanwhile. Raises `StoreLocked` (`writer_busy`).
        """
        chosen = Head.of(head) if isinstance(head, str) else head
        with self._ledger.quiet():
            return verify(
                self._ledger.store, self._ledger.journal, self._ledger.identity, head=chosen
            )

    def refresh_present(self) -> None:
        """
        Make `srdf:present` stand for now: after a bulk write, or once something began or ended.

        Small writes bring it themselves. Reads every row; answers are right without it. Raises
        `ValidationError` (`read_only`), `StoreLocked` (`writer_busy`), `ProcessingError`
        (`store_write_failed`).
        """
        self._ledger.refresh_present()

    def rebuild_columns(self) -> None:
        """
        Make the temporal columns anew from the record, and write their files.

        They follow the record by themselves; this is for files lost or mistrusted. Reads every
        row. Raises `ValidationError` (`read_only`), `ProcessingError` (`not_writable`).
        """
        self._ledger.check_writable()
        try:
            self._base.columns.rebuild()
        except OSError as error:
            raise ProcessingError(
                f"the files of the columns cannot be written: {error}",
                code="not_writable",
                hint="make room or give access; answers are right without them",
            ) from error

    def head(self) -> Head:
        """Return the end of the journal's chain; keep its text elsewhere to notice a cut tail."""
        return self._ledger.journal.head()

    def stats(
        self, *, valid_at: Any = None, known_at: Any = None, namespace: str | None = None
    ) -> Stats:
        """
        Return counts of what the base holds; reads the whole record once.

        Unlike a view, an instant or namespace left out counts everything. Raises as `at`.
        """
        scope = None if namespace is None else checked_namespace(namespace)
        return stats_of(
            self._ledger.store,
            self._ledger.identity,
            transactions=self._ledger.sequence,
            path=self._path,
            reach=Reach.of(valid_at, known_at, scope),
        )


@dataclass(frozen=True, slots=True)
class _Defaults:
    """What `open` was told that later calls fall back to."""

    agent: Any
    source: Any
    namespace: str
    prefixes: Prefixes


def _seconds(timeout: float) -> float:
    """Return seconds to wait that a lock takes: none below zero, at most what the machine can."""
    return min(max(timeout, 0.0), threading.TIMEOUT_MAX)
