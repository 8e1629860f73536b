"""Terms as typed, and terms and times as shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.cli.text import bound_text, escaped, iri_text, short_id, term_text, window_text
from semantica_rdf.cli.words import Words
from semantica_rdf.errors import SemanticaError
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, literal
from semantica_rdf.model.time import Window

pytestmark = pytest.mark.quick

EX = "https://example.org/"
PREFIXES = {"ex": EX, "xsd": vocab.XSD}
WORDS = Words(PREFIXES)


@pytest.mark.parametrize(
    ("word", "term"),
    [
        ("<https://example.org/a>", Iri(EX + "a")),
        ("ex:a", Iri(EX + "a")),
        ("https://example.org/a", Iri(EX + "a")),
        ("urn:x:1", Iri("urn:x:1")),
        ('"text"@en', literal("text", lang="en")),
        ("'text'", literal("text")),
        ('"1"^^xsd:integer', literal("1", datatype=vocab.XSD + "integer")),
        (f'"1"^^<{vocab.XSD}integer>', literal("1", datatype=vocab.XSD + "integer")),
        ("42", literal("42", datatype=vocab.XSD + "integer")),
        ("-1.5", literal("-1.5", datatype=vocab.XSD + "decimal")),
        ("1e3", literal("1e3", datatype=vocab.XSD + "double")),
        ("true", literal("true", datatype=vocab.XSD + "boolean")),
        ("1 Mill Lane", literal("1 Mill Lane")),
        ("note: see below", literal("note: see below")),
        ("12:30", literal("12:30")),
        ("", literal("")),
        ('"a\\nb\\u00e9"', literal("a\nbé")),
        ("'say \"hi\"'", literal('say "hi"')),
        ("٣", literal("٣")),
    ],
)
def test_a_word_is_the_term_it_looks_like(word, term):
    assert WORDS.term(word) == term


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("exx:acme", "unknown_prefix"),
        ("_:b1", "blank_node"),
        ('"open', "bad_literal"),
        ('"say "hi""', "bad_literal"),
        ('"bad \\q escape"', "bad_literal"),
        ('"x"^^nope:type', "unknown_prefix"),
        ("<not an iri>", "bad_iri"),
        ('"x"@en-', "bad_literal"),
        ('"\\uD800"', "bad_literal"),
    ],
)
def test_what_may_be_a_slip_is_refused(word, code):
    with pytest.raises(SemanticaError) as caught:
        WORDS.term(word)
    assert caught.value.code == code


def test_a_is_rdf_type_as_a_predicate_only():
    assert WORDS.predicate("a") == Iri(vocab.RDF_TYPE)
    assert WORDS.term("a") == literal("a")


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(_TEXTS, st.sampled_from([None, "en", "de-CH"]))
def test_a_literal_as_shown_can_be_typed_again(text, language):
    term = literal(text, lang=language)
    assert WORDS.term(term_text(term, PREFIXES)) == term


@given(_TEXTS)
def test_what_is_shown_holds_no_control_character(text):
    shown = escaped(text)
    assert all(character.isprintable() or character >= "\xa0" for character in shown)


@given(st.text("abc-_./é", min_size=1))
def test_an_iri_as_shown_can_be_typed_again(local):
    assert WORDS.iri(iri_text(EX + local, PREFIXES)) == Iri(EX + local)


def test_bounds_and_windows_read_as_dates_where_they_are():
    day = 86_400_000_000
    assert bound_text(day) == "1970-01-02"
    assert bound_text(day + 1) == "1970-01-02T00:00:00.000001Z"
    assert window_text(Window()) == "always"
    assert window_text(Window(0, day)) == "from 1970-01-01 until 1970-01-02"


def test_only_ids_of_the_record_are_shortened():
    assert short_id(vocab.ID_BASE + "abc/12-3") == "12-3"
    assert short_id(EX + "12-3") == EX + "12-3"
