"""The W3C suites of SPARQL 1.0 and 1.1 at a coordinate, by each strategy, among facts that do not hold."""

from __future__ import annotations

import pytest
from sparql.w3c_answers import Manner, Rows, comparable, expected, of_view
from sparql.w3c_suite import (
    EXCEPTIONS,
    NOT_APPLICABLE,
    PASSED,
    STRATEGIES,
    SUITES,
    Among,
    answered,
    cases,
    faulty,
    outcome,
    path_of,
    quads_of,
    transitive,
)

present = pytest.mark.skipif(not SUITES.is_dir(), reason="the outside data folder is absent")
CASES = cases() if SUITES.is_dir() else ()
SAMPLE = 6
"""The gate runs every sixth test."""

ROWS = Manner(ordered=False, lax=False, csv=False)


def check(case):
    """Hold a test against the engine alone; return what came of it."""
    found = outcome(case)
    if found.alone != PASSED:
        return found
    if case.name in EXCEPTIONS:
        assert faulty(found) or not answered(found)
    else:
        assert not faulty(found)
        assert found.by["materialise"] == PASSED
    assert (found.by["rewrite"] == NOT_APPLICABLE) == bool(found.obstacle)
    return found


@present
@pytest.mark.parametrize("part", range(4))
def test_a_sample_passes_by_each_strategy(part):
    counted = [check(case) for case in CASES[::SAMPLE][part::4]]
    for strategy in STRATEGIES:
        assert sum(found.by.get(strategy) == PASSED for found in counted) > len(counted) // 2


@present
def test_exceptions_are_tests_and_are_needed():
    named = [case for case in CASES if case.name in EXCEPTIONS]
    assert len(named) == len(EXCEPTIONS)
    for case in named:
        check(case)


@present
@pytest.mark.long
def test_the_whole_suites_pass_by_each_strategy():
    found = [check(case) for case in CASES]
    assert len(found) == len({item.case.name for item in found}) == 518
    counted = [item for item in found if item.alone == PASSED]
    assert len(counted) >= 489
    free = [item for item in counted if not transitive(item)]
    assert sum(map(answered, free)) >= 0.95 * len(free)
    assert sum(item.by["rewrite"] == PASSED for item in free) >= 0.95 * len(free)


@present
def test_the_data_holds_in_the_view_and_its_decoys_elsewhere():
    case = next(case for case in CASES if case.name == "sparql11/exists/exists03")
    quads = quads_of(case.default, case.named)
    assert len(case.default) == len(case.named) == 1
    among = Among(quads)
    assert among.view.count() == len(set(quads))
    assert among.kb.at(valid_at="2005-01-01").count() > len(quads)
    assert among.kb.at(valid_at="2095-01-01").count() > len(quads)
    assert among.kb.at(namespace="other").count() > len(quads)
    among.later()
    assert among.view.count() == len(set(quads))
    assert among.kb.at().count() > 0
    assert not {fact.key for fact in among.kb.at().facts()} & {
        fact.key for fact in among.view.facts()
    }


@present
def test_decoys_that_are_let_in_are_noticed():
    """Where the decoys hold too, most tests have other answers, so passing means they are kept out."""
    asked = [case for case in CASES if case.name.startswith("sparql10/optional/")]
    assert len(asked) > 5
    wrong = 0
    for case in asked:
        wanted = comparable(expected(path_of(case.result), case.result), case.manner)
        at = Among(quads_of(case.default, case.named)).kb.at
        assert comparable(of_view(at().query(case.text)), case.manner) == wanted
        decoys_too = at(valid_at="2005-01-01").query(case.text)
        wrong += comparable(of_view(decoys_too), case.manner) != wanted
    assert wrong > len(asked) // 2


@pytest.mark.quick
def test_rows_compare_up_to_blank_nodes_and_as_often_as_they_come():
    import pyoxigraph as ox

    def rows(*labels):
        return Rows(("x", "y"), tuple(tuple(map(ox.BlankNode, pair)) for pair in labels))

    assert comparable(rows("ab", "bc"), ROWS) == comparable(rows("yz", "xy"), ROWS)
    assert comparable(rows("ab", "bc"), ROWS) != comparable(rows("ab", "cb"), ROWS)
    assert comparable(rows("ab", "ab"), ROWS) != comparable(rows("ab"), ROWS)
    lax, ordered = ROWS._replace(lax=True), ROWS._replace(ordered=True)
    assert comparable(rows("ab", "ab"), lax) == comparable(rows("ab"), lax)
    assert comparable(rows("ab", "aa"), ordered) != comparable(rows("aa", "ab"), ordered)
    assert comparable(rows("ab", "aa"), ROWS) == comparable(rows("aa", "ab"), ROWS)
