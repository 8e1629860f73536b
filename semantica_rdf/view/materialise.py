"""
Materialise: the plain triples that hold at a coordinate, and a store of them for SPARQL.

Facts without a user graph form the default graph, the others their named graphs. With blank nodes
restored, skolem IRIs become blank nodes again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import pyoxigraph as ox

from semantica_rdf.columns.cell import Cell, cell_of_one
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


class Region(NamedTuple):
    """What a kept store answers: a cell of coordinates, blank nodes as IRIs or restored."""

    cell: Cell
    blank_nodes: BlankNodes


def warm_at(base: Base, coordinate: Coordinate, blank_nodes: BlankNodes) -> RdfStore | None:
    """Return the store of a coordinate's triples if it is kept, None when it would have to be made."""
    regions = [
        region
        for region in base.kept.cells()
        if isinstance(region, Region)
        and region.blank_nodes == blank_nodes
        and region.cell.may_hold(*_key(coordinate))
    ]
    for kept in regions:
        region = kept
        if region.cell.seen < coordinate.known_at:
            table = base.columns.near()
            if table is None or table.touched.get(coordinate.namespace, 0) > region.cell.seen:
                continue
            region = region._replace(cell=replace(region.cell, seen=table.basis))
        store = base.kept.warm(region)
        if store is not None:
            return store
    return None


def _key(coordinate: Coordinate) -> tuple[str, int, int]:
    return coordinate.namespace, coordinate.valid_at, coordinate.known_at


def materialised_at(base: Base, coordinate: Coordinate, blank_nodes: BlankNodes) -> RdfStore:
    """Return a store of the triples that hold at a coordinate, kept or made."""
    warm = warm_at(base, coordinate, blank_nodes)
    if warm is not None:
        return warm
    table = base.columns.for_scan()
    cell = cell_of_one(*_key(coordinate)) if table is None else table.cell(*_key(coordinate))

    def make() -> Made:
        """Make the store, for whoever comes first."""
        made = RdfStore.memory()
        if table is not None and blank_nodes == "skolem":
            places = table.visible(*_key(coordinate))
            text = table.nquads(places)
            made.raw.bulk_load(text, ox.RdfFormat.N_QUADS, lenient=True)
            return Made(made, size_of(len(made), len(text)))
        quads = quads_at(base, coordinate)
        if blank_nodes == "restore":
            quads = blank_nodes_restored(quads)
        made.raw.bulk_extend(quads)
        return Made(made, size_of(len(made), 0))

    return base.kept.store_at(Region(cell, blank_nodes), make)


def quads_at(base: Base, coordinate: Coordinate) -> Iterator[ox.Quad]:
    """Return the quads that hold at a coordinate, from the columns where these are at hand."""
    table = base.columns.near()
    if table is None:
        return visible_quads(base.store, coordinate)
    text = table.nquads(table.visible(*_key(coordinate)))
    return ox.parse(text, ox.RdfFormat.N_QUADS, lenient=True)
