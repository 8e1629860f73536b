"""
Public bug reports of the family time: zones, precision, ends of windows, order of transactions.

Each test carries the report's id. The HTTP surface is not built yet: Python, the command line and
SPARQL stand for "every surface".
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import KnowledgeBase, errors, iri, literal
from semantica_rdf.cli.run import run
from semantica_rdf.model import vocab

EX = "https://example.org/"
ALICE, BOB, WORKS_FOR, NOTE = EX + "alice", EX + "bob", EX + "worksFor", EX + "note"
ACME = iri(EX + "acme")
XSD = vocab.XSD

pytestmark = pytest.mark.quick


def refused(code):
    return pytest.raises(errors.TemporalValidationError, check=lambda error: error.code == code)


def put(kb, value=ACME, **said):
    with kb.transaction(reason="test") as tx:
        made = tx.assert_(ALICE, WORKS_FOR, value, **said)
    return made, tx.receipt


def holds(kb, valid_at, **known):
    return kb.at(valid_at=valid_at, **known).count()


def value_of(kb, made):
    return kb.history(made)[0].object.value


def test_a_naive_bound_is_refused_by_name_and_bounds_order_by_instant(kb):
    """B001. Conflict detection is not in this release; ordering is what it would rest on."""
    with refused("naive_datetime") as caught:
        put(kb, valid_from="2025-09-05T21:02:11")
    assert "valid_from" in caught.value.message
    made, _ = put(kb, valid_from="2025-09-06T00:00:00+02:00")
    assert kb.history(made)[0].valid_from == datetime(2025, 9, 5, 22, tzinfo=UTC)
    assert (holds(kb, "2025-09-05T21:59:59Z"), holds(kb, "2025-09-05T22:00:00Z")) == (0, 1)


@pytest.mark.skipif(
    getattr(time, "tzset", None) is None, reason="the platform has one zone per process"
)
def test_the_zone_of_the_host_moves_nothing(tmp_path, monkeypatch):
    """B004."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        before = datetime.now(UTC)
        with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr") as kb:
            _, receipt = put(kb)
            assert before <= receipt.recorded_at <= datetime.now(UTC)
            around = [receipt.recorded_at + timedelta(minutes=minutes) for minutes in (-1, 1)]
            assert [holds(kb, moment, known_at=moment) for moment in around] == [0, 1]
        with KnowledgeBase.open(tmp_path / "kb") as kb:
            assert [holds(kb, moment, known_at=moment) for moment in around] == [0, 1]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_bounds_of_different_offsets_compare_as_instants(kb):
    """B007."""
    put(kb, valid_until="2026-06-16T14:00:00+02:00")
    assert holds(kb, "2026-06-16T12:00:00Z") == 0
    assert holds(kb, "2026-06-16T11:59:59Z") == 1


def test_the_sources_own_spelling_of_a_time_is_kept_and_a_reload_adds_nothing(kb):
    """B008."""
    documents = {
        EX + "one": f'<{ALICE}> <{NOTE}> "2011-01-25T00:00:00Z"^^<{XSD}dateTime> .',
        EX + "two": f'<{ALICE}> <{NOTE}> "2011-01-25T00:00:00+00:00"^^<{XSD}dateTime> .',
    }
    for source, text in documents.items():
        kb.load(text.encode(), format="turtle", source=source, reason="test")
    found = {item.source: item.source_text for item in kb.history((ALICE, NOTE, moment()))}
    assert found == {EX + "one": None, EX + "two": "2011-01-25T00:00:00+00:00"}
    assert kb.at().count() == 1
    exported = kb.export(format="turtle")
    report = kb.load(exported, format="turtle", reason="again")
    assert (report.stored, report.already_there) == (0, 2)
    assert kb.stats().statements == 2


def moment():
    return literal("2011-01-25T00:00:00Z", datatype="xsd:dateTime")


def test_an_offset_of_a_minute_is_not_no_zone(tmp_path):
    """B009. The store on disk loses that zone, so the value stands in UTC, its spelling beside."""
    minute = literal("2000-01-01T00:00:00-00:01", datatype="xsd:dateTime")
    naive = literal("2000-01-01T00:00:00", datatype="xsd:dateTime")
    with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr") as kb:
        ids = [put(kb, value)[0] for value in (minute, naive)]
    with KnowledgeBase.open(tmp_path / "kb") as kb:
        assert [value_of(kb, made) for made in ids] == ["2000-01-01T00:01:00Z", naive.value]
        assert kb.history(ids[0])[0].source_text == minute.value
        assert kb.at().count() == 2
        assert kb.verify().ok


