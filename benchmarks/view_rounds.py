"""
The contests of views, over one history: what is asked of whom, and how many times its seconds we may take.

Each contest that scans asks at a day of its own in every round, so that no contender, we least of
all, answers from what it kept. Those about warm views and the present stay at one day.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from contests import OURS, Answering, Contest, Line, Rows, answering
from people_history import KNOWN_AT, OPEN_END, OPEN_START, person
from rivals import Tiramemsu, TiramemsuViews
from view_bases import (
    COLUMNS,
    HELD,
    PRESENT,
    coordinate,
    opened,
    plain_store,
    recorded,
    table,
    visible,
)
from view_queries import (
    ALL,
    ANALYTIC,
    BY_GROUP,
    COUNT,
    SCAN,
    SELECTIVE,
    WORKS_FOR,
    about,
    by_hand,
)

from semantica_rdf import Iri, KnowledgeBase
from semantica_rdf.view.results import Solutions
from semantica_rdf.view.view import View

RAW, TABLE, TIRAMEMSU = "raw form, same store", "SQLite table", "tiramemsu"
PLAIN, PLAIN_DISK = "plain store in memory", "plain store on disk"
WARM = "2019-02-01"
"""The day of the views that are warm."""

QUESTIONS = 40
"""How many people a round of a selective query asks about."""


@dataclass
class Bases:
    """Everything that holds the history of so many facts; `rival` is None where it is absent."""

    facts: int
    base: KnowledgeBase
    table: sqlite3.Connection
    present: ox.Store
    rival: TiramemsuViews | None
    plain: ox.Store = field(init=False)

    def __post_init__(self) -> None:
        self.plain = plain_store(visible(self.table, WARM))

    @property
    def raw(self) -> ox.Store:
        """The store of our base, as bare pyoxigraph."""
        return self.base._base.store.raw  # noqa: SLF001 - the very store, its caches included

    def view(self, day: str) -> View:
        """Return the view at a day, as known after the second phase."""
        return self.base.at(valid_at=day, known_at=KNOWN_AT)


def built(stack: ExitStack, directory: Path, rival: Tiramemsu, facts: int) -> Bases:
    """Return the bases, made in a directory; the stack closes them."""
    directory.mkdir()
    recorded(directory / "kb", facts)
    rows = table(directory / "table.sqlite", facts)
    stack.callback(rows.close)
    present = plain_store(visible(rows, PRESENT, PRESENT), directory / "present")
    theirs = rival.views(directory / "tiramemsu.db", facts)
    if theirs is not None:
        stack.callback(theirs.close)
    base = stack.enter_context(opened(directory / "kb"))
    return Bases(facts, base, rows, present, theirs)


def contests_of(bases: Bases) -> Iterator[Contest]:
    """Yield every contest over the bases of one size."""
    yield from selective(bases)
    yield _unseen(bases)
    yield from _facts(bases)
    yield from _warm(bases)
    yield _first_answer(bases)
    yield from _present(bases)


def people(facts: int) -> Callable[[int], Sequence[str]]:
    """Return who is asked about in a round."""
    return lambda number: [person(number * QUESTIONS + n, facts) for n in range(QUESTIONS)]


# Selective queries.


def selective(bases: Bases) -> Iterator[Contest]:
    """Yield point, entity and two hops, by rewriting."""
    view = bases.view(WARM)
    for name, text in SELECTIVE.items():
        raw = by_hand(name, WARM)
        contenders = {
            OURS: answering(_query(view, text, "rewrite"), _rows),
            RAW: answering(lambda who, raw=raw: _read(bases.raw, about(raw, who)), _engine_rows),
            **_theirs(bases, WARM, lambda who, text=text: about(text, who)),
        }
        lines = [Line(RAW, 1.3), Line(TIRAMEMSU, 1.0)]
        yield Contest(f"{name}, rewritten", contenders, lines, people(bases.facts))


def _query(view: View, text: str, strategy: Any) -> Callable[[str], Any]:
    asked = text.replace("$who", "?who")
    return lambda who: _values(view.query(asked, bindings={"who": Iri(who)}, strategy=strategy))


def _unseen(bases: Bases) -> Contest:
    """Return the point query whose text is another each time, so that it is parsed each time."""
    view, text, raw = bases.view(WARM), SELECTIVE["point"], by_hand("point", WARM)
    contenders = {
        OURS: answering(
            lambda who: _values(view.query(about(text, who), strategy="rewrite")), _rows
        ),
        RAW: answering(lambda who: _read(bases.raw, about(raw, who)), _engine_rows),
    }
    what = "point, rewritten, a new text each time"
    return Contest(what, contenders, [Line(RAW, None)], people(bases.facts))


# Facts and counts, from the table's side.


def _facts(bases: Bases) -> Iterator[Contest]:
    columns = f"SELECT {COLUMNS} FROM facts WHERE"
    view, works_for = bases.view(WARM), Iri(WORKS_FOR[1:-1])
    point = f"{columns} subject = :who AND predicate = :what AND {HELD}"
    given = {**coordinate(WARM), "what": WORKS_FOR}
    yield Contest(
        "view.facts(s, p)",
        {
            OURS: answering(lambda who: list(view.facts(who, works_for)), _fact_rows),
            TABLE: answering(
                lambda who: bases.table.execute(point, {**given, "who": f"<{who}>"}).fetchall(),
                _table_rows,
            ),
        },
        [Line(TABLE, 5)],
        people(bases.facts),
    )
    scan = f"{columns} predicate = :what AND {HELD}"
    yield Contest(
        "view.facts(predicate=p)",
        {
            OURS: answering(
                lambda day: list(bases.view(day).facts(predicate=works_for)), _fact_triples
            ),
            TABLE: answering(
                lambda day: bases.table.execute(
                    scan, {**coordinate(day), "what": WORKS_FOR}
                ).fetchall(),
                _triples,
            ),
            **_theirs_by_day(bases, "triples", WORKS_FOR),
        },
        [Line(TABLE, 1.0), Line(TIRAMEMSU, 1.0)],
        _day_of(1),
    )
    count = f"SELECT count(*) FROM facts WHERE {HELD}"
    yield Contest(
        "view.count()",
        {
            OURS: answering(lambda day: bases.view(day).count(), _number),
            TABLE: answering(
                lambda day: bases.table.execute(count, coordinate(day)).fetchone()[0], _number
            ),
            **_theirs_by_day(bases, "sparql", COUNT),
        },
        [Line(TABLE, 1.0), Line(TIRAMEMSU, 1.0)],
        _day_of(2),
    )


def _day_of(slot: int) -> Callable[[int], Sequence[str]]:
    """Return the days of a contest's rounds, which no other contest asks for."""
    return lambda number: [_later(WARM, 4 * number + slot)]


