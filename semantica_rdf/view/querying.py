"""
A user's SPARQL on its way to an engine: read, bound, judged, run, its answer wrapped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from weakref import WeakSet

import pyoxigraph as ox

from semantica_rdf.model.terms import Iri, Literal, Term, foreign_term, literal
from semantica_rdf.sparql.bindings import bind_variables
from semantica_rdf.sparql.front import Kind, Prepared, prepared
from semantica_rdf.sparql.pieces import Pieces, pieces_filled
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.query_errors import mapped
from semantica_rdf.view.results import Boolean, Solutions, Triples, answer_of

_EMPTY = RdfStore.memory()
"""Where a text is tried first, so that one that is no SPARQL costs nothing more."""


class Question(NamedTuple):
    """A query that was read, with the values of its bound variables as N-Triples."""

    sparql: str
    prepared: Prepared
    values: Mapping[str, str]
    prefixes: dict[str, str]

    def text(self, pieces: Pieces, more: Mapping[str, str] | None = None) -> str:
        """Return one of its forms, filled with the bound values and with `more`."""
        return pieces_filled(pieces, {**self.values, **(more or {})})

    def answered_by(
        self,
        store: RdfStore,
        text: str,
        *,
        graph: ox.NamedNode | None = None,
        declared: bool = False,
    ) -> Callable[[], Solutions | Boolean | Triples]:
        """
        Run a text and return how to read its answer; the store's snapshot is taken by now.

        With `graph` that graph is the default one, and there are no others. A text that is
        `declared` says itself what its prefixes mean. Raises
        `QuerySyntaxError`, `QueryRefused`, `QueryError`, now or when it is read.
        """
        try:
            if declared:
                raw = store.raw.query(text)
            elif graph is None:
                raw = store.raw.query(text, prefixes=self.prefixes)
            else:
                raw = store.raw.query(
                    text, prefixes=self.prefixes, default_graph=graph, named_graphs=[]
                )
        except (SyntaxError, ValueError, RuntimeError, OSError) as error:
            raise mapped(error, self.sparql, self.prefixes) from None
        return lambda: self._read(raw)

    def _read(self, raw: Any) -> Solutions | Boolean | Triples:
        try:
            return answer_of(raw, self.prefixes)
        except (SyntaxError, ValueError, RuntimeError, OSError) as error:
            raise mapped(error, self.sparql, self.prefixes) from None


class _Judged:
    """Queries the engine has taken as SPARQL, so that each is judged once as long as it is kept."""

    def __init__(self) -> None:
        self._taken: WeakSet[Prepared] = WeakSet()
        self._lock = threading.Lock()

    def judge(self, question: Question) -> None:
        """Let the engine read a text it has not seen; raises what it says."""
        with self._lock:
            if question.prepared in self._taken:
                return
        question.answered_by(_EMPTY, question.text(question.prepared.plain_restore))
        with self._lock:
            self._taken.add(question.prepared)


_JUDGED = _Judged()


def asked(sparql: str, *, prefixes: Mapping[str, str], bindings: Mapping[str, Any]) -> Question:
    """
    Return a query read and judged; nothing is run on data yet.

    Raises `QuerySyntaxError`, `QueryRefused`, `QueryError` (`unused_binding`).
    """
    known = dict(prefixes.items())
    terms = {name.lstrip("?$"): _term(value) for name, value in bindings.items()}
    kinds: dict[str, Kind] = {name: _kind(sparql, name, term) for name, term in terms.items()}
    question = Question(
        sparql,
        prepared(sparql, prefixes=known, bound=kinds),
        {f"bound:{name}": f" {term.ntriples} " for name, term in terms.items()},
        known,
    )
    _JUDGED.judge(question)
    return question


def answered(
    store: RdfStore, sparql: str, *, prefixes: Mapping[str, str], bindings: Mapping[str, Any]
) -> Solutions | Boolean | Triples:
    """Return the answer of a read-only query on a store as it stands; raises as `asked`."""
    question = asked(sparql, prefixes=prefixes, bindings=bindings)
    text = question.text(question.prepared.plain_restore)
    return question.answered_by(store, text)()


def _term(value: Any) -> Term:
    found = foreign_term(value)
    return literal(value) if found is None else found


def _kind(sparql: str, name: str, term: Term) -> Kind:
    if isinstance(term, Iri):
        return "IRI"
    if not isinstance(term, Literal):
        bind_variables(sparql, {name: term})  # which says why no query takes such a value
    return "literal"


__all__ = ["Question", "answered", "asked"]
