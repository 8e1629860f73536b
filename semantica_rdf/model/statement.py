"""
Facts and statements as values: the keys facts are counted by, and one version of one claim.

Terms inside a key are canonical N-Triples texts, so that comparing, hashing and writing them
costs nothing; properties give them back as terms. A `FactKey` is the design's *fact*: namespace,
user graph or none, subject, predicate, object.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from semantica_rdf.model.terms import Iri, Literal, term_of_ntriples
from semantica_rdf.model.time import OPEN_END, Window, datetime_of, datetime_or_none

DEFAULT_NAMESPACE = "default"


class FactKey(NamedTuple):
    """Namespace token, user graph (N-Triples, empty for none), subject, predicate, object."""

    namespace: str
    graph: str
    subject: str
    predicate: str
    object: str

    @property
    def triple(self) -> str:
        """The N-Triples text of the triple, without the final dot."""
        return f"{self.subject} {self.predicate} {self.object}"


class Statement(NamedTuple):
    """
    One version of one claim, as it stands on record.

    `id`, `source`, `transaction`, `superseded_by`, `family`, `revision_of` are IRIs as text;
    `recorded_at` and `superseded_at` are instants in microseconds (`OPEN_END`: still open);
    `confidence` is a decimal from 0 to 1 as text.
    """

    id: str
    fact: FactKey
    source: str
    window: Window
    transaction: str
    recorded_at: int
    family: str
    superseded_at: int = OPEN_END
    superseded_by: str | None = None
    revision_of: str | None = None
    support_id: str | None = None
    standing: str = "believed"
    confidence: str | None = None
    valid_from_text: str | None = None
    valid_until_text: str | None = None
    source_text: str | None = None
    source_recorded_at: int | None = None

    @property
    def subject(self) -> Iri | Literal:
        """The subject."""
        return term_of_ntriples(self.fact.subject)

    @property
    def predicate(self) -> Iri | Literal:
        """The predicate."""
        return term_of_ntriples(self.fact.predicate)

    @property
    def object(self) -> Iri | Literal:
        """The object, in the store's canonical form; `source_text` keeps a differing original."""
        return term_of_ntriples(self.fact.object)

    @property
    def graph(self) -> Iri | None:
        """The user graph, None for the default graph."""
        return Iri(self.fact.graph[1:-1]) if self.fact.graph else None

    @property
    def namespace(self) -> str:
        """The namespace token."""
        return self.fact.namespace

    @property
    def valid_from(self) -> datetime | None:
        """Start of the valid window, aware UTC, None when open."""
        return datetime_or_none(self.window.start)

    @property
    def valid_until(self) -> datetime | None:
        """End of the valid window (exclusive), aware UTC, None when open."""
        return datetime_or_none(self.window.end)

    @property
    def recorded(self) -> datetime:
        """When the ledger recorded this version, aware UTC."""
        return datetime_of(self.recorded_at)

    @property
    def superseded(self) -> datetime | None:
        """When this version was superseded, aware UTC, None while it is open."""
        return datetime_or_none(self.superseded_at)

    @property
    def is_open(self) -> bool:
        """Whether no later transaction has superseded this version."""
        return self.superseded_at == OPEN_END

    @property
    def confidence_value(self) -> Decimal | None:
        """The confidence as a Decimal."""
        return None if self.confidence is None else Decimal(self.confidence)


class Row(NamedTuple):
    """A belief row: one triple with a window on each axis; `by_statement` when a statement names it."""

    id: str
    fact: FactKey
    window: Window
    recorded_at: int
    superseded_at: int = OPEN_END
    by_statement: bool = True

    @property
    def is_open(self) -> bool:
        """Whether no later transaction has closed the row."""
        return self.superseded_at == OPEN_END
