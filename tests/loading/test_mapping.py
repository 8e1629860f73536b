"""Tables in: the declared mapping, joined windows, minted names, rejections with their lines."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from loading.recording import Recorder

from semantica_rdf.errors import CallerError, NotFound, UnknownFilter
from semantica_rdf.loading import read_mapping
from semantica_rdf.loading.names import encoded, minted
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, Literal

TSV: dict[str, Any] = {
    "format": {"kind": "tsv", "header": False, "columns": ["s", "o", "role", "date"]},
    "subject": {"column": "s", "base": "http://e/"},
    "predicate": {"iri": "http://e/p"},
    "object": {"column": "o"},
    "window": {"role": "role", "date": "date", "starts": ["from"], "ends": ["to"]},
}
CSV: dict[str, Any] = {
    "format": {"kind": "csv"},
    "subject": {"column": "who", "base": "http://e/"},
    "predicate": {"column": "what", "values": {"works": "http://e/worksFor"}, "base": "http://v/"},
    "object": {"column": "whom", "base": "http://e/"},
    "window": {"from": "since", "until": "till"},
    "source": {"column": "src", "base": "http://src/"},
    "statement": {"support_id": "id", "confidence": "sure", "source_recorded_at": "seen"},
}


@pytest.fixture
def base() -> Recorder:
    return Recorder()


def _window(base: Recorder, text: str, date_end: str = "exclusive") -> list[tuple[Any, Any]]:
    mapping = TSV | {"window": TSV["window"] | {"date_end": date_end}}
    base.load(text.encode(), mapping=mapping)
    return [(draft.valid_from, draft.valid_until) for draft in base.drafts]


def _lines(*bounds: str) -> str:
    return "".join(f"a\tx\t{bound.replace(' ', chr(9))}\n" for bound in bounds)


@pytest.mark.quick
def test_every_part_of_a_row_reaches_its_place(base: Recorder) -> None:
    text = (
        b"who,what,whom,since,till,src,id,sure,seen\n"
        b"Ann,works,Acme Corp,2020-01-01,2021-01-01,hr,hr-1,0.9,2020-02-01\n"
    )
    report = base.load(text, mapping=CSV)
    draft = base.drafts[0]
    assert (draft.subject, draft.predicate) == (Iri("http://e/Ann"), Iri("http://e/worksFor"))
    assert draft.object == Iri("http://e/Acme%20Corp")
    assert (draft.valid_from, draft.valid_until) == ("2020-01-01", "2021-01-01")
    assert (draft.source, draft.support_id) == (Iri("http://src/hr"), "hr-1")
    assert (draft.confidence, draft.source_recorded_at) == (Decimal("0.9"), "2020-02-01")
    assert base.drafts[1].object == Literal("Acme Corp")
    assert base.drafts[1].predicate == Iri(vocab.RDFS_LABEL)
    assert (report.read, report.stored, report.labels) == (1, 1, 1)


@pytest.mark.parametrize(
    ("bounds", "windows"),
    [
        (("from 2001", "to 2003"), [("2001", "2003")]),
        (("to 2003", "from 2001"), [("2001", "2003")]),
        (("from 2001",), [("2001", None)]),
        (("to 2003",), [(None, "2003")]),
        (("from 2005", "to 2003"), [("2005", None), (None, "2003")]),
        (("from 2001", "to 2002", "from 2004", "to 2006"), [("2001", "2002"), ("2004", "2006")]),
        (("from 2001", "from 2004", "to 2006"), [("2001", None), ("2004", "2006")]),
        (("from 2001", "to 2002", "to 2003"), [("2001", "2002"), (None, "2003")]),
    ],
)
def test_starts_and_ends_of_one_fact_join_in_order(
    base: Recorder, bounds: tuple[str, ...], windows: list[tuple[Any, Any]]
) -> None:
    assert _window(base, _lines(*bounds)) == windows


def test_an_end_at_the_next_start_closes_the_window_before_it(base: Recorder) -> None:
    text = _lines("from 2001", "to 2002", "from 2002")
    assert _window(base, text) == [("2001", "2002"), ("2002", None)]


def test_an_inclusive_end_of_the_next_start_belongs_to_that_start(base: Recorder) -> None:
    text = _lines("from 2001", "to 2002", "from 2002")
    assert _window(base, text, "inclusive") == [("2001", None), ("2002", "2002")]


def test_an_inclusive_end_just_before_a_start_does_not_meet_it(base: Recorder) -> None:
    text = _lines("from 2002", "to 2001")
    assert _window(base, text, "inclusive") == [("2002", None), (None, "2001")]


@pytest.mark.quick
def test_counts_say_what_became_of_every_line(base: Recorder) -> None:
    text = _lines("from 2001", "to 2003", "from 2001", "sometime 2001", "from x", "from ")
    text += "\tx\tfrom\t2001\na\tb\tfrom\t2001\textra\n\nb\ty\tfrom\t2001\nb\ty\tto\t2001\n"
    report = base.load(text.encode(), mapping=TSV)
    assert [(item.line, item.code) for item in report.rejected] == [
        (4, "unknown_role"),
        (5, "bad_time"),
        (6, "missing_value"),
        (7, "missing_value"),
        (8, "bad_row"),
        (10, "empty_window"),
        (11, "empty_window"),
    ]
    assert (report.read, report.stored, report.joined, report.duplicates) == (10, 1, 1, 1)
    counted = report.stored + report.already_there + report.joined + report.duplicates
    assert counted + len(report.rejected) == report.read
    assert "rejected 7 (bad_row 1, bad_time 1" in str(report)


def test_an_inverted_window_is_rejected_and_its_neighbour_stored(base: Recorder) -> None:
    text = (
        b"who,what,whom,since,till,src,id,sure,seen\n"
        b"a,works,b,2021,2020,s,,,\na,works,b,2020,2021,s,,,\na,works,c,2020,2021,s,,much,\n"
    )
    report = base.load(text, mapping=CSV)
    assert [(item.line, item.code) for item in report.rejected] == [
        (2, "inverted_window"),
        (4, "bad_confidence"),
    ]
    assert report.stored == 1


def test_json_lines_keep_the_types_of_their_fields(base: Recorder) -> None:
    mapping = {
        "format": {"kind": "jsonl"},
        "subject": {"column": "who.name", "base": "http://e/"},
        "predicate": {"iri": "http://e/age"},
        "object": {"column": "age"},
    }
    text = (
        b'{"who": {"name": "a"}, "age": 3}\n{"who": {"name": "b"}, "age": 1.50}\n'
        b'{"who": {"name": "c"}, "age": true}\nnot json\n{"who": {"name": "d"}}\n[1]\n'
        b'{"who": {"name": "e"}, "age": [1]}\n{"who": {"name": "f"}, "age": NaN}\n'
    )
    report = base.load(text, mapping=mapping)
    assert [draft.object for draft in base.drafts] == [
        Literal("3", vocab.XSD + "integer"),
        Literal("1.50", vocab.XSD + "decimal"),
        Literal("true", vocab.XSD + "boolean"),
    ]
    assert [(item.line, item.code) for item in report.rejected] == [
        (4, "syntax_error"),
        (5, "missing_value"),
        (6, "bad_row"),
        (7, "bad_row"),
        (8, "syntax_error"),
    ]


def test_a_field_of_five_megabytes_is_read_whole(base: Recorder) -> None:
    mapping = CSV | {"object": {"column": "whom", "language": "en"}}
    big = "x" * 5_000_000
    text = f'who,what,whom,since,till,src,id,sure,seen\na,works,"{big}\nend",,,s,,,\nb,works,c,,,s,,,\n'
    report = base.load(text.encode(), mapping=mapping)
    assert len(base.drafts[0].object.value) == len(big) + 4
    assert report.stored == 2


def test_excel_byte_order_mark_and_declared_encodings_are_read(base: Recorder) -> None:
    text = "a\tcafé\tfrom\t2001\n"
    base.load(b"\xef\xbb\xbf" + text.encode(), mapping=TSV)
    latin = TSV | {"format": TSV["format"] | {"encoding": "latin-1"}}
    assert base.load(text.encode("latin-1"), mapping=latin).already_there == 1
    with pytest.raises(CallerError) as refused:
        base.load(text.encode("latin-1"), mapping=TSV)
    assert refused.value.code == "bad_encoding"


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be", "utf-32-be"])
def test_two_bytes_a_letter_are_read_only_where_the_mapping_says_so(
    base: Recorder, name: str
) -> None:
    content = "a\tcafé\tfrom\t2001\n".encode(name)
    with pytest.raises(CallerError) as refused:
        base.load(content, mapping=TSV)
    assert refused.value.code == "bad_encoding"
    said = TSV | {"format": TSV["format"] | {"encoding": name}}
    assert base.load(content, mapping=said).stored == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b'who,what\n"a,b\n', "unknown_column"),
        (b'who,what,whom,since,till,src,id,sure,seen\n"a,b\n', "syntax_error"),
        (b"who,what,whom,since,till,src,id,sure,seen\n", "nothing_read"),
    ],
)
def test_a_table_in_doubt_is_refused_whole(base: Recorder, text: bytes, code: str) -> None:
    with pytest.raises(CallerError) as refused:
        base.load(text, mapping=CSV)
    assert refused.value.code == code
    assert base.drafts == []


@pytest.mark.quick
@pytest.mark.parametrize(
    ("name", "tail"),
    [
        ("Danijel_Pranjić", "Danijel_Pranjić"),
        ("Make statement", "Make%20statement"),
        ("a%20b", "a%20b"),
        ("100%", "100%25"),
        ("A/B?c#d", "A%2FB%3Fc%23d"),
        ("<x>", "%3Cx%3E"),
        ("no\u00a0break\u202e", "no%C2%A0break%E2%80%AE"),
        ("日本", "日本"),
    ],
)
def test_names_are_encoded_once_and_letters_stay(name: str, tail: str) -> None:
    assert encoded(name) == tail
    made = minted(name, "http://e/")
    assert made.iri == Iri("http://e/" + tail)
    assert made.label == (None if tail == name else name)


def test_an_iri_is_taken_as_it_stands_or_refused() -> None:
    assert minted("http://ex/a%20b", "http://e/").iri.value == "http://ex/a%20b"
    assert minted("urn:x:y", None).iri.value == "urn:x:y"
    for text, base in (("http://ex/%zz", "http://e/"), ("plain", None)):
        with pytest.raises(CallerError):
            minted(text, base)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@example("\U000e0100")
@example("\U000e0fff\U000e1000\U000efffd\U000f0000\ufdd0\ufffe\ue000\ufdcf\u00a0")
def test_any_name_makes_a_valid_iri_that_says_which_name(name: str) -> None:
    tail = encoded(name)
    assert ox.NamedNode("http://e/" + tail).value == "http://e/" + tail
    if not re.search("%[0-9A-Fa-f]{2}", name):
        assert unquote(tail) == name


def test_a_label_stands_once_for_each_minted_name(base: Recorder) -> None:
    text = "Ann Lee\tx\tfrom\t2001\nAnn Lee\ty\tfrom\t2001\n"
    report = base.load(text.encode(), mapping=TSV)
    labels = [d for d in base.drafts if d.predicate == Iri(vocab.RDFS_LABEL)]
    assert [(d.object, d.valid_from) for d in labels] == [(Literal("Ann Lee"), None)]
    assert (report.stored, report.labels) == (2, 1)
    quiet = Recorder()
    assert quiet.load(text.encode(), mapping=TSV | {"labels": False}).labels == 0


BAD_MAPPINGS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown section": (TSV | {"windows": {}}, "unknown_filter"),
    "unknown key": (TSV | {"object": {"colum": "o"}}, "unknown_filter"),
    "missing section": ({"format": TSV["format"]}, "bad_mapping"),
    "no section": (TSV | {"object": "o"}, "bad_mapping"),
    "column and iri": (TSV | {"object": {"column": "o", "iri": "http://e/"}}, "bad_mapping"),
    "bad base": (TSV | {"subject": {"column": "s", "base": "no iri"}}, "bad_mapping"),
    "two kinds": (
        TSV | {"object": {"column": "o", "base": "a:b", "language": "en"}},
        "bad_mapping",
    ),
    "bad language": (TSV | {"object": {"column": "o", "language": "en_US"}}, "bad_mapping"),
    "literal subject": (TSV | {"subject": {"column": "s", "language": "en"}}, "bad_mapping"),
    "unknown column": (TSV | {"object": {"column": "q"}}, "unknown_column"),
    "role without date": (TSV | {"window": {"role": "role"}}, "bad_mapping"),
    "bad date_end": (TSV | {"window": TSV["window"] | {"date_end": "open"}}, "bad_mapping"),
    "bad kind": (TSV | {"format": {"kind": "xls"}}, "bad_mapping"),
    "bad pattern": (TSV | {"object": {"column": "o", "when": [{"matches": "("}]}}, "bad_mapping"),
    "wrong type": (TSV | {"format": {"kind": "csv", "header": "yes"}}, "bad_mapping"),
    "bad encoding": (TSV | {"format": TSV["format"] | {"encoding": "utf-9"}}, "bad_mapping"),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", BAD_MAPPINGS)
def test_a_bad_mapping_is_refused_by_name(name: str) -> None:
    declared, code = BAD_MAPPINGS[name]
    with pytest.raises(CallerError) as refused:
        read_mapping(declared)
    assert refused.value.code == code
    assert read_mapping(TSV).subject.column == "s"


def test_mappings_are_read_from_files(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_mapping(tmp_path / "none.toml")
    with pytest.raises(CallerError):
        read_mapping(b"not = [toml")
    with pytest.raises(UnknownFilter):
        read_mapping(b"colour = 'red'")
