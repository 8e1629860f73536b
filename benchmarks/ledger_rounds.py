"""
One round after another of the ledger and its rivals, each writing the same facts to a fresh directory.

A fact is a person who works for a company from a day on, said by one source. All of a round's
contenders get the same strings and build their own terms while the clock runs.
"""

from __future__ import annotations

import gc
import shutil
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
from rivals import Tiramemsu

from semantica_rdf import Iri, KnowledgeBase, iri

EX = "https://example.org/"
SOURCE, AGENT, WORKS_FOR = EX + "hr", EX + "people/ann", EX + "worksFor"
BARE, SOURCED = "tiramemsu, no source", "tiramemsu, source as a layer"
NAMES = ("ours", "raw extend", "raw bulk_extend", BARE, SOURCED, "single", "bare SQLite commit")


class Fact(NamedTuple):
    """What a contender is given: subject and object IRIs, the first instant."""

    subject: str
    value: str
    valid_from: str


@dataclass
class Figures:
    """Seconds of each contender in each round; bytes on disk of the last."""

    facts: int
    absent: str
    seconds: dict[str, list[float]] = field(default_factory=dict)
    disk: int = 0
    raw_disk: int = 0

    def note(self, name: str, seconds: float) -> None:
        """Add one round's figure."""
        self.seconds.setdefault(name, []).append(seconds)

    def median(self, name: str) -> float:
        """Return the median of a contender's rounds, in seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, above: str, below: str) -> float:
        """Return the median over the rounds of one contender's seconds over another's."""
        pairs = zip(self.seconds[above], self.seconds[below], strict=True)
        return statistics.median(first / second for first, second in pairs)


def facts_of(count: int) -> list[Fact]:
    """Return `count` facts: a thousand companies, a thousand first days."""
    return [
        Fact(
            f"{EX}person/{number}",
            f"{EX}company/{number % 1000}",
            f"20{number % 20:02}-{number % 12 + 1:02}-{number % 28 + 1:02}T00:00:00Z",
        )
        for number in range(count)
    ]


def measured(
    directory: Path, rival: Tiramemsu, *, facts: int, rounds: int, asserts: int
) -> Figures:
    """Return the figures of so many rounds; each round's files are removed after it."""
    figures = Figures(facts, rival.absent, {name: [] for name in NAMES})
    given = facts_of(facts)
    for number in range(rounds):
        here = directory / str(number)
        here.mkdir()
        _raw_round(figures, here, given)
        _our_round(figures, here / "kb", given, asserts)
        for name, form in ((BARE, "bare"), (SOURCED, "sourced")):
            seconds = rival.bulk_add(here / f"{form}.db", facts, form=form)
            if seconds is not None:
                figures.note(name, seconds)
        shutil.rmtree(here)
    return figures


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _raw_round(figures: Figures, here: Path, facts: list[Fact]) -> None:
    for name, method in (("raw extend", "extend"), ("raw bulk_extend", "bulk_extend")):
        store = ox.Store(str(here / method))
        write = getattr(store, method)
        figures.note(name, _timed(lambda write=write: write(nine_quads(facts))))
        store.flush()
        del store, write
    ox.Store(str(here / "bulk_extend")).flush()
    figures.raw_disk = _bytes_below(here / "bulk_extend")


def nine_quads(facts: Iterable[Fact]) -> Iterator[ox.Quad]:
    """Return what the ledger stores for a fact, and nothing else: eight of the statement, its row."""
    rdf, srdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "https://w3id.org/semantica-rdf/ns#"
    date_time = ox.NamedNode("http://www.w3.org/2001/XMLSchema#dateTime")
    now = "2026-12-01T00:00:00.123456Z"
    for number, fact in enumerate(facts, start=1):
        node = ox.NamedNode(f"https://w3id.org/semantica-rdf/id/0123456789ab/1-{number}")
        subject, value = ox.NamedNode(fact.subject), ox.NamedNode(fact.value)
        predicate = ox.NamedNode(WORKS_FOR)
        yield ox.Quad(node, ox.NamedNode(rdf + "type"), ox.NamedNode(rdf + "Statement"))
        yield ox.Quad(node, ox.NamedNode(rdf + "subject"), subject)
        yield ox.Quad(node, ox.NamedNode(rdf + "predicate"), predicate)
        yield ox.Quad(node, ox.NamedNode(rdf + "object"), value)
        yield ox.Quad(node, ox.NamedNode(srdf + "source"), ox.NamedNode(SOURCE))
        start = ox.Literal(fact.valid_from, datatype=date_time)
        yield ox.Quad(node, ox.NamedNode(srdf + "validFrom"), start)
        recorded = ox.Literal(now, datatype=date_time)
        yield ox.Quad(node, ox.NamedNode(srdf + "recordedAt"), recorded)
        transaction = ox.NamedNode("https://w3id.org/semantica-rdf/id/0123456789ab/1-0")
        yield ox.Quad(node, ox.NamedNode(srdf + "transaction"), transaction)
        yield ox.Quad(subject, predicate, value, node)


def _our_round(figures: Figures, path: Path, facts: list[Fact], asserts: int) -> None:
    with KnowledgeBase.open(path, agent=AGENT, source=SOURCE) as base:
        figures.note("ours", _timed(lambda: _bulk_add(base, facts)))
    figures.note("reopen", _timed(lambda: KnowledgeBase.open(path).close()))
    figures.disk = _bytes_below(path)
    with KnowledgeBase.open(path, agent=AGENT, source=SOURCE) as base:
        figures.note("verify", _timed(lambda: _verified(base)))
        _single_round(figures, base, path.with_name("bare.sqlite"), asserts)


def _bulk_add(base: KnowledgeBase, facts: list[Fact]) -> None:
    with base.transaction(reason="import") as tx:
        for fact in facts:
            tx.assert_(fact.subject, WORKS_FOR, Iri(fact.value), valid_from=fact.valid_from)


def _verified(base: KnowledgeBase) -> None:
    report = base.verify()
    if not report.ok:
        raise AssertionError(str(report))


def _single_round(figures: Figures, base: KnowledgeBase, bare: Path, count: int) -> None:
    """Let single commits of both take turns, one by one: what a sync costs changes by the second."""
    connection = sqlite3.connect(bare, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE rows(number INTEGER PRIMARY KEY, text TEXT)")
    company = iri(EX + "company/1")
    ours, theirs = [], []
    for number in range(count):
        start = time.perf_counter()
        with base.transaction(reason="one") as tx:
            tx.assert_(f"{EX}single/{number}", WORKS_FOR, company, valid_from="2026-01-01")
        between = time.perf_counter()
        connection.execute("INSERT INTO rows VALUES (?, ?)", (number, "one row"))
        theirs.append(time.perf_counter() - between)
        ours.append(between - start)
    connection.close()
    figures.note("single", statistics.median(ours))
    figures.note("bare SQLite commit", statistics.median(theirs))


def _bytes_below(path: Path) -> int:
    return sum(item.stat().st_size for item in path.rglob("*") if item.is_file())
