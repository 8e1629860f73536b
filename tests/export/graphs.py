"""Comparing what two libraries read, term by term, and strategies for quads that are awkward."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pyoxigraph as ox
import rdflib
from hypothesis import strategies as st

from semantica_rdf.model import vocab
from semantica_rdf.store.embedded import RdfStore

NAMESPACE = "http://example.org/ns/"
PREFIXES = {
    "e": NAMESPACE,
    "deep": NAMESPACE + "10.",
    "http": "http://other.example/",
    "": "urn:x:",
}

_LOCAL = st.lists(
    st.sampled_from([*"abcXYZ019-_.~!$&'()*+,;=:@/?é·\U00010000", "%41"]), max_size=6
).map("".join)
IRIS = st.one_of(
    _LOCAL.map(lambda local: ox.NamedNode(NAMESPACE + local)),
    st.sampled_from(
        [
            ox.NamedNode(text)
            for text in (
                "e:looks-prefixed",
                "rdf:type",
                "urn:x:y.",
                "http://other.example/a/../b",
                NAMESPACE + "//twice",
                NAMESPACE + "page#part/1",
                NAMESPACE + "Acme%20Inc.",
                vocab.SRDF + "source",
                vocab.PROV + "Entity",
            )
        ]
    ),
)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(list("\"'\\\n\r\t.<>@^ ")),
    max_size=12,
)
LITERALS = st.one_of(
    st.builds(ox.Literal, TEXTS),
    st.builds(
        lambda text, tag: ox.Literal(text, language=tag), TEXTS, st.sampled_from(["en", "de-at"])
    ),
    st.builds(lambda text, kind: ox.Literal(text, datatype=kind), TEXTS, IRIS),
    st.builds(
        lambda text, kind: ox.Literal(text, datatype=ox.NamedNode(vocab.XSD + kind)),
        st.sampled_from(["1", "01", "1.", "1.0", "1e0", "true", "-0", "2026-09-01T00:00:00Z"]),
        st.sampled_from(["integer", "decimal", "double", "boolean", "dateTime", "date", "string"]),
    ),
)
PREDICATES = IRIS | st.sampled_from(
    [
        ox.NamedNode(iri)
        for iri in (
            vocab.RDF_TYPE,
            vocab.RDF_OBJECT,
            vocab.SOURCE,
            vocab.VALID_FROM,
            vocab.STANDING,
        )
    ]
)


def stored(quads: Iterable[ox.Quad]) -> RdfStore:
    """Return a store in memory that holds these quads."""
    store = RdfStore.memory()
    store.raw.extend(quads)
    return store


def _as_stored(quads: list[ox.Quad]) -> list[ox.Quad]:
    """Return the quads as a store gives them back, literals in its own form."""
    store = ox.Store()
    store.extend(quads)
    return list(store)


TRIPLES = st.lists(st.builds(ox.Quad, IRIS, PREDICATES, IRIS | LITERALS), max_size=12).map(
    _as_stored
)
QUADS = st.lists(
    st.builds(ox.Quad, IRIS, PREDICATES, IRIS | LITERALS, st.none() | IRIS), max_size=12
).map(_as_stored)

Row = tuple[str, ...]


def read_by_pyoxigraph(data: bytes, syntax: ox.RdfFormat) -> set[ox.Quad]:
    """Return the quads pyoxigraph reads."""
    return set(ox.parse(data, format=syntax))


def rows(quads: Any) -> set[Row]:
    """Return quads as texts, to compare with what rdflib reads."""
    return {
        (
            *(_ox_text(term) for term in (quad.subject, quad.predicate, quad.object)),
            "" if quad.graph_name == ox.DefaultGraph() else quad.graph_name.value,
        )
        for quad in quads
    }


@contextmanager
def _literals_as_written() -> Iterator[None]:
    """Keep rdflib from rewriting literals, and its own deprecation warnings to itself."""
    before, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        rdflib.NORMALIZE_LITERALS = before


def read_by_rdflib(data: bytes, syntax: str) -> set[Row]:
    """Return the rows rdflib reads into a dataset."""
    dataset = rdflib.Dataset()
    with _literals_as_written():
        dataset.parse(data=data, format=syntax)
        return {
            (*(_rdflib_text(term) for term in (s, p, o)), _graph_text(graph))
            for s, p, o, graph in dataset.quads()
        }


def quads_by_rdflib(data: bytes, syntax: str) -> list[ox.Quad]:
    """Return the quads rdflib reads into a dataset, as the engine's."""
    dataset = rdflib.Dataset()
    with _literals_as_written():
        dataset.parse(data=data, format=syntax)
        return [
            ox.Quad(
                *(_engine_term(term) for term in row[:3]),
                _engine_term(row[3]) if _graph_text(row[3]) else ox.DefaultGraph(),
            )
            for row in dataset.quads()
        ]


def _engine_term(term: Any) -> Any:
    if isinstance(term, rdflib.BNode):
        return ox.BlankNode(str(term))
    if isinstance(term, rdflib.Literal):
        kind = None if term.language or not term.datatype else ox.NamedNode(str(term.datatype))
        return ox.Literal(str(term), language=term.language, datatype=kind)
    return ox.NamedNode(str(term))


def read_as_plain_graph(data: bytes, syntax: str) -> set[Row]:
    """Return the rows rdflib reads into a plain graph."""
    graph = rdflib.Graph()
    with _literals_as_written():
        graph.parse(data=data, format=syntax)
        return {(*(_rdflib_text(term) for term in triple), "") for triple in graph}


def _graph_text(graph: Any) -> str:
    return "" if graph in {None, rdflib.graph.DATASET_DEFAULT_GRAPH_ID} else str(graph)


def _ox_text(term: Any) -> str:
    if isinstance(term, ox.Literal):
        return repr((term.value, term.datatype.value, term.language))
    return str(term)


def _rdflib_text(term: Any) -> str:
    if isinstance(term, rdflib.Literal):
        kind = vocab.RDF_LANGSTRING if term.language else str(term.datatype or vocab.XSD_STRING)
        return repr((str(term), kind, term.language))
    return f"<{term}>" if isinstance(term, rdflib.URIRef) else f"_:{term}"
