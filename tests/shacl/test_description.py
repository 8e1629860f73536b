"""A description checked by its plan gets the verdict its shapes give one by one."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from shacl.mutants import PREFIXES, mutant
from shacl.reference import parsed

from semantica_rdf.shacl import Described, DescriptionPlan, MemoryGraph, compile_shapes


def described(data: MemoryGraph, nodes) -> Described:
    found: dict = {node: {} for node in nodes}
    for triple in data:
        properties = found.setdefault(triple.subject, {})
        values = properties.get(triple.predicate.value, ())
        properties[triple.predicate.value] = (*values, triple.object)
    return Described(found)


def test_a_plan_decides_as_its_shapes_do():
    verdicts = []
    for seed in range(800):
        drawn = mutant(seed)
        shapes = [
            shape for shape in compile_shapes(parsed(drawn.shapes)).every if shape.path is None
        ]
        data = MemoryGraph(parsed(drawn.data))
        nodes = {part for triple in data for part in (triple.subject, triple.object)}
        graph = described(data, nodes)
        plan = DescriptionPlan(shapes)
        for node in nodes:
            expected = all(shape.conforms(data, node) for shape in shapes)
            assert plan.conforms(graph, node) is expected, f"seed {seed}"
            verdicts.append(expected)
    assert verdicts.count(True) > 500
    assert verdicts.count(False) > 500


@pytest.mark.parametrize(
    "constraint",
    ["sh:hasValue 1", "sh:minCount 1", "sh:equals ex:q",
     "sh:qualifiedMinCount 1 ; sh:qualifiedValueShape [ sh:nodeKind sh:IRI ]"],
)  # fmt: skip
def test_what_is_missing_is_missed(constraint):
    text = f"ex:S sh:targetNode ex:i ; sh:property [ sh:path ex:p ; {constraint} ] ."
    plan = DescriptionPlan(compile_shapes(parsed(PREFIXES + text)).every[:1])
    node = ox.NamedNode("https://example.org/i")
    other = (ox.Literal(2),)
    assert not plan.conforms(Described({node: {"https://example.org/q": other}}), node)
