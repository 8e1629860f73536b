"""
What a namespace would believe if the open transaction ended now, as a graph at a valid instant.

The record before, with the facts the transaction touches put in its place, all user graphs
together. Terms are as their source spelled them, since the store's own spelling would hide an
ill-typed value. Each look-up notes up to which instant its answer stays the same, so that whoever
evaluates shapes knows how far a verdict reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model.interval_set import IntervalSet, difference, union
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import Literal, as_spelled, engine_term, term_of_ntriples
from semantica_rdf.model.time import OPEN_END
from semantica_rdf.shacl.data_graph import Solution, solutions_in
from semantica_rdf.shacl.names import Term
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.view.statements import BelievedTriple

_Pattern: TypeAlias = tuple[str | None, str | None, str | None]


class Held(NamedTuple):
    """A triple in N-Triples texts, its object as spelled, and the windows in which it is believed."""

    subject: str
    predicate: str
    value: str
    windows: IntervalSet


class BelievedRecord:
    """
    The believed triples of one namespace as they would stand after a transaction.

    Look-ups are remembered: the working set must not change while this is used.
    """

    def __init__(self, working: WorkingSet, namespace: str) -> None:
        self.changed: dict[FactKey, IntervalSet] = {}
        self._working = working
        self._namespace = namespace
        self._touched: dict[FactKey, Held] = {}
        self._by_pattern: dict[_Pattern, list[Held]] = {}
        self._found: dict[_Pattern, list[Held]] = {}
        for fact in working.touched():
            if fact.namespace == namespace:
                self._touch(fact)

    def _touch(self, fact: FactKey) -> None:
        believed = [item for item in self._working.open_of(fact) if item.standing == "believed"]
        after = union(item.window for item in believed)
        before = union(
            item.window
            for item in self._working.stored(fact)
            if item.is_open and item.standing == "believed"
        )
        changed = union((*difference(after, before), *difference(before, after)))
        if changed:
            self.changed[fact] = changed
        held = Held(fact.subject, fact.predicate, _spelled(fact, believed), after)
        self._touched[fact] = held
        subject, predicate, value = fact.subject, fact.predicate, fact.object
        for pattern in (
            (subject, predicate, None), (None, predicate, value), (subject, None, None),
            (None, predicate, None), (None, None, value),
        ):  # fmt: skip
            self._by_pattern.setdefault(pattern, []).append(held)

    def matching(self, subject: str | None, predicate: str | None, value: str | None) -> list[Held]:
        """Return what is believed at any instant and matches a pattern; None matches anything."""
        pattern = (subject, predicate, value)
        known = self._found.get(pattern)
        if known is None:
            known = self._found[pattern] = [
                *self._stored(pattern),
                *(held for held in self._by_pattern.get(pattern, ()) if held.windows),
            ]
        return known

    def _stored(self, pattern: _Pattern) -> Iterator[Held]:
        if self._working.sequence == 1:
            return
        parts = [None if part is None else engine_term(part) for part in pattern]
        by_fact: dict[FactKey, list[BelievedTriple]] = {}
        for triple in self._working.reader.believed_matching(self._namespace, *parts):
            if triple.fact not in self._touched:
                by_fact.setdefault(triple.fact, []).append(triple)
        for fact, triples in by_fact.items():
            spelled = next((item.source_text for item in triples if item.source_text), None)
            windows = union(item.window for item in triples)
            value = _as_spelled(fact.object, spelled)
            yield Held(fact.subject, fact.predicate, value, windows)

    def all_held(self) -> Iterator[Held]:
        """Return everything believed at any instant; reads the whole namespace."""
        yield from self._stored((None, None, None))
        yield from (held for held in self._touched.values() if held.windows)


class BelievedGraph:
    """
    The believed triples at one valid instant, as SHACL asks for them; `move` goes to another.

    `stable_until` is the first instant at which an answer given since the last move may differ.
    """

    def __init__(self, record: BelievedRecord) -> None:
        self.instant = 0
        self.stable_until = OPEN_END
        self._record = record
        self._terms: dict[str, Term] = {}
        self._store: _MovingStore | None = None

    def move(self, instant: int) -> None:
        """Go to a valid instant; what was noted about stability is forgotten."""
        self.instant, self.stable_until = instant, OPEN_END

    def node(self, text: str) -> Term:
        """Return the term of an N-Triples text."""
        known = self._terms.get(text)
        if known is None:
            known = self._terms[text] = engine_term(text)
        return known

    def shown(self, statement: Statement) -> Term:
        """Return the object of a statement as the graph shows it."""
        return self.node(_as_spelled(statement.fact.object, statement.source_text))

    def _holding(self, pattern: _Pattern) -> Iterator[Held]:
        at, until = self.instant, self.stable_until
        for held in self._record.matching(*pattern):
            for window in held.windows:
                if window.start > at:
                    until = min(until, window.start)
                elif window.end > at:
                    until = min(until, window.end)
                    yield held
        self.stable_until = min(until, self.stable_until)

    def objects(self, subject: Term, predicate: str, /) -> Collection[Term]:
        """Return the objects of a subject and a predicate IRI."""
        if not isinstance(subject, ox.NamedNode):
            return ()
        found = self._holding((str(subject), f"<{predicate}>", None))
        return dict.fromkeys(self.node(held.value) for held in found)

    def subjects(self, predicate: str, object_: Term, /) -> Collection[Term]:
        """Return the subjects that have a value for a predicate IRI."""
        text = str(object_)
        if isinstance(object_, ox.Literal):
            found = self._holding((None, f"<{predicate}>", None))
            return dict.fromkeys(self.node(held.subject) for held in found if held.value == text)
        return dict.fromkeys(
            self.node(held.subject) for held in self._holding((None, f"<{predicate}>", text))
        )

    def outgoing(self, subject: Term, /) -> Collection[tuple[str, Term]]:
        """Return predicate IRI and object of every triple of a subject."""
        if not isinstance(subject, ox.NamedNode):
            return ()
        found = self._holding((str(subject), None, None))
        return dict.fromkeys((held.predicate[1:-1], self.node(held.value)) for held in found)

    def subjects_of(self, predicate: str, /) -> Collection[Term]:
        """Return every subject of a predicate IRI."""
        found = self._holding((None, f"<{predicate}>", None))
        return dict.fromkeys(self.node(held.subject) for held in found)

    def objects_of(self, predicate: str, /) -> Collection[Term]:
        """Return every object of a predicate IRI."""
        found = self._holding((None, f"<{predicate}>", None))
        return dict.fromkeys(self.node(held.value) for held in found)

    def solutions(self, query: str, bindings: Mapping[str, Term], /) -> Iterable[Solution]:
        """
        Return the solutions of a SELECT over everything that holds at the instant.

        The whole namespace is read once. What a query looks at cannot be seen, so its answer is
        taken as stable up to the next bound of anything that changed.
        """
        if self._store is None:
            held = list(self._record.all_held())
            self._store = _MovingStore((self._quad(each), each.windows) for each in held)
        for windows in self._record.changed.values():
            for window in windows:
                for bound in window:
                    if bound > self.instant:
                        self.stable_until = min(self.stable_until, bound)
        return solutions_in(self._store.at(self.instant), query, bindings)

    def _quad(self, held: Held) -> ox.Quad:
        subject, value = self.node(held.subject), self.node(held.value)
        return ox.Quad(subject, ox.NamedNode(held.predicate[1:-1]), value)  # type: ignore[arg-type]


class _MovingStore:
    """A store of what holds at one instant; going forward adds and removes what begins and ends."""

    def __init__(self, held: Iterable[tuple[ox.Quad, IntervalSet]]) -> None:
        self._events: list[tuple[int, int, ox.Quad]] = []
        for quad, windows in held:
            for window in windows:
                self._events.append((window.start, 1, quad))
                self._events.append((window.end, -1, quad))
        self._events.sort(key=lambda event: event[:2])
        self._rewind()

    def _rewind(self) -> None:
        self._store = RdfStore.memory()
        self._count: Counter[ox.Quad] = Counter()
        self._next = 0
        self._instant: int | None = None

    def at(self, instant: int) -> RdfStore:
        """Return the store at an instant; going back starts anew."""
        if self._instant is not None and instant < self._instant:
            self._rewind()
        touched: set[ox.Quad] = set()
        while self._next < len(self._events) and self._events[self._next][0] <= instant:
            _, change, quad = self._events[self._next]
            self._count[quad] += change
            touched.add(quad)
            self._next += 1
        self._store.raw.extend(quad for quad in touched if self._count[quad] > 0)
        for quad in touched:
            if self._count[quad] <= 0:
                self._store.raw.remove(quad)
        self._instant = instant
        return self._store


def _spelled(fact: FactKey, believed: Iterable[Statement]) -> str:
    spelled = next((item.source_text for item in believed if item.source_text is not None), None)
    return _as_spelled(fact.object, spelled)


def _as_spelled(value: str, spelled: str | None) -> str:
    """Return a canonical object as its source wrote it, where that differs."""
    if spelled is None:
        return value
    term = term_of_ntriples(value)
    return as_spelled(term, spelled).ntriples if isinstance(term, Literal) else value


__all__ = ["BelievedGraph", "BelievedRecord", "Held"]
