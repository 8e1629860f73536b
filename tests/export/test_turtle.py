"""Turtle that every parser reads: prefixes that can be declared, names that end in a dot."""

from __future__ import annotations

import io

import pyoxigraph as ox
import pytest
from export.graphs import NAMESPACE

from semantica_rdf.export.turtle import declarable, write_turtle


@pytest.mark.parametrize(
    "name", ["_a", "a.", "1a", "a b", "a: <x:y> .\n<x:y> <x:y> <x:y> .\n@prefix b"]
)
def test_a_prefix_that_turtle_cannot_declare_is_left_out(name: str) -> None:
    assert declarable({name: NAMESPACE, "ok": NAMESPACE}) == {"ok": NAMESPACE}


@pytest.mark.parametrize("name", ["", "a", "a.b", "a-b", "é", "x1", "a_b"])
def test_a_prefix_that_turtle_can_declare_is_kept(name: str) -> None:
    assert declarable({name: NAMESPACE}) == {name: NAMESPACE}


@pytest.mark.parametrize(
    "namespace", ["", "relative/", "http://a b/", "http://a/> .", "http://a/%4"]
)
def test_a_namespace_that_is_no_iri_is_left_out(namespace: str) -> None:
    assert declarable({"a": namespace}) == {}


def test_only_names_that_end_in_a_dot_are_spelled_out() -> None:
    text = 'e:b\\. "quoted\\" e:b\\. <e:b\\.>'
    node = ox.NamedNode(NAMESPACE + "b.")
    quads = [
        ox.Quad(ox.NamedNode(NAMESPACE + "a"), node, ox.Literal(text)),
        ox.Quad(ox.NamedNode(NAMESPACE + "a"), node, ox.Literal("x", datatype=node)),
    ]
    output = io.BytesIO()
    write_turtle(quads, output, ox.RdfFormat.TURTLE, {"e": NAMESPACE})
    lines = output.getvalue().decode().splitlines()
    assert lines[1].startswith(f"e:a <{NAMESPACE}b.> ")
    assert lines[1].endswith(f'"x"^^<{NAMESPACE}b.> .')
    assert set(ox.parse(output.getvalue(), format=ox.RdfFormat.TURTLE)) == set(quads)


def test_a_line_longer_than_a_buffer_arrives_whole() -> None:
    node = ox.NamedNode(NAMESPACE + "b.")
    quads = [ox.Quad(node, node, ox.Literal("\\. e:b\\. " * 100_000))]
    output = io.BytesIO()
    write_turtle(quads, output, ox.RdfFormat.TRIG, {"e": NAMESPACE})
    assert set(ox.parse(output.getvalue(), format=ox.RdfFormat.TRIG)) == set(quads)
