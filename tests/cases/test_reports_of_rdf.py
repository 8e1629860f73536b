"""
Public bug reports of the family rdf: blank nodes, literals, language tags, IRIs, prefixes.

Each test carries the report's id. Label search comes with later parts.
"""

from __future__ import annotations

import csv
import io

import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import errors, iri, literal

EX = "https://example.org/"
ALICE, NOTE = EX + "alice", EX + "note"

pytestmark = pytest.mark.quick


def refused(code):
    return pytest.raises(errors.CallerError, check=lambda error: error.code == code)


def put(kb, value, subject=ALICE, predicate=NOTE, **said):
    with kb.transaction(reason="test") as tx:
        return tx.assert_(subject, predicate, value, **said)


def load(kb, text, format_="turtle", **said):
    return kb.load(text.encode(), format=format_, reason="test", **said)


def test_a_given_label_and_a_generated_one_stay_two_nodes(kb):
    """B069."""
    load(kb, f"_:b1 <{NOTE}> [] . _:genid1 <{NOTE}> _:b0 .", "trig")
    facts = kb.at().facts()
    assert len(facts) == 2
    assert len({str(term) for fact in facts for term in (fact.subject, fact.object)}) == 4
    text = kb.export(view=kb.at(), format="trig", blank_nodes="restore")
    quads = list(ox.parse(text, ox.RdfFormat.TRIG))
    assert len({str(term) for quad in quads for term in (quad.subject, quad.object)}) == 4


def test_two_spellings_of_a_number_are_one_value_with_two_supports_and_both_spellings(kb):
    """B071."""
    put(kb, literal("01", datatype="xsd:integer"), source=EX + "a")
    put(kb, literal("1", datatype="xsd:integer"), source=EX + "b")
    put(kb, literal("1.10", datatype="xsd:decimal"), source=EX + "a")
    view = kb.at()
    (fact,) = view.facts(object=literal("01", datatype="xsd:integer"))
    assert len(fact.sources) == 2
    assert view.count() == 2
    spelled = {item.source_text for item in kb.history((ALICE, NOTE, 1))}
    assert spelled == {"01", None}
    decimal = literal("1.1", datatype="xsd:decimal")
    assert [item.source_text for item in kb.history((ALICE, NOTE, decimal))] == ["1.10"]
    exported = kb.export(format="turtle")
    assert b'"01"' in exported
    assert b'"1.10"' in exported


def test_language_tags_of_different_case_are_one_literal(kb):
    """B073: lower case is stored, looked up and exported."""
    first = put(kb, literal("chat", lang="en-US"))
    assert put(kb, literal("chat", lang="en-us")) == first
    load(kb, f'<{ALICE}> <{NOTE}> "chat"@EN-us .')
    assert kb.at().count() == 1
    for format_ in ("turtle", "nquads", "jsonld"):
        assert b"en-us" in kb.export(view=kb.at(), format=format_)
    assert kb.at().query('ASK { ?s ?p "chat"@en-US }')
    assert not kb.at().query('ASK { ?s ?p "chat"@en }')


def test_a_large_literal_goes_through_csv_uncut(kb):
    """B076."""
    big = "ä" * 1_000_000 + 'x,"\n' * 1_000_000
    put(kb, big)
    text = kb.at().query("SELECT ?o { ?s ?p ?o }").serialize("csv")
    limit = csv.field_size_limit(64 * 1024 * 1024)
    try:
        content = text.decode() if isinstance(text, bytes) else text
        rows = list(csv.reader(io.StringIO(content, newline="")))
    finally:
        csv.field_size_limit(limit)
    assert rows[1] == [big]


@pytest.mark.parametrize("written", [f"<{EX}a b>", f"<{EX}a\\u0020b>"])
def test_an_iri_with_a_space_is_refused_in_a_document_with_its_line(kb, written):
    """B077."""
    with refused("syntax_error") as caught:
        load(kb, f"<{ALICE}> <{NOTE}> 1 .\n<{ALICE}> <{NOTE}> {written} .")
    assert "line 2" in str(caught.value)
    assert kb.stats().statements == 0
    load(kb, f"<{ALICE}> <{NOTE}> <{EX}a%20b> .")
    assert kb.stats().statements == 1


def test_an_iri_with_a_space_is_refused_by_name_with_its_place(kb):
    """B077."""
    for act in (lambda: iri(EX + "a b"), lambda: put(kb, 1, subject=EX + "a b")):
        with refused("bad_iri") as caught:
            act()
        assert "at character 22" in str(caught.value)
    assert kb.stats().statements == 0


