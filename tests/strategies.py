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
GRAPHS = (None, None, EX + "graph")
SOURCES = tuple(EX + "source/" + name for name in "abc")
NAMESPACES = ("default", "default", "other")
SUPPORTS = (None, None, None, "hr-1", "hr-2", "1-1")
CONFIDENCES = (None, None, "0.5", "0.9")

OBJECTS = (
    Iri(EX + "acme"),
    Literal("1", vocab.XSD + "integer"),
    Literal("01", vocab.XSD + "integer"),
    Literal("x", vocab.RDF_LANGSTRING, "en"),
    Literal('zwei "Zeilen"\n\\und\tein Ü\U0001f600\x7f\u2028'),
)
CANONICAL = {OBJECTS[2]: OBJECTS[1]}
"""Objects the store rewrites, and what they become."""


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
objects = st.sampled_from(OBJECTS)
namespaces = st.sampled_from(NAMESPACES)
triples = st.tuples(
    st.sampled_from(GRAPHS), st.sampled_from(SUBJECTS), st.sampled_from(PREDICATES), objects
)
facts = triples
sources = st.sampled_from(SOURCES)
supports = st.sampled_from(SUPPORTS)
confidences = st.sampled_from(CONFIDENCES)
claims = st.fixed_dictionaries(
    {
        "fact": triples,
        "source": sources,
        "window": windows,
        "support": supports,
        "confidence": confidences,
    }
)
targets = st.one_of(
    st.tuples(st.just("id"), st.integers(0, 30)),
    st.tuples(st.just("recent"), st.integers(0, 3)),
    st.tuples(st.just("fact"), triples),
    st.tuples(st.just("support"), st.sampled_from(["hr-1", "hr-2"])),
)
wide_targets = st.one_of(targets, st.tuples(st.just("source"), sources))
changes = st.fixed_dictionaries(
    {},
    optional={
        "subject": st.sampled_from(SUBJECTS),
        "object": objects,
        "graph": st.sampled_from((None, EX + "graph")),
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
transactions = st.lists(verbs, min_size=1, max_size=4)
references = st.sampled_from((None, None, None, "batch-1", "batch-2"))
coordinates = st.tuples(
    st.one_of(instants, st.integers(-1, DAYS).map(lambda day: instant_at(day) + DAY // 2)),
    st.one_of(st.none(), st.integers(-1, 12)),
    st.sampled_from(("default", "other")),
)
"""Valid instant; which transaction's recordedAt to ask as known (None: now); namespace."""
