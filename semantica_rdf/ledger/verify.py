"""
Verify that the record is what the journal says was written, and belief what the record says.

Checks, in this order: the chain of rows, their roots and the head kept elsewhere; every commitment
against the quads in the store, and every quad against a commitment; for every fact, at every
transaction instant, that its belief rows cover exactly its believed statements and never overlap; that
`srdf:present` holds what its cursor says (design, section 5). Nothing is changed. Reads the whole store once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from semantica_rdf.errors import CorruptStore
from semantica_rdf.ledger.chain import GENESIS, Head, JournalRow
from semantica_rdf.ledger.commitments import (
    PARTS,
    SALT_BYTES,
    Commitment,
    LineGroups,
    PartKey,
    digest_of,
    payload_fits,
    root_of,
)
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.ledger.present import cursor_of
from semantica_rdf.ledger.present_check import PresentLines
from semantica_rdf.model.interval_set import union
from semantica_rdf.model.statement import FactKey, Row, Statement
from semantica_rdf.model.terms import shortened
from semantica_rdf.model.time import Window
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.present import Standing
from semantica_rdf.view.scan import Reading, Scan, split_line

MAX_PROBLEMS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing found wrong: a stable code, the transaction it concerns (0: none), a sentence."""

    code: str
    sequence: int
    message: str

    def __str__(self) -> str:
        where = f"transaction {self.sequence}: " if self.sequence else ""
        return f"{self.code}: {where}{self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport:
    """What `verify` found; `problems` holds the first hundred."""

    problems: tuple[Problem, ...]
    transactions: int
    statements: int
    facts: int
    head: Head

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __str__(self) -> str:
        counts = (
            f"{_counted(self.transactions, 'transaction')}, "
            f"{_counted(self.statements, 'statement')}, {_counted(self.facts, 'fact')}"
        )
        if self.ok:
            return f"Verified: {counts}; head {self.head}."
        first = self.problems[0]
        return f"Broken: {_counted(len(self.problems), 'problem')} in {counts}; the first: {first}."


def verify(
    store: RdfStore, journal: Journal, identity: Identity, *, head: Head | None = None
) -> VerificationReport:
    """
    Return what is wrong with a base; `head` is one kept elsewhere, so that a cut tail shows.

    The caller keeps writers out while it runs.
    """
    rows = journal.all_rows()
    groups, scan, present = _content(store, identity)
    reading = scan.reading()
    found = chain(
        _chain_problems(rows, head),
        _payload_problems(rows, journal, identity),
        _commitment_problems(rows, journal, groups),
        _unreadable_problems(reading, identity),
        _belief_problems(reading),
        _present_problems(present, cursor_of(store, identity), len(rows), reading),
    )
    return VerificationReport(
        problems=tuple(islice(found, MAX_PROBLEMS)),
        transactions=len(rows),
        statements=len(reading.statements),
        facts=len({row.fact for row in reading.rows}),
        head=Head(rows[-1].sequence, rows[-1].hash) if rows else Head(0, GENESIS),
    )


def _chain_problems(rows: list[JournalRow], head: Head | None) -> Iterator[Problem]:
    previous, recorded = GENESIS, None
    for expected, row in enumerate(rows, start=1):
        if not _row_is_whole(row):
            yield _problem("chain_broken", expected, "the row's fields are not what they were")
            return
        if row.sequence != expected:
            yield _problem("sequence_gap", expected, f"the journal goes on with {row.sequence}")
            return
        if row.previous != previous or row.hash != row.expected_hash():
            yield _problem("chain_broken", row.sequence, "the row's hash does not fit")
        if recorded is not None and row.recorded_at <= recorded:
            yield _problem("time_runs_back", row.sequence, "recordedAt does not increase")
        previous, recorded = row.hash, row.recorded_at
    if head is not None and head.sequence:
        if head.sequence > len(rows):
            yield _problem("tail_cut", head.sequence, f"the journal ends at {len(rows)}")
        elif rows[head.sequence - 1].hash != head.hash:
            yield _problem("head_differs", head.sequence, "the hash is not the one kept")


def _payload_problems(
    rows: list[JournalRow], journal: Journal, identity: Identity
) -> Iterator[Problem]:
    """Name what waits for a flush and is not what was written, and what should wait and is gone."""
    pending = journal.pending()
    flushed = journal.flushed()
    for sequence in sorted(set(range(flushed + 1, len(rows) + 1)) ^ set(pending)):
        if sequence > flushed:
            yield _problem("payload_missing", sequence, "its quads do not wait for a flush")
        else:
            yield _problem("payload_stray", sequence, "its quads wait, though they were flushed")
    for sequence in pending:
        try:
            quads = journal.payload(sequence)
            fits = payload_fits(quads, journal.commitments(sequence), identity)
        except (CorruptStore, ValueError, TypeError):
            fits = False
        if not fits:
            yield _problem("payload_damaged", sequence, "its quads are not what was committed to")


