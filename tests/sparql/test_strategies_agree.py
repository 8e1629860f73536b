"""
Law: any query at any coordinate, the strategies and a plain store of the oracle's triples agree.

As multisets of rows; what a strategy refuses it must refuse by name. The oracle's store holds real
blank nodes where the query looks at what a term is, and skolem IRIs where it looks at their text.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from sparql import random_queries
from sparql.record_among_decoys import PREFIXES, answer, record

from semantica_rdf.errors import QuerySyntaxError
from semantica_rdf.sparql.front import prepared
from semantica_rdf.view.strategy import STRATEGIES

MAX_SCANNED = 8
"""Rewriting a scan of more rows lacks nothing but time: it joins all rows of the record."""


def expected(among, coordinate, text):
    """Return what the engine answers over the oracle's triples."""
    looks_at_kind = "isBlank" in text or "isIRI" in text
    blank = looks_at_kind and "STR(" not in text and "DESCRIBE" not in text
    if looks_at_kind and not blank:
        (text,) = prepared(text, prefixes=PREFIXES).plain
    return answer(among.plain(coordinate, blank=blank).query(text, prefixes=PREFIXES))


def check(among, view, text, seen):
    """Ask a query every way it may be answered, and the way the rules choose."""
    try:
        wanted = expected(among, view.coordinate, text)
    except SyntaxError:
        with pytest.raises(QuerySyntaxError):
            view.query(text)
        seen["no SPARQL"] += 1
        return
    plan = view.explain_plan(text, strategy="materialise")
    shape = prepared(text, prefixes=PREFIXES).shape
    for strategy in STRATEGIES:
        if strategy in plan.obstacles:
            continue
        if strategy == "rewrite" and not shape.selective and _rows(view, text) > MAX_SCANNED:
            seen["scans not rewritten"] += 1
            continue
        found = answer(view.query(text, strategy=strategy))
        assert found == wanted, (strategy, view.coordinate.text, text)
        seen[strategy] += 1
    assert answer(view.query(text)) == wanted
    seen["transitive"] += shape.transitive
    seen["queries"] += 1
    seen["with rows"] += bool(wanted if isinstance(wanted, bool | set) else wanted.rows)
    event(plan.obstacles.get("rewrite", "rewritten"))


def _rows(view, text):
    return view.explain_plan(text, strategy="rewrite").text.count("GRAPH ?srdf__row")


def run(examples, records):
    """Check so many random queries over records of some seeds; return what was seen."""
    seen = Counter()

    @settings(settings.default, max_examples=examples)
    @given(st.sampled_from(records), st.randoms(use_true_random=False))
    def every_strategy_answers_alike(seed, rng):
        among = record(seed)
        check(among, rng.choice(among.views()), random_queries.query(rng), seen)

    every_strategy_answers_alike()
    return seen


def assert_telling(seen):
    """See to it that the law was tried: each strategy often, and with something to answer."""
    assert seen["rewrite"] > 0.6 * (seen["queries"] - seen["transitive"])
    assert seen["present"] > 0.05 * seen["queries"]
    assert seen["with rows"] > 0.15 * seen["queries"]
    assert seen["no SPARQL"] < 0.3 * seen["queries"]


def test_every_strategy_answers_as_the_oracle_does():
    assert_telling(run(2_000, range(8)))


@pytest.mark.long
def test_every_strategy_answers_as_the_oracle_does_in_many_records():
    for first in range(0, 400, 20):
        assert_telling(run(1_000, range(first, first + 20)))
