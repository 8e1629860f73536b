"""Settle and interval sets against slow oracles over single instants; the five steps in order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.ledger.settle import settled
from semantica_rdf.model.interval_set import covers, difference, union
from semantica_rdf.model.statement import FactKey, Row, Statement
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window

FACT = FactKey("default", "", "<urn:s>", "<urn:p>", "<urn:o>")
GRID = range(9)

bounds = st.integers(0, 8)
windows = st.one_of(
    st.builds(Window, bounds, bounds),
    st.builds(Window, st.just(OPEN_START), bounds),
    st.builds(Window, bounds, st.just(OPEN_END)),
    st.just(Window()),
)
window_lists = st.lists(windows, max_size=5)


def instants(found):
    """Return which of some telling instants windows cover."""
    probes = [OPEN_START, *(step / 2 for step in range(-1, 18)), OPEN_END - 1]
    return {at for at in probes for window in found if window.start <= at < window.end}


def is_disjoint(found):
    return all(one.end < two.start for one, two in pairwise(found))


@pytest.mark.quick
@given(window_lists)
def test_a_union_covers_the_same_instants_in_windows_that_do_not_touch(given_windows):
    found = union(given_windows)
    assert instants(found) == instants(given_windows)
    assert is_disjoint(found)
    assert union(found) == found
    assert union(reversed(given_windows)) == found


@pytest.mark.quick
@given(window_lists, window_lists)
def test_a_difference_covers_what_only_the_first_covers(wanted, covered):
    found = difference(wanted, covered)
    assert instants(found) == instants(wanted) - instants(covered)
    assert is_disjoint(found)
    assert all(window.start < window.end for window in found)


@pytest.mark.quick
@given(window_lists, windows)
def test_covering_means_leaving_nothing_out(outer, inner):
    assert covers(outer, inner) == (instants([inner]) <= instants(outer))


def statement(number, window):
    return Statement(
        id=f"s{number}", fact=FACT, source="urn:s", window=window, transaction="t", recorded_at=0,
        family=f"s{number}",
    )  # fmt: skip


@st.composite
def situations(draw):
    """Draw (open rows, believed statements after, new ids, closing ids) that can stand together."""
    proper = windows.filter(lambda window: window.start < window.end)
    statements = [
        statement(number, window)
        for number, window in enumerate(draw(st.lists(proper, min_size=1, max_size=6)))
    ]
    old = statements[: draw(st.integers(0, len(statements)))]
    plan = settled([], old, new={item.id for item in old}, closing=())
    rows = [Row(item.id, FACT, item.window, 0) for item in old if item.id in plan.named]
    rows += [
        Row(f"m{number}", FACT, window, 0, by_statement=False)
        for number, window in enumerate(plan.minted)
    ]
    closing = {item.id for item in old if draw(st.booleans())}
    believed = [item for item in statements if item.id not in closing]
    new = {item.id for item in statements[len(old) :]}
    return rows, believed, new, closing


def rows_after(rows, believed, closing, plan):
    """Return the windows of the rows that stand when the plan is done."""
    gone = {*plan.closed, *closing}
    standing = [row.window for row in rows if row.id not in gone]
    standing += [item.window for item in believed if item.id in plan.named]
    return [*standing, *plan.minted]


@given(situations())
def test_rows_cover_exactly_what_is_believed_and_never_overlap(situation):
    rows, believed, new, closing = situation
    plan = settled(rows, believed, new=new, closing=closing)
    found = rows_after(rows, believed, closing, plan)
    assert union(found) == union(item.window for item in believed)
    ordered = sorted(found)
    assert not any(one.overlaps(two) for one, two in pairwise(ordered))


@given(situations())
def test_only_minted_rows_are_closed_and_only_new_statements_named(situation):
    rows, believed, new, closing = situation
    plan = settled(rows, believed, new=new, closing=closing)
    assert set(plan.closed) <= {row.id for row in rows if not row.by_statement}
    assert set(plan.named) <= new & {item.id for item in believed}
    wanted = union(item.window for item in believed)
    for row in rows:
        if not row.by_statement and row.id not in plan.closed:
            assert covers(wanted, row.window)


@pytest.mark.quick
def test_a_lone_statement_names_its_row_and_a_second_source_mints_nothing():
    first, second = statement(1, Window(0, 5)), statement(2, Window(0, 5))
    alone = settled([], [first], new={"s1"}, closing=())
    assert alone == ((), ("s1",), ())
    row = Row("s1", FACT, first.window, 0)
    assert settled([row], [first, second], new={"s2"}, closing=()) == ((), (), ())


@pytest.mark.quick
def test_what_a_closed_statement_carried_for_another_is_minted():
    second = statement(2, Window(2, 8))
    row = Row("s1", FACT, Window(0, 5), 0)
    minted = Row("m1", FACT, Window(5, 8), 0, by_statement=False)
    plan = settled([row, minted], [second], new=(), closing={"s1"})
    assert plan == ((), (), (Window(2, 5),))


@pytest.mark.quick
def test_a_minted_row_nothing_covers_any_more_is_closed_and_what_is_left_minted_anew():
    second = statement(2, Window(6, 8))
    minted = Row("m1", FACT, Window(5, 8), 0, by_statement=False)
    plan = settled([minted], [second], new=(), closing=())
    assert plan == (("m1",), (), (Window(6, 8),))
