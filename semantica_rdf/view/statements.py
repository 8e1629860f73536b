"""
Statements read back from the record, as the store holds them.

Every look-up starts from a bound end: an id, a fact, a source, a support id. A fact's statements
are found through its rows (graphs that hold exactly its triple) and, for those whose belief other
rows carry, through their fact key. `as_known` reads the record as it stood at an earlier
transaction time: later statements are unseen, later closings undone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE, FactKey, Row, Statement
from semantica_rdf.model.terms import engine_term, term_of_ntriples
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window, start_of
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity

_STATEMENT = f"<{vocab.RDF_STATEMENT}>"
_STANDING_OF = {vocab.SRDF + name: name for name in vocab.STANDINGS}


def fact_key_text(fact: FactKey) -> str:
    """Return the look-up key of a fact: an opaque digest, kept only where no row leads to it."""
    digest = hashlib.blake2b("\n".join(fact).encode(), digest_size=16)
    return digest.hexdigest()


@lru_cache(maxsize=65536)
def instant_of(bound: str) -> int:
    """Return the instant of a stored bound, given as N-Triples text."""
    return start_of(bound[1 : bound.index('"', 1)]).instant


def window_of(properties: Mapping[str, str]) -> Window:
    """Return the valid window of a node."""
    start, end = properties.get(vocab.VALID_FROM), properties.get(vocab.VALID_UNTIL)
    return Window(
        OPEN_START if start is None else instant_of(start),
        OPEN_END if end is None else instant_of(end),
    )


def superseded_at_of(properties: Mapping[str, str]) -> int:
    """Return when a node was superseded, `OPEN_END` while it is open."""
    superseded = properties.get(vocab.SUPERSEDED_AT)
    return OPEN_END if superseded is None else instant_of(superseded)


def scope_of(properties: Mapping[str, str]) -> tuple[str, str]:
    """Return the namespace token of a node and its user graph (N-Triples, empty for none)."""
    namespace = properties.get(vocab.NAMESPACE)
    return (
        DEFAULT_NAMESPACE if namespace is None else lexical(namespace),
        properties.get(vocab.IN_GRAPH, ""),
    )


def lexical(literal: str) -> str:
    """Return the lexical form of a literal given as N-Triples text."""
    return term_of_ntriples(literal).value


def _lexical(properties: Mapping[str, str], predicate: str) -> str | None:
    found = properties.get(predicate)
    return None if found is None else lexical(found)


def _iri(properties: Mapping[str, str], predicate: str) -> str | None:
    found = properties.get(predicate)
    return None if found is None else found[1:-1]


def fact_of(properties: Mapping[str, str]) -> FactKey:
    """Return the fact a statement's node speaks of."""
    return FactKey(
        *scope_of(properties),
        properties[vocab.RDF_SUBJECT],
        properties[vocab.RDF_PREDICATE],
        properties[vocab.RDF_OBJECT],
    )


def statement_from(node: str, properties: Mapping[str, str]) -> Statement:
    """Return the statement a node's properties describe."""
    source_recorded = properties.get(vocab.SOURCE_RECORDED_AT)
    return Statement(
        id=node,
        fact=fact_of(properties),
        source=properties[vocab.SOURCE][1:-1],
        window=window_of(properties),
        transaction=properties[vocab.TRANSACTION][1:-1],
        recorded_at=instant_of(properties[vocab.RECORDED_AT]),
        family=_iri(properties, vocab.IN_FAMILY) or node,
        superseded_at=superseded_at_of(properties),
        superseded_by=_iri(properties, vocab.SUPERSEDED_BY),
        revision_of=_iri(properties, vocab.WAS_REVISION_OF),
        support_id=_lexical(properties, vocab.IDENTIFIER),
        standing=_STANDING_OF[_iri(properties, vocab.STANDING) or vocab.BELIEVED],
        confidence=_lexical(properties, vocab.CONFIDENCE),
        valid_from_text=_lexical(properties, vocab.VALID_FROM_TEXT),
        valid_until_text=_lexical(properties, vocab.VALID_UNTIL_TEXT),
        source_text=_lexical(properties, vocab.SOURCE_TEXT),
        source_recorded_at=None if source_recorded is None else instant_of(source_recorded),
    )


