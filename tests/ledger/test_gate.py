"""The gate is the shipped shapes: what breaks one is refused with its message and code."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from semantica_rdf import KnowledgeBase, errors
from semantica_rdf.assets import asset_path
from semantica_rdf.ledger import gate
from semantica_rdf.model import vocab
from semantica_rdf.model.lexical import MAX_NOTE_CHARACTERS
from semantica_rdf.shacl import Described

EX = "https://example.org/"
SHAPES = "https://w3id.org/semantica-rdf/shapes#"

pytestmark = pytest.mark.quick


def stated(kb: KnowledgeBase, **given):
    with kb.transaction(reason="test") as tx:
        return tx.assert_(EX + "alice", given.pop("predicate", EX + "age"), 41, **given)


@pytest.mark.parametrize(
    ("bad", "good", "kind", "code"),
    [
        ({"confidence": -0.1}, {"confidence": 0}, errors.ShapeViolation, "bad_confidence"),
        ({"confidence": 1.1}, {"confidence": 1}, errors.ShapeViolation, "bad_confidence"),
        ({"support_id": " a"}, {"support_id": "a"}, errors.ShapeViolation, "bad_support_id"),
        ({"support_id": "a\n"}, {"support_id": "a\nb"}, errors.ShapeViolation, "bad_support_id"),
        (
            {"support_id": "a" * 1025},
            {"support_id": "a" * 1024},
            errors.ShapeViolation,
            "bad_support_id",
        ),
        (
            {"predicate": vocab.SOURCE},
            {"predicate": EX + "source"},
            errors.ReservedTerm,
            "reserved_term",
        ),
        (
            {"predicate": vocab.SHAPES_TEXT},
            {"predicate": EX + "shapesText"},
            errors.ReservedTerm,
            "reserved_term",
        ),
    ],
)
def test_a_claim_that_breaks_a_shape_is_refused_and_its_neighbour_taken(
    kb: KnowledgeBase, bad, good, kind, code
):
    before = kb.head()
    with pytest.raises(kind) as caught:
        stated(kb, **bad)
    assert caught.value.code == code
    assert kb.head() == before
    assert stated(kb, **good)


def test_the_refusal_speaks_the_words_of_the_shape(kb: KnowledgeBase):
    with pytest.raises(errors.ShapeViolation, match=r"one decimal from 0 to 1, not .*2") as caught:
        stated(kb, confidence=2)
    (result,) = caught.value.report.results
    assert result.source_shape == ox.NamedNode(SHAPES + "StatementShape-confidence")
    assert result.component.endswith("#MaxInclusiveConstraintComponent")


def test_every_code_a_shape_names_is_documented_and_belongs_to_one_message():
    page = (asset_path("shapes").parent / "docs" / "errors.md").read_text(encoding="utf-8")
    codes = {
        code
        for name in ("statement", "transaction")
        for code in gate.record_shapes(name).codes.values()
    }
    assert len(codes) > 8
    assert all(f"`{code}`" in page for code in codes)


def test_the_lengths_of_the_shapes_are_those_of_the_code():
    shapes = (asset_path("shapes") / "transaction.ttl").read_text(encoding="utf-8")
    assert f"sh:maxLength {MAX_NOTE_CHARACTERS}" in shapes


def test_a_namespace_that_begins_with_a_dot_is_the_records_own(kb: KnowledgeBase):
    with pytest.raises(errors.ValidationError) as caught:
        kb.transaction(reason="test", namespace=".shapes")
    assert caught.value.code == "bad_namespace"
    with kb.transaction(reason="test", namespace="shapes.") as tx:
        tx.assert_(EX + "alice", EX + "age", 41)


def test_the_plan_says_what_the_shapes_say():
    plan = gate.record_shapes("statement")
    node = ox.NamedNode(EX + "statement")
    transaction = ox.NamedNode(EX + "transaction")
    date = ox.NamedNode(vocab.XSD_DATETIME)
    whole = {
        vocab.RDF_TYPE: (ox.NamedNode(vocab.RDF_STATEMENT),),
        vocab.RDF_SUBJECT: (ox.NamedNode(EX + "a"),),
        vocab.RDF_PREDICATE: (ox.NamedNode(EX + "b"),),
        vocab.RDF_OBJECT: (ox.Literal("c"),),
        vocab.SOURCE: (ox.NamedNode(EX + "d"),),
        vocab.RECORDED_AT: (ox.Literal("2026-01-01T00:00:00Z", datatype=date),),
        vocab.TRANSACTION: (transaction,),
        vocab.VALID_FROM: (ox.Literal("2026-01-01T00:00:00Z", datatype=date),),
        vocab.VALID_UNTIL: (ox.Literal("2027-01-01T00:00:00Z", datatype=date),),
    }
    kinds = {transaction: {vocab.RDF_TYPE: (ox.NamedNode(vocab.TRANSACTION_CLASS),)}}
    other = (ox.Literal("2025-01-01T00:00:00+00:00", datatype=date),)
    variants = [whole]
    variants += [{**whole, name: values} for name in whole for values in ((), other, other * 2)]
    variants += [{name: whole[name] for name in whole if name != left} for left in whole]
    verdicts = []
    for properties in variants:
        graph = Described({node: properties, **kinds})
        slow = all(shape.conforms(graph, node) for shape in plan.shapes)
        assert plan.plan.conforms(graph, node) == slow
        assert slow == (not any(shape.check(graph, node) for shape in plan.shapes))
        verdicts.append(slow)
    assert verdicts.count(True) >= 3
    assert verdicts.count(False) > 20
