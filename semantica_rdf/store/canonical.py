"""
The one canonical form of a term: exactly what the store gives back for it.

The store rewrites literals (`01` to `1`, `+00:00` to `Z`, `xsd:int` to `xsd:integer`). Comparing
and committing therefore use the text of the term after one trip through a scratch store, never a
second implementation of its rules.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, Literal

_VERBATIM = frozenset({vocab.XSD_STRING, vocab.RDF_LANGSTRING})
_NODE = ox.NamedNode("urn:canonical")
_scratch = ox.Store()
_scratch_lock = threading.Lock()


def canonical_text(term: Iri | Literal) -> str:
    """
    Return the N-Triples text of the term as the store would give it back.

    >>> canonical_text(Literal("01", vocab.XSD + "integer"))
    '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    if isinstance(term, Iri):
        return term.ntriples
    if term.datatype in _VERBATIM or not term.datatype.startswith(vocab.XSD):
        return term.ntriples
    return _through_the_store(term.value, term.datatype)


@lru_cache(maxsize=65536)
def _through_the_store(value: str, datatype: str) -> str:
    literal = ox.Literal(value, datatype=ox.NamedNode(datatype))
    quad = ox.Quad(_NODE, _NODE, literal)
    with _scratch_lock:
        _scratch.add(quad)
        stored = next(iter(_scratch))
        _scratch.remove(quad)
    return str(stored.object)