@pytest.mark.parametrize(("text", "name"), [("2002", "gYear"), ("2002-01", "gYearMonth")])
def test_a_year_and_a_month_stay_what_they_are(kb, text, name):
    """B013."""
    made, _ = put(
        kb, literal(text, datatype=XSD + name), valid_during=literal(text, datatype=XSD + name)
    )
    exported = kb.export(view=kb.at(valid_at="2002-01-15"), format="turtle")
    assert [str(o) for o in rdflib.Graph().parse(data=exported, format="turtle").objects()] == [
        text
    ]
    assert [quad.object.value for quad in ox.parse(exported, ox.RdfFormat.TURTLE)] == [text]
    version = kb.history(made)[0]
    assert version.valid_from == datetime(2002, 1, 1, tzinfo=UTC)
    assert version.valid_until == {"gYear": datetime(2003, 1, 1, tzinfo=UTC)}.get(
        name, datetime(2002, 2, 1, tzinfo=UTC)
    )
    assert version.valid_from_text == text


def test_a_year_as_window_is_asked_by_instants(kb):
    """B014."""
    put(kb, valid_during=literal("1616", datatype="xsd:gYear"))
    assert holds(kb, "1616-06-01T00:00:00Z") == 1
    assert holds(kb, "1617-01-01T00:00:00Z") == 0


BEFORE_CHRIST = [("-0012-11-29", "date"), ("0000", "gYear"), ("-0444", "gYear"), ("12024", "gYear")]


@pytest.mark.parametrize(("text", "name"), BEFORE_CHRIST)
def test_years_outside_1_to_9999_are_kept_as_values_and_refused_as_bounds(kb, text, name):
    """B015, as the design decides for bounds."""
    value = literal(text, datatype=XSD + name)
    made, _ = put(kb, value)
    assert value_of(kb, made) == text
    assert kb.history(made)[0].source_text is None
    with refused("year_out_of_range"):
        put(kb, valid_from=value)


def test_years_outside_1_to_9999_sort_by_value(kb):
    """B015."""
    for text in ("12024", "0000", "-0444", "2024"):
        put(kb, literal(text, datatype="xsd:gYear"))
    rows = kb.at().query("SELECT ?y { ?s ?p ?y } ORDER BY ?y")
    assert [row["y"].value for row in rows] == ["-0444", "0000", "2024", "12024"]


def test_a_century_before_christ_is_never_shortened(kb):
    """B016. As a bound it is refused by name; as a value the padded year stays as it is."""
    with refused("year_out_of_range"):
        put(kb, valid_from="-0400-00-00T00:00:00Z")
    made, _ = put(kb, literal("-0400", datatype="xsd:gYear"))
    assert value_of(kb, made) == "-0400"
    assert b'"-0400"^^' in kb.export(view=kb.at(), format="nquads")


def test_the_zone_of_a_date_is_kept_as_value_and_as_bound(kb):
    """B017."""
    texts = ["2015-09-24-06:00", "2015-09-24Z"]
    ids = [put(kb, literal(text, datatype="xsd:date"))[0] for text in texts]
    assert [value_of(kb, made) for made in ids] == texts
    bounds = [put(kb, text, valid_from=literal(text, datatype="xsd:date"))[0] for text in texts]
    starts = [kb.history(made)[0].valid_from for made in bounds]
    assert [start.hour for start in starts] == [6, 0]


def test_trailing_zeros_of_seconds_stand_in_the_sources_text(kb):
    """B018."""
    text = "2023-06-04T20:36:33.100000"
    made, _ = put(kb, literal(text, datatype="xsd:dateTime"), valid_from=text + "Z")
    version = kb.history(made)[0]
    assert version.object.value == "2023-06-04T20:36:33.1"
    assert version.source_text == text
    assert version.valid_from_text == text + "Z"
    assert version.valid_from.microsecond == 100_000
    assert text.encode() in kb.export(format="turtle")


def test_an_empty_and_an_inverted_period_are_refused_and_hold_nowhere(kb):
    """B019, as the design decides: an empty window is refused, too."""
    year = literal("2024", datatype="xsd:gYear")
    day = literal("2024-01-01", datatype="xsd:date")
    with refused("empty_window"):
        put(kb, valid_from=year, valid_until=day)
    with refused("inverted_window"):
        put(kb, valid_from="2026-01-01", valid_until="2020-01-01")
    assert kb.stats().statements == 0
    put(kb, valid_from=year, valid_until="2024-01-02")
    assert holds(kb, "2024-01-01T12:00:00Z") == 1


