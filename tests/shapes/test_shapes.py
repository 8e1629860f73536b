"""The shipped shapes: an export of a record conforms, and each broken term is named."""

from __future__ import annotations

import re

import pyshacl
import pytest
import rdflib
from rdflib.namespace import RDF, SH

from semantica_rdf import iri
from semantica_rdf.assets import asset_path
from semantica_rdf.model import vocab

EX = "https://example.org/"
SRDF = rdflib.Namespace(vocab.SRDF)
PROV = rdflib.Namespace(vocab.PROV)


@pytest.fixture(scope="module")
def shapes() -> rdflib.Graph:
    graph = rdflib.Graph()
    for path in sorted(asset_path("shapes").glob("*.ttl")):
        graph.parse(path)
    return graph


@pytest.fixture
def record(kb) -> rdflib.Graph:
    with kb.transaction(reason="import") as tx:
        first = tx.assert_(
            EX + "alice", EX + "worksFor", iri(EX + "acme"), valid_from="2026", valid_until="2027",
            support_id="hr-1", confidence="0.9",
        )  # fmt: skip
        tx.propose(EX + "alice", EX + "age", 41)
    with kb.transaction(reason="left") as tx:
        tx.retract(first, valid_until="2026-10-01")
    return rdflib.Graph().parse(data=kb.export(format="ttl"), format="turtle")


def verdict(record: rdflib.Graph, shapes: rdflib.Graph) -> tuple[bool, set[str]]:
    conforms, report, _ = pyshacl.validate(record, shacl_graph=shapes, advanced=False)
    sources = report.objects(None, SH.sourceShape)
    return conforms, {str(source).partition("#")[2] for source in sources}


def test_an_export_conforms_and_every_shape_has_focus_nodes(record, shapes):
    assert verdict(record, shapes) == (True, set())
    for target in shapes.objects(None, SH.targetClass):
        assert next(record.subjects(RDF.type, target), None) is not None


@pytest.mark.parametrize(
    ("predicate", "value", "named"),
    [
        (SRDF.source, None, "StatementShape-source"),
        (RDF.subject, None, "StatementShape-subject"),
        (SRDF.validFrom, rdflib.Literal("2026", datatype=rdflib.XSD.gYear), "StatementShape-validFrom"),
        (SRDF.validUntil, rdflib.Literal("2020-01-01T00:00:00Z", datatype=rdflib.XSD.dateTime),
         "StatementShape-validFrom"),
        (SRDF.confidence, rdflib.Literal("1.5", datatype=rdflib.XSD.decimal),
         "StatementShape-confidence"),
        (SRDF.standing, SRDF.doubtful, "StatementShape-standing"),
        (SRDF.reason, None, "TransactionShape-reason"),
        (PROV.wasAssociatedWith, None, "TransactionShape-agent"),
    ],
)  # fmt: skip
def test_a_broken_term_is_named(record, shapes, predicate, value, named):
    for node in {node for node in record.subjects(predicate, None) if "/id/" in node}:
        record.remove((node, predicate, None))
        if value is not None:
            record.add((node, predicate, value))
    conforms, sources = verdict(record, shapes)
    assert not conforms
    assert named in sources


@pytest.mark.quick
def test_every_property_shape_is_named_and_says_what_to_do(shapes):
    constraints = list(shapes.subjects(RDF.type, SH.PropertyShape))
    assert len(constraints) > 10
    for shape in constraints:
        assert isinstance(shape, rdflib.URIRef)
        assert re.search(r"\.$", str(shapes.value(shape, SH.message)))
    codes = shapes.value(
        rdflib.URIRef("https://w3id.org/semantica-rdf/shapes#TransactionShape-reasonCode"), SH["in"]
    )
    listed = [str(code) for code in rdflib.collection.Collection(shapes, codes)]
    assert listed == list(vocab.REASON_CODES)
