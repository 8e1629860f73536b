"""The scanner: what each kind of token looks like, and that junk neither stops nor slows it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf.sparql.tokens import tokens

pytestmark = pytest.mark.quick


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(text)]


def test_every_kind_of_token_is_told_apart() -> None:
    assert kinds("SELECT ?x $y { ex:a.b <http://e/#x> 'a'@en-GB, 1.5e3 ; _:b . } # end") == [
        ("word", "SELECT"),
        ("variable", "?x"),
        ("variable", "$y"),
        ("punctuation", "{"),
        ("name", "ex:a.b"),
        ("iri", "<http://e/#x>"),
        ("string", "'a'"),
        ("language", "@en-GB"),
        ("punctuation", ","),
        ("number", "1.5e3"),
        ("punctuation", ";"),
        ("blank", "_:b"),
        ("punctuation", "."),
        ("punctuation", "}"),
        ("comment", "# end"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '""',
        "''",
        '"a"',
        r'"a\"b\\"',
        "'''a'b''c\n'''",
        '"""a"b""c\n"""',
        '""""""',
        r'"""\""""',
        r'"\u0022"',
    ],
)
def test_a_string_is_one_token_in_each_of_its_forms(text: str) -> None:
    assert kinds(f"{text} ?x") == [("string", text), ("variable", "?x")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FILTER(?a<?b&&?c>?d)", ["?a", "<", "?b", "&&", "?c", ">", "?d"]),
        ("FILTER(?a<'''>''')", ["?a", "<", "'''>'''"]),
        ("FILTER(?a<=<http://e/>)", ["?a", "<=", "<http://e/>"]),
        ("FILTER(true<2)", ["true", "<", "2"]),
        ("FILTER(?a IN (<http://e/>))", ["?a", "IN", "(", "<http://e/>", ")"]),
    ],
)
def test_less_than_after_an_operand_of_an_expression_is_an_operator(
    text: str, expected: list[str]
) -> None:
    assert [token.text for token in tokens(text)][2:-1] == expected


@pytest.mark.parametrize(
    "text",
    [
        "{ ?s<http://e/p>?o }",
        "{ ?s ex:p (?a<http://e/p>1) }",
        '{ VALUES(?x ?y){("a"<http://e/p>)} }',
        "{ FILTER EXISTS{?s<http://e/p>?o} }",
        "{ ?s (ex:p/<http://e/p>) ?o }",
        "{ BIND(<<( ?s<http://e/p>?o )>> AS ?t) }",
    ],
)
def test_less_than_outside_an_expression_begins_an_iri(text: str) -> None:
    assert ("iri", "<http://e/p>") in kinds(text)


def test_a_run_without_a_colon_is_split_into_words_numbers_and_marks() -> None:
    assert [token.text for token in tokens("(true-1)")] == ["(", "true", "-", "1", ")"]


def test_an_escaped_quote_in_a_name_begins_no_string() -> None:
    assert kinds(r"ex:a\'b 'c'") == [("name", r"ex:a\'b"), ("string", "'c'")]


def test_what_fits_nothing_is_an_other_token() -> None:
    assert kinds("\x00 \u00a0 ?x") == [("other", "\x00"), ("other", "\u00a0"), ("variable", "?x")]


@given(st.text(alphabet="ab1:.?$<>\"'\\#@_-(){}[]^*/|!=&,; \n\u00e9\U0001f600", max_size=60))
@settings(max_examples=200, deadline=None)
def test_tokens_and_the_gaps_between_them_give_the_text_back(text: str) -> None:
    position = 0
    for token in tokens(text):
        assert text[position : token.start].strip(" \t\r\n") == ""
        assert text[token.start : token.end] == token.text
        position = token.end
    assert text[position:].strip(" \t\r\n") == ""


@pytest.mark.parametrize("unit", ['"\\', "'\"\\", "a-", "a.", "<a", '\\"""\n', "'''\\q", "((", "?"])
def test_junk_is_read_in_a_number_of_steps_that_follows_its_length(unit: str) -> None:
    assert "".join(token.text for token in tokens(unit * 20_000)).count(unit[0]) >= 20_000
