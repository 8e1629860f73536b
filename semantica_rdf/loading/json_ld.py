"""
What a JSON-LD document must pass before it is parsed.

Nesting is bounded, contexts stand in the document (ours, by its address, is the packaged file),
and what JSON-LD drops without a word, such as a key that no context maps, becomes a warning.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from functools import cache
from typing import IO, Any

from semantica_rdf import assets
from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.documents import Document
from semantica_rdf.loading.json_ld_losses import losses, sentences
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

_LISTS = ("@list", "@set")
_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"|(?P<open>[\[{])|(?P<close>[\]}])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checked:
    """
    The content to parse, own contexts filled in, and what will silently be dropped.

    `is_original` says that lines and columns of the content are those of the document.
    """

    stream: IO[bytes]
    warnings: tuple[str, ...]
    is_original: bool = True


def checked(document: Document, *, base: str | None = None) -> Checked:
    """
    Check a document's nesting and contexts; `base` is that of its relative IRIs.

    Raises `ValidationError`: `too_deep`, `remote_context`, `bad_encoding`, `syntax_error`,
    `parser_limit` (lists beside graph containers, nests beside scoped contexts).
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
    reading = _Reading()
    try:
        content = reading.visited(json.loads(text, object_pairs_hook=reading.object))
        reading.refuse_what_kills()
        reading.refuse_what_forgets()
        warnings = tuple(sentences(losses(content, base)))
    except ValueError as error:
        raise _no_json(document.name, error) from None
    except RecursionError:
        raise ValidationError(
            "the document nests deeper than can be followed here", code="too_deep"
        ) from None
    if not reading.filled:
        return Checked(document.stream(), warnings)
    if reading.twice is not None:
        raise ValidationError(
            f"the keyword {reading.twice!r} stands twice in one object",
            code="syntax_error",
            hint="nothing of the document was recorded",
        )
    return Checked(io.BytesIO(json.dumps(content).encode()), warnings, is_original=False)


def _no_json(name: str, error: ValueError) -> ValidationError:
    """Return the error for what is no JSON: the parser would read its beginning all the same."""
    place = name or "the document"
    if isinstance(error, json.JSONDecodeError):
        place, error = f"{place}, line {error.lineno}, column {error.colno}", ValueError(error.msg)
    return ValidationError(
        f"{place}: {error}", code="syntax_error", hint="nothing of the document was recorded"
    )


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
class _Reading:
    """One reading of a document: contexts checked and filled in, keys that stand twice joined."""

    filled: bool = False
    twice: str | None = None
    graph_container: bool = False
    lists: bool = False
    nests: bool = False
    scopes: bool = False

    def refuse_what_kills(self) -> None:
        """
        Refuse lists and sets in a document with graph containers, wherever they stand.

        A list or a set as the value of such a term ends the whole process in pyoxigraph 0.5.13;
        which values are one's is not left to our reading of contexts.
        """
        if self.graph_container and self.lists:
            raise ValidationError(
                "the document has a term with a graph container, and @list or @set",
                code="parser_limit",
                hint="write the graphs as nodes with @id and @graph",
            )

    def refuse_what_forgets(self) -> None:
        """
        Refuse nests in a document with contexts that not everything inside a node is read by.

        In a nest pyoxigraph 0.5.13 forgets the context of the node's types, and one that is not to
        propagate; what only these map is lost without a word.
        """
        if self.nests and self.scopes:
            raise ValidationError(
                "the document has @nest, and a term with a context of its own or @propagate",
                code="parser_limit",
                hint="write the nested properties at their node",
            )

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return an object; the values of a property that stands twice are both its values."""
        made = dict(pairs)
        if len(made) < len(pairs):
            made = {}
            for key, value in pairs:
                if key in made and key.startswith("@"):
                    self.twice = key
                made[key] = [made[key], value] if key in made else value
        return made

    def visited(self, value: Any) -> Any:
        """Return the value with its contexts checked and ours filled in."""
        if isinstance(value, list):
            return [self.visited(item) for item in value]
        if not isinstance(value, dict):
            return value
        self.lists = self.lists or any(name in value for name in _LISTS)
        self.nests = self.nests or "@nest" in value
        as_is = {"@value"} if value.get("@type") != "@json" else value.keys() - {"@context"}
        return {
            key: self._context(item)
            if key == "@context"
            else item
            if key in as_is
            else self.visited(item)
            for key, item in value.items()
        }

    def _context(self, context: Any) -> Any:
        if isinstance(context, list):
            return [self._context(item) for item in context]
        if isinstance(context, str):
            if context not in OWN_CONTEXTS:
                raise _remote(context)
            self.filled = True
            return _own_context()
        if isinstance(context, dict):
            if "@import" in context:
                raise _remote(str(context["@import"]))
            self.scopes = self.scopes or context.get("@propagate") is False
            return {key: self._definition(item) for key, item in context.items()}
        return context

    def _definition(self, definition: Any) -> Any:
        meant = definition.get("@id") if isinstance(definition, dict) else definition
        self.lists = self.lists or meant in _LISTS
        self.nests = self.nests or meant == "@nest"
        if isinstance(definition, dict):
            container = definition.get("@container")
            self.graph_container = self.graph_container or "@graph" in repr(container)
        if isinstance(definition, dict) and "@context" in definition:
            self.scopes = True
            return definition | {"@context": self._context(definition["@context"])}
        return definition


@cache
def _own_context() -> Any:
    own = json.loads(assets.asset_text("ontology", "context.jsonld"))
    return own.get("@context", own)


def _remote(url: str) -> ValidationError:
    return ValidationError(
        f"the document names the remote context {shortened(url, 200)}",
        code="remote_context",
        hint="put the context itself into the document; nothing is fetched",
    )


__all__ = ["MAX_DEPTH", "OWN_CONTEXTS", "Checked", "checked"]
