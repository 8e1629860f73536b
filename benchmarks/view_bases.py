"""
The bases the views are measured on: ours, a table in SQLite, plain stores, each with the same history.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from people_history import (
    AGENT,
    KNOWN_AT,
    RECORDED,
    Act,
    Claim,
    Version,
    history_of,
    instant,
    versions_of,
)

from semantica_rdf import Iri, KnowledgeBase
from semantica_rdf.model.terms import Literal

CHUNK = 50_000
"""Claims in one of our transactions."""

PRESENT = "2024-06-01"
"""What the clock says while views are asked: after all three phases."""

COLUMNS = "subject, predicate, object, sources, valid_from, valid_until"
HELD = "valid_from <= :valid AND valid_until > :valid AND recorded_at <= :known AND superseded_at > :known"


def recorded(path: Path, facts: int, *, minutes: bool = False) -> None:
    """Record the history in a new knowledge base, each phase on its day."""
    claims = list(history_of(facts, minutes=minutes))
    ids: dict[int, str] = {}
    for phase in RECORDED:
        with opened(path, RECORDED[phase]) as base:
            _state(base, [pair for pair in enumerate(claims) if pair[1].phase == phase], ids)
            acts = [
                (ids[number], claim, claim.act)
                for number, claim in enumerate(claims)
                if claim.act is not None and claim.act.phase == phase
            ]
            for chunk in _chunks(acts):
                with base.transaction(reason="corrections") as tx:
                    for statement, claim, act in chunk:
                        _act(tx, statement, claim, act)


def opened(path: Path, day: str = PRESENT) -> KnowledgeBase:
    """Return the base open, its clock standing at a day."""
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return KnowledgeBase.open(path, agent=AGENT, clock=lambda: moment)


def _state(base: KnowledgeBase, stated: list[tuple[int, Claim]], ids: dict[int, str]) -> None:
    for namespace in sorted({claim.namespace for _, claim in stated}):
        there = [pair for pair in stated if pair[1].namespace == namespace]
        for chunk in _chunks(there):
            with base.transaction(reason="import", namespace=namespace) as tx:
                for number, claim in chunk:
                    statement = _assert(tx, claim, claim.source)
                    if claim.act is not None:
                        ids[number] = statement


def _assert(tx: Any, claim: Claim, source: str) -> str:
    return tx.assert_(
        claim.subject, claim.predicate, term_of(claim.object), graph=claim.graph, source=source,
        valid_from=claim.valid_from, valid_until=claim.valid_until,
    )  # fmt: skip


def _act(tx: Any, statement: str, claim: Claim, act: Act) -> None:
    if act.verb == "revise":
        tx.revise(statement, object=term_of(act.value))
    elif act.verb == "retract":
        tx.retract(statement, valid_until=act.value)
    elif act.verb == "withdraw":
        tx.withdraw(statement)
    else:
        _assert(tx, claim, act.value)


def term_of(text: str) -> Iri | Literal:
    """Return the term of an N-Triples text of the history."""
    if text.startswith("<"):
        return Iri(text[1:-1])
    value, _, datatype = text[1:].rpartition('"')
    return Literal(value, datatype[3:-1]) if datatype else Literal(value)


def _chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk


def table(path: Path, facts: int) -> sqlite3.Connection:
    """Return a table of all versions with its indexes, on disk."""
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE facts(subject TEXT, predicate TEXT, object TEXT, sources TEXT,"
        " valid_from INTEGER, valid_until INTEGER, recorded_at INTEGER, superseded_at INTEGER)"
    )
    versions = (
        version for claim in history_of(facts) if claim.plain for version in versions_of(claim)
    )
    connection.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", versions)
    connection.execute("CREATE INDEX by_subject ON facts(subject, predicate)")
    connection.execute("CREATE INDEX by_predicate ON facts(predicate)")
    connection.execute("CREATE INDEX by_object ON facts(object)")
    connection.execute("ANALYZE")
    connection.commit()
    return connection


def coordinate(day: str, known: str = KNOWN_AT) -> dict[str, int]:
    """Return the parameters of `HELD`."""
    return {"valid": instant(day), "known": instant(known)}


def visible(connection: sqlite3.Connection, day: str, known: str = KNOWN_AT) -> list[Any]:
    """Return the rows of the table that hold at a coordinate."""
    asked = f"SELECT {COLUMNS} FROM facts WHERE {HELD}"
    return connection.execute(asked, coordinate(day, known)).fetchall()


def plain_store(rows: Iterable[Version | Sequence[Any]], path: Path | None = None) -> ox.Store:
    """Return a store of nothing but the triples of rows, in memory or on disk."""
    store = ox.Store() if path is None else ox.Store(str(path))
    store.bulk_extend(
        ox.Quad(_engine(row[0]), _engine(row[1]), _engine(row[2]), ox.DefaultGraph())
        for row in rows
    )
    if path is None:
        return store
    store.flush()
    store.optimize()
    del store
    return ox.Store(str(path))


def _engine(text: str) -> Any:
    term = term_of(text)
    if isinstance(term, Iri):
        return ox.NamedNode(term.value)
    return ox.Literal(term.value, datatype=ox.NamedNode(term.datatype))
