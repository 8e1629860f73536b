"""
Public bug reports of the family rev: superseding, repeating, contradicting, selecting.

Each test carries the report's id. Conflict detection, review queues and vectors are not in this
release: where a report needs them, the test says what stands in their place.
"""

from __future__ import annotations

import pytest

from semantica_rdf import errors, iri
from semantica_rdf.model import vocab

EX = "https://example.org/"
ALICE, WORKS_FOR, LIKES = EX + "alice", EX + "worksFor", EX + "likes"
ACME, BOLT = iri(EX + "acme"), iri(EX + "bolt")
A, B = EX + "source/a", EX + "source/b"

pytestmark = pytest.mark.quick


def refused(kind):
    return pytest.raises(kind)


def put(kb, value=ACME, predicate=WORKS_FOR, **said):
    with kb.transaction(reason="test") as tx:
        return tx.assert_(ALICE, predicate, value, **said)


def values(view):
    return {str(fact.object) for fact in view.facts()}


def test_a_revised_statement_says_that_it_is_superseded_by_whom_and_when(kb):
    """B033. `history` stands for explain()."""
    old = put(kb)
    with kb.transaction(reason="typo", agent=EX + "eve") as tx:
        new = tx.revise(old, object=BOLT)
    before, after = kb.history(old)
    assert (before.id, after.id) == (old, new)
    assert not before.is_open
    assert before.superseded == tx.receipt.recorded_at
    assert before.superseded_by == tx.receipt.transaction
    assert (after.revision_of, after.superseded) == (old, None)
    (change,) = kb.changes(since=1)
    assert (change.agent, change.reason, change.operation) == (EX + "eve", "typo", "revise")
    assert change.superseded == (old,)
    ask = "ASK { ?new prov:wasRevisionOf ?old . ?old srdf:supersededBy ?by . ?new srdf:transaction ?by }"
    assert kb.record.query(ask, bindings={"new": iri(new), "old": iri(old)})
    assert not kb.record.query(ask, bindings={"new": iri(old), "old": iri(new)})


def test_citing_a_statement_leaves_it_believed(kb):
    """B034."""
    first = put(kb)
    cited = put(kb, iri(first), predicate=vocab.PROV + "wasDerivedFrom")
    assert [item.standing for item in kb.history(first)] == ["believed"]
    assert kb.history(first)[0].is_open
    assert {item for fact in kb.at().facts() for item in fact.statements} == {first, cited}


def test_a_contradiction_loses_neither_side(kb):
    """B035. No conflict is queued yet: both stay on record and believed."""
    put(kb, "Chinese food", predicate=LIKES)
    put(kb, "Chinese food", predicate=EX + "hates")
    assert kb.at().count() == 2
    assert kb.stats().statements == 2


def test_saying_the_same_twice_is_a_no_op_and_a_second_source_is_a_second_support(kb):
    """B036."""
    first = put(kb, source=A)
    head = kb.head()
    assert put(kb, source=A) == first
    assert kb.head() == head
    second = put(kb, source=B)
    (fact,) = kb.at().facts()
    assert [str(source) for source in fact.sources] == [A, B]
    assert set(fact.statements) == {first, second}
    assert kb.at().count() == 1


def test_a_correction_and_what_it_corrects_are_never_both_in_scope(kb, clock):
    """B038."""
    clock.set("2024-01-05T00:00:00+00:00")
    made = put(kb, ACME, valid_from="2024-01-01", valid_until="2025-01-01")
    clock.set("2026-06-01T00:00:00+00:00")
    with kb.transaction(reason="correction") as tx:
        tx.revise(made, object=BOLT)
    assert values(kb.at(valid_at="2024-06-01", known_at="2026-07-01")) == {str(BOLT)}
    assert values(kb.at(valid_at="2024-06-01", known_at="2025-01-01")) == {str(ACME)}


