"""RDF in: every format, exact counts, and documents that must be refused whole."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import rdflib
from loading.recording import Recorder

from semantica_rdf.errors import CallerError, NotFound, ValidationError
from semantica_rdf.loading import formats
from semantica_rdf.model.terms import Literal

A, P, B = "http://e/a", "http://e/p", "http://e/b"
SAME = {
    "turtle": b"@prefix e: <http://e/> .\ne:a e:p e:b .",
    "trig": b"@prefix e: <http://e/> .\ne:a e:p e:b .",
    "nquads": b"<http://e/a> <http://e/p> <http://e/b> .\n",
    "ntriples": b"<http://e/a> <http://e/p> <http://e/b> .\n",
    "jsonld": b'{"@id": "http://e/a", "http://e/p": {"@id": "http://e/b"}}',
    "rdfxml": b'<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
    b'<r:Description r:about="http://e/a"><e:p r:resource="http://e/b"/></r:Description></r:RDF>',
}


@pytest.fixture
def base() -> Recorder:
    return Recorder()


@pytest.mark.quick
@pytest.mark.parametrize("format_", SAME)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
def test_every_format_reads_the_same_statement(base: Recorder, format_: str, bom: bytes) -> None:
    report = base.load(bom + SAME[format_], format=format_)
    assert base.triples == [(A, P, B)]
    assert (report.read, report.stored, report.rejected) == (1, 1, ())


def test_the_suffix_says_the_format_of_a_path_and_of_an_open_file(
    base: Recorder, tmp_path: Path
) -> None:
    path = tmp_path / "people.TTL"
    path.write_bytes(SAME["turtle"])
    assert base.load(path).document == "people.TTL"
    with path.open("rb") as file:
        assert base.load(file).already_there == 1
    with path.open(encoding="utf-8") as text:
        assert base.load(text).already_there == 1
    assert base.load(io.StringIO(SAME["turtle"].decode()), format="ttl").already_there == 1


def test_declared_prefixes_are_reported(base: Recorder) -> None:
    assert base.load(SAME["turtle"], format="turtle").prefixes == {"e": "http://e/"}


def test_a_named_graph_is_kept_and_graph_stands_in_where_none_is_named(base: Recorder) -> None:
    base.load(b"<http://e/a> <http://e/p> 1 . <http://e/g> { <http://e/a> <http://e/p> 2 }",
              format="trig", graph="http://e/other")  # fmt: skip
    assert [(str(d.object), str(d.graph)) for d in base.drafts] == [
        ("1", "http://e/other"),
        ("2", "http://e/g"),
    ]


def test_relative_names_resolve_against_the_source_and_fail_without_one(base: Recorder) -> None:
    text = b"<a> <http://e/p> <#b> ."
    with pytest.raises(ValidationError) as refused:
        base.load(text, format="turtle")
    assert refused.value.code == "syntax_error"
    base.load(text, format="turtle", source="http://e/doc")
    assert base.triples == [("http://e/a", P, "http://e/doc#b")]


def _nested(depth: int) -> bytes:
    return b'{"http://e/p":' * depth + b"1" + b"}" * depth


REFUSED = {
    "syntax": ("turtle", b"<http://e/a> <http://e/p> .", "syntax_error"),
    "truncated": ("turtle", SAME["turtle"] + b"\n<http://e/a>", "syntax_error"),
    "literal subject": ("turtle", b'"a" <http://e/p> <http://e/b> .', "syntax_error"),
    "html": ("turtle", b"<html><body>no</body></html>", "syntax_error"),
    "space in an IRI": ("turtle", b"<http://e/a b> <http://e/p> 1 .", "syntax_error"),
    "escaped space": ("turtle", b"<http://e/a\\u0020b> <http://e/p> 1 .", "syntax_error"),
    "bad percent": ("turtle", b"<http://e/%zz> <http://e/p> 1 .", "syntax_error"),
    "surrogate pair": ("turtle", b'<http://e/a> <http://e/p> "\\uD83D\\uDE00" .', "syntax_error"),
    "quads as triples": ("ntriples", b"<a:a> <a:b> <a:c> <a:d> .", "syntax_error"),
    "latin-1": ("turtle", b'<http://e/a> <http://e/p> "caf\xe9" .', "bad_encoding"),
    "utf-16": ("turtle", SAME["turtle"].decode().encode("utf-16"), "bad_encoding"),
    "gzip": ("turtle", b"\x1f\x8b\x08\x00", "bad_archive"),
    "latin-1 json": ("jsonld", b'{"http://e/p": "caf\xe9"}', "bad_encoding"),
    "triple term": ("turtle", b"<a:a> <a:b> <<( <a:a> <a:b> <a:c> )>> .", "unsupported_term"),
    "deep triple terms": ("ntriples", b"<a:a> <a:b> " + b"<<( <a:a> <a:b> " * 20_000, "unsupported_term"),
    "hidden triple term": ("turtle", b"<http://\\u0061#> <<(" * 3, "unsupported_term"),
    "reified triple": ("turtle", b"<< <a:a> <a:b> <a:c> >> <a:p> 1 .", "unsupported_term"),
    "prefixes only": ("turtle", b"@prefix e: <http://e/> .", "nothing_read"),
    "unmapped keys": ("jsonld", b'{"name": "Ann"}', "nothing_read"),
    "error document": ("jsonld", b'{"error": "not found"}', "nothing_read"),
    "invalid json": ("jsonld", b"{", "syntax_error"),
    "json NaN": ("jsonld", b'{"http://e/p": NaN}', "syntax_error"),
    "deep json": ("jsonld", _nested(101), "too_deep"),
    "deep json list": ("jsonld", b"[" * 100_000, "too_deep"),
    "remote context": ("jsonld", b'{"@context": "http://e/ctx", "http://e/p": 1}', "remote_context"),
    "imported context": ("jsonld", b'{"@context": {"@import": "http://e/c"}}', "remote_context"),
    "file context": ("jsonld", b'{"@context": "file:///etc/passwd"}', "remote_context"),
    "no format": (None, SAME["turtle"], "unknown_format"),
    "unknown format": ("n3", SAME["turtle"], "unknown_format"),
    "table without mapping": ("csv", b"a,b\n1,2", "mapping_required"),
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_document_is_refused_whole_with_its_code(base: Recorder, name: str) -> None:
    format_, content, code = REFUSED[name]
    base.load(SAME["turtle"], format="turtle")
    before = base.drafts
    with pytest.raises(CallerError) as refused:
        base.load(content, format=format_)
    assert refused.value.code == code
    assert base.drafts == before


def test_a_late_syntax_error_names_its_line_and_leaves_nothing(base: Recorder) -> None:
    text = SAME["nquads"] * 3 + b"oops\n"
    with pytest.raises(ValidationError, match="line 4"):
        base.load(text, format="nquads")
    assert base.drafts == []
    assert base.load(SAME["nquads"], format="nquads").stored == 1


def test_the_remote_context_is_named(base: Recorder) -> None:
    with pytest.raises(ValidationError, match="http://e/ctx"):
        base.load(b'{"@context": [{}, "http://e/ctx"]}', format="jsonld")


def test_the_address_of_our_own_context_stands_for_the_packaged_one(base: Recorder) -> None:
    document = {
        "@context": "https://w3id.org/semantica-rdf/context.jsonld",
        "@id": "http://e/a",
        "rdfs:label": "A",
    }
    assert base.load(json.dumps(document).encode(), format="jsonld").stored == 1


def test_dropped_json_keys_are_warned_of(base: Recorder) -> None:
    document = b'{"@context": {"name": "http://e/n"}, "@id": "http://e/a", "name": "A", "nam": "B"}'
    report = base.load(document, format="jsonld")
    assert report.stored == 1
    assert len(report.warnings) == 1
    assert "'nam'" in report.warnings[0]


@pytest.mark.parametrize("content", [b"", b" \n\t", b"# nothing here\n  # nor here\n"])
def test_an_empty_document_is_a_report_of_nothing(base: Recorder, content: bytes) -> None:
    report = base.load(content, format="turtle")
    assert (report.read, report.stored, report.receipt) == (0, 0, None)
    assert base.parts == []


def test_too_large_documents_and_missing_files_are_refused(base: Recorder, tmp_path: Path) -> None:
    with pytest.raises(ValidationError) as refused:
        base.load(SAME["turtle"], format="turtle", max_bytes=10)
    assert refused.value.code == "too_large"
    with pytest.raises(NotFound):
        base.load(tmp_path / "none.ttl")
    with pytest.raises(ValidationError) as directory:
        base.load(tmp_path)
    assert directory.value.code == "not_a_file"
    with pytest.raises(ValidationError) as number:
        base.load(5)
    assert number.value.code == "unsupported_document"


def test_angle_brackets_inside_texts_and_comments_are_no_triple_terms(base: Recorder) -> None:
    text = b'<a:a> <a:b> "<<(" . # <<(\n<a:a> <a:b> """ "<<" """ .'
    assert base.load(text, format="turtle").stored == 2


@pytest.mark.quick
def test_one_bad_statement_is_rejected_with_position_reason_and_code(base: Recorder) -> None:
    text = b"<a:a> <a:b> 1 .\n<a:a> <https://w3id.org/semantica-rdf/ns#source> <a:c> .\n<a:a> <a:b> 2 ."
    report = base.load(text, format="turtle")
    [(line, reason)] = report.rejected
    assert (line, report.rejected[0].code) == (2, "reserved_term")
    assert "word of the record" in reason
    assert (report.read, report.stored, report.ok) == (3, 2, True)


def test_a_dry_run_reports_the_same_and_records_nothing(base: Recorder) -> None:
    text = b"<a:a> <a:b> 1, 2, 1 ."
    dry = base.load(text, format="turtle", dry_run=True, chunk=1)
    assert base.drafts == []
    wet = base.load(text, format="turtle")
    assert (dry.read, dry.stored, dry.already_there) == (3, 2, 1)
    assert (wet.read, wet.stored, wet.already_there) == (3, 2, 1)
    assert "nothing recorded" in str(dry)


def test_chunks_are_transactions_and_progress_is_told(base: Recorder) -> None:
    told: list[tuple[int, int | None]] = []
    text = b"".join(b"<a:a> <a:b> %d .\n" % n for n in range(2500))
    report = base.load(text, format="turtle", chunk=1000, progress=lambda *step: told.append(step))
    assert base.parts == [1, 2, 3]
    assert len(report.receipts) == 3
    assert told[-1] == (2500, None)
    with pytest.raises(ValidationError) as refused:
        base.load(text, format="turtle", chunk=0)
    assert refused.value.code == "bad_chunk"


def test_windows_of_the_load_stand_in_where_the_document_has_none(base: Recorder) -> None:
    base.load(SAME["turtle"], format="turtle", valid_from="2020", valid_until="2021", source="s:s")
    assert [(d.valid_from, d.valid_until, d.source) for d in base.drafts] == [
        ("2020", "2021", "s:s")
    ]


def test_spellings_reach_the_ledger_as_written(base: Recorder) -> None:
    base.load(b'<a:a> <a:b> 01, "x"@en-US .', format="turtle")
    objects = {d.object for d in base.drafts}
    assert Literal("01", "http://www.w3.org/2001/XMLSchema#integer") in objects


def test_rdflib_graphs_and_datasets_load_with_their_graph_names(base: Recorder) -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef(A), rdflib.URIRef(P), rdflib.Literal("x", lang="en")))
    assert base.load(graph).stored == 1
    dataset = rdflib.Dataset()
    default = dataset.graph(rdflib.graph.DATASET_DEFAULT_GRAPH_ID)
    default.add((rdflib.URIRef(A), rdflib.URIRef(P), rdflib.Literal(1)))
    dataset.graph(rdflib.URIRef("http://e/g")).add(
        (rdflib.URIRef(A), rdflib.URIRef(P), rdflib.Literal(2))
    )
    report = base.load(dataset)
    assert (report.read, report.stored) == (2, 2)
    assert {(str(d.object), d.graph and str(d.graph)) for d in base.drafts} == {
        ("x", None),
        ("1", None),
        ("2", "http://e/g"),
    }


def test_an_rdflib_term_that_is_none_is_rejected_and_the_rest_is_stored(base: Recorder) -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef(A), rdflib.URIRef(P), rdflib.Literal("\ud800")))
    graph.add((rdflib.URIRef(A), rdflib.URIRef(P), rdflib.Literal("fine")))
    report = base.load(graph)
    assert (report.stored, report.rejected_by_code) == (1, {"bad_literal": 1})


def test_own_exports_come_back_as_claims_and_the_rest_is_counted_by_name(base: Recorder) -> None:
    ids = "https://w3id.org/semantica-rdf/id/0123456789ab"
    text = f"""
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix srdf: <https://w3id.org/semantica-rdf/ns#> .
    @prefix prov: <http://www.w3.org/ns/prov#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    <{ids}/1-1> a rdf:Statement, prov:Entity ; rdf:subject <a:a> ; rdf:predicate <a:b> ;
      rdf:object <a:c> ; srdf:source <a:s> ; srdf:transaction <{ids}/1-0> ;
      srdf:validFrom "2020-01-01T00:00:00Z"^^xsd:dateTime ;
      srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ;
      <http://purl.org/dc/terms/identifier> "hr-1" ; srdf:confidence 0.9 .
    <{ids}/1-2> a rdf:Statement ; rdf:subject <a:a> ; rdf:predicate <a:b> ; rdf:object <a:d> ;
      srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ;
      srdf:supersededAt "2026-01-02T00:00:00Z"^^xsd:dateTime .
    <{ids}/1-3> a rdf:Statement ; rdf:subject <a:a> ; rdf:predicate <a:b> ; rdf:object <a:e> ;
      srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ; srdf:standing srdf:disputed .
    <{ids}/1-0> a srdf:Transaction, prov:Activity ; srdf:sequence 1 ;
      srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ; prov:wasAssociatedWith <a:ann> .
    <a:ann> a prov:Agent .
    <a:other> a rdf:Statement ; rdf:subject <a:a> .
    """
    report = base.load(text.encode(), format="turtle")
    [own, *others] = base.drafts
    assert (str(own.subject), str(own.predicate), str(own.object)) == ("a:a", "a:b", "a:c")
    assert own.support_id == "hr-1"
    assert own.source_recorded_at.value == "2026-01-01T00:00:00Z"
    assert {str(draft.subject) for draft in others} == {"a:other"}
    assert dict(report.skipped) == {
        "disputed versions": 1,
        "srdf:transaction": 1,
        "superseded versions": 1,
        "transactions": 1,
    }
    assert (report.read, report.stored) == (5, 3)


@pytest.mark.quick
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("format_", ["ntriples", "nquads"])
def test_a_rejection_names_the_line_of_formats_with_one_statement_a_line(
    base: Recorder, format_: str, end: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserved = b"<a:a> <https://w3id.org/semantica-rdf/ns#source> _:b ."
    lines = [
        b"# first",
        b"",
        b"<a:a> <a:b> <a:c#d> . # said",
        b"  \t",
        reserved,
        b" # x",
        b"\t" + reserved,
    ]
    path = tmp_path / "facts.nq"
    path.write_bytes(b"\xef\xbb\xbf" + end.join(lines))
    for step in (1 << 20, 1, 2, 7, 60):
        monkeypatch.setattr(formats, "_STEP", step)
        report = base.load(path, format=format_)
        assert [item.line for item in report.rejected] == [5, 7]
        assert (report.read, report.stored + report.already_there) == (3, 1)
    path.write_bytes(path.read_bytes() + end + b"<a:a>")
    with pytest.raises(ValidationError, match="line 8"):
        base.load(path, format=format_)
