"""Views as rdflib graphs and datasets, and both as input: no graph is lost, none is invented."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import iri

EX = rdflib.Namespace("https://example.org/")

pytestmark = pytest.mark.quick


def test_a_view_with_user_graphs_is_a_dataset_and_goes_back_in_as_it_was(kb):
    kb.prefixes.bind("ex", EX)
    with kb.transaction(reason="two graphs") as tx:
        tx.assert_("ex:alice", "ex:knows", iri(EX.bob))
        tx.assert_("ex:alice", "ex:age", 41, graph="ex:people")
    dataset = kb.at().to_rdflib()
    assert isinstance(dataset, rdflib.Dataset)
    assert len(dataset.graph(EX.people)) == 1
    quads = {(s, p, o) for s, p, o, _ in dataset.quads()}
    assert len(quads) == 2
    with kb.transaction(reason="again") as tx:
        tx.extend(dataset)
    assert tx.receipt.is_empty
    assert tx.receipt.already_there == 2
    assert kb.load(dataset, reason="and again").already_there == 2


def test_a_view_without_user_graphs_is_a_graph_with_the_prefixes_bound(kb):
    kb.prefixes.bind("ex", EX)
    with kb.transaction(reason="one") as tx:
        tx.assert_("ex:alice", "ex:knows", iri(EX.bob))
    graph = kb.at().to_rdflib()
    assert not isinstance(graph, rdflib.Dataset)
    assert set(graph) == {(EX.alice, EX.knows, EX.bob)}
    assert dict(graph.namespaces())["ex"] == rdflib.URIRef(EX)


def test_blank_nodes_of_a_graph_given_twice_add_nothing(kb):
    text = "@prefix ex: <https://example.org/> . ex:alice ex:address [ ex:city 'Bern' ] ."
    graph = rdflib.Graph().parse(data=text, format="turtle")
    again = rdflib.Graph().parse(data=text, format="turtle")
    dataset = ox.Dataset(ox.parse(text, ox.RdfFormat.TURTLE))
    for given, added in ((graph, 2), (again, 0), (dataset, 0)):
        with kb.transaction(reason="blank nodes") as tx:
            tx.extend(given)
        assert len(tx.receipt.statements) == added
