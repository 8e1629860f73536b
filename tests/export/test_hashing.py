"""The same hash from every format, whoever reads it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from export.graphs import PREFIXES, QUADS, TRIPLES, quads_by_rdflib
from hypothesis import given, settings
from pyld import jsonld

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.export.formats import FORMATS
from semantica_rdf.export.hashing import canonical_hash
from semantica_rdf.export.jsonld import local_document
from semantica_rdf.export.write import export_quads

EX = "https://example.org/"
SYNTAX = {
    "turtle": "turtle",
    "trig": "trig",
    "nquads": "nquads",
    "jsonld": "json-ld",
    "rdfxml": "xml",
}
WITH_GRAPHS = [each.name for each in FORMATS if each.graphs]


def documents(quads: list[ox.Quad], names: list[str]) -> dict[str, bytes]:
    return {name: export_quads(quads, format=name, prefixes=PREFIXES) or b"" for name in names}


@given(QUADS)
def test_formats_with_graphs_give_the_hash_of_the_quads(quads: list[ox.Quad]) -> None:
    told = {
        canonical_hash(data, format=name) for name, data in documents(quads, WITH_GRAPHS).items()
    }
    assert told == {canonical_hash(quads)} == {canonical_hash([*quads, *quads][::-1])}


@given(TRIPLES)
def test_all_formats_give_the_hash_of_the_triples(quads: list[ox.Quad]) -> None:
    every = documents(quads, [each.name for each in FORMATS if each.name != "rdfxml"])
    assert {canonical_hash(data, format=name) for name, data in every.items()} == {
        canonical_hash(quads)
    }
    lines = "".join(sorted({f"{quad} .\n" for quad in quads}))
    assert canonical_hash(quads) == hashlib.sha256(lines.encode()).hexdigest()


DOCUMENT = f"""
@prefix ex: <{EX}> .
ex:alice ex:address [ ex:city "Ulm" ; ex:near [ ex:name "Blau" ] ] ; ex:says "He said \\"hi\\"\\n" .
ex:g {{ ex:alice ex:knows [ ex:name "Zoë"@de ] , [ ex:name "Zoë"@de ] }}
"""


def fill(kb: KnowledgeBase) -> None:
    kb.load(DOCUMENT.encode(), format="trig", reason="test")
    with kb.transaction(reason="test") as tx:
        tx.assert_(EX + "alice", EX + "age", 41, valid_from="2026-01-01", graph=EX + "g")


@pytest.mark.quick
@pytest.mark.parametrize("blank_nodes", ["skolem", "restore"])
def test_three_libraries_read_the_same_hash_from_a_view(
    kb: KnowledgeBase, blank_nodes: str
) -> None:
    fill(kb)
    view = kb.at()
    wanted = canonical_hash(view.quads(blank_nodes=blank_nodes))
    assert (wanted == canonical_hash(view)) == (blank_nodes == "skolem")
    for name in WITH_GRAPHS:
        data = kb.export(view=view, format=name, blank_nodes=blank_nodes)
        assert canonical_hash(data, format=name) == wanted
        assert canonical_hash(quads_by_rdflib(data, SYNTAX[name])) == wanted
    document = json.loads(kb.export(view=view, format="jsonld", blank_nodes=blank_nodes))
    normal = jsonld.normalize(
        document,
        {
            "algorithm": "URDNA2015",
            "format": "application/n-quads",
            "documentLoader": local_document,
        },
    )
    assert hashlib.sha256(normal.encode()).hexdigest() == wanted


@pytest.mark.quick
def test_the_record_has_one_hash_in_every_format_and_another_after_a_write(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    fill(kb)

    def told() -> set[str]:
        for each in FORMATS:
            kb.export(tmp_path / f"record{each.suffix}")
        return {canonical_hash(tmp_path / f"record{each.suffix}") for each in FORMATS}

    first = told()
    assert len(first) == 1
    for name, syntax in SYNTAX.items():
        assert {canonical_hash(quads_by_rdflib(kb.export(format=name), syntax))} == first
    with kb.transaction(reason="test") as tx:
        tx.assert_(EX + "bob", EX + "knows", iri(EX + "alice"))
    second = told()
    assert len(second) == 1
    assert second != first


def test_restored_blank_nodes_have_the_hash_of_the_document_they_came_from(
    kb: KnowledgeBase,
) -> None:
    kb.load(DOCUMENT.encode(), format="trig", reason="test")
    assert canonical_hash(kb.at().quads(blank_nodes="restore")) == canonical_hash(
        DOCUMENT.encode(), format="trig"
    )


@settings(max_examples=10)
@given(QUADS)
def test_an_empty_or_split_source_is_a_dataset_too(quads: list[ox.Quad]) -> None:
    assert canonical_hash([]) == hashlib.sha256(b"").hexdigest()
    assert canonical_hash(iter(quads)) == canonical_hash(quads)


def test_what_is_no_rdf_has_no_hash(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttl"
    broken.write_text("<a> <b> .")
    remote = f'{{"@context": "{EX}context.jsonld", "name": "x"}}'.encode()
    for source, name, code in (
        (broken, None, "syntax_error"),
        (remote, "jsonld", "syntax_error"),
        (tmp_path / "facts.csv", None, "unknown_format"),
        (b"", None, "unknown_format"),
        (tmp_path / "x.doc", None, "unknown_format"),
    ):
        with pytest.raises(ValidationError) as caught:
            canonical_hash(source, format=name)
        assert caught.value.code == code
    with pytest.raises(NotFound) as absent:
        canonical_hash(tmp_path / "absent.ttl")
    assert absent.value.code == "no_file"
