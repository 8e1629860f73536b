"""Property paths: against a slow oracle over all pairs of nodes, and through text and RDF."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.errors import ValidationError
from semantica_rdf.shacl import MemoryGraph, path_text
from semantica_rdf.shacl.paths import (
    Alternative,
    Inverse,
    OneOrMore,
    Sequence,
    ZeroOrMore,
    ZeroOrOne,
    evaluator,
    path_triples,
    predicates_of,
    read_path,
)
from semantica_rdf.shacl.shapes_graph import ShapesGraph

pytestmark = pytest.mark.quick

EX = "https://example.org/"
P, Q, R = (ox.NamedNode(EX + name) for name in "pqr")
NODES = [
    *(ox.NamedNode(f"{EX}n{number}") for number in range(4)),
    ox.BlankNode("b"),
    ox.Literal("x"),
]
SHAPE = ox.NamedNode(EX + "shape")

paths = st.recursive(
    st.sampled_from([P, Q]),
    lambda inner: st.one_of(
        st.builds(Inverse, inner),
        st.builds(ZeroOrMore, inner),
        st.builds(OneOrMore, inner),
        st.builds(ZeroOrOne, inner),
        st.builds(Sequence, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Alternative, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=5,
)
triples = st.lists(
    st.builds(
        ox.Triple, st.sampled_from(NODES[:5]), st.sampled_from([P, Q, R]), st.sampled_from(NODES)
    ),
    max_size=12,
)


def pairs(path, graph) -> set:
    """Return every pair of nodes a path connects: the definition, by sets."""
    every = {(node, node) for node in NODES}
    if isinstance(path, ox.NamedNode):
        return {(triple.subject, triple.object) for triple in graph if triple.predicate == path}
    if isinstance(path, Inverse):
        return {(end, start) for start, end in pairs(path.path, graph)}
    if isinstance(path, Alternative):
        return set().union(*(pairs(part, graph) for part in path.paths))
    if isinstance(path, Sequence):
        found = every
        for part in path.paths:
            found = joined(found, pairs(part, graph))
        return found
    once = pairs(path.path, graph)
    if isinstance(path, ZeroOrOne):
        return every | once
    found = once
    while (more := found | joined(found, once)) != found:
        found = more
    return found if isinstance(path, OneOrMore) else every | found


def joined(left: set, right: set) -> set:
    return {(start, end) for start, middle in left for other, end in right if middle == other}


@given(paths, triples)
def test_a_path_leads_where_its_definition_says(path, graph):
    expected = pairs(path, graph)
    data = MemoryGraph(graph)
    forward, backward = evaluator(path), evaluator(path, inverse=True)
    for node in NODES:
        reached = list(forward(data, node))
        assert len(reached) == len(set(reached))
        assert set(reached) == {end for start, end in expected if start == node}
        assert set(backward(data, node)) == {start for start, end in expected if end == node}


@given(paths)
def test_a_path_is_read_back_from_its_rdf(path):
    node, written = path_triples(path)
    assert read_path(ShapesGraph(written, "test"), SHAPE, node) == path
    assert set(predicates_of(path)) <= {P.value, Q.value}


@given(paths, triples)
def test_the_text_of_a_path_means_the_same_to_sparql(path, graph):
    found = MemoryGraph(graph).solutions(f"SELECT DISTINCT ?a ?b {{ ?a {path_text(path)} ?b }}", {})
    in_graph = {part for triple in graph for part in (triple.subject, triple.object)}
    expected = {pair for pair in pairs(path, graph) if set(pair) <= in_graph}
    assert {(solution["a"], solution["b"]) for solution in found} == expected


@pytest.mark.parametrize(
    ("turtle", "why"),
    [
        ("[ ]", "its path is no IRI"),
        ("[ sh:inversePath ex:p ; sh:zeroOrMorePath ex:q ]", "its path is no IRI"),
        ("[ sh:inversePath ex:p , ex:q ]", "its path is no IRI"),
        ("( )", "is no path"),
        ("( ex:p )", "at least two"),
        ("[ sh:alternativePath ex:p ]", "no well-formed list"),
        ('( ex:p "q" )', "is no path"),
        ("[ rdf:first ex:p ; rdf:rest _:open ]", "no well-formed list"),
        ("_:loop . _:loop sh:inversePath _:loop", "holds itself"),
        ("_:ring . _:ring rdf:first ex:p ; rdf:rest _:ring", "no well-formed list"),
    ],
)
def test_what_is_no_path_is_refused(turtle, why):
    prefixes = (
        "@prefix ex: <https://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> ."
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> ."
    )
    quads = list(
        ox.parse(f"{prefixes} ex:s sh:path {turtle} .".encode(), format=ox.RdfFormat.TURTLE)
    )
    graph = ShapesGraph(quads, "test")
    value = graph.objects(ox.NamedNode(EX + "s"), "http://www.w3.org/ns/shacl#path")[0]
    with pytest.raises(ValidationError, match=why) as caught:
        read_path(graph, SHAPE, value)
    assert caught.value.code == "bad_shape"
