"""
The transaction: the verbs, each planned against the working set, all recorded by one commit.

Entering takes the writer lock and reserves a sequence number; leaving without an exception
commits, with one `recordedAt` for everything; an exception discards all. Each verb either takes
effect in the working set or raises and leaves it as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Literal, Self

from semantica_rdf.errors import NotFound, NothingToRetract, ValidationError
from semantica_rdf.ledger.domain_gate import Finding
from semantica_rdf.ledger.incoming import drafts_of
from semantica_rdf.ledger.intake import Claim, Intake, Span
from semantica_rdf.ledger.plan import Version, cut, judged, retracted, version_of
from semantica_rdf.ledger.receipt import Receipt
from semantica_rdf.ledger.revision import UNSET, revised
from semantica_rdf.ledger.targets import Targets
from semantica_rdf.ledger.terms import Terms
from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model.draft import Admission, Draft
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import refuse_prefixed
from semantica_rdf.model.time import Bound, DateEnd, end_of


class Transaction:
    """
    One atomic change, as a context manager; `receipt` says after the block what it did.

    Every verb is part of the one transaction: either all of them are recorded, with one
    `recordedAt`, or none. The transaction sees its own writes.
    """

    def __init__(self, terms: Terms, begin: Callable[[Transaction], None]) -> None:
        self.terms = terms
        self.effects: Counter[str] = Counter()
        self.already_there = 0
        self.cuts: list[str] = []
        self.working: WorkingSet
        self.intake: Intake
        self.targets: Targets
        self.end: Callable[[Transaction, bool], Receipt | None]
        self.judge: Callable[[Transaction], tuple[Finding, ...]]
        self.earliest_end: Callable[[], int]
        self.operation_of: Callable[[str], str]
        self._begin = begin
        self._receipt: Receipt | None = None
        self._discarded = False
        self._active = False
        self._used = False

    def __enter__(self) -> Self:
        if self._used and not self._active:
            raise ValidationError(
                "the transaction has ended",
                code="transaction_closed",
                hint="open another with kb.transaction(...)",
            )
        self._begin(self)
        self._active = self._used = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._active = False
        receipt = self.end(self, kind is None and not self._discarded)
        self._receipt = receipt if kind is None else None

    @property
    def receipt(self) -> Receipt:
        """What was recorded; raises `NotFound` (`no_receipt`) inside the block or after a failure."""
        if self._receipt is None:
            raise NotFound("the transaction has no receipt yet", code="no_receipt")
        return self._receipt

    def check(self) -> tuple[Finding, ...]:
        """
        Hold what the transaction has written so far against the namespace's own shapes.

        The end of the block does the same. Returns the warnings; raises `ShapeViolation`.
        """
        self._check_active()
        return self.judge(self)

    def discard(self) -> None:
        """Let the block end without recording anything."""
        self._discarded = True

    def assert_(
        self,
        subject: Any,
        predicate: Any,
        object: Any,
        *,
        graph: Any = None,
        source: Any = None,
        valid_from: Any = None,
        valid_until: Any = None,
        valid_during: Any = None,
        date_end: DateEnd = "exclusive",
        support_id: str | None = None,
        confidence: Any = None,
        source_recorded_at: Any = None,
    ) -> str:
        """
        Put a claim on record and return its statement's id; one already there is a no-op.

        Times are aware datetimes, dates or ISO 8601 texts; absent bounds are open; `confidence`
        is from 0 to 1. Raises `ValidationError`, `TemporalValidationError`, `ReservedTerm`,
        `UnknownPrefix`, `AmbiguousTerm`; `confidence_differs` and `support_id_taken` when the
        record holds it otherwise.
        """
        draft = Draft(
            subject, predicate, object, graph, source, valid_from, valid_until, valid_during,
            date_end, support_id, confidence, source_recorded_at,
        )  # fmt: skip
        return self._state(draft, "believed")

    def propose(
        self,
        subject: Any,
        predicate: Any,
        object: Any,
        *,
        graph: Any = None,
        source: Any = None,
        valid_from: Any = None,
        valid_until: Any = None,
        valid_during: Any = None,
        date_end: DateEnd = "exclusive",
        support_id: str | None = None,
        confidence: Any = None,
        source_recorded_at: Any = None,
    ) -> str:
        """Put a claim on record that waits for review: as `assert_`, and not believed yet."""
        draft = Draft(
            subject, predicate, object, graph, source, valid_from, valid_until, valid_during,
            date_end, support_id, confidence, source_recorded_at,
        )  # fmt: skip
        return self._state(draft, "proposed")

    def _state(self, draft: Draft, standing: str) -> str:
        self._check_active()
        refuse_prefixed(draft.object, self.intake.prefixes)
        return self.admit(draft, standing).id

    def extend(
        self,
        claims: Iterable[Any],
        *,
        graph: Any = None,
        source: Any = None,
        valid_from: Any = None,
        valid_until: Any = None,
        valid_during: Any = None,
        date_end: DateEnd | None = None,
        confidence: Any = None,
    ) -> list[str]:
        """
        Assert many claims and return their ids, in order.

        Takes tuples `(s, p, o[, graph])`, drafts, pyoxigraph triples and quads, an rdflib Graph
        or Dataset; the keywords are defaults for what a claim leaves open. Blank nodes become
        IRIs that a reload finds again. The first bad claim raises, and with it the transaction;
        where the block catches that, the claims before it stand.
        """
        self._check_active()
        default = Draft(
            None, None, None, graph, source, valid_from, valid_until, valid_during,
            date_end, None, confidence, None,
        )  # fmt: skip
        spelled = self.intake.source_or_none(source)
        drafts = drafts_of(claims, default, namespace=self.terms.namespace, source=spelled)
        return [self.admit(draft).id for draft in drafts]

    def admit(self, draft: Draft, standing: str = "believed") -> Admission:
        """Take one draft; the admission says whether it was on record already. Raises as `assert_`."""
        self._check_active()
        claim = self.intake.claim(draft)
        admission = self._admit(claim, standing)
        if not admission.already_there:
            self.effects["assert" if standing == "believed" else "propose"] += 1
        return admission

    def _admit(self, claim: Claim, standing: str) -> Admission:
        for statement in self.working.open_of(claim.fact):
            if self._same(statement, claim, standing):
                if statement.confidence != claim.confidence:
                    raise ValidationError(
                        f"statement {statement.id} says the same with confidence "
                        f"{statement.confidence}, not {claim.confidence}",
                        code="confidence_differs",
                        hint="revise it",
                    )
                self.already_there += 1
                return Admission(statement.id, already_there=True)
        self._check_support_id(claim)
        return Admission(self.working.put(Version(claim, standing)).id, already_there=False)

    @staticmethod
    def _same(statement: Statement, claim: Claim, standing: str) -> bool:
        return (
            statement.source == claim.source
            and statement.window == claim.span.window
            and statement.standing == standing
            and statement.support_id == claim.support_id
        )

    def _check_support_id(self, claim: Claim, *, family: str | None = None) -> None:
        if claim.support_id is None:
            return
        for other in self.working.with_support_id(claim.fact.namespace, claim.support_id):
            taken = other.fact != claim.fact
            if taken or (other.family != family and self.working.is_open(other)):
                raise ValidationError(
                    f"the support id {claim.support_id!r} belongs to statement {other.id}",
                    code="support_id_taken",
                    hint="revise that statement, or give another support id"
                    if not taken
                    else "a support id is bound to one fact for ever; give another",
                )

    def retract(
        self, target: Any = None, *, source: Any = None, valid_until: Any = None
    ) -> list[str]:
        """
        End what stopped being true, at `valid_until` (default: now); windows only ever shorten.

        The target is a statement id, a support id, `(s, p, o[, graph])` for every believed
        statement of a fact, or `source=`. Returns the new versions' ids. Raises
        `NothingToRetract`, `NotFound`, `ValidationError` (`retract_before_start`).
        """
        found = self._chosen(target, source)
        until = Bound(self.earliest_end(), None) if valid_until is None else end_of(valid_until)
        standing = [item for item in found if item.window.end > until.instant]
        if not standing:
            retracted(found[0], until)
            raise NothingToRetract("nothing of it is left to retract")
        versions = [(item, retracted(item, until)) for item in standing]
        self.effects["retract"] += len(versions)
        return [self.working.succeed(item, version).id for item, version in versions]

    def withdraw(self, target: Any = None, *, source: Any = None) -> list[str]:
        """
        Take back entirely what its source no longer says; earlier `known` dates keep answering.

        The target is as for `retract`. Returns the ids closed. Raises `NotFound`.
        """
        found = self._chosen(target, source)
        for statement in found:
            self.working.end(statement)
        self.effects["withdraw"] += len(found)
        return [item.id for item in found]

    def _chosen(self, target: Any, source: Any) -> list[Statement]:
        self._check_active()
        if (target is None) == (source is None):
            raise ValidationError(
                "give a target or source=, one of them",
                code="bad_target",
                hint="an empty selector selects nothing, not everything",
            )
        if source is not None:
            return self.targets.of_source(source)
        return self.targets.meant_by(target)

    def revise(
        self,
        target: Any,
        *,
        subject: Any = UNSET,
        predicate: Any = UNSET,
        object: Any = UNSET,
        graph: Any = UNSET,
        source: Any = UNSET,
        valid_from: Any = UNSET,
        valid_until: Any = UNSET,
        valid_during: Any = UNSET,
        date_end: DateEnd = "exclusive",
        support_id: Any = UNSET,
        confidence: Any = UNSET,
    ) -> str:
        """
        Correct what was recorded wrongly; the old answer stays at older `known` dates.

        Only what is given changes; None opens a bound or drops an id. The corrected version stays
        in the family and its id is returned. A revision to another fact drops the support id
        unless one is given. Raises as `assert_`, `NotFound`, `AmbiguousTarget`, and
        `ValidationError` (`nothing_to_revise`, `duplicate_statement`).
        """
        self._check_active()
        statement = self.targets.one(target)
        changes = {
            "subject": subject, "predicate": predicate, "object": object, "graph": graph,
            "source": source, "valid_from": valid_from, "valid_until": valid_until,
            "valid_during": valid_during, "support_id": support_id, "confidence": confidence,
        }  # fmt: skip
        given = {name: value for name, value in changes.items() if value is not UNSET}
        refuse_prefixed(object, self.intake.prefixes)
        version = revised(statement, given, self.intake, date_end)
        self._check_new_version(statement, version)
        self.effects["revise"] += 1
        return self.working.succeed(statement, version).id

    def _check_new_version(self, statement: Statement, version: Version) -> None:
        claim = version.claim
        if version == version_of(statement):
            raise ValidationError(
                f"the revision of {statement.id} changes nothing", code="nothing_to_revise"
            )
        self._check_support_id(claim, family=statement.family)
        for other in self.working.open_of(claim.fact):
            if other.family != statement.family and self._same(other, claim, version.standing):
                raise ValidationError(
                    f"statement {other.id} already says so",
                    code="duplicate_statement",
                    hint="withdraw one of the two instead",
                )

    def replace(
        self,
        subject: Any,
        predicate: Any,
        object: Any,
        *,
        valid_from: Any = None,
        valid_until: Any = None,
        valid_during: Any = None,
        date_end: DateEnd = "exclusive",
        within: Literal["namespace", "source"] = "namespace",
        graph: Any = None,
        source: Any = None,
        support_id: str | None = None,
        confidence: Any = None,
    ) -> str:
        """
        Say that from here the value is `object`: other values keep only what lies outside the window.

        `within="source"` leaves other sources' statements alone. Returns the id of the asserted
        statement; the receipt lists what was cut. Raises as `assert_`, and `ValidationError`
        (`bad_within`).
        """
        self._check_active()
        if within not in {"namespace", "source"}:
            raise ValidationError(
                f"within={within!r}", code="bad_within", hint="namespace or source"
            )
        draft = Draft(
            subject, predicate, object, graph, source, valid_from, valid_until, valid_during,
            date_end, support_id, confidence, None,
        )  # fmt: skip
        refuse_prefixed(object, self.intake.prefixes)
        claim = self.intake.claim(draft)
        rivals = list(self._rivals(claim, within))
        admitted = self._admit(claim, "believed")
        for statement in rivals:
            self._cut(statement, claim.span)
        self.effects["cut"] += len(rivals)
        if rivals or not admitted.already_there:
            self.effects["replace"] += 1
        return admitted.id

    def _rivals(self, claim: Claim, within: str) -> Iterator[Statement]:
        for fact in self.working.facts_like(claim.fact):
            if fact == claim.fact:
                continue
            for statement in self.working.open_of(fact):
                same_scope = within == "namespace" or statement.source == claim.source
                overlapping = statement.window.overlaps(claim.span.window)
                if statement.standing == "believed" and same_scope and overlapping:
                    yield statement

    def _cut(self, statement: Statement, span: Span) -> None:
        left, right = cut(statement, span.window)
        recorded = statement.id not in self.working.new
        if left is not None:
            self.working.succeed(statement, left)
        else:
            self.working.end(statement)
        if right is not None:
            after = statement.id if recorded or left is not None else statement.revision_of
            self.working.put(right, after=after)
        self.cuts.append(statement.id)

    def believe(self, target: Any) -> str:
        """Judge a statement believed; returns the new version's id, or its own when it already is."""
        return self._judge(target, "believed", "believe")

    def dispute(self, target: Any) -> str:
        """Judge a statement disputed: on record, not believed."""
        return self._judge(target, "disputed", "dispute")

    def reject(self, target: Any) -> str:
        """Judge a statement rejected: on record, not believed."""
        return self._judge(target, "rejected", "reject")

    def _judge(self, target: Any, standing: str, verb: str) -> str:
        self._check_active()
        statement = self.targets.one(target)
        if statement.standing == standing:
            self.already_there += 1
            return statement.id
        version = judged(statement, standing)
        self._check_new_version(statement, version)
        self.effects[verb] += 1
        return self.working.succeed(statement, version).id

    def statements(
        self, subject: Any, predicate: Any, object: Any, graph: Any = None
    ) -> list[Statement]:
        """Return the open statements of a fact as this transaction sees them."""
        self._check_active()
        fact: FactKey = self.targets.fact((subject, predicate, object, graph))
        return self.working.open_of(fact)

    def _check_active(self) -> None:
        if not self._active:
            raise ValidationError(
                "the transaction is not open",
                code="transaction_closed",
                hint="use it inside its with block",
            )
