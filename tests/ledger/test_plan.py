"""Plan: what each verb makes of a statement, by pure functions over values."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semantica_rdf import errors
from semantica_rdf.ledger.plan import cut, judged, retracted, version_of
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.time import OPEN_END, OPEN_START, Bound, Window

FACT = FactKey("default", "", "<urn:s>", "<urn:p>", "<urn:o>")

starts = st.one_of(st.just(OPEN_START), st.integers(0, 8))
ends = st.one_of(st.just(OPEN_END), st.integers(0, 8))
windows = st.builds(Window, starts, ends).filter(lambda window: window.start < window.end)

pytestmark = pytest.mark.quick


def statement(window, **said):
    return Statement(
        id="s1", fact=FACT, source="urn:hr", window=window, transaction="t", recorded_at=0,
        family="s1", support_id="hr-1", confidence="0.5", valid_from_text="from",
        valid_until_text="until", source_text="01", source_recorded_at=7, **said,
    )  # fmt: skip


@given(windows, st.integers(0, 8))
def test_a_retraction_shortens_or_is_refused_and_never_widens(window, until):
    before = statement(window)
    try:
        after = retracted(before, Bound(until, "text"))
    except errors.NothingToRetract:
        assert until >= window.end
    except errors.ValidationError as error:
        said = error.code, "withdraw" in error.hint, until <= window.start
        assert said == ("retract_before_start", True, True)
    else:
        assert after.claim.span.window == Window(window.start, until)
        assert window.start < until < window.end
        assert (after.claim.span.from_text, after.claim.span.until_text) == ("from", "text")


@given(windows, windows)
def test_a_cut_leaves_exactly_what_lies_outside(window, by):
    assume(window.overlaps(by))
    left, right = cut(statement(window), by)
    parts = [part.claim.span.window for part in (left, right) if part is not None]
    for at in range(-1, 10):
        inside = window.holds_at(at) and not by.holds_at(at)
        assert any(part.holds_at(at) for part in parts) == inside
    assert all(part.start < part.end for part in parts)


def test_a_cut_keeps_texts_of_the_bounds_that_stay_and_one_support_id():
    left, right = cut(statement(Window(0, 9)), Window(3, 5))
    assert left.claim.span == (Window(0, 3), "from", None)
    assert right.claim.span == (Window(5, 9), None, "until")
    assert (left.claim.support_id, right.claim.support_id) == ("hr-1", None)
    _, right = cut(statement(Window(3, 9)), Window(3, 5))
    assert right.claim.support_id == "hr-1"


def test_a_judgement_changes_the_standing_and_nothing_else():
    before = statement(Window(0, 9))
    after = judged(before, "disputed")
    assert after.standing == "disputed"
    assert after.claim == version_of(before).claim


@pytest.mark.parametrize("standing", ["believed", "proposed", "disputed", "rejected"])
def test_a_version_says_everything_a_statement_says(standing):
    said = version_of(statement(Window(0, 9), standing=standing))
    assert said.standing == standing
    assert said.claim.fact == FACT
    assert said.claim[1:] == (
        "urn:hr", (Window(0, 9), "from", "until"), "hr-1", "0.5", "01", 7,
    )  # fmt: skip
