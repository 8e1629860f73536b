"""What a second reader found: errors of this package where foreign ones came through, and neighbours."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import Draft, KnowledgeBase, errors, iri
from semantica_rdf.ledger.chain import Head
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.model import vocab
from semantica_rdf.model.term_values import Literal
from semantica_rdf.store import canonical
from semantica_rdf.store.lock import DirectoryLock

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
        (rdflib.URIRef(A), rdflib.BNode(), rdflib.Literal(1)),
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


@pytest.mark.parametrize("key", ["format", "store_id"])
def test_a_journal_that_lost_what_it_says_of_itself_is_damaged(tmp_path, key):
    path = tmp_path / "journal.sqlite"
    Journal.open(path).close()
    with closing(Journal.open(path)) as whole:
        assert len(whole.store_id) == 12
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM meta WHERE key = ?", (key,))
    with refused(errors.CorruptStore, "corrupt_store"), closing(Journal.open(path)) as journal:
        assert journal.store_id


def test_a_prefix_is_not_bound_in_a_base_open_for_reading(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb") as base:
        base.prefixes.bind("ex", EX)
    with KnowledgeBase.open(tmp_path / "kb", read_only=True) as base:
        with refused(errors.ValidationError, "read_only") as caught:
            base.prefixes.bind("other", EX)
        assert caught.value.hint == "open it for writing"
        assert base.prefixes["ex"] == EX
        assert "other" not in base.prefixes


def test_of_a_document_s_prefixes_those_that_can_be_kept_are(tmp_path):
    declared = {"ex": EX, "no": "not an iri", "": EX, "srdf": EX, "owl": EX, "é é": EX, "b": EX}
    with KnowledgeBase.open(tmp_path / "kb") as base:
        base.prefixes.bind("b", "https://bound.example/")
        before = dict(base.prefixes)
        assert base.prefixes.adopt(declared) == {"ex": EX}
        assert dict(base.prefixes) == {**before, "ex": EX}
        assert base.prefixes.adopt(declared) == {}
    with KnowledgeBase.open(tmp_path / "kb", read_only=True) as base:
        assert base.prefixes["ex"] == EX
        assert "no" not in base.prefixes


def test_a_target_that_is_not_there_is_named_as_people_type_it(kb):
    with kb.transaction(reason="import") as tx:
        made = tx.assert_(A, KNOWS, 1)
    absent = made.replace("/1-1", "/1-7")
    with kb.transaction(reason="back") as tx:
        with pytest.raises(errors.NotFound, match="no statement 1-7"):
            tx.withdraw(ox.NamedNode(absent))
        with pytest.raises(errors.NotFound, match=f"for {EX}nothing"):
            tx.withdraw(ox.NamedNode(EX + "nothing"))
        tx.withdraw(ox.NamedNode(made))


def test_a_fact_whose_window_changed_and_that_holds_in_both_views_is_no_difference(kb):
    with kb.transaction(reason="import") as tx:
        made = tx.assert_(A, KNOWS, 1, valid_from="2020")
    before = kb.at(valid_at="2025-01-01")
    with kb.transaction(reason="correction") as tx:
        tx.revise(made, valid_from="2021")
        tx.assert_(A, KNOWS, 2, valid_from="2020")
    difference = before.diff(kb.at(valid_at="2025-01-01"))
    assert [fact.object.value for fact in difference.added] == ["2"]
    assert difference.removed == ()


def test_a_long_literal_is_not_remembered_and_a_short_one_is():
    kept = canonical._through_the_store
    kept.cache_clear()
    for digits, entries in (("7" * 257, 0), ("7" * 256, 1)):
        value = Literal(digits, vocab.XSD + "hexBinary")
        assert canonical.canonical_text(value) == value.ntriples
        assert kept.cache_info().currsize == entries
    padded = Literal("0" * 300 + "1", vocab.XSD + "integer")
    assert canonical.canonical_text(padded) == Literal("1", vocab.XSD + "integer").ntriples


@pytest.mark.parametrize("shared", [False, True])
def test_a_lock_file_that_may_not_be_opened_is_no_foreign_error(tmp_path, monkeypatch, shared):
    path = tmp_path / "lock"

    def take():
        return DirectoryLock.acquire(path, shared=shared, timeout=0, started=lambda: "now")

    def denied(self, *_):
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", denied)
        with refused(errors.ProcessingError, "not_writable"):
            take()
    take().release()
