"""Drafted mappings: read as they stand, load a clean sample without a rejection, say what to check."""

from __future__ import annotations

import csv
import gzip
import io
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loading.recording import Recorder

from semantica_rdf.errors import CallerError
from semantica_rdf.loading import choosing, infer_mapping, read_mapping
from semantica_rdf.loading.columns import Column
from semantica_rdf.loading.rules import Mapping
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, Literal

PEOPLE = (
    b"name,employer,since,until,salary\n"
    b"Ann,Acme,2020-01-01,2021-01-01,5000\nBob,Acme,2020-05-01,,4000\n"
)
TEMPORAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "temporal-kgs"


def drafted(content: bytes, format_: str = "csv", **options: Any) -> tuple[str, Mapping]:
    """Return a draft, as text and as read."""
    text = infer_mapping(content, format=format_, **options)
    return text, read_mapping(text.encode())


@pytest.mark.quick
def test_a_table_of_people_gets_subject_window_and_the_first_full_column_as_value() -> None:
    text, mapping = drafted(PEOPLE)
    assert (mapping.subject.column, mapping.object.column) == ("name", "employer")
    assert mapping.predicate.iri == "https://example.org/vocabulary/employer"
    assert (mapping.window.from_, mapping.window.until) == ("since", "until")
    assert "2 rows: 0 would be rejected" in text
    assert "salary: integers, all different: 5000; 4000" in text
    assert text.count("CHECK") == 2 + 1
    base = Recorder()
    report = base.load(PEOPLE, mapping=mapping)
    assert (report.read, report.stored, report.rejected) == (2, 2, ())
    assert base.drafts[0].subject == Iri("https://example.org/id/Ann")


