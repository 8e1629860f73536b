"""
RDF terms: what users give, what answers hold, and the text the record compares them by.

`Iri`, `Literal`, `BlankNode` and `TripleTerm` are frozen values with `.to_python()`,
`.to_rdflib()`, `.to_pyoxigraph()` and `.ntriples`. `term_of` accepts whatever Python, rdflib or
pyoxigraph calls a term; rdflib's are tested before `str`, being subclasses of it. A plain string
is an IRI where only an IRI may stand, a literal where an object stands, and refused where it
could be meant as both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import AmbiguousTerm, UnknownPrefix, ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.lexical import (
    check_length,
    check_written_size,
    expanded_datatype,
    typed_text,
)
from semantica_rdf.model.term_values import BlankNode, Iri, Literal, Term, TripleTerm

MAX_IRI_CHARACTERS = 64 * 1024

_OURS = (Iri, Literal, BlankNode, TripleTerm)
_PYOXIGRAPHS = (ox.NamedNode, ox.Literal, ox.BlankNode, ox.Triple)
_BARE_SCHEMES = frozenset({"urn", "mailto", "tag", "did"})
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PREFIXED = re.compile(r"(?:[A-Za-z_][\w.-]*)?:\S*\Z")
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([tbnrf"\'\\]))')
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


@lru_cache(maxsize=4096)
def checked_iri(text: str) -> str:
    """
    Return `text` when it is an absolute IRI.

    Raises `ValidationError` (`bad_iri`) with the position of the first bad character where one
    can be named.
    """
    if len(text) > MAX_IRI_CHARACTERS:
        raise ValidationError(
            f"an IRI of {len(text)} characters", code="bad_iri", hint="at most 65,536 are taken"
        )
    try:
        return ox.NamedNode(text).value
    except ValueError as error:
        bad = re.search(r'[\x00-\x20<>"{}|\\^`]', text)
        where = f" at character {bad.start() + 1}" if bad else ""
        raise ValidationError(
            f"{shortened(text)} is not an IRI{where}: {error}",
            code="bad_iri",
            hint="percent-encode what an IRI may not hold, and give it a scheme",
        ) from None


def iri(text: str) -> Iri:
    """
    Return a checked absolute IRI.

    >>> iri("https://example.org/acme").ntriples
    '<https://example.org/acme>'

    Raises `ValidationError` (`bad_iri`).
    """
    return Iri(checked_iri(str(text)))


def literal(value: Any, *, lang: str | None = None, datatype: str | Iri | None = None) -> Literal:
    """
    Return a literal; int, bool, float, Decimal, date, time and aware datetime get their XSD type.

    >>> literal("Zug", lang="de").ntriples
    '"Zug"@de'
    >>> literal(3).datatype
    'http://www.w3.org/2001/XMLSchema#integer'

    Raises `ValidationError`: `bad_literal` (a lone surrogate, a bad language tag, both `lang`
    and `datatype`), `literal_too_large`, `naive_datetime`, `unsupported_term`.
    """
    if lang is not None and datatype is not None:
        raise ValidationError(
            "a literal has a language or a datatype, not both", code="bad_literal"
        )
    if lang is None and datatype is None:
        text, type_iri = typed_text(value)
    else:
        text = value if isinstance(value, str) else typed_text(value)[0]
        type_iri = vocab.RDF_LANGSTRING if lang is not None else _datatype_iri(datatype)
    check_length(len(text))
    try:
        if lang is not None:
            made = ox.Literal(text, language=lang)
        else:
            made = ox.Literal(text, datatype=ox.NamedNode(type_iri))
    except (ValueError, UnicodeEncodeError) as error:
        raise ValidationError(
            f"{shortened(text)} is not a literal: {error}", code="bad_literal"
        ) from None
    check_written_size(made)
    return Literal(text, type_iri, made.language)


def _datatype_iri(datatype: Any) -> str:
    return checked_iri(expanded_datatype(datatype) if type(datatype) is str else str(datatype))


def term_of_pyoxigraph(value: Any) -> Term:
    """Return the value for a pyoxigraph term."""
    if isinstance(value, ox.NamedNode):
        return Iri(value.value)
    if isinstance(value, ox.Literal):
        if getattr(value, "direction", None) is not None:
            raise ValidationError(
                f"{value} has a base direction", code="unsupported_term", hint="give the text only"
            )
        return Literal(value.value, value.datatype.value, value.language)
    if isinstance(value, ox.BlankNode):
        return BlankNode(value.value)
    return TripleTerm(*(term_of_pyoxigraph(part) for part in value))


def foreign_term(value: Any) -> Term | None:
    """Return the term for a value of ours, of pyoxigraph or of rdflib; None for anything else."""
    if isinstance(value, _OURS):
        return value
    if isinstance(value, _PYOXIGRAPHS):
        return term_of_pyoxigraph(value)
    rdflib_terms = sys.modules.get("rdflib.term")
    if rdflib_terms is None or not isinstance(value, rdflib_terms.Identifier):
        return None
    if isinstance(value, rdflib_terms.URIRef):
        return iri(str(value))
    if isinstance(value, rdflib_terms.Literal):
        datatype = None if value.datatype is None else str(value.datatype)
        return literal(str(value), lang=value.language, datatype=datatype)
    if isinstance(value, rdflib_terms.BNode):
        return BlankNode(str(value))
    raise ValidationError(f"{value!r} is no RDF term", code="unsupported_term")


def resolved_iri(text: str, prefixes: Mapping[str, str]) -> str:
    """
    Return the absolute IRI a string names: a declared prefix wins, then `://` or a known scheme.

    Raises `UnknownPrefix` for anything else, `ValidationError` (`bad_iri`) for a broken IRI.
    """
    prefix, colon, local = text.partition(":")
    if colon:
        namespace = prefixes.get(prefix)
        if namespace is not None and _PREFIXED.match(text):
            return checked_iri(namespace + local)
    if _looks_absolute(text):
        return checked_iri(text)
    raise UnknownPrefix(
        f"{shortened(text)} is neither an absolute IRI nor a name with a declared prefix",
        hint='declare it: kb.prefixes.bind("ex", "https://example.org/")',
    )


def _looks_absolute(text: str) -> bool:
    match = _SCHEME.match(text)
    return match is not None and ("://" in text or match.group(1).lower() in _BARE_SCHEMES)


def iri_of(value: Any, prefixes: Mapping[str, str], *, where: str) -> str:
    """
    Return the IRI that stands for `value` as a subject, predicate, graph, source or agent.

    Raises `ValidationError` (`not_an_iri`, `blank_node`), `UnknownPrefix`.
    """
    term = foreign_term(value)
    if term is None and isinstance(value, str):
        return resolved_iri(value, prefixes)
    if isinstance(term, Iri):
        return checked_iri(term.value)
    if isinstance(term, BlankNode):
        raise _blank(where)
    raise ValidationError(
        f"the {where} must be an IRI, not {type(value).__name__} {shortened(str(value))}",
        code="not_an_iri",
        hint='write iri("https://…") or a prefixed name',
    )


def object_of(value: Any, prefixes: Mapping[str, str]) -> Iri | Literal:
    """
    Return the object term for `value`.

    Raises `AmbiguousTerm` for a string that would be an IRI as subject, `ValidationError`.
    """
    term = foreign_term(value)
    if isinstance(term, Iri):
        checked_iri(term.value)
        return term
    if isinstance(term, Literal):
        return _rechecked(term)
    if isinstance(term, BlankNode):
        raise _blank("object")
    if term is not None:
        raise ValidationError(
            "triple terms are not stored", code="unsupported_term", hint="assert the triple itself"
        )
    if isinstance(value, str):
        _refuse_ambiguous(value, prefixes)
    return literal(value)


def _rechecked(term: Literal) -> Literal:
    if term.language is not None:
        return literal(term.value, lang=term.language)
    return literal(term.value, datatype=term.datatype)


def _refuse_ambiguous(text: str, prefixes: Mapping[str, str]) -> None:
    try:
        meant = resolved_iri(text, prefixes)
    except (UnknownPrefix, ValidationError):
        return
    raise AmbiguousTerm(
        f"{shortened(text)} as an object may be an IRI or a text",
        hint=f'write iri("{shortened(meant)}") or literal("{shortened(text)}")',
    )


def engine_term(text: str) -> ox.NamedNode | ox.Literal:
    """
    Return pyoxigraph's term of the N-Triples text of an IRI or literal, as keys and rows hold it.

    Raises as `term_of_ntriples` for a text that is none.
    """
    if text[0] == "<":
        return ox.NamedNode(text[1:-1])
    return term_of_ntriples(text).to_pyoxigraph()


def as_spelled(value: Literal, spelled: str) -> Literal:
    """
    Return a literal as its source wrote it, from the `sourceText` kept beside it.

    `spelled` is another lexical form, or a whole literal in N-Triples where the datatype differs.
    """
    if spelled.startswith('"'):
        whole = term_of_ntriples(spelled)
        return whole if isinstance(whole, Literal) else value
    return Literal(spelled, value.datatype, value.language)


def refuse_prefixed(term: Any, prefixes: Mapping[str, str]) -> None:
    """
    Refuse an `Iri` that is a prefixed name in truth, such as `iri("ex:acme")` (`AmbiguousTerm`).

    `iri` takes what it gets as absolute; a scheme that is a declared prefix was hardly meant so.
    """
    if not isinstance(term, Iri):
        return
    prefix, _, local = term.value.partition(":")
    if prefix in prefixes and prefix not in _BARE_SCHEMES and not local.startswith("//"):
        meant = prefixes[prefix] + local
        raise AmbiguousTerm(
            f"{shortened(term.value)} is taken as absolute, and {prefix} is a declared prefix",
            hint=f'write kb.prefixes.iri("{shortened(term.value)}") for {shortened(meant)}',
        )


def _blank(where: str) -> ValidationError:
    return ValidationError(
        f"the {where} is a blank node",
        code="blank_node",
        hint="give it an IRI, or hand the whole graph to tx.extend or kb.load, which mint one",
    )


def term_of_ntriples(text: str) -> Iri | Literal:
    """
    Return the term of a canonical N-Triples text, as the record holds it.

    >>> term_of_ntriples('"a"@en').language
    'en'
    """
    if text[0] == "<":
        return Iri(text[1:-1])
    end = text.rindex('"')
    lexical, suffix = text[1:end], text[end + 1 :]
    if "\\" in lexical:
        lexical = _ESCAPE.sub(_unescaped, lexical)
    if not suffix:
        return Literal(lexical)
    if suffix[0] == "@":
        return Literal(lexical, vocab.RDF_LANGSTRING, suffix[1:])
    return Literal(lexical, suffix[3:-1])


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2)
    return chr(int(code, 16)) if code else _ESCAPED[match.group(3)]


def shortened(text: str, limit: int = 60) -> str:
    """Return the text, cut to `limit` characters, for a message; what cannot be encoded is escaped."""
    plain = text[: limit + 1].encode("utf-8", "backslashreplace").decode()
    return plain if len(text) <= limit else plain[: limit - 1] + "…"


__all__ = [
    "MAX_IRI_CHARACTERS",
    "BlankNode",
    "Iri",
    "Literal",
    "Term",
    "TripleTerm",
    "checked_iri",
    "foreign_term",
    "iri",
    "iri_of",
    "literal",
    "object_of",
    "refuse_prefixed",
    "resolved_iri",
    "shortened",
    "term_of_ntriples",
    "term_of_pyoxigraph",
]
