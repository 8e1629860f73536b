"""
`sh:sparql`: one run for many nodes gives what a run for each gives, and both what pySHACL gives.

`pytest -m long tests/shacl` compares 1,500 more pairs with pySHACL, and 19,400 more queries.
"""

from __future__ import annotations

import logging
from collections import Counter

import pyoxigraph as ox
import pytest
from shacl.mutants import NODES
from shacl.reference import of_pyshacl, parsed, results_of
from shacl.sparql_mutants import ALONE, OF_PROPERTIES, SHARED, Maker

from semantica_rdf.shacl import MemoryGraph, Report, compile_shapes
from semantica_rdf.shacl.sparql_constraints import CHUNK

IRIS = NODES[:4]
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:rdflib")


@pytest.fixture(autouse=True, scope="module")
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Counted(MemoryGraph):
    """A graph that keeps what it was asked."""

    def __init__(self, triples) -> None:
        super().__init__(triples)
        self.asked: list[tuple[str, dict]] = []

    def solutions(self, query, bindings, /):
        self.asked.append((query, dict(bindings)))
        return super().solutions(query, bindings)


def one_by_one(shapes, data) -> Counter:
    """Return the results of asking for each focus node on its own."""
    found = []
    for shape in shapes.every:
        nodes = {node for target in shape.targets for node in target.nodes(data)}
        for node in nodes:
            found += shape.check(data, node)
    return results_of(Report(tuple(found), {}))


@pytest.mark.parametrize("query", SHARED)
def test_a_shared_run_gives_what_a_run_for_each_node_gives(query):
    results = 0
    for seed in range(25):
        maker = Maker(seed)
        shapes = compile_shapes(parsed(maker.shapes(query)))
        triples = parsed(maker.data(IRIS))
        shared, each = Counted(triples), Counted(triples)
        report = shapes.validate(shared)
        focus = sum(report.focus_counts.values())
        assert results_of(report) == one_by_one(shapes, each)
        assert len(shared.asked) == min(focus, 1)
        assert len(each.asked) >= focus
        results += len(report.results)
    assert results > 0


@pytest.mark.parametrize("query", ALONE)
def test_a_query_that_cannot_be_shared_is_asked_for_each_node(query):
    shapes = compile_shapes(parsed(Maker(1).shapes(query)))
    data = Counted(parsed(Maker(1).data(IRIS)))
    report = shapes.validate_nodes(data, [ox.NamedNode("https://example.org/n0")] * 2)
    focus = sum(report.focus_counts.values())
    assert [set(bound) for _, bound in data.asked if bound] == [{"this"}] * len(data.asked)
    assert len(data.asked) >= focus


def compare_runs(seeds) -> tuple[int, int]:
    """Compare random queries both ways; return how many shared a run, and of these had results."""
    shared = answered = 0
    for seed in seeds:
        maker = Maker(seed)
        query = maker.query()
        shapes = compile_shapes(parsed(maker.shapes(query)))
        triples = parsed(maker.data(IRIS))
        together, apart = Counted(triples), Counted(triples)
        report = shapes.validate(together)
        assert results_of(report) == one_by_one(shapes, apart), f"seed {seed}: {query}"
        if sum(report.focus_counts.values()) > 1:
            is_shared = len(together.asked) == 1
            shared += is_shared
            answered += is_shared and bool(report.results)
    return shared, answered


def test_random_queries_are_shared_only_where_it_makes_no_difference():
    shared, answered = compare_runs(range(600))
    assert shared > 80
    assert answered > 40


@pytest.mark.long
def test_many_more_random_queries_are_shared_only_where_it_makes_no_difference():
    shared, _ = compare_runs(range(600, 20_000))
    assert shared > 3000


def compare(seeds) -> Counter:
    """Compare with pySHACL, which makes one result of equal solutions, where SHACL makes several."""
    verdicts: Counter = Counter()
    queries = [*SHARED, *ALONE, *OF_PROPERTIES]
    for seed in seeds:
        maker = Maker(seed)
        query = queries[seed % len(queries)]
        shapes, data = parsed(maker.shapes(query)), parsed(maker.data(IRIS))
        reference = of_pyshacl(shapes, data)
        report = compile_shapes(shapes).validate(MemoryGraph(data))
        assert report.conforms == reference.conforms, f"seed {seed}: {query}"
        assert set(results_of(report)) == set(reference.results), f"seed {seed}: {query}"
        verdicts[report.conforms] += 1
    return verdicts


def test_the_same_verdict_and_results_as_pyshacl():
    verdicts = compare(range(46))
    assert verdicts[False] > 10
    assert verdicts[True] > 5


@pytest.mark.long
def test_the_same_verdict_and_results_as_pyshacl_on_many_more():
    verdicts = compare(range(46, 1546))
    assert sum(verdicts.values()) == 1500
    assert min(verdicts.values()) > 300


def test_many_nodes_are_asked_for_in_chunks():
    query = SHARED[0]
    triples = [
        ox.Triple(ox.NamedNode(f"https://example.org/m{number}"),
                  ox.NamedNode("https://example.org/p0"), ox.Literal(str(number % 2) * 3))
        for number in range(2 * CHUNK + 1)
    ]  # fmt: skip
    text = (
        Maker(0)
        .shapes(query)
        .replace("ex:S sh:target", "ex:S sh:targetSubjectsOf ex:p0 ; sh:target")
    )
    data = Counted(triples)
    report = compile_shapes(parsed(text)).validate(data)
    assert len(report.results) == 2 * CHUNK + 1
    assert len(data.asked) == 3
