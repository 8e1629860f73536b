"""
What a query looks like: the facts by which one of the ways to answer it is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

from semantica_rdf.sparql.scope import (
    aggregates,
    groups_of,
    has_closure,
    names_of,
    parts_within,
    visible,
)
from semantica_rdf.sparql.syntax import (
    Bind,
    Filter,
    Group,
    InGraph,
    Link,
    Minus,
    Optional,
    Pattern,
    Query,
    Term,
    Triples,
    Union,
    Values,
)

_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """
    Facts about a query.

    `uses_dataset`: it has FROM or GRAPH. `transitive`: a path with ?, * or +. `selective`: every
    pattern is reached from a constant subject or object (a class alone is none: `?x a ex:C`
    matches too much). `sub_select`, `aggregates`, `values_keys`: it has such. `patterns`: how many
    triple patterns. `modified`: GROUP BY, HAVING, ORDER BY, LIMIT or OFFSET stand in the outermost
    query.
    """

    uses_dataset: bool = False
    transitive: bool = False
    selective: bool = False
    sub_select: bool = False
    patterns: int = 0
    aggregates: bool = False
    values_keys: bool = False
    modified: bool = False


def shape_of(query: Query) -> Shape:
    """Return the facts about a query."""
    parts = list(parts_within(query))
    patterns = [pattern for part in parts if isinstance(part, Triples) for pattern in part.patterns]
    selects = [part for part in parts if isinstance(part, Query)]
    in_graph = any(isinstance(part, InGraph) for part in parts)
    nothing: frozenset[str] = frozenset()
    return Shape(
        uses_dataset=bool(query.dataset) or in_graph,
        transitive=any(has_closure(pattern.path) for pattern in patterns),
        selective=bool(patterns) and all(_selective(group, nothing) for group in groups_of(query)),
        sub_select=bool(selects),
        patterns=len(patterns),
        aggregates=any(aggregates(one) for one in [query, *selects]),
        values_keys=query.values is not None or any(isinstance(part, Values) for part in parts),
        modified=query.modified,
    )


def _selective(group: Group, known: frozenset[str]) -> bool:
    """Tell whether every pattern of a group is reached from a constant or a known name."""
    patterns = [
        pattern for part in group.parts if isinstance(part, Triples) for pattern in part.patterns
    ]
    reached = _reached(patterns, known)
    if not all(_touches(pattern, reached) for pattern in patterns):
        return False
    return all(_selective_part(part, reached) for part in group.parts)


def _reached(patterns: list[Pattern], known: frozenset[str]) -> frozenset[str]:
    """Return the names that joins lead to from constants and known names."""
    reached = set(known)
    waiting = list(patterns)
    while True:
        touched = [pattern for pattern in waiting if _touches(pattern, frozenset(reached))]
        if not touched:
            return frozenset(reached)
        for pattern in touched:
            reached |= names_of(pattern)
        waiting = [pattern for pattern in waiting if pattern not in touched]


def _touches(pattern: Pattern, reached: frozenset[str]) -> bool:
    if _known(pattern.subject, reached):
        return True
    is_class = isinstance(pattern.path, Link) and pattern.path.term.text == _TYPE
    return _known(pattern.object, reached) and (pattern.object.is_variable or not is_class)


def _known(term: Term, reached: frozenset[str]) -> bool:
    return not term.is_variable or term.name in reached


def _selective_part(part: object, reached: frozenset[str]) -> bool:
    nothing: frozenset[str] = frozenset()
    if isinstance(part, Optional):
        return _selective(part.group, reached if _is_one_row(part.group) else nothing)
    if isinstance(part, InGraph):
        return _selective(part.group, reached)
    if isinstance(part, Union):
        return all(_selective(group, reached) for group in part.groups)
    if isinstance(part, Minus):
        return _selective(part.group, nothing)
    if isinstance(part, Filter | Bind):
        return all(
            _selective(found.group, reached | visible(found.group) & reached)
            for found in part.expression.exists
        )
    if isinstance(part, Query):
        return all(_selective(group, nothing) for group in groups_of(part))
    return True


def _is_one_row(group: Group) -> bool:
    """Tell whether a group matches one triple: an OPTIONAL of more is read whole by the engine."""
    patterns: list[Pattern] = []
    for part in group.parts:
        if isinstance(part, Triples):
            patterns += part.patterns
        elif not isinstance(part, Filter):
            return False
    return len(patterns) == 1 and isinstance(patterns[0].path, Link)


__all__ = ["Shape", "shape_of"]
