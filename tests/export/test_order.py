"""Quads in one fixed order, each once, in memory or in runs on disk."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from export.graphs import QUADS
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.errors import ProcessingError
from semantica_rdf.export import order
from semantica_rdf.export.order import nquads_line, order_key, ordered, ordered_lines


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


@pytest.mark.parametrize("size", [1, 200, 500, 1_000_000])
@given(quads=QUADS)
def test_runs_on_disk_give_the_same_and_leave_nothing(
    tmp_path_factory: pytest.TempPathFactory, size: int, quads: list[ox.Quad]
) -> None:
    folder: Path = tmp_path_factory.mktemp("runs")
    with ordered(quads * 2, folder=folder, run_bytes=size) as stream:
        assert list(stream) == fixed(quads)
        text = sum(len(order_key(quad)) for quad in set(quads))
        assert bool(list(folder.iterdir())) == (text >= size)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("size", [1, 300])
@given(quads=QUADS)
def test_lines_become_quads_a_few_at_a_time(size: int, quads: list[ox.Quad]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "PARSED_AT_ONCE", size)
        few = fixed(quads)
    assert few == fixed(quads)


@pytest.mark.parametrize("fan_in", [2, 3, 100])
def test_many_runs_are_merged_a_few_at_a_time(
    fan_in: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order, "FAN_IN", fan_in)
    lines = [b"%03d" % (number * 7 % 50) for number in range(100)]
    with ordered_lines(lines, folder=tmp_path, run_bytes=1) as stream:
        (folder,) = tmp_path.iterdir()
        assert len(list(folder.iterdir())) < max(fan_in * 7, 101)
        assert list(stream) == sorted(set(lines))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_takes_no_runs_is_named(tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    with (
        pytest.raises(ProcessingError, match="cannot be sorted") as caught,
        ordered_lines([b"a", b"b"], folder=absent, run_bytes=1),
    ):
        pass
    assert caught.value.code == "write_failed"
    with ordered_lines([b"a", b"b"], folder=absent) as stream:
        assert list(stream) == [b"a", b"b"]


@pytest.mark.quick
def test_a_key_names_the_graph_first() -> None:
    node = ox.NamedNode("http://example.org/a")
    assert order_key(ox.Quad(node, node, node)).startswith(b"\t<")
    assert order_key(ox.Quad(node, node, node, node)).startswith(b"<http://example.org/a>\t<")


@given(QUADS)
def test_the_line_of_a_key_is_the_quads_canonical_n_quads(quads: list[ox.Quad]) -> None:
    for quad in quads:
        line = nquads_line(order_key(quad))
        assert line == ox.serialize([quad], format=ox.RdfFormat.N_QUADS)
