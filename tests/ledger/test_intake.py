"""Intake: from drafts to checked claims; one spelling of everything, the source's own kept beside."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import errors, iri, literal
from semantica_rdf.ledger.intake import Intake, checked_support_id, confidence_text, span_of
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.statement import FactKey
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window, start_of

EX = "https://example.org/"
INTAKE = Intake({"ex": EX}, "default", EX + "hr")

pytestmark = pytest.mark.quick


def draft(value="text", **said):
    return Draft(EX + "alice", EX + "name", value, **said)


def window(**said):
    return span_of(draft(**said)).window


def at(text):
    return start_of(text).instant


def test_three_ways_to_name_a_fact_are_one_fact():
    wanted = FactKey("default", "", f"<{EX}alice>", f"<{EX}knows>", f"<{EX}bob>")
    for subject, predicate, value in (
        (EX + "alice", EX + "knows", iri(EX + "bob")),
        ("ex:alice", "ex:knows", rdflib.URIRef(EX + "bob")),
        (ox.NamedNode(EX + "alice"), rdflib.URIRef(EX + "knows"), ox.NamedNode(EX + "bob")),
    ):
        assert INTAKE.claim(Draft(subject, predicate, value)).fact == wanted


@pytest.mark.parametrize(
    ("value", "source_text"),
    [
        (literal("01", datatype="xsd:integer"), "01"),
        (literal("1", datatype="xsd:integer"), None),
        (literal("1.10", datatype="xsd:decimal"), "1.10"),
        (
            literal("2026-09-01T00:00:00+00:00", datatype="xsd:dateTime"),
            "2026-09-01T00:00:00+00:00",
        ),
        (literal("abc", datatype="xsd:integer"), None),
        ("01", None),
    ],
)
def test_a_spelling_that_the_store_would_rewrite_is_kept_beside(value, source_text):
    assert INTAKE.claim(draft(value)).source_text == source_text


def test_the_transactions_source_stands_for_a_draft_without_one():
    assert INTAKE.claim(draft()).source == EX + "hr"
    assert INTAKE.claim(draft(source="ex:other")).source == EX + "other"
    assert Intake({}, "default", None).claim(draft()).source == ""


def test_a_draft_that_names_no_window_has_none():
    assert window() == (OPEN_START, OPEN_END)
    assert window(valid_from="2020") == (at("2020"), OPEN_END)
    assert window(valid_until="2020") == (OPEN_START, at("2020"))


def test_a_period_is_the_whole_window():
    assert window(valid_during="2020") == window(valid_from="2020", valid_until="2021")
    assert window(valid_during="2020-02") == window(valid_from="2020-02-01", valid_until="2020-03")
    year = literal("1616", datatype="xsd:gYear")
    assert window(valid_during=year) == window(valid_from="1616", valid_until="1617")
    assert span_of(draft(valid_during="2020")).from_text == "2020"


def test_an_inclusive_end_moves_to_the_end_of_its_period():
    assert window(valid_until="2020", date_end="inclusive") == window(valid_until="2021")
    assert window(valid_until=date(2020, 2, 28), date_end="inclusive").end == at("2020-02-29")
    exact = datetime(2020, 2, 28, 12, tzinfo=UTC)
    assert window(valid_until=exact, date_end="inclusive") == window(valid_until=exact)
    same = {"valid_from": "2020", "valid_until": "2020"}
    assert window(**same, date_end="inclusive") == window(valid_during="2020")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"valid_from": "2020", "valid_until": "2020"}, "empty_window"),
        ({"valid_from": "2024", "valid_until": "2024-01-01"}, "empty_window"),
        ({"valid_from": "2026-01-01", "valid_until": "2020-01-01"}, "inverted_window"),
        (
            {"valid_from": "2020-01-01T01:00:00+01:00", "valid_until": "2020-01-01T00:00:00Z"},
            "empty_window",
        ),
        ({"valid_during": "2020-01-01T00:00:00Z"}, "empty_window"),
        ({"valid_during": "2020", "valid_from": "2020"}, "two_windows"),
        ({"valid_during": "2020", "valid_until": "2020"}, "two_windows"),
        ({"valid_during": "9999"}, "year_out_of_range"),
        ({"valid_until": "9999", "date_end": "inclusive"}, "year_out_of_range"),
        ({"date_end": "inclusiv"}, "bad_date_end"),
        ({"valid_during": "2020", "date_end": ""}, "bad_date_end"),
    ],
)
def test_what_is_no_window_is_refused(said, code):
    with pytest.raises(errors.TemporalValidationError) as caught:
        span_of(draft(**said))
    assert caught.value.code == code


@given(st.integers(1, 9998), st.integers(1, 9998))
def test_any_two_years_are_a_window_or_refused(first, second):
    said = {"valid_from": f"{first:04}", "valid_until": f"{second:04}"}
    if first < second:
        assert window(**said) == Window(at(said["valid_from"]), at(said["valid_until"]))
    else:
        code = "empty_window" if first == second else "inverted_window"
        with pytest.raises(errors.TemporalValidationError) as caught:
            window(**said)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1, "1"),
        (0.5, "0.5"),
        ("0.90", "0.9"),
        ("1e-3", "0.001"),
        (Decimal("1.000"), "1"),
        (Decimal("-0.0"), "0"),
        (literal("0.25", datatype="xsd:decimal"), "0.25"),
        (None, None),
    ],
)
def test_a_confidence_is_a_decimal_from_0_to_1(value, text):
    assert confidence_text(value) == text


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        float("nan"),
        float("inf"),
        True,
        "",
        "high",
        "0_1",
        "\u0660",
        [],
        "1e-400",
        2**70,
    ],
)
def test_what_is_no_confidence_is_refused(value):
    with pytest.raises(errors.ValidationError) as caught:
        confidence_text(value)
    assert caught.value.code == "bad_confidence"


@given(st.decimals(0, 1, places=15))
def test_a_confidence_comes_back_as_the_same_number(value):
    assert Decimal(confidence_text(value)) == value
    assert confidence_text(confidence_text(value)) == confidence_text(value)


@pytest.mark.parametrize("value", ["", " ", 5, b"a", "\ud800"])
def test_what_is_no_support_id_is_refused(value):
    with pytest.raises(errors.ValidationError) as caught:
        checked_support_id(value)
    assert caught.value.code == "bad_support_id"


@pytest.mark.parametrize("value", ["hr-1", "12-3", "a b", "Ü", "a" * 1024, None])
def test_a_support_id_is_taken_as_it_is(value):
    assert checked_support_id(value) == value


def test_the_source_systems_record_time_is_an_instant():
    claim = INTAKE.claim(draft(source_recorded_at="2019-01-01"))
    assert claim.source_recorded_at == at("2019-01-01T00:00:00Z")
    with pytest.raises(errors.TemporalValidationError) as caught:
        INTAKE.claim(draft(source_recorded_at="2019-01-01T00:00:00"))
    assert (caught.value.code, "source_recorded_at" in str(caught.value)) == (
        "naive_datetime",
        True,
    )
