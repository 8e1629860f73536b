"""
The W3C suites of SPARQL 1.0 and 1.1, each test's data among facts that do not hold.

Run as a program it prints the report: `PYTHONPATH=tests python tests/sparql/w3c_suite.py`.
Every test that the engine alone passes over the plain data is asked of a view by each strategy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
from sparql.w3c_answers import GRAPHS, Answer, Manner, comparable, expected, of_engine, of_view

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import SemanticaError
from semantica_rdf.shacl.shapes_graph import ShapesGraph
from semantica_rdf.view.view import View

ROOT = Path(__file__).resolve().parents[2]
SUITES = ROOT.parent / "shared" / "data" / "w3c-sparql"
MANIFESTS = (
    "sparql10/manifest-evaluation.ttl",
    "sparql11/manifest-sparql11-query.ttl",
    "sparql11/csv-tsv-res/manifest.ttl",
    "sparql11/json-res/manifest.ttl",
)
BASE = "https://example.org/w3c/"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
KINDS = {MF + "QueryEvaluationTest", MF + "CSVResultFormatTest"}
STRATEGIES = ("present", "rewrite", "materialise")
PASSED = "passed"
NOT_APPLICABLE = "not applicable"
EXCEPTIONS = {
    "sparql10/sort/dawg-sort-8": "ORDER BY puts blank nodes before IRIs; the record holds them as skolem IRIs",
}
"""Tests that the engine alone passes and a view does not, and why."""


class Case(NamedTuple):
    """One test: the IRIs of its query, its graphs, and what it expects."""

    name: str
    query: str
    default: tuple[str, ...]
    named: tuple[str, ...]
    result: str
    lax: bool

    @property
    def text(self) -> str:
        """The query, told its base."""
        return f"BASE <{self.query}>\n{path_of(self.query).read_text(encoding='utf-8')}"

    @property
    def manner(self) -> Manner:
        """How answers are compared."""
        tail = self.text.rsplit("}", 1)[-1]
        ordered = re.search(r"\border\s+by\b", tail, re.IGNORECASE) is not None
        return Manner(ordered, self.lax, self.result.endswith(".csv"))


def path_of(iri: str) -> Path:
    return SUITES / iri.removeprefix(BASE)


@cache
def parsed(iri: str) -> tuple[ox.Quad, ...]:
    path = path_of(iri)
    return tuple(ox.parse(path=path, format=GRAPHS[path.suffix], base_iri=iri))


@cache
def cases() -> tuple[Case, ...]:
    """Return every evaluation test that the manifests name."""
    return tuple(case for name in MANIFESTS for case in _cases_of(BASE + name))


def _cases_of(manifest: str) -> Iterator[Case]:
    graph = ShapesGraph(parsed(manifest), manifest)
    for node, head in graph.pairs(MF + "include"):
        for part in graph.members(node, head, MF + "include"):
            yield from _cases_of(part.value)
    for node, head in graph.pairs(MF + "entries"):
        for entry in graph.members(node, head, MF + "entries"):
            if KINDS & {kind.value for kind in graph.objects(entry, TYPE)}:
                yield _case(graph, entry, manifest)


def _case(graph: ShapesGraph, entry, manifest: str) -> Case:
    action = graph.objects(entry, MF + "action")[0]
    query = graph.objects(action, QT + "query")[0].value
    default = tuple(sorted(node.value for node in graph.objects(action, QT + "data")))
    named = {node.value for node in graph.objects(action, QT + "graphData")}
    if not default and not named:
        text = path_of(query).read_text(encoding="utf-8")
        found = re.findall(r"\bFROM\s+(?:NAMED\s+)?<([^>]+)>", text, re.IGNORECASE)
        named = {query.rsplit("/", 1)[0] + "/" + name for name in found}
    folder = manifest.removeprefix(BASE).rsplit("/", 1)[0]
    lax = graph.only(entry, MF + "resultCardinality")
    return Case(
        f"{folder}/{entry.value.rsplit('#', 1)[-1]}",
        query,
        default,
        tuple(sorted(named)),
        graph.objects(entry, MF + "result")[0].value,
        lax is not None,
    )


@lru_cache(maxsize=8)
def quads_of(default: tuple[str, ...], named: tuple[str, ...]) -> tuple[ox.Quad, ...]:
    """Return the data of a test as quads; every file has blank nodes of its own."""
    found = []
    graphs = [(iri, ox.DefaultGraph()) for iri in default]
    graphs += [(iri, ox.NamedNode(iri)) for iri in named]
    for number, (iri, graph) in enumerate(graphs):
        for quad in parsed(iri):
            subject, value = (
                ox.BlankNode(f"f{number}x{term.value}") if isinstance(term, ox.BlankNode) else term
                for term in (quad.subject, quad.object)
            )
            found.append(ox.Quad(subject, quad.predicate, value, graph))
    return tuple(found)


@lru_cache(maxsize=8)
def plain(default: tuple[str, ...], named: tuple[str, ...]) -> ox.Store:
    """Return the data of a test in a store of the engine alone, empty graphs included."""
    store = ox.Store()
    for iri in named:
        store.add_graph(ox.NamedNode(iri))
    store.extend(list(quads_of(default, named)))
    return store


def mutated(quads: tuple[ox.Quad, ...]) -> list[ox.Quad]:
    """Return triples that the data nearly has: other objects, other subjects, other graphs."""
    graphs = [ox.NamedNode(BASE + "decoys"), ox.DefaultGraph()]
    turned = quads[1:] + quads[:1]
    found = [
        ox.Quad(a.subject, a.predicate, b.object, a.graph_name)
        for a, b in zip(quads, turned, strict=True)
    ]
    found += [
        ox.Quad(b.subject, a.predicate, a.object, a.graph_name)
        for a, b in zip(quads, turned, strict=True)
    ]
    found += [ox.Quad(a.subject, a.predicate, a.object, graph) for a in quads for graph in graphs]
    real = set(quads)
    return [quad for quad in dict.fromkeys(found) if quad not in real]


class Among:
    """A record of a test's data among decoys, and the view in which the data alone holds."""

    def __init__(self, quads: tuple[ox.Quad, ...]) -> None:
        self._now = datetime(2026, 1, 1, tzinfo=UTC)
        self.kb = KnowledgeBase.memory(agent=BASE + "ann", source=BASE + "data", clock=self._clock)
        self._near = mutated(quads)
        self._both = [*quads, *self._near]
        self._doubted()
        self._load(self._both, "ended", valid_from="2000-01-01", valid_until="2010-01-01")
        self._load(quads, "data", valid_from="2020-01-01")
        self._load(self._both, "future", valid_from="2090-01-01")
        self._load(self._both, "elsewhere", namespace="other")
        self.kb.refresh_present()
        self.view: View = self.kb.at()

    def _clock(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now

    def _load(self, quads, source: str, **told) -> None:
        if quads:
            text = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
            self.kb.load(text, format="nquads", reason="a test", source=BASE + source, **told)

    def _doubted(self) -> None:
        """Record the data and what is near it, then withdraw half of it and dispute the others."""
        self._load(self._both, "doubted", valid_from="2020-01-01")
        statements = [fact.statements[0] for fact in self.kb.at().facts()]
        with self.kb.transaction(reason="a doubt") as tx:
            for number, statement in enumerate(statements):
                (tx.withdraw if number % 2 else tx.dispute)(statement)
        assert not self.kb.at().facts()

    def later(self) -> None:
        """Record later what the view does not know: that all it says is wrong, and the contrary."""
        self._load(self._near, "later", valid_from="2020-01-01")
        with self.kb.transaction(reason="all wrong") as tx:
            tx.withdraw(source=BASE + "data")


class Outcome(NamedTuple):
    """What came of a test: by the engine alone, by each strategy, and why it is not rewritten."""

    case: Case
    alone: str
    by: dict[str, str]
    obstacle: str


def outcome(case: Case) -> Outcome:
    """Run a test by the engine alone and, where that passes, by each strategy."""
    try:
        wanted = comparable(expected(path_of(case.result), case.result), case.manner)
        found = plain(case.default, case.named).query(case.text)
        alone = _judged(of_engine(found), wanted, case.manner)
    except (SyntaxError, ValueError, OSError) as error:
        return Outcome(case, f"error: {error}", {}, "")
    if alone != PASSED:
        return Outcome(case, alone, {}, "")
    try:
        among = Among(quads_of(case.default, case.named))
    except SemanticaError as error:
        return Outcome(case, PASSED, dict.fromkeys(STRATEGIES, f"not loaded: {error.code}"), "")
    by = {"present": _asked(among.view, case, "present", wanted)}
    if quads_of(case.default, case.named):
        among.later()
    for strategy in ("rewrite", "materialise"):
        by[strategy] = _asked(among.view, case, strategy, wanted)
    return Outcome(case, PASSED, by, _obstacle(among.view, case))


def _judged(answer: Answer, wanted, manner: Manner) -> str:
    return PASSED if comparable(answer, manner) == wanted else "differs"


def _asked(view: View, case: Case, strategy, wanted) -> str:
    try:
        found = view.query(case.text, strategy=strategy)
    except SemanticaError as error:
        return (
            NOT_APPLICABLE if error.code == "strategy_not_applicable" else f"refused: {error.code}"
        )
    return _judged(of_view(found), wanted, case.manner)


def _obstacle(view: View, case: Case) -> str:
    try:
        return view.explain_plan(case.text, strategy="materialise").obstacles.get("rewrite", "")
    except SemanticaError as error:
        return error.code


def transitive(found: Outcome) -> bool:
    """Tell whether a path of any length is what keeps a test from being rewritten."""
    return found.obstacle.startswith("a path with ?, * or +")


def answered(found: Outcome) -> bool:
    """Tell whether a test is answered rightly without materialising."""
    return PASSED in (found.by["present"], found.by["rewrite"])


def report(found: list[Outcome], exceptions: dict[str, str]) -> str:
    """Return the figures as text."""
    counted = [item for item in found if item.alone == PASSED]
    open_to_all = [item for item in counted if not transitive(item)]
    lines = [f"tests: {len(found)}; passed by the engine alone: {len(counted)}"]
    for strategy in STRATEGIES:
        tally = Counter(item.by[strategy] for item in counted)
        lines.append(f"{strategy}: " + ", ".join(f"{n} {what}" for what, n in tally.most_common()))
    good = sum(answered(item) for item in open_to_all)
    rewritten = sum(item.by["rewrite"] == PASSED for item in open_to_all)
    lines += [
        f"without a transitive path: {len(open_to_all)}",
        f"  answered without materialising: {good} ({good / len(open_to_all):.1%})",
        f"  by rewrite alone: {rewritten} ({rewritten / len(open_to_all):.1%})",
        "why not rewritten:",
    ]
    reasons = Counter(item.obstacle for item in counted if item.by["rewrite"] == NOT_APPLICABLE)
    lines += [f"  {n} {why}" for why, n in reasons.most_common()]
    lines += ["exceptions:", *(f"  {name}: {why}" for name, why in exceptions.items())]
    lines += ["not passed by the engine alone, so not counted:"]
    lines += [f"  {item.case.name}: {item.alone}" for item in found if item.alone != PASSED]
    return "\n".join(lines)


def faulty(found: Outcome) -> dict[str, str]:
    """Return the strategies by which a counted test neither passes nor is out of reach."""
    return {name: said for name, said in found.by.items() if said not in {PASSED, NOT_APPLICABLE}}


if __name__ == "__main__":
    print(report([outcome(case) for case in cases()], EXCEPTIONS))
