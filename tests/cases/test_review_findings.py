"""What a second reader found: errors of this package where foreign ones came through, and neighbours."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import Draft, errors, iri
from semantica_rdf.ledger.chain import Head

EX = "https://example.org/"
A, KNOWS = EX + "alice", EX + "knows"

pytestmark = pytest.mark.quick


def refused(kind, code):
    return pytest.raises(kind, check=lambda error: error.code == code)


def test_a_prefix_the_base_cannot_keep_does_not_fail_a_load_that_is_on_record(kb):
    text = "@prefix é: <https://example.org/> . @prefix ex: <https://example.org/> . é:a ex:b é:c ."
    assert kb.load(text.encode(), format="turtle", reason="import").stored == 1
    assert kb.prefixes["ex"] == EX
    assert "é" not in kb.prefixes
    assert kb.at().query("ASK { ex:a ex:b ex:c }")


def test_a_loaded_document_does_not_take_a_bound_prefix_away(kb):
    kb.prefixes.bind("ex", EX)
    kb.load(
        b"@prefix ex: <https://other.example/> . ex:a ex:b ex:c .", format="turtle", reason="import"
    )
    assert kb.prefixes["ex"] == EX


@pytest.mark.parametrize("text", ["-5:00", "5", "5:zz", "5:" + "0" * 63, ":" + "0" * 64, ""])
def test_a_text_that_is_no_head_is_refused(kb, text):
    with refused(errors.ValidationError, "bad_head"):
        kb.verify(head=text)
    assert Head.of(str(kb.head())) == kb.head()


@pytest.mark.parametrize(
    "triple",
    [
        (rdflib.Literal("x"), rdflib.URIRef(KNOWS), rdflib.Literal(1)),
        (rdflib.URIRef(A), rdflib.Literal("p"), rdflib.Literal(1)),
    ],
)
def test_what_rdflib_takes_for_a_triple_and_is_none_is_refused(kb, triple):
    graph = rdflib.Graph()
    graph.add(triple)
    with (
        refused(errors.ValidationError, "not_an_iri"),
        kb.transaction(reason="no triple") as tx,
    ):
        tx.extend(graph)
    assert kb.stats().statements == 0


def test_a_default_window_of_extend_is_for_drafts_without_one(kb):
    with kb.transaction(reason="windows") as tx:
        own, open_ = tx.extend(
            [Draft(A, KNOWS, 1, valid_during="2020"), Draft(A, KNOWS, 2)], valid_from="2026"
        )
    assert kb.history(own)[0].valid_from.year == 2020
    assert kb.history(open_)[0].valid_from.year == 2026


def test_an_inclusive_end_given_to_extend_reaches_drafts_too(kb):
    with kb.transaction(reason="ends") as tx:
        (made,) = tx.extend([Draft(A, KNOWS, 1, valid_until="2020")], date_end="inclusive")
    assert kb.history(made)[0].valid_until.year == 2021


@pytest.mark.parametrize("kind", [ox.NamedNode, rdflib.URIRef, iri, str])
def test_anybody_s_iri_is_a_target(kb, kind):
    with kb.transaction(reason="import") as tx:
        made = tx.assert_(A, KNOWS, 1)
    assert kb.history(kind(made))[0].id == made
    with kb.transaction(reason="back") as tx:
        assert tx.withdraw(kind(made)) == [made]


def test_a_prefix_that_is_no_text_is_refused_and_one_that_is_can_be_spelled_out(kb):
    with refused(errors.ValidationError, "bad_prefix"):
        kb.prefixes.bind(None, EX)
    kb.prefixes.bind("ex", EX)
    assert kb.prefixes.iri("ex:acme") == iri(EX + "acme")
    with refused(errors.UnknownPrefix, "unknown_prefix"):
        kb.prefixes.iri("nobody:acme")


def test_a_prefixed_name_given_to_iri_is_refused_as_an_object_and_an_absolute_one_is_not(kb):
    kb.prefixes.bind("ex", EX)
    with kb.transaction(reason="names") as tx:
        with refused(errors.AmbiguousTerm, "ambiguous_term"):
            tx.assert_(A, KNOWS, iri("ex:bob"))
        tx.assert_(A, KNOWS, iri("urn:isbn:1"))
        tx.assert_(A, KNOWS, kb.prefixes.iri("ex:bob"))
    assert kb.at().query("ASK { ?a ?p ex:bob }")


def test_a_graph_that_is_no_iri_is_refused_though_nothing_matches(kb):
    with refused(errors.UnknownPrefix, "unknown_prefix"):
        kb.at().facts(graph="not an iri")
    assert kb.at().facts(graph=EX + "g") == []


def test_the_datatype_the_store_rewrites_is_kept_beside(kb):
    with kb.transaction(reason="literals") as tx:
        small = tx.assert_(A, KNOWS, rdflib.Literal("5", datatype=rdflib.XSD.int))
        padded = tx.assert_(
            A, KNOWS, rdflib.Literal("07", datatype=rdflib.XSD.integer, normalize=False)
        )
    assert kb.history(small)[0].source_text == '"5"^^<http://www.w3.org/2001/XMLSchema#int>'
    assert kb.history(padded)[0].source_text == "07"
