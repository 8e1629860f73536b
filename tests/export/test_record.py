"""The export of a record: what is in it, what stays behind, and what it says in PROV-O."""

from __future__ import annotations

import random
from typing import Any

import pyoxigraph as ox
import pytest
from export.graphs import read_as_plain_graph, rows, stored
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.assets import asset_text
from semantica_rdf.errors import IntegrityError
from semantica_rdf.export import record
from semantica_rdf.export.record import record_quads
from semantica_rdf.export.write import export_quads
from semantica_rdf.model import vocab

BASE = vocab.ID_BASE + "0123456789ab/"
TYPE = ox.NamedNode(vocab.RDF_TYPE)

Quads = tuple[ox.Quad, ...]


def having(quads: Any, predicate: str, value: str | None = None) -> set[str]:
    """Return the last step of the subjects that have a predicate (with an IRI as value)."""
    return {
        quad.subject.value.removeprefix(BASE)
        for quad in quads
        if quad.predicate.value == predicate and value in {None, quad.object.value}
    }


def values(quads: Any, node: str, predicate: str) -> set[str]:
    """Return the values a node of the store has for a predicate, as texts."""
    return {
        quad.object.value.removeprefix(BASE)
        for quad in quads
        if quad.subject.value == BASE + node and quad.predicate.value == predicate
    }


@pytest.fixture(scope="module")
def exported(store_quads: Quads) -> Quads:
    """Return the export of the sample store."""
    return tuple(record_quads(stored(store_quads)))


@pytest.mark.quick
def test_the_export_holds_every_statement_and_transaction(exported: Quads) -> None:
    assert having(exported, vocab.RDF_TYPE, vocab.RDF_STATEMENT) == {
        "1-1", "1-2", "1-3", "2-1", "2-2", "2-3", "2-4", "3-1"
    }  # fmt: skip
    assert having(exported, vocab.RDF_TYPE, vocab.TRANSACTION_CLASS) == {"1-0", "2-0", "3-0"}


@pytest.mark.quick
def test_the_export_stands_in_the_default_graph_without_rows_and_look_up_keys(
    store_quads: Quads, exported: Quads
) -> None:
    assert having(store_quads, vocab.RDF_TYPE, vocab.BELIEF_ROW) == {"3-2"}
    assert having(store_quads, vocab.FACT_KEY) == {"1-2", "2-2", "2-3", "2-4"}
    assert len({quad.graph_name for quad in store_quads}) > 2
    assert {quad.graph_name for quad in exported} == {ox.DefaultGraph()}
    assert not any(quad.subject.value == BASE + "3-2" for quad in exported)
    assert not having(exported, vocab.FACT_KEY)


def test_everything_else_in_the_record_is_exported_as_it_stands(
    store_quads: Quads, exported: Quads
) -> None:
    journal = ox.NamedNode(vocab.JOURNAL_GRAPH)
    kept = {
        quad.triple
        for quad in store_quads
        if quad.graph_name in {ox.DefaultGraph(), journal}
        and quad.subject.value != BASE + "3-2"
        and quad.predicate.value != vocab.FACT_KEY
    }
    assert len(kept) > 80
    assert kept <= {quad.triple for quad in exported}


@given(seed=st.integers(0, 2**32))
def test_the_order_of_the_store_does_not_matter(store_quads: Quads, seed: int) -> None:
    shuffled = list(store_quads)
    random.Random(seed).shuffle(shuffled)
    assert set(record_quads(stored(shuffled))) == set(record_quads(stored(store_quads)))


def test_a_statement_says_both_axes_in_our_words_and_in_provs(exported: Quads) -> None:
    closed = "2026-09-20T08:00:00Z"
    assert values(exported, "1-1", vocab.VALID_FROM) == {"2026-09-01T00:00:00Z"}
    assert values(exported, "1-1", vocab.SUPERSEDED_AT) == {closed}
    assert values(exported, "1-1", record.INVALIDATED_AT_TIME) == {closed}
    assert values(exported, "1-1", record.WAS_INVALIDATED_BY) == {"3-0"}
    assert values(exported, "1-1", record.GENERATED_AT_TIME) == {"2026-09-01T08:00:00Z"}
    assert values(exported, "1-1", record.WAS_GENERATED_BY) == {"1-0"}
    assert values(exported, "1-1", record.WAS_ATTRIBUTED_TO) == {"https://example.org/people/ann"}
    for predicate in (vocab.SOURCE, record.WAS_DERIVED_FROM, record.DCTERMS_SOURCE):
        assert values(exported, "1-2", predicate) == {"https://example.org/badge/2"}
    assert not values(exported, "3-1", record.INVALIDATED_AT_TIME)


def test_a_transaction_is_an_activity_with_an_agent_a_time_and_a_reason(exported: Quads) -> None:
    assert having(exported, vocab.RDF_TYPE, record.PROV_ACTIVITY) == {"1-0", "2-0", "3-0"}
    assert values(exported, "3-0", record.ENDED_AT_TIME) == {"2026-09-20T08:00:00Z"}
    assert values(exported, "3-0", vocab.WAS_ASSOCIATED_WITH) == {"https://example.org/people/bob"}
    assert values(exported, "3-0", vocab.REASON_CODE) == {"ended"}
    assert having(exported, vocab.REASON) == {"1-0", "2-0", "3-0"}
    assert having(exported, vocab.RDF_TYPE, record.PROV_AGENT) == {
        "https://example.org/people/ann",
        "https://example.org/people/bob",
    }


