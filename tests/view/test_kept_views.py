"""The view cache: one store a cell, within its budget, and nobody waits for another's."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.view.kept_views import KeptViews, Made, size_of

pytestmark = pytest.mark.quick


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 50)), max_size=40), st.integers(0, 120))
def test_the_cache_is_a_least_recently_used_one_within_its_bytes(asked, budget):
    kept = KeptViews(budget)
    sizes: dict[int, int] = {}
    for cell, size in asked:
        made = []

        def make(size=size, made=made):
            made.append(size)
            return Made(RdfStore.memory(), size)

        kept.store_at(cell, make)
        assert bool(made) == (cell not in sizes)
        sizes[cell] = sizes.pop(cell, size)
        while sum(sizes.values()) > budget and len(sizes) > 1:
            del sizes[next(iter(sizes))]
        assert kept.size == sum(sizes.values())
        assert len(kept) == len(sizes)
        assert kept.warm(cell) is not None
    assert all(kept.warm(cell) is None for cell in range(7) if cell not in sizes)


def test_a_store_being_made_keeps_waiting_only_those_who_want_it():
    kept, entered, may_end = KeptViews(), threading.Event(), threading.Event()
    made = []

    def slow():
        entered.set()
        may_end.wait()
        made.append("slow")
        return Made(RdfStore.memory(), 1)

    first = threading.Thread(target=lambda: kept.store_at("slow", slow))
    first.start()
    entered.wait()
    found = []
    second = threading.Thread(target=lambda: found.append(kept.store_at("slow", slow)))
    second.start()
    other = kept.store_at("other", lambda: Made(RdfStore.memory(), 1))
    assert kept.warm("other") is other
    assert kept.warm("slow") is None
    may_end.set()
    first.join()
    second.join()
    assert made == ["slow"]
    assert found == [kept.warm("slow")]


def test_a_store_that_cannot_be_made_is_tried_again():
    kept = KeptViews()

    def failing():
        raise RuntimeError

    with pytest.raises(RuntimeError):
        kept.store_at("cell", failing)
    assert kept.warm("cell") is None
    store = RdfStore.memory()
    assert kept.store_at("cell", lambda: Made(store, 1)) is store


def test_the_size_counts_quads_and_their_text():
    assert size_of(0, 0) == 0
    assert size_of(2, 100) == 2 * size_of(1, 0) + 100
