"""Quads in one fixed order, each once, in memory or in runs on disk."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from export.graphs import QUADS
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.export.order import order_key, ordered


def fixed(quads: list[ox.Quad]) -> list[ox.Quad]:
    with ordered(quads) as stream:
        return list(stream)


@given(QUADS, st.randoms(use_true_random=False))
def test_the_order_is_that_of_the_set(quads: list[ox.Quad], chance: object) -> None:
    again = quads * 2
    chance.shuffle(again)  # type: ignore[attr-defined]
    assert fixed(again) == fixed(quads)
    assert set(fixed(quads)) == set(quads)
    assert len(fixed(again)) == len(set(quads))


@given(QUADS)
def test_a_subject_and_a_graph_stand_together_the_default_graph_first(quads: list[ox.Quad]) -> None:
    seen: list[tuple[object, object]] = []
    for quad in fixed(quads):
        place = (quad.graph_name, quad.subject)
        if not seen or seen[-1] != place:
            assert place not in seen
            seen.append(place)
    graphs = [graph for graph, _ in seen]
    assert ox.DefaultGraph() not in graphs[graphs.count(ox.DefaultGraph()) :]


@pytest.mark.parametrize("length", [1, 2, 3, 1000])
@given(quads=QUADS)
def test_runs_on_disk_give_the_same_and_leave_nothing(
    tmp_path_factory: pytest.TempPathFactory, length: int, quads: list[ox.Quad]
) -> None:
    folder: Path = tmp_path_factory.mktemp("runs")
    with ordered(quads * 2, folder=folder, run_length=length) as stream:
        assert list(stream) == fixed(quads)
        assert bool(list(folder.iterdir())) == (len(set(quads)) >= length)
    assert not list(folder.iterdir())


@pytest.mark.quick
def test_a_key_names_the_graph_first() -> None:
    node = ox.NamedNode("http://example.org/a")
    assert order_key(ox.Quad(node, node, node)).startswith("\n<")
    assert order_key(ox.Quad(node, node, node, node)).startswith("<http://example.org/a>\n<")