def test_a_selector_revises_exactly_one_or_nothing(kb):
    """B039."""
    put(kb, ACME, source=A)
    for number in range(3):
        put(kb, "thrice", predicate=LIKES, source=EX + f"s{number}")
    before = kb.head(), kb.stats()
    with refused(errors.AmbiguousTarget), kb.transaction(reason="test") as tx:
        tx.revise((ALICE, LIKES, "thrice"), object="once")
    with refused(errors.NotFound), kb.transaction(reason="test") as tx:
        tx.revise((ALICE, LIKES, "never"), object="once")
    assert (kb.head(), kb.stats()) == before
    (selected,) = kb.history((ALICE, WORKS_FOR, ACME))
    with kb.transaction(reason="test") as tx:
        new = tx.revise((ALICE, WORKS_FOR, ACME), object=BOLT)
    assert tx.receipt.superseded == (selected.id,)
    assert tx.receipt.statements == (new,)


def test_evolution_and_many_values_are_no_contradiction(kb):
    """B040. Nothing is flagged, nothing is cut: all four stay as they were said."""
    put(kb, ACME, valid_from="2020", valid_until="2022")
    put(kb, BOLT, valid_from="2022")
    put(kb, "tea", predicate=LIKES)
    put(kb, "coffee", predicate=LIKES)
    stats = kb.stats()
    assert (stats.believed, stats.disputed, stats.statements) == (4, 0, 4)
    assert values(kb.at(valid_at="2021")) == {str(ACME), "tea", "coffee"}
    assert values(kb.at(valid_at="2022")) == {str(BOLT), "tea", "coffee"}


def test_a_name_loaded_in_four_sessions_is_one_entity(kb):
    """B041. Identity is exact: the same name under the same base is the same IRI, no vectors asked."""
    mapping = {
        "format": {"kind": "csv"},
        "subject": {"column": "name", "base": EX + "org/"},
        "predicate": {"iri": EX + "kind"},
        "object": {"column": "kind"},
    }
    for session in range(4):
        kb.load(
            b"name,kind\nDGIA,authority\n",
            mapping=mapping,
            source=EX + f"s{session}",
            reason="test",
        )
    assert {str(fact.subject) for fact in kb.at().facts()} == {EX + "org/DGIA"}
    (fact,) = kb.at().facts(predicate=EX + "kind")
    assert len(fact.sources) == 4


def test_loading_a_file_twice_changes_nothing(kb, tmp_path):
    """B042. Nothing is recorded for the second load; its report says why."""
    document = tmp_path / "people.ttl"
    document.write_text(
        f"<{ALICE}> <{WORKS_FOR}> <{EX}acme> ; <{LIKES}> [ <{EX}name> 'tea' ] , 01 .",
        encoding="utf-8",
    )
    first = kb.load(document, reason="import")
    before = kb.head(), kb.stats()
    second = kb.load(document, reason="import")
    assert (first.stored, first.already_there) == (4, 0)
    assert (second.read, second.stored, second.already_there) == (first.read, 0, 4)
    assert (kb.head(), kb.stats()) == before


def test_retracting_a_triple_ends_it_for_every_source_and_a_source_only_for_itself(kb, clock):
    """B043."""
    clock.set("2026-01-01T00:00:00+00:00")
    put(kb, source=A)
    put(kb, source=B)
    put(kb, BOLT, source=A)
    put(kb, BOLT, source=B)
    with kb.transaction(reason="ended") as tx:
        assert len(tx.retract((ALICE, WORKS_FOR, ACME))) == 2
    clock.set("2026-02-01T00:00:00+00:00")
    assert values(kb.at()) == {str(BOLT)}
    with kb.transaction(reason="ended") as tx:
        tx.retract(source=A, valid_until="2026-01-15")
    (fact,) = kb.at().facts()
    assert [str(source) for source in fact.sources] == [B]
    assert values(kb.at(valid_at="2025-12-31")) == {str(ACME), str(BOLT)}


def test_an_empty_selector_selects_nothing(kb):
    """B043, B045: neither nothing nor a misspelt key means everything."""
    put(kb)
    for work in (
        lambda tx: tx.retract(),
        lambda tx: tx.withdraw(),
        lambda tx: tx.withdraw(None, source=None),
        lambda tx: tx.withdraw((ALICE, WORKS_FOR, ACME), source=A),
    ):
        with (
            pytest.raises(errors.ValidationError, check=lambda error: error.code == "bad_target"),
            kb.transaction(reason="test") as tx,
        ):
            work(tx)
    with pytest.raises(TypeError), kb.transaction(reason="test") as tx:
        tx.withdraw(sourc=A)  # type: ignore[call-arg]
    assert kb.at().count() == 1
