"""The fact table of a view and the statement table of the record, in three formats."""

from __future__ import annotations

import csv
import io
import tomllib
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from export.tables import (
    CLAIMS,
    EX,
    INSTANTS,
    base_with,
    kind_of,
    moment,
    read_arrow,
    read_csv,
    read_parquet,
    rows_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf import Iri, KnowledgeBase, iri, literal
from semantica_rdf.errors import IntegrityError, ProcessingError, ValidationError
from semantica_rdf.export.formats import TABLES
from semantica_rdf.view.tables import FACT_COLUMNS, STATEMENT_COLUMNS

MAPPING = Path(__file__).resolve().parents[2] / "examples" / "fact-table" / "facts.toml"
WHO = {"agent": EX + "ann", "source": EX + "hr"}


def facts_as_told(view):
    """Return what the fact table must hold, from the facts of the view."""
    return [
        (
            fact.subject.value,
            fact.predicate.value,
            *kind_of(fact.object),
            None if fact.graph is None else fact.graph.value,
            fact.valid_from,
            fact.valid_until,
            tuple(source.value for source in fact.sources),
            fact.statements,
        )
        for fact in sorted(view.facts(), key=lambda fact: fact.key)
    ]


def all_three(kb, view=None):
    columns = STATEMENT_COLUMNS if view is None else FACT_COLUMNS
    return (
        read_csv(kb.export(format="csv", view=view), columns),
        read_parquet(kb.export(format="parquet", view=view)),
        read_arrow(kb.export(format="arrow", view=view)),
    )


def oldest(statements):
    """Return when the first of some statements was written: transaction, then place in it."""
    return min(tuple(map(int, name.rpartition("/")[2].split("-"))) for name in statements)


@settings(max_examples=30)
@given(claims=CLAIMS, at=st.none() | INSTANTS)
def test_every_format_holds_the_facts_of_the_view(claims, at):
    with base_with(claims) as kb:
        view = kb.at(valid_at=at)
        told = facts_as_told(view)
        for found in all_three(kb, view):
            assert found == told
        told.sort(key=lambda row: oldest(row[-1]))
        assert rows_of(view.facts().to_arrow()) == told


@settings(max_examples=30)
@given(claims=CLAIMS)
def test_every_format_holds_every_statement_of_the_record(claims):
    with base_with(claims) as kb:
        statements = [
            statement
            for record in kb.changes()
            for node in record.statements
            for statement in kb.history(node)
        ]
        told = [
            (
                one.id,
                one.subject.value,
                one.predicate.value,
                *kind_of(one.object),
                None if one.graph is None else one.graph.value,
                one.valid_from,
                one.valid_until,
                one.recorded,
                one.superseded,
                one.source,
                one.standing,
                one.confidence_value,
                one.support_id,
                one.namespace,
                one.family,
                one.revision_of,
                one.transaction,
                one.superseded_by,
                one.valid_from_text,
                one.valid_until_text,
                one.source_text,
                moment(one.source_recorded_at) if one.source_recorded_at is not None else None,
            )
            for one in statements
        ]
        for found in all_three(kb):
            assert found == told


@settings(max_examples=30)
@given(claims=CLAIMS, at=st.none() | INSTANTS)
def test_the_csv_of_a_view_loads_as_the_same_view(claims, at):
    with base_with(claims) as kb, KnowledgeBase.memory(**WHO) as copy:
        view = kb.at(valid_at=at or "2026-06-01")
        data = kb.export(format="csv", view=view)
        if not view.facts():
            with pytest.raises(ValidationError, match="holds no statement"):
                copy.load(data, mapping=MAPPING, reason="copied")
            return
        report = copy.load(data, mapping=MAPPING, reason="copied")
        assert (report.stored, len(report.rejected)) == (len(view.facts()), 0)
        again = copy.at(valid_at=at or "2026-06-01")
        assert set(again.quads()) == set(view.quads())
        assert {(fact.key, fact.window) for fact in again.facts()} == {
            (fact.key, fact.window) for fact in view.facts()
        }


def full_base(kb):
    """Fill a base with every state a statement can be in."""
    with kb.transaction(reason="import", namespace="default") as tx:
        one = tx.assert_(
            EX + "ann",
            EX + "age",
            literal("041", datatype="xsd:integer"),
            valid_from="2026-09",
            support_id="hr-1",
            confidence="0.9",
            source_recorded_at="2020-01-01",
        )
        tx.assert_(EX + "ann", EX + "age", 41, source=EX + "badge", valid_from="2026-11-01")
        tx.propose(EX + "ann", EX + "knows", iri(EX + "bob"), graph=EX + "friends")
    with kb.transaction(reason="left") as tx:
        tx.retract(one, valid_until="2026-10-15")
    with kb.transaction(reason="elsewhere", namespace="other") as tx:
        tx.assert_(EX + "ann", EX + "age", 42)
    return one


def test_a_statement_says_both_axes_texts_and_what_became_of_it(kb):
    first = full_base(kb)
    names = [column.name for column in STATEMENT_COLUMNS]
    by_csv, by_parquet, by_arrow = all_three(kb)
    assert by_csv == by_parquet == by_arrow
    rows = [dict(zip(names, row, strict=True)) for row in by_csv]
    assert [row["statement"].rpartition("/")[2] for row in rows] == [
        "1-1",
        "1-2",
        "1-3",
        "2-1",
        "3-1",
    ]
    old, badge, proposed, new, other = rows
    assert old["statement"] == new["family"] == new["revision_of"] == first
    assert (old["object"], old["source_text"], old["confidence"]) == ("41", "041", Decimal("0.9"))
    assert old["valid_from"] == new["valid_from"] == datetime(2026, 9, 1, tzinfo=UTC)
    assert (old["valid_from_text"], old["support_id"]) == ("2026-09", "hr-1")
    assert old["source_recorded_at"] == datetime(2020, 1, 1, tzinfo=UTC)
    assert old["superseded_at"] == new["recorded_at"]
    assert old["superseded_by"] == new["transaction"]
    assert new["superseded_at"] is badge["confidence"] is badge["support_id"] is None
    assert proposed["standing"] == "proposed"
    assert proposed["graph"] == EX + "friends"
    assert (old["namespace"], other["namespace"]) == ("default", "other")


def test_a_fact_of_several_statements_has_all_of_them_in_one_row(kb):
    full_base(kb)
    view = kb.at(valid_at="2026-10-10", known_at=kb.history(kb.statement_ids("")[0])[0].recorded)
    ((row,), *others) = all_three(kb, view)
    assert all(found == [row] for found in others)
    assert row[2:6] == ("41", "literal", "http://www.w3.org/2001/XMLSchema#integer", None)
    assert row[7:9] == (datetime(2026, 9, 1, tzinfo=UTC), None)
    assert row[9] == (EX + "hr",)
    later = kb.at(valid_at="2026-12-01")
    assert [row[9] for row in all_three(kb, later)[0]] == [(EX + "badge",)]


@pytest.mark.quick
def test_columns_have_types_and_the_file_says_where_it_stands(kb):
    full_base(kb)
    view = kb.at(valid_at="2026-10-01")
    table = pq.read_table(io.BytesIO(kb.export(format="parquet", view=view)))
    assert table.schema.field("valid_from").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("sources").type == pa.list_(pa.string())
    about = {name.decode(): text.decode() for name, text in table.schema.metadata.items()}
    assert about["semantica_rdf.table"] == "facts"
    assert about["semantica_rdf.valid_at"] == "2026-10-01T00:00:00Z"
    assert about["semantica_rdf.known_at"] == view.coordinate.to_dict()["known_at"]
    record = pa.ipc.open_file(kb.export(format="arrow")).read_all()
    assert record.schema.field("confidence").type == pa.decimal128(16, 15)
    assert record.schema.metadata[b"semantica_rdf.table"] == b"statements"


@pytest.mark.parametrize("each", TABLES, ids=lambda each: each.name)
def test_two_runs_give_the_same_bytes_to_a_path_an_open_file_and_as_bytes(each, kb, tmp_path):
    full_base(kb)
    for view in (None, kb.at(valid_at="2026-10-01")):
        path, opened = tmp_path / f"out{each.suffix}", io.BytesIO()
        assert kb.export(path, view=view) is None
        kb.export(opened, view=view, format=each.name)
        assert path.read_bytes() == opened.getvalue() == kb.export(view=view, format=each.name)
        assert list(tmp_path.iterdir()) == [path]
        assert not opened.closed


def test_an_empty_view_is_a_table_without_rows(kb):
    for found in all_three(kb, kb.at()):
        assert found == []
    for found in all_three(kb):
        assert found == []
    assert kb.export(format="csv").count(b"\r\n") == 1


def test_csv_is_as_the_rfc_says(kb):
    with kb.transaction(reason="test") as tx:
        tx.assert_(EX + "a", EX + "p", 'one, "two"\rthree\nfour')
    data = kb.export(format="csv", view=kb.at())
    assert not data.startswith(b"\xef\xbb\xbf")
    header, rest = data.split(b"\r\n", 1)
    assert header.startswith(b"subject,predicate,object,object_kind,datatype,language,graph,")
    assert b',"one, ""two""\rthree\nfour",literal,' in rest
    assert rest.endswith(b"\r\n")


def test_a_large_literal_goes_into_every_table_and_back_uncut(kb, tmp_path):
    """B076."""
    big = "ä" * 2_500_000 + 'x,"\n' * 10_000
    with kb.transaction(reason="test") as tx:
        for number in range(2):
            tx.assert_(EX + str(number), EX + "p", big)
    for each in TABLES:
        kb.export(tmp_path / f"facts{each.suffix}", view=kb.at())
    limit = csv.field_size_limit(64 * 1024 * 1024)
    try:
        rows = read_csv((tmp_path / "facts.csv").read_bytes(), FACT_COLUMNS)
    finally:
        csv.field_size_limit(limit)
    assert rows == read_parquet((tmp_path / "facts.parquet").read_bytes())
    assert rows == read_arrow((tmp_path / "facts.arrow").read_bytes())
    assert [row[2] for row in rows] == [big] * 2
    with KnowledgeBase.memory(**WHO) as copy:
        assert copy.load(tmp_path / "facts.csv", mapping=MAPPING, reason="copied").stored == 2
        assert [fact.object.value for fact in copy.at().facts()] == [big] * 2


def test_tables_hold_no_blank_nodes_and_quads_are_no_table(kb, tmp_path):
    with pytest.raises(ValidationError) as caught:
        kb.export(tmp_path / "facts.csv", view=kb.at(), blank_nodes="restore")
    assert caught.value.code == "bad_blank_nodes"
    with pytest.raises(ValidationError) as caught:
        kb.export(tmp_path / "facts.csv", view=kb.at(), blank_nodes="keep")
    assert caught.value.code == "bad_blank_nodes"
    assert not list(tmp_path.iterdir())


def test_a_row_that_no_statement_supports_is_refused_and_the_old_file_stays(kb, tmp_path):
    full_base(kb)
    view = kb.at(valid_at="2026-10-01")
    path = tmp_path / "facts.csv"
    path.write_bytes(b"before")
    stray = [*view.quads()]
    stray[0] = type(stray[0])(stray[0].subject, stray[0].predicate, literal("no").to_pyoxigraph())
    with pytest.raises(IntegrityError) as caught:
        list(view.facts_of(stray))
    assert caught.value.code == "unsupported_row"
    with pytest.raises(ProcessingError):
        kb.export(tmp_path / "absent" / "facts.csv", view=view)
    assert path.read_bytes() == b"before"


def test_what_is_recorded_while_a_table_is_written_is_not_in_it(kb, monkeypatch):
    """The statements are read one by one; the table is still that of one basis."""
    from semantica_rdf.export import export as module

    one = full_base(kb)
    before = kb.export(format="csv")
    real = module._statement_lines

    def lines(record):
        found = list(real(record))
        with kb.transaction(reason="meanwhile") as tx:
            tx.withdraw(one)
            tx.assert_(EX + "late", EX + "p", 1)
        yield from [*found, *real(record)]

    monkeypatch.setattr(module, "_statement_lines", lines)
    assert kb.export(format="csv") == before
    monkeypatch.undo()
    assert kb.export(format="csv") != before


def test_the_shipped_mapping_names_columns_the_table_has():
    declared = tomllib.loads(MAPPING.read_text(encoding="utf-8"))
    names = {column.name for column in FACT_COLUMNS}
    used = {
        text
        for section in ("subject", "predicate", "object", "graph", "window")
        for key, text in declared[section].items()
        if "column" in key or section == "window"
    }
    assert used == names - {"sources", "statements"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("a:s,a:p,o,blank,,,,,,,", "bad_row"),
        ("a:s,a:p,o,,,,,,,,", "bad_row"),
        ("a:s,a:p,,iri,,,,,,,", "missing_value"),
        ("a s,a:p,o,literal,,,,,,,", "bad_iri"),
        ("a:s,a:p,o p,iri,,,,,,,", "bad_iri"),
        ("a:s,a:p,o,literal,no iri,,,,,,", "bad_iri"),
        ("a:s,a:p,o,literal,,en us,,,,,", "bad_literal"),
    ],
)
def test_a_row_that_is_no_fact_is_rejected_with_its_line(line, code):
    header = ",".join(column.name for column in FACT_COLUMNS)
    good = "a:s,a:p,,literal,,,,,,,"
    with KnowledgeBase.memory(**WHO) as kb:
        report = kb.load(f"{header}\n{good}\n{line}\n".encode(), mapping=MAPPING, reason="test")
        assert (report.stored, [item.line for item in report.rejected]) == (1, [3])
        assert report.rejected[0].code == code
        (fact,) = kb.at().facts()
        assert (fact.subject, fact.object.value, fact.graph) == (Iri("a:s"), "", None)
