"""Temporal columns: the same answers from the store, from a table that follows, and from files."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase
from semantica_rdf.columns import columns as columns_module
from semantica_rdf.columns.entries import DTYPES
from semantica_rdf.columns.on_demand import ASKED_BEFORE_LOADED
from semantica_rdf.columns.order import order_of
from semantica_rdf.errors import ProcessingError, ValidationError

EX = "https://example.org/"
WHO = {"agent": EX + "ann", "source": EX + "hr"}


def write(kb, numbers, **how):
    with kb.transaction(reason="a step", **how) as tx:
        for number in numbers:
            tx.assert_(EX + f"s{number % 5}", EX + f"p{number % 3}", number)


def objects(view, **pattern):
    return sorted(fact.object.to_python() for fact in view.facts(**pattern))


def files_of(path):
    return {item.name: item.read_bytes() for item in (path / "columns").iterdir()}


@pytest.fixture
def path(tmp_path):
    where = tmp_path / "kb"
    with KnowledgeBase.open(where, **WHO) as kb:
        write(kb, range(20))
        assert objects(kb.at()) == list(range(20))
    return where


@given(st.lists(st.integers(0, 6), max_size=60), st.lists(st.integers(0, 6), max_size=60))
@pytest.mark.quick
def test_an_order_finds_what_a_look_through_finds(first, more):
    made = order_of(np.array(first, dtype=np.int32))
    for column in (
        np.array([*first, *more], np.int32),
        np.array(first[: len(first) // 2], np.int32),
    ):
        for value in range(7):
            wanted = [place for place, held in enumerate(column.tolist()) if held == value]
            assert made.places_of(value, column).tolist() == wanted


@pytest.mark.quick
def test_an_order_wears_out_and_is_made_anew():
    with KnowledgeBase.memory(**WHO) as kb:
        write(kb, range(10))
        view = kb.at()
        assert objects(view, predicate=EX + "p1") == [1, 4, 7]
        orders = kb._base.columns.whole().orders
        before = orders["predicate"]
        for start in range(10, 5_000, 1_000):
            write(kb, range(start, start + 1_000))
            assert kb._base.columns.near().orders is orders
        assert len(kb.at().facts(predicate=EX + "p1")) == 1_670
        assert orders["predicate"] is not before
        assert objects(view, predicate=EX + "p1") == [1, 4, 7]


@pytest.mark.quick
def test_files_are_written_at_close_loaded_and_followed(path, monkeypatch):
    kept = json.loads((path / "columns" / "manifest.json").read_text())
    assert kept["sequence"] == 1
    read_anew = []
    real = columns_module.Columns._read_anew
    monkeypatch.setattr(
        columns_module.Columns, "_read_anew", lambda *a: read_anew.append(a) or real(*a)
    )
    with KnowledgeBase.open(path, **WHO) as kb:
        write(kb, range(20, 25))
        assert objects(kb.at()) == list(range(25))
        assert kb.at().count() == 25
    assert not read_anew
    assert json.loads((path / "columns" / "manifest.json").read_text())["sequence"] == 2
    before = files_of(path)
    with KnowledgeBase.open(path, **WHO, read_only=True) as kb:
        assert objects(kb.at()) == list(range(25))
    assert files_of(path) == before


@pytest.mark.quick
@pytest.mark.parametrize("name", ["manifest.json", "texts", *(f"{name}.npy" for name in DTYPES)])
@pytest.mark.parametrize("damage", ["changed", "cut", "gone"])
def test_damaged_files_are_made_anew(path, name, damage):
    file = path / "columns" / name
    content = file.read_bytes()
    if damage == "gone":
        file.unlink()
    elif damage == "cut":
        file.write_bytes(content[:-5])
    else:
        middle = len(content) // 2
        file.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    with KnowledgeBase.open(path, **WHO) as kb:
        assert objects(kb.at()) == list(range(20))
        assert kb.at().count() == 20
    with KnowledgeBase.open(path, **WHO) as kb:
        assert kb._base.columns.for_scan() is not None, "the files are whole again"


@pytest.mark.quick
def test_files_of_another_base_or_of_another_past_are_not_taken(path, tmp_path):
    other = tmp_path / "other"
    with KnowledgeBase.open(other, **WHO) as kb:
        write(kb, range(100, 103))
        assert objects(kb.at()) == [100, 101, 102]
    for name, content in files_of(path).items():
        (other / "columns" / name).write_bytes(content)
    with KnowledgeBase.open(other, **WHO) as kb:
        assert kb._base.columns.for_scan() is None
        assert objects(kb.at()) == [100, 101, 102]
    manifest = path / "columns" / "manifest.json"
    told = json.loads(manifest.read_text())
    for change in ({"proof": "00" * 32}, {"sequence": 9}, {"format": 99}, {"sha256": {}}):
        manifest.write_text(json.dumps(told | change))
        with KnowledgeBase.open(path, **WHO, read_only=True) as kb:
            assert kb._base.columns.for_scan() is None
            assert objects(kb.at()) == list(range(20))
    manifest.write_text(json.dumps(told))
    with KnowledgeBase.open(path, **WHO, read_only=True) as kb:
        assert kb._base.columns.for_scan() is not None


@pytest.mark.quick
def test_what_a_kill_left_is_no_hindrance(path):
    left = path / "columns.new"
    left.mkdir()
    (left / "texts").write_bytes(b"half")
    with KnowledgeBase.open(path, **WHO) as kb:
        write(kb, [20])
        assert objects(kb.at()) == list(range(21))
    assert not left.exists()
    assert json.loads((path / "columns" / "manifest.json").read_text())["sequence"] == 2


@pytest.mark.quick
def test_files_that_cannot_be_written_cost_no_answer(path, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    with KnowledgeBase.open(path, **WHO) as kb:
        write(kb, [20])
        assert objects(kb.at()) == list(range(21))
        monkeypatch.setattr("semantica_rdf.columns.files._write", refuse)
        with pytest.raises(ProcessingError) as refused:
            kb.rebuild_columns()
        assert refused.value.code == "not_writable"
        assert objects(kb.at()) == list(range(21))
    monkeypatch.undo()
    assert not (path / "columns").exists()
    with KnowledgeBase.open(path, **WHO) as kb:
        assert objects(kb.at()) == list(range(21))
        kb.rebuild_columns()
        assert (path / "columns" / "manifest.json").exists()
    with KnowledgeBase.open(path, **WHO, read_only=True) as kb:
        with pytest.raises(ValidationError, match="read-only") as refused:
            kb.rebuild_columns()
        assert refused.value.code == "read_only"


@pytest.mark.quick
def test_a_large_step_is_read_anew_and_a_small_one_followed(monkeypatch):
    monkeypatch.setattr(columns_module, "FEW_NODES", 10)
    with KnowledgeBase.memory(**WHO) as kb:
        write(kb, range(30))
        first = kb._base.columns.whole()
        write(kb, range(30, 35))
        followed = kb._base.columns.near()
        assert followed is not None
        assert followed.dictionary is first.dictionary
        write(kb, range(35, 60))
        assert kb._base.columns.near() is None
        assert objects(kb.at(), subject=EX + "s0") == list(range(0, 60, 5))
        anew = kb._base.columns.whole()
        assert anew.dictionary is not first.dictionary
        assert objects(kb.at()) == list(range(60))


@pytest.mark.quick
def test_facts_come_in_the_order_of_the_record_looked_up_or_from_columns():
    with KnowledgeBase.memory(**WHO) as kb:
        write(kb, [9, 4, 7, 14, 2, 19])
        looked_up = kb.at().facts(subject=EX + "s4")
        assert kb._base.columns.near() is None
        assert [fact.object.to_python() for fact in looked_up] == [9, 4, 14, 19]
        assert [fact.object.to_python() for fact in kb.at().facts()] == [9, 4, 7, 14, 2, 19]
        assert kb._base.columns.near() is not None
        assert kb.at().facts(subject=EX + "s4") == looked_up
        assert kb.at().facts(subject=EX + "s4")[1:3] == list(looked_up)[1:3]
        assert len(kb.at().facts(EX + "s4", EX + "p9")) == 0


@pytest.mark.quick
def test_many_look_ups_load_the_files_and_never_make_a_table(path):
    with KnowledgeBase.open(path, **WHO) as kb:
        for number in range(2 * ASKED_BEFORE_LOADED):
            assert objects(kb.at(), subject=EX + "s1") == [1, 6, 11, 16]
            assert (kb._base.columns._made is not None) == (number >= ASKED_BEFORE_LOADED - 1)
        assert kb._base.columns.near() is not None
    with KnowledgeBase.memory(**WHO) as kb:
        write(kb, range(20))
        for _ in range(2 * ASKED_BEFORE_LOADED):
            assert objects(kb.at(), subject=EX + "s1") == [1, 6, 11, 16]
        assert kb._base.columns.near() is None


@pytest.mark.quick
def test_a_view_stays_warm_until_its_own_namespace_changes():
    moments = iter(datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 32))
    with KnowledgeBase.memory(**WHO, clock=lambda: next(moments)) as kb:
        write(kb, range(6))
        write(kb, range(3), namespace="other")
        count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"

        def rule(**where):
            return kb.at(**where).explain_plan(count).rule

        def counted(**where):
            (row,) = kb.at(**where).query(count, strategy="materialise")
            return row.n.to_python()

        kb._base.columns.whole()
        assert counted(valid_at="2026-03-01") == 6
        assert rule(valid_at="2026-04-01") == "warm-view"
        assert rule(valid_at="2026-04-01", namespace="other") != "warm-view"
        write(kb, range(3, 5), namespace="other")
        assert rule(valid_at="2026-05-01") == "warm-view"
        assert counted(valid_at="2026-05-01") == 6
        assert len(kb._base.kept) == 1
        before = kb.at(valid_at="2026-05-01")
        write(kb, range(6, 8))
        assert rule(valid_at="2026-05-01") != "warm-view"
        assert before.explain_plan(count).rule == "warm-view"
        assert counted(valid_at="2026-05-01") == 8
        assert [row.n.to_python() for row in before.query(count)] == [6]


@pytest.mark.quick
def test_a_boundary_between_two_coordinates_makes_two_views():
    with KnowledgeBase.memory(**WHO) as kb:
        with kb.transaction(reason="a step") as tx:
            tx.assert_(EX + "a", EX + "p", 1, valid_from="2026-01-01", valid_until="2026-02-01")
            tx.assert_(EX + "b", EX + "p", 2, valid_until="2026-03-01")
        kb._base.columns.whole()
        every = "SELECT ?o { ?s ?p ?o }"
        for day, wanted in (
            ("2025-12-31", 1),
            ("2026-01-01", 2),
            ("2026-02-01", 1),
            ("2026-03-01", 0),
        ):
            assert len(kb.at(valid_at=day).query(every, strategy="materialise")) == wanted
        assert len(kb._base.kept) == 4
        for day, wanted in (("2020", 1), ("2026-01-31", 2), ("2026-02-28", 1), ("2030", 0)):
            assert len(kb.at(valid_at=day).query(every, strategy="materialise")) == wanted
        assert len(kb._base.kept) == 4
