"""
pySHACL as the reference: the same verdict and the same results on thousands of random pairs.

`pytest -m long tests/shacl` runs 20,000 of them. A TypeError of pySHACL's, or a run-time error it
reports, counts as a rejection.
"""

from __future__ import annotations

import logging
from collections import Counter

import pytest
import rdflib
from rdflib.compare import isomorphic
from rdflib.namespace import RDF, SH
from shacl.mutants import mutant
from shacl.reference import of_pyshacl, parsed, report_of_pyshacl, results_of, to_rdflib

from semantica_rdf.shacl import MemoryGraph, compile_shapes
from semantica_rdf.shacl.components import COMPONENTS

IN_THE_GATE = 2400
BY_COMMAND = 20_000
COMPONENT = "http://www.w3.org/ns/shacl#{}ConstraintComponent"
REPORTING = {
    name[0].upper() + name[1:]
    for name in (iri.rpartition("#")[2] for iri in COMPONENTS)
    if name not in {"property", "qualifiedValueShape", "sparql"}
} | {"QualifiedMinCount", "QualifiedMaxCount"}
"""The components of SHACL Core that results can come from."""

LEFT_OUT = {SH.resultMessage, SH.detail}

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:rdflib")


@pytest.fixture(autouse=True, scope="module")
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def compare(seeds) -> tuple[Counter, Counter]:
    """Compare every pair; return how often each verdict and each component's result came."""
    verdicts: Counter = Counter()
    components: Counter = Counter()
    for seed in seeds:
        drawn = mutant(seed)
        shapes, data = parsed(drawn.shapes), parsed(drawn.data)
        reference = of_pyshacl(shapes, data)
        ours = compile_shapes(shapes).validate(MemoryGraph(data))
        assert ours.conforms == reference.conforms, f"seed {seed}"
        if reference.results is None:
            verdicts["raised"] += 1
            continue
        assert results_of(ours) == reference.results, f"seed {seed}"
        components.update({result.component for result in ours.results})
        met = any(ours.focus_counts.values())
        verdicts["conforms" if ours.conforms else "violates", "met" if met else "unmet"] += 1
    return verdicts, components


def test_the_same_verdict_and_results_as_pyshacl():
    verdicts, components = compare(range(IN_THE_GATE))
    assert sum(verdicts.values()) == IN_THE_GATE
    assert verdicts["violates", "met"] > 1000
    assert verdicts["conforms", "met"] > 250
    assert set(components) == {COMPONENT.format(name) for name in REPORTING}
    assert min(components.values()) >= 3, components


@pytest.mark.long
def test_the_same_verdict_and_results_as_pyshacl_on_many_more():
    verdicts, _ = compare(range(IN_THE_GATE, BY_COMMAND))
    assert sum(verdicts.values()) == BY_COMMAND - IN_THE_GATE
    assert verdicts["raised"] > 5


def named_only(graph: rdflib.Graph) -> bool:
    return all(isinstance(node, rdflib.URIRef) for node in graph.objects(None, SH.sourceShape))


def bare(graph: rdflib.Graph) -> rdflib.Graph:
    """Return a report without messages, and without pySHACL's copies of the data's blank nodes."""
    kept = rdflib.Graph()
    for subject, predicate, value in graph:
        of_report = value in SH if predicate == RDF.type else predicate in SH
        if (of_report and predicate not in LEFT_OUT) or predicate in {RDF.first, RDF.rest}:
            kept.add((subject, predicate, value))
    return kept


def test_the_report_is_the_same_graph_as_pyshacl_s():
    compared = 0
    for seed in range(400):
        drawn = mutant(seed)
        shapes, data = parsed(drawn.shapes), parsed(drawn.data)
        reference = report_of_pyshacl(shapes, data)
        if reference is None or not named_only(reference):
            continue
        report = compile_shapes(shapes).validate(MemoryGraph(data))
        assert isomorphic(bare(to_rdflib(report.to_quads())), bare(reference)), f"seed {seed}"
        compared += not report.conforms
    assert compared > 100
