"""What a version revises is on record, whatever a transaction undid on the way."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.errors import CorruptStore, NotFound, TemporalValidationError

EX = "https://example.org/"
A, LIVES = EX + "alice", EX + "livesIn"
OPEN = {"agent": EX + "ann", "source": EX + "hr"}

pytestmark = pytest.mark.quick


def dangling(kb: KnowledgeBase) -> int:
    asked = """SELECT ?s { ?s prov:wasRevisionOf|srdf:inFamily ?before
               FILTER NOT EXISTS { ?before a rdf:Statement } }"""
    return len(kb.record.query(asked))


def revisions(kb: KnowledgeBase) -> int:
    return len(kb.record.query("SELECT ?s { ?s prov:wasRevisionOf ?before }"))


def test_a_cut_of_a_statement_withdrawn_in_the_same_transaction_revises_nothing(kb):
    with kb.transaction(reason="second thoughts") as tx:
        first = tx.assert_(A, LIVES, "Bern", valid_from="2020")
        tx.replace(A, LIVES, "Basel", valid_from="2021", valid_until="2022")
        tx.withdraw(first)
    assert dangling(kb) == 0
    assert len(kb.at(valid_at="2023").facts(A)) == 1


def test_a_cut_after_an_undone_revision_revises_what_is_on_record(kb):
    with kb.transaction(reason="import") as tx:
        first = tx.assert_(A, LIVES, "Bern", valid_from="2020", valid_until="2021")
    with kb.transaction(reason="widened and cut") as tx:
        tx.revise(first, valid_until=None)
        tx.replace(A, LIVES, "Basel", valid_from="2021", valid_until="2022")
    assert dangling(kb) == 0
    assert revisions(kb) >= 1


def test_what_is_left_after_the_window_revises_the_statement_that_was_on_record(kb):
    with kb.transaction(reason="import") as tx:
        first = tx.assert_(A, LIVES, "Bern", valid_from="2020")
    with kb.transaction(reason="revised and cut from its start") as tx:
        tx.revise(first, confidence="0.5")
        tx.replace(A, LIVES, "Basel", valid_from="2020", valid_until="2022")
    assert dangling(kb) == 0
    assert revisions(kb) == 1


def test_replacing_many_subjects_in_one_transaction_finds_only_each_one_s_rivals(kb):
    with kb.transaction(reason="many") as tx:
        for number in range(300):
            tx.replace(f"{EX}p/{number}", LIVES, "Bern", valid_from="2020")
            tx.replace(f"{EX}p/{number}", LIVES, "Basel", valid_from="2021")
            assert len(tx.working.facts_like(tx.targets.fact((f"{EX}p/{number}", LIVES, "x")))) == 2
    assert kb.at(valid_at="2020-06-01").count() == kb.at(valid_at="2021-06-01").count() == 300


def test_a_bound_of_a_million_digits_is_refused_and_a_short_one_taken(kb):
    with kb.transaction(reason="long") as tx:
        with pytest.raises(TemporalValidationError) as caught:
            tx.assert_(A, LIVES, "Bern", valid_from=f"2020-01-01T00:00:00.{'0' * 1_000_000}Z")
        tx.assert_(A, LIVES, "Bern", valid_from="2020-01-01T00:00:00.000Z")
    assert caught.value.code == "bad_time"
    assert kb.verify().ok


def test_a_transaction_that_failed_has_no_receipt_and_one_that_ended_has(kb):
    tx = kb.transaction(reason="fails")
    with pytest.raises(ZeroDivisionError), tx:
        raise ZeroDivisionError
    with pytest.raises(NotFound) as caught:
        _ = tx.receipt
    assert caught.value.code == "no_receipt"
    with kb.transaction(reason="ends") as tx:
        pass
    assert tx.receipt.is_empty


def test_revising_to_a_period_and_a_bound_at_once_is_refused(kb):
    with kb.transaction(reason="import") as tx:
        first = tx.assert_(A, LIVES, "Bern", valid_from="2020")
        with pytest.raises(TemporalValidationError) as caught:
            tx.revise(first, valid_from="2021", valid_during=None)
    assert caught.value.code == "two_windows"


def test_a_store_that_is_gone_is_noticed_though_a_payload_waits(tmp_path):
    folder, copy = tmp_path / "kb", tmp_path / "copy"
    with KnowledgeBase.open(folder, **OPEN) as base, base.transaction(reason="one") as tx:
        tx.assert_(A, LIVES, iri(EX + "bern"))
    base = KnowledgeBase.open(folder, **OPEN)
    with base.transaction(reason="two") as tx:
        tx.assert_(A, LIVES, iri(EX + "basel"))
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("store", "lock"))
    base.close()
    with pytest.raises(CorruptStore) as caught:
        KnowledgeBase.open(copy, **OPEN)
    assert caught.value.code == "store_missing"
    with KnowledgeBase.open(folder, **OPEN) as whole:
        assert whole.at().count() == 2


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("UPDATE payloads SET data = x'7200' WHERE sequence = 2", "payload_damaged"),
        ("DELETE FROM payloads WHERE sequence = 1", "payload_missing"),
        ("DELETE FROM payloads", "payload_missing"),
        ("UPDATE meta SET value = '2' WHERE key = 'flushed'", "payload_stray"),
    ],
)
def test_a_changed_or_missing_payload_is_found(tmp_path, change, code):
    with KnowledgeBase.open(tmp_path / "kb", **OPEN) as base:
        for city in ("Bern", "Basel", "Chur"):
            with base.transaction(reason="import") as tx:
                tx.assert_(A, LIVES, city)
        assert base.verify().ok
        with sqlite3.connect(tmp_path / "kb" / "journal.sqlite") as other:
            other.execute(change)
        other.close()
        found = {problem.code for problem in base.verify().problems}
        assert code in found
