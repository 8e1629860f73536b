"""Terms: what may be one, what a plain string means, and the text the record keeps."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import errors, iri, literal
from semantica_rdf.model import vocab
from semantica_rdf.model.lexical import MAX_LITERAL_CHARACTERS
from semantica_rdf.model.terms import (
    BlankNode,
    Iri,
    Literal,
    TripleTerm,
    foreign_term,
    iri_of,
    object_of,
    shortened,
    term_of_ntriples,
)

XSD = vocab.XSD
EX = "https://example.org/"
PREFIXES = {"ex": EX, "": "https://example.org/empty#"}

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("value", "text", "datatype"),
    [
        (3, "3", "integer"),
        (-(2**70), str(-(2**70)), "integer"),
        (True, "true", "boolean"),
        (2.5, "2.5", "double"),
        (Decimal("1.10"), "1.10", "decimal"),
        (Decimal("1E+3"), "1000", "decimal"),
        (date(2026, 9, 1), "2026-09-01", "date"),
        (time(9, 30), "09:30:00", "time"),
        (datetime(2026, 9, 1, tzinfo=UTC), "2026-09-01T00:00:00+00:00", "dateTime"),
        ("Zug", "Zug", "string"),
    ],
)
def test_python_values_become_typed_literals(value, text, datatype):
    made = literal(value)
    assert (made.value, made.datatype) == (text, XSD + datatype)
    assert object_of(value, {}) == made


def test_a_built_in_prefix_of_a_datatype_is_spelled_out():
    assert literal("2026-09-01", datatype="xsd:date").datatype == XSD + "date"
    assert literal("x", datatype="urn:my:type").datatype == "urn:my:type"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: literal("\ud800"), "bad_literal"),
        (lambda: literal("x", lang="en_US"), "bad_literal"),
        (lambda: literal("x", lang=""), "bad_literal"),
        (lambda: literal("x", lang="en", datatype=XSD + "string"), "bad_literal"),
        (lambda: literal("x", datatype="no iri"), "bad_iri"),
        (lambda: literal("x", datatype=vocab.RDF_LANGSTRING), "bad_literal"),
        (lambda: literal("x", datatype=vocab.RDF + "dirLangString"), "bad_literal"),
        (lambda: literal("x", datatype="rdf:langString"), "bad_literal"),
        (lambda: literal(Decimal("NaN")), "bad_literal"),
        (lambda: literal(datetime(2026, 1, 1)), "naive_datetime"),  # noqa: DTZ001
        (lambda: literal(object()), "unsupported_term"),
        (lambda: literal(None), "unsupported_term"),
        (lambda: literal("a" * (MAX_LITERAL_CHARACTERS + 1)), "literal_too_large"),
        (lambda: literal("é" * (MAX_LITERAL_CHARACTERS // 2 + 1)), "literal_too_large"),
        (lambda: literal('"' * (MAX_LITERAL_CHARACTERS // 2 + 1)), "literal_too_large"),
        (lambda: iri(""), "bad_iri"),
        (lambda: iri("relative/path"), "bad_iri"),
        (lambda: iri(EX + "a b"), "bad_iri"),
        (lambda: iri(EX + "\ud800"), "bad_iri"),
        (lambda: iri(EX + "%zz"), "bad_iri"),
        (lambda: iri(EX + "a" * 70_000), "bad_iri"),
    ],
)
def test_what_is_no_term_is_refused_with_its_code(make, code):
    with pytest.raises(errors.ValidationError) as caught:
        make()
    assert caught.value.code == code
    str(caught.value).encode()


def test_the_neighbours_of_refused_terms_are_taken():
    assert literal("\U0010ffff\x00").value == "\U0010ffff\x00"
    assert literal("x", lang="en-US").language == "en-us"
    assert iri(EX + "a%20b").value == EX + "a%20b"
    assert iri(EX + "café").value == EX + "café"
    assert len(literal("é" * 1_000_000).value) == 1_000_000


def test_a_bad_iri_is_refused_with_the_place_of_the_bad_character():
    with pytest.raises(errors.ValidationError, match="at character 22"):
        iri(EX + "a b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ex:alice", EX + "alice"),
        (":alice", "https://example.org/empty#alice"),
        (EX + "alice", EX + "alice"),
        ("urn:isbn:1", "urn:isbn:1"),
        ("mailto:ann@example.org", "mailto:ann@example.org"),
        ("did:web:example.org", "did:web:example.org"),
        ("tag:example.org,2026:a", "tag:example.org,2026:a"),
    ],
)
def test_a_string_names_an_iri_where_only_an_iri_may_stand(text, expected):
    assert iri_of(text, PREFIXES, where="subject") == expected
    with pytest.raises(errors.AmbiguousTerm):
        object_of(text, PREFIXES)


@pytest.mark.parametrize("text", ["alice", "foo:alice", "javascript:alert(1)", "", "a b", "C:\\x"])
def test_a_string_that_names_no_iri_is_an_unknown_prefix_as_subject_and_a_text_as_object(text):
    with pytest.raises(errors.UnknownPrefix):
        iri_of(text, PREFIXES, where="subject")
    assert object_of(text, PREFIXES) == Literal(text)


@pytest.mark.parametrize(
    "foreign",
    [
        rdflib.URIRef(EX + "a"),
        ox.NamedNode(EX + "a"),
        Iri(EX + "a"),
    ],
)
def test_foreign_iris_are_iris_though_they_be_strings(foreign):
    assert object_of(foreign, {}) == Iri(EX + "a")
    assert iri_of(foreign, {}, where="subject") == EX + "a"


def test_foreign_literals_stay_literals_though_they_look_like_iris():
    assert object_of(rdflib.Literal(EX + "a"), PREFIXES) == Literal(EX + "a")
    assert object_of(ox.Literal(EX + "a"), PREFIXES) == Literal(EX + "a")
    tagged = rdflib.Literal("Zug", lang="de")
    assert object_of(tagged, {}) == Literal("Zug", vocab.RDF_LANGSTRING, "de")
    odd = rdflib.Literal("01", datatype=rdflib.XSD.integer, normalize=False)
    assert object_of(odd, {}).value == "01"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (BlankNode("b"), "blank_node"),
        (rdflib.BNode("b"), "blank_node"),
        (ox.BlankNode("b"), "blank_node"),
        (Literal("x"), "not_an_iri"),
        (rdflib.Literal("x"), "not_an_iri"),
        (5, "not_an_iri"),
        (None, "not_an_iri"),
        (TripleTerm(Iri(EX), Iri(EX), Iri(EX)), "not_an_iri"),
    ],
)
def test_what_is_no_iri_cannot_be_a_subject(value, code):
    with pytest.raises(errors.ValidationError) as caught:
        iri_of(value, {}, where="subject")
    assert caught.value.code == code


def test_an_ill_typed_literal_gives_its_text():
    assert Literal("abc", XSD + "integer").to_python() == "abc"
    assert Literal("7", XSD + "integer").to_python() == 7
    assert Literal("2026-02-30", XSD + "date").to_python() == "2026-02-30"


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
iris = st.builds(lambda tail: EX + tail, st.text("abc/#?é%20-._~", max_size=8)).filter(
    lambda text: text.count("#") <= 1 and "%" not in text
)
terms = st.one_of(
    iris.map(Iri),
    texts.map(Literal),
    st.builds(lambda text, tag: Literal(text, vocab.RDF_LANGSTRING, tag), texts, st.just("en-us")),
    st.builds(Literal, texts, st.sampled_from([XSD + "integer", XSD + "date", EX + "type"])),
)


@given(terms)
def test_every_term_comes_back_from_its_ntriples_text(term):
    assert term_of_ntriples(term.ntriples) == term


@given(terms)
def test_every_term_survives_the_way_through_pyoxigraph_and_rdflib(term):
    assert foreign_term(term.to_pyoxigraph()) == term
    assert foreign_term(term.to_rdflib()) == term


@given(st.text(max_size=200))
def test_a_shortened_text_can_always_be_printed(text):
    assert len(shortened(text, 60).encode()) >= min(len(text), 60)
