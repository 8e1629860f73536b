"""Our own exports come back as claims in every format they are written in; all else is plain data."""

from __future__ import annotations

import gzip
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyoxigraph as ox
import pytest
import rdflib

from semantica_rdf import KnowledgeBase, iri, literal
from semantica_rdf.errors import ValidationError
from semantica_rdf.loading import LoadReport
from semantica_rdf.model.statement import Statement

EX = "https://example.org/"
RDF = {
    "ttl": "turtle", "trig": "trig", "nq": "nquads", "nt": "ntriples", "jsonld": "jsonld", "rdf": "rdfxml",
}  # fmt: skip


def fresh() -> KnowledgeBase:
    return KnowledgeBase.memory(agent=EX + "ann", source=EX + "elsewhere")


@pytest.fixture
def kb() -> Any:
    """A base with every standing, a superseded version, spellings, graphs, bounds, support ids."""
    with fresh() as base:
        with base.transaction(reason="told", source=EX + "hr") as tx:
            tx.assert_(EX + "a", EX + "p", literal("01", datatype="xsd:integer"), confidence="0.5",
                       valid_from="2020", support_id="hr-1")  # fmt: skip
            tx.assert_(
                EX + "a", EX + "q", literal('x\n"é"', lang="en"), graph=EX + "g", valid_until="2031"
            )
            tx.assert_(EX + "a", EX + "r", iri("urn:x:y"), source=EX + "badge")
            old = tx.assert_(EX + "b", EX + "p", 1)
            doubted = tx.assert_(EX + "b", EX + "q", 2)
            tx.propose(EX + "b", EX + "r", 3)
        with base.transaction(reason="mended") as tx:
            tx.revise(old, object=4)
            tx.dispute(doubted)
        yield base


def current(base: KnowledgeBase) -> set[tuple[Any, ...]]:
    """Return what an import takes of each believed, open version."""
    return {
        (item.fact, item.source, item.window, item.support_id, item.confidence, item.source_text)
        for item in statements(base)
        if item.standing == "believed" and item.superseded_at > 2**62
    }


def statements(base: KnowledgeBase) -> list[Statement]:
    return [item for name in "ab" for item in base.history((EX + name, None, None))]


def back(content: Any, kb: KnowledgeBase, **options: Any) -> LoadReport:
    """Load an export into a base of its own, and expect the same claims there."""
    with fresh() as other:
        report = other.load(content, reason="moved", **options)
        assert current(other) == current(kb)
        again = {item.fact: item.source_recorded_at for item in statements(other)}
        for item in statements(kb):
            if item.fact in again:
                assert again[item.fact] == item.recorded_at
        assert other.load(content, reason="again", **options).receipts == ()
        assert (report.read, report.stored, report.rejected) == (8, 4, ())
        assert {name: n for name, n in report.skipped.items() if name.endswith("versions")} == {
            "disputed versions": 1, "proposed versions": 1, "superseded versions": 2,
        }  # fmt: skip
    return report


