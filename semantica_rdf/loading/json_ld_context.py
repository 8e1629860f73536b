"""
Contexts of JSON-LD as far as it takes to tell what a key or a reference expands to, if anything.

Follows the context processing and IRI expansion algorithms of JSON-LD 1.1 (W3C Recommendation of
16 July 2020, sections 4.1 to 4.4 and 5.2), without errors: what is wrong with a context, the parser
says. Remote contexts never come here. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

KEYWORDS = frozenset(
    [
        "@base",
        "@container",
        "@context",
        "@direction",
        "@graph",
        "@id",
        "@import",
        "@included",
        "@index",
        "@json",
        "@language",
        "@list",
        "@nest",
        "@none",
        "@prefix",
        "@propagate",
        "@protected",
        "@reverse",
        "@set",
        "@type",
        "@value",
        "@version",
        "@vocab",
    ]
)
NO_CONTEXT: Any = object()
"""The scoped context of a term that has none; None is the empty context."""

_KEYWORD_LIKE = re.compile(r"@[A-Za-z]+\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ENDS_AS_PREFIX = tuple(":/?#[]@")
_RESOLVED = "http://base.invalid/"
"""Stands before what is relative to a base: which base matters to nobody here."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a context says of a term: its IRI, None where it is mapped to null or to nothing."""

    iri: str | None
    kind: str | None = None
    containers: frozenset[str] = frozenset()
    context: Any = NO_CONTEXT
    is_prefix: bool = False
    language: Any = NO_CONTEXT
    index: str | None = None
    is_reverse: bool = False


@dataclass(slots=True)
class Active:
    """A context in force. `initial_base` is the document's, `previous` what a node falls back to."""

    initial_base: str | None
    base: str | None
    terms: dict[str, Term] = field(default_factory=dict)
    vocabulary: str | None = None
    language: Any = None
    previous: Active | None = None
    _expanded: dict[str, str | None] = field(default_factory=dict)
    _scoped: dict[tuple[int, bool], Active] = field(default_factory=dict)

    def key(self, key: str) -> str | None:
        """Return what a key expands to: a keyword, an IRI absolute or not, or nothing."""
        if key not in self._expanded:
            self._expanded[key] = _expanded(self, key, by_vocabulary=True)
        return self._expanded[key]

    def reference(self, text: str, *, by_vocabulary: bool = False) -> str | None:
        """Return what an `@id`, or with `by_vocabulary` a type, expands to."""
        return _expanded(self, text, by_vocabulary=by_vocabulary, relative=True)

    def scoped(self, term: Term, *, propagate: bool = True) -> Active:
        """Return the context in force for what a term scopes: its own on top, where it has one."""
        if term.context is NO_CONTEXT:
            return self
        key = (id(term.context), propagate)
        if key not in self._scoped:
            self._scoped[key] = self.within(term.context, propagate=propagate)
        return self._scoped[key]

    def within(self, local: Any, *, propagate: bool = True) -> Active:
        """Return the context in force once a local one is read; `propagate` false is type-scoped."""
        active = self
        for context in listed(local):
            stays = propagate
            if isinstance(context, dict) and isinstance(context.get("@propagate"), bool):
                stays = context["@propagate"]
            previous = active.previous
            if not stays and previous is None:
                previous = active
            active = _processed(active, context)
            active.previous = previous
        return active


def initial(base: str | None) -> Active:
    """Return the context in force before any is read; `base` is that of relative IRIs."""
    return Active(base, base)


def listed(value: Any) -> list[Any]:
    """Return a value as a list."""
    return value if isinstance(value, list) else [value]


def is_absolute(iri: str | None) -> bool:
    """Tell whether an expanded name is an IRI that a statement can hold."""
    return iri is not None and _SCHEME.match(iri) is not None and is_valid(iri)


