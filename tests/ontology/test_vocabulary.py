"""
The ontology, `vocab.py`, the JSON-LD context and what is ever written hold the same words.

Nothing undeclared is written, nothing declared is unused, nothing declared lacks a definition.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import pytest

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.assets import asset_path, asset_text
from semantica_rdf.export import record
from semantica_rdf.model import vocab

ROOT = Path(__file__).resolve().parents[2]
ONTOLOGY = "https://w3id.org/semantica-rdf/ns"
OWL = vocab.BUILT_IN_PREFIXES["owl"]
SKOS = vocab.BUILT_IN_PREFIXES["skos"]
EX = "https://example.org/"

SHAPES = b"""
@prefix sh: <http://www.w3.org/ns/shacl#> .
[] a sh:NodeShape ; sh:targetSubjectsOf <https://example.org/age> ; sh:nodeKind sh:IRI .
"""

ABOUT_THE_VOCABULARY = {
    vocab.SRDF + name for name in ("Standing", "ReservedTerm", "ReasonCode", "OperationCode")
}
"""Words the ontology needs to describe the others; never written to a record."""

OF_SHAPES = {vocab.ERROR_CODE}
"""Words that only the shipped shapes say."""

OF_CURSORS = {
    vocab.CURSOR,
    vocab.PRESENT_GRAPH,
    vocab.AT_SEQUENCE,
    vocab.REFRESHED_FOR,
    vocab.NEXT_BOUNDARY,
}
"""Words of what follows the record: in the store, and never exported."""

OF_A_PURGE = {vocab.TOMBSTONE, vocab.REMOVED, vocab.REMOVED_KIND, vocab.FINGERPRINT}
"""Words of tombstones: the shapes know them already, no verb writes them yet."""


class Declared(list[ox.Quad]):
    """The triples of the ontology."""

    def objects(self, subject: str, predicate: str) -> list[ox.NamedNode | ox.Literal]:
        return [
            quad.object  # type: ignore[misc]
            for quad in self
            if quad.subject == ox.NamedNode(subject) and quad.predicate.value == predicate
        ]

    def subjects(self, kind: str) -> set[str]:
        return {
            quad.subject.value  # type: ignore[union-attr]
            for quad in self
            if quad.predicate.value == vocab.RDF_TYPE and quad.object == ox.NamedNode(kind)
        }

    @property
    def terms(self) -> set[str]:
        """The terms of our own namespace."""
        named = {quad.subject.value for quad in self if isinstance(quad.subject, ox.NamedNode)}
        return {name for name in named if name.startswith(vocab.SRDF)}

    @property
    def used(self) -> set[str]:
        """The terms of other vocabularies that the record and its exports use."""
        return {term.value for term in self.objects(ONTOLOGY, vocab.DCTERMS + "requires")}


@pytest.fixture(scope="module")
def ontology() -> Declared:
    return Declared(ox.parse(asset_text("ontology", "semantica.ttl"), format=ox.RdfFormat.TURTLE))


def constants(module: object) -> set[str]:
    """Return the IRIs that a module gives names to, apart from namespaces."""
    spaces = {
        *vocab.BUILT_IN_PREFIXES.values(),
        vocab.ID_BASE,
        vocab.SKOLEM_BASE,
        vocab.SHAPES_BASE,
    }
    values = {
        value
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str) and "://" in value
    }
    return values - spaces


@pytest.mark.quick
def test_vocab_and_ontology_hold_the_same_words_of_ours(ontology: Declared) -> None:
    named = {value for value in constants(vocab) if value.startswith(vocab.SRDF)}
    assert len(named) > 25
    assert ontology.terms - ABOUT_THE_VOCABULARY == named


@pytest.mark.quick
def test_the_reserved_list_is_the_ontologys(ontology: Declared) -> None:
    reserved = ontology.subjects(vocab.SRDF + "ReservedTerm")
    assert reserved == set(vocab.RESERVED_PREDICATES)
    properties = ontology.subjects(OWL + "ObjectProperty") | ontology.subjects(
        OWL + "DatatypeProperty"
    )
    assert properties == reserved


def test_the_words_of_others_that_are_used_are_listed(ontology: Declared) -> None:
    named = {
        value
        for value in constants(vocab) | constants(record)
        if not value.startswith((vocab.SRDF, vocab.XSD))
    }
    not_written = {vocab.RDFS_LABEL, vocab.RDF_LANGSTRING}
    assert ontology.used == named - not_written
    for term in ontology.used:
        assert ontology.objects(term, SKOS + "scopeNote"), term


def test_every_word_has_a_label_a_definition_a_type_and_a_home(ontology: Declared) -> None:
    for term in ontology.terms:
        label, definition = (
            [text.value for text in ontology.objects(term, predicate)]
            for predicate in (vocab.RDFS_LABEL, SKOS + "definition")
        )
        assert len(label) == len(definition) == 1, term
        assert definition[0].endswith("."), term
        assert definition[0].count(". ") == 0, f"{term} has more than one sentence"
        assert [home.value for home in ontology.objects(term, vocab.RDFS + "isDefinedBy")] == [
            ONTOLOGY
        ], term
        assert ontology.objects(term, vocab.RDF_TYPE), term


def test_no_word_is_defined_twice_or_like_another(ontology: Declared) -> None:
    for predicate in (vocab.RDFS_LABEL, SKOS + "definition"):
        kinds = [
            (text.value, sorted(kind.value for kind in ontology.objects(term, vocab.RDF_TYPE)))
            for term in ontology.terms
            for text in ontology.objects(term, predicate)
        ]
        assert len(kinds) == len({str(each) for each in kinds})


def test_words_that_stand_below_provs_do_not_bring_an_activity_among_entities(
    ontology: Declared,
) -> None:
    above = {
        term: {each.value for each in ontology.objects(term, vocab.RDFS + "subPropertyOf")}
        for term in ontology.terms
    }
    assert vocab.PROV + "wasGeneratedBy" in above[vocab.TRANSACTION]
    assert vocab.PROV + "invalidatedAtTime" in above[vocab.SUPERSEDED_AT]
    assert above[vocab.RECORDED_AT] == set()


def _members(ontology: Declared, term: str) -> list[str]:
    triples = {(quad.subject, quad.predicate.value): quad.object for quad in ontology}
    node = triples[ox.NamedNode(term), OWL + "equivalentClass"]
    rest, found = triples[node, OWL + "oneOf"], []
    while (rest, vocab.RDF + "first") in triples:
        found.append(triples[rest, vocab.RDF + "first"].value)
        rest = triples[rest, vocab.RDF + "rest"]
    return found


@pytest.mark.quick
def test_the_closed_lists_are_the_ontologys(ontology: Declared) -> None:
    assert tuple(_members(ontology, vocab.SRDF + "ReasonCode")) == vocab.REASON_CODES
    assert tuple(_members(ontology, vocab.SRDF + "OperationCode")) == vocab.OPERATIONS
    standings = {vocab.SRDF + name for name in vocab.STANDINGS}
    assert set(_members(ontology, vocab.SRDF + "Standing")) == standings
    assert ontology.subjects(vocab.SRDF + "Standing") == standings


def test_the_header_names_version_title_licence_and_the_half_open_window(
    ontology: Declared,
) -> None:
    for predicate in (OWL + "versionIRI", vocab.DCTERMS + "title", vocab.DCTERMS + "license"):
        assert len(ontology.objects(ONTOLOGY, predicate)) == 1
    (description,) = ontology.objects(ONTOLOGY, vocab.DCTERMS + "description")
    assert "half-open" in description.value
    assert ONTOLOGY in ontology.subjects(OWL + "Ontology")


def test_the_context_has_a_word_for_every_term_that_is_exported(ontology: Declared) -> None:
    context = json.loads(asset_text("ontology", "context.jsonld"))["@context"]
    words = {
        definition["@id"]
        for definition in context.values()
        if isinstance(definition, dict) and "@prefix" not in definition
    }
    internal = {vocab.FACT_KEY, vocab.JOURNAL_GRAPH} | OF_CURSORS
    ours = ontology.terms - ABOUT_THE_VOCABULARY - internal - OF_SHAPES
    spelled_otherwise = {vocab.RDF_TYPE, record.DCTERMS_SOURCE}
    assert words == ours | (ontology.used - spelled_otherwise)
    prefixes = {
        name: definition["@id"]
        for name, definition in context.items()
        if isinstance(definition, dict) and "@prefix" in definition
    }
    assert prefixes == vocab.BUILT_IN_PREFIXES


def test_the_context_types_what_the_ontology_types(ontology: Declared) -> None:
    context = json.loads(asset_text("ontology", "context.jsonld"))["@context"]
    typed = {vocab.XSD + name for name in ("dateTime", "decimal", "integer")}
    for definition in context.values():
        if not isinstance(definition, dict) or not definition["@id"].startswith(vocab.SRDF):
            continue
        ranges = {each.value for each in ontology.objects(definition["@id"], vocab.RDFS + "range")}
        kinds = {each.value for each in ontology.objects(definition["@id"], vocab.RDF_TYPE)}
        given = definition.get("@type")
        if OWL + "ObjectProperty" in kinds:
            assert given in {"@id", "@vocab"}, definition
        else:
            assert {given} - {None} == ranges & typed, definition


def test_the_page_of_the_vocabulary_is_what_the_ontology_says() -> None:
    module = runpy.run_path(str(ROOT / "docs" / "write_vocabulary.py"))
    page = module["vocabulary_page"](asset_text("ontology", "semantica.ttl"))
    written = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
    assert page == written, "run: python docs/write_vocabulary.py"
    assert page.count("\n### ") == len(
        {line for line in page.splitlines() if line.startswith("### ")}
    )


# ------------------------------------------------------------ what is ever written


def everything_written(kb: KnowledgeBase) -> None:
    """Write every kind of thing the ledger can write."""
    with kb.transaction(reason="import", reason_code="import", reference="batch-1") as tx:
        first = tx.assert_(
            EX + "alice", EX + "worksFor", iri(EX + "acme"),
            valid_from="2026-01", valid_until="2026-12-01", support_id="hr-1", confidence="0.90",
            source_recorded_at="2025-12-31T00:00:00Z",
        )  # fmt: skip
        age = tx.assert_(
            EX + "alice",
            EX + "age",
            ox.Literal("030", datatype=ox.NamedNode(vocab.XSD + "integer")),
            graph=EX + "graph",
        )
        other = tx.assert_(
            EX + "alice",
            EX + "worksFor",
            iri(EX + "acme"),
            source=EX + "badge",
            valid_from="2026-03-01",
        )
        proposed = tx.propose(EX + "alice", EX + "knows", iri(EX + "bob"))
    with kb.transaction(reason="review", namespace="team") as tx:
        tx.assert_(EX + "carol", EX + "knows", iri(EX + "bob"))
    with kb.transaction(reason="review", reason_code="review") as tx:
        tx.dispute(other)
        tx.reject(proposed)
        tx.retract(first, valid_until="2026-06-01")
        tx.revise(age, object=31)
    with kb.transaction(reason="it was right") as tx:
        tx.assert_(EX + "dan", EX + "knows", iri(EX + "bob"), valid_from="9000-01-01")
        tx.believe(other)
        tx.replace(EX + "alice", EX + "worksFor", iri(EX + "bank"), valid_from="2026-05-01")
    with kb.transaction(reason="wrong person", reason_code="withdrawn-by-source") as tx:
        tx.withdraw(source=EX + "badge")
    kb.shapes.add(SHAPES, name="people", reason="a rule")


@pytest.fixture
def written(kb: KnowledgeBase) -> list[ox.Quad]:
    """Return the quads of a store to which everything was written."""
    everything_written(kb)
    return list(kb._ledger.store)


def words(quads: Iterable[ox.Quad]) -> set[str]:
    """Return the words that quads of the record use: predicates, types, standings."""
    found = set()
    for quad in quads:
        found.add(quad.predicate.value)
        if quad.predicate.value in {vocab.RDF_TYPE, vocab.STANDING}:
            found.add(quad.object.value)  # type: ignore[union-attr]
        if quad.predicate.value == vocab.RDF_PREDICATE and quad.object.value.startswith(vocab.SRDF):  # type: ignore[union-attr]
            found.add(quad.object.value)  # type: ignore[union-attr]
    return found


def test_nothing_undeclared_is_written_and_nothing_declared_is_unused(
    ontology: Declared, kb: KnowledgeBase, written: list[ox.Quad]
) -> None:
    journal = ox.NamedNode(vocab.JOURNAL_GRAPH)
    own = [quad for quad in written if quad.graph_name in {ox.DefaultGraph(), journal}]
    assert any(quad.graph_name == journal for quad in own)
    exported = list(ox.parse(kb.export(format="nt"), format=ox.RdfFormat.N_TRIPLES))
    assert not words(exported) & OF_CURSORS
    followed = {quad.subject.value for quad in own if quad.predicate.value == vocab.AT_SEQUENCE}  # type: ignore[union-attr]
    ever = words(own) | words(exported) | {vocab.JOURNAL_GRAPH} | followed
    declared = (ontology.terms - ABOUT_THE_VOCABULARY) | ontology.used
    assert ever - declared == set()
    assert declared - ever == OF_A_PURGE | OF_SHAPES
    said = {
        term.value
        for path in asset_path("shapes").rglob("*.ttl")
        for quad in ox.parse(path=path)
        for term in (quad.predicate, quad.object)
        if isinstance(term, ox.NamedNode)
    }
    assert said >= OF_A_PURGE | OF_SHAPES


def test_the_codes_that_are_written_are_on_the_closed_lists(written: list[ox.Quad]) -> None:
    for predicate, codes in (
        (vocab.OPERATION, vocab.OPERATIONS),
        (vocab.REASON_CODE, vocab.REASON_CODES),
    ):
        used = {quad.object.value for quad in written if quad.predicate.value == predicate}
        assert used
        assert used <= set(codes)
