"""
What an RDF/XML document must pass before it is parsed, and where it is wrong.

One pass with expat, which opens nothing: no document type declaration (so no entity can swell or
point elsewhere), bounded nesting, well-formed with its line and column, UTF-8. The RDF parser gives
no positions of its own; where it stops is found by reading again, line by line.
"""

from __future__ import annotations

from typing import IO, Any
from xml.parsers import expat

from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.documents import Document

MAX_DEPTH = 200
"""The deepest nesting of elements taken; a node within a node takes two."""

_TRIX = "http://www.w3.org/2004/03/trix/"
_STEP = 1 << 20
_TAKEN_ENCODINGS = frozenset({"utf-8", "utf8"})
_BAD_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_BAD_ENCODINGS = frozenset(
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_UNKNOWN_ENCODING,
        expat.errors.XML_ERROR_INCORRECT_ENCODING,
    )
)


def checked(document: Document) -> dict[str, str]:
    """
    Check a document, and return the prefixes it declares, the last of each name.

    Raises `ValidationError`: `doctype_refused`, `too_deep`, `syntax_error`, `bad_encoding`,
    `unknown_format` (TriX, another XML of RDF).
    """
    return _Check(document).run()


class _Check:
    """One pass over a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._depth = 0
        self._prefixes: dict[str, str] = {}
        self._parser = parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartNamespaceDeclHandler = self._namespace

    def run(self) -> dict[str, str]:
        """Read the document to its end."""
        data = self._document.data
        try:
            for at in range(self._document.start, len(data), _STEP):
                self._parser.Parse(data[at : at + _STEP], False)
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise self._mapped(error) from None
        return self._prefixes

    def _mapped(self, error: expat.ExpatError) -> ValidationError:
        name = self._document.name or "the document"
        if error.code in _BAD_ENCODINGS or (error.code == _BAD_TOKEN and self._is_no_utf8()):
            return _bad_encoding(f"{name} is not UTF-8 on line {error.lineno}")
        return ValidationError(
            f"{name}, line {error.lineno}, column {error.offset + 1}: "
            f"{expat.ErrorString(error.code)}",
            code="syntax_error",
            hint="nothing of the document was recorded",
        )

    def _is_no_utf8(self) -> bool:
        at = self._document.start + self._parser.ErrorByteIndex
        try:
            self._document.data[at : at + 64].decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start == 0
        return False

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _TAKEN_ENCODINGS:
            raise _bad_encoding(f"the document says that it is {encoding}")

    def _doctype(self, *_: Any) -> None:
        raise ValidationError(
            f"{self._document.name or 'the document'} has a document type declaration"
            f" on line {self._parser.CurrentLineNumber}",
            code="doctype_refused",
            hint="write namespaces and texts out where it declares entities, then remove it",
        )

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        if self._depth == 0 and name.startswith(_TRIX):
            raise ValidationError(
                f"{self._document.name or 'the document'} is TriX, which is not read",
                code="unknown_format",
                hint="convert it to TriG",
            )
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValidationError(
                f"the document nests deeper than {MAX_DEPTH}"
                f" on line {self._parser.CurrentLineNumber}",
                code="too_deep",
                hint="give inner nodes an rdf:about or rdf:nodeID and state them beside",
            )

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        if prefix and uri:
            self._prefixes[prefix] = uri


def _bad_encoding(message: str) -> ValidationError:
    return ValidationError(message, code="bad_encoding", hint="save it as UTF-8")


class LineByLine:
    """A binary file that gives one line, or less, for each read, and counts them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._left = b""
        self.line = 0

    def read(self, size: int = -1) -> bytes:
        """Return what is left of the line, else the next one, at most `size` bytes."""
        if not self._left:
            self._left = self._stream.readline()
            self.line += bool(self._left)
        given, self._left = (
            (self._left, b"") if size < 0 else (self._left[:size], self._left[size:])
        )
        return given


__all__ = ["MAX_DEPTH", "LineByLine", "checked"]
