"""Writers and readers on one base at once: no update lost, no half of a transaction seen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from semantica_rdf import KnowledgeBase, literal
from semantica_rdf.errors import StoreLocked, ValidationError

EX = "https://example.org/"
COUNTER, VALUE = EX + "counter", EX + "value"
LEFT, RIGHT = EX + "left", EX + "right"
WHO = {"agent": EX + "ann", "source": EX + "hr"}
WRITERS, READERS = 4, 4


@pytest.fixture(params=["memory", "disk"])
def shared(request, tmp_path):
    opened = (
        KnowledgeBase.memory(**WHO)
        if request.param == "memory"
        else KnowledgeBase.open(tmp_path / "kb", **WHO)
    )
    with opened as base:
        yield base


def value_of(view, subject):
    (fact,) = view.facts(subject, VALUE)
    return fact.object.to_python()


def increment(base, rounds):
    for _ in range(rounds):
        with base.transaction(reason="count") as tx:
            now = value_of(base.at(), COUNTER)
            tx.replace(COUNTER, VALUE, now + 1, valid_from="2026-01-01")
            tx.replace(LEFT, VALUE, now + 1, valid_from="2026-01-01")
            tx.replace(RIGHT, VALUE, -now - 1, valid_from="2026-01-01")


def watch(base, writing: threading.Event):
    """Ask one view several times, again and again; return how many views were asked."""
    views = 0
    last = 0
    while True:
        going_on = writing.is_set()
        view = base.at()
        left = value_of(view, LEFT)
        answer = view.query(
            f"SELECT ?l ?r {{ <{LEFT}> <{VALUE}> ?l . <{RIGHT}> <{VALUE}> ?r }}"
        ).to_dicts()
        right = value_of(view, RIGHT)
        assert left == -right == value_of(view, COUNTER)
        assert [(row["l"], row["r"]) for row in answer] == [(left, right)]
        assert left >= last, "a later view knows less"
        last, views = left, views + 1
        if not going_on:
            return views


def in_threads(calls: list[Callable[[], object]]) -> list[object]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def run_together(base, rounds):
    with base.transaction(reason="start") as tx:
        for subject in (COUNTER, LEFT, RIGHT):
            tx.assert_(subject, VALUE, 0, valid_from="2026-01-01")
    writing = threading.Event()
    writing.set()
    with ThreadPoolExecutor(WRITERS + READERS) as pool:
        readers = [pool.submit(watch, base, writing) for _ in range(READERS)]
        writers = [pool.submit(increment, base, rounds) for _ in range(WRITERS)]
        for writer in writers:
            writer.result()
        writing.clear()
        assert all(reader.result() for reader in readers)
    assert value_of(base.at(), COUNTER) == WRITERS * rounds
    assert base.head().sequence == WRITERS * rounds + 1
    assert base.verify().ok


def test_four_writers_and_four_readers_lose_no_update_and_see_no_half(shared):
    run_together(shared, rounds=8)


@pytest.mark.long
def test_four_writers_and_four_readers_hold_out_for_long(shared):
    run_together(shared, rounds=1000)


def test_an_old_view_answers_the_same_whatever_is_written_meanwhile(shared):
    with shared.transaction(reason="start") as tx:
        for subject in (COUNTER, LEFT, RIGHT):
            tx.assert_(subject, VALUE, 0, valid_from="2026-01-01")
    view = shared.at()
    before = view.facts()
    in_threads([lambda: increment(shared, 10), lambda: increment(shared, 10)])
    assert view.facts() == before
    assert view.count() == len(before) == 3
    assert value_of(shared.at(), COUNTER) == 20
    assert shared.at(valid_at=view.basis, known_at=view.basis).facts() == before


@pytest.mark.quick
def test_a_transaction_inside_a_transaction_of_the_same_thread_is_refused(shared):
    with shared.transaction(reason="outer") as outer:
        outer.assert_(EX + "a", VALUE, 1)
        with pytest.raises(ValidationError) as refused, shared.transaction(reason="inner"):
            pass
        assert refused.value.code == "nested_transaction"
        outer.assert_(EX + "a", VALUE, 2)
    assert len(outer.receipt.statements) == 2
    assert shared.at().count() == 2


def test_verify_and_close_inside_a_transaction_are_refused_instead_of_waiting_for_ever(shared):
    with shared.transaction(reason="outer") as outer:
        outer.assert_(EX + "a", VALUE, 1)
        for call in (shared.verify, shared.close):
            with pytest.raises(ValidationError) as refused:
                call()
            assert refused.value.code == "transaction_open"
    assert shared.verify().ok
    assert shared.at().count() == 1


def test_waiting_for_another_threads_transaction_ends_after_the_lock_timeout(shared):
    entered, leave = threading.Event(), threading.Event()

    def hold():
        with shared.transaction(reason="slow") as tx:
            tx.assert_(EX + "a", VALUE, 1)
            entered.set()
            leave.wait()

    def give_up():
        entered.wait()
        try:
            with (
                pytest.raises(StoreLocked) as refused,
                shared.transaction(reason="impatient", lock_timeout=0.05),
            ):
                pass
        finally:
            leave.set()
        return refused.value.code

    assert in_threads([hold, give_up])[1] == "writer_busy"
    with shared.transaction(reason="later", lock_timeout=0.05) as tx:
        tx.assert_(EX + "b", VALUE, 2)
    assert [fact.object for fact in shared.at().facts()] == [literal(1), literal(2)]


def test_an_exception_in_one_thread_discards_its_own_transaction_only(shared):
    def fail():
        with shared.transaction(reason="fails") as tx:
            tx.assert_(EX + "a", VALUE, 1)
            raise LookupError

    def succeed():
        with shared.transaction(reason="succeeds") as tx:
            tx.assert_(EX + "b", VALUE, 2)

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(call) for call in (fail, succeed) * 10]
        errors = [future.exception() for future in futures]
    assert [type(error) for error in errors] == [LookupError, type(None)] * 10
    assert [fact.object for fact in shared.at().facts()] == [literal(2)]
    assert shared.head().sequence == 1
    assert shared.verify().ok
