"""Nightly full extracts: what is new begins, what is missing ends, the rest is not touched."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from semantica_rdf import Iri, KnowledgeBase
from semantica_rdf.errors import CallerError, ValidationError

EX = "https://example.org/"
SOURCE, OTHER = EX + "hr", EX + "payroll"
PEOPLE = tuple("abcdefghijkl")
MAPPING = {
    "format": {"kind": "csv"},
    "subject": {"column": "who", "base": EX},
    "predicate": {"iri": EX + "is"},
    "object": {"column": "what"},
}


@pytest.fixture
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.memory(agent="urn:test:agent") as base:
        yield base


def _lines(names, graph=""):
    place = f" <{EX}{graph}>" if graph else ""
    return "".join(f"<{EX}{n}> <{EX}is> <{EX}here>{place} .\n" for n in names).encode()


def _load(base, names, day, **more):
    document = _lines(names) if isinstance(names, str | tuple | list) else names
    given = {"format": "nt", "source": SOURCE, "reason": "nightly", **more}
    return base.load(document, mode="snapshot", valid_from=f"2026-01-{day:02}", **given)


def _names(base, day):
    return {f.subject.value.removeprefix(EX) for f in base.at(valid_at=f"2026-01-{day:02}").facts()}


def _refused(base, *args, **more):
    before = base.head(), base.at().count()
    with pytest.raises(CallerError) as refused:
        _load(base, *args, **more)
    assert (base.head(), base.at().count()) == before
    return refused.value


@pytest.mark.quick
def test_the_next_extract_ends_begins_and_leaves_alone(base):
    first = _load(base, PEOPLE, 1)
    assert (first.stored, first.closed, first.unchanged) == (12, 0, 0)
    report = _load(base, [*PEOPLE[1:], "new"], 2)
    assert (report.read, report.stored, report.already_there) == (12, 1, 11)
    assert (report.closed, report.unchanged, report.withdrawn) == (1, 11, 0)
    assert str(report) == "read 12: stored 1, already there 11, closed 1, unchanged 11"
    assert report.to_dict()["closed"] == 1
    assert report.to_dict()["snapshot"] == "2026-01-02T00:00:00Z"
    assert _names(base, 1) == set(PEOPLE)
    assert _names(base, 2) == {*PEOPLE[1:], "new"}
    assert len(base.history((EX + "b", EX + "is", Iri(EX + "here")))) == 1
    assert base.verify().ok


@pytest.mark.quick
def test_the_same_file_again_writes_nothing(base):
    _load(base, PEOPLE, 1)
    head = base.head()
    for day in (1, 2, 9):
        again = _load(base, PEOPLE, day)
        assert (again.receipts, again.stored, again.closed, again.unchanged) == ((), 0, 0, 12)
    assert base.head() == head


def test_a_fact_that_comes_back_is_said_anew(base):
    _load(base, PEOPLE, 1)
    _load(base, PEOPLE[1:], 3)
    assert _load(base, PEOPLE, 5).stored == 1
    held = [day for day in range(1, 8) if "a" in _names(base, day)]
    assert held == [1, 2, 5, 6, 7]
    windows = [
        (s.valid_from.day, s.valid_until and s.valid_until.day)
        for s in base.history((EX + "a", EX + "is", Iri(EX + "here")))
        if s.is_open
    ]
    assert windows == [(1, 3), (5, None)]


def test_a_file_cut_in_a_line_is_refused(base):
    _load(base, PEOPLE, 1)
    assert _refused(base, _lines(PEOPLE)[:-10], 2).code == "syntax_error"


@pytest.mark.parametrize("document", [b"", _lines("ab")])
def test_a_truncated_or_empty_file_is_refused(base, document):
    _load(base, PEOPLE, 1)
    error = _refused(base, document, 2)
    assert error.code == "too_many_closed"
    assert "of the 12 statements" in error.message
    assert "max_closed" in (error.hint or "")
    assert _load(base, document, 2, max_closed=1).closed == 12 - document.count(b"\n")


def test_the_share_is_met_exactly(base):
    _load(base, [f"n{i}" for i in range(100)], 1)
    assert (
        _refused(base, [f"n{i}" for i in range(71)], 2, max_closed=0.28).code == "too_many_closed"
    )
    assert _load(base, [f"n{i}" for i in range(71)], 2, max_closed=0.29).closed == 29


def test_the_first_extract_of_a_source_may_be_empty(base):
    assert _load(base, b"", 1).receipts == ()
    assert base.at().count() == 0


def test_older_dates_are_refused_and_the_same_date_corrects(base):
    _load(base, PEOPLE, 1)
    _load(base, [*PEOPLE[1:], "x"], 5)
    assert _refused(base, PEOPLE, 4).code == "older_snapshot"
    report = _load(base, [*PEOPLE[1:], "y"], 5)
    assert (report.withdrawn, report.closed, report.stored) == (1, 0, 1)
    assert "withdrawn 1" in str(report)
    assert _names(base, 5) == {*PEOPLE[1:], "y"}
    _load(base, PEOPLE[1:], 6)
    assert _refused(base, [*PEOPLE[1:], "y"], 5).code == "older_snapshot"


def test_a_planned_end_is_no_change_and_a_later_start_of_a_load_is(base):
    given = {"format": "nt", "source": SOURCE, "reason": "plan"}
    base.load(_lines("p"), valid_from="2025", valid_until="2030", **given)
    _load(base, ["p", "q"], 1)
    assert (_load(base, ["p", "q"], 2).unchanged, _names(base, 2)) == (2, {"p", "q"})
    base.load(_lines("r"), valid_from="2027", **given)
    assert _refused(base, ["p", "q"], 3).code == "older_snapshot"


def test_what_somebody_knew_ahead_stands_in_no_extract_s_way(base):
    _load(base, PEOPLE, 1)
    here = EX + "is", Iri(EX + "here")
    with base.transaction(reason="notice") as tx:
        tx.retract((EX + "a", *here), valid_until="9000")
        tx.assert_(EX + "r", *here, source=SOURCE, valid_from="9001")
    assert _load(base, PEOPLE, 2).unchanged == 12
    left = _load(base, PEOPLE[1:], 3)
    assert (left.closed, left.unchanged, _names(base, 3)) == (1, 11, set(PEOPLE[1:]))
    assert _refused(base, PEOPLE, 2).code == "older_snapshot"
    assert base.at(valid_at="9002").facts(EX + "r")


@pytest.mark.parametrize("verb", ["retract", "assert_"])
def test_what_was_recorded_afterwards_is_a_change(base, verb):
    _load(base, PEOPLE, 1)
    here = EX + "is", Iri(EX + "here")
    with base.transaction(reason="late news") as tx:
        if verb == "retract":
            tx.retract((EX + "a", *here), valid_until="2026-01-05")
        else:
            tx.assert_(EX + "r", *here, source=SOURCE, valid_from="2026-01-05")
    assert _refused(base, PEOPLE, 4).code == "older_snapshot"
    assert _load(base, PEOPLE, 5, max_closed=0.1).receipts


def test_an_extract_dated_ahead_is_a_change_too(base):
    _load(base, PEOPLE, 1)
    ahead = {"format": "nt", "source": SOURCE, "reason": "early", "mode": "snapshot"}
    base.load(_lines(PEOPLE[1:]), valid_from="9000", **ahead)
    assert _refused(base, PEOPLE, 2).code == "older_snapshot"


def test_other_sources_and_namespaces_are_untouched(base):
    base.load(_lines("ab"), format="nt", source=OTHER, reason="other")
    _load(base, PEOPLE, 1)
    _load(base, PEOPLE, 1, namespace="test")
    assert _load(base, b"", 2, max_closed=1).closed == 12
    assert _names(base, 2) == {"a", "b"}
    assert base.at(valid_at="2026-01-02", namespace="test").count() == 12


def test_named_graphs_and_the_default_graph_are_one_state(base):
    both = _lines(PEOPLE) + _lines(PEOPLE, "g")
    _load(base, both, 1, format="nquads")
    report = _load(base, _lines(PEOPLE) + _lines(PEOPLE[1:], "g"), 2, format="nquads")
    assert (report.closed, report.unchanged) == (1, 23)
    graph = [q for q in base.at(valid_at="2026-01-02").quads() if q.graph_name != ox.DefaultGraph()]
    assert len(graph) == 11


def test_blank_nodes_are_found_again(base):
    text = """@prefix e: <https://example.org/> .
    e:ann e:address [ e:city "Zug" ; e:street [ e:name "Main" ] ] . e:bob e:address [ e:city "Bern" ] .
    """
    _load(base, text.encode(), 1, format="turtle")
    assert _load(base, text.encode(), 2, format="turtle").receipts == ()
    edited = text.replace('"Bern"', '"Basel"').encode()
    report = _load(base, edited, 3, format="turtle", max_closed=0.5)
    assert (report.closed, report.stored, report.unchanged) == (2, 2, 4)


def _table(rows):
    out = io.StringIO()
    csv.writer(out).writerows([("who", "what", "id", "sure"), *rows])
    return out.getvalue().encode()


def test_mapped_tables_with_labels(base):
    given = {"mapping": MAPPING, "format": "csv", "max_closed": 1}
    first = _load(base, _table([("Ann Lee", "boss", "", ""), ("bo", "clerk", "", "")]), 1, **given)
    assert (first.stored, first.labels) == (2, 1)
    second = _load(base, _table([("bo", "clerk", "", "")]), 2, **given)
    assert (second.closed, second.unchanged) == (2, 1)
    assert _load(base, _table([("bo", "clerk", "", "")]), 3, **given).receipts == ()


def test_support_ids_and_confidences(base):
    mapping = {**MAPPING, "statement": {"support_id": "id", "confidence": "sure"}}
    given = {"mapping": mapping, "format": "csv", "max_closed": 0.5}
    rows = [("ann", "boss", "hr-1", "0.9"), ("bo", "clerk", "hr-2", "0.5")]
    _load(base, _table(rows), 1, **given)
    assert _load(base, _table(rows), 2, **given).receipts == ()
    surer = [("ann", "boss", "hr-1", "0.95"), rows[1]]
    report = _load(base, _table(surer), 3, **{**given, "max_closed": 0})
    assert (report.stored, report.closed, report.unchanged) == (1, 1, 1)
    again = _load(base, _table([("ann", "boss", "hr-1", "0.99"), rows[1]]), 3, **given)
    assert (again.stored, again.withdrawn) == (1, 1)
    _load(base, _table([rows[1]]), 4, **given)
    back = _load(base, _table(surer), 5, **given)
    assert (back.stored, back.unchanged) == (1, 1)
    assert [s.valid_from.day for s in base.history("hr-1") if s.is_open and s.support_id] == [5]
    assert base.verify().ok


def test_a_judgement_is_not_overturned_by_the_next_extract(base):
    _load(base, PEOPLE, 1)
    with base.transaction(reason="wrong") as tx:
        tx.reject(base.history((EX + "a", EX + "is", Iri(EX + "here")))[0].id)
    report = _load(base, PEOPLE, 2)
    assert (report.receipts, report.unchanged, report.already_there) == ((), 11, 12)
    assert "rejected" in report.warnings[0]
    assert _names(base, 2) == set(PEOPLE[1:])


def test_rows_with_windows_or_sources_of_their_own_are_refused(base):
    timed = {**MAPPING, "window": {"from": "since"}}
    table = b"who,what,since\nann,boss,2020\n"
    error = _refused(base, table, 1, mapping=timed, format="csv")
    assert (error.code, "line 2" in error.message) == ("snapshot_with_windows", True)
    sourced = {**MAPPING, "source": {"column": "since", "base": EX}}
    error = _refused(base, table, 1, mapping=sourced, format="csv")
    assert error.code == "snapshot_with_windows"
    same = {**MAPPING, "source": {"column": "since", "base": EX}}
    assert _load(base, b"who,what,since\nann,boss,hr\n", 1, mapping=same, format="csv").stored == 1


def test_the_date_is_not_read_in_the_zone_of_the_mapping(base):
    zoned = {**MAPPING, "window": {"from": "since", "timezone": "Europe/Zurich"}}
    given = {"mapping": zoned, "format": "csv"}
    table = b"who,what,since\nann,boss,\n"
    _load(base, table, 2, **given)
    [statement] = base.history((EX + "ann", EX + "is", None))
    assert statement.valid_from.isoformat() == "2026-01-02T00:00:00+00:00"
    assert _load(base, table, 2, **given).receipts == ()
    assert _load(base, b"who,what,since\nbo,boss,\n", 2, **given, max_closed=1).withdrawn == 1


def test_rows_that_contradict_each_other_are_refused_every_night(base):
    given = {"mapping": {**MAPPING, "statement": {"confidence": "sure"}}, "format": "csv"}
    one, two = ("ann", "boss", "", "0.9"), ("ann", "boss", "", "0.5")
    assert _refused(base, _table([one, two]), 1, **given).code == "snapshot_incomplete"
    _load(base, _table([one]), 1, **given)
    error = _refused(base, _table([one, two]), 2, **given)
    assert (error.code, "line 3" in error.message) == ("snapshot_incomplete", True)
    assert _load(base, _table([one, one]), 2, **given).receipts == ()


def test_two_claims_of_a_fact_come_back_under_their_ids(base):
    given = {
        "mapping": {**MAPPING, "statement": {"support_id": "id"}},
        "format": "csv",
        "max_closed": 1,
    }
    rows = [("ann", "boss", "hr-1", ""), ("ann", "boss", "hr-2", "")]
    for day, table in ((1, rows), (2, []), (3, rows)):
        report = _load(base, _table(table), day, **given)
    assert (report.stored, len(report.warnings)) == (2, 1)
    assert "kept once" in report.warnings[0]
    assert {key: len(base.at(valid_at=f"2026-01-0{key}").facts()) for key in (1, 2, 3)} == {
        1: 1,
        2: 0,
        3: 1,
    }
    current = base.history((EX + "ann", EX + "is", None))
    assert sorted(
        (s.valid_from.day, s.support_id) for s in current if s.is_open and s.valid_until is None
    ) == [(3, "hr-1"), (3, "hr-2")]
    assert base.verify().ok


@pytest.mark.parametrize(
    ("format", "document"),
    [
        ("csv", b"who,what\n"),
        ("turtle", b"@prefix e: <https://example.org/> .\n"),
        ("trig", b"<urn:test:g> { }"),
        ("jsonld", b'{"@context": {}, "@graph": []}'),
    ],
)
def test_a_whole_document_may_say_that_nothing_is_left(base, format, document):
    given = {"format": format, **({"mapping": MAPPING} if format == "csv" else {})}
    _load(base, PEOPLE, 1)
    assert _refused(base, document, 2, **given).code == "too_many_closed"
    assert _load(base, document, 2, max_closed=1, **given).closed == 12
    assert _load(base, document, 3, **given).receipts == ()


@pytest.mark.parametrize("document", [b'{"error": "not found"}', b'{"name": "Ann"}'])
def test_a_document_whose_content_would_be_lost_is_not_an_empty_state(base, document):
    _load(base, PEOPLE, 1)
    assert _refused(base, document, 2, format="jsonld", max_closed=1).code == "nothing_read"


def test_a_rejected_row_refuses_the_whole(base):
    table = b"who,what\nann,boss\nbo,\n"
    for dry_run in (False, True):
        error = _refused(base, table, 1, mapping=MAPPING, format="csv", dry_run=dry_run)
        assert (error.code, "line 3" in error.message) == ("snapshot_incomplete", True)
    taken = base.load(table, mapping=MAPPING, format="csv", source=SOURCE, reason="some")
    assert (taken.stored, len(taken.rejected)) == (1, 1)
    reserved = (
        _lines("a") + b"<urn:x:a> <https://w3id.org/semantica-rdf/ns#validFrom> <urn:x:a> .\n"
    )
    assert _refused(base, reserved, 1, max_closed=1).code == "snapshot_incomplete"


def test_a_dry_run_tells_the_same_counts_and_writes_nothing(base):
    _load(base, PEOPLE, 1)
    head = base.head()
    dry = _load(base, PEOPLE[1:], 2, dry_run=True)
    assert (base.head(), dry.receipts, dry.dry_run) == (head, (), True)
    real = _load(base, PEOPLE[1:], 2)
    counts = ("read", "stored", "already_there", "closed", "unchanged", "withdrawn")
    assert [getattr(dry, c) for c in counts] == [getattr(real, c) for c in counts]
    assert real.closed == 1


def test_what_a_snapshot_must_be_given(base):
    def code(**given):
        with pytest.raises(ValidationError) as refused:
            base.load(_lines("a"), format="nt", reason="x", **given)
        assert base.at().count() == 0
        return refused.value.code

    night = {"mode": "snapshot", "source": SOURCE, "valid_from": "2026-01-01"}
    assert code(**{**night, "source": None}) == "missing_source"
    assert code(**{**night, "valid_from": None}) == "missing_valid_from"
    assert code(**night, valid_until="2027") == "snapshot_with_windows"
    assert code(**night, chunk=10) == "bad_chunk"
    assert code(**{**night, "mode": "nightly"}) == "bad_mode"
    assert code(source=SOURCE, max_closed=0.5) == "bad_mode"
    for share in (-0.1, 1.5, float("nan"), "0.1", True):
        assert code(**night, max_closed=share) == "bad_max_closed"


def test_the_shapes_of_the_base_judge_what_an_extract_would_leave(base):
    shapes = f"""@prefix sh: <http://www.w3.org/ns/shacl#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    [] a sh:NodeShape ; sh:targetSubjectsOf <{EX}is> ;
      sh:property [ sh:path <{EX}is> ; sh:minLength 4 ; sh:maxCount 1 ] .
    """
    base.shapes.add(shapes.encode(), reason="rules")
    given = {"mapping": MAPPING, "format": "csv", "max_closed": 0.5}
    _load(base, _table([("ann", "boss", "", ""), ("bo", "clerk", "", "")]), 1, **given)
    for row in (("bo", "vet", "", ""), ("ann", "clerk", "", "")):
        table = _table([("ann", "boss", "", ""), row])
        for dry_run in (False, True):
            error = _refused(base, table, 2, **given, dry_run=dry_run)
            assert error.message.startswith("line ")
            assert 3 in error.lines[0]
    moved = _load(base, _table([("ann", "clerk", "", ""), ("bo", "clerk", "", "")]), 2, **given)
    assert (moved.closed, moved.stored, moved.unchanged) == (1, 1, 1)


def test_a_frame_is_an_extract_too(base):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"who": [*PEOPLE], "what": ["boss"] * 12})
    assert _load(base, frame, 1, mapping=MAPPING, format=None).stored == 12
    assert _load(base, frame, 2, mapping=MAPPING, format=None).receipts == ()
    assert _load(base, frame[1:], 3, mapping=MAPPING, format=None).closed == 1


def test_a_repeated_reference_records_nothing(base):
    _load(base, PEOPLE, 1)
    first = _load(base, PEOPLE[1:], 2, reference="night-2")
    again = _load(base, PEOPLE[1:], 2, reference="night-2")
    assert (first.closed, again.closed, again.receipt.sequence) == (1, 0, first.receipt.sequence)
    assert again.warnings


def test_a_path_and_an_rdflib_graph(base, tmp_path: Path):
    rdflib = pytest.importorskip("rdflib")
    path = tmp_path / "night.nt"
    path.write_bytes(_lines(PEOPLE))
    _load(base, PEOPLE, 1)
    graph = rdflib.Graph().parse(path, format="nt")
    for document in (path, graph):
        report = base.load(
            document, mode="snapshot", source=SOURCE, valid_from="2026-01-02", reason="nightly"
        )
        assert (report.unchanged, report.receipts) == (12, ())
