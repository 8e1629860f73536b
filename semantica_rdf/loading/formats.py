"""
RDF documents: which format, what is refused before parsing, and the statements of the rest.

Parsing is pyoxigraph's alone and never opens a socket or another file: remote JSON-LD contexts
are refused by name, document types of XML altogether. Whatever could kill or stall the process
(deep triple terms, deep JSON, deep XML, entities) is refused before the parser sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import IO, Any, Literal

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.loading import json_ld, rdf_xml
from semantica_rdf.loading.documents import Document

Format = Literal["turtle", "trig", "nquads", "ntriples", "jsonld", "rdfxml", "csv", "tsv", "jsonl"]

TABULAR: frozenset[str] = frozenset({"csv", "tsv", "jsonl"})
"""Formats that are read through a mapping."""

_NAMES: dict[str, Format] = {
    "turtle": "turtle",
    "ttl": "turtle",
    "trig": "trig",
    "nquads": "nquads",
    "n-quads": "nquads",
    "nq": "nquads",
    "ntriples": "ntriples",
    "n-triples": "ntriples",
    "nt": "ntriples",
    "jsonld": "jsonld",
    "json-ld": "jsonld",
    "rdfxml": "rdfxml",
    "rdf/xml": "rdfxml",
    "rdf": "rdfxml",
    "owl": "rdfxml",
    "xml": "rdfxml",
    "csv": "csv",
    "tsv": "tsv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
}
_PARSERS = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nquads": ox.RdfFormat.N_QUADS,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
_PLACE = re.compile(r"Parser error (?:at|on|between) [^:]*: ")
_MARKUP = frozenset({"jsonld", "rdfxml"})
_LINE = re.compile(
    rb"(?P<end>\r\n|\r|\n)|[ \t]*+#[^\r\n]*+|(?P<said>[ \t]*+[^\s#][^\r\n]*+)|[ \t]++"
)
_STEP = 1 << 20
_BLANK = re.compile(rb"(?:\s++|#[^\r\n]*+)*+\Z")
_TOKEN = re.compile(
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""'
    rb"|'''(?:[^'\\]++|\\.|'(?!''))*+'''"
    rb'|"(?:[^"\\\r\n]++|\\.)*+"'
    rb"|'(?:[^'\\\r\n]++|\\.)*+'"
    rb'|<[^<>"\s]*+>'
    rb"|#[^\r\n]*+"
    rb"|\\."
    rb"|(?P<triple><<)",
    re.DOTALL,
)


def format_named(name: str) -> Format:
    """
    Return the format a name or a suffix stands for.

    Raises `ValidationError` (`unknown_format`).
    """
    found = _NAMES.get(name.lower().lstrip("."))
    if found is None:
        raise ValidationError(
            f"{name!r} is no format" if name else "the document does not say its format",
            code="unknown_format",
            hint="give format= one of turtle, trig, nquads, ntriples, jsonld, rdfxml, "
            "csv, tsv, jsonl",
        )
    return found


def is_blank(document: Document, format_: Format) -> bool:
    """Tell whether nothing but blanks, and comments where the format has them, is there."""
    if format_ in TABULAR or format_ in _MARKUP:
        return not document.data[document.start :].strip()
    return _BLANK.match(document.data, document.start) is not None


class Statements:
    """
    The statements of an RDF document, and the prefixes it declared, complete once all are read.

    Relative IRIs are resolved against `base`; without one they are syntax errors. Iterating raises
    `ValidationError`: `syntax_error`, `bad_encoding`, `unsupported_term`, `too_deep`,
    `remote_context`, `doctype_refused`.
    """

    def __init__(self, document: Document, format_: Format, *, base: str | None) -> None:
        self._document = document
        self._format = format_
        self._base = base
        self._has_lines = True
        self._declared: dict[str, str] = {}
        self.warnings: tuple[str, ...] = ()
        stream = document.stream()
        if format_ == "jsonld":
            checked = json_ld.checked(document, base=base)
            stream, self.warnings = checked.stream, checked.warnings
            self._has_lines = checked.is_original
        elif format_ == "rdfxml":
            self._declared = rdf_xml.checked(document)
        else:
            _refuse_triple_terms(document)
        self._parser = self._guarded(lambda: self._parse(stream))

    def __iter__(self) -> Iterator[ox.Quad]:
        try:
            for quad in self._parser:
                if isinstance(quad.object, ox.Triple):
                    raise _triple_term("")
                yield quad
        except SyntaxError as error:
            raise self._mapped(error) from None
        except UnicodeDecodeError as error:
            raise _bad_encoding(self._document.name, str(error)) from None

    def placed(self) -> Iterator[tuple[int, ox.Quad]]:
        """
        Yield each statement with where it stands.

        That is its line in N-Triples and N-Quads, which hold one statement a line; elsewhere its
        position among the statements.
        """
        by_line = self._format in {"ntriples", "nquads"}
        places = _lines_said(self._document) if by_line else count(1)
        for quad in self:
            yield next(places, 0), quad

    @property
    def prefixes(self) -> dict[str, str]:
        """The prefixes declared so far."""
        return self._declared | dict(self._parser.prefixes)

    def _parse(self, stream: IO[bytes] | rdf_xml.LineByLine) -> ox.QuadParser:
        given: Any = stream
        return ox.parse(input=given, format=_PARSERS[self._format], base_iri=self._base)

    def _line_of_error(self) -> int:
        """Return the line at which parsing stops, for a parser that does not say."""
        stream = rdf_xml.LineByLine(self._document.stream())
        try:
            for _ in self._parse(stream):
                pass
        except SyntaxError:
            pass
        return stream.line

    def _guarded(self, parse: Callable[[], ox.QuadParser]) -> ox.QuadParser:
        try:
            return parse()
        except SyntaxError as error:
            raise self._mapped(error) from None
        except ValueError as error:
            raise ValidationError(
                f"the source is no base for relative IRIs: {error}", code="bad_iri"
            ) from None

    def _mapped(self, error: SyntaxError) -> ValidationError:
        """Return our error for the parser's, with the line and column where they are known."""
        name = self._document.name
        text = error.msg or str(error)
        if "UTF-8" in text:
            return _bad_encoding(name, text)
        if "LoadDocumentCallback" in text:
            return ValidationError(
                "the document names a remote context",
                code="remote_context",
                hint="put the context into the document; nothing is fetched",
            )
        line, column = (error.lineno, error.offset) if self._has_lines else (None, None)
        if self._format == "rdfxml":
            line = self._line_of_error()
        place = f"{name or 'the document'}, line {line}" if line else name
        place += f", column {column}" if line and column else ""
        text = _PLACE.sub("", text)
        return ValidationError(
            f"{place}: {text}" if place else text,
            code="syntax_error",
            hint="nothing of the document was recorded",
        )


