"""JSON-LD: compact, with its context in the document, and without a connection."""

from __future__ import annotations

import json
import socket
from typing import Any

import pyoxigraph as ox
import pytest
from export.graphs import NAMESPACE, stored

from semantica_rdf.errors import ValidationError
from semantica_rdf.export import jsonld
from semantica_rdf.export.record import record_quads
from semantica_rdf.export.write import export_quads
from semantica_rdf.model import vocab

ID = vocab.ID_BASE + "0123456789ab/"


@pytest.fixture(scope="module")
def document(store_quads: tuple[ox.Quad, ...]) -> dict[str, Any]:
    """Return the record as JSON-LD."""
    data = export_quads(
        record_quads(stored(store_quads)), format="jsonld", prefixes={"ex": "https://example.org/"}
    )
    loaded: dict[str, Any] = json.loads(data or b"")
    return loaded


@pytest.mark.quick
def test_a_statement_reads_in_plain_words(document: dict[str, Any]) -> None:
    nodes = {node["@id"]: node for node in document["@graph"]}
    statement = nodes[ID + "2-2"]
    assert statement["@type"] == ["Statement", "Entity"]
    assert (statement["subject"], statement["predicate"]) == ("ex:alice", "ex:knows")
    assert statement["standing"] == "proposed"
    assert statement["recordedAt"] == "2026-09-05T08:00:00Z"
    assert nodes[ID + "2-1"]["confidence"] == "0.9"
    assert nodes[ID + "2-0"]["sequence"] == "2"
    assert nodes[ID + "2-0"]["wasAssociatedWith"] == "ex:people/ann"


def test_the_context_stands_whole_in_the_document(document: dict[str, Any]) -> None:
    assert isinstance(document["@context"], dict)
    assert document["@context"]["ex"] == {"@id": "https://example.org/", "@prefix": True}
    assert "@import" not in json.dumps(document)


def test_no_socket_is_opened(
    monkeypatch: pytest.MonkeyPatch, store_quads: tuple[ox.Quad, ...]
) -> None:
    opened: list[object] = []

    class Refused(socket.socket):
        def __init__(self, *args: object) -> None:
            opened.append(args)
            raise OSError

    monkeypatch.setattr(socket, "socket", Refused)
    assert export_quads(record_quads(stored(store_quads)), format="jsonld")
    assert opened == []
    with pytest.raises(OSError, match=r"^$"):
        socket.create_connection(("127.0.0.1", 9))
    assert opened


def test_only_the_packaged_context_is_a_document() -> None:
    known = jsonld.local_document(jsonld.CONTEXT_IRI, {})
    assert known["document"]["@context"]["validFrom"]["@id"] == vocab.VALID_FROM
    for url in ("http://127.0.0.1/context", "file:///etc/passwd", "https://schema.org/"):
        with pytest.raises(ValidationError, match="no document is fetched") as caught:
            jsonld.local_document(url, {})
        assert caught.value.code == "remote_document"


def test_a_prefix_that_would_misread_an_iri_is_left_out() -> None:
    prefixes = {
        "e": NAMESPACE,
        "doi": "https://doi.org/",
        "f": "http://f.org/",
        "": "http://n.org/",
    }
    quads = [
        ox.Quad(
            ox.NamedNode("doi:10.1"), ox.NamedNode(NAMESPACE + "p"), ox.NamedNode("http://f.org/a")
        ),
        ox.Quad(ox.NamedNode("http://f.org///b"), ox.NamedNode(NAMESPACE + "p"), ox.Literal("c")),
    ]
    data = export_quads(quads, format="jsonld", prefixes=prefixes) or b""
    context = json.loads(data)["@context"]
    assert "e" in context
    assert not {"doi", "f", ""} & set(context)
    assert set(ox.parse(data, format=ox.RdfFormat.JSON_LD)) == set(quads)


def test_a_prefix_named_like_a_word_of_the_context_does_not_replace_it() -> None:
    context = jsonld.context_of({"source": "http://example.org/", "prov": "http://example.org/"})
    assert context["source"]["@id"] == vocab.SOURCE
    assert context["prov"]["@id"] == vocab.PROV


@pytest.mark.parametrize("limit", ["BATCH_LENGTH", "BATCH_CHARACTERS"])
def test_batches_do_not_change_what_is_said(
    limit: str, monkeypatch: pytest.MonkeyPatch, store_quads: tuple[ox.Quad, ...]
) -> None:
    whole = export_quads(record_quads(stored(store_quads)), format="jsonld")
    monkeypatch.setattr(jsonld, limit, 1)
    assert export_quads(record_quads(stored(store_quads)), format="jsonld") == whole


def test_nothing_gives_an_empty_document() -> None:
    data = export_quads([], format="jsonld") or b""
    assert json.loads(data)["@graph"] == []
    assert list(ox.parse(data, format=ox.RdfFormat.JSON_LD)) == []


def test_a_literal_as_a_type_stays_a_value() -> None:
    node, kind = ox.NamedNode(NAMESPACE + "a"), ox.NamedNode(vocab.RDF_TYPE)
    quads = {ox.Quad(node, kind, ox.Literal("text")), ox.Quad(node, kind, node)}
    data = export_quads(quads, format="jsonld") or b""
    assert set(ox.parse(data, format=ox.RdfFormat.JSON_LD)) == quads
