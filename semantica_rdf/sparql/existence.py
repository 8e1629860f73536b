"""
The groups of EXISTS and NOT EXISTS, rewritten as nested single patterns.

Only what asks for the same when it is nested is taken: patterns, filters that stand beside them,
and unions or GRAPH clauses that stand alone. A filter comes last, inside all patterns, where it
sees what it saw.
"""

from __future__ import annotations

from typing import Protocol

from semantica_rdf.sparql.matching import ActiveGraph, Matching
from semantica_rdf.sparql.paths import Step
from semantica_rdf.sparql.refusals import CannotRewrite
from semantica_rdf.sparql.scope import visible
from semantica_rdf.sparql.syntax import Filter, Group, InGraph, Triples, Union


class Outside(Protocol):
    """What the rewriter does for a group of EXISTS."""

    matching: Matching

    def filter_text(self, part: Filter, graph: ActiveGraph, around: frozenset[str]) -> str:
        """Return a FILTER rewritten."""

    def graph_of(self, part: InGraph) -> ActiveGraph:
        """Return the graph a GRAPH clause reads."""


def exists_body(group: Group, graph: ActiveGraph, bound: frozenset[str], outside: Outside) -> str:
    """
    Return what stands between the braces of EXISTS, `bound` naming what is bound around it.

    Raises `CannotRewrite` (`exists_group` and what its patterns raise).
    """
    only = group.parts[0] if len(group.parts) == 1 else None
    if isinstance(only, Union):
        bodies = [exists_body(branch, graph, bound, outside) for branch in only.groups]
        return " UNION ".join(f"{{ {body} }}" for body in bodies)
    if isinstance(only, InGraph):
        return exists_body(only.group, outside.graph_of(only), bound, outside)
    steps: list[tuple[Step, ActiveGraph]] = []
    filters: list[Filter] = []
    for part in group.parts:
        if isinstance(part, Triples):
            steps += [(step, graph) for step in outside.matching.steps_of(part.patterns)]
        elif isinstance(part, Filter):
            filters.append(part)
        elif isinstance(part, InGraph) and _only_triples(part.group):
            inner = outside.graph_of(part)
            for block in part.group.parts:
                assert isinstance(block, Triples)
                steps += [(step, inner) for step in outside.matching.steps_of(block.patterns)]
        else:
            raise CannotRewrite("exists_group")
    around = bound | visible(group)
    last = " ".join(outside.filter_text(part, graph, around) for part in filters)
    return outside.matching.chained_in(steps, last, bound)


def _only_triples(group: Group) -> bool:
    return all(isinstance(part, Triples) for part in group.parts)


__all__ = ["Outside", "exists_body"]
