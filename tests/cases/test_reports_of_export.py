"""
Public bug reports of the families export, prov and results-format.

Each test carries the report's id.
"""

from __future__ import annotations

import csv
import io
import warnings
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import errors, iri, literal
from semantica_rdf.export.formats import FORMATS
from semantica_rdf.model import vocab
from semantica_rdf.view.results import answer_of

EX = "https://example.org/"
ALICE, NOTE = EX + "alice", EX + "note"
PROV = rdflib.Namespace(vocab.PROV)
AWKWARD = 'He said "hi"\nand \\ left\t\r, then: \'""\''
SYNTAX = {"turtle": "turtle", "trig": "trig", "nquads": "nquads", "ntriples": "nt"}
SYNTAX |= {"jsonld": "json-ld", "rdfxml": "xml"}
PROV_FILES = Path(__file__).resolve().parents[3] / "shared" / "data" / "prov" / "rdf"

pytestmark = pytest.mark.quick


def put(kb, value, subject=ALICE, predicate=NOTE, **said):
    with kb.transaction(reason="test") as tx:
        return tx.assert_(subject, predicate, value, **said)


def by_rdflib(kb, name="turtle", view=None):
    graph = rdflib.Graph()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        graph.parse(data=kb.export(view=view, format=name), format=SYNTAX[name])
    return graph


def test_from_a_fact_its_window_and_its_record_time_are_reached(kb):
    """B087: start from subject, predicate and object, in any format of RDF."""
    put(kb, "dated", valid_from="2026-09-01", valid_until="2026-10-01")
    put(kb, "open")
    ask = f"""
        PREFIX rdf: <{vocab.RDF}> PREFIX srdf: <{vocab.SRDF}>
        SELECT ?from ?until ?recorded {{
            ?claim rdf:subject <{ALICE}> ; rdf:predicate <{NOTE}> ; rdf:object ?o ;
                srdf:recordedAt ?recorded .
            OPTIONAL {{ ?claim srdf:validFrom ?from }} OPTIONAL {{ ?claim srdf:validUntil ?until }}
            FILTER(STR(?o) = "%s")
        }}"""
    (recorded,) = {item.recorded for item in kb.history((ALICE, NOTE, "dated"))}
    for name in SYNTAX:
        graph = by_rdflib(kb, name)
        ((start, end, known),) = graph.query(ask % "dated")
        assert (str(start)[:10], str(end)[:10]) == ("2026-09-01", "2026-10-01")
        assert known.toPython() == recorded
        ((start, end, known),) = graph.query(ask % "open")
        assert (start, end) == (None, None)
        assert known is not None


def test_quotes_line_breaks_and_backslashes_are_one_text_to_two_parsers(kb):
    """B088."""
    put(kb, AWKWARD)
    for each in FORMATS:
        (triple,) = by_rdflib(kb, each.name, kb.at())
        data = kb.export(view=kb.at(), format=each.name)
        (quad,) = ox.parse(data, format=each.syntax)
        assert str(triple[2]) == quad.object.value == AWKWARD


BUNDLE = f"""
@prefix prov: <{vocab.PROV}> . @prefix ex: <{EX}> .
ex:b1 a prov:Bundle .
ex:b1 {{ ex:x a prov:Entity . }}
"""


def test_a_bundle_keeps_its_boundary_or_is_refused(kb, tmp_path):
    """B089."""
    kb.load(BUNDLE.encode(), format="trig", reason="test")
    entity = ox.Quad(
        ox.NamedNode(EX + "x"),
        ox.NamedNode(vocab.RDF_TYPE),
        ox.NamedNode(vocab.PROV + "Entity"),
        ox.NamedNode(EX + "b1"),
    )
    for each in FORMATS:
        target = tmp_path / f"out{each.suffix}"
        if each.graphs:
            kb.export(target, view=kb.at())
            found = set(ox.parse(path=str(target), format=each.syntax))
            assert entity in found
            assert len(found) == 2
        else:
            with pytest.raises(errors.ValidationError) as caught:
                kb.export(target, view=kb.at())
            assert caught.value.code == "graphs_need_trig"
            assert EX + "b1" in str(caught.value)
            assert not target.exists()


