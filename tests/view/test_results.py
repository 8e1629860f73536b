"""Answers: rows by name and place, every lexical form kept, and files two readers agree on."""

from __future__ import annotations

import csv
import io
import json
import pickle
import unicodedata
from pathlib import Path
from xml.etree import ElementTree as ET

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf.errors import ProcessingError, QueryError, QuerySyntaxError, ValidationError
from semantica_rdf.model import terms, vocab
from semantica_rdf.store.query_errors import mapped
from semantica_rdf.view.results import Boolean, Solutions, Triples, answer_of

pytestmark = pytest.mark.quick

PREFIXES = {"ex": "http://e/", "exa": "http://e/a/", "other": "http://other/"}
AWKWARD = 'a\rb\tc"d,e\nf\\ <&> \u00e9\U0001f600'
RESULTS = "{http://www.w3.org/2005/sparql-results#}"


def answer(sparql: str, data: str = "") -> Solutions | Boolean | Triples:
    store = ox.Store()
    store.load(data.encode(), format=ox.RdfFormat.TRIG)
    return answer_of(store.query(sparql), PREFIXES)


def solutions(*values: terms.Term | None, name: str = "o") -> Solutions:
    return Solutions((name,), [(value,) for value in values], PREFIXES)


@pytest.fixture
def people() -> Solutions:
    found = answer(
        "SELECT ?s ?o ?none { ?s <http://e/age> ?o } ORDER BY ?s",
        "<http://e/ann> <http://e/age> 41 . <http://e/bob> <http://e/age> 42 .",
    )
    assert isinstance(found, Solutions)
    return found


def test_a_row_answers_by_name_attribute_and_position(people: Solutions) -> None:
    row = people[0]
    assert people.variables == ("s", "o", "none")
    assert row["s"] == row.s == row[0] == terms.iri("http://e/ann")
    assert row["?o"] == row.o == row[1] == terms.literal(41)
    assert row["none"] is row.none is None
    assert list(row) == [row.s, row.o, None]
    assert (row.get("o"), row.get("none", "-"), row.get("nothing", "-")) == (row.o, "-", "-")
    assert (len(people), len(people[:1]), people[-1].o) == (2, 1, terms.literal(42))


def test_a_name_that_is_no_variable_is_a_natural_error(people: Solutions) -> None:
    with pytest.raises(AttributeError, match="no variable age; there are s, o, none"):
        _ = people[0].age
    with pytest.raises(KeyError):
        _ = people[0]["age"]
    with pytest.raises(IndexError):
        _ = people[0][3]


def test_rows_become_dicts_of_python_values_or_terms(people: Solutions) -> None:
    assert people.to_dicts()[0] == {"s": "http://e/ann", "o": 41, "none": None}
    assert people.to_dicts(python=False)[1]["o"] == terms.literal(42)


def test_answers_are_values_that_survive_pickling(people: Solutions) -> None:
    again = pickle.loads(pickle.dumps(people[0]))
    assert again == people[0]
    assert again.s == people[0].s
    assert people == Solutions(people.variables, list(people))


def test_an_ask_is_true_or_false_and_serialises() -> None:
    yes, no = answer("ASK {}"), answer("ASK { ?s ?p ?o }")
    assert (bool(yes), bool(no)) == (True, False)
    assert json.loads(yes.serialize() or "") == {"head": {}, "boolean": True}
    document = ET.fromstring(no.serialize("xml") or "")
    assert document.findtext(f"{RESULTS}boolean") == "false"


def test_json_keeps_every_kind_of_term() -> None:
    found = solutions(
        terms.iri("http://e/a,b"),
        terms.literal(AWKWARD),
        terms.literal("Zug", lang="de"),
        terms.literal("01", datatype=vocab.XSD + "integer"),
        terms.BlankNode("b1"),
        None,
        terms.literal(""),
    )
    document = json.loads(found.serialize("json") or "")
    assert document["head"] == {"vars": ["o"]}
    assert [binding.get("o") for binding in document["results"]["bindings"]] == [
        {"type": "uri", "value": "http://e/a,b"},
        {"type": "literal", "value": AWKWARD},
        {"type": "literal", "value": "Zug", "xml:lang": "de"},
        {"type": "literal", "value": "01", "datatype": vocab.XSD + "integer"},
        {"type": "bnode", "value": "b1"},
        None,
        {"type": "literal", "value": ""},
    ]