TABLES: dict[str, tuple[str, bytes, dict[str, Any]]] = {
    "triples": (
        "csv",
        b"subject,predicate,object\nurn:a:1,urn:p:1,x\nurn:a:1,urn:p:2,y\n",
        {"subject.column": "subject", "subject.absolute": True, "predicate.column": "predicate",
         "object.column": "object"},
    ),
    "a unique IRI is the subject, wherever it stands": (
        "csv",
        b"colour,place\nred,http://e/1\nred,http://e/2\n",
        {"subject.column": "place", "object.column": "colour"},
    ),
    "an id before other unique columns": (
        "tsv",
        b"label\tuserId\nx\t1\ny\t2\n",
        {"subject.column": "userId", "object.column": "label", "format.kind": "tsv"},
    ),
    "semicolons, decimals, one date": (
        "csv",
        b"id;temp;day\na;3.5;2024-01-01\nb;4;2024-01-02\n",
        {"format.delimiter": ";", "object.datatype": vocab.XSD + "decimal", "window.from_": "day",
         "window.until": None},
    ),
    "two unnamed dates in order": (
        "csv",
        b"id,boss,d1,d2\na,x,2020-01-01,2020-02-01\nb,y,2020-01-01,2020-01-01\n",
        {"window.from_": "d1", "window.until": "d2", "window.date_end": "inclusive"},
    ),
    "a birthday is a value": (
        "csv",
        b"id,born\na,2001-01-01\nb,2002-01-01\n",
        {"object.column": "born", "object.datatype": vocab.XSD + "date", "window.from_": None},
    ),
    "years named as bounds": (
        "csv",
        b"club,player,from,to\nx,p1,1999,2001\ny,p2,2000,\n",
        {"window.from_": "from", "window.until": "to"},
    ),
    "times without a zone": (
        "csv",
        b"id,v,valid_from\na,1,2024-01-01T10:00\nb,2,2024-01-01T11:00\n",
        {"window.timezone": "UTC", "window.from_": "valid_from"},
    ),
    "no header": (
        "csv",
        b"a,knows,b,2020-01-01\na,knows,c,2020-01-02\n",
        {"format.header": False, "format.columns": ("column1", "column2", "column3", "column4"),
         "predicate.column": "column2", "object.column": "column3"},
    ),
    "roles in angle brackets": (
        "tsv",
        b"<a>\t<p>\t<b>\t<occursSince>\t2001\n<a>\t<p>\t<b>\t<occursUntil>\t2001\n",
        {"window.role": "column4", "window.starts": frozenset({"occursSince"}),
         "window.date_end": "inclusive"},
    ),
    "about the statement": (
        "csv",
        b"id,v,confidence,source,created_at\na,1,0.5,hr,2020-01-01\nb,2,,,2020-01-02\n",
        {"statement.confidence": "confidence", "statement.source_recorded_at": "created_at",
         "source.column": "source", "source.optional": True, "object.column": "v"},
    ),
    "quotes that do not pair up": (
        "csv",
        b'id,v\na,"x" y\nb,"z\n',
        {"format.quoting": "none"},
    ),
    "a name twice": (
        "csv",
        b"id,v,v\na,1,x\nb,2,y\n",
        {"format.columns": ("id", "v", "v 2"), "format.header": True},
    ),
    "not UTF-8": ("csv", b"id,v\na,caf\xe9\nb,x\n", {"format.encoding": "cp1252"}),
    "objects inside": (
        "jsonl",
        b'{"who": {"id": "a"}, "age": 3, "tags": [1]}\n{"who": {"id": "b"}, "age": 4}\n',
        {"subject.column": "who.id", "object.column": "age", "object.datatype": None},
    ),
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("name", TABLES)
def test_what_the_columns_look_like_decides_and_the_sample_loads_whole(name: str) -> None:
    format_, content, wanted = TABLES[name]
    text, mapping = drafted(content, format_)
    for path, value in wanted.items():
        part, field = path.split(".")
        assert getattr(getattr(mapping, part), field) == value, text
    report = Recorder().load(content, mapping=mapping)
    assert report.rejected == ()
    assert report.stored + report.joined == report.read >= 2
    assert "0 would be rejected" in text


EMPTY = {
    "words": (b"id,val,from,until\n1,x,2020,NULL\n2,y,2020-05-01,2021\n", ("NULL",), 1),
    "several": (b"id,val,from,until,n\n1,x,2020,\\N,NA\n2,y,2020,2021,3\n", ("NA", "\\N"), 1),
    "never": (
        b"id,val,valid_from,valid_to\n1,x,2020-01-01,9999-12-31\n2,y,2020-02-01,2021-01-01\n",
        ("9999-12-31",), 1,
    ),
    "never only": (
        b"id,val,valid_from,valid_to\n1,x,2020,9999-12-31T00:00:00Z\n2,y,2020,9999-12-31T00:00:00Z\n",
        ("9999-12-31T00:00:00Z",), 0,
    ),
    "nothing yet": (b"id,val,from,until\n1,x,2020,\n2,y,2020-05-01,\n", (), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", EMPTY)
def test_words_and_dates_that_mean_empty_are_not_the_end_of_a_window(name: str) -> None:
    content, words, ends = EMPTY[name]
    text, mapping = drafted(content)
    assert mapping.format.null == words
    assert ("these count as empty" in text) == bool(words)
    assert mapping.window.from_
    assert mapping.window.until in {"until", "valid_to"}
    base = Recorder()
    assert base.load(content, mapping=mapping).rejected == ()
    facts = [draft for draft in base.drafts if draft.predicate != Iri(vocab.RDFS_LABEL)]
    assert [draft.valid_until is not None for draft in facts] == [False, bool(ends)]


def test_a_word_for_empty_stays_a_text_where_the_rows_would_not_load_without_it() -> None:
    content = b"id,v\n1,NULL\n2,N/A\n3,7\n"
    _, mapping = drafted(content)
    assert mapping.format.null == ()
    assert Recorder().load(content, mapping=mapping).rejected == ()
    _, typed = drafted(content.replace(b"NULL", b"5").replace(b"N/A", b"6"))
    assert typed.object.datatype == vocab.XSD + "integer"


def test_one_row_that_is_too_long_does_not_make_data_of_the_header() -> None:
    content = b"who,what\nann,tea\nbo,tea,or,more\ncy,milk\n"
    text, mapping = drafted(content)
    assert mapping.format.header
    assert "line 3" in text.partition("\n\n")[0]
    _, nameless = drafted(b"ann,tea\nann,milk,or\ncy,tea,or\n")
    assert (nameless.format.header, len(nameless.format.columns)) == (False, 3)


OBJECTS = {
    "days": (["2020-02-29", "2021-01-01Z"], "date"),
    "months": (["2020-02", "2021-01"], "gYearMonth"),
    "days and months": (["2020-02-29", "2021-01"], None),
    "times": (["2020-02-29T10:00:00Z", "2021-01-01T10:00:00.5+02:00"], "dateTime"),
    "times without seconds": (["2020-02-29T10:00Z", "2021-01-01T10:00Z"], None),
    "years": (["2020", "2021"], "integer"),
    "weeks": (["2020-W01", "2020-W02"], None),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_has_a_datatype_where_every_cell_has_its_form(name: str) -> None:
    cells, datatype = OBJECTS[name]
    content = f"id,birth\na,{cells[0]}\nb,{cells[1]}\n".encode()
    _, mapping = drafted(content)
    assert (mapping.subject.column, mapping.object.column) == ("id", "birth")
    assert mapping.object.datatype == (None if datatype is None else vocab.XSD + datatype)
    assert Recorder().load(content, mapping=mapping).rejected == ()


def test_years_among_dates_are_dates() -> None:
    _, mapping = drafted(b"id,val,from,until\n1,x,2020,2021-05\n2,y,2020-05-01,2022\n")
    assert (mapping.window.from_, mapping.window.until) == ("from", "until")
    assert drafted(b"id,val,from\n1,x,20\n2,y,2020-05-01\n")[1].window.from_ is None


def test_a_bound_that_is_no_date_is_asked_about() -> None:
    text, mapping = drafted(b"id,val,from\n1,x,01/02/2020\n2,y,02/03/2020\n")
    assert mapping.window.from_ is None
    assert "is it a bound of the window" in text
    assert "is it a bound" not in drafted(b"id,val,from\n1,x,2020-02-01\n2,y,2020\n")[0]


def test_numbers_are_typed_and_texts_are_not() -> None:
    content = b"id,v\na,007\nb,008\n"
    _, mapping = drafted(content)
    base = Recorder()
    base.load(content, mapping=mapping)
    assert base.drafts[0].object == Literal("007")
    base.load(b"id,v\na,7\nb,8\n", mapping=drafted(b"id,v\na,7\nb,8\n")[1])
    assert base.drafts[-1].object == Literal("8", vocab.XSD + "integer")


def test_what_the_draft_would_refuse_stands_at_its_top() -> None:
    text, _ = drafted(b"id,v,from\na,1,2020-01-01\nb,,2020-01-01\nc,3,2020-01-01\n")
    assert text.startswith("# Tried on the first 3 rows: 1 would be rejected.\n#   line 3: ")


def test_only_the_sample_is_looked_at() -> None:
    content = b"id,v\n" + b'"a\n1",1\nb,2\n' + b"c,x\n" * 3
    text, mapping = drafted(content, rows=2)
    assert "first 2 rows: 0 would" in text
    assert mapping.object.datatype == vocab.XSD + "integer"
    assert drafted(content, rows=3)[1].object.datatype is None


def test_suffix_archive_and_open_file_say_what_it_is(tmp_path: Path) -> None:
    plain, packed = tmp_path / "people.csv", tmp_path / "people.csv.gz"
    plain.write_bytes(b"\xef\xbb\xbf" + PEOPLE)
    packed.write_bytes(gzip.compress(PEOPLE))
    with plain.open("rb") as file:
        assert infer_mapping(file) == infer_mapping(plain)
    assert read_mapping(infer_mapping(packed).encode()) == read_mapping(PEOPLE_DRAFT())


def PEOPLE_DRAFT() -> bytes:  # noqa: N802  # a constant made on demand
    """Return the draft for the people."""
    return infer_mapping(PEOPLE, format="csv").encode()


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (b"<a:a> <a:b> <a:c> .", {"format": "turtle"}, "unknown_format"),
        (PEOPLE, {}, "unknown_format"),
        (b"", {"format": "csv"}, "nothing_read"),
        (b"[1]\nno json\n", {"format": "jsonl"}, "nothing_read"),
        (PEOPLE, {"format": "csv", "rows": 0}, "bad_sample"),
    ],
)
def test_what_is_no_table_gets_no_draft(content: bytes, options: Any, code: str) -> None:
    with pytest.raises(CallerError) as refused:
        infer_mapping(content, **options)
    assert refused.value.code == code


SPEAKING = frozenset().union(
    *(words for words in vars(choosing).values() if isinstance(words, frozenset))
)
"""Words by which a column's name says what it holds; beside one of ours they would contradict it."""


def words_in(name: str) -> frozenset[str]:
    """Return the words of a column's name."""
    return Column(name, (), "text", 0, False).words


NAMES = st.text(
    st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="\x85\u2028\u2029"),
    min_size=1, max_size=8,
).filter(lambda name: name.strip() == name and not words_in(name) & SPEAKING)  # fmt: skip
DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))
ROWS = st.lists(
    st.tuples(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6),
        st.one_of(
            st.integers().map(str), st.sampled_from(["1.5", "x", "true", "http://e/x", "é\"'#"])
        ),
        DAYS,
        st.one_of(st.integers(1, 999), st.sampled_from(["", "NULL", "\\N", "9999-12-31"])),
        st.sampled_from(["", "0.5", "1", "N/A", "-"]),
    ),
    min_size=1,
    max_size=6,
)


