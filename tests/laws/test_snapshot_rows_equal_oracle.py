"""
Laws of the rows of nightly extracts: what a row says beside its fact, its support id and confidence.

After every load each row is said by a statement of its source, each such statement by a row, and the
same file again writes nothing. Ends that somebody planned ahead stay in no extract's way.
`SEMANTICA_HYPOTHESIS_PROFILE=ci` runs longer.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import NotFound
from semantica_rdf.model.time import start_of
from semantica_rdf.view.statements import StatementReader

EX = "https://example.org/"
SOURCE = EX + "hr"
FACTS = ("a", "b")
DAYS = range(1, 6)
MAPPING = {
    "format": {"kind": "csv"},
    "subject": {"column": "who", "base": EX},
    "predicate": {"iri": EX + "is"},
    "object": {"iri": EX + "here"},
    "statement": {"support_id": "id", "confidence": "sure"},
}

sure = st.sampled_from(["", "0.5", "0.9"])


def rows_of(fact):
    """Return a strategy for the rows of one fact: none, one without an id, or several with one."""
    with_ids = st.dictionaries(st.sampled_from([f"{fact}-1", f"{fact}-2"]), sure, max_size=2)
    return st.one_of(with_ids, st.fixed_dictionaries({"": sure}))


files = st.fixed_dictionaries({fact: rows_of(fact) for fact in FACTS})
nights = st.tuples(st.just("night"), st.integers(0, 1), files)
notices = st.tuples(st.just("notice"), st.integers(0, 1), st.none())


def load(base, day, rows):
    """Load the rows as the state of the source at a day."""
    lines = [f"{f},{key},{sure}" for f, keys in rows.items() for key, sure in keys.items()]
    return base.load(
        "\n".join(["who,id,sure", *lines]).encode(),
        format="csv",
        mapping=MAPPING,
        mode="snapshot",
        source=SOURCE,
        valid_from=f"2026-01-{day:02}",
        max_closed=1,
        reason="nightly",
    )


def noon(day):
    """Return the instant of a day's noon."""
    return start_of(f"2026-01-{day:02}T12:00:00Z").instant


def said(base, day):
    """Return the statements that hold at a day, by fact."""
    found = {fact: [] for fact in FACTS}
    for fact in FACTS:
        try:
            versions = base.history((EX + fact, None, None))
        except NotFound:
            continue
        found[fact] = [s for s in versions if s.is_open and s.window.holds_at(noon(day))]
    return found


def says(statement, key, confidence):
    """Tell whether a statement says a row; what the row leaves open may be anything."""
    return key in {"", statement.support_id} and confidence in {"", statement.confidence}


def foresee(base, day, end):
    """Let somebody know ahead when the first statement of a day will end."""
    current = [s.id for found in said(base, day).values() for s in found if s.valid_until is None]
    if current:
        with base.transaction(reason="notice") as tx:
            tx.retract(min(current), valid_until=end)


def check(base, day, rows):
    """Hold the statements of a day against the rows, both ways."""
    for fact, statements in said(base, day).items():
        wanted = list(rows[fact].items())
        for row in wanted:
            assert any(says(statement, *row) for statement in statements)
        for statement in statements:
            assert any(says(statement, *row) for row in wanted)
        if "" not in rows[fact]:
            assert sorted(s.support_id for s in statements) == sorted(rows[fact])
    seen = {
        fact.subject.value[-1] for fact in base.at(valid_at=f"2026-01-{day:02}T12:00:00Z").facts()
    }
    assert seen == {fact for fact in FACTS if rows[fact]}


def check_reader(base):
    """Hold the quick look-up of what lasts against a filter of all versions, at every known time."""
    ledger = base._ledger
    for known in [None, *(record.recorded_instant for record in base.changes())]:
        reader = StatementReader(ledger.store, ledger.identity, as_known=known)
        whole = reader.of_source(SOURCE)
        for day in DAYS:
            lasting = [s for s in whole if s.is_open and s.window.end > noon(day)]
            assert reader.of_source(SOURCE, ending_after=noon(day)) == lasting


@given(st.lists(st.one_of(nights, nights, notices), min_size=1, max_size=8))
def test_rows_and_statements_say_each_other(story):
    with KnowledgeBase.memory(agent="urn:test:agent") as base:
        day = 1
        for kind, amount, rows in story:
            if kind == "notice":
                foresee(base, day, f"2030-01-{day + amount:02}")
                continue
            day = min(day + amount, DAYS[-1])
            report = load(base, day, rows)
            assert report.read == sum(map(len, rows.values()))
            assert report.read == report.stored + report.already_there
            check(base, day, rows)
            again = load(base, day, rows)
            assert (again.receipts, again.stored, again.closed, again.withdrawn) == ((), 0, 0, 0)
        check_reader(base)
        assert base.verify().ok
