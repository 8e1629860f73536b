"""
Nightly full extracts: a document that is all its source says at a date.

What the document says and the record does not is asserted from the date; what the record believes
of the source at the date and the document does not say is retracted there, or withdrawn where it
began at that very date; the rest is not touched. One transaction, or none when nothing differs.

The dates of earlier extracts are read off the record: the latest bound of what the source says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.ledger.intake import Claim as Taken
from semantica_rdf.ledger.transaction import Transaction
from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.extract import DEFAULT_MAX_CLOSED, Extract, checked
from semantica_rdf.loading.lines import LinesOf, lines_named
from semantica_rdf.loading.load import LoadOptions, load, reading
from semantica_rdf.loading.report import LoadReport, Tally
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.time import OPEN_END, instant_text

_PROGRESS_STEP = 1000
_SHOWN = 3
_SAYS = frozenset({"believed", "disputed", "rejected"})
"""Standings of what a source says; a proposal waits to be said."""


class _New(NamedTuple):
    """A claim that the record does not hold at the date, on its way in."""

    draft: Draft
    taken: Taken
    lines: tuple[int, ...]
    label: bool


def load_as(
    mode: str,
    document: Any,
    open_transaction: Callable[[int], AbstractContextManager[Transaction]],
    options: LoadOptions,
) -> LoadReport:
    """
    Load a document in a mode: "add" as `load`, "snapshot" as `load_snapshot`.

    Raises as they do, and `ValidationError` (`bad_mode`): another mode, or `max_closed` without a
    snapshot.
    """
    if mode == "snapshot":
        return load_snapshot(document, open_transaction, options)
    if mode != "add":
        raise ValidationError(f"mode={mode!r}", code="bad_mode", hint="add or snapshot")
    if options.max_closed is not None:
        raise ValidationError(
            "max_closed= without a snapshot, which alone ends statements",
            code="bad_mode",
            hint='give mode="snapshot" too',
        )
    return load(document, open_transaction, options)


def load_snapshot(
    document: Any,
    open_transaction: Callable[[int], AbstractContextManager[Transaction]],
    options: LoadOptions,
) -> LoadReport:
    """
    Load a document as the complete state of its source from `options.valid_from` on.

    Raises `ValidationError`: `missing_source`, `missing_valid_from`, `bad_max_closed`, `bad_chunk`,
    `older_snapshot` (the source says something later), `snapshot_with_windows` (a row with a window
    or source of its own), `snapshot_incomplete` (a row was rejected), `too_many_closed` (more than
    the share `max_closed`), and what reading raises. Nothing is written then.
    """
    extract = checked(options)
    tally = Tally(snapshot=instant_text(extract.instant))
    lines_of: LinesOf = {}
    with (
        reading(document, options, tally) as claims,
        lines_named(lines_of, tabular=options.mapping is not None),
        open_transaction(1) as transaction,
    ):
        _Loading(transaction, options, tally, extract).run(claims, lines_of)
        if options.dry_run:
            transaction.check()
            transaction.discard()
    receipt = transaction.receipt
    if not receipt.is_empty:
        tally.receipts.append(receipt)
        if receipt.repeated:
            tally.forget_repeated()
    return tally.report(dry_run=options.dry_run)


class _Loading:
    """One extract against the record as it stands."""

    def __init__(
        self, transaction: Transaction, options: LoadOptions, tally: Tally, extract: Extract
    ) -> None:
        self._transaction = transaction
        self._options = options
        self._tally = tally
        self._extract = extract
        self._on_record = transaction.working.open_of_source(
            transaction.terms.namespace, extract.source, ending_after=extract.instant
        )
        self._current: defaultdict[FactKey, list[Statement]] = defaultdict(list)
        for statement in self._on_record:
            if statement.window.holds_at(extract.instant) and statement.standing in _SAYS:
                self._current[statement.fact].append(statement)
        self._said: set[FactKey] = set()
        self._confidences: dict[tuple[FactKey, str | None], str | None] = {}
        self._kept: set[str] = set()
        self._merged = 0
        self._done = 0

    def run(self, claims: Iterator[Claim], lines_of: LinesOf) -> None:
        """Compare, refuse, end what is missing, then assert what is new."""
        self._refuse_older()
        new = [item for claim in claims if (item := self._new(claim)) is not None]
        self._refuse_rejected()
        self._end_missing()
        for item in new:
            self._assert(item, lines_of)
        self._refuse_rejected()
        if self._merged:
            self._tally.warnings.append(
                f"{self._merged:,} ended statements of the source, whose support ids are said anew, "
                "say the same as another without theirs, and are kept once"
            )
        self._tell()

    def _new(self, claim: Claim) -> _New | None:
        """Return the claim when it is new, None when the record says it or it is rejected."""
        self._done += 1
        if self._done % _PROGRESS_STEP == 0:
            self._tell()
        draft = self._completed(claim)
        try:
            taken = self._transaction.intake.claim(draft)
        except CallerError as error:
            self._tally.reject(claim.lines, error)
            return None
        if taken.source != self._extract.source:
            _refuse_own(claim, f"is of the source {taken.source}")
        statements = self._current.get(taken.fact)
        if statements is None:
            return _New(draft, taken, claim.lines, claim.label)
        self._said.add(taken.fact)
        key = taken.fact, taken.support_id
        if self._confidences.setdefault(key, taken.confidence) != taken.confidence:
            self._tally.reject(claim.lines, _contradicted(self._confidences[key], taken))
            return None
        same = [item.id for item in statements if _says(item, taken)]
        if not same:
            return _New(draft, taken, claim.lines, claim.label)
        self._kept.update(same)
        self._tally.already_there += not claim.label
        return None

    def _completed(self, claim: Claim) -> Draft:
        draft = claim.draft
        if not (draft.valid_from is draft.valid_until is draft.valid_during is None):
            _refuse_own(claim, "has a window of its own")
        extract = self._extract
        return draft._replace(
            source=extract.source if draft.source is None else draft.source,
            graph=self._options.graph if draft.graph is None else draft.graph,
            valid_from=extract.date,
            zone=None,
        )

    def _end_missing(self) -> None:
        extract, tally = self._extract, self._tally
        current = [item for items in self._current.values() for item in items]
        believed = [item for item in current if item.standing == "believed"]
        ending = [item for item in believed if item.id not in self._kept]
        gone = sum(item.fact not in self._said for item in ending)
        if gone > Decimal(str(extract.max_closed)) * len(believed):
            raise ValidationError(
                f"the snapshot says nothing of {gone:,} of the {len(believed):,} statements that "
                f"{extract.source} has at {instant_text(extract.instant)}, "
                f"more than the share {extract.max_closed}",
                code="too_many_closed",
                hint="see that the file is whole; if so many did end, give a larger max_closed=",
            )
        for statement in ending:
            if statement.window.start == extract.instant:
                self._transaction.withdraw(statement.id)
                tally.withdrawn += 1
            else:
                self._transaction.retract(statement.id, valid_until=extract.date)
                tally.closed += 1
        tally.unchanged = len(believed) - len(ending)
        judged = len(current) - len(believed)
        if judged:
            tally.warnings.append(
                f"{judged:,} statements of the source are disputed or rejected, and stay so"
            )

    def _assert(self, item: _New, lines_of: LinesOf) -> None:
        tally = self._tally
        try:
            self._release(item.taken)
            admission = self._transaction.admit(item.draft)
        except CallerError as error:
            tally.reject(item.lines, error)
            return
        lines_of[admission.id] = item.lines
        tally.admit(label=item.label, already_there=admission.already_there)

    def _release(self, taken: Taken) -> None:
        """Let a claim that has ended give its support id to the same claim said anew."""
        if taken.support_id is None:
            return
        working = self._transaction.working
        for other in list(working.with_support_id(taken.fact.namespace, taken.support_id)):
            same = other.fact == taken.fact and other.source == taken.source
            if same and other.window.end <= self._extract.instant and working.is_open(other):
                self._without_id(other)

    def _without_id(self, ended: Statement) -> None:
        """Take its support id from an ended claim; one that then says what another says goes."""
        bare = (ended.source, ended.window, ended.standing, None)
        for other in self._transaction.working.open_of(ended.fact):
            if (other.source, other.window, other.standing, other.support_id) == bare:
                self._transaction.withdraw(ended.id)
                self._merged += 1
                return
        self._transaction.revise(ended.id, support_id=None)

    def _refuse_older(self) -> None:
        """Refuse a date after which the source changes: a bound that nobody planned."""
        instant = self._extract.instant
        later = [
            (bound, statement)
            for statement in self._on_record
            for bound in statement.window
            if statement.standing == "believed" and instant < bound < OPEN_END
        ]
        later.sort(key=lambda item: item[0], reverse=True)
        for bound, statement in later:
            if not self._is_planned(statement, bound):
                raise ValidationError(
                    f"the snapshot is of {instant_text(instant)}, and {self._extract.source} says "
                    f"something that begins or ends at {instant_text(bound)}",
                    code="older_snapshot",
                    hint="load snapshots in the order of their dates; "
                    "withdraw or revise a statement whose date is wrong",
                )

    def _is_planned(self, statement: Statement, bound: int) -> bool:
        """
        Tell whether a bound was foreseen: an end there from the beginning, or set ahead by hand.

        What a load set otherwise is an extract's, whatever the clock said.
        """
        first = statement
        if statement.id != statement.family:
            versions = self._transaction.working.reader.family(statement.family)
            first = next(item for item in versions if bound in item.window)
        if first.id == first.family and bound == first.window.end:
            return True
        by_hand = self._transaction.operation_of(first.transaction) != "load"
        return by_hand and first.recorded_at < bound

    def _refuse_rejected(self) -> None:
        rejected = sorted(self._tally.rejected)
        if rejected:
            shown = "; ".join(f"line {item.line}: {item.reason}" for item in rejected[:_SHOWN])
            raise ValidationError(
                f"{len(rejected):,} of {self._tally.read:,} cannot be taken, so the snapshot "
                f"is not the complete state of {self._extract.source}: {shown}",
                code="snapshot_incomplete",
                hint="mend the file; a load without the snapshot mode takes the rest",
            )

    def _tell(self) -> None:
        if self._options.progress is not None:
            self._options.progress(self._done, None)


def _says(statement: Statement, taken: Taken) -> bool:
    """Tell whether a statement says what a claim says; what the claim leaves open may be anything."""
    return taken.support_id in {None, statement.support_id} and (
        taken.confidence in {None, statement.confidence} or statement.standing != "believed"
    )


def _contradicted(confidence: str | None, taken: Taken) -> CallerError:
    return ValidationError(
        f"an earlier line says the same with confidence {confidence}, not {taken.confidence}",
        code="confidence_differs",
        hint="leave one of the two, or give each a support id",
    )


def _refuse_own(claim: Claim, what: str) -> NoReturn:
    raise ValidationError(
        f"line {claim.lines[0]} {what}, and a snapshot is what one source says at one date",
        code="snapshot_with_windows",
        hint="load it without the snapshot mode",
    )


__all__ = ["DEFAULT_MAX_CLOSED", "load_as", "load_snapshot"]
