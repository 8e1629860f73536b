"""
Rewriting: a query for plain triples becomes a query for the record, at a coordinate left open.

Input: the tree of a query and its text. Output: text in which every block of triples, `GRAPH`,
`*` and EXISTS has its rewritten form and the rest stands as the user wrote it. The instants and
the namespace stay holes. `CannotRewrite` is raised where no exact form is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from semantica_rdf.sparql.existence import exists_body
from semantica_rdf.sparql.matching import ActiveGraph, Matching
from semantica_rdf.sparql.refusals import CannotRewrite
from semantica_rdf.sparql.rules import RULES
from semantica_rdf.sparql.scope import (
    bound_outside_exists,
    counts_distinct_rows,
    groups_in,
    has_hidden_nodes,
    named_in,
    needs_triple,
    part_needs_triple,
    projected,
    surely_bound,
    uses,
    visible,
    visible_in,
)
from semantica_rdf.sparql.syntax import (
    Bind,
    DatasetClause,
    Expression,
    Filter,
    Group,
    InGraph,
    Minus,
    Optional,
    Part,
    Query,
    Triples,
    Values,
)


class Place(NamedTuple):
    """
    Where in a query something stands.

    The graph it reads, the names that may be bound around it, and those an expression there sees.
    """

    graph: ActiveGraph
    around: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()

    def within(self, group: Group, outer: frozenset[str] = frozenset()) -> Place:
        """Return the place inside a group, whose expressions see `outer` too."""
        seen = visible(group)
        return self._replace(around=self.around | seen, scope=seen | outer)


_Edit: TypeAlias = tuple[int, int, str]


class Rewriter:
    """Rewrites one query; made for each."""

    def __init__(self, text: str, query: Query, holes: Mapping[str, str], *, default: bool) -> None:
        self.text = text
        self.query = query
        self.matching = Matching(holes, uses(query), default_namespace=default)
        self.bound = bound_outside_exists(query)

    def rewritten(self) -> str:
        """Return the whole text rewritten, prologue included."""
        query = self.query
        graph, _ = active_graphs(query.dataset)
        place = Place(graph)
        if query.form == "DESCRIBE":
            body = self._described(query, place)
        else:
            body = self._query(query, place)
        return self.text[: query.start] + body + self.text[query.end :]

    def _spliced(self, start: int, end: int, edits: Sequence[_Edit]) -> str:
        """Return a span of the text with edits, which do not overlap, put in."""
        parts: list[str] = []
        position = start
        for begin, stop, text in sorted(edits):
            parts += [self.text[position:begin], text]
            position = stop
        return "".join([*parts, self.text[position:end]])

    # Queries.

    def _query(self, query: Query, place: Place) -> str:
        assert query.group is not None
        edits = self._head(query, place)
        group = self._group(query.group, place)
        if counts_distinct_rows(query):
            if has_hidden_nodes(query.group):
                raise CannotRewrite("distinct_rows")
            group = RULES["projected"].put(names=_names(visible(query.group)), group=group)
        if query.form == "CONSTRUCT" and query.template is None:
            if not all(isinstance(part, Triples) for part in query.group.parts):
                raise CannotRewrite("not_read")
            short = self.text[query.group.start : query.group.end]
            edits.append((query.head_end, query.head_end, f" {short} "))
        edits.append((query.group.start, query.group.end, group))
        return self._spliced(query.start, query.end, edits)

    def _head(self, query: Query, place: Place) -> list[_Edit]:
        """Return the edits of a query outside its group."""
        edits: list[_Edit] = [(clause.start, clause.end, "") for clause in query.dataset]
        around = place
        if query.group is not None:
            around = place.within(query.group)
        if query.projection is not None and query.projection.star:
            star = query.projection
            edits.append((star.start, star.end, f" {_names(projected(query))} "))
        found = list(query.modifiers)
        if query.projection is not None:
            found += query.projection.expressions
        for expression in found:
            edits += self._exists_edits(expression, around)
        return edits

    def _described(self, query: Query, place: Place) -> str:
        """Return a DESCRIBE as the CONSTRUCT of what the engine would describe."""
        if query.modified:
            raise CannotRewrite("describe_modifiers")
        described = list(dict.fromkeys(term.text for term in query.described))
        if query.projection is not None:
            described = [f"?{name}" for name in sorted(projected(query))]
        bound: frozenset[str] = frozenset()
        if query.group is not None:
            bound = surely_bound(query.group)
        elif any(text.startswith("?") for text in described):
            raise CannotRewrite("describe_modifiers")
        if not described:
            raise CannotRewrite("no_variables")
        template, branches = [], []
        for text in described:
            triple, pattern = self.matching.described(text, place.graph)
            template.append(triple)
            group = "" if query.group is None else self._group(query.group, place)
            if text.startswith("?") and text[1:] not in bound:
                group = f"{{ {group} FILTER(BOUND({text})) }}"
            branches.append(RULES["described"].put(group=group, pattern=pattern))
        values = ""
        if query.values is not None:
            values = self.text[query.values.start : query.values.end]
        return RULES["describing"].put(
            template=f"{{ {' . '.join(template)} }}",
            group=f"{{ {' UNION '.join(branches)} }}",
            values=values,
        )

    # Groups and their parts.

    def _group(self, group: Group, place: Place, outer: frozenset[str] = frozenset()) -> str:
        inner = place.within(group, outer)
        graph = place.graph
        if graph.kind == "variable":
            _check_graph_variable(group, graph.text)
        edits: list[_Edit] = []
        before = outer
        for part in group.parts:
            seen = before if isinstance(part, Optional | Bind) else inner.scope
            edits.append((part.start, part.end, self._part(part, inner._replace(scope=seen))))
            before |= visible_in(part)
        return self._spliced(group.start, group.end, edits)

    def _part(self, part: Part, place: Place) -> str:
        if isinstance(part, Triples):
            return self.matching.joined(part.patterns, place.graph)
        if isinstance(part, Values):
            return self.text[part.start : part.end]
        if isinstance(part, InGraph):
            return self._in_graph(part, place)
        if isinstance(part, Query):
            if place.graph.kind == "variable":
                raise CannotRewrite("graph_sub_select")
            return self._query(part, Place(place.graph))
        if isinstance(part, Filter | Bind):
            return self._spliced(part.start, part.end, self._exists_edits(part.expression, place))
        inside = Place(place.graph) if isinstance(part, Minus) else place
        outer = place.scope if isinstance(part, Optional) else frozenset()
        edits = [
            (group.start, group.end, self._group(group, inside, outer)) for group in groups_in(part)
        ]
        return self._spliced(part.start, part.end, edits)

    def _in_graph(self, part: InGraph, place: Place) -> str:
        """Return the group of a GRAPH clause, its patterns now reading that graph."""
        return self._group(part.group, place._replace(graph=self.graph_of(part)))

    def graph_of(self, part: InGraph) -> ActiveGraph:
        """Return the graph a GRAPH clause reads; refused where the clause may match without it."""
        if not needs_triple(part.group):
            raise CannotRewrite("graph_without_pattern")
        _, named = active_graphs(self.query.dataset)
        if named is not None and not named:
            return ActiveGraph("empty")
        if part.name.is_variable:
            return ActiveGraph("variable", part.name.text, named)
        return ActiveGraph("named", part.name.text, named)

    def _exists_edits(self, expression: Expression, place: Place) -> list[_Edit]:
        edits: list[_Edit] = []
        for found in expression.exists:
            self._check_scope(found.group, place.scope)
            body = exists_body(found.group, place.graph, place.around, self)
            edits.append((found.group.start, found.group.end, f"{{ {body} }}"))
        return edits

    def _check_scope(self, group: Group, scope: frozenset[str]) -> None:
        """Refuse an EXISTS that names what is bound, but not where it stands."""
        if any(name in self.bound for name in named_in(group) - scope):
            raise CannotRewrite("exists_scope")

    def filter_text(self, part: Filter, graph: ActiveGraph, around: frozenset[str]) -> str:
        """Return a FILTER that stands inside EXISTS."""
        return self._part(part, Place(graph, around, around))


def active_graphs(
    dataset: Sequence[DatasetClause],
) -> tuple[ActiveGraph, tuple[str, ...] | None]:
    """Return the default graph of a query, and the named graphs it may read, None for all."""
    if not dataset:
        return ActiveGraph("default"), None
    plain = tuple(dict.fromkeys(clause.name.text for clause in dataset if not clause.named))
    named = tuple(dict.fromkeys(clause.name.text for clause in dataset if clause.named))
    if not plain:
        return ActiveGraph("empty"), named
    if len(plain) > 1:
        return ActiveGraph("merged"), named
    return ActiveGraph("named", plain[0]), named


def _names(names: frozenset[str]) -> str:
    """Return the names as a projection, sorted as the engine sorts what `*` stands for."""
    if not names:
        raise CannotRewrite("no_variables")
    return " ".join(f"?{name}" for name in sorted(names))


def _check_graph_variable(group: Group, variable: str) -> None:
    """
    Refuse a group inside `GRAPH ?g` where something looks at ?g before a triple must bind it.

    Each graph is asked for itself; an OPTIONAL, MINUS or EXISTS to which ?g is not bound yet would
    look into all of them.
    """
    name = variable[1:]
    whole, bound = needs_triple(group), False
    for part in group.parts:
        looks = isinstance(part, Optional | Minus)
        if isinstance(part, Filter | Bind):
            looks = bool(part.expression.exists) or name in part.expression.variables
        settled = whole if isinstance(part, Filter) else bound
        assigns = isinstance(part, Bind) and part.variable == name
        if assigns or (looks and not settled):
            raise CannotRewrite("graph_without_pattern")
        bound = bound or part_needs_triple(part)


__all__ = ["Place", "Rewriter", "active_graphs"]
