"""`srdf:present`: which coordinates it answers, and that it never answers another."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import QueryRefused, ValidationError

EX = "https://example.org/"
ALL = "SELECT ?s ?o { ?s ?p ?o }"
WHO = {"agent": EX + "ann", "source": EX + "hr"}


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, *when):
        self.now = datetime(*when, tzinfo=UTC)

    def __call__(self):
        return self.now


def objects(view, **how):
    return sorted(str(row.o) for row in view.query(ALL, **how))


def strategy_of(view, sparql=ALL):
    return view.explain_plan(sparql).strategy


def obstacle(view, sparql=ALL):
    return view.explain_plan(sparql, strategy=None).obstacles.get("present", "")


@pytest.fixture
def clock():
    return Clock(2026, 6, 1)


@pytest.fixture
def kb(clock):
    with KnowledgeBase.memory(**WHO, clock=clock) as base:
        with base.transaction(reason="import") as tx:
            tx.assert_(EX + "a", EX + "p", "always")
            tx.assert_(EX + "a", EX + "p", "until July", valid_until="2026-07-01")
            tx.assert_(EX + "a", EX + "p", "from July", valid_from="2026-07-01")
            tx.assert_(EX + "a", EX + "p", "in a graph", graph=EX + "g")
        yield base


@pytest.mark.quick
def test_it_answers_from_the_last_commit_until_the_next_boundary(kb, clock):
    view = kb.at()
    assert strategy_of(view) == "present"
    assert objects(view) == ["always", "until July"]
    clock.now = datetime(2026, 6, 30, 23, 59, tzinfo=UTC)
    assert strategy_of(kb.at()) == "present"
    clock.now = datetime(2026, 7, 1, tzinfo=UTC)
    after = kb.at()
    assert "2026-07-01T00:00:00Z" in obstacle(after)
    assert objects(after) == ["always", "from July"]
    kb.refresh_present()
    assert not obstacle(kb.at())
    assert objects(after, strategy="present") == ["always", "from July"]
    assert "2026-07-01T00:00:00Z" in obstacle(view)
    assert objects(view) == ["always", "until July"]


@pytest.mark.quick
def test_a_commit_brings_what_merely_began_and_ended(kb, clock):
    clock.now = datetime(2026, 8, 1, tzinfo=UTC)
    with kb.transaction(reason="another") as tx:
        tx.assert_(EX + "b", EX + "p", "new")
    assert strategy_of(kb.at()) == "present"
    assert objects(kb.at(), strategy="present") == ["always", "from July", "new"]


@pytest.mark.quick
def test_what_is_withdrawn_leaves_it_at_once(kb):
    before = kb.at()
    with kb.transaction(reason="wrong") as tx:
        tx.withdraw((EX + "a", EX + "p", "always"))
    assert objects(kb.at(), strategy="present") == ["until July"]
    assert objects(before) == ["always", "until July"]
    with pytest.raises(QueryRefused) as refused:
        before.query(ALL, strategy="present")
    assert refused.value.code == "strategy_not_applicable"


@pytest.mark.quick
@pytest.mark.parametrize(
    "sparql",
    [
        f"SELECT ?s ?o {{ GRAPH <{EX}g> {{ ?s ?p ?o }} }}",
        f"SELECT ?s ?o FROM <{EX}g> {{ ?s ?p ?o }}",
        f"SELECT ?s ?o FROM NAMED <{EX}g> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        "SELECT ?s ?o { ?s ?p ?x FILTER EXISTS { GRAPH ?g { ?s ?p ?o } } }",
    ],
)
def test_graphs_are_never_asked_of_it(kb, sparql):
    assert strategy_of(kb.at(), ALL) == "present"
    assert strategy_of(kb.at(), sparql) != "present"
    with pytest.raises(QueryRefused):
        kb.at().query(sparql, strategy="present")


@pytest.mark.quick
def test_no_view_sees_its_graph_even_beside_a_user_graph_of_that_name(kb):
    graphs = kb.at().query("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")
    assert [str(row.g) for row in graphs] == [EX + "g"]
    seen = kb.record.query("SELECT ?g { GRAPH ?g { ?s ?p 'always' } }")
    assert len(seen) == 2
    present = "https://w3id.org/semantica-rdf/ns#present"
    with kb.transaction(reason="odd") as tx:
        tx.assert_(EX + "a", EX + "p", "x", graph=present)
    for strategy in ("rewrite", "materialise"):
        rows = kb.at().query(f"SELECT ?o {{ GRAPH <{present}> {{ ?s ?p ?o }} }}", strategy=strategy)
        assert [str(row.o) for row in rows] == ["x"]
    assert objects(kb.at(), strategy="present") == ["always", "until July"]


@pytest.mark.quick
def test_a_bulk_commit_leaves_it_behind_and_says_so(kb):
    with kb.transaction(reason="bulk") as tx:
        for number in range(1_001):
            tx.assert_(EX + f"s{number}", EX + "p", number)
    assert "refresh_present" in obstacle(kb.at())
    assert len(kb.at().query(ALL)) == 1_003
    with kb.transaction(reason="small") as tx:
        tx.assert_(EX + "b", EX + "p", "new")
    assert "refresh_present" in obstacle(kb.at())
    kb.refresh_present()
    assert strategy_of(kb.at()) == "present"
    assert len(kb.at().query(ALL, strategy="present")) == 1_004
    assert kb.verify().ok


@pytest.mark.quick
def test_each_namespace_has_its_own(kb):
    with kb.transaction(reason="secret", namespace="hr") as tx:
        tx.assert_(EX + "a", EX + "p", "of hr")
    assert objects(kb.at(namespace="hr"), strategy="present") == ["of hr"]
    assert objects(kb.at(), strategy="present") == ["always", "until July"]
    assert objects(kb.at(namespace="none"), strategy="present") == []


@pytest.mark.quick
def test_a_clock_that_runs_back_is_not_answered_by_it(kb, clock):
    clock.now = datetime(2026, 6, 20, tzinfo=UTC)
    kb.refresh_present()
    assert strategy_of(kb.at()) == "present"
    clock.now = datetime(2026, 6, 10, tzinfo=UTC)
    assert "2026-06-20" in obstacle(kb.at())
    assert objects(kb.at()) == ["always", "until July"]


def test_it_stands_after_reopening_also_for_readers(tmp_path, clock):
    path = tmp_path / "kb"
    with (
        KnowledgeBase.open(path, **WHO, clock=clock) as base,
        base.transaction(reason="import") as tx,
    ):
        tx.assert_(EX + "a", EX + "p", "x")
    with KnowledgeBase.open(path, **WHO, clock=clock, read_only=True) as base:
        assert objects(base.at(), strategy="present") == ["x"]
        with pytest.raises(ValidationError) as refused:
            base.refresh_present()
        assert refused.value.code == "read_only"
    with KnowledgeBase.open(path, **WHO, clock=clock) as base:
        with base.transaction(reason="more") as tx:
            tx.assert_(EX + "a", EX + "p", "y")
        assert objects(base.at(), strategy="present") == ["x", "y"]


@pytest.mark.parametrize("where", ["memory", "disk"])
def test_views_pinned_while_it_moves_never_change(tmp_path, clock, where):
    base = (
        KnowledgeBase.memory(**WHO, clock=clock)
        if where == "memory"
        else KnowledgeBase.open(tmp_path / "kb", **WHO, clock=clock)
    )
    failures, by_present, done = [], [], threading.Event()

    def ask():
        while not done.is_set():
            view = base.at()
            if strategy_of(view) == "present":
                by_present.append(view)
            first = objects(view)
            again = [objects(view) for _ in range(3)]
            oracle = objects(view, strategy="rewrite")
            if any(rows != oracle for rows in (first, *again)):
                failures.append((first, again, oracle))

    with base:
        write(base, clock, 0)
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(1, 120):
            write(base, clock, number)
            if number % 10 == 0:
                base.refresh_present()
        done.set()
        for thread in threads:
            thread.join()
        assert not failures
        assert by_present
        assert base.verify().ok


def write(base, clock, number):
    """Write a fact that ends soon, take an earlier one back, and let time pass over boundaries."""
    with base.transaction(reason="a step") as tx:
        until = clock.now + timedelta(hours=5)
        tx.assert_(EX + f"s{number % 7}", EX + "p", number, valid_until=until)
        if number % 3 == 2:
            tx.withdraw((EX + f"s{(number - 1) % 7}", EX + "p", number - 1))
    clock.now += timedelta(hours=1)
