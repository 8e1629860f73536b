"""
The writer's side of `srdf:present`: a follower in the store, moved after each small commit.

Each move is one atomic store update: triples that went, triples that came, and the cursor that says
which coordinate they stand for. The cursor is one for all namespaces. What a commit touched is
known from its working set; what merely began or ended since the last move, from the boundaries.
More than `BULK_FACTS` at once are not moved with the commit: the graphs then lag behind, say so, and
are brought by `rebuild`. A kill at any point leaves either a standing that is true, or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pyoxigraph as ox

from semantica_rdf.assets import asset_text
from semantica_rdf.errors import ProcessingError, TemporalValidationError
from semantica_rdf.ledger.boundaries import Boundaries
from semantica_rdf.ledger.encoding import moment
from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model import vocab
from semantica_rdf.model.interval_set import IntervalSet, union
from semantica_rdf.model.statement import DEFAULT_NAMESPACE, FactKey
from semantica_rdf.model.time import FIRST_INSTANT, OPEN_END
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.materialise import visible_quads
from semantica_rdf.view.present import Present, Standing, present_graph
from semantica_rdf.view.statements import StatementReader, instant_of, lexical

BULK_FACTS = 1_000
"""More facts than this, touched or passing a boundary, are not moved with a commit."""

_JOURNAL = ox.NamedNode(vocab.JOURNAL_GRAPH)
_NODE = f"<{vocab.PRESENT_GRAPH}>"
_INTEGER = f"^^<{vocab.XSD}integer>"
_HOLES = re.compile(r"<graph:here>|# what goes|# what comes")
_STORE_REFUSES = (OSError, RuntimeError, ValueError, SyntaxError, MemoryError)

_NOTHING_YET = Standing(0, FIRST_INSTANT, FIRST_INSTANT, OPEN_END)


class PresentFollower:
    """Keeps `srdf:present` in step with one store; used under the writer lock alone."""

    def __init__(self, store: RdfStore, identity: Identity) -> None:
        self.present = Present()
        self._store = store
        self._identity = identity
        self._boundaries = Boundaries(store, OPEN_END)

    def open(self, sequence: int, basis: int, *, read_only: bool) -> None:
        """
        Take up where the cursor stands; a few transactions it lacks are brought in.

        Where the store's log and tables disagreed, its indexes may as well, and all is made anew.
        """
        if sequence == 0:
            self.present.stand(_NOTHING_YET)
            return
        standing = cursor_of(self._store, self._identity)
        if not read_only and self._store.logs_emptied:
            self._heal()
            self.rebuild(sequence, basis, basis)
            return
        if standing is None or standing.sequence > sequence:
            return
        self.present.stand(standing)
        self._boundaries = Boundaries(self._store, standing.next_boundary)
        if standing.sequence < sequence and not read_only:
            facts = self._written_since(standing.sequence, sequence)
            if facts is not None:
                self._move(standing, facts, sequence, basis)

    def follow(self, working: WorkingSet, sequence: int, recorded_at: int) -> None:
        """
        Move on over the transaction that was just written; never raises for what the store says.

        Left behind, the graphs go on to stand for the coordinate they stood for.
        """
        standing = self.present.standing
        if standing is None or standing.sequence != sequence - 1:
            return
        if len(working.new) + len(working.closed) > 2 * BULK_FACTS:
            return
        touched = working.touched()
        if len(touched) > BULK_FACTS:
            return
        facts = {
            fact: union(
                item.window for item in working.open_of(fact) if item.standing == "believed"
            )
            for fact in touched
        }
        self._move(standing, facts, sequence, recorded_at)

    def _move(
        self, standing: Standing, facts: dict[FactKey, IntervalSet], sequence: int, basis: int
    ) -> None:
        """Move the graphs from one standing to the next, in one store update."""
        instant = max(standing.refreshed_for, basis)
        passed = self._boundaries.passed(standing.refreshed_for, instant, at_most=BULK_FACTS)
        if passed is None:
            return
        facts = {fact: windows for fact, windows in facts.items() if not fact.graph}
        facts |= {fact: self._believed(fact) for fact in passed - facts.keys()}
        goes: dict[str, list[str]] = {}
        comes: dict[str, list[str]] = {}
        for fact, windows in facts.items():
            holds = any(window.holds_at(instant) for window in windows)
            lines = comes if holds else goes
            lines.setdefault(present_graph(fact.namespace), []).append(f"{fact.triple} .\n")
            self._boundaries.add(fact, windows, instant)
        moved = Standing(sequence, basis, instant, self._boundaries.next)
        goes[vocab.JOURNAL_GRAPH] = cursor_lines(standing)
        comes[vocab.JOURNAL_GRAPH] = cursor_lines(moved)
        self.present.lift("srdf:present is being moved")
        try:
            self._update(goes, comes)
        except _STORE_REFUSES as error:
            self.present.lift(f"the store did not take the last move of srdf:present: {error}")
        else:
            self.present.stand(moved)

    def _update(self, goes: Mapping[str, list[str]], comes: Mapping[str, list[str]]) -> None:
        head, graph_left, graph, came, tail = _pieces()
        texts = []
        for name in goes.keys() | comes.keys():
            gone, come = "".join(goes.get(name, ())), "".join(comes.get(name, ()))
            texts.append(f"{head}<{name}>{graph_left}{gone}{graph}<{name}>{came}{come}{tail}")
        self._store.raw.update(";\n".join(texts))

    def _believed(self, fact: FactKey) -> IntervalSet:
        reader = StatementReader(self._store, self._identity)
        return union(row.window for row in reader.rows_of(fact) if row.is_open)

    def _written_since(self, since: int, sequence: int) -> dict[FactKey, IntervalSet] | None:
        """Return the facts that transactions after `since` touched, None when they are too many."""
        facts: dict[FactKey, None] = {}
        reader = StatementReader(self._store, self._identity)
        for number in range(since + 1, sequence + 1):
            transaction = ox.NamedNode(self._identity.iri(number, 0))
            for predicate in (vocab.TRANSACTION, vocab.SUPERSEDED_BY):
                nodes = self._store.subjects(predicate, transaction)
                if len(nodes) > 2 * BULK_FACTS or len(facts) > BULK_FACTS:
                    return None
                found = (reader.statement(node) for node in nodes)
                facts |= dict.fromkeys(item.fact for item in found if item is not None)
        return {fact: self._believed(fact) for fact in facts}

    def rebuild(self, sequence: int, basis: int, valid_at: int) -> None:
        """
        Make the graphs anew from the record, whatever they hold, for an instant not before now.

        Reads every row. Raises `ProcessingError` (`store_write_failed`) when the store refuses; the
        graphs then stand for nothing, and nothing else has changed.
        """
        instant = max(valid_at, basis)
        self.present.lift("srdf:present is being brought; it stands for nothing until that is done")
        try:
            self._rebuild(sequence, basis, instant)
        except _STORE_REFUSES as error:
            self.present.lift(f"the store did not take srdf:present: {error}")
            raise ProcessingError(
                f"srdf:present was not brought: the store says {error}",
                code="store_write_failed",
                hint="make room and try again; answers are right without it",
            ) from error

    def _rebuild(self, sequence: int, basis: int, instant: int) -> None:
        raw = self._store.raw
        for quad in raw.quads_for_pattern(ox.NamedNode(vocab.PRESENT_GRAPH), None, None, _JOURNAL):
            raw.remove(quad)
        # The bulk path is durable at once: a power cut must not leave its quads beside an old cursor.
        self._store.flush()
        namespaces = set(self._namespaces())
        own = {present_graph(namespace) for namespace in namespaces}
        for name in self._graphs():
            if name.value not in own:
                raw.remove_graph(name)
        for namespace in namespaces:
            self._bring(Coordinate(instant, basis, namespace))
        self._boundaries.read(instant)
        standing = Standing(sequence, basis, instant, self._boundaries.next)
        self._update({}, {vocab.JOURNAL_GRAPH: cursor_lines(standing)})
        self.present.stand(standing)

    def _namespaces(self) -> Iterator[str]:
        yield DEFAULT_NAMESPACE
        found = self._store.raw.quads_for_pattern(
            None, ox.NamedNode(vocab.NAMESPACE), None, ox.DefaultGraph()
        )
        yield from {quad.object.value for quad in found if isinstance(quad.object, ox.Literal)}

    def _graphs(self) -> Iterator[ox.NamedNode]:
        for name in list(self._store.raw.named_graphs()):
            if isinstance(name, ox.NamedNode) and is_present(name.value):
                yield name

    def _bring(self, coordinate: Coordinate) -> None:
        raw, graph = self._store.raw, ox.NamedNode(present_graph(coordinate.namespace))
        wanted: Iterator[ox.Quad] = (
            ox.Quad(quad.subject, quad.predicate, quad.object, graph)
            for quad in visible_quads(self._store, coordinate)
            if isinstance(quad.graph_name, ox.DefaultGraph)
        )
        held = set(raw.quads_for_pattern(None, None, None, graph))
        if held:
            chosen = set(wanted)
            for quad in held - chosen:
                raw.remove(quad)
            wanted = iter(chosen - held)
        raw.bulk_extend(wanted)

    def _heal(self) -> None:
        """Remove every row's triple from the graphs, in all indexes, whichever of them holds it."""
        raw = self._store.raw
        graphs = [ox.NamedNode(present_graph(namespace)) for namespace in set(self._namespaces())]
        for quad in raw.quads_for_pattern(None, None, None, None):
            name = quad.graph_name
            if isinstance(name, ox.NamedNode) and name.value.startswith(self._identity.prefix):
                for graph in graphs:
                    raw.remove(ox.Quad(quad.subject, quad.predicate, quad.object, graph))


