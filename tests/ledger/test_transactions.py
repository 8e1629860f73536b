"""Transactions: net effect, own writes, references, sequence numbers, locks, receipts."""

from __future__ import annotations

import threading

import pytest

from semantica_rdf import KnowledgeBase, errors, iri

EX = "https://example.org/"
ALICE, WORKS_FOR = EX + "alice", EX + "worksFor"
ACME, BOLT = iri(EX + "acme"), iri(EX + "bolt")

pytestmark = pytest.mark.quick


def refused(kind, code):
    return pytest.raises(kind, check=lambda error: error.code == code)


def objects(view):
    return {str(fact.object) for fact in view.facts()}


def test_a_transaction_sees_its_own_writes(kb):
    with kb.transaction(reason="test") as tx:
        first = tx.assert_(ALICE, WORKS_FOR, ACME)
        assert tx.assert_(ALICE, WORKS_FOR, ACME) == first
        assert [item.id for item in tx.statements(ALICE, WORKS_FOR, ACME)] == [first]
        assert tx.dispute((ALICE, WORKS_FOR, ACME)) == first
        assert tx.statements(ALICE, WORKS_FOR, ACME)[0].standing == "disputed"
        with refused(errors.NotFound, "not_found"):
            tx.retract((ALICE, WORKS_FOR, ACME))
    assert not kb.at().facts()
    assert kb.stats().disputed == 1


def test_what_is_asserted_and_withdrawn_inside_leaves_nothing(kb):
    with kb.transaction(reason="test") as tx:
        tx.withdraw(tx.assert_(ALICE, WORKS_FOR, ACME, support_id="s-1"))
        kept = tx.assert_(ALICE, WORKS_FOR, BOLT, support_id="s-1")
    assert tx.receipt.statements == (kept,)
    assert kb.stats().statements == 1
    assert kb.verify().ok


def test_what_is_asserted_and_retracted_inside_is_recorded_once_with_its_last_window(kb):
    with kb.transaction(reason="test") as tx:
        made = tx.assert_(ALICE, WORKS_FOR, ACME, valid_from="2020")
        tx.retract(made, valid_until="2024")
        tx.retract(made, valid_until="2022")
    assert [item.id for item in kb.history(made)] == [made]
    assert kb.history(made)[0].valid_until.year == 2022
    assert not tx.receipt.superseded


def test_changes_that_cancel_each_other_record_nothing(kb):
    with kb.transaction(reason="test") as tx:
        made = tx.assert_(ALICE, WORKS_FOR, ACME)
    before = kb.head()
    with kb.transaction(reason="test") as tx:
        tx.believe(tx.dispute(made))
    assert tx.receipt.is_empty
    assert kb.head() == before
    with kb.transaction(reason="test") as tx:
        tx.dispute(made)
    assert kb.head() != before


def test_an_empty_transaction_gives_its_sequence_number_back(kb):
    with kb.transaction(reason="test") as tx:
        pass
    assert tx.receipt.is_empty
    assert tx.receipt.recorded_at is None
    assert str(tx.receipt) == "Nothing to record."
    with kb.transaction(reason="test") as tx:
        made = tx.assert_(ALICE, WORKS_FOR, ACME)
    assert tx.receipt.sequence == 1
    with kb.transaction(reason="test") as tx:
        assert tx.assert_(ALICE, WORKS_FOR, ACME) == made
    assert tx.receipt.is_empty
    assert tx.receipt.already_there == 1
    with kb.transaction(reason="test") as tx:
        tx.withdraw(made)
    assert tx.receipt.sequence == 2


def test_an_exception_discards_everything_and_comes_through(kb):
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, ACME)
    before = kb.head(), kb.stats()
    tx = kb.transaction(reason="test")

    def fail():
        with tx:
            tx.withdraw((ALICE, WORKS_FOR, ACME))
            tx.assert_(ALICE, WORKS_FOR, BOLT)
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        fail()
    assert (kb.head(), kb.stats()) == before
    with refused(errors.NotFound, "no_receipt"):
        str(tx.receipt)
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, BOLT)
    assert tx.receipt.sequence == 2


def test_a_discarded_transaction_records_nothing(kb):
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, ACME)
        tx.discard()
    assert tx.receipt.is_empty
    assert kb.stats().statements == 0


