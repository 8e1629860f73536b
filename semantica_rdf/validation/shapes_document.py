"""
Shapes documents in: a path, an open file, bytes or an rdflib graph becomes a text in Turtle.

A Turtle document keeps its own text, comments and all; others are written as Turtle.
"""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.ledger.domain_shapes import compiled
from semantica_rdf.loading.documents import opened
from semantica_rdf.loading.formats import Statements, format_named
from semantica_rdf.loading.graphs import is_rdflib
from semantica_rdf.shacl import Shapes

MAX_BYTES = 4 * 1024 * 1024
"""The largest shapes document that is taken."""

_RDF = frozenset({"turtle", "trig", "nquads", "ntriples", "jsonld", "rdfxml"})


def shapes_text(document: Any, *, format: str | None = None) -> tuple[str, str]:
    """
    Return the text of a shapes document in Turtle, and the document's name, empty for none.

    `format` is needed for bytes that are no Turtle. Raises `NotFound` (`no_file`),
    `ValidationError` (`syntax_error`, `unknown_format`, `too_large`, …).
    """
    if is_rdflib(document):
        text = document.serialize(format="turtle")
        return text if isinstance(text, str) else text.decode(), ""
    with opened(document, max_bytes=MAX_BYTES) as content:
        name = format_named(format or content.suffix or "turtle")
        if name not in _RDF:
            raise ValidationError(
                f"{name} holds no shapes", code="unknown_format", hint="give an RDF document"
            )
        parsed = Statements(content, name, base=None)
        quads = list(parsed)
        if name == "turtle":
            return content.stream().read().decode(), content.name
    triples = [ox.Triple(quad.subject, quad.predicate, quad.object) for quad in quads]
    written = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=dict(parsed.prefixes))
    return (written or b"").decode(), content.name


def shapes_texts(documents: Any) -> list[tuple[str, str]]:
    """Return text and name of one shapes document, of each of a list, of none for None."""
    if documents is None:
        return []
    several = documents if isinstance(documents, list | tuple) else [documents]
    read = (shapes_text(document) for document in several)
    return [(text, name or f"shapes {number}") for number, (text, name) in enumerate(read, 1)]


def compiled_at_open(documents: Any) -> tuple[Shapes, ...]:
    """Return the shapes given to `open`, compiled; raises as `shapes_text` and `compiled`."""
    return tuple(compiled(text, name) for text, name in shapes_texts(documents))


__all__ = ["MAX_BYTES", "compiled_at_open", "shapes_text", "shapes_texts"]
