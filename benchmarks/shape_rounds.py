"""
Rounds of the gate against none, and of our shape compiler against pySHACL on the same statements.

"Without" is the same write with the gate taken out of the ledger for its turn; the two take turns
one by one. pySHACL gets an rdflib graph already parsed, our compiler a graph in dictionaries.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import pyoxigraph as ox
import pyshacl
import rdflib
from ledger_rounds import AGENT, EX, SOURCE, WORKS_FOR, facts_of

from semantica_rdf import Iri, KnowledgeBase, iri
from semantica_rdf.assets import asset_path
from semantica_rdf.ledger import domain_shapes, gate, terms
from semantica_rdf.shacl import MemoryGraph, compile_shapes

WITH, WITH_OWN, WITHOUT = "the record's shapes", "and a user's", "no gate"
DOMAIN = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <https://example.org/> .
ex:WorkerShape a sh:NodeShape ; sh:targetSubjectsOf ex:worksFor ;
  sh:property [ sh:path ex:worksFor ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ;
  sh:property [ sh:path ex:email ; sh:maxCount 1 ; sh:pattern "^[^@ ]+@[^@ ]+$" ] .
"""


@dataclass
class ShapeFigures:
    """Seconds of each kind in each round, per write or per fact."""

    durable: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[str, list[float]] = field(default_factory=dict)
    judged: dict[str, list[float]] = field(default_factory=dict)

    @staticmethod
    def ratio(kind: dict[str, list[float]], above: str, below: str) -> float:
        """Return the median over the rounds of one figure over another."""
        pairs = zip(kind[above], kind[below], strict=True)
        return statistics.median(first / second for first, second in pairs)


def measured_shapes(directory: Path, *, facts: int, rounds: int, asserts: int) -> ShapeFigures:
    """Return the figures of so many rounds: `asserts` single writes, `facts` statements judged."""
    figures = ShapeFigures()
    for number in range(rounds):
        with KnowledgeBase.open(directory / str(number), agent=AGENT, source=SOURCE) as base:
            base.shapes.add(DOMAIN.encode(), name="workers", reason="rules")
            for kind, seconds in _singles(base, asserts).items():
                figures.durable.setdefault(kind, []).append(seconds)
        for kind in (WITH, WITHOUT):
            figures.memory.setdefault(kind, []).append(_in_memory(kind, facts))
        _judge(figures, facts)
    return figures


@contextmanager
def _gated(kind: str) -> Iterator[None]:
    """Take the gate, or the user's part of it, out of the ledger for a block."""
    with ExitStack() as changed:
        if kind == WITHOUT:
            changed.enter_context(mock.patch.object(gate.Gate, "check", _pass))
            changed.enter_context(mock.patch.object(terms, "check_transaction", _pass))
        if kind != WITH_OWN:
            changed.enter_context(
                mock.patch.object(domain_shapes.DomainShapes, "in_force", return_value=())
            )
        yield


def _pass(*_: object) -> None:
    return None


def _singles(base: KnowledgeBase, count: int) -> dict[str, float]:
    """Let single durable writes with and without the gate take turns."""
    company = iri(EX + "company/1")
    taken: dict[str, list[float]] = {WITH: [], WITH_OWN: [], WITHOUT: []}
    for number in range(count):
        for kind, seconds in taken.items():
            with _gated(kind):
                start = time.perf_counter()
                with base.transaction(reason="one") as tx:
                    subject = f"{EX}{kind.replace(' ', '-')}/{number}"
                    tx.assert_(subject, WORKS_FOR, company, valid_from="2026-01-01")
                seconds.append(time.perf_counter() - start)
    return {kind: statistics.median(seconds) for kind, seconds in taken.items()}


def _in_memory(kind: str, count: int) -> float:
    """Return the seconds per claim of one transaction that is thrown away before its commit."""
    base = KnowledgeBase.memory(agent=AGENT, source=SOURCE)
    given = facts_of(count)
    with _gated(kind), base.transaction(reason="import") as tx:
        start = time.perf_counter()
        for fact in given:
            tx.assert_(fact.subject, WORKS_FOR, Iri(fact.value), valid_from=fact.valid_from)
        seconds = time.perf_counter() - start
        tx.discard()
    return seconds / count


def _judge(figures: ShapeFigures, facts: int) -> None:
    """Judge the same statements by `shapes/statement.ttl`, with ours and with pySHACL."""
    record = _record(facts)
    path = asset_path("shapes") / "statement.ttl"
    shapes = compile_shapes(ox.parse(path=path), path.name)
    data = MemoryGraph(ox.parse(record, format=ox.RdfFormat.N_TRIPLES))
    start = time.perf_counter()
    report = shapes.validate(data)
    figures.judged.setdefault("ours", []).append((time.perf_counter() - start) / facts)
    few = min(facts, 300)
    graph = rdflib.Graph().parse(data=_record(few), format="nt")
    theirs = rdflib.Graph().parse(path)
    start = time.perf_counter()
    conforms, *_ = pyshacl.validate(graph, shacl_graph=theirs)
    figures.judged.setdefault("pySHACL", []).append((time.perf_counter() - start) / few)
    if not (conforms and report.conforms and sum(report.focus_counts.values()) == facts):
        raise AssertionError(str(report))


def _record(facts: int) -> bytes:
    base = KnowledgeBase.memory(agent=AGENT, source=SOURCE)
    with base.transaction(reason="import") as tx:
        for fact in facts_of(facts):
            tx.assert_(fact.subject, WORKS_FOR, Iri(fact.value), valid_from=fact.valid_from)
    return base.export(format="nt") or b""


def shape_rows(figures: ShapeFigures) -> list[list[str]]:
    """Return the table's rows: what, ours, against, its figure, ratio, asked, met."""
    rows = [
        _cost("one durable assert_", figures.durable, WITH, 1.3),
        _cost("one durable assert_", figures.durable, WITH_OWN, 1.3),
        _cost("one claim, before its commit", figures.memory, WITH, None),
    ]
    ratio = figures.ratio(figures.judged, "pySHACL", "ours")
    ours, theirs = (1 / statistics.median(figures.judged[name]) for name in ("ours", "pySHACL"))
    met = "yes" if ratio >= 30 else "no"
    judged = ["statements judged", f"{ours:,.0f}/s", "pySHACL", f"{theirs:,.0f}/s"]
    return [*rows, [*judged, f"{ratio:.0f}", "≥ 30", met]]


def _cost(what: str, kind: dict[str, list[float]], above: str, most: float | None) -> list[str]:
    ratio = ShapeFigures.ratio(kind, above, WITHOUT)
    ours, theirs = (1e6 * statistics.median(kind[name]) for name in (above, WITHOUT))
    asked = "" if most is None else f"≤ {most}"
    met = "" if most is None else ("yes" if ratio <= most else "no")
    told = [f"{what}, {above}", f"{ours:,.0f} µs", WITHOUT, f"{theirs:,.0f} µs"]
    return [*told, f"{ratio:.2f}", asked, met]