def test_an_end_of_something_recorded_is_an_end_and_no_record_time():
    content = (
        b"id,value,from,until Recorded\n1 a,x,2020-01-01,2021-01-01\n2 b,y,2020-01-02,2021-01-02\n"
    )
    _, mapping = drafted(content)
    assert (mapping.window.from_, mapping.window.until) == ("from", "until Recorded")
    assert mapping.statement.source_recorded_at is None
    named = content.replace(b"until Recorded", b"Recorded")
    assert drafted(named)[1].statement.source_recorded_at == "Recorded"


@given(st.lists(NAMES, min_size=5, max_size=5, unique=True), ROWS, st.sampled_from(",;\t|"))
def test_a_draft_of_any_clean_table_is_a_mapping_that_loads_it(
    names: list[str], rows: list[tuple[Any, ...]], delimiter: str
) -> None:
    names = [
        f"id {names[0]}",
        f"value {names[1]}",
        f"from {names[2]}",
        f"until {names[3]}",
        f"more {names[4]}",
    ]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(names)
    for number, (subject, value, start, days, more) in enumerate(rows):
        end = start + timedelta(days=days) if isinstance(days, int) else days
        writer.writerow([f"{number} {subject}", value, start, end, more])
    content = text.getvalue().encode()
    draft, mapping = drafted(content)
    report = Recorder().load(content, mapping=mapping)
    assert (report.read, report.rejected) == (len(rows), ()), draft
    assert (mapping.window.from_, mapping.window.until) == (names[2], names[3])


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "id": st.integers(),
                "value": st.one_of(
                    st.integers(), st.booleans(), st.text(min_size=1).filter(str.strip)
                ),
            },
            optional={"more": st.one_of(st.none(), st.lists(st.integers()), st.floats())},
        ),
        min_size=1,
        max_size=5,
    )
)
def test_a_draft_of_any_clean_json_lines_is_a_mapping(objects: list[dict[str, Any]]) -> None:
    lines = "\n".join(
        json.dumps(item, ensure_ascii=False) for item in objects if "more" not in item
    )
    if not lines:
        return
    _, mapping = drafted(lines.encode(errors="replace"), "jsonl")
    assert Recorder().load(lines.encode(errors="replace"), mapping=mapping).rejected == ()


@pytest.mark.skipif(not TEMPORAL.exists(), reason="needs ../shared/data/temporal-kgs")
@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("icews14/icews_2014_test.txt", 0),
        ("wikidata/wiki_test.txt", 0),
        ("yago15k/yago15k_test.txt", 0),
    ],
)
def test_the_temporal_graphs_draft_to_mappings_that_take_their_first_rows(
    name: str, refused: int
) -> None:
    text = infer_mapping(TEMPORAL / name, format="tsv")
    assert f"1,000 rows: {refused} would be rejected" in text
    assert read_mapping(text.encode()).predicate.column == "column2"
