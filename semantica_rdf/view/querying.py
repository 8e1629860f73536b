"""
Answering a user's SPARQL: refuse what is unsafe, bind, run, wrap the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from semantica_rdf.model.terms import Term, foreign_term, literal
from semantica_rdf.sparql.bindings import bind_variables
from semantica_rdf.sparql.guard import refuse_unsafe
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.query_errors import mapped
from semantica_rdf.view.results import Boolean, Solutions, Triples, answer_of

_EMPTY = RdfStore.memory()
"""Where a text is tried first, so that one that is no SPARQL costs nothing more."""


def answered(
    store: Callable[[], RdfStore],
    sparql: str,
    *,
    prefixes: Mapping[str, str],
    bindings: Mapping[str, Any],
) -> Solutions | Boolean | Triples:
    """
    Return the answer of a read-only query; the store is asked for once the text is known to be safe.

    Raises `QuerySyntaxError`, `QueryRefused`, `QueryError`.
    """
    refuse_unsafe(sparql)
    text = sparql
    if bindings:
        terms = {name.lstrip("?$"): _term(value) for name, value in bindings.items()}
        text = bind_variables(sparql, terms)
    known = dict(prefixes)
    try:
        _EMPTY.raw.query(text, prefixes=known)
        return answer_of(store().raw.query(text, prefixes=known), known)
    except (SyntaxError, ValueError, RuntimeError, OSError) as error:
        raise mapped(error, sparql, prefixes) from None


def _term(value: Any) -> Term:
    found = foreign_term(value)
    return literal(value) if found is None else found