def test_a_date_as_end_means_the_same_on_every_surface(tmp_path, monkeypatch, capsys):
    """B020: exclusive for every precision; `date_end="inclusive"` takes the whole day."""
    monkeypatch.chdir(tmp_path)
    path, at = tmp_path / "kb", "2025-12-31T14:00:00Z"
    common = ["--kb", str(path), "--agent", EX + "ann", "--source", EX + "hr", "--reason", "test"]
    with KnowledgeBase.open(path, agent=EX + "ann", source=EX + "hr") as kb:
        put(kb, "python", valid_until="2025-12-31")
        put(kb, "python, inclusive", valid_until="2025-12-31", date_end="inclusive")
    for text, words in (("shell", []), ("shell, inclusive", ["--date-end", "inclusive"])):
        asked = ["assert", ALICE, WORKS_FOR, text, "--valid-until", "2025-12-31", *words, *common]
        assert run(asked) == 0
    capsys.readouterr()
    wanted = {"python, inclusive", "shell, inclusive"}
    assert run(["show", ALICE, "--valid-at", at, "--kb", str(path), "--json"]) == 0
    shown = capsys.readouterr().out
    assert json.loads(shown)
    assert ("python, inclusive" in shown, '"python"' in shown) == (True, False)
    assert ("shell, inclusive" in shown, '"shell"' in shown) == (True, False)
    with KnowledgeBase.open(path) as kb:
        view = kb.at(valid_at=at)
        assert {fact.object.value for fact in view.facts()} == wanted
        assert {row["o"].value for row in view.query("SELECT ?o { ?s ?p ?o }")} == wanted
        assert holds(kb, "2025-12-30T23:59:59Z") == 4
        assert holds(kb, "2026-01-01T00:00:00Z") == 0


def test_the_start_is_inside_on_both_axes(kb):
    """B021."""
    _, receipt = put(kb, valid_from="2026-05-01")
    recorded = receipt.recorded_at
    assert holds(kb, "2026-05-01T00:00:00Z", known_at=recorded) == 1
    assert holds(kb, "2026-04-30T23:59:59.999999Z", known_at=recorded) == 0
    assert holds(kb, "2026-05-01T00:00:00Z", known_at=recorded - timedelta(microseconds=1)) == 0


def test_the_hour_24_is_the_next_midnight(kb):
    """B023."""
    made, _ = put(kb, valid_until="2026-01-01T24:00:00Z")
    assert kb.history(made)[0].valid_until == datetime(2026, 1, 2, tzinfo=UTC)
    assert holds(kb, "2026-01-01T23:59:59.999999Z") == 1
    assert holds(kb, "2026-01-02T00:00:00Z") == 0


def test_an_impossible_date_is_refused_by_value_everywhere(kb, tmp_path, capsys):
    """B024. The command line stands for HTTP 400: exit code 3, the value named on stderr."""
    with refused("bad_time") as caught:
        kb.at(valid_at="2024-15-04")
    assert "2024-15-04" in caught.value.message
    with refused("bad_time") as caught:
        put(kb, valid_from="2026-02-30")
    assert "2026-02-30" in caught.value.message
    assert kb.stats().statements == 0
    KnowledgeBase.open(tmp_path / "kb").close()
    where = ["--kb", str(tmp_path / "kb")]
    assert run(["show", ALICE, "--valid-at", "2024-15-04", *where]) == 3
    assert "2024-15-04" in capsys.readouterr().err
    assert run(["show", ALICE, "--valid-at", "2024-05-04", *where]) != 3


def test_a_clock_set_back_does_not_take_transactions_with_it(kb, clock):
    """B026. There is no way to ask for a record time, earlier or later."""
    clock.set("2026-10-01T12:00:05+00:00")
    _, first = put(kb, "first")
    clock.set("2026-10-01T12:00:00+00:00")
    _, second = put(kb, "second")
    assert second.recorded_at > first.recorded_at
    between = kb.at(known_at=second.recorded_at - timedelta(microseconds=1))
    assert {fact.object.value for fact in between.facts()} == {"first"}
    with pytest.raises(TypeError), kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, NOTE, "x", recorded_at="2020-01-01")  # type: ignore[call-arg]
    assert kb.stats().statements == 2


def test_a_clock_set_back_between_two_runs_does_no_harm(tmp_path, clock):
    """B027."""
    clock.set("2026-10-01T12:00:00+00:00")
    with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr", clock=clock) as kb:
        _, first = put(kb, "first")
    clock.set("2026-10-01T11:00:00+00:00")
    with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr", clock=clock) as kb:
        _, second = put(kb, "second")
        assert second.recorded_at > first.recorded_at
        assert kb.verify().ok
        assert kb.at().count() == 2


def test_old_data_without_a_date_is_not_from_today(kb):
    """B031."""
    text = f'<{ALICE}> <{NOTE}> "written in 2019, of no date" .'
    report = kb.load(text.encode(), format="turtle", source=EX + "2019", reason="backfill")
    (version,) = kb.history((ALICE, NOTE, "written in 2019, of no date"))
    assert (version.valid_from, version.valid_until) == (None, None)
    assert version.recorded == report.receipt.recorded_at
    assert version.recorded.year == 2026
    assert holds(kb, "1850") == 1
