"""
The one canonical form of a term: exactly what the store gives back for it.

The store rewrites literals (`01` to `1`, `+00:00` to `Z`, `xsd:int` to `xsd:integer`). Comparing
and committing therefore use the text of the term after one trip through a scratch store, never a
second implementation of its rules.

One thing the store cannot keep on disk: a zone of -00:01 turns into no zone at all there (oxigraph
issue 1941). A dateTime of that zone is written in UTC, another type with it is refused.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import pyoxigraph as ox

from semantica_rdf.errors import TemporalValidationError, ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, Literal
from semantica_rdf.model.time import instant_text, start_of

_VERBATIM = frozenset({vocab.XSD_STRING, vocab.RDF_LANGSTRING})
_LOST_ZONE = "-00:01"
_INSTANTS = frozenset({vocab.XSD_DATETIME, vocab.XSD + "dateTimeStamp"})
_ZONED = _INSTANTS | frozenset(
    vocab.XSD + name
    for name in ("date", "time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay")
)
_LONGEST_KEPT = 256
"""Characters of the longest literal whose canonical form is remembered."""
_NODE = ox.NamedNode("urn:canonical")
_scratch = ox.Store()
_scratch_lock = threading.Lock()


def canonical_text(term: Iri | Literal) -> str:
    """
    Return the N-Triples text of the term as the store would give it back.

    >>> canonical_text(Literal("01", vocab.XSD + "integer"))
    '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'

    Raises `ValidationError` (`zone_not_kept`).
    """
    if isinstance(term, Iri):
        return term.ntriples
    if term.datatype in _VERBATIM or not term.datatype.startswith(vocab.XSD):
        return term.ntriples
    if term.value.endswith(_LOST_ZONE) and term.datatype in _ZONED:
        return _through_the_store(_in_utc(term), term.datatype)
    if len(term.value) > _LONGEST_KEPT:
        return _asked_of_the_store(term.value, term.datatype)
    return _through_the_store(term.value, term.datatype)


def _in_utc(term: Literal) -> str:
    try:
        if term.datatype in _INSTANTS:
            return instant_text(start_of(term.value).instant)
    except TemporalValidationError:
        pass
    raise ValidationError(
        f"{term.value} is in a zone that the store does not keep",
        code="zone_not_kept",
        hint="say it in another zone than -00:01",
    )


@lru_cache(maxsize=65536)
def _through_the_store(value: str, datatype: str) -> str:
    return _asked_of_the_store(value, datatype)


def _asked_of_the_store(value: str, datatype: str) -> str:
    literal = ox.Literal(value, datatype=ox.NamedNode(datatype))
    quad = ox.Quad(_NODE, _NODE, literal)
    with _scratch_lock:
        _scratch.add(quad)
        stored = next(iter(_scratch))
        _scratch.remove(quad)
    return str(stored.object)