def test_names_become_valid_iris_and_stay_as_labels(kb):
    """B078."""
    mapping = {
        "format": {"kind": "csv"},
        "subject": {"column": "name", "base": EX + "id/"},
        "predicate": {"column": "relation", "base": EX + "rel/"},
        "object": {"column": "place", "base": EX + "id/"},
    }
    table = b"name,relation,place\nAcme Corp,works for,S\xc3\xa3o {1} <x>\n"
    kb.load(table, mapping=mapping, reason="test")
    labels = kb.at().query("SELECT ?s ?l { ?s rdfs:label ?l }")
    found = {row["l"].value: row["s"].value for row in labels}
    assert found["Acme Corp"] == EX + "id/Acme%20Corp"
    assert {"Acme Corp", "works for", "São {1} <x>"} <= set(found)
    graph = rdflib.Graph().parse(data=kb.export(view=kb.at(), format="turtle"), format="turtle")
    assert len(graph) == kb.at().count()
    assert len(list(ox.parse(kb.export(format="turtle"), ox.RdfFormat.TURTLE))) > 20


def test_percent_encoding_is_neither_doubled_nor_taken_when_broken(kb):
    """B079."""
    put(kb, 1, subject=EX + "a%20b")
    assert str(kb.at().facts()[0].subject) == EX + "a%20b"
    assert f"{EX}a%20b".encode() in kb.export(view=kb.at(), format="nquads")
    with refused("bad_iri"):
        put(kb, 1, subject=EX + "%zz")
    assert kb.stats().statements == 1


def test_two_normal_forms_are_two_iris(kb):
    """B080: codepoints decide. Label search is not built."""
    composed, decomposed = "http://x/caf\u00e9", "http://x/cafe\u0301"
    first, second = put(kb, 1, subject=composed), put(kb, 1, subject=decomposed)
    assert first != second
    assert {str(fact.subject) for fact in kb.at().facts()} == {composed, decomposed}
    assert [str(fact.subject) for fact in kb.at().facts(subject=decomposed)] == [decomposed]


def test_a_document_with_letters_in_two_parts_says_so(kb):
    """B080: the notice of a possible duplicate."""
    composed, decomposed = "http://x/caf\u00e9", "http://x/cafe\u0301"
    assert load(kb, f"<{composed}> <{NOTE}> 1 .").warnings == ()
    report = load(kb, f"<{composed}> <{NOTE}> 1 . <{decomposed}> <{NOTE}> 1 .")
    assert report.already_there == report.stored == 1
    (notice,) = report.warnings
    assert "cafe\\u0301" in notice
    assert "caf\\xe9" in notice


@pytest.mark.parametrize("format_", ["turtle", "trig", "jsonld"])
def test_names_that_end_with_a_dot_or_hold_a_slash_come_back_the_same(kb, format_):
    """B081."""
    kb.prefixes.bind("e", "http://example.com/")
    subjects = ["http://example.com/exuri.", "http://example.com/10.1/x", "http://example.com/"]
    for subject in subjects:
        put(kb, iri(subject), subject=subject, predicate="http://example.com/p.")
    exported = kb.export(view=kb.at(), format=format_)
    form = {"turtle": "TURTLE", "trig": "TRIG", "jsonld": "JSON_LD"}[format_]
    quads = list(ox.parse(exported, getattr(ox.RdfFormat, form)))
    assert sorted(quad.subject.value for quad in quads) == sorted(subjects)
    assert {quad.predicate.value for quad in quads} == {"http://example.com/p."}


def test_graphs_with_prefixes_of_their_own_are_written_the_same_twice(kb):
    """B082."""
    kb.prefixes.bind("one", "http://one.example/")
    kb.prefixes.bind("two", "http://two.example/")
    for name in ("one", "two"):
        base = f"http://{name}.example/"
        put(kb, iri(base + "o"), subject=base + "s", predicate=base + "p", graph=base + "g")
    exported = kb.export(view=kb.at(), format="trig")
    assert exported == kb.export(view=kb.at(), format="trig")
    for quad in ox.parse(exported, ox.RdfFormat.TRIG):
        terms = (quad.subject, quad.predicate, quad.object, quad.graph_name)
        assert len({term.value.split("/")[2] for term in terms}) == 1
    assert sum(1 for _ in ox.parse(exported, ox.RdfFormat.TRIG)) == 2


def test_a_predicate_that_xml_cannot_name_is_refused_before_any_output(kb, tmp_path):
    """B083: a predicate with a numeric local name goes into every format but RDF/XML."""
    put(kb, 1, predicate="https://x/gdo/0000240")
    with refused("not_in_format") as caught:
        kb.export(tmp_path / "out.rdf", view=kb.at())
    assert "https://x/gdo/0000240" in str(caught.value)
    assert not list(tmp_path.iterdir())
    for suffix in ("ttl", "nq", "nt", "trig", "jsonld", "csv", "parquet", "arrow"):
        kb.export(tmp_path / f"out.{suffix}", view=kb.at())
        assert b"0000240" in (tmp_path / f"out.{suffix}").read_bytes()
    kb.export(tmp_path / "out.rdf")
    assert b"0000240" in (tmp_path / "out.rdf").read_bytes()
