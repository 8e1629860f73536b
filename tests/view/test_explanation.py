"""Explanations say what the view says, name every statement once, never change; counts at a coordinate."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.errors import (
    SemanticaError,
    TemporalValidationError,
    UnknownPrefix,
    ValidationError,
)

EX = "https://example.org/"
DAY = datetime(2026, 1, 1, tzinfo=UTC)
PLACES = [iri(EX + "acme"), iri(EX + "lumen")]
WHO = {"agent": EX + "ann", "source": EX + "hr"}

days = st.integers(0, 4).map(lambda day: DAY + timedelta(days=day))
ends = st.one_of(st.none(), days)
places = st.sampled_from(PLACES)
recent = st.integers(0, 3)
verbs = st.one_of(
    st.tuples(st.sampled_from(["assert_", "propose", "replace"]), places, ends, ends),
    st.tuples(st.sampled_from(["withdraw", "believe", "dispute", "reject"]), recent),
    st.tuples(st.just("retract"), recent, days),
    st.tuples(st.just("revise"), recent, places),
)


def tell(kb, ids, verb, *given):
    """Tell the base one verb; what it refuses is part of life."""
    name = ids[-1 - given[0] % len(ids)] if ids and isinstance(given[0], int) else None
    try:
        with kb.transaction(reason=verb) as tx:
            if isinstance(given[0], int):
                if name is None:
                    return
                extra = {"retract": "valid_until", "revise": "object"}.get(verb)
                getattr(tx, verb)(name, **({extra: given[1]} if extra else {}))
            else:
                place, start, end = given
                window = {"valid_from": start, "valid_until": end}
                getattr(tx, verb)(EX + "bob", EX + "worksFor", place, **window)
    except SemanticaError:
        return
    ids.extend(tx.receipt.statements)


def coordinates(kb):
    known = [record.recorded_at for record in kb.changes()]
    return product([DAY + timedelta(days=day) for day in range(-1, 6)], known)


def explained(kb, place, valid, known):
    return kb.explain(EX + "bob", EX + "worksFor", place, valid_at=valid, known_at=known)


@settings(max_examples=40, deadline=None)
@given(st.lists(verbs, min_size=1, max_size=8))
def test_an_explanation_says_what_the_view_says_and_stays_as_it_is(told):
    with KnowledgeBase.memory(**WHO) as kb:
        ids, before = [], {}
        for verb in told:
            tell(kb, ids, *verb)
            for place, (valid, known) in product(PLACES, coordinates(kb)):
                found = explained(kb, place, valid, known)
                facts = kb.at(valid_at=valid, known_at=known).facts(EX + "bob")
                believed = {fact.object: fact for fact in facts}
                assert found.belief == believed.get(place)
                assert bool(found) is (place in believed)
                assert found.instead == tuple(f for f in facts if f.object != place)
                named = tuple(item.statement.id for item in found.statements)
                assert set(named) == set(found.belief.statements if found.belief else ())
                lasting = replace(found, later=())
                assert before.setdefault((place, valid, known), lasting) == lasting


@settings(max_examples=40, deadline=None)
@given(st.lists(verbs, min_size=1, max_size=8))
def test_every_statement_of_the_fact_stands_in_one_place(told):
    with KnowledgeBase.memory(**WHO) as kb:
        ids = []
        for verb in told:
            tell(kb, ids, *verb)
        every = kb.history((EX + "bob", None, None)) if ids else []
        for place, (valid, known) in product(PLACES, coordinates(kb)):
            found = explained(kb, place, valid, known)
            named = [e.statement.id for e in (*found.statements, *found.others, *found.later)]
            assert sorted(named) == sorted(s.id for s in every if s.object == place)
            assert all(e.recorded.recorded_at <= known for e in (*found.statements, *found.others))
            assert all(e.recorded.recorded_at > known for e in found.later)
            for item in found.others:
                closed = item.superseded is not None
                assert closed is (item.bearing == "superseded")
                if item.successor is not None:
                    assert item.successor.family == item.statement.family
                    assert item.successor.transaction == item.superseded.id


def test_every_bearing_is_met():
    met = set()
    with KnowledgeBase.memory(**WHO) as kb:
        claim = (EX + "bob", EX + "worksFor", PLACES[0])
        for verb, extra in (
            ("assert_", {"valid_from": "2026-01-01"}),
            ("assert_", {"valid_until": "2026-01-01"}),
            ("propose", {}),
            ("propose", {"valid_from": "2025-01-01"}),
            ("propose", {"valid_from": "2024-01-01"}),
        ):
            with kb.transaction(reason=verb) as tx:
                last = getattr(tx, verb)(*claim, **extra)
        with kb.transaction(reason="doubt") as tx:
            tx.dispute(last)
            tx.reject("4-1")
        for valid in ("2025-06-01", "2026-06-01"):
            found = kb.explain(*claim, valid_at=valid)
            met |= {item.bearing for item in (*found.statements, *found.others)}
        assert found.others[0].statement.id.endswith("/2-1")
    assert met == {
        "supports", "proposed", "disputed", "rejected", "starts_later", "ended", "superseded",
    }  # fmt: skip


def test_a_fact_nobody_recorded_has_an_empty_explanation_and_no_term_is_refused():
    with KnowledgeBase.memory(**WHO) as kb:
        found = kb.explain(EX + "bob", EX + "worksFor", PLACES[0])
        assert (found.belief, found.statements, found.others, found.later) == (None, (), (), ())
        with pytest.raises(UnknownPrefix):
            kb.explain("nope:bob", EX + "worksFor", PLACES[0])


@settings(max_examples=25, deadline=None)
@given(st.lists(verbs, min_size=1, max_size=8))
def test_counts_at_a_coordinate_are_those_of_the_versions_known_and_valid_there(told):
    with KnowledgeBase.memory(**WHO) as kb:
        ids = []
        for verb in told:
            tell(kb, ids, *verb)
        every = kb.history((EX + "bob", None, None)) if ids else []
        assert kb.stats().statements == len(every)
        for valid, known in coordinates(kb):
            found = kb.stats(valid_at=valid, known_at=known, namespace="default")
            seen = [
                item
                for item in every
                if item.recorded <= known
                and (item.valid_from is None or item.valid_from <= valid)
                and (item.valid_until is None or valid < item.valid_until)
            ]
            still = [item for item in seen if item.superseded is None or item.superseded > known]
            assert found.statements == len(seen)
            assert found.open_statements == len(still)
            assert found.believed == sum(item.standing == "believed" for item in still)
            assert found.facts == len({item.fact for item in seen})
            assert found.transactions == sum(r.recorded_at <= known for r in kb.changes())


def test_another_namespace_is_counted_apart_and_a_bad_coordinate_refused():
    with KnowledgeBase.memory(**WHO) as kb:
        for namespace in ("default", "drafts", "drafts"):
            with kb.transaction(reason="test", namespace=namespace) as tx:
                tx.assert_(EX + "bob", EX + "p", 1, valid_from=DAY)
        assert kb.stats(namespace="drafts").statements == 1
        assert kb.stats(namespace="drafts").transactions == 1
        assert kb.stats().statements == 2
        assert kb.stats(namespace="none").statements == 0
        assert kb.stats(valid_at="2025-01-01").belief_rows == 0
        with pytest.raises(TemporalValidationError):
            kb.stats(known_at="soon")
        with pytest.raises(ValidationError):
            kb.stats(namespace="No Such")
