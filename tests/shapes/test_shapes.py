"""The shipped shapes: an export of a record conforms, and each broken term is named."""

from __future__ import annotations

import re
import subprocess
import sys

import pyoxigraph as ox
import pyshacl
import pytest
import rdflib
from rdflib.namespace import RDF, SH

from semantica_rdf import iri
from semantica_rdf.assets import asset_path
from semantica_rdf.model import vocab
from semantica_rdf.shacl import MemoryGraph, compile_shapes

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
    for target in (RDF.Statement, SRDF.Transaction):
        assert (None, SH.targetClass, target) in shapes
        assert next(record.subjects(RDF.type, target), None) is not None


def test_the_command_of_pyshacl_passes_an_export_that_rdflib_has_rewritten(record, tmp_path):
    rewritten = tmp_path / "record.ttl"
    record.serialize(rewritten, format="turtle")
    assert "+00:00" in rewritten.read_text(encoding="utf-8")
    for path in sorted(asset_path("shapes").glob("*.ttl")):
        command = [sys.executable, "-m", "pyshacl", "-s", str(path), str(rewritten)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    broken = rewritten.read_text(encoding="utf-8").replace("srdf:source ", "srdf:sauce ")
    rewritten.write_text(broken, encoding="utf-8")
    path = asset_path("shapes") / "statement.ttl"
    command = [sys.executable, "-m", "pyshacl", "-s", str(path), str(rewritten)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "say who says so" in done.stdout


@pytest.mark.quick
def test_everything_the_ledger_writes_conforms_to_the_shapes_of_the_write_path(kb):
    with kb.transaction(reason="overlapping") as tx:
        tx.assert_(EX + "alice", EX + "age", 41, valid_from="2026", valid_until="2028")
        tx.assert_(EX + "alice", EX + "age", 41, valid_from="2027", source=EX + "badge")
        first = tx.assert_(EX + "alice", EX + "knows", iri(EX + "bob"))
    with kb.transaction(reason="left") as tx:
        tx.withdraw(first)
        tx.retract((EX + "alice", EX + "age", 41), valid_until="2027-06-01")
    data = MemoryGraph(quad for quad in kb._ledger.store if "/id/" not in str(quad.graph_name))
    for path in sorted(asset_path("shapes").rglob("*.ttl")):
        report = compile_shapes(ox.parse(path=path), path.name).validate(data)
        assert report.conforms, str(report)
        assert bool(report.unmet) == (path.name == "tombstone.ttl")


@pytest.mark.quick
def test_a_tombstone_with_content_is_none():
    shapes = compile_shapes(ox.parse(path=asset_path("shapes") / "tombstone.ttl"), "tombstone.ttl")
    node = ox.NamedNode(vocab.ID_BASE + "0123456789ab/7-1")
    empty = [
        (vocab.RDF_TYPE, ox.NamedNode(vocab.TOMBSTONE)),
        (vocab.REMOVED, ox.NamedNode(vocab.ID_BASE + "0123456789ab/3-1")),
        (vocab.REMOVED_KIND, ox.Literal("statement")),
        (vocab.RECORDED_AT, ox.Literal("2026-01-01T00:00:00Z", datatype=ox.NamedNode(vocab.XSD_DATETIME))),
        (vocab.TRANSACTION, ox.NamedNode(vocab.ID_BASE + "0123456789ab/7-0")),
        (vocab.WAS_ASSOCIATED_WITH, ox.NamedNode(EX + "ann")),
        (vocab.REASON_CODE, ox.Literal("withdrawn-by-source")),
        (vocab.FINGERPRINT, ox.Literal("0123456789abcdef" * 4)),
    ]  # fmt: skip

    def verdict(said):
        quads = [ox.Triple(node, ox.NamedNode(predicate), value) for predicate, value in said]
        return shapes.validate(MemoryGraph(quads))

    assert verdict(empty).conforms
    for predicate in (vocab.RDF_SUBJECT, vocab.RDF_OBJECT, vocab.SOURCE, vocab.SOURCE_TEXT):
        (result,) = verdict([*empty, (predicate, ox.NamedNode(EX + "alice"))]).results
        assert "holds no content" in result.messages[0]
    for left_out in empty[1:]:
        assert verdict([each for each in empty if each != left_out]).conforms == (
            left_out[0] == vocab.FINGERPRINT
        )


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
