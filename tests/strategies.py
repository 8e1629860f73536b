"""Hypothesis strategies for ledger laws: few instants, terms and names, so that they collide."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import oracle
from hypothesis import strategies as st

from semantica_rdf import Iri, Literal
from semantica_rdf.model import vocab

EX = "https://example.org/"
DAY = 86_400_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_DAY = (datetime(2026, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
DAYS = 6

SUBJECTS = (EX + "alice", EX + "bob")
PREDICATES = (EX + "worksFor", EX + "label")
GRAPHS = (None, EX + "graph")
SOURCES = tuple(EX + "source/" + name for name in "abc")
NAMESPACES = ("default", "other")
SUPPORTS = (None, "hr-1", "hr-2", "1-1")
CONFIDENCES = (None, "0.5", "0.9")

OBJECTS = (
    Iri(EX + "acme"),
    Literal("1", vocab.XSD + "integer"),
    Literal("01", vocab.XSD + "integer"),
    Literal("x", vocab.RDF_LANGSTRING, "en"),
    Literal('zwei "Zeilen"\n\\und\tein Ü\U0001f600\x7f\u2028'),
)
CANONICAL = {OBJECTS[2]: OBJECTS[1]}
"""Objects the store rewrites, and what they become."""


def mostly(values):
    """Return a strategy that picks the first value half of the time, so that facts meet."""
    return st.one_of(st.just(values[0]), st.sampled_from(values))


def instant_at(day):
    """Return the instant of a day of the grid, as microseconds since 1970."""
    return FIRST_DAY + day * DAY


def text_at(instant):
    """Return an instant as the ledger prints it, None for an open bound."""
    if instant in {oracle.PAST, oracle.STILL}:
        return None
    return moment(instant).isoformat().replace("+00:00", "Z")


def moment(instant):
    """Return the aware datetime of an instant."""
    return EPOCH + timedelta(microseconds=instant)


instants = st.integers(0, DAYS).map(instant_at)
starts = st.one_of(st.just(oracle.PAST), instants)
ends = st.one_of(st.just(oracle.STILL), instants)
windows = st.one_of(
    st.just((oracle.PAST, oracle.STILL)),
    st.lists(instants, min_size=2, max_size=2, unique=True).map(lambda pair: tuple(sorted(pair))),
    st.tuples(starts, ends),
)
objects = mostly(OBJECTS)
namespaces = st.sampled_from(("default",) * 3 + ("other",))
triples = st.tuples(mostly(GRAPHS), mostly(SUBJECTS), mostly(PREDICATES), objects)
sources = mostly(SOURCES)
supports = mostly(SUPPORTS)
confidences = mostly(CONFIDENCES)
claims = st.fixed_dictionaries(
    {
        "fact": triples,
        "source": sources,
        "window": windows,
        "support": supports,
        "confidence": confidences,
    }
)
recent = st.integers(0, 2)
targets = st.one_of(
    st.tuples(st.just("recent"), recent),
    st.tuples(st.just("recent"), recent),
    st.tuples(st.just("fact of recent"), recent),
    st.tuples(st.just("id"), st.integers(0, 30)),
    st.tuples(st.just("fact"), triples),
    st.tuples(st.just("support"), st.sampled_from(["hr-1", "hr-2"])),
)
wide_targets = st.one_of(targets, st.tuples(st.just("source"), sources))
changes = st.fixed_dictionaries(
    {},
    optional={
        "subject": st.sampled_from(SUBJECTS),
        "object": objects,
        "graph": st.sampled_from(GRAPHS),
        "start": starts,
        "end": ends,
        "source": sources,
        "support": supports,
        "confidence": confidences,
    },
)
verbs = st.one_of(
    st.tuples(st.just("assert_"), claims),
    st.tuples(st.just("assert_"), claims),
    st.tuples(st.just("propose"), claims),
    st.tuples(st.just("retract"), wide_targets, st.one_of(st.none(), instants)),
    st.tuples(st.just("withdraw"), wide_targets),
    st.tuples(st.just("revise"), targets, changes),
    st.tuples(st.just("replace"), claims, st.sampled_from(("namespace", "source"))),
    st.tuples(st.just("judge"), targets, st.sampled_from(("believed", "disputed", "rejected"))),
)
supported = st.sampled_from([("support", "hr-1"), ("support", "hr-2")])
rare_verbs = st.one_of(
    st.tuples(st.just("revise"), supported, st.fixed_dictionaries({"object": objects})),
    st.tuples(st.just("retract"), supported, instants),
)
there_and_back = targets.map(
    lambda target: [("judge", target, "disputed"), ("judge", target, "believed")]
)
wide_then_cut = st.tuples(
    st.tuples(claims, supports).map(
        lambda pair: {**pair[0], "window": (oracle.PAST, oracle.STILL), "support": pair[1]}
    ),
    claims,
).map(
    lambda pair: [
        ("assert_", pair[0]),
        ("replace", {**pair[1], "fact": (*pair[0]["fact"][:3], pair[1]["fact"][3])}, "namespace"),
    ]
)
many_verbs = st.lists(verbs, min_size=1, max_size=4)
_transactions = st.one_of(
    many_verbs,
    many_verbs,
    many_verbs,
    st.lists(st.one_of(verbs, rare_verbs), min_size=1, max_size=2),
    there_and_back,
    wide_then_cut,
)


@st.composite
def transactions(draw):
    """Draw the verbs of one transaction; a function, for its short name in reports."""
    return draw(_transactions)


references = st.sampled_from((None, None, None, "batch-1", "batch-2"))
coordinates = st.tuples(
    st.one_of(instants, st.integers(-1, DAYS).map(lambda day: instant_at(day) + DAY // 2)),
    st.one_of(st.none(), st.integers(-1, 12)),
    st.sampled_from(("default", "other")),
)
"""Valid instant; which transaction's recordedAt to ask as known (None: now); namespace."""
