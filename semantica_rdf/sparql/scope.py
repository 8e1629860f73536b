"""
Which variables a group shows, which it is sure to bind, and whether it needs a triple to match.

Sections 18.2.1 and 18.5 of SPARQL 1.1 in small functions over the tree. Minted variables are left
out: no answer shows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from semantica_rdf.sparql.syntax import (
    Alternative,
    Bind,
    Closure,
    Expression,
    Filter,
    Group,
    InGraph,
    Inverse,
    Link,
    Minus,
    Optional,
    Part,
    Path,
    Pattern,
    Query,
    Sequence,
    Term,
    Triples,
    Union,
    Values,
)


def terms_of(pattern: Pattern) -> Iterator[Term]:
    """Yield the terms of a pattern: subject, object, and a predicate that is a variable."""
    yield pattern.subject
    yield pattern.object
    if isinstance(pattern.path, Link) and pattern.path.term.is_variable:
        yield pattern.path.term


def names_of(pattern: Pattern) -> set[str]:
    """Return the names of the variables a pattern binds, minted ones included."""
    return {term.name for term in terms_of(pattern) if term.is_variable}


def visible(group: Group) -> frozenset[str]:
    """Return the names in scope after a group: what `*` stands for."""
    found: set[str] = set()
    for part in group.parts:
        found |= visible_in(part)
    return frozenset(found)


def visible_in(part: Part) -> frozenset[str]:
    """Return the names in scope after one part of a group."""
    if isinstance(part, Triples):
        terms = (term for pattern in part.patterns for term in terms_of(pattern))
        return frozenset(term.name for term in terms if term.kind == "variable")
    if isinstance(part, Optional):
        return visible(part.group)
    if isinstance(part, Union):
        return frozenset().union(*(visible(group) for group in part.groups))
    if isinstance(part, InGraph):
        name = {part.name.name} if part.name.is_variable else set()
        return visible(part.group) | name
    if isinstance(part, Bind):
        return frozenset({part.variable})
    if isinstance(part, Values):
        return frozenset(part.variables)
    if isinstance(part, Query):
        return projected(part)
    return frozenset()


def projected(query: Query) -> frozenset[str]:
    """Return the names a SELECT gives."""
    if query.projection is not None and not query.projection.star:
        return frozenset(query.projection.names)
    assert query.group is not None
    values = query.values.variables if query.values else ()
    return visible(query.group) | frozenset(values)


def surely_bound(group: Group) -> frozenset[str]:
    """Return names that every solution of a group binds; not all of them need be found."""
    found: set[str] = set()
    for part in group.parts:
        if isinstance(part, Triples):
            found |= {name for pattern in part.patterns for name in names_of(pattern)}
        elif isinstance(part, Union):
            found |= frozenset.intersection(*(surely_bound(branch) for branch in part.groups))
        elif isinstance(part, InGraph):
            found |= surely_bound(part.group)
            if part.name.is_variable and needs_triple(part.group):
                found.add(part.name.name)
    return frozenset(found)


def needs_triple(group: Group) -> bool:
    """
    Tell whether no solution of a group can do without a triple of the active graph.

    Then the group has no solution in a graph that is empty or absent.
    """
    return any(part_needs_triple(part) for part in group.parts)


def part_needs_triple(part: Part) -> bool:
    """Tell of one part of a group what `needs_triple` tells of the whole."""
    if isinstance(part, Triples):
        return bool(part.patterns)
    if isinstance(part, Union):
        return all(needs_triple(group) for group in part.groups)
    if isinstance(part, Query):
        assert part.group is not None
        return (part.grouped or not aggregates(part)) and needs_triple(part.group)
    return False


def expressions_of(query: Query) -> Iterator[Expression]:
    """Yield the expressions of a query's head and modifiers, not those in its group."""
    if query.projection is not None:
        yield from query.projection.expressions
    yield from query.modifiers


def aggregates(query: Query) -> bool:
    """Tell whether a query groups or counts."""
    return query.grouped or any(found.aggregates for found in expressions_of(query))