@lru_cache(maxsize=65536)
def is_valid(iri: str) -> bool:
    """Tell whether an IRI with a scheme, or the label of a blank node, is spelled validly."""
    try:
        if iri.startswith("_:"):
            ox.BlankNode(iri[2:])
        else:
            ox.NamedNode(iri)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def is_language(tag: str) -> bool:
    """Tell whether a text is a language tag."""
    try:
        ox.Literal("", language=tag)
    except ValueError:
        return False
    return True


def _processed(active: Active, context: Any) -> Active:
    if not isinstance(context, dict):
        return initial(active.initial_base)
    made = Active(
        active.initial_base, active.base, dict(active.terms), active.vocabulary, active.language
    )
    if "@base" in context:
        base = context["@base"]
        is_set = isinstance(base, str) and (made.base is not None or _SCHEME.match(base))
        made.base = base if is_set else None
    if "@vocab" in context:
        vocabulary = context["@vocab"]
        made.vocabulary = (
            _expanded(made, vocabulary, by_vocabulary=True, relative=True)
            if isinstance(vocabulary, str)
            else None
        )
    if "@language" in context:
        made.language = context["@language"]
    defined: set[str] = set()
    for term in context:
        if term not in KEYWORDS or term == "@type":
            _define(made, context, term, defined)
    return made


def _define(active: Active, local: dict[str, Any], term: str, defined: set[str]) -> None:
    """Put the definition of a term into force, those it needs first."""
    if term in defined:
        return
    defined.add(term)
    active.terms.pop(term, None)
    value = local[term]
    definition = value if isinstance(value, dict) else {"@id": value}
    given = definition.get("@reverse", definition.get("@id", term))
    if not isinstance(given, str):
        active.terms[term] = Term(None)
        return

    def meant(name: str) -> str | None:
        """Expand a name, defining first the terms of the same context that it uses."""
        for used in (name, name.partition(":")[0]):
            if used in local and used not in KEYWORDS and used != term:
                _define(active, local, used, defined)
        return _expanded(active, name, by_vocabulary=True)

    containers = frozenset(
        item for item in listed(definition.get("@container")) if isinstance(item, str)
    )
    kind = definition.get("@type", "@id" if "@type" in containers else None)
    index = definition.get("@index")
    iri = meant(given)
    short = not isinstance(value, dict) and iri is not None and iri.endswith(_ENDS_AS_PREFIX)
    active.terms[term] = Term(
        iri,
        kind=meant(kind) if isinstance(kind, str) else None,
        containers=containers,
        context=definition.get("@context", NO_CONTEXT),
        is_prefix=bool(definition.get("@prefix", short)),
        language=definition.get("@language", NO_CONTEXT),
        index=index if isinstance(index, str) else None,
        is_reverse="@reverse" in definition,
    )


def _expanded(
    active: Active, text: str, *, by_vocabulary: bool, relative: bool = False
) -> str | None:
    if text in KEYWORDS:
        return text
    if _KEYWORD_LIKE.match(text):
        return None
    term = active.terms.get(text)
    if term is not None and (by_vocabulary or term.iri in KEYWORDS):
        return term.iri
    prefix, colon, rest = text.partition(":")
    if colon and prefix:
        if prefix == "_" or rest.startswith("//"):
            return text
        named = active.terms.get(prefix)
        if named is not None and named.iri is not None and named.is_prefix:
            return named.iri + rest
        if _SCHEME.match(text):
            return text
    if by_vocabulary and active.vocabulary is not None:
        return active.vocabulary + text
    return _RESOLVED + text if relative and active.base is not None else text


def entries(active: Active, element: dict[str, Any]) -> Iterator[tuple[str, str | None, Any]]:
    """Yield each entry of an object but its context: key, what that expands to, value."""
    for key, value in element.items():
        if key != "@context":
            yield key, active.key(key), value


__all__ = [
    "KEYWORDS",
    "NO_CONTEXT",
    "Active",
    "Term",
    "entries",
    "initial",
    "is_absolute",
    "is_language",
    "is_valid",
    "listed",
]
