"""Mappings whose rows say themselves what their object is, and what is refused of such a mapping."""

from __future__ import annotations

import json

import pytest

from semantica_rdf import Iri, literal
from semantica_rdf.errors import CallerError
from semantica_rdf.loading.mapping import read_mapping

EX = "https://example.org/"
BASIC = {
    "format": {"kind": "csv"},
    "subject": {"column": "s", "absolute": True},
    "predicate": {"iri": EX + "p"},
    "object": {"column": "o"},
}

pytestmark = pytest.mark.quick


def loaded(kb, mapping, text):
    report = kb.load(text.encode(), mapping=mapping, reason="test")
    return report, [fact.object for fact in kb.at().facts()]


def test_an_object_is_what_its_row_says(kb):
    mapping = BASIC | {
        "object": {
            "column": "o",
            "kind_column": "k",
            "datatype_column": "t",
            "language_column": "l",
            "base": EX + "id/",
        }
    }
    table = [
        "s,o,k,t,l",
        "a:1,Acme Inc,iri,,",
        "a:2,urn:x:y,iri,,",
        "a:3,Acme,literal,,",
        "a:4,Zug,literal,,de",
        "a:5,41,literal,http://www.w3.org/2001/XMLSchema#integer,",
        "a:6,,literal,,",
    ]
    report, found = loaded(kb, mapping, "\n".join(table))
    assert (report.stored, len(report.rejected)) == (6, 0)
    labels = {fact.object for fact in kb.at().facts(predicate="rdfs:label")}
    assert labels == {literal("Acme Inc")}
    assert [term for term in found if term not in labels] == [
        Iri(EX + "id/Acme%20Inc"),
        Iri("urn:x:y"),
        literal("Acme"),
        literal("Zug", lang="de"),
        literal(41),
        literal(""),
    ]


def test_a_datatype_by_row_alone_makes_every_object_a_literal(kb):
    mapping = BASIC | {"object": {"column": "o", "datatype_column": "t"}}
    _, found = loaded(kb, mapping, "s,o,t\na:1,https://example.org/x,\na:2,1,http://a/t\n")
    assert found == [literal("https://example.org/x"), literal("1", datatype="http://a/t")]


def test_a_kind_by_row_goes_with_one_type_of_the_literals(kb):
    mapping = BASIC | {
        "object": {
            "column": "o",
            "kind_column": "k",
            "datatype": "http://www.w3.org/2001/XMLSchema#date",
            "values": {"2026-01-01": EX + "newyear", "x": EX + "x"},
        }
    }
    _, found = loaded(kb, mapping, "s,o,k\na:1,2026-01-01,literal\na:2,x,iri\n")
    assert found == [literal("2026-01-01", datatype="xsd:date"), Iri(EX + "x")]


def test_json_lines_say_it_too(kb):
    mapping = BASIC | {
        "format": {"kind": "jsonl"},
        "object": {"column": "o", "kind_column": "what.kind", "absolute": True},
    }
    lines = [
        {"s": "a:1", "o": 41, "what": {"kind": "literal"}},
        {"s": "a:2", "o": "isbn:1", "what": {"kind": "iri"}},
    ]
    _, found = loaded(kb, mapping, "\n".join(map(json.dumps, lines)))
    assert found == [literal(41), Iri("isbn:1")]


def test_an_empty_graph_or_source_is_none_only_where_the_mapping_says_so(kb):
    table = "s,o,g\na:1,x,urn:g:1\na:2,y,\n"
    strict = BASIC | {"graph": {"column": "g", "absolute": True}}
    report, _ = loaded(kb, strict, table)
    assert (report.stored, [item.code for item in report.rejected]) == (1, ["missing_value"])
    lax = BASIC | {"graph": {"column": "g", "absolute": True, "optional": True}}
    report, _ = loaded(kb, lax, table)
    assert (report.stored, report.already_there) == (1, 1)
    assert {fact.graph for fact in kb.at().facts()} == {None, Iri("urn:g:1")}
    lax = BASIC | {"source": {"column": "g", "optional": True}}
    report, _ = loaded(kb, lax, "s,o,g\na:3,x,\na:4,y,urn:src:1\n")
    (fact,) = kb.at().facts(Iri("a:3"))
    assert fact.sources == (Iri(EX + "hr"),)
    assert kb.at().facts(Iri("a:4"))[0].sources == (Iri("urn:src:1"),)


@pytest.mark.parametrize(
    ("section", "declared", "code"),
    [
        ("subject", {"column": "s", "optional": True}, "bad_mapping"),
        ("object", {"column": "o", "optional": True}, "bad_mapping"),
        ("subject", {"column": "s", "kind_column": "k"}, "bad_mapping"),
        ("graph", {"column": "g", "datatype_column": "k"}, "bad_mapping"),
        ("predicate", {"iri": EX + "p", "absolute": True}, "bad_mapping"),
        ("object", {"iri": EX + "o", "kind_column": "k"}, "bad_mapping"),
        ("subject", {"column": "s", "absolute": True, "base": EX}, "bad_mapping"),
        ("object", {"column": "o", "datatype_column": "t", "datatype": EX}, "bad_mapping"),
        ("object", {"column": "o", "language_column": "l", "base": EX}, "bad_mapping"),
        ("object", {"column": "o", "kind_column": 3}, "bad_mapping"),
        ("subject", {"column": "s", "absolute": "yes"}, "bad_mapping"),
        ("object", {"column": "o", "kinds_column": "k"}, "unknown_filter"),
    ],
)
def test_a_mapping_that_contradicts_itself_is_refused(section, declared, code):
    assert read_mapping(BASIC)
    with pytest.raises(CallerError) as caught:
        read_mapping(BASIC | {section: declared})
    assert caught.value.code == code


def test_a_column_that_says_something_has_to_be_there(kb):
    mapping = BASIC | {"object": {"column": "o", "kind_column": "k"}}
    with pytest.raises(CallerError) as caught:
        loaded(kb, mapping, "s,o\na:1,x\n")
    assert caught.value.code == "unknown_column"
    assert "'k'" in str(caught.value)