def test_a_refused_verb_leaves_the_rest_of_its_transaction_standing(kb):
    with kb.transaction(reason="test") as tx:
        kept = tx.assert_(ALICE, WORKS_FOR, ACME, valid_from="2020")
        with refused(errors.NothingToRetract, "nothing_to_retract"):
            tx.retract(tx.assert_(ALICE, WORKS_FOR, BOLT, valid_until="2021"), valid_until="2022")
        with refused(errors.ValidationError, "retract_before_start"):
            tx.retract(kept, valid_until="2019")
        with refused(errors.ValidationError, "nothing_to_revise"):
            tx.revise(kept)
    assert kb.history(kept)[0].valid_until is None
    assert kb.stats().statements == 2


def test_nesting_in_one_thread_is_refused(kb):
    with kb.transaction(reason="outer") as outer:
        with refused(errors.ValidationError, "nested_transaction"), kb.transaction(reason="inner"):
            pass
        outer.assert_(ALICE, WORKS_FOR, ACME)
    assert outer.receipt.sequence == 1


def test_a_transaction_is_used_once_and_only_inside_its_block(kb):
    tx = kb.transaction(reason="test")
    with refused(errors.ValidationError, "transaction_closed"):
        tx.assert_(ALICE, WORKS_FOR, ACME)
    with tx:
        tx.assert_(ALICE, WORKS_FOR, ACME)
        with refused(errors.NotFound, "no_receipt"):
            str(tx.receipt)
    for use in (
        lambda: tx.assert_(ALICE, WORKS_FOR, BOLT),
        lambda: tx.withdraw("1-1"),
        tx.__enter__,
    ):
        with refused(errors.ValidationError, "transaction_closed"):
            use()
    assert objects(kb.at()) == {str(ACME)}


def test_verify_and_close_inside_a_transaction_of_the_same_thread_are_refused_at_once(kb):
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, ACME)
        with refused(errors.ValidationError, "transaction_open"):
            kb.verify()
        with refused(errors.ValidationError, "transaction_open"):
            kb.close()
    assert kb.verify().ok
    kb.close()
    with refused(errors.StoreLocked, "closed"):
        kb.verify()


def test_everything_on_a_closed_base_says_that_it_is_closed(tmp_path, clock):
    kb = KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr", clock=clock)
    view = kb.at()
    assert view.count() == 0
    kb.close()
    kb.close()

    def write():
        with kb.transaction(reason="test") as tx:
            tx.assert_(ALICE, WORKS_FOR, ACME)

    uses = (
        kb.head,
        kb.stats,
        kb.verify,
        view.facts,
        lambda: kb.history("1-1"),
        lambda: list(kb.at().quads()),
        lambda: kb.prefixes.bind("ex", EX),
        write,
    )
    for use in uses:
        with refused(errors.StoreLocked, "closed"):
            use()


def test_a_second_thread_waits_only_as_long_as_it_was_told(kb):
    seen = []

    def write():
        try:
            with kb.transaction(reason="other", lock_timeout=0.0):
                pass
        except errors.StoreLocked as error:
            seen.append(error.code)

    with kb.transaction(reason="test") as tx:
        other = threading.Thread(target=write)
        other.start()
        other.join()
        tx.assert_(ALICE, WORKS_FOR, ACME)
    assert seen == ["writer_busy"]
    write()
    assert seen == ["writer_busy"]


