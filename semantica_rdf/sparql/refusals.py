"""
Why a query cannot be rewritten: a closed list of codes, each with its sentence.

None of them is an error. The query is answered by materialising the view.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "not_read": "the rewriter does not read this form of SPARQL",
        "transitive_path": "a path with ?, * or + walks the triples of the view themselves",
        "negated_set": "both ends of a negated set may be bound, and then it is counted otherwise",
        "merged_graphs": "several FROM graphs are one graph, in which a triple stands once",
        "graph_without_pattern": "GRAPH asks which graphs there are, not only for triples in them",
        "graph_sub_select": "a sub-SELECT inside GRAPH hides which graph it reads",
        "exists_group": "EXISTS holds more than patterns, filters and unions of them",
        "exists_scope": "EXISTS names a variable that is bound outside the group it stands in",
        "distinct_rows": "COUNT(DISTINCT *) counts blank nodes and the middles of paths too",
        "no_variables": "* stands for no variable at all",
        "describe_modifiers": "what is described is chosen by LIMIT, ORDER BY or GROUP BY",
        "too_many_patterns": "the query has more patterns than the engine should join as rows",
    }
)
"""Code and sentence."""


class Refusal(NamedTuple):
    """Why a query must be materialised: a code of `REFUSALS` and its sentence."""

    code: str
    sentence: str


class CannotRewrite(Exception):
    """A part of a query has no rewritten form; caught where the rewriting began."""

    def __init__(self, code: str) -> None:
        super().__init__(REFUSALS[code])
        self.refusal = Refusal(code, REFUSALS[code])


__all__ = ["REFUSALS", "CannotRewrite", "Refusal"]
