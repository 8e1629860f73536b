"""
RDF terms as frozen values, with what answers need: Python values, rdflib and pyoxigraph terms.

The values check nothing; `terms.py` makes them from what users give.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab

if TYPE_CHECKING:
    import rdflib.term

INTEGER_TYPES = frozenset(
    vocab.XSD + name
    for name in [
        "integer",
        "int",
        "long",
        "short",
        "byte",
        "nonNegativeInteger",
        "positiveInteger",
        "nonPositiveInteger",
        "negativeInteger",
        "unsignedInt",
        "unsignedLong",
        "unsignedShort",
        "unsignedByte",
    ]
)
"""The datatypes whose values are whole numbers."""


@dataclass(frozen=True, slots=True)
class Iri:
    """An absolute IRI; build one with `iri(text)`, which checks it."""

    value: str

    @property
    def ntriples(self) -> str:
        """The N-Triples form, `<…>`."""
        return f"<{self.value}>"

    def __str__(self) -> str:
        return self.value

    def to_python(self) -> str:
        """Return the IRI as text."""
        return self.value

    def to_pyoxigraph(self) -> ox.NamedNode:
        """Return pyoxigraph's term."""
        return ox.NamedNode(self.value)

    def to_rdflib(self) -> rdflib.term.URIRef:
        """Return rdflib's term."""
        import rdflib.term

        return rdflib.term.URIRef(self.value)


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node of an answer; the record itself holds none."""

    value: str

    @property
    def ntriples(self) -> str:
        """The N-Triples form, `_:…`."""
        return f"_:{self.value}"

    def __str__(self) -> str:
        return self.ntriples

    def to_python(self) -> str:
        """Return the label, `_:` included."""
        return self.ntriples

    def to_pyoxigraph(self) -> ox.BlankNode:
        """Return pyoxigraph's term."""
        return ox.BlankNode(self.value)

    def to_rdflib(self) -> rdflib.term.BNode:
        """Return rdflib's term."""
        import rdflib.term

        return rdflib.term.BNode(self.value)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: lexical form, datatype IRI, language tag or None; build one with `literal(…)`."""

    value: str
    datatype: str = vocab.XSD_STRING
    language: str | None = None

    @property
    def ntriples(self) -> str:
        """The N-Triples form."""
        return str(self.to_pyoxigraph())

    def __str__(self) -> str:
        return self.value

    def to_python(self) -> Any:
        """
        Return the nearest Python value: str, int, Decimal, float, bool, datetime, date, time.

        An ill-typed literal gives its text.
        """
        convert = _TO_PYTHON.get(self.datatype)
        if convert is None:
            return self.value
        try:
            return convert(self.value)
        except (ValueError, InvalidOperation, OverflowError):
            return self.value

    def to_pyoxigraph(self) -> ox.Literal:
        """Return pyoxigraph's term."""
        if self.language is not None:
            return ox.Literal(self.value, language=self.language)
        if self.datatype == vocab.XSD_STRING:
            return ox.Literal(self.value)
        return ox.Literal(self.value, datatype=ox.NamedNode(self.datatype))

    def to_rdflib(self) -> rdflib.term.Literal:
        """Return rdflib's term, its lexical form unchanged."""
        import rdflib.term

        if self.language is not None:
            return rdflib.term.Literal(self.value, lang=self.language)
        if self.datatype == vocab.XSD_STRING:
            return rdflib.term.Literal(self.value)
        datatype = rdflib.term.URIRef(self.datatype)
        return rdflib.term.Literal(self.value, datatype=datatype, normalize=False)


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """An RDF 1.2 triple term, met in answers only."""

    subject: Term
    predicate: Term
    object: Term

    @property
    def ntriples(self) -> str:
        """The N-Triples 1.2 form."""
        parts = (self.subject.ntriples, self.predicate.ntriples, self.object.ntriples)
        return f"<<( {' '.join(parts)} )>>"

    def __str__(self) -> str:
        return self.ntriples

    def to_python(self) -> tuple[Any, Any, Any]:
        """Return the three parts as Python values."""
        return self.subject.to_python(), self.predicate.to_python(), self.object.to_python()

    def to_pyoxigraph(self) -> ox.Triple:
        """Return pyoxigraph's term."""
        return ox.Triple(
            self.subject.to_pyoxigraph(),  # type: ignore[arg-type]
            self.predicate.to_pyoxigraph(),  # type: ignore[arg-type]
            self.object.to_pyoxigraph(),
        )

    def to_rdflib(self) -> rdflib.term.Identifier:
        """Refuse: rdflib has no triple terms (`ValidationError`, code `unsupported_term`)."""
        raise ValidationError(
            "rdflib has no triple terms", code="unsupported_term", hint="use .to_pyoxigraph()"
        )


Term: TypeAlias = Iri | Literal | BlankNode | TripleTerm


def _to_bool(text: str) -> bool:
    if text in {"true", "1"}:
        return True
    if text in {"false", "0"}:
        return False
    raise ValueError(text)


_TO_PYTHON: dict[str, Any] = {
    **dict.fromkeys(INTEGER_TYPES, int),
    vocab.XSD + "decimal": Decimal,
    vocab.XSD + "double": float,
    vocab.XSD + "float": float,
    vocab.XSD + "boolean": _to_bool,
    vocab.XSD_DATETIME: datetime.fromisoformat,
    vocab.XSD + "date": date.fromisoformat,
    vocab.XSD + "time": time.fromisoformat,
}
