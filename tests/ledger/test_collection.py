"""The collector of cycles is paused for bulk commits only, and always goes on as it was."""

from __future__ import annotations

import gc
import threading

import pytest

from semantica_rdf.ledger.collection import BULK_STATEMENTS, collection_paused

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def _running():
    gc.enable()
    yield
    gc.enable()


def test_a_small_commit_leaves_the_collector_alone():
    with collection_paused(BULK_STATEMENTS - 1):
        assert gc.isenabled()
    with collection_paused(BULK_STATEMENTS):
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    with collection_paused(BULK_STATEMENTS):
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_an_exception_ends_the_pause():
    with pytest.raises(RuntimeError), collection_paused(BULK_STATEMENTS):
        raise RuntimeError
    assert gc.isenabled()


@pytest.mark.parametrize("first_to_end", [0, 1])
def test_of_pauses_side_by_side_the_last_ends_it(first_to_end):
    entered = [threading.Event(), threading.Event()]
    may_end = [threading.Event(), threading.Event()]

    def pause(number):
        with collection_paused(BULK_STATEMENTS):
            entered[number].set()
            may_end[number].wait()

    threads = [threading.Thread(target=pause, args=(number,)) for number in (0, 1)]
    for thread, event in zip(threads, entered, strict=True):
        thread.start()
        event.wait()
    for number in (first_to_end, 1 - first_to_end):
        assert not gc.isenabled()
        may_end[number].set()
        threads[number].join()
    assert gc.isenabled()