def test_tsv_quotes_strings_and_escapes_what_would_break_a_line() -> None:
    found = solutions(
        terms.literal("abc"),
        terms.literal("abc", lang="en"),
        terms.literal(7),
        terms.literal("01", datatype=vocab.XSD + "integer"),
        terms.literal("x", datatype=vocab.XSD + "integer"),
        terms.literal('a\rb\tc"d\ne'),
        None,
    )
    assert (found.serialize("tsv") or "").split("\n") == [
        "?o",
        '"abc"',
        '"abc"@en',
        "7",
        "01",
        '"x"^^<http://www.w3.org/2001/XMLSchema#integer>',
        r'"a\rb\tc\"d\ne"',
        "",
        "",
    ]


ANY_LITERAL = st.text(max_size=20).map(terms.literal) | st.sampled_from(
    [terms.literal(AWKWARD), terms.literal("x", lang="en"), terms.iri("http://e/a,b")]
)


@given(st.lists(st.tuples(ANY_LITERAL, ANY_LITERAL), min_size=1, max_size=5))
@settings(deadline=None)
def test_csv_and_tsv_are_read_back_equal(rows: list[tuple[terms.Term, terms.Term]]) -> None:
    found = Solutions(("x", "y"), rows)
    read = list(csv.reader(io.StringIO(found.serialize("csv") or "", newline="")))
    if not any("\x00" in str(term) for row in rows for term in row):
        assert read == [["x", "y"], *([str(x), str(y)] for x, y in rows)]
    parsed = ox.parse_query_results(found.serialize("tsv") or "", ox.QueryResultsFormat.TSV)
    assert list(answer_of(parsed, {})) == list(found)


@given(st.lists(ANY_LITERAL, min_size=1, max_size=5))
@settings(deadline=None)
def test_xml_is_read_back_equal_or_refused(values: list[terms.Term]) -> None:
    found = solutions(*values)
    try:
        text = found.serialize("xml") or ""
    except ValidationError:
        assert any(unicodedata.category(char) in {"Cc", "Cn"} for char in "".join(map(str, values)))
        return
    read = [
        element.text or ""
        for binding in ET.fromstring(text).iter(f"{RESULTS}binding")
        for element in binding
    ]
    assert read == [str(value) for value in values]


def test_a_large_literal_comes_through_csv_whole() -> None:
    large = "x" * 5_000_000
    limit = csv.field_size_limit(10_000_000)
    try:
        text = solutions(terms.literal(large)).serialize("csv") or ""
        assert list(csv.reader(io.StringIO(text, newline="")))[1] == [large]
    finally:
        csv.field_size_limit(limit)


def test_an_unknown_format_names_the_choices(people: Solutions) -> None:
    for found, choice in ((people, "tsv"), (Boolean(True), "xml"), (Triples([]), "turtle")):
        with pytest.raises(ValidationError, match=choice) as refusal:
            found.serialize("parquet")
        assert refusal.value.code == "unknown_format"


def test_a_file_is_written_whole_or_not_at_all(people: Solutions, tmp_path: Path) -> None:
    target = tmp_path / "people.csv"
    target.write_text("old")
    with pytest.raises(ValidationError, match=r"U\+0001"):
        solutions(terms.literal("\x01")).serialize("xml", target)
    assert target.read_text() == "old"
    assert people.serialize("csv", target) is None
    assert target.read_bytes() == (people.serialize("csv") or "").encode()
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]
    with pytest.raises(ProcessingError) as refusal:
        people.serialize("csv", tmp_path / "nowhere" / "people.csv")
    assert refusal.value.code == "cannot_write"


def constructed() -> Triples:
    found = answer(
        "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }",
        f'<http://e/ann> <http://e/says> {terms.literal(AWKWARD).ntriples}, "01"^^<http://e/t> .',
    )
    assert isinstance(found, Triples)
    return found


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("format", ["turtle", "ttl", "n-triples", "nt", "json-ld", "rdf-xml"])
def test_triples_come_back_equal_from_every_format(format: str) -> None:
    found = constructed()
    reader = {"ttl": "turtle", "n-triples": "nt", "rdf-xml": "xml"}.get(format, format)
    text = found.serialize(format) or ""
    graph = rdflib.Graph().parse(data=text.encode(), format=reader)
    assert {tuple(map(str, triple)) for triple in graph} == {
        tuple(map(str, triple)) for triple in found
    }