def counts_distinct_rows(query: Query) -> bool:
    """Tell whether a query holds `COUNT(DISTINCT *)`."""
    return any(found.counts_distinct_rows for found in expressions_of(query))


def groups_in(part: Part) -> Iterator[Group]:
    """Yield the groups directly in a part, those of EXISTS included."""
    if isinstance(part, Optional | Minus | InGraph):
        yield part.group
    elif isinstance(part, Union):
        yield from part.groups
    elif isinstance(part, Filter | Bind):
        yield from (found.group for found in part.expression.exists)
    elif isinstance(part, Query):
        yield from groups_of(part)


def groups_of(query: Query) -> Iterator[Group]:
    """Yield the group of a query, and those of EXISTS in its head and modifiers."""
    if query.group is not None:
        yield query.group
    for expression in expressions_of(query):
        yield from (found.group for found in expression.exists)


def parts_within(query: Query) -> Iterator[Part]:
    """Yield every part of a query, however deep."""
    yield from _parts_from(*groups_of(query))


def _parts_from(*groups: Group) -> Iterator[Part]:
    waiting = list(groups)
    while waiting:
        for part in waiting.pop().parts:
            yield part
            waiting.extend(groups_in(part))


def uses(query: Query) -> Counter[str]:
    """Count in how many places the patterns and clauses of a query can bind each name."""
    found: Counter[str] = Counter()
    for part in parts_within(query):
        found.update(_bound_by(part))
    if query.values is not None:
        found.update(query.values.variables)
    return found


def _bound_by(part: Part) -> Iterator[str]:
    """Yield a name each time a part, without the groups in it, can bind it."""
    if isinstance(part, Triples):
        for pattern in part.patterns:
            yield from (term.name for term in terms_of(pattern) if term.is_variable)
    elif isinstance(part, Query):
        yield from projected(part)
    elif isinstance(part, InGraph):
        yield from [part.name.name] if part.name.is_variable else []
    elif isinstance(part, Bind | Values):
        yield from visible_in(part)


def bound_outside_exists(query: Query) -> frozenset[str]:
    """Return the names a query's groups and clauses can bind, those of EXISTS left out."""
    found: set[str] = set(query.values.variables if query.values else ())
    waiting = [query.group] if query.group is not None else []
    while waiting:
        for part in waiting.pop().parts:
            found.update(_bound_by(part))
            if isinstance(part, Query):
                found |= bound_outside_exists(part)
            elif not isinstance(part, Filter | Bind):
                waiting.extend(groups_in(part))
    return frozenset(found)


def named_in(group: Group) -> frozenset[str]:
    """Return every name a group holds, however deep, but for those no answer shows."""
    found: set[str] = set()
    for part in _parts_from(group):
        found.update(visible_in(part))
        if isinstance(part, Filter | Bind):
            found |= part.expression.variables
    return frozenset(found)


def has_hidden_nodes(group: Group) -> bool:
    """Tell whether patterns of a group bind blank nodes, or the middles of paths."""
    return any(
        not isinstance(pattern.path, Link)
        or any(term.kind == "minted" for term in terms_of(pattern))
        for part in _parts_from(group)
        if isinstance(part, Triples)
        for pattern in part.patterns
    )


def has_closure(path: Path) -> bool:
    """Tell whether a path is walked `?`, `*` or `+` times somewhere."""
    if isinstance(path, Closure):
        return True
    if isinstance(path, Inverse):
        return has_closure(path.path)
    if isinstance(path, Sequence | Alternative):
        return any(has_closure(part) for part in path.paths)
    return False


__all__ = [
    "aggregates",
    "bound_outside_exists",
    "counts_distinct_rows",
    "expressions_of",
    "groups_in",
    "groups_of",
    "has_closure",
    "has_hidden_nodes",
    "named_in",
    "names_of",
    "needs_triple",
    "part_needs_triple",
    "parts_within",
    "projected",
    "surely_bound",
    "terms_of",
    "uses",
    "visible",
    "visible_in",
]
