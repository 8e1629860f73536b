"""
Materialise: the plain triples that hold at a coordinate, and a store of them for SPARQL.

Facts without a user graph form the default graph, the others their named graphs. With blank nodes
restored, skolem IRIs become blank nodes again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Literal

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.terms import Literal as LiteralTerm
from semantica_rdf.model.time import instant_text
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.templates import template
from semantica_rdf.view.base import Base
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.kept_views import Made, size_of

BlankNodes = Literal["skolem", "restore"]

_PLAIN_TAIL = re.compile(r"[0-9A-Za-z]+")


def visible_quads(store: RdfStore, coordinate: Coordinate) -> Iterator[ox.Quad]:
    """Return the quads that hold at a coordinate, user graphs as graph names, in no order."""
    values = {
        "valid_at": _moment(coordinate.valid_at),
        "known_at": _moment(coordinate.known_at),
    }
    if coordinate.namespace == DEFAULT_NAMESPACE:
        text = template("view/rows_at").bind(values)
    else:
        values["namespace"] = LiteralTerm(coordinate.namespace)
        text = template("view/rows_in_namespace_at").bind(values)
    for row in store.raw.query(text):  # type: ignore[union-attr]
        graph = row["graph"]
        yield ox.Quad(
            row["subject"],
            row["predicate"],
            row["object"],
            ox.DefaultGraph() if graph is None else graph,
        )


def _moment(instant: int) -> LiteralTerm:
    return LiteralTerm(instant_text(instant), vocab.XSD_DATETIME)


def blank_nodes_restored(quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    """Return quads with skolem IRIs turned back into blank nodes."""
    for quad in quads:
        yield ox.Quad(
            blank_node_of(quad.subject),
            quad.predicate,
            blank_node_of(quad.object),
            blank_node_of(quad.graph_name),
        )


def blank_node_of(term: Any) -> Any:
    """Return the blank node a skolem IRI stands for, any other term as it is."""
    if isinstance(term, ox.NamedNode) and term.value.startswith(vocab.SKOLEM_BASE):
        return ox.BlankNode(_label(term.value.removeprefix(vocab.SKOLEM_BASE)))
    return term


def _label(tail: str) -> str:
    """Return a label for the end of a skolem IRI; different ends have different labels."""
    if _PLAIN_TAIL.fullmatch(tail):
        return f"b{tail}"
    return f"x{hashlib.sha256(tail.encode()).hexdigest()}"


def checked_blank_nodes(choice: str) -> None:
    """Refuse anything but `skolem` and `restore` (`bad_blank_nodes`)."""
    if choice not in {"skolem", "restore"}:
        raise ValidationError(
            f"blank_nodes={choice!r}", code="bad_blank_nodes", hint='give "skolem" or "restore"'
        )


def warm_at(base: Base, coordinate: Coordinate, blank_nodes: BlankNodes) -> RdfStore | None:
    """Return the store of a coordinate's triples if it is kept, None when it would have to be made."""
    return base.kept.warm((coordinate, blank_nodes))


def materialised_at(base: Base, coordinate: Coordinate, blank_nodes: BlankNodes) -> RdfStore:
    """Return a store of the triples that hold at a coordinate, kept or made."""

    def make() -> Made:
        """Make the store, for whoever comes first."""
        quads = visible_quads(base.store, coordinate)
        if blank_nodes == "restore":
            quads = blank_nodes_restored(quads)
        made = RdfStore.memory()
        made.raw.bulk_extend(quads)
        return Made(made, size_of(len(made), 0))

    return base.kept.store_at((coordinate, blank_nodes), make)
