"""
The rewriter's rules on trial: for each a query that uses it, and another form of the same meaning.

A form is put in a rule's place while the query is rewritten, so that the two texts differ in it
alone. Where no other form is known, the same query runs over a plain store of the view's triples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from string import Template
from typing import Any, NamedTuple
from unittest import mock

from people_history import DRAFTS, EX, MINUTES
from view_queries import KNOWS, LOCATED_IN, SRDF, WORKS_FOR

from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.sparql import matching, paths, rewriting
from semantica_rdf.sparql.rules import RULES

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PLAIN = "plain store"
NAME = f"<{EX}name>"

Put = Callable[..., str]


class Trial(NamedTuple):
    """A rule, a query about `$who` that uses it, what it is held against, a note on the query."""

    rule: str
    query: str
    against: str
    form: Put | None = None
    patched: tuple[tuple[Any, str, Any], ...] = ()
    namespace: str = DEFAULT_NAMESPACE
    note: str = ""

    @contextmanager
    def alternative(self) -> Iterator[None]:
        """Let the rewriter use the other form for a block."""
        rules = dict(RULES) if self.form is None else {**RULES, self.rule: _Form(self.form)}
        with (
            mock.patch.object(matching, "RULES", rules),
            mock.patch.object(rewriting, "RULES", rules),
        ):
            stack = [mock.patch.object(*each) for each in self.patched]
            for each in stack:
                each.start()
            try:
                yield
            finally:
                for each in stack:
                    each.stop()


class _Form(NamedTuple):
    put: Put


def _text(text: str) -> Put:
    return lambda **holes: Template(text).substitute(holes)


def _optional(word: str, letter: str, condition: str) -> Put:
    """Return a condition on a part a row may lack, as OPTIONAL instead of NOT EXISTS."""
    return _text(
        f"OPTIONAL {{ $row <{SRDF}{word}> ?srdf__{letter} }}"
        f" FILTER(!BOUND(?srdf__{letter}){condition})"
    )


def _unequal(predicate: str, predicates: str) -> str:
    parts = (f"{predicate} != {one}" for one in predicates.split(", "))
    return f"FILTER({' && '.join(parts)})"


def _values(graph: str, graphs: str) -> str:
    return f"VALUES {graph} {{ {graphs.replace(',', ' ')} }}"


POINT = f"SELECT ?o WHERE {{ $who {WORKS_FOR} ?o }}"
FRIENDS = f"SELECT ?o WHERE {{ $who {KNOWS} ?o FILTER EXISTS {{ $inside }} }}"
COLLEAGUES = f"SELECT ?o WHERE {{ $who {WORKS_FOR} ?o FILTER EXISTS {{ $inside }} }}"
FIRST, SECOND = f"<{MINUTES}/0>", f"<{MINUTES}/1>"
COLLEAGUE, MINE = f"?x {WORKS_FOR} ?o", f"$who {WORKS_FOR} ?o"


def _with(text: str, inside: str) -> str:
    return text.replace("$inside", inside)


JOINED, FILTERED, OPTIONAL = "joined", "correlated filter", "OPTIONAL and !BOUND"


def _of_graphs(rule: str, inside: str, form: str) -> Iterator[Trial]:
    """Yield the trials of a rule for GRAPH inside EXISTS: one row to look at, or many."""
    for note, pattern in (("one match", MINE), ("many matches", COLLEAGUE)):
        query = _with(COLLEAGUES, inside.replace("$pattern", pattern))
        yield Trial(rule, query, JOINED, _text(form), note=note)


TRIALS = (
    Trial(
        "row",
        POINT,
        "reified statement",
        _text(
            f"$row <{RDF}subject> $subject . $row <{RDF}predicate> $predicate ."
            f" $row <{RDF}object> $object ."
        ),
    ),
    Trial(
        "known",
        POINT,
        FILTERED,
        _text(f"FILTER EXISTS {{ $row <{SRDF}recordedAt> $time FILTER($time <= $known_at) }}"),
    ),
    Trial(
        "known_correlated",
        _with(FRIENDS, f"?o {WORKS_FOR} ?c"),
        JOINED,
        _text(f"$row <{SRDF}recordedAt> ?srdf__r . FILTER(?srdf__r <= $known_at)"),
    ),
    Trial(
        "together",
        f"SELECT ?b WHERE {{ $who {KNOWS} ?a . ?a {KNOWS} ?b }}",
        "conditions side by side",
        _text("$row"),
    ),
    Trial("begun", POINT, OPTIONAL, _optional("validFrom", "f", " || ?srdf__f <= $valid_at")),
    Trial("not_ended", POINT, OPTIONAL, _optional("validUntil", "u", " || ?srdf__u > $valid_at")),
    Trial(
        "not_superseded",
        POINT,
        OPTIONAL,
        _optional("supersededAt", "x", " || ?srdf__x > $known_at"),
    ),
    Trial("default_namespace", POINT, OPTIONAL, _optional("namespace", "n", "")),
    Trial(
        "other_namespace",
        POINT,
        FILTERED,
        _text(f"FILTER EXISTS {{ $row <{SRDF}namespace> $namespace }}"),
        namespace=DRAFTS,
    ),
    Trial(
        "other_namespace_correlated",
        _with(COLLEAGUES, COLLEAGUE),
        JOINED,
        _text(f"$row <{SRDF}namespace> $namespace ."),
        namespace=DRAFTS,
    ),
    Trial("default_graph", POINT, OPTIONAL, _optional("inGraph", "g", "")),
    Trial(
        "user_graph",
        f"SELECT ?o WHERE {{ GRAPH {FIRST} {{ $who {WORKS_FOR} ?o }} }}",
        FILTERED,
        _text(f"FILTER EXISTS {{ $row <{SRDF}inGraph> $graph }}"),
    ),
    *_of_graphs(
        "user_graph_correlated",
        f"GRAPH {FIRST} {{ $pattern }}",
        f"$row <{SRDF}inGraph> $graph .",
    ),
    *_of_graphs(
        "user_graph_named",
        "GRAPH ?g { $pattern }",
        f"$row <{SRDF}inGraph> $graph . $rest",
    ),
    Trial(
        "among_graphs",
        f"SELECT ?g ?o FROM NAMED {FIRST} FROM NAMED {SECOND}"
        f" WHERE {{ GRAPH ?g {{ $who {WORKS_FOR} ?o }} }}",
        "VALUES",
        _values,
    ),
    Trial("no_graph", f"SELECT ?o FROM NAMED {FIRST} WHERE {{ $who {WORKS_FOR} ?o }}", PLAIN),
    Trial(
        "then",
        _with(FRIENDS, f"?o {WORKS_FOR} ?c . ?c {LOCATED_IN} ?city"),
        "flat join",
        _text("$rest"),
    ),
    Trial("none_of", f"SELECT ?o WHERE {{ $who !({KNOWS}|{NAME}) ?o }}", "chain of !=", _unequal),
    Trial(
        "one_of",
        _with(FRIENDS, f"?o ({WORKS_FOR}|{LOCATED_IN}) ?c"),
        "UNION",
        patched=((paths.Choice, "parallel", False),),
    ),
    *(
        Trial(
            "first_of",
            f"SELECT ?o WHERE {{ {pattern} }}",
            "UNION, NOT EXISTS",
            patched=((matching.Matching, "_anchored", lambda self, choice: False),),  # noqa: ARG005
            note=note,
        )
        for note, pattern in (
            ("a given end", f"$who ({WORKS_FOR}|{KNOWS}) ?o"),
            ("an end bound by a join", f"$who {KNOWS} ?f . ?f ({WORKS_FOR}|{KNOWS}) ?o"),
        )
    ),
    Trial(
        "without",
        f"SELECT ?a ?b WHERE {{ ?a ({WORKS_FOR}|{LOCATED_IN}) ?b }}",
        "SELECT DISTINCT",
        patched=((paths.Choice, "single", ()),),
    ),
    Trial(
        "distinct", f"SELECT ?o WHERE {{ $who ({KNOWS}/{WORKS_FOR})|({KNOWS}/{KNOWS}) ?o }}", PLAIN
    ),
    Trial("projected", f"SELECT (COUNT(DISTINCT *) AS ?n) WHERE {{ $who {KNOWS} ?o }}", PLAIN),
    Trial("describing", "DESCRIBE $who", PLAIN),
    Trial("described", f"DESCRIBE ?o WHERE {{ $who {KNOWS} ?o }}", PLAIN),
)
"""At least one trial a rule, in the order of the rules."""
