"""
The record itself, queried read-only: reified statements, their windows, transactions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.view.querying import answered
from semantica_rdf.view.results import Boolean, Solutions, Triples


class RecordView:
    """
    Every statement, every version, in the default graph; transactions in `GRAPH srdf:journal`.

    Belief rows are named graphs of one triple each.
    """

    def __init__(self, store: RdfStore, prefixes: Mapping[str, str]) -> None:
        self._store = store
        self._prefixes = prefixes

    def query(
        self, sparql: str, *, bindings: Mapping[str, Any] | None = None
    ) -> Solutions | Boolean | Triples:
        """
        Answer a read-only SPARQL query over the record as it is now.

        Raises `QuerySyntaxError`, `QueryRefused`, `QueryError` (`unused_binding`).
        """
        return answered(self._store, sparql, prefixes=self._prefixes, bindings=bindings or {})
