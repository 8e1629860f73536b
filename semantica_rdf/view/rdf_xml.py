"""
RDF/XML as every XML parser reads it, a subject at a time.

The engine's own writer makes element names of classes and predicates that are none, and leaves
carriage returns bare, which a parser turns into line feeds. Here every property is an element, types
included, and what XML cannot hold is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import IO, Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import shortened

_NAMES = re.compile(r"[^\W\d][\w.\-\u00b7]*\Z")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SYNTAX = frozenset(
    vocab.RDF + name
    for name in [
        "RDF",
        "Description",
        "ID",
        "about",
        "parseType",
        "resource",
        "nodeID",
        "datatype",
        "li",
        "aboutEach",
        "aboutEachPrefix",
        "bagID",
    ]
)
_TAKEN = frozenset({"http://www.w3.org/2000/xmlns/", "http://www.w3.org/XML/1998/namespace"})
_RETURN = {"\r": "&#13;"}
_IN_ATTRIBUTES = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


def check_rdf_xml(triple: ox.Triple | ox.Quad) -> None:
    """
    Refuse what RDF/XML cannot hold (`ValidationError`, `not_in_format`).

    That is a predicate that ends with no XML name or is a word of the syntax, a character that
    XML has not, and a triple term.
    """
    _split(triple.predicate.value)
    for term in (triple.subject, triple.object):
        if isinstance(term, ox.Triple):
            raise _refused("a triple term")
        _check_text(term.value)
    if isinstance(triple.object, ox.Literal):
        _check_text(triple.object.datatype.value)


def _check_text(text: str) -> None:
    bad = _NOT_XML.search(text)
    if bad is not None:
        raise _refused(f"the character U+{ord(bad.group()):04X} of {shortened(text)!r}")


def _refused(what: str) -> ValidationError:
    return ValidationError(
        f"RDF/XML has no way to write {what}",
        code="not_in_format",
        hint="choose turtle, n-triples or json-ld",
    )


@lru_cache(maxsize=4096)
def _split(predicate: str) -> tuple[str, str]:
    """Return namespace and local name, the longest that XML parsers take for a name."""
    found = _NAMES.search(predicate)
    starts = range(found.start(), len(predicate)) if found else ()
    for start in starts:
        namespace, local = predicate[:start], predicate[start:]
        if _is_name(local) and namespace not in _TAKEN and predicate not in _SYNTAX:
            return namespace, local
    raise _refused(f"the predicate {shortened(predicate, 120)}")


def _is_name(text: str) -> bool:
    if not _NAMES.fullmatch(text):
        return False
    try:
        expat.ParserCreate().Parse(f"<{text}/>".encode(), True)
    except expat.ExpatError:
        return False
    return True


def write_rdf_xml(
    triples: Iterable[ox.Triple | ox.Quad], output: IO[bytes], prefixes: Mapping[str, str]
) -> None:
    """
    Write triples, those of a subject one after the other, as RDF/XML.

    Prefixes that XML cannot declare are left out. Raises as `check_rdf_xml`, perhaps in the
    middle: check before.
    """
    writer = _Writer(prefixes)
    output.write(writer.head().encode())
    for subject, group in groupby(triples, key=attrgetter("subject")):
        output.write(writer.described(subject, group).encode())
    output.write(b"</rdf:RDF>\n")


class _Writer:
    """The text of a document, part by part."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        declared = {
            name: namespace
            for name, namespace in sorted(prefixes.items())
            if _is_name(name) and not name.lower().startswith("xml") and namespace not in _TAKEN
        }
        self._declared = declared | {"rdf": vocab.RDF}
        self._names = {namespace: name for name, namespace in self._declared.items()}

    def head(self) -> str:
        """Return all that stands before the first subject."""
        words = "".join(
            f"\n  xmlns:{name}={_quoted(namespace)}" for name, namespace in self._declared.items()
        )
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{words}>\n'

    def described(self, subject: Any, triples: Iterable[ox.Triple | ox.Quad]) -> str:
        """Return the element of a subject."""
        inner = "".join(map(self._property, triples))
        return f"<rdf:Description {_node('about', subject)}>\n{inner}</rdf:Description>\n"

    def _property(self, triple: ox.Triple | ox.Quad) -> str:
        check_rdf_xml(triple)
        namespace, local = _split(triple.predicate.value)
        name = self._names.get(namespace)
        tag = f"{name}:{local}" if name else f"p:{local}"
        start = tag if name else f"{tag} xmlns:p={_quoted(namespace)}"
        value = triple.object
        if not isinstance(value, ox.Literal):
            return f"  <{start} {_node('resource', value)}/>\n"
        return f"  <{start}{_kind(value)}>{escape(value.value, _RETURN)}</{tag}>\n"


def _node(attribute: str, term: Any) -> str:
    if isinstance(term, ox.BlankNode):
        return f"rdf:nodeID={_quoted('b' + term.value)}"
    return f"rdf:{attribute}={_quoted(term.value)}"


def _kind(literal: ox.Literal) -> str:
    if literal.language is not None:
        return f" xml:lang={_quoted(literal.language)}"
    kind = literal.datatype.value
    return "" if kind == vocab.XSD_STRING else f" rdf:datatype={_quoted(kind)}"


def _quoted(text: str) -> str:
    return quoteattr(text, _IN_ATTRIBUTES)


__all__ = ["check_rdf_xml", "write_rdf_xml"]