def test_a_second_open_of_a_directory_is_refused_and_a_later_one_is_not(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann"):
        with pytest.raises(errors.StoreLocked):
            KnowledgeBase.open(tmp_path / "kb")
        with pytest.raises(errors.StoreLocked):
            KnowledgeBase.open(tmp_path / "kb", read_only=True)
    KnowledgeBase.open(tmp_path / "kb").close()


def test_a_repeated_reference_returns_the_first_receipt_and_writes_nothing(kb):
    def batch():
        with kb.transaction(reason="import", reference="batch-1") as tx:
            first = tx.assert_(ALICE, WORKS_FOR, ACME, support_id="s-1")
            tx.retract(first, valid_until="2025")
            second = tx.assert_(ALICE, WORKS_FOR, BOLT)
            tx.dispute(second)
        return tx.receipt, first, second

    receipt, *ids = batch()
    with kb.transaction(reason="later") as tx:
        tx.withdraw(ids[0])
    before = kb.head(), kb.stats()
    again, *same = batch()
    assert again.repeated
    assert not receipt.repeated
    assert same == ids
    assert (again.sequence, again.recorded_at) == (receipt.sequence, receipt.recorded_at)
    assert sorted(again.statements) == sorted(receipt.statements)
    assert again.reference == "batch-1"
    assert (kb.head(), kb.stats()) == before


def test_a_repeated_retraction_is_judged_by_its_first_time(kb, clock):
    clock.set("2026-01-01T00:00:00+00:00")
    with kb.transaction(reason="test") as tx:
        made = tx.assert_(ALICE, WORKS_FOR, ACME, valid_until="2027")

    def end():
        with kb.transaction(reason="ended", reference="r-1") as tx:
            tx.retract(made)
        return tx.receipt

    first = end()
    clock.set("2028-01-01T00:00:00+00:00")
    assert end().sequence == first.sequence
    with pytest.raises(errors.NothingToRetract), kb.transaction(reason="ended") as tx:
        tx.retract(made)


def test_a_reference_is_unique_per_namespace(kb):
    for namespace in ("default", "other"):
        with kb.transaction(reason="test", reference="r", namespace=namespace) as tx:
            tx.assert_(ALICE, WORKS_FOR, ACME)
        assert not tx.receipt.repeated
    assert kb.stats().transactions == 2


@pytest.mark.parametrize(
    ("work", "operation"),
    [
        (lambda tx: tx.replace(ALICE, WORKS_FOR, BOLT), "replace"),
        (lambda tx: tx.replace(EX + "bob", WORKS_FOR, BOLT), "replace"),
        (lambda tx: tx.assert_(ALICE, WORKS_FOR, BOLT), "assert"),
        (lambda tx: tx.propose(ALICE, WORKS_FOR, BOLT), "propose"),
        (lambda tx: tx.retract("1-1"), "retract"),
        (lambda tx: tx.withdraw("1-1"), "withdraw"),
        (lambda tx: tx.revise("1-1", object=BOLT), "revise"),
        (lambda tx: tx.reject("1-1"), "reject"),
        (lambda tx: (tx.dispute("1-1"), tx.believe("1-2")), "mixed"),
        (
            lambda tx: (tx.replace(ALICE, WORKS_FOR, BOLT), tx.propose(EX + "b", WORKS_FOR, BOLT)),
            "mixed",
        ),
    ],
)
def test_the_operation_is_the_one_verb_that_took_effect(kb, work, operation):
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, ACME)
        tx.propose(ALICE, WORKS_FOR, ACME)
    with kb.transaction(reason="test") as tx:
        work(tx)
    assert [record.operation for record in kb.changes(since=1)] == [operation]


def test_a_receipt_of_a_replacement_lists_what_was_cut(kb):
    with kb.transaction(reason="test") as tx:
        old = tx.assert_(ALICE, WORKS_FOR, ACME, valid_from="2020")
    with kb.transaction(reason="moved") as tx:
        tx.replace(ALICE, WORKS_FOR, BOLT, valid_from="2024", valid_until="2025")
    assert tx.receipt.cut == (old,)
    assert "replaced 1" in str(tx.receipt)
    assert "cut 1" in str(tx.receipt)


def test_a_support_id_may_look_like_a_statement_id(kb):
    with kb.transaction(reason="test") as tx:
        made = tx.assert_(ALICE, WORKS_FOR, ACME, support_id="7-1")
    assert kb.history("7-1")[0].id == made
    with kb.transaction(reason="test") as tx:
        tx.dispute("7-1")
    assert kb.history("7-1")[-1].standing == "disputed"
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, BOLT, support_id="1-1")
        with pytest.raises(errors.AmbiguousTarget):
            tx.dispute("1-1")


def test_times_of_transactions_increase_whatever_the_clock_does(kb, clock):
    times = []
    for number, year in enumerate((2026, 2020, 2026)):
        clock.set(f"{year}-05-01T00:00:00+00:00")
        with kb.transaction(reason="test") as tx:
            tx.assert_(ALICE, WORKS_FOR, number)
        times.append(tx.receipt.recorded_at)
    assert times == sorted(set(times))
    assert [kb.at(known_at=moment).count() for moment in times] == [1, 2, 3]