def test_only_prefixes_in_use_are_declared() -> None:
    text = constructed().serialize() or ""
    assert "ex:ann" in text
    assert "other" not in text
    assert "my:ann" in (constructed().serialize(prefixes={"my": "http://e/"}) or "")


def test_rdf_xml_refuses_a_predicate_it_cannot_write() -> None:
    triple = (terms.iri("http://e/s"), terms.iri("http://e/0000240"), terms.literal("x"))
    found = Triples([triple])
    with pytest.raises(ValidationError, match="0000240") as refusal:
        found.serialize("rdf-xml")
    assert refusal.value.code == "not_in_format"
    assert "0000240" in (found.serialize("turtle") or "")


def test_triples_become_an_rdflib_graph_with_lexical_forms_unchanged() -> None:
    one = terms.literal("01", datatype=vocab.XSD + "integer")
    found = Triples([(terms.iri("http://e/s"), terms.iri("http://e/p"), one)] * 2, PREFIXES)
    graph = found.to_rdflib()
    assert len(found) == len(graph) == 1
    assert [str(value) for value in graph.objects()] == ["01"]
    assert ("ex", rdflib.URIRef("http://e/")) in set(graph.namespaces())


def test_a_printed_table_is_short_and_a_notebook_table_is_escaped() -> None:
    found = solutions(
        terms.iri("http://e/a/b"), terms.literal("<b>&"), *[terms.literal("x" * 90)] * 200
    )
    lines = str(found).split("\n")
    assert (lines[0], lines[2], lines[3]) == ("o", "exa:b", "<b>&")
    assert lines[-1] == "(202 rows, the first 20 shown)"
    assert max(map(len, lines)) <= 48
    page = found._repr_html_()
    assert "<td>&lt;b&gt;&amp;</td>" in page
    assert page.count("<tr>") == 101
    assert repr(found) == "<Solutions: 202 rows of o>"
    assert "subject" in str(constructed())
    assert str(solutions()) == "o\n-\n(0 rows)"


@pytest.mark.parametrize(
    ("sparql", "line", "column", "said"),
    [
        ("SELECT * { ?s ?p", 1, 17, "at the end"),
        ("SELECT (COUNT(*) AS ?c) ?s {?s ?p ?o}", 1, 38, "unbound"),
        ('SELECT * { ?s "a" ?o }', 1, 20, "near ?o"),
        ("", 1, 1, "cannot stand here"),
    ],
)
def test_a_syntax_error_says_where_and_what(sparql: str, line: int, column: int, said: str) -> None:
    with pytest.raises(SyntaxError) as raised:
        ox.Store().query(sparql)
    error = mapped(raised.value, sparql)
    assert isinstance(error, QuerySyntaxError)
    assert (error.line, error.column, error.code) == (line, column, "query_syntax")
    assert said in str(error)


@pytest.mark.parametrize(
    ("sparql", "line", "column"),
    [
        ("SELECT ?x {\n  ?x ex:p ?y }", 2, 6),
        ("SELECT * { ?s a ex:T }", 1, 17),
        ("PREFIX a: <urn:a:>\nSELECT * { ?s a:p 'ex:q' ; ex:r 1 }", 2, 28),
        ('SELECT * { # ex:p\n\n ?s ?p "x"^^ex:t }', 3, 13),
    ],
)
def test_a_name_with_an_undeclared_prefix_is_named_where_it_stands(
    sparql: str, line: int, column: int
) -> None:
    with pytest.raises(SyntaxError) as raised:
        ox.Store().query(sparql)
    error = mapped(raised.value, sparql)
    assert isinstance(error, QuerySyntaxError)
    assert (error.line, error.column, error.code) == (line, column, "unknown_prefix")
    assert "declare the prefix ex:" in str(error)


def test_other_errors_of_the_engine_become_query_errors() -> None:
    assert mapped(RuntimeError("no such thing")).code == "query_failed"
    known = QueryError("known")
    assert mapped(known) is known