def test_only_activities_have_associations_and_only_entities_are_invalidated(
    exported: Quads,
) -> None:
    activities = having(exported, vocab.RDF_TYPE, record.PROV_ACTIVITY)
    entities = having(exported, vocab.RDF_TYPE, record.PROV_ENTITY)
    assert having(exported, vocab.WAS_ASSOCIATED_WITH) == activities
    assert having(exported, record.INVALIDATED_AT_TIME) <= entities
    assert having(exported, record.INVALIDATED_AT_TIME)
    assert having(exported, record.WAS_ATTRIBUTED_TO) == entities
    assert not activities & entities


def test_a_later_version_is_linked_to_the_one_before_and_to_its_family(exported: Quads) -> None:
    assert values(exported, "3-1", vocab.WAS_REVISION_OF) == {"1-1"}
    assert values(exported, "3-1", record.SPECIALIZATION_OF) == {"1-1"}
    assert not values(exported, "1-1", record.SPECIALIZATION_OF)


def test_the_export_has_no_blank_node_unless_they_are_asked_for(exported: Quads) -> None:
    def blank(data: bytes | None) -> int:
        read = ox.parse(data, format=ox.RdfFormat.N_TRIPLES)
        return len({quad.object for quad in read if isinstance(quad.object, ox.BlankNode)})

    assert blank(export_quads(exported, format="nt")) == 0
    assert blank(export_quads(exported, format="nt", blank_nodes="restore")) == 3


def test_an_export_can_be_narrowed_to_statements_and_what_wrote_and_closed_them(
    store_quads: Quads,
) -> None:
    narrow = tuple(record_quads(stored(store_quads), statements=[BASE + "1-3"]))
    assert having(narrow, vocab.RDF_TYPE, vocab.RDF_STATEMENT) == {"1-3"}
    assert having(narrow, vocab.RDF_TYPE, vocab.TRANSACTION_CLASS) == {"1-0", "2-0"}
    assert values(narrow, "1-3", record.WAS_ATTRIBUTED_TO) == {"https://example.org/people/ann"}


def test_a_node_of_no_known_type_is_refused_not_dropped(store_quads: Quads) -> None:
    stray = ox.Quad(ox.NamedNode(BASE + "9-9"), ox.NamedNode(vocab.SOURCE), TYPE)
    with pytest.raises(IntegrityError, match="9-9") as caught:
        list(record_quads(stored([*store_quads, stray])))
    assert caught.value.code == "untyped_node"


def test_a_statement_that_nobody_wrote_is_refused(store_quads: Quads) -> None:
    agent = ox.NamedNode(vocab.WAS_ASSOCIATED_WITH)
    anonymous = [quad for quad in store_quads if quad.predicate != agent]
    assert len(anonymous) < len(store_quads)
    with pytest.raises(IntegrityError, match=r"the transaction \S+-0 of") as caught:
        list(record_quads(stored(anonymous)))
    assert caught.value.code == "unattributed"


@pytest.mark.parametrize(
    ("name", "syntax"),
    [("turtle", "turtle"), ("trig", "trig"), ("nquads", "nquads"), ("jsonld", "json-ld")],
)
def test_a_plain_rdflib_graph_sees_all_of_the_record(
    exported: Quads, name: str, syntax: str
) -> None:
    data = export_quads(exported, format=name)
    assert data is not None
    assert read_as_plain_graph(data, syntax) == rows(exported)


PROV_DOMAINS = {
    "endedAtTime": "Activity",
    "generatedAtTime": "Entity",
    "invalidatedAtTime": "Entity",
    "specializationOf": "Entity",
    "wasAssociatedWith": "Activity",
    "wasAttributedTo": "Entity",
    "wasDerivedFrom": "Entity",
    "wasGeneratedBy": "Entity",
    "wasInvalidatedBy": "Entity",
    "wasRevisionOf": "Entity",
}
PROV_RANGES = {
    "specializationOf": "Entity",
    "wasAssociatedWith": "Agent",
    "wasAttributedTo": "Agent",
    "wasDerivedFrom": "Entity",
    "wasGeneratedBy": "Activity",
    "wasInvalidatedBy": "Activity",
    "wasRevisionOf": "Entity",
}


def inferred_kinds(quads: Any) -> dict[str, set[str]]:
    """Return, per node, the PROV classes that follow from PROV-O's axioms and our ontology."""
    above: dict[str, set[str]] = {}
    for quad in ox.parse(asset_text("ontology", "semantica.ttl"), format=ox.RdfFormat.TURTLE):
        if quad.predicate.value in {vocab.RDFS + "subPropertyOf", vocab.RDFS + "subClassOf"}:
            above.setdefault(quad.subject.value, set()).add(quad.object.value)
    kinds: dict[str, set[str]] = {}
    for quad in quads:
        predicate, value = quad.predicate.value, quad.object.value
        if predicate == vocab.RDF_TYPE:
            kinds.setdefault(quad.subject.value, set()).update({value}, above.get(value, ()))
        for each in {predicate} | above.get(predicate, set()):
            name = each.removeprefix(vocab.PROV)
            if name in PROV_DOMAINS:
                kinds.setdefault(quad.subject.value, set()).add(vocab.PROV + PROV_DOMAINS[name])
            if name in PROV_RANGES:
                kinds.setdefault(value, set()).add(vocab.PROV + PROV_RANGES[name])
    return kinds


def test_nothing_is_both_an_activity_and_an_entity_by_the_axioms(
    store_quads: Quads, exported: Quads
) -> None:
    for quads in (store_quads, exported):
        kinds = inferred_kinds(quads)
        assert record.PROV_ACTIVITY in kinds[BASE + "1-0"]
        assert record.PROV_ENTITY in kinds[BASE + "1-1"]
        for found in kinds.values():
            assert not {record.PROV_ACTIVITY, record.PROV_ENTITY} <= found