def _lines_said(document: Document) -> Iterator[int]:
    """Yield the lines, from 1, that hold more than blanks and comments."""
    line = 1
    for text in _whole_lines(document):
        for match in _LINE.finditer(text):
            if match["end"]:
                line += 1
            elif match["said"]:
                yield line


def _whole_lines(document: Document) -> Iterator[bytes]:
    """Yield copies of a document's parts, cut between lines, so that nothing holds the file open."""
    rest = b""
    for at in range(document.start, len(document.data), _STEP):
        part = rest + document.data[at : at + _STEP]
        cut = max(part.rfind(b"\n"), part.rfind(b"\r", 0, len(part) - 1)) + 1
        yield part[:cut]
        rest = part[cut:]
    yield rest


def _refuse_triple_terms(document: Document) -> None:
    data = document.data
    if data.find(b"<<", document.start) < 0:
        return
    found = next((m.start() for m in _TOKEN.finditer(data, document.start) if m["triple"]), None)
    if found is not None:
        raise _triple_term(f" on line {document.line_at(found)}")


def _triple_term(where: str) -> ValidationError:
    return ValidationError(
        f"the document holds a triple term{where}",
        code="unsupported_term",
        hint="triple terms are not stored; state the triple itself, or a reified statement",
    )


def _bad_encoding(name: str, text: str) -> ValidationError:
    return ValidationError(
        f"{name or 'the document'} is not UTF-8: {text}",
        code="bad_encoding",
        hint="save it as UTF-8",
    )


__all__ = ["TABULAR", "Format", "Statements", "format_named", "is_blank"]
