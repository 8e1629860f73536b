"""The picture of a history: each drawn cell says what the view says there, at any width."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.cli.output import Output
from semantica_rdf.cli.picture import MARKS, bands, drawn, grids_of, offsets, pictured
from semantica_rdf.cli.text import term_text
from semantica_rdf.errors import SemanticaError
from semantica_rdf.model.time import OPEN_END, OPEN_START, datetime_of

EX = "https://example.org/"
DAY = datetime(2026, 1, 1, tzinfo=UTC)
STEP = 1_000_000
WHO = {"agent": EX + "ann", "source": EX + "hr"}
BOXES = set(" ╵╷│╴┘┐┤╶└┌├─┴┬┼┆┄")
PLAIN = set(" |-+:.")

days = st.one_of(st.none(), st.integers(0, 5).map(lambda day: DAY + timedelta(days=day, hours=day)))
claims = st.tuples(
    st.sampled_from(["assert_", "assert_", "propose", "replace"]),
    st.sampled_from(["worksFor", "likes"]),
    st.sampled_from("abc"),
    days,
    days,
)
changes = st.tuples(
    st.sampled_from(["withdraw", "believe", "dispute", "retract"]), st.integers(0, 3), days
)


@st.composite
def bases(draw):
    """Return a base in memory that was told some claims and changes about one subject."""
    kb = KnowledgeBase.memory(**WHO)
    kb.prefixes.bind("ex", EX)
    ids = []
    for verb, *given_ in draw(st.lists(st.one_of(claims, claims, changes), min_size=1, max_size=8)):
        try:
            with kb.transaction(reason="test") as tx:
                if verb in {"assert_", "propose", "replace"}:
                    predicate, value, start, end = given_
                    window = {"valid_from": start, "valid_until": end}
                    getattr(tx, verb)("ex:bob", f"ex:{predicate}", iri(EX + value), **window)
                elif ids:
                    extra = {"valid_until": given_[1]} if verb == "retract" else {}
                    getattr(tx, verb)(ids[-1 - given_[0] % len(ids)], **extra)
        except SemanticaError:
            continue
        ids += tx.receipt.statements
    return kb


def history(kb):
    return kb.history(("ex:bob", None, None)) if kb.stats().statements else []


def inside(window):
    """Return instants of a window: its first, one in it, its last; a far one where it is open."""
    start = window.start if window.start != OPEN_START else window.end - 1000 * STEP
    end = window.end if window.end != OPEN_END else start + 1000 * STEP
    if (window.start, window.end) == (OPEN_START, OPEN_END):
        start, end = 0, STEP
    return [datetime_of(instant) for instant in (start, (start + end) // 2, end - 1)]


def known_in(kb, grid, row):
    """Return the times of all transactions whose knowledge a row shows."""
    begin = grid.rows[row].instant
    end = grid.rows[row + 1].instant if row + 1 < len(grid.rows) else OPEN_END
    every = [record.recorded_instant for record in kb.changes()]
    return [datetime_of(instant) for instant in every if begin <= instant < end]


def marks_by_the_view(kb, grid, valid, known):
    """Return the letters the view itself would put into a cell: the oracle."""
    facts = kb.at(valid_at=valid, known_at=known).facts("ex:bob", grid.title.split()[1])
    believed = {term_text(fact.object, kb.prefixes) for fact in facts}
    return "".join(value.mark for value in grid.values if value.text in believed)


@settings(max_examples=60, deadline=None)
@given(bases())
def test_each_cell_holds_what_the_view_says_there(kb):
    with kb:
        for grid in grids_of(history(kb), kb.prefixes):
            for row, cells in enumerate(grid.cells):
                for column, marks in zip(grid.columns, cells, strict=True):
                    for known in known_in(kb, grid, row):
                        for valid in inside(column):
                            assert marks == marks_by_the_view(kb, grid, valid, known)


@settings(max_examples=60, deadline=None)
@given(bases())
def test_outside_the_grid_nothing_is_believed(kb):
    with kb:
        for grid in grids_of(history(kb), kb.prefixes):
            known = [record.recorded_at for record in kb.changes()]
            outer = [DAY - timedelta(days=900), DAY + timedelta(days=900)]
            for valid in outer:
                instant = int((valid - datetime_of(0)).total_seconds()) * STEP
                if not any(column.holds_at(instant) for column in grid.columns):
                    assert not any(marks_by_the_view(kb, grid, valid, at) for at in known)
            before = [at for at in known if not grid.rows or at < datetime_of(grid.rows[0].instant)]
            for at in before:
                assert not marks_by_the_view(kb, grid, DAY + timedelta(days=2), at)


@settings(max_examples=60, deadline=None)
@given(bases(), st.sampled_from([20, 45, 60, 1000]), st.booleans())
def test_what_is_drawn_are_the_cells_and_edges_stand_where_cells_differ(kb, width, plain):
    with kb:
        for grid in grids_of(history(kb), kb.prefixes):
            shown = []
            for columns in bands(grid, width):
                lines = list(drawn(grid, columns, plain=plain))
                places = offsets(grid, columns)
                assert all(len(line) <= width for line in lines) or len(columns) == 1
                for row, cells in enumerate(grid.cells):
                    line = lines[2 + 2 * row].ljust(places[-1] + 1)
                    assert line.startswith(grid.rows[row].transaction)
                    for (start, end), number in zip(pairwise(places), columns, strict=True):
                        assert line[start + 1 : end].strip() == cells[number]
                        left = cells[number - 1] if number else ""
                        if left != cells[number]:
                            assert line[start] != " "
                        elif number != columns[0]:
                            assert line[start] == " "
                for border in lines[1::2]:
                    assert set(border) <= (PLAIN if plain else BOXES)
                shown += columns
            assert shown == list(range(len(grid.columns)))


@settings(max_examples=20, deadline=None)
@given(bases(), st.booleans())
def test_the_same_history_is_drawn_the_same_and_fits(kb, plain):
    with kb:
        first, second = (
            list(pictured(history(kb), kb.prefixes, width=70, plain=plain)) for _ in range(2)
        )
        assert first == second
        assert all(len(line) <= 70 for line in first)
        assert not plain or all(line.isascii() for line in first)


@pytest.mark.quick
def test_more_values_than_letters_have_a_grid_of_their_own():
    with KnowledgeBase.memory(**WHO) as kb:
        with kb.transaction(reason="test") as tx:
            tx.extend((EX + "bob", EX + "likes", number) for number in range(len(MARKS) + 3))
        grids = grids_of(kb.history((EX + "bob", None, None)), kb.prefixes)
        assert [grid.cells for grid in grids] == [((MARKS,),), ((MARKS[:3],),)]
        texts = [value.text for grid in grids for value in grid.values]
        assert sorted(map(int, texts)) == list(range(len(MARKS) + 3))


@pytest.mark.quick
def test_a_value_never_believed_is_named_with_its_standing_and_not_drawn(base):
    who = ("--source", "ex:hr", "--agent", "ex:ann", "--reason", "test")
    base("propose", "ex:eve", "ex:likes", "tea", *who)
    shown = base("history", "ex:eve", "--picture").out
    assert '  a  "tea"  (proposed, not believed)' in shown
    assert "┌" not in shown
    base("believe", "3-1", *who[2:])
    shown = base("history", "ex:eve", "--picture").out
    assert "not believed" not in shown
    assert "┆ a ┆" in shown


@pytest.mark.quick
def test_the_picture_of_a_fact_is_this(base):
    done = base("history", "ex:bob", "ex:worksFor", "ex:acme", "--picture")
    day = base("log", "--json").json[0]["recorded_at"][:10]
    assert done.out.splitlines() == [
        "ex:bob ex:worksFor",
        "  a  ex:acme",
        "known           2024-01-01 2025-01-01",
        "                ┌──────────┐",
        f"1-0 {day}  │    a     │",
        "                └┄┄┄┄┄┄┄┄┄┄┘",
        "",
        "right: valid time; down: as known after a transaction; dotted: open",
    ]


@pytest.mark.quick
def test_a_coordinate_crops_the_picture(base):
    who = ("--agent", "ex:ann", "--reason", "test")
    base("retract", "hr-1", "--valid-until", "2024-06-01", *who)
    whole = base("history", "hr-1", "--picture").out
    assert "3-0 " in whole
    assert "2024-06-01" in whole
    known = base("history", "hr-1", "--picture", "--known-at", "2-0").out
    assert "3-0 " not in known
    assert "2024-06-01" not in known
    at = base("history", "hr-1", "--picture", "--valid-at", "2024-02-01").out
    assert "2025-01-01" not in at
    assert base("history", "hr-1", "--picture", "--json").code == 2
    assert base("history", "hr-1", "--picture", "--format", "csv").code == 2
    assert base("history", "hr-1", "--picture", "--format", "table").code == 0


@pytest.mark.quick
def test_a_dumb_terminal_gets_plain_characters(monkeypatch):
    class Screen:
        encoding = "utf-8"

        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdout", Screen())
    for terminal, encoding, boxes in (
        ("dumb", "utf-8", False),
        ("xterm", "utf-8", True),
        ("xterm", "latin-1", False),
        ("xterm", "UTF8", True),
    ):
        monkeypatch.setenv("TERM", terminal)
        monkeypatch.setattr(Screen, "encoding", encoding)
        assert Output().draws_boxes is boxes