def _commitment_problems(
    rows: list[JournalRow], journal: Journal, groups: LineGroups
) -> Iterator[Problem]:
    known = {row.sequence for row in rows}
    for sequence in journal.commitment_sequences():
        if sequence not in known:
            yield _problem("row_missing", sequence, "commitments without a row in the journal")
    for sequence, position in journal.stray_salts():
        yield _problem("stray_salt", sequence, f"a salt without a commitment at {position}")
    for row in rows:
        commitments = journal.commitments(row.sequence)
        whole = [item for item in commitments if _commitment_is_whole(item)]
        if len(whole) < len(commitments) or root_of(whole) != row.root:
            yield _problem("root_differs", row.sequence, "the commitments are not those hashed")
        for item in whole:
            code = _difference(item, groups.pop(item.part))
            if code:
                yield _problem(code, row.sequence, f"node {_named(item.part)}")
    for part in groups.left():
        yield _problem("not_committed", part.sequence, f"quads of node {_named(part)}")
    for line in groups.foreign:
        said = f"a quad stands in the store that no transaction wrote: {shortened(line, 120)}"
        yield _problem("foreign_quad", 0, said)


def _difference(item: Commitment, found: list[str]) -> str:
    """Return the code of what is wrong with one part, empty when nothing is."""
    if item.salt is None:
        return "salt_missing"
    if not found:
        return "content_missing"
    return "" if digest_of(item.salt, found) == item.digest else "content_differs"


def _row_is_whole(row: JournalRow) -> bool:
    numbers = (row.sequence, row.recorded_at, row.asserted, row.superseded, row.minted)
    texts = (row.operation, row.reason_code)
    digests = (row.root, row.previous, row.hash)
    return (
        all(isinstance(item, int) for item in numbers)
        and all(isinstance(item, str) for item in texts)
        and all(isinstance(item, bytes) for item in digests)
    )


def _is_salt(salt: object) -> bool:
    """Tell whether this is a whole salt; HMAC itself takes one with zeros behind it for the same."""
    return isinstance(salt, bytes) and len(salt) == SALT_BYTES


def _commitment_is_whole(item: Commitment) -> bool:
    return (
        all(isinstance(number, int) and number >= 0 for number in item.part)
        and item.part.part in PARTS
        and isinstance(item.digest, bytes)
        and (item.salt is None or _is_salt(item.salt))
    )


def _content(store: RdfStore, identity: Identity) -> tuple[LineGroups, Scan, PresentLines]:
    """Read the whole store once: its lines by part, its nodes, and what follows from them."""
    groups, scan, present = LineGroups(identity), Scan({}, {}), PresentLines()
    own = "<" + identity.prefix
    for line in store.lines():
        quad = split_line(line)
        if not present.take(quad):
            groups.take(line, quad)
            scan.note(own, quad)
    return groups, scan, present


def _present_problems(
    present: PresentLines, standing: Standing | None, sequence: int, reading: Reading
) -> Iterator[Problem]:
    for fault in present.faults(standing, sequence, reading.rows):
        yield _problem("present_differs", 0, fault)


def _unreadable_problems(reading: Reading, identity: Identity) -> Iterator[Problem]:
    for node in reading.unreadable:
        key = identity.key(node)
        sequence = 0 if key is None else key.sequence
        yield _problem("node_unreadable", sequence, f"node {identity.short(node)}")


def _belief_problems(reading: Reading) -> Iterator[Problem]:
    statements: dict[FactKey, list[Statement]] = {}
    rows: dict[FactKey, list[Row]] = {}
    for statement in reading.statements:
        if statement.standing == "believed":
            statements.setdefault(statement.fact, []).append(statement)
    for row in reading.rows:
        rows.setdefault(row.fact, []).append(row)
    for fact in statements.keys() | rows.keys():
        yield from _fact_problems(fact, statements.get(fact, []), rows.get(fact, []))


def _fact_problems(
    fact: FactKey, statements: list[Statement], rows: list[Row]
) -> Iterator[Problem]:
    if len(statements) == len(rows) == 1 and statements[0].id == rows[0].id:
        return
    for claimed, shown in _states(statements, rows):
        if union(claimed) != union(shown):
            yield _problem("belief_differs", 0, f"rows and statements of {fact.triple} disagree")
            return
        if any(first.overlaps(second) for first, second in pairwise(sorted(shown))):
            yield _problem("rows_overlap", 0, f"belief rows of {fact.triple} overlap")
            return


def _states(
    statements: list[Statement], rows: list[Row]
) -> Iterator[tuple[list[Window], list[Window]]]:
    """Return the windows claimed and shown after each transaction that changed either."""
    begins: dict[int, list[Statement | Row]] = {}
    ends: dict[int, list[Statement | Row]] = {}
    both: list[Statement | Row] = [*statements, *rows]
    for item in both:
        if item.recorded_at < item.superseded_at:
            begins.setdefault(item.recorded_at, []).append(item)
            ends.setdefault(item.superseded_at, []).append(item)
    standing: dict[int, Statement | Row] = {}
    for instant in sorted(begins.keys() | ends.keys()):
        for item in ends.get(instant, ()):
            del standing[id(item)]
        standing.update((id(item), item) for item in begins.get(instant, ()))
        here = standing.values()
        yield (
            [item.window for item in here if isinstance(item, Statement)],
            [item.window for item in here if isinstance(item, Row)],
        )


def _problem(code: str, sequence: int, message: str) -> Problem:
    return Problem(code=code, sequence=sequence, message=message)


def _named(part: PartKey) -> str:
    return f"{part.sequence}-{part.ordinal}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