def _later(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


# Warm views.


def _warm(bases: Bases) -> Iterator[Contest]:
    view = bases.view(WARM)
    view.query(ALL, strategy="materialise")

    def ours(text: str) -> Answering:
        return answering(lambda _: _values(view.query(text)), _rows)

    for name, text in {"scan": SCAN, "count": COUNT}.items():
        contenders = {OURS: ours(text), **_theirs(bases, WARM, lambda _, text=text: text)}
        yield Contest(f"SPARQL {name}, warm", contenders, [Line(TIRAMEMSU, 1.0)], _once)
    for name, text in ANALYTIC.items():
        plain = answering(lambda _, text=text: _read(bases.plain, text), _engine_rows)
        contenders = {OURS: ours(text), PLAIN: plain}
        yield Contest(f"{name}, warm", contenders, [Line(PLAIN, 1.2)], _once)


def _first_answer(bases: Bases) -> Contest:
    """Return the first scan of a view nobody asked before, against reading the table's rows."""
    works_for = WORKS_FOR
    return Contest(
        "SPARQL scan, first answer",
        {
            OURS: answering(
                lambda day: _values(bases.view(day).query(SCAN)),
                lambda answer: ((row[0].ntriples, works_for, row[1].ntriples) for row in answer),
            ),
            "SQLite, visible rows": answering(
                lambda day: visible(bases.table, day),
                lambda rows: (row[:3] for row in rows if row[1] == works_for),
            ),
        },
        [Line("SQLite, visible rows", 5)],
        _day_of(3),
    )


def _once(number: int) -> Sequence[str]:
    del number
    return ["once"]


# The present.


def _present(bases: Bases) -> Iterator[Contest]:
    """Yield what is asked of `srdf:present`."""
    bases.base.refresh_present()
    view = bases.base.at()
    for name, text in SELECTIVE.items():
        contenders = {
            OURS: answering(_query(view, text, "present"), _rows),
            PLAIN_DISK: answering(
                lambda who, text=text: _read(bases.present, about(text, who)), _engine_rows
            ),
        }
        lines = [Line(PLAIN_DISK, 1.4)]
        yield Contest(f"{name}, present", contenders, lines, people(bases.facts))
    for name, text in {"scan": SCAN, "count by group": BY_GROUP}.items():
        contenders = {
            OURS: answering(
                lambda _, text=text: _values(view.query(text, strategy="present")), _rows
            ),
            PLAIN_DISK: answering(lambda _, text=text: _read(bases.present, text), _engine_rows),
        }
        yield Contest(f"{name}, present", contenders, [Line(PLAIN_DISK, 1.4)], _once)


# Answers.


def _theirs(bases: Bases, day: str, text_of: Callable[[str], str]) -> dict[str, Answering]:
    """Return tiramemsu as a contender asked at one day, nobody where it is absent."""
    rival = bases.rival
    if rival is None:
        return {}
    return {TIRAMEMSU: lambda asked: rival.asked("sparql", [text_of(item) for item in asked], day)}


def _theirs_by_day(bases: Bases, how: str, text: str) -> dict[str, Answering]:
    """Return tiramemsu as a contender asked one thing, the question being the day."""
    rival = bases.rival
    return {} if rival is None else {TIRAMEMSU: lambda days: rival.asked(how, [text], days[0])}


def _values(answer: Solutions) -> list[tuple[Any, ...]]:
    """Return every value of an answer: one that were made only when looked at is made by now."""
    return [tuple(row) for row in answer]


def _read(store: ox.Store, text: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in store.query(text)]


def _rows(answer: Any) -> Rows:
    return (tuple(term.ntriples for term in row) for row in answer)


def _engine_rows(answer: Any) -> Rows:
    return (tuple(map(str, row)) for row in answer)


def _triples(answer: Any) -> Rows:
    return (row[:3] for row in answer)


def _fact_triples(answer: Any) -> Rows:
    return (fact.key[2:] for fact in answer)


def _fact_rows(answer: Any) -> Rows:
    """Return facts with their windows and sources, spelled as the table's rows are."""
    for fact in answer:
        sources = " ".join(sorted(source.value for source in fact.sources))
        yield (*fact.key[2:], sources, *_window(fact.window.start, fact.window.end))


def _table_rows(answer: Any) -> Rows:
    return ((*row[:4], *_window(row[4], row[5])) for row in answer)


def _window(start: int, end: int) -> tuple[str, str]:
    return ("" if start <= OPEN_START else str(start), "" if end >= OPEN_END else str(end))


def _number(answer: int) -> Rows:
    return [(f'"{answer}"^^<http://www.w3.org/2001/XMLSchema#integer>',)]
