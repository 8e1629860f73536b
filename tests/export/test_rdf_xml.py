"""RDF/XML: the same triples from two libraries, or a refusal before anything is written."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree as ET

import pyoxigraph as ox
import pytest
from export.graphs import (
    LITERALS,
    NAMESPACE,
    PREFIXES,
    TRIPLES,
    read_by_pyoxigraph,
    read_by_rdflib,
    rows,
)
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.errors import ValidationError
from semantica_rdf.export.write import export_quads
from semantica_rdf.model import terms, vocab
from semantica_rdf.view.rdf_xml import check_rdf_xml
from semantica_rdf.view.results import Triples

NODE = ox.NamedNode(NAMESPACE + "a")


def written(quads: list[ox.Quad]) -> bytes:
    data = export_quads(quads, format="rdfxml", prefixes=PREFIXES)
    assert data is not None
    return data


def can_be_held(quad: ox.Quad) -> bool:
    try:
        check_rdf_xml(quad)
    except ValidationError:
        return False
    return True


@given(quads=TRIPLES)
def test_what_can_be_held_comes_back_the_same_from_two_parsers(quads: list[ox.Quad]) -> None:
    held = [quad for quad in quads if can_be_held(quad)]
    data = written(held)
    assert read_by_pyoxigraph(data, ox.RdfFormat.RDF_XML) == set(held)
    assert read_by_rdflib(data, "xml") == rows(held)
    assert written(held[::-1] * 2) == data
    if len(held) < len(quads):
        with pytest.raises(ValidationError):
            written(quads)


@given(
    local=st.text(
        st.sampled_from([*"aZ09_-./#:%é·", *"\xd7\u0661\u65e5\U00010000\u037e"]), max_size=4
    ),
    value=LITERALS,
)
def test_a_predicate_is_held_just_when_strict_parsers_read_it_back(
    local: str, value: ox.Literal
) -> None:
    try:
        predicate = ox.NamedNode("http://example.org/" + local)
    except ValueError:
        return
    quad = ox.Quad(NODE, predicate, value)
    if can_be_held(quad):
        data = written([quad])
        (element,) = ET.fromstring(data)[0]
        assert element.tag.replace("{", "").replace("}", "") == predicate.value
        assert read_by_rdflib(data, "xml") == rows([quad])


@pytest.mark.quick
@pytest.mark.parametrize(
    "predicate",
    [
        "https://x/gdo/0000240",
        "http://example.org/",
        "http://example.org/a~",
        "http://example.org/#",
        "http://www.w3.org/2000/xmlns/f",
        *(vocab.RDF + name for name in ("li", "Description", "about", "RDF", "nodeID")),
    ],
)
def test_a_predicate_that_is_no_element_is_refused_and_the_old_file_stays(
    predicate: str, tmp_path: Path
) -> None:
    target = tmp_path / "out.rdf"
    target.write_bytes(b"before")
    quads = [ox.Quad(NODE, NODE, NODE), ox.Quad(NODE, ox.NamedNode(predicate), NODE)]
    opened = io.BytesIO()
    for place in (target, opened):
        with pytest.raises(ValidationError) as caught:
            export_quads(quads, place, format="rdfxml")
        assert caught.value.code == "not_in_format"
        assert predicate in str(caught.value)
    assert (target.read_bytes(), opened.getvalue()) == (b"before", b"")
    export_quads(quads[:1], target)
    assert read_by_pyoxigraph(target.read_bytes(), ox.RdfFormat.RDF_XML) == set(quads[:1])


@pytest.mark.quick
def test_every_character_of_xml_comes_back_and_others_are_named() -> None:
    held = ["a\rb\tc\nd", " lead", "]]>", "<&>\"'", "\x7f\x85\u2028", "\U0001f600", ""]
    quads = [ox.Quad(NODE, NODE, ox.Literal(text)) for text in held]
    quads += [ox.Quad(NODE, NODE, ox.Literal(text, language="en")) for text in held]
    quads.append(ox.Quad(NODE, NODE, ox.NamedNode("http://example.org/?a=1&b='c'")))
    quads.append(ox.Quad(NODE, NODE, ox.Literal("x", datatype=ox.NamedNode("http://a/?b&c"))))
    data = written(quads)
    assert read_by_pyoxigraph(data, ox.RdfFormat.RDF_XML) == set(quads)
    assert read_by_rdflib(data, "xml") == rows(quads)
    for text, name in (("\x00", "U+0000"), ("a\x0b", "U+000B"), ("\uffff", "U+FFFF")):
        with pytest.raises(ValidationError, match=name.replace("+", r"\+")):
            written([ox.Quad(NODE, NODE, ox.Literal(text))])


def test_a_class_without_a_name_is_a_type_like_any_other() -> None:
    kind = "https://x/gdo/0000240"
    quad = ox.Quad(NODE, ox.NamedNode(vocab.RDF_TYPE), ox.NamedNode(kind))
    assert read_by_rdflib(written([quad]), "xml") == rows([quad])
    answer = Triples([(terms.iri(NODE.value), terms.iri(vocab.RDF_TYPE), terms.iri(kind))])
    data = (answer.serialize("rdf-xml") or "").encode()
    assert read_by_rdflib(data, "xml") == rows([quad])


def test_blank_nodes_are_told_apart_whatever_their_labels() -> None:
    nodes = [ox.BlankNode(label) for label in ("1", "b1", "a.b", "x")]
    quads = [ox.Quad(one, NODE, two) for one in nodes for two in nodes[:2]]
    read = ox.Dataset(ox.parse(written(quads), format=ox.RdfFormat.RDF_XML))
    wanted = ox.Dataset(quads)
    for each in (read, wanted):
        each.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert read == wanted


def test_prefixes_shorten_where_xml_can_declare_them() -> None:
    data = export_quads(
        [ox.Quad(NODE, NODE, NODE)],
        format="rdfxml",
        prefixes={"ex": NAMESPACE, "xmlish": "urn:x:", "1a": "urn:y:", "": "urn:z:"},
    )
    assert data is not None
    assert b"<ex:a rdf:resource=" in data
    for name in (b"xmlish", b"1a", b"urn:z:"):
        assert name not in data
