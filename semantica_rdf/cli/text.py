"""
Terms, times and sentences as people read them on a terminal.

Terms stand in Turtle form, IRIs by prefix where one fits, so that what is shown can be typed
again. Nothing shown holds a control character: a literal of the data may carry escape sequences,
or marks that turn the writing direction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from semantica_rdf.model import vocab
from semantica_rdf.model.terms import BlankNode, Iri, Literal, Term
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window, instant_text

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LOCAL = re.compile(r"[\w-]+(?:[.][\w-]+)*\Z")
_BARE = {
    vocab.XSD + "integer": re.compile(r"[+-]?\d+\Z"),
    vocab.XSD + "decimal": re.compile(r"[+-]?\d*\.\d+\Z"),
    vocab.XSD + "double": re.compile(r"[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+\Z"),
    vocab.XSD + "boolean": re.compile(r"(true|false)\Z"),
}
_MIDNIGHT = "T00:00:00Z"


def escaped(text: str) -> str:
    r"""
    Return the text with control characters and direction marks written out.

    >>> escaped("a\x1b[31mb")
    'a\\u001b[31mb'
    """
    return _UNSAFE.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    character = match.group()
    return _NAMED.get(character, f"\\u{ord(character):04x}")


def iri_text(iri: str, prefixes: Mapping[str, str]) -> str:
    """Return an IRI by the longest prefix that fits, else in angle brackets."""
    best, name = "", f"<{iri}>"
    for prefix, namespace in prefixes.items():
        local = iri[len(namespace) :]
        if len(namespace) > len(best) and iri.startswith(namespace) and _LOCAL.match(local):
            best, name = namespace, f"{prefix}:{local}"
    return name


def term_text(term: Term | None, prefixes: Mapping[str, str]) -> str:
    """Return a term in Turtle form, safe to show; nothing for an unbound variable."""
    if term is None:
        return ""
    if isinstance(term, Iri):
        return escaped(iri_text(term.value, prefixes))
    if isinstance(term, Literal):
        return _literal_text(term, prefixes)
    if isinstance(term, BlankNode):
        return escaped(term.ntriples)
    parts = (term.subject, term.predicate, term.object)
    return f"<<( {' '.join(term_text(part, prefixes) for part in parts)} )>>"


def _literal_text(term: Literal, prefixes: Mapping[str, str]) -> str:
    bare = _BARE.get(term.datatype)
    if bare is not None and bare.match(term.value):
        return term.value
    quoted = '"' + escaped(term.value.replace("\\", "\\\\").replace('"', '\\"')) + '"'
    if term.language is not None:
        return f"{quoted}@{term.language}"
    if term.datatype == vocab.XSD_STRING:
        return quoted
    return f"{quoted}^^{iri_text(term.datatype, prefixes)}"


def triple_text(item: Any, prefixes: Mapping[str, str]) -> str:
    """Return a fact or statement as `subject predicate object`, its graph behind."""
    parts = [term_text(part, prefixes) for part in (item.subject, item.predicate, item.object)]
    if item.graph is not None:
        parts.append(f"in {term_text(item.graph, prefixes)}")
    return " ".join(parts)


def bound_text(instant: int) -> str:
    """
    Return a bound: a date for a midnight, nothing for an open one.

    >>> bound_text(0)
    '1970-01-01'
    """
    if instant in {OPEN_START, OPEN_END}:
        return ""
    return instant_text(instant).removesuffix(_MIDNIGHT)


def window_text(window: Window) -> str:
    """
    Return a window in words.

    >>> window_text(Window(0))
    'from 1970-01-01'
    """
    start, end = bound_text(window.start), bound_text(window.end)
    words = [f"from {start}"] if start else []
    words += [f"until {end}"] if end else []
    return " ".join(words) or "always"


def short_id(iri: str) -> str:
    """Return a statement's or transaction's id as people type it, `12-3`."""
    return iri.rsplit("/", 1)[-1] if iri.startswith(vocab.ID_BASE) else iri
