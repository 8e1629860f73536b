"""Instants and bounds: every accepted spelling, every refusal with its code, no drift."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import errors, literal
from semantica_rdf.model import vocab
from semantica_rdf.model.time import (
    FIRST_INSTANT,
    LAST_INSTANT,
    Window,
    datetime_of,
    end_of,
    instant_of_datetime,
    instant_text,
    period_of,
    start_of,
)

pytestmark = pytest.mark.quick

PLUS_TWO = timezone(timedelta(hours=2))


def typed(text, name):
    return literal(text, datatype=vocab.XSD + name)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026", "2026-01-01T00:00:00Z"),
        ("2026-09", "2026-09-01T00:00:00Z"),
        ("2026-09-01", "2026-09-01T00:00:00Z"),
        ("2026-##-##", "2026-01-01T00:00:00Z"),
        ("2026-09-##", "2026-09-01T00:00:00Z"),
        ("20260901", "2026-09-01T00:00:00Z"),
        ("2026-W36", "2026-08-31T00:00:00Z"),
        ("2026-09-01T12:00Z", "2026-09-01T12:00:00Z"),
        ("2026-09-01T12:00:00+02:00", "2026-09-01T10:00:00Z"),
        ("2026-09-01T12:00:00-00:01", "2026-09-01T12:01:00Z"),
        ("2026-09-01T12:00:00.5000000Z", "2026-09-01T12:00:00.5Z"),
        ("2026-09-01T24:00:00Z", "2026-09-02T00:00:00Z"),
        ("2015-09-24-06:00", "2015-09-24T06:00:00Z"),
        ("2015-09-24Z", "2015-09-24T00:00:00Z"),
        ("2026-01+01:00", "2025-12-31T23:00:00Z"),
        ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("9999", "9999-01-01T00:00:00Z"),
        (date(2026, 9, 1), "2026-09-01T00:00:00Z"),
        (datetime(2026, 9, 1, 12, tzinfo=PLUS_TWO), "2026-09-01T10:00:00Z"),
        (typed("1616", "gYear"), "1616-01-01T00:00:00Z"),
        (typed("2002-01", "gYearMonth"), "2002-01-01T00:00:00Z"),
        (typed("2026-09-01", "date"), "2026-09-01T00:00:00Z"),
        (typed("2026-09-01T00:00:00Z", "dateTimeStamp"), "2026-09-01T00:00:00Z"),
        (rdflib.Literal("2012", datatype=rdflib.XSD.gYear), "2012-01-01T00:00:00Z"),
    ],
)
def test_a_bound_is_the_instant_at_the_start_of_its_period(value, expected):
    assert instant_text(start_of(value).instant) == expected
    assert end_of(value).instant == start_of(value).instant


@pytest.mark.parametrize(
    ("value", "inclusive_end"),
    [
        ("2026", "2027-01-01T00:00:00Z"),
        ("2026-12", "2027-01-01T00:00:00Z"),
        ("2024-02-28", "2024-02-29T00:00:00Z"),
        ("2026-##-##", "2027-01-01T00:00:00Z"),
        ("2026-W01", "2026-01-05T00:00:00Z"),
        ("2015-09-24-06:00", "2015-09-25T06:00:00Z"),
        ("2026-09-01T12:00:00Z", "2026-09-01T12:00:00Z"),
    ],
)
def test_an_inclusive_end_is_the_end_of_its_period(value, inclusive_end):
    assert instant_text(end_of(value, date_end="inclusive").instant) == inclusive_end
    assert instant_text(period_of(value).end) == inclusive_end


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("2026-09-01T12:00:00", "naive_datetime"),
        (datetime(2026, 9, 1), "naive_datetime"),  # noqa: DTZ001
        ("0000", "year_out_of_range"),
        ("-0012-11-29", "year_out_of_range"),
        ("-0444", "year_out_of_range"),
        ("12024", "year_out_of_range"),
        ("0001-01-01T00:00:00+14:00", "year_out_of_range"),
        ("9999-12-31T23:59:59-14:00", "year_out_of_range"),
        ("9999-12-31T24:00:00Z", "year_out_of_range"),
        ("2026-09-01T23:59:60Z", "leap_second"),
        ("2026-09-01T12:00:00.1234567Z", "too_precise"),
        ("2026-02-30", "bad_time"),
        ("2024-15-04", "bad_time"),
        ("2026-1-1", "bad_time"),
        ("2026-09-01 12:00:00Z", "bad_time"),
        ("2026-09-01T12:00:00z", "bad_time"),
        (" 2026-09-01", "bad_time"),
        ("2026-09-01\n", "bad_time"),
        ("\uff12\uff10\uff12\uff16-09-01", "bad_time"),
        ("2026-09-01T25:00:00Z", "bad_time"),
        ("2026-09-01T24:00:01Z", "bad_time"),
        ("2026-09-01T12:00:00+15:00", "bad_time"),
        ("2026-09-01T12:00:00+02:60", "bad_time"),
        ("02026-01-01", "bad_time"),
        ("2026-##-01", "bad_time"),
        ("2026-W54", "bad_time"),
        ("", "bad_time"),
        ("now", "bad_time"),
        (2026, "bad_time"),
        (2026.5, "bad_time"),
        (True, "bad_time"),
        ([], "bad_time"),
        (typed("2026", "integer"), "bad_time"),
        (typed("P1Y", "duration"), "bad_time"),
    ],
)
def test_what_is_no_bound_is_refused_with_its_code(value, code):
    for read in (start_of, end_of):
        with pytest.raises(errors.TemporalValidationError) as caught:
            read(value)
        assert caught.value.code == code
        assert "valid_" in caught.value.message
        assert caught.value.hint


def test_an_unknown_way_of_ending_is_refused():
    with pytest.raises(errors.TemporalValidationError) as caught:
        end_of("2026", date_end="inclusiv")
    assert caught.value.code == "bad_date_end"


def test_the_last_year_has_no_storable_end():
    with pytest.raises(errors.TemporalValidationError) as caught:
        end_of("9999", date_end="inclusive")
    assert caught.value.code == "year_out_of_range"
    assert end_of("9998", date_end="inclusive").instant == start_of("9999").instant


def test_a_named_zone_is_taken_for_what_names_none():
    naive = "2026-09-01T12:00:00"
    assert start_of(naive, zone=PLUS_TWO).instant == start_of(naive + "+02:00").instant
    assert start_of("2026-09-01", zone=PLUS_TWO).instant == start_of("2026-09-01+02:00").instant
    assert start_of(naive + "Z", zone=PLUS_TWO).instant == start_of(naive + "Z").instant


def test_the_sources_own_text_is_kept_where_it_says_it_otherwise():
    assert start_of("2026-09-01T00:00:00Z").text is None
    assert start_of("2026-09-01").text == "2026-09-01"
    assert start_of("2026-09-01T02:00:00+02:00").text == "2026-09-01T02:00:00+02:00"


instants = st.integers(FIRST_INSTANT, LAST_INSTANT)


@given(instants)
def test_an_instant_comes_back_from_its_text(instant):
    text = instant_text(instant)
    assert start_of(text) == (instant, None)
    assert instant_of_datetime(datetime_of(instant)) == instant
    assert datetime_of(instant).tzinfo is UTC


@given(instants, instants)
def test_texts_of_whole_seconds_sort_as_their_instants(first, second):
    first, second = (value - value % 1_000_000 for value in (first, second))
    if first >= FIRST_INSTANT and second >= FIRST_INSTANT:
        assert (first < second) == (instant_text(first) < instant_text(second))


@given(
    st.integers(0, 5), st.integers(1, 5), st.integers(0, 5), st.integers(1, 5), st.integers(0, 9)
)
def test_windows_overlap_when_they_share_an_instant(start, length, other, size, probe):
    one, two = Window(start, start + length), Window(other, other + size)
    shared = [at for at in range(12) if one.holds_at(at) and two.holds_at(at)]
    assert one.overlaps(two) == bool(shared)
    assert one.holds_at(probe) == (start <= probe < start + length)
