"""Exports of a knowledge base: its record and its views, the same graph in every format."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
import rdflib.compare
from export.graphs import read_as_plain_graph, read_by_pyoxigraph, read_by_rdflib

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.errors import ValidationError
from semantica_rdf.export.formats import FORMATS, format_named
from semantica_rdf.model import vocab

EX = "https://example.org/"
RDFLIB_NAMES = [("turtle", "turtle"), ("trig", "trig"), ("nquads", "nquads"), ("jsonld", "json-ld")]
FOAF = """
@prefix ex: <https://example.org/> .
ex:alice ex:address [ ex:city "Ulm" ; ex:in [ ex:name "Inc." ] ] .
"""


def fill(kb: KnowledgeBase) -> None:
    kb.prefixes.bind("ex", EX)
    with kb.transaction(reason="HR import") as tx:
        job = tx.assert_("ex:alice", "ex:worksFor", iri(EX + "acme/Inc."), valid_from="2026-09-01")
        tx.assert_("ex:alice", "ex:says", 'He said "hi"\n\\')
        tx.assert_("ex:alice", "ex:age", 30, graph="ex:ages")
    with kb.transaction(reason="she left", reason_code="ended") as tx:
        tx.retract(job, valid_until="2026-09-10")


@pytest.mark.quick
@pytest.mark.parametrize(("name", "syntax"), RDFLIB_NAMES)
def test_the_record_is_the_same_graph_in_every_format_and_library(
    kb: KnowledgeBase, name: str, syntax: str
) -> None:
    fill(kb)
    lines, data = kb.export(format="nt"), kb.export(format=name)
    reference = read_by_pyoxigraph(lines, ox.RdfFormat.N_TRIPLES)
    assert sum(quad.object.value == vocab.RDF_STATEMENT for quad in reference) == 4
    assert read_by_pyoxigraph(data, format_named(name).syntax) == reference
    assert read_as_plain_graph(data, syntax) == read_by_rdflib(lines, "nt")


@pytest.mark.parametrize("coordinate", ["2026-09-05", "2026-09-15"])
def test_a_view_exports_what_holds_there_with_its_graphs(
    kb: KnowledgeBase, coordinate: str
) -> None:
    fill(kb)
    view = kb.at(valid_at=coordinate)
    reference = set(view.quads())
    job = ox.NamedNode(EX + "worksFor")
    assert any(quad.predicate == job for quad in reference) == (coordinate == "2026-09-05")
    for name in ("trig", "nquads", "jsonld"):
        data = kb.export(view=view, format=name)
        assert read_by_pyoxigraph(data, format_named(name).syntax) == reference
        assert data == kb.export(view=kb.at(valid_at=coordinate), format=name)
    with pytest.raises(ValidationError) as caught:
        kb.export(view=view, format="turtle")
    assert caught.value.code == "graphs_need_trig"


def test_blank_nodes_come_back_as_the_document_had_them(kb: KnowledgeBase) -> None:
    kb.load(FOAF.encode(), format="turtle", reason="import")
    view = kb.at()
    wanted = rdflib.Graph().parse(data=FOAF, format="turtle")
    assert len(wanted) == 4
    for name, syntax in RDFLIB_NAMES:
        graph = rdflib.Graph()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            graph.parse(
                data=kb.export(view=view, format=name, blank_nodes="restore"), format=syntax
            )
            assert rdflib.compare.isomorphic(graph, wanted), name
        assert vocab.SKOLEM_BASE.encode() in (kb.export(view=view, format=name) or b"")


def test_a_base_on_disk_exports_the_same_before_and_after_it_is_opened_again(
    tmp_path: Path,
) -> None:
    agent, source, place = EX + "people/ann", EX + "hr", tmp_path / "kb"
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
    with KnowledgeBase.open(
        place, agent=agent, source=source, clock=lambda: datetime(2026, 10, 1, tzinfo=UTC)
    ) as kb:
        fill(kb)
        for each in FORMATS:
            kb.export(before / f"record{each.suffix}")
    with KnowledgeBase.open(place, read_only=True) as kb:
        for each in FORMATS:
            kb.export(after / f"record{each.suffix}")
            name = f"record{each.suffix}"
            assert (before / name).read_bytes() == (after / name).read_bytes() != b""


def test_a_reader_without_our_ontology_finds_time_agent_source_and_reason(
    kb: KnowledgeBase,
) -> None:
    fill(kb)
    graph = rdflib.Graph().parse(data=kb.export(format="turtle"), format="turtle")
    prov = rdflib.Namespace(vocab.PROV)
    closed = list(graph.subjects(prov.invalidatedAtTime))
    assert len(closed) == 1
    (activity,) = graph.objects(closed[0], prov.wasInvalidatedBy)
    assert graph.value(activity, prov.endedAtTime) == graph.value(closed[0], prov.invalidatedAtTime)
    assert str(graph.value(activity, rdflib.URIRef(vocab.REASON))) == "she left"
    agent = graph.value(activity, prov.wasAssociatedWith)
    assert (agent, rdflib.RDF.type, prov.Agent) in graph
    assert graph.value(closed[0], prov.wasDerivedFrom) == rdflib.URIRef(EX + "hr")
    (successor,) = graph.subjects(prov.wasRevisionOf, closed[0])
    assert graph.value(successor, prov.specializationOf) == closed[0]