@pytest.mark.parametrize("name", [f"bundle{number}" for number in range(1, 5)])
def test_the_bundles_of_a_real_suite_come_back_with_their_boundaries(kb, name):
    """B089."""
    path = PROV_FILES / f"{name}.trig"
    if not path.exists():
        pytest.skip("the shared data is not beside this checkout")
    wanted = ox.Dataset(ox.parse(path=str(path), format=ox.RdfFormat.TRIG))
    assert len({quad.graph_name for quad in wanted}) > 1
    kb.load(path, reason="test")
    for form in ("trig", "nquads", "jsonld"):
        syntax = next(each.syntax for each in FORMATS if each.name == form)
        data = kb.export(view=kb.at(), format=form, blank_nodes="restore")
        found = ox.Dataset(ox.parse(data, format=syntax))
        for each in (found, wanted):
            each.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        assert found == wanted


GENERATIONS = f"""
@prefix prov: <{vocab.PROV}> . @prefix ex: <{EX}> . @prefix xsd: <{vocab.XSD}> .
ex:e prov:qualifiedGeneration ex:gen1 .
ex:gen1 prov:atTime "2026-01-01T00:00:00Z"^^xsd:dateTime , "2026-02-01T00:00:00Z"^^xsd:dateTime .
"""


def test_two_times_of_one_generation_and_two_generations_of_one_fact_survive(kb):
    """B090: as data both times stay; of our own claims each has a node and a time of its own."""
    kb.load(GENERATIONS.encode(), format="turtle", reason="test")
    for name in SYNTAX:
        times = set(by_rdflib(kb, name, kb.at()).objects(rdflib.URIRef(EX + "gen1"), PROV.atTime))
        assert len(times) == 2
    put(kb, "x", source=EX + "a")
    put(kb, "x", source=EX + "b")
    graph = by_rdflib(kb)
    claims = set(graph.subjects(rdflib.RDF.object, rdflib.Literal("x")))
    generated = {graph.value(claim, PROV.generatedAtTime) for claim in claims}
    assert len(claims) == len(generated) == 2
    assert None not in generated
    assert {len(list(graph.objects(claim, PROV.wasGeneratedBy))) for claim in claims} == {1}


def test_a_generation_says_its_time_in_the_words_of_prov(kb):
    """B091; that nothing is both activity and entity is tested in `tests/export/test_record.py`."""
    node = put(kb, iri(EX + "acme"))
    for name in SYNTAX:
        graph = by_rdflib(kb, name)
        claim = rdflib.URIRef(node)
        (activity,) = graph.objects(claim, PROV.wasGeneratedBy)
        time = graph.value(claim, PROV.generatedAtTime)
        assert time == graph.value(activity, PROV.endedAtTime)
        assert time.toPython() == kb.history(node)[0].recorded
        assert (claim, rdflib.RDF.type, PROV.Entity) in graph
        assert (activity, rdflib.RDF.type, PROV.Activity) in graph
        used = {str(predicate) for predicate in graph.predicates() if vocab.PROV in predicate}
        known = ["generatedAtTime", "endedAtTime", "wasGeneratedBy", "wasAttributedTo"]
        known += ["wasDerivedFrom", "wasAssociatedWith"]
        assert used == {vocab.PROV + name for name in known}


def test_tsv_and_csv_answers_are_read_back_equal(kb):
    """B100."""
    put(kb, AWKWARD)
    found = kb.at().query("SELECT ?o { ?s ?p ?o }")
    tsv = found.serialize("tsv")
    assert len(tsv.split("\n")) == 3
    assert not set("\t\r") & set(tsv)
    assert list(answer_of(ox.parse_query_results(tsv, ox.QueryResultsFormat.TSV), {})) == list(
        found
    )
    text = found.serialize("csv")
    assert text.startswith("o\r\n")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["o"], [AWKWARD]]


def test_tsv_quotes_strings_and_tags(kb):
    """B101."""
    put(kb, "abc")
    put(kb, literal("abc", lang="en"))
    found = kb.at().query("SELECT ?o { ?s ?p ?o } ORDER BY LANG(?o)").serialize("tsv")
    assert found.splitlines() == ["?o", '"abc"', '"abc"@en']
