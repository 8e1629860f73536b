"""
What holds at a coordinate, in the spelling of its source.

The store gives back its own form of a literal (`01` as `1`, an xsd:int as an xsd:integer); whoever
judges by lexical form or datatype needs the one that came in, which stands beside the statement.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import FactKey
from semantica_rdf.model.terms import Literal, as_spelled, term_of_ntriples
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.materialise import visible_quads
from semantica_rdf.view.statements import StatementReader


def spelled_quads(store: RdfStore, identity: Identity, coordinate: Coordinate) -> Iterator[ox.Quad]:
    """Return the quads that hold at a coordinate, each object as its first source spelled it."""
    spelled = _spellings(store, identity, coordinate)
    for quad in visible_quads(store, coordinate):
        if spelled and isinstance(quad.object, ox.Literal):
            graph = quad.graph_name
            key = FactKey(
                coordinate.namespace,
                "" if isinstance(graph, ox.DefaultGraph) else str(graph),
                str(quad.subject),
                str(quad.predicate),
                str(quad.object),
            )
            value = spelled.get(key)
            if value is not None:
                yield ox.Quad(quad.subject, quad.predicate, value, graph)
                continue
        yield quad


def _spellings(
    store: RdfStore, identity: Identity, coordinate: Coordinate
) -> dict[FactKey, ox.Literal]:
    """Return the objects that were spelled otherwise, by fact, for what is believed there."""
    reader = StatementReader(store, identity)
    found: dict[FactKey, ox.Literal] = {}
    predicate = ox.NamedNode(vocab.SOURCE_TEXT)
    marked = store.raw.quads_for_pattern(None, predicate, None, ox.DefaultGraph())
    for node in sorted({quad.subject.value for quad in marked}):  # type: ignore[union-attr]
        statement = reader.statement(node)
        if statement is None or statement.source_text is None:
            continue
        known = statement.recorded_at <= coordinate.known_at < statement.superseded_at
        holds = statement.window.holds_at(coordinate.valid_at)
        if known and holds and statement.standing == "believed":
            value = term_of_ntriples(statement.fact.object)
            if isinstance(value, Literal):
                literal = as_spelled(value, statement.source_text).to_pyoxigraph()
                found.setdefault(statement.fact, literal)
    return found


__all__ = ["spelled_quads"]
