"""
The forms a rewritten pattern takes, each a named rule: text with `$holes`, and when it is used.

They are standard SPARQL 1.1 over the record of architecture section 5. Which of several equal
forms stands here follows one engine's planner: each rule has a benchmark, so that a version of the
engine that changes the order of things is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from types import MappingProxyType

from semantica_rdf.model import vocab


@dataclass(frozen=True, slots=True)
class Rule:
    """One form: its name, the text, and when it is the one to use."""

    name: str
    text: str
    when: str

    def put(self, **holes: str) -> str:
        """Return the text with its holes filled."""
        return Template(self.text).substitute(holes)


def _iri(word: str) -> str:
    return f"<{word}>"


_RECORDED = _iri(vocab.RECORDED_AT)
_FROM = _iri(vocab.VALID_FROM)
_UNTIL = _iri(vocab.VALID_UNTIL)
_SUPERSEDED = _iri(vocab.SUPERSEDED_AT)
_NAMESPACE = _iri(vocab.NAMESPACE)
_GRAPH = _iri(vocab.IN_GRAPH)

_ALL = (
    Rule(
        "row",
        "GRAPH $row { $subject $predicate $object }",
        "a pattern of plain triples: a belief row is a graph of one triple, named by the row",
    ),
    Rule(
        "together",
        "{ $row }",
        "outside EXISTS: a row is tested by all its conditions before the next pattern is joined,"
        " however many rows that do not hold stand beside it",
    ),
    Rule(
        "known",
        f"$row {_RECORDED} $time . FILTER($time <= $known_at)",
        "outside EXISTS: the positive anchor, without which graphs that are no rows would match",
    ),
    Rule(
        "known_correlated",
        f"FILTER EXISTS {{ $row {_RECORDED} ?srdf__r FILTER(?srdf__r <= $known_at) }}",
        "inside EXISTS, where a joined anchor would scan the record for every match",
    ),
    Rule(
        "begun",
        f"FILTER NOT EXISTS {{ $row {_FROM} ?srdf__f FILTER(?srdf__f > $valid_at) }}",
        "always: a start may be absent",
    ),
    Rule(
        "not_ended",
        f"FILTER NOT EXISTS {{ $row {_UNTIL} ?srdf__u FILTER(?srdf__u <= $valid_at) }}",
        "always: an end may be absent",
    ),
    Rule(
        "not_superseded",
        f"FILTER NOT EXISTS {{ $row {_SUPERSEDED} ?srdf__x FILTER(?srdf__x <= $known_at) }}",
        "always: an open row has no end of its own",
    ),
    Rule(
        "default_namespace",
        f"FILTER NOT EXISTS {{ $row {_NAMESPACE} ?srdf__n }}",
        "a view of the default namespace, which is said by absence",
    ),
    Rule(
        "other_namespace",
        f"$row {_NAMESPACE} $namespace .",
        "a view of another namespace, outside EXISTS",
    ),
    Rule(
        "other_namespace_correlated",
        f"FILTER EXISTS {{ $row {_NAMESPACE} $namespace }}",
        "a view of another namespace, inside EXISTS",
    ),
    Rule(
        "default_graph",
        f"FILTER NOT EXISTS {{ $row {_GRAPH} ?srdf__g }}",
        "patterns of the default graph: facts without a user graph, never a union",
    ),
    Rule(
        "user_graph",
        f"$row {_GRAPH} $graph .",
        "patterns inside GRAPH or of one FROM, outside EXISTS",
    ),
    Rule(
        "user_graph_correlated",
        f"FILTER EXISTS {{ $row {_GRAPH} $graph }}",
        "patterns inside GRAPH or of one FROM, inside EXISTS",
    ),
    Rule(
        "user_graph_named",
        f"FILTER EXISTS {{ $row {_GRAPH} $graph $rest }}",
        "inside EXISTS, a graph that is a variable: what follows sees its value",
    ),
    Rule(
        "among_graphs",
        "FILTER($graph IN ($graphs))",
        "patterns inside GRAPH where FROM NAMED says which graphs there are",
    ),
    Rule(
        "no_graph",
        "FILTER(false)",
        "patterns of a graph that the dataset clauses leave empty",
    ),
    Rule(
        "then",
        "FILTER EXISTS { $rest }",
        "inside EXISTS: each further pattern nested in the one before, most bound first",
    ),
    Rule(
        "none_of",
        "FILTER($predicate NOT IN ($predicates))",
        "negated property sets: one pattern, its predicate a variable",
    ),
    Rule(
        "one_of",
        "FILTER($predicate IN ($predicates))",
        "alternatives inside EXISTS, where it does not matter how often they match",
    ),
    Rule(
        "first_of",
        "FILTER($choices)",
        "alternatives of single steps with an end that is bound: the engine gives a pair of ends"
        " once however many of the steps it takes, so the second counts only without the first",
    ),
    Rule(
        "without",
        "FILTER NOT EXISTS { $rest }",
        "alternatives of single steps as UNION: a branch leaves out what an earlier one gives",
    ),
    Rule(
        "distinct",
        "{ SELECT DISTINCT $names WHERE { $rest } }",
        "alternatives of longer paths: pairs of ends, each once",
    ),
    Rule(
        "projected",
        "{ { SELECT $names WHERE $group } }",
        "COUNT(DISTINCT *): the minted variables must not be counted",
    ),
    Rule(
        "describing",
        "CONSTRUCT $template WHERE $group $values",
        "DESCRIBE: what the engine's own DESCRIBE would construct",
    ),
    Rule(
        "described",
        "{ $group $pattern }",
        "DESCRIBE: the triples of the default graph about each thing described",
    ),
)
RULES: Mapping[str, Rule] = MappingProxyType({rule.name: rule for rule in _ALL})
"""Every rule by its name."""


__all__ = ["RULES", "Rule"]
