"""
What a JSON-LD document must pass before it is parsed.

Nesting is bounded, contexts stand in the document (ours, by its address, is the packaged file),
and keys that no context maps, which JSON-LD drops without a word, become warnings.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from semantica_rdf import assets
from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.documents import Document
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import shortened

MAX_DEPTH = 100
OWN_CONTEXTS = frozenset(
    {
        "https://w3id.org/semantica-rdf/context.jsonld",
        "https://w3id.org/semantica-rdf/context",
        vocab.SRDF.rstrip("#") + "/context.jsonld",
    }
)
"""Addresses that stand for the packaged context."""

_MAPS = frozenset({"@language", "@index", "@id", "@type", "@graph"})
"""Containers whose keys are no properties."""
_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"|(?P<open>[\[{])|(?P<close>[\]}])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checked:
    """The content to parse, own contexts filled in, and what will silently be dropped."""

    stream: IO[bytes]
    warnings: tuple[str, ...]


def checked(document: Document) -> Checked:
    """
    Check a document's nesting and contexts.

    Raises `ValidationError`: `too_deep`, `remote_context`, `bad_encoding`, `syntax_error`.
    """
    _refuse_depth(document)
    try:
        text = document.data[document.start :].decode()
    except UnicodeDecodeError as error:
        line = document.line_at(document.start + error.start)
        raise ValidationError(
            f"{document.name or 'the document'} is not UTF-8 on line {line}",
            code="bad_encoding",
            hint="save it as UTF-8",
        ) from None
    try:
        content = json.loads(text)
    except ValueError:
        return Checked(document.stream(), ())
    walk = _Walk()
    content = walk.visited(content)
    stream = io.BytesIO(json.dumps(content).encode()) if walk.filled else document.stream()
    return Checked(stream, walk.warnings())


def _refuse_depth(document: Document) -> None:
    depth = 0
    for match in _BRACKET.finditer(document.data, document.start):
        if match["open"]:
            depth += 1
            if depth > MAX_DEPTH:
                line = document.line_at(match.start())
                del match
                raise ValidationError(
                    f"the document nests deeper than {MAX_DEPTH} on line {line}",
                    code="too_deep",
                    hint="give inner nodes an @id and state them beside",
                )
        elif match["close"]:
            depth -= 1


@dataclass(slots=True)
class _Walk:
    """One walk over the document: contexts checked and filled in, keys collected."""

    filled: bool = False
    has_vocabulary: bool = False
    terms: set[str] = field(default_factory=set)
    maps: set[str] = field(default_factory=set)
    keys: dict[str, int] = field(default_factory=dict)

    def visited(self, value: Any) -> Any:
        """Return the value with its contexts checked and ours filled in."""
        if isinstance(value, list):
            return [self.visited(item) for item in value]
        if not isinstance(value, dict):
            return value
        made: dict[str, Any] = {}
        if "@context" in value:
            made["@context"] = self._context(value["@context"])
        for key, item in value.items():
            if key == "@value" or value.get("@type") == "@json":
                made[key] = item
            elif key != "@context":
                made[key] = self._property(key, item)
        return made

    def _property(self, key: str, item: Any) -> Any:
        if not key.startswith("@") and ":" not in key:
            self.keys[key] = self.keys.get(key, 0) + 1
        if key in self.maps and isinstance(item, dict):
            return {name: self.visited(value) for name, value in item.items()}
        return self.visited(item)

    def _context(self, context: Any) -> Any:
        if isinstance(context, list):
            return [self._context(item) for item in context]
        if isinstance(context, str):
            if context not in OWN_CONTEXTS:
                raise _remote(context)
            self.filled = True
            own = json.loads(assets.asset_text("ontology", "context.jsonld"))
            return self._context(own.get("@context", own))
        if isinstance(context, dict):
            if "@import" in context:
                raise _remote(str(context["@import"]))
            return {key: self._definition(key, item) for key, item in context.items()}
        return context

    def _definition(self, key: str, definition: Any) -> Any:
        self.has_vocabulary = self.has_vocabulary or (key == "@vocab" and definition is not None)
        self.terms.add(key)
        if isinstance(definition, dict) and _MAPS.intersection(
            _listed(definition.get("@container"))
        ):
            self.maps.add(key)
        if isinstance(definition, dict) and "@context" in definition:
            return definition | {"@context": self._context(definition["@context"])}
        return definition

    def warnings(self) -> tuple[str, ...]:
        """Return a sentence for every key that no context maps."""
        return () if self.has_vocabulary else tuple(self._dropped())

    def _dropped(self) -> Iterator[str]:
        for key, count in self.keys.items():
            if key not in self.terms:
                yield (
                    f"the key {shortened(key)!r} is mapped by no context and is dropped"
                    f" ({count} times)"
                )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _remote(url: str) -> ValidationError:
    return ValidationError(
        f"the document names the remote context {shortened(url, 200)}",
        code="remote_context",
        hint="put the context itself into the document; nothing is fetched",
    )


__all__ = ["MAX_DEPTH", "OWN_CONTEXTS", "Checked", "checked"]
