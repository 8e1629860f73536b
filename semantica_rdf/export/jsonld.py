"""
JSON-LD, compacted with the packaged context, which stands whole in the document.

The document can be read without a connection: it names no remote context, and while it is made
nothing is fetched, the loader knowing only the packaged context. Nodes are compacted in batches
and written one to a line, so memory does not grow with the export.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import IO, Any

import pyoxigraph as ox

from semantica_rdf.assets import asset_text
from semantica_rdf.errors import ValidationError
from semantica_rdf.export.turtle import declarable
from semantica_rdf.model import vocab

CONTEXT_IRI = "https://w3id.org/semantica-rdf/context.jsonld"
"""The address the packaged context answers to; no other is ever loaded."""

BATCH_LENGTH = 2_000
"""About how many quads are compacted at once."""
BATCH_CHARACTERS = 1024 * 1024
"""About how many characters of literals at most."""


@cache
def _packaged() -> dict[str, Any]:
    context: dict[str, Any] = json.loads(asset_text("ontology", "context.jsonld"))["@context"]
    return context


def context_of(prefixes: Mapping[str, str]) -> dict[str, Any]:
    """
    Return the packaged context with further prefixes; its own names win over theirs.

    A prefix without a name cannot stand in a context and is left out.
    """
    context = dict(_packaged())
    for name, namespace in declarable(prefixes).items():
        if name and name not in context:
            context[name] = {"@id": namespace, "@prefix": True}
    return context


class PrefixWatch:
    """
    Finds the prefixes that would misread an IRI of the data, which are then left out.

    A prefix `ex` cannot stand beside an absolute IRI `ex:a`, nor shorten what continues with
    `//`: either would be read back as another IRI.
    """

    def __init__(self, context: Mapping[str, Any]) -> None:
        """Watch for the prefixes of a context."""
        self._context = dict(context)
        self._signs = {
            name: (f"<{name}:", f"<{definition['@id']}//")
            for name, definition in context.items()
            if _is_prefix(definition)
        }
        self._pattern = self._any_sign()

    def watched(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Pass the quads on, noting what their IRIs rule out."""
        for quad in quads:
            text = str(quad)
            if self._pattern.search(text):
                self._leave_out(text)
            yield quad

    def context(self) -> dict[str, Any]:
        """Return the context without the prefixes that were ruled out."""
        return dict(self._context)

    def _any_sign(self) -> re.Pattern[str]:
        signs = sorted({sign for pair in self._signs.values() for sign in pair})
        return re.compile("|".join(map(re.escape, signs)) or r"(?!)")

    def _leave_out(self, text: str) -> None:
        for name, signs in list(self._signs.items()):
            if any(sign in text for sign in signs):
                del self._signs[name], self._context[name]
        self._pattern = self._any_sign()


def _is_prefix(definition: object) -> bool:
    return isinstance(definition, dict) and definition.get("@prefix") is True


def local_document(url: str, _options: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the packaged context as pyld's document loaders do; refuse every other address.

    Raises `ValidationError` (`remote_document`).
    """
    if url != CONTEXT_IRI:
        raise ValidationError(
            f"{url} is not loaded: no document is fetched",
            code="remote_document",
            hint="give the context itself in the place of its address",
        )
    return {
        "contentType": "application/ld+json",
        "contextUrl": None,
        "documentUrl": CONTEXT_IRI,
        "document": {"@context": _packaged()},
    }


def write_jsonld(quads: Iterable[ox.Quad], output: IO[bytes], context: Mapping[str, Any]) -> None:
    """Write quads, whose subjects and graphs must stand together, as one compact document."""
    compact = _compactor(context)
    output.write(b'{\n"@context": ' + _json(dict(context)) + b',\n"@graph": [')
    separator = b"\n"
    for batch in _batches(quads):
        for node in compact(batch):
            output.write(separator + _json(node))
            separator = b",\n"
    output.write(b"\n]\n}\n")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode()


def _batches(quads: Iterable[ox.Quad]) -> Iterator[list[ox.Quad]]:
    """Yield the quads in lists that no subject of a graph is spread over."""
    batch: list[ox.Quad] = []
    size = 0
    for _, node in groupby(quads, key=attrgetter("graph_name", "subject")):
        if len(batch) >= BATCH_LENGTH or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
        for quad in node:
            batch.append(quad)
            size += len(quad.object.value) if isinstance(quad.object, ox.Literal) else 0
    if batch:
        yield batch


def _compactor(context: Mapping[str, Any]) -> Callable[[list[ox.Quad]], list[Any]]:
    from pyld import jsonld

    options = {
        "base": "",
        "documentLoader": local_document,
        "graph": True,
        "skipExpansion": True,
    }

    def compact(batch: list[ox.Quad]) -> list[Any]:
        """Return the nodes of a batch, compacted."""
        expanded = json.loads(ox.serialize(batch, format=ox.RdfFormat.JSON_LD) or b"[]")
        for node in expanded:
            _name_types(node)
        document = jsonld.compact(expanded, dict(context), options)
        nodes: list[Any] = document["@graph"]
        return nodes

    return compact


def _name_types(node: dict[str, Any]) -> None:
    """Say a node's types as `@type`, where pyoxigraph writes them as values of rdf:type."""
    for inner in node.get("@graph", ()):
        _name_types(inner)
    values = node.get(vocab.RDF_TYPE, [])
    types = [value["@id"] for value in values if "@id" in value]
    others = [value for value in values if "@id" not in value]
    if types:
        node["@type"] = types
    if types and others:
        node[vocab.RDF_TYPE] = others
    elif types:
        del node[vocab.RDF_TYPE]


__all__ = [
    "BATCH_CHARACTERS",
    "BATCH_LENGTH",
    "CONTEXT_IRI",
    "PrefixWatch",
    "context_of",
    "local_document",
    "write_jsonld",
]
