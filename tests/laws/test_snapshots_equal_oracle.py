"""
Laws of nightly full extracts: any sequence of them, a plain dict of days answers alike.

At each day the source's facts are its last file of that day or before; an answered coordinate never
changes; what stays from file to file is one statement; a repeat writes nothing; what is refused
changes nothing; other sources are not touched. `SEMANTICA_HYPOTHESIS_PROFILE=ci` runs longer.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.model.time import start_of

EX = "https://example.org/"
SOURCES = (EX + "hr", EX + "payroll")
DAYS = range(1, 8)
VALUES = ('"x"', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', f"<{EX}a>")

lines = st.tuples(st.sampled_from("ab"), st.sampled_from(VALUES), st.sampled_from(["", "g"]))
files = st.frozensets(lines, max_size=6)
shares = st.sampled_from([1, 1, 1, 0.5, 0.1])
steps = st.one_of(
    st.tuples(st.just("night"), st.integers(0, 2), files, shares),
    st.tuples(st.just("again"), st.just(0), files, shares),
    st.tuples(st.just("other"), st.integers(0, 2), files, shares),
    st.tuples(st.just("older"), st.integers(1, 2), files, shares),
)


def text_of(names):
    """Return the N-Quads of a set of lines, one of them spelled as the store does not spell it."""
    quads = (
        f"<{EX}{s}> <{EX}p> {o.replace('1', '01', 1) if o[1] == '1' else o}"
        + (f" <{EX}{g}>" if g else "")
        for s, o, g in sorted(names)
    )
    return "".join(f"{quad} .\n" for quad in quads).encode()


class Days:
    """The oracle: per source its file of each day it delivered one, and when it last changed."""

    def __init__(self):
        self.files = {source: {} for source in SOURCES}

    def at(self, source, day):
        """Return the source's facts at a day."""
        known = [d for d in self.files[source] if d <= day]
        return self.files[source][max(known)] if known else frozenset()

    def changed(self, source):
        """Return the last day on which something that still stands begins or ends."""
        changes = [0]
        for day in self.files[source]:
            before = self.at(source, day - 1)
            if before != self.files[source][day]:
                changes.append(day)
        return max(changes)

    def ends_too_much(self, source, day, names, share):
        """Tell whether a file lacks more of the source's facts than the share."""
        now = self.at(source, day)
        return len(now - names) > share * len(now)

    def take(self, source, day, names):
        """Take the file of a day; files of later days that changed nothing are not on record."""
        kept = {d: f for d, f in self.files[source].items() if d <= day}
        self.files[source] = {**kept, day: names}

    def view(self, day):
        """Return all facts at a day."""
        return frozenset().union(*(self.at(source, day) for source in SOURCES))


def seen(base, day, known=None):
    """Return the facts of a view as lines."""
    view = base.at(valid_at=f"2026-01-{day:02}T12:00:00Z", known_at=known)
    return frozenset(
        (q.subject.value[-1], str(q.object), getattr(q.graph_name, "value", "")[-1:])
        for q in view.quads()
    )


def load(base, source, day, names, share):
    """Load a file as the state of a source at a day."""
    return base.load(
        text_of(names),
        format="nquads",
        mode="snapshot",
        source=source,
        valid_from=f"2026-01-{day:02}",
        max_closed=share,
        reason="nightly",
    )


def refused(base, oracle, source, when, names, share):
    """Load, and return the report, or None where it is rightly refused and nothing is written."""
    before, later = base.head(), [d for d in oracle.files[source] if d > when]
    try:
        report = load(base, source, when, names, share)
    except ValidationError as error:
        assert base.head() == before
        code = error.code
        if code == "older_snapshot":
            assert later
        else:
            assert code == "too_many_closed"
            assert oracle.ends_too_much(source, when, names, share)
        return None
    assert when >= oracle.changed(source)
    assert not oracle.ends_too_much(source, when, names, share)
    return report


def play(base, story):
    """Play a story against the oracle, and check all laws after every step."""
    oracle, day, remembered = Days(), dict.fromkeys(SOURCES, 1), {}
    for kind, amount, given_names, share in story:
        source = SOURCES[kind == "other"]
        there = day[source]
        when = max(1, there - amount) if kind == "older" else min(there + amount, DAYS[-1])
        was = oracle.at(source, when)
        names = was if kind == "again" else given_names
        before, ids = base.head(), said_by(base, source, when)
        report = refused(base, oracle, source, when, names, share)
        if report is None:
            continue
        began = was - oracle.at(source, when - 1)
        oracle.take(source, when, names)
        day[source] = when
        assert (report.stored, report.unchanged) == (len(names - was), len(names & was))
        assert report.closed + report.withdrawn == len(was - names)
        assert report.withdrawn >= len((was - names) & began)
        assert (base.head() == before) == (was == names) == (report.receipts == ())
        after = said_by(base, source, when)
        assert set(after) == names
        assert {fact: after[fact] for fact in names & was} == {f: ids[f] for f in names & was}
        check(base, oracle, remembered)


def check(base, oracle, remembered):
    """Hold every day against the oracle now, and every earlier answer against itself."""
    known = base.basis
    for day in DAYS:
        assert seen(base, day) == oracle.view(day)
        remembered[known, day] = oracle.view(day)
    for (then, day), answer in remembered.items():
        assert seen(base, day, then) == answer


def said_by(base, source, day):
    """Return the one open statement of each fact that a source says at a day."""
    found = {}
    for statement in statements(base):
        window = statement.window
        holds = window.start <= noon(day) < window.end
        if statement.source == source and statement.is_open and holds:
            fact = statement.fact
            key = (fact.subject[-2], fact.object, fact.graph[-2:-1])
            assert key not in found
            found[key] = statement.id
    return found


def statements(base):
    """Yield every version on record."""
    for subject in "ab":
        try:
            yield from base.history((EX + subject, None, None))
        except NotFound:
            continue


def noon(day):
    """Return the instant of a day's noon."""
    return start_of(f"2026-01-{day:02}T12:00:00Z").instant


@given(st.lists(steps, min_size=1, max_size=8))
def test_any_sequence_of_extracts_equals_the_days(story):
    with KnowledgeBase.memory(agent="urn:test:agent") as base:
        play(base, story)
        assert base.verify().ok