@cache
def _pieces() -> tuple[str, ...]:
    return tuple(_HOLES.split(asset_text("queries", "ledger", "present_moved.ru")))


def is_present(graph: str) -> bool:
    """Tell whether a graph's IRI is that of a namespace's present."""
    return graph == vocab.PRESENT_GRAPH or graph.startswith(f"{vocab.PRESENT_GRAPH}/")


def cursor_lines(standing: Standing) -> list[str]:
    """Return the triples of the cursor that says what the graphs stand for."""
    lines = [
        f"{_NODE} <{vocab.RDF_TYPE}> <{vocab.CURSOR}> .\n",
        f'{_NODE} <{vocab.AT_SEQUENCE}> "{standing.sequence}"{_INTEGER} .\n',
        f"{_NODE} <{vocab.REFRESHED_FOR}> {moment(standing.refreshed_for)} .\n",
    ]
    if standing.next_boundary != OPEN_END:
        lines.append(f"{_NODE} <{vocab.NEXT_BOUNDARY}> {moment(standing.next_boundary)} .\n")
    return lines


def cursor_of(store: RdfStore, identity: Identity) -> Standing | None:
    """Return what a store's cursor says; None without one, or for one that cannot be read."""
    found = store.properties(vocab.PRESENT_GRAPH, _JOURNAL)
    try:
        sequence = int(lexical(found[vocab.AT_SEQUENCE]))
        boundary = found.get(vocab.NEXT_BOUNDARY)
        transaction = store.properties(identity.iri(sequence, 0), _JOURNAL)
        return Standing(
            sequence,
            instant_of(transaction[vocab.RECORDED_AT]),
            instant_of(found[vocab.REFRESHED_FOR]),
            OPEN_END if boundary is None else instant_of(boundary),
        )
    except (KeyError, ValueError, TemporalValidationError):
        return None


__all__ = ["BULK_FACTS", "PresentFollower", "cursor_lines", "cursor_of", "is_present"]
