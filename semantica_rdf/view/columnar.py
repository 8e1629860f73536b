"""
The facts of a coordinate from the columns: found by vectors, made when they are looked at.

A fact that one statement supports is read off its entry. Where several support it their windows
are put together as `believed_at` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np

from semantica_rdf.columns.entries import (
    BELIEVED_STATEMENT,
    STANDING,
    STATEMENT,
    Numbers,
    node_parts,
)
from semantica_rdf.columns.table import Table
from semantica_rdf.model.interval_set import union
from semantica_rdf.model.statement import FactKey
from semantica_rdf.model.terms import Iri
from semantica_rdf.model.time import Window
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.facts import Difference, Fact
from semantica_rdf.view.frames import Facts
from semantica_rdf.view.pattern import Pattern

_new = tuple.__new__
"""Makes a named tuple of its values at once, a third of the time its own `_make` takes."""

_MANY_BESIDE = 2
"""From so many per cent of the entries on, all facts are made and those wanted kept."""

_FEW = 16
"""Up to so many entries are looked at one by one, which costs less than setting vectors up."""


class Held(NamedTuple):
    """
    The facts that hold.

    `alone` are places of statements that are a fact's only one, `together` the places of each fact
    that has several, or that was looked at by itself.
    """

    table: Table
    alone: Numbers
    together: list[list[int]]

    def __len__(self) -> int:
        return len(self.alone) + len(self.together)


def facts_at(table: Table, coordinate: Coordinate, pattern: Pattern, identity: Identity) -> Facts:
    """Return the facts of a pattern at a coordinate, oldest first; made when looked at."""
    held = facts_held(table, coordinate, pattern)
    return Facts(len(held), lambda: facts_of_held(held, coordinate, identity))


def facts_held(table: Table, coordinate: Coordinate, pattern: Pattern) -> Held:
    """Return the facts of a pattern that statements make believed at a coordinate."""
    places = table.matching(pattern.subject, pattern.predicate, pattern.object, pattern.graph)
    if places is not None and len(places) <= _FEW:
        believed = _believed_few(table, coordinate, places)
        return Held(table, places[:0], _groups_held(table, believed, coordinate.valid_at))
    known = table.believed(coordinate.namespace, coordinate.known_at, places)
    holding = table.holding(known, coordinate.valid_at)
    repeated = table.repeated(known)
    groups = _groups_held(table, known[repeated].tolist(), coordinate.valid_at)
    return Held(table, known[holding & ~repeated], groups)


def _believed_few(table: Table, coordinate: Coordinate, places: Numbers) -> list[int]:
    """Return what `table.believed` does, for few places."""
    entries, known_at = table.entries, coordinate.known_at
    space = table.dictionary.known(coordinate.namespace)
    return [
        place
        for place in places.tolist()
        if entries.recorded.item(place) <= known_at < entries.superseded.item(place)
        and entries.space.item(place) == space
        and entries.kind.item(place) & (STATEMENT | STANDING) == BELIEVED_STATEMENT
    ]


def _groups_held(table: Table, places: list[int], valid_at: int) -> list[list[int]]:
    """Return the places of each fact of which one holds."""
    entries = table.entries
    groups: dict[tuple[int, ...], list[int]] = {}
    for place in places:
        key = (
            entries.graph.item(place),
            entries.subject.item(place),
            entries.predicate.item(place),
            entries.object.item(place),
        )
        groups.setdefault(key, []).append(place)
    return [
        group
        for group in groups.values()
        if any(_window(table, place).holds_at(valid_at) for place in group)
    ]


def _window(table: Table, place: int) -> Window:
    return Window(table.entries.start.item(place), table.entries.end.item(place))


def facts_of_held(held: Held, coordinate: Coordinate, identity: Identity) -> list[Fact]:
    """Return the facts that were found to hold, oldest statement first."""
    facts = []
    if len(held.alone):
        facts = list(_alone(held.table, held.alone, coordinate.namespace, identity))
    if not held.together:
        return facts
    placed = list(zip(held.alone.tolist(), facts, strict=True))
    placed += [_together(held.table, group, coordinate, identity) for group in held.together]
    placed.sort(key=lambda item: item[0])
    return [fact for _, fact in placed]


def keys_of(table: Table, places: Numbers, namespace: str) -> Iterator[FactKey]:
    """Return the facts of entries."""
    texts, entries = table.dictionary.texts, table.entries
    columns = (entries.graph, entries.subject, entries.predicate, entries.object)
    terms = ([texts[number] for number in column[places].tolist()] for column in columns)
    return map(_new, repeat(FactKey), zip(repeat(namespace), *terms))


def _alone(table: Table, places: Numbers, namespace: str, identity: Identity) -> Iterator[Fact]:
    entries, prefix = table.entries, identity.prefix
    bounds = zip(entries.start[places].tolist(), entries.end[places].tolist(), strict=True)
    windows = map(_new, repeat(Window), bounds)
    numbers = entries.source[places].tolist()
    sources = {number: (_source(table, number),) for number in set(numbers)}
    nodes = entries.node[places].tolist()
    statements = [(f"{prefix}{node >> 32}-{node & 0xFFFFFFFF}",) for node in nodes]
    return map(
        _new,
        repeat(Fact),
        zip(
            keys_of(table, places, namespace),
            windows,
            [sources[number] for number in numbers],
            statements,
            strict=True,
        ),
    )


def _source(table: Table, number: int) -> Iri:
    return Iri(table.dictionary.texts[number][1:-1])


def _together(
    table: Table, group: list[int], coordinate: Coordinate, identity: Identity
) -> tuple[int, Fact]:
    entries, texts = table.entries, table.dictionary.texts
    windows = [_window(table, place) for place in group]
    spans = union(windows) if len(windows) > 1 else windows
    span = next(span for span in spans if span.holds_at(coordinate.valid_at))
    covering = [
        place
        for place, window in zip(group, windows, strict=True)
        if window.holds_at(coordinate.valid_at)
    ]
    first = covering[0]
    columns = (entries.graph, entries.subject, entries.predicate, entries.object)
    sources = sorted({texts[entries.source.item(place)][1:-1] for place in covering})
    fact = Fact(
        FactKey(coordinate.namespace, *(texts[column.item(first)] for column in columns)),
        span,
        tuple(Iri(source) for source in sources),
        tuple(identity.iri(*node_parts(entries.node.item(place))) for place in covering),
    )
    return first, fact


def difference_at(
    table: Table, before: Coordinate, after: Coordinate, identity: Identity
) -> Difference:
    """Return what changes from one coordinate to another, facts oldest first."""
    here = _visible(table, before)
    there = _visible(table, after)
    gone = _facts_of_rows(table, np.setdiff1d(here, there, assume_unique=True), before)
    come = _facts_of_rows(table, np.setdiff1d(there, here, assume_unique=True), after)
    return Difference(
        added=_chosen(table, come.keys() - gone.keys(), after, identity),
        removed=_chosen(table, gone.keys() - come.keys(), before, identity),
    )


def _visible(table: Table, coordinate: Coordinate) -> Numbers:
    return table.visible(coordinate.namespace, coordinate.valid_at, coordinate.known_at)


def _facts_of_rows(
    table: Table, places: Numbers, coordinate: Coordinate
) -> dict[tuple[str, ...], FactKey]:
    """Return the facts of rows, by what two namespaces can share of them."""
    return {key[1:]: key for key in keys_of(table, places, coordinate.namespace)}


def _chosen(
    table: Table, wanted: Iterable[tuple[str, ...]], coordinate: Coordinate, identity: Identity
) -> tuple[Fact, ...]:
    """Return the facts of terms (graph, subject, predicate, object) at a coordinate."""
    chosen = set(wanted)
    if len(chosen) > _MANY_BESIDE * len(table) // 100:
        facts = facts_at(table, coordinate, Pattern(), identity)
        return tuple(fact for fact in facts if fact.key[1:] in chosen)
    found = []
    for graph, subject, predicate, value in chosen:
        pattern = Pattern(subject, predicate, value, graph)
        held = facts_held(table, coordinate, pattern)
        found += [
            _together(table, group, coordinate, identity)
            for group in (*held.together, *([place] for place in held.alone.tolist()))
        ]
    return tuple(fact for _, fact in sorted(found, key=lambda item: item[0]))


__all__ = ["Held", "difference_at", "facts_at", "facts_held", "facts_of_held", "keys_of"]
