"""Local times of a named zone: read by the clocks of the place, refused where those say nothing."""

# ruff: noqa: DTZ001  # local times are what is tried here

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from loading.recording import Recorder

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import TemporalValidationError, ValidationError
from semantica_rdf.ledger.intake import span_of
from semantica_rdf.loading import read_mapping
from semantica_rdf.model.time import checked_period, end_of, instant_text, start_of
from semantica_rdf.model.zones import zone_named

ZURICH = "Europe/Zurich"
ZONES = [ZURICH, "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "Australia/Lord_Howe",
         "Africa/Casablanca", "UTC", "Asia/Beirut", "Antarctica/Troll"]  # fmt: skip


def mapping(timezone_: str = ZURICH, **window: Any) -> dict[str, Any]:
    return {
        "format": {"kind": "csv"},
        "subject": {"column": "s", "base": "http://e/"},
        "predicate": {"iri": "http://e/p"},
        "object": {"column": "o"},
        "window": {"timezone": timezone_, **(window or {"from": "from", "until": "until"})},
    }


def spans(base: Recorder) -> list[tuple[str, str]]:
    """Return the windows of what was recorded, in UTC."""
    windows = [span_of(draft).window for draft in base.drafts]
    return [(shown(window.start), shown(window.end)) for window in windows]


def shown(instant: int) -> str:
    return "" if abs(instant) > 2**62 else instant_text(instant)


@pytest.mark.quick
def test_times_and_days_are_those_of_the_place_and_an_own_offset_wins() -> None:
    base = Recorder()
    text = (
        b"s,o,from,until\n"
        b"a,1,2024-01-15T12:00,2024-07-15T12:00:00.5\n"
        b"b,1,2024-01-15,2024-07-15\n"
        b"c,1,2024-01-15T12:00Z,2024-07-15T12:00-03:00\n"
        b"d,1,2024,2025\n"
    )
    report = base.load(text, mapping=mapping())
    assert (report.read, report.rejected) == (4, ())
    assert spans(base) == [
        ("2024-01-15T11:00:00Z", "2024-07-15T10:00:00.5Z"),
        ("2024-01-14T23:00:00Z", "2024-07-14T22:00:00Z"),
        ("2024-01-15T12:00:00Z", "2024-07-15T15:00:00Z"),
        ("2023-12-31T23:00:00Z", "2024-12-31T23:00:00Z"),
    ]


@pytest.mark.quick
def test_a_skipped_time_and_one_that_was_twice_are_refused_by_row() -> None:
    base = Recorder()
    text = (
        b"s,o,from,until\n"
        b"a,1,2024-03-31T01:59,\n"
        b"b,1,2024-03-31T02:30,\n"
        b"c,1,2024-10-27T02:30,\n"
        b"d,1,2024-10-27T02:30+02:00,\n"
        b"e,1,,2024-10-27T02:00\n"
        b"f,1,,2024-10-27T03:00\n"
    )
    report = base.load(text, mapping=mapping())
    assert [(item.line, item.code) for item in report.rejected] == [
        (3, "nonexistent_time"),
        (4, "ambiguous_time"),
        (6, "ambiguous_time"),
    ]
    assert "+02:00 or +01:00" in report.rejected[1].reason
    assert "Europe/Zurich" in report.rejected[0].reason
    assert report.stored == 3
    assert spans(base)[1][0] == "2024-10-27T00:30:00Z"


def test_without_a_zone_the_same_row_is_refused_as_naive() -> None:
    text = b"s,o,from,until\na,1,2024-01-15T12:00,\n"
    plain = mapping()
    del plain["window"]["timezone"]
    assert Recorder().load(text, mapping=plain).rejected_by_code == {"naive_datetime": 1}
    assert Recorder().load(text, mapping=mapping()).stored == 1


def test_roles_periods_and_record_times_are_read_in_the_zone_too() -> None:
    base = Recorder()
    window = {"role": "r", "date": "d", "starts": ["+"], "ends": ["-"], "date_end": "inclusive"}
    report = base.load(
        b"s,o,r,d\na,1,-,2024-07-15\na,1,+,2024-01-15T00:00\nb,1,+,2024-03-31T02:30\n",
        mapping=mapping(**window),
    )
    assert spans(base) == [("2024-01-14T23:00:00Z", "2024-07-15T22:00:00Z")]
    assert report.rejected_by_code == {"nonexistent_time": 1}
    base = Recorder()
    told = mapping(during="d") | {"statement": {"source_recorded_at": "at"}}
    base.load(b"s,o,d,at\na,1,2024-03-31,2024-04-01T09:00\n", mapping=told)
    assert spans(base) == [("2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z")]
    assert base.drafts[0].source_recorded_at == datetime(2024, 4, 1, 7, tzinfo=UTC)


def test_the_bounds_of_the_load_are_not_those_of_the_zone() -> None:
    base = Recorder()
    base.load(b"s,o,from,until\na,1,,\n", mapping=mapping(), valid_from="2024-01-15")
    (draft,) = base.drafts
    assert span_of(draft).window.start == start_of("2024-01-15").instant