@pytest.mark.quick
@pytest.mark.parametrize("suffix", RDF)
def test_the_record_comes_back_from_every_format_of_rdf(
    kb: KnowledgeBase, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"record.{suffix}"
    kb.export(path)
    report = back(path, kb)
    assert report.skipped["transactions"] == 2
    packed = tmp_path / f"record.{suffix}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert back(packed, kb).skipped == report.skipped


def test_the_record_comes_back_through_another_library(kb: KnowledgeBase) -> None:
    graph = rdflib.Graph()
    graph.parse(data=kb.export(format="nt"), format="nt")
    report = fresh().load(graph, reason="moved")
    assert (report.stored, report.rejected) == (4, ())
    for form in ("turtle", "xml", "json-ld"):
        text = graph.serialize(format=form, encoding="utf-8")
        name = {"xml": "rdfxml", "json-ld": "jsonld"}.get(form, form)
        assert fresh().load(text, format=name, reason="moved").skipped == report.skipped


def test_slashes_escaped_in_json_hide_nothing(kb: KnowledgeBase) -> None:
    exported = kb.export(format="jsonld")
    assert exported is not None
    back(exported.replace(b"/", b"\\/"), kb, format="jsonld")


@pytest.mark.parametrize("suffix", RDF)
def test_a_view_is_plain_data(kb: KnowledgeBase, suffix: str) -> None:
    if suffix in {"trig", "nq", "jsonld"}:
        content = kb.export(view=kb.at(valid_at="2030"), format=suffix)
        wanted = 4
    else:
        with fresh() as plain:
            plain.load(b"<a:a> <a:b> 1, 2 .", format="turtle", reason="test")
            content, wanted = plain.export(view=plain.at(), format=suffix), 2
    report = fresh().load(content, format=suffix, reason="moved")
    assert (report.read, report.stored, dict(report.skipped)) == (wanted, wanted, {})


FOREIGN = """
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix dct: <http://purl.org/dc/terms/> .
<https://w3id.org/semantica-rdf/about> dct:title "A page that names us" .
<a:s> a rdf:Statement ; rdf:subject <a:a> ; rdf:predicate <a:b> ; rdf:object <a:c> ;
  prov:wasDerivedFrom <a:d> ; dct:identifier "hr-1" .
<a:t> a prov:Activity ; prov:wasAssociatedWith <a:ann> . <a:ann> a prov:Agent .
"""


@pytest.mark.parametrize("form", ["turtle", "rdfxml", "jsonld", "nquads"])
def test_statements_of_others_are_data_like_any_other(form: str) -> None:
    quads = list(ox.parse(FOREIGN, format=ox.RdfFormat.TURTLE))
    formats = {"turtle": ox.RdfFormat.TURTLE, "rdfxml": ox.RdfFormat.RDF_XML,
               "jsonld": ox.RdfFormat.JSON_LD, "nquads": ox.RdfFormat.N_QUADS}  # fmt: skip
    content = ox.serialize(quads, format=formats[form])
    report = fresh().load(content, format=form, reason="test")
    assert (report.read, report.stored, dict(report.skipped)) == (len(quads), len(quads), {})
    assert len(quads) == 10
    assert report.rejected == ()


def test_record_times_are_kept_as_those_of_the_source(kb: KnowledgeBase) -> None:
    exported = kb.export(format="turtle")
    with KnowledgeBase.memory(
        agent=EX + "ann", source=EX + "s", clock=lambda: datetime(2040, 1, 1, tzinfo=UTC)
    ) as other:
        other.load(exported, format="turtle", reason="moved")
        (statement,) = other.history((EX + "a", EX + "r", iri("urn:x:y")))
        (original,) = kb.history((EX + "a", EX + "r", iri("urn:x:y")))
        assert statement.source_recorded_at == original.recorded_at
        assert statement.recorded_at > original.recorded_at


TABLES = ["csv", "parquet", "arrow"]


def as_given(content: bytes, form: str) -> Any:
    """Return what a caller hands over: CSV as bytes, the others as a table."""
    if form == "csv":
        return content
    if form == "parquet":
        return pq.read_table(io.BytesIO(content))
    return pa.ipc.open_file(content).read_all()


@pytest.mark.quick
@pytest.mark.parametrize("form", TABLES)
def test_the_statement_table_comes_back_without_a_mapping(kb: KnowledgeBase, form: str) -> None:
    content = kb.export(format=form)
    assert content is not None
    given = as_given(content, form)
    options = {"format": "csv"} if form == "csv" else {}
    report = back(given, kb, **options)
    assert report.skipped["cells of statement"] == 4
    assert "cells of superseded_by" not in report.skipped
    if form != "csv":
        assert back(given.to_pandas(), kb).skipped == report.skipped


@pytest.mark.parametrize("form", TABLES)
def test_the_fact_table_comes_back_without_a_mapping(kb: KnowledgeBase, form: str) -> None:
    view = kb.at(valid_at="2030")
    content = kb.export(view=view, format=form)
    assert content is not None
    with fresh() as other:
        options = {"format": "csv"} if form == "csv" else {}
        report = other.load(as_given(content, form), reason="moved", **options)
        assert (report.read, report.stored, report.rejected) == (4, 4, ())
        assert report.skipped == {"cells of sources": 4, "cells of statements": 4}
        facts = {(fact.key, fact.window) for fact in view.facts()}
        assert {(fact.key, fact.window) for fact in other.at(valid_at="2030").facts()} == facts
        assert {source.value for fact in other.at().facts() for source in fact.sources} == {
            EX + "elsewhere"
        }


def test_a_table_with_other_columns_still_needs_a_mapping(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "facts.csv"
    kb.export(path, view=kb.at())
    other = path.read_bytes().replace(b",statements\r\n", b",statement\r\n", 1)
    with pytest.raises(ValidationError) as refused:
        fresh().load(other, format="csv", reason="test")
    assert refused.value.code == "mapping_required"
    packed = tmp_path / "facts.csv.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\r\n", b"\n")))
    assert fresh().load(packed, reason="test").read == fresh().load(path, reason="test").read > 0
