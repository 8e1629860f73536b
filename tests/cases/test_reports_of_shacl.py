"""Public bug reports about SHACL (family shacl), each with its minimal input and right result."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from semantica_rdf import KnowledgeBase, errors, iri
from semantica_rdf.shacl import MemoryGraph, compile_shapes

EX = "https://example.org/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <https://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

pytestmark = pytest.mark.quick


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase.memory(agent=EX + "ann", source=EX + "hr")
    kb.prefixes.bind("ex", EX)
    return kb


def rules(text: str) -> bytes:
    return (PREFIXES + text).encode()


def test_b104_shapes_that_look_at_nothing_do_not_pass_for_success(kb, tmp_path):
    untargeted = rules("ex:S a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .")
    for use in (
        lambda: kb.shapes.add(untargeted, name="s", reason="rules"),
        lambda: kb.validate(shapes=untargeted),
    ):
        with pytest.raises(errors.ValidationError) as caught:
            use()
        assert caught.value.code == "shapes_without_target"
    with pytest.raises(errors.NotFound):
        kb.validate(shapes=tmp_path / "absent.ttl")
    with pytest.raises(errors.ValidationError):
        kb.validate(shapes=b"")
    unmet = kb.validate(
        shapes=rules("ex:S a sh:NodeShape ; sh:targetClass ex:Nobody ; sh:nodeKind sh:IRI .")
    )
    assert unmet.conforms
    assert unmet.focus_counts == {f"<{EX}S>": 0}
    assert unmet.unmet == (f"<{EX}S>",)
    assert "no focus node" in str(unmet)


def test_b105_an_invalid_node_in_a_named_graph_is_refused(kb):
    shape = (
        "ex:S a sh:NodeShape ; sh:targetClass ex:P ; sh:property [ sh:path ex:n ; sh:minCount 1 ] ."
    )
    kb.shapes.add(rules(shape), name="s", reason="rules")
    before = kb.head()
    with pytest.raises(errors.ShapeViolation), kb.transaction(reason="x") as tx:
        tx.assert_("ex:a", TYPE, iri(EX + "P"), graph="ex:g")
    assert kb.head() == before
    with kb.transaction(reason="x") as tx:
        tx.assert_("ex:a", TYPE, iri(EX + "P"), graph="ex:g")
        tx.assert_("ex:a", "ex:n", "A", graph="ex:g")
    assert kb.validate().focus_counts == {f"<{EX}S>": 1}


@pytest.mark.parametrize(
    "pattern", ["GRAPH ?g { $this ex:p ?value }", "GRAPH $shapesGraph { $this ex:p ?value }"]
)
def test_b106_a_query_that_names_graphs_is_refused_and_never_conforms(kb, pattern):
    text = (
        "ex: sh:declare [ sh:prefix 'ex' ; sh:namespace 'https://example.org/'^^xsd:anyURI ] .\n"
        "ex:S a sh:NodeShape ; sh:targetSubjectsOf ex:p ;\n"
        f"  sh:sparql [ sh:prefixes ex: ; sh:select 'SELECT $this ?value {{ {pattern} }}' ] ."
    )
    with pytest.raises(errors.ValidationError) as caught:
        kb.shapes.add(rules(text), name="s", reason="rules")
    assert caught.value.code == "unsupported_shape"
    plain = text.replace(pattern, "$this ex:p ?value")
    assert kb.shapes.add(rules(plain), name="s", reason="rules").sequence == 1
    with pytest.raises(errors.ShapeViolation), kb.transaction(reason="x") as tx:
        tx.assert_("ex:a", "ex:p", "x")


def test_b107_a_date_is_no_datetime(kb):
    shape = "ex:S a sh:NodeShape ; sh:targetSubjectsOf ex:d ; sh:property [ sh:path ex:d ; sh:datatype xsd:date ] ."
    kb.shapes.add(rules(shape), name="s", reason="rules")
    date, date_time = (ox.NamedNode(XSD + name) for name in ("date", "dateTime"))
    with kb.transaction(reason="x") as tx:
        tx.assert_("ex:a", "ex:d", ox.Literal("2022-07-22", datatype=date))
    with pytest.raises(errors.ShapeViolation) as caught, kb.transaction(reason="x") as tx:
        tx.assert_("ex:a", "ex:d", ox.Literal("2022-07-22T00:00:00", datatype=date_time))
    assert caught.value.report.results[0].component.endswith("#DatatypeConstraintComponent")
    assert kb.validate().conforms


class Counting(MemoryGraph):
    """A graph that counts what it is asked."""

    asked = 0

    def objects(self, subject, predicate, /):
        self.asked += 1
        return super().objects(subject, predicate)

    def subjects(self, predicate, object_, /):
        self.asked += 1
        return super().subjects(predicate, object_)


def test_b109_what_a_check_asks_follows_the_touched_nodes_not_the_data():
    shapes = compile_shapes(
        ox.parse(
            rules(
                "ex:S a sh:NodeShape ; sh:targetClass ex:P ; sh:property [ sh:path ex:n ; sh:minCount 1 ] ."
            ),
            format=ox.RdfFormat.TURTLE,
        )
    )
    asked = []
    for size in (10, 1000):
        triples = [
            triple
            for number in range(size)
            for triple in (
                ox.Triple(
                    ox.NamedNode(f"{EX}{number}"), ox.NamedNode(TYPE), ox.NamedNode(EX + "P")
                ),
                ox.Triple(ox.NamedNode(f"{EX}{number}"), ox.NamedNode(EX + "n"), ox.Literal("x")),
            )
        ]
        data = Counting(triples)
        assert shapes.validate_nodes(data, [ox.NamedNode(EX + "3")]).conforms
        asked.append(data.asked)
    assert asked[0] == asked[1] > 0