def is_statement(properties: Mapping[str, str]) -> bool:
    """Tell whether a node is a statement of the record."""
    return properties.get(vocab.RDF_TYPE) == _STATEMENT


def row_from(node: str, fact: FactKey, properties: Mapping[str, str]) -> Row:
    """Return the belief row a node describes; its triple stands in its graph, so the fact is given."""
    return Row(
        node,
        fact,
        window_of(properties),
        instant_of(properties[vocab.RECORDED_AT]),
        superseded_at_of(properties),
        is_statement(properties),
    )


class BelievedTriple(NamedTuple):
    """A fact, a window in which it is believed, and its object's own spelling where that differs."""

    fact: FactKey
    window: Window
    source_text: str | None


class StatementReader:
    """
    Reads statements and rows of one store; with `as_known`, as they stood at that instant.

    `keyed=False` says that no statement carries a fact key, so that none is looked for.
    """

    def __init__(
        self,
        store: RdfStore,
        identity: Identity,
        *,
        as_known: int | None = None,
        keyed: bool = True,
    ) -> None:
        self._keyed = keyed
        self._store = store
        self._identity = identity
        self._as_known = OPEN_END if as_known is None else as_known

    @property
    def as_known(self) -> int:
        """The instant the record is read as of, `OPEN_END` for as it is."""
        return self._as_known

    def statement(self, node: str) -> Statement | None:
        """Return the statement with this id, None when there is none."""
        properties = self._store.properties(node)
        if not is_statement(properties):
            return None
        return self._seen(statement_from(node, properties))

    def _seen(self, statement: Statement) -> Statement | None:
        if statement.recorded_at > self._as_known:
            return None
        if self._as_known < statement.superseded_at < OPEN_END:
            return statement._replace(superseded_at=OPEN_END, superseded_by=None)
        return statement

    def _known(self, nodes: Iterable[str]) -> Iterator[Statement]:
        for node in nodes:
            statement = self.statement(node)
            if statement is not None:
                yield statement

    def rows_of(self, fact: FactKey) -> list[Row]:
        """Return every belief row of a fact, closed ones too."""
        rows = []
        for node in self._graphs_of(fact):
            properties = self._store.properties(node)
            if scope_of(properties) == (fact.namespace, fact.graph):
                row = row_from(node, fact, properties)
                if row.recorded_at <= self._as_known:
                    rows.append(self._row_as_known(row))
        return rows

    def _row_as_known(self, row: Row) -> Row:
        unseen = row.superseded_at > self._as_known
        return row._replace(superseded_at=OPEN_END) if unseen else row

    def _graphs_of(self, fact: FactKey) -> list[str]:
        subject, predicate, value = (engine_term(part) for part in fact[2:])
        quads = self._store.graphs_holding(subject, predicate, value)
        return [node for quad in quads if (node := self._row_node(quad)) is not None]

    def _row_node(self, quad: ox.Quad) -> str | None:
        name: str = quad.graph_name.value  # type: ignore[union-attr]
        return name if name.startswith(self._identity.prefix) else None

    def statements_of(self, fact: FactKey) -> list[Statement]:
        """Return every version of every claim of a fact, oldest first."""
        found = {}
        nodes = self._graphs_of(fact)
        if self._keyed:
            nodes += self._store.subjects(vocab.FACT_KEY, ox.Literal(fact_key_text(fact)))
        for statement in self._known(nodes):
            if statement.fact == fact:
                found[statement.id] = statement
        return sorted(found.values(), key=self._order)

    def _order(self, statement: Statement) -> tuple[int, int]:
        key = self._identity.key(statement.id)
        return (0, 0) if key is None else (key.sequence, key.ordinal)

    def family(self, first: str) -> list[Statement]:
        """Return the versions of one family, oldest first."""
        nodes = self._store.subjects(vocab.IN_FAMILY, ox.NamedNode(first))
        return sorted(self._known([first, *nodes]), key=self._order)

    def of_source(self, source: str, *, ending_after: int | None = None) -> list[Statement]:
        """
        Return every statement of a source, oldest first.

        With `ending_after`, only the open ones whose window ends after that instant; what is closed
        or has ended costs two look-ups and is not read.
        """
        nodes = self._store.subjects(vocab.SOURCE, ox.NamedNode(source))
        if ending_after is not None:
            nodes = [node for node in nodes if self._lasts(node, ending_after)]
        return sorted(self._known(nodes), key=self._order)

    def _lasts(self, node: str, instant: int) -> bool:
        """Tell whether a statement is open as known, and its window ends after an instant."""
        closed = self._store.value(node, vocab.SUPERSEDED_AT)
        if closed is not None and instant_of(closed) <= self._as_known:
            return False
        until = self._store.value(node, vocab.VALID_UNTIL)
        return until is None or instant_of(until) > instant

    def of_subject(self, namespace: str, subject: str) -> list[Statement]:
        """Return every statement about a subject (an IRI) in a namespace, fact by fact, oldest first."""
        nodes = self._store.subjects(vocab.RDF_SUBJECT, ox.NamedNode(subject))
        known = (found for found in self._known(nodes) if found.fact.namespace == namespace)
        return sorted(known, key=lambda item: (item.fact, self._order(item)))

    def with_support_id(self, namespace: str, support_id: str) -> list[Statement]:
        """Return every statement that carries a support id in a namespace, oldest first."""
        nodes = self._store.subjects(vocab.IDENTIFIER, ox.Literal(support_id))
        known = (found for found in self._known(nodes) if found.fact.namespace == namespace)
        return sorted(known, key=self._order)

    def facts_like(self, fact: FactKey) -> list[FactKey]:
        """Return the facts ever believed with this namespace, graph, subject and predicate."""
        subject, predicate = engine_term(fact.subject), engine_term(fact.predicate)
        found = self.facts_matching(fact.namespace, subject, predicate, None)
        return [candidate for candidate in found if candidate.graph == fact.graph]

    def facts_matching(
        self,
        namespace: str,
        subject: ox.NamedNode | ox.Literal | None,
        predicate: ox.NamedNode | ox.Literal | None,
        value: ox.NamedNode | ox.Literal | None,
    ) -> list[FactKey]:
        """Return the facts ever believed in a namespace that match a pattern; None matches anything."""
        found: dict[FactKey, None] = {}
        for quad in self._store.graphs_holding(subject, predicate, value):
            node = self._row_node(quad)
            if node is not None:
                scope = scope_of(self._store.properties(node))
                triple = (str(quad.subject), str(quad.predicate), str(quad.object))
                found[FactKey(*scope, *triple)] = None
        return [fact for fact in found if fact.namespace == namespace]

    def believed_matching(
        self,
        namespace: str,
        subject: ox.NamedNode | ox.Literal | None,
        predicate: ox.NamedNode | ox.Literal | None,
        value: ox.NamedNode | ox.Literal | None,
    ) -> Iterator[BelievedTriple]:
        """Return the open rows of a namespace whose triple matches a pattern, with their windows."""
        for quad in self._store.graphs_holding(subject, predicate, value):
            node = self._row_node(quad)
            if node is None:
                continue
            properties = self._store.properties(node)
            scope = scope_of(properties)
            if scope[0] == namespace and vocab.SUPERSEDED_AT not in properties:
                fact = FactKey(*scope, str(quad.subject), str(quad.predicate), str(quad.object))
                spelled = _lexical(properties, vocab.SOURCE_TEXT)
                yield BelievedTriple(fact, window_of(properties), spelled)

    def by_id_prefix(self, prefix: str) -> list[str]:
        """Return the ids of statements whose full or short id begins with the text."""
        statements = self._store.subjects(vocab.RDF_TYPE, ox.NamedNode(vocab.RDF_STATEMENT))
        return [
            node
            for node in statements
            if node.startswith(prefix) or self._identity.short(node).startswith(prefix)
        ]