def test_the_text_of_the_source_stays_beside_the_instant() -> None:
    with KnowledgeBase.memory(agent="urn:a", source="urn:s") as kb:
        kb.load(b"s,o,from,until\na,1,2024-01-15,\n", mapping=mapping(), reason="test")
        (statement, *_) = kb.history(("http://e/a", None, None))
        assert statement.valid_from_text == "2024-01-15"
        assert statement.valid_from == datetime(2024, 1, 14, 23, tzinfo=UTC)
        assert kb.at(valid_at="2024-01-14T23:00:00Z").count() == 1
        assert kb.at(valid_at="2024-01-14T22:59:59Z").count() == 0


def test_a_mapping_that_nests_too_deep_is_none() -> None:
    with pytest.raises(ValidationError) as refused:
        read_mapping(b"x = " + b"[" * 100_000 + b"]" * 100_000)
    assert refused.value.code == "bad_mapping"


@pytest.mark.parametrize(
    "name", ["Europe/Zürich", "Nowhere", "", "../../etc/passwd", "Europe", "+02:00", "/etc/passwd"]
)
def test_an_unknown_zone_is_a_bad_mapping_that_names_it(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read_mapping(mapping(name))
    assert refused.value.code == "bad_mapping"
    assert "timezone" in str(refused.value)
    with pytest.raises(ValidationError) as unknown:
        zone_named(name)
    assert unknown.value.code == "unknown_zone"
    assert read_mapping(mapping(ZURICH)).window.zone == ZoneInfo(ZURICH)


@pytest.mark.quick
def test_days_are_as_long_as_the_clocks_make_them() -> None:
    hour = 3_600_000_000
    for zone, day, hours in (
        (ZURICH, "2024-03-31", 23),
        (ZURICH, "2024-10-27", 25),
        (ZURICH, "20240331", 23),
        ("America/Sao_Paulo", "2018-11-04", 23),
        ("America/Sao_Paulo", "2018-02-17", 25),
        ("Australia/Lord_Howe", "2024-04-07", 24.5),
    ):
        period = checked_period(day, zone=zone_named(zone))
        assert period.end - period.start == hours * hour, (zone, day)
    week = checked_period("2024-W13", zone=zone_named(ZURICH))
    assert week.end - week.start == (7 * 24 - 1) * hour
    midnight = start_of("2024-03-31T24:00:00", zone=zone_named(ZURICH)).instant
    assert midnight == start_of("2024-04-01", zone=zone_named(ZURICH)).instant


def test_a_day_that_a_place_never_had_is_refused() -> None:
    apia = zone_named("Pacific/Apia")
    with pytest.raises(TemporalValidationError) as refused:
        start_of("2011-12-30", zone=apia)
    assert refused.value.code == "nonexistent_time"
    assert (
        end_of("2011-12-29", zone=apia, date_end="inclusive").instant
        == start_of("2011-12-31", zone=apia).instant
    )


def instants_shown(local: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return every instant at which the clocks of a zone show a time: slow, and obviously right."""
    around = local.replace(tzinfo=UTC)
    offsets = {
        (around + timedelta(minutes=15 * step)).astimezone(zone).utcoffset()
        for step in range(-200, 201)
    }
    found = {around - offset for offset in offsets if offset is not None}
    return sorted(one for one in found if one.astimezone(zone).replace(tzinfo=None) == local)


LOCAL = st.datetimes(datetime(1950, 1, 1), datetime(2037, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, second=0)
)


@given(
    st.one_of(
        LOCAL,
        st.sampled_from(
            [datetime(2024, 3, 31, 1), datetime(2024, 10, 27, 1), datetime(2018, 11, 3, 23),
             datetime(2018, 2, 17, 22), datetime(2011, 12, 29, 23), datetime(2024, 4, 7, 0)]
        ).flatmap(lambda day: st.integers(0, 240).map(lambda minutes: day + timedelta(minutes=minutes))),
    ),
    st.sampled_from(ZONES),
)  # fmt: skip
@example(datetime(2018, 11, 4, 0), "America/Sao_Paulo")
def test_a_local_time_is_the_one_instant_its_clocks_showed_it_or_refused(
    local: datetime, name: str
) -> None:
    zone = zone_named(name)
    moments = instants_shown(local, zone)
    for value in (local.isoformat(), local):
        try:
            instant = start_of(value, zone=zone).instant
        except TemporalValidationError as error:
            assert len(moments) == {"nonexistent_time": 0, "ambiguous_time": 2}[error.code]  # noqa: PT017
        else:
            assert [instant_text(instant)] == [
                one.isoformat().replace("+00:00", "Z") for one in moments
            ]


@given(LOCAL, st.sampled_from(ZONES))
def test_a_day_begins_at_the_first_instant_its_clocks_show_it(local: datetime, name: str) -> None:
    zone = zone_named(name)
    try:
        start = start_of(local.date(), zone=zone).instant
    except TemporalValidationError:
        assert (name, str(local.date())) == ("Pacific/Apia", "2011-12-30")
        return
    first = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=start)
    assert first.astimezone(zone).date() == local.date()
    before = first - timedelta(microseconds=1)
    assert before.astimezone(zone).date() < local.date()


@given(LOCAL, st.integers(-14 * 60, 14 * 60))
def test_a_fixed_offset_knows_no_gap_and_no_fold(local: datetime, minutes: int) -> None:
    zone = timezone(timedelta(minutes=minutes))
    assert (
        start_of(local.isoformat(), zone=zone).instant
        == start_of(local.replace(tzinfo=zone)).instant
    )
