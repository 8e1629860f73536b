"""A transaction that only remembers: what the loader is tried against without a ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from semantica_rdf.errors import ReservedTerm
from semantica_rdf.ledger.intake import span_of
from semantica_rdf.loading import LoadOptions, LoadReport, load
from semantica_rdf.model import vocab
from semantica_rdf.model.draft import Admission, Draft


class RecordingTransaction:
    """Takes drafts, refuses bad windows and our own predicates, forgets them when discarded."""

    def __init__(self, known: dict[Draft, str]) -> None:
        self.known = known
        self.drafts: dict[Draft, str] = {}
        self.receipt = "recorded"
        self.discarded = False

    def admit(self, draft: Draft) -> Admission:
        """Take a draft, once."""
        span_of(draft)
        if getattr(draft.predicate, "value", "") in vocab.RESERVED_PREDICATES:
            raise ReservedTerm(f"{draft.predicate} is a word of the record")
        if draft in self.known or draft in self.drafts:
            return Admission("old", already_there=True)
        self.drafts[draft] = ""
        return Admission("new", already_there=False)

    def check(self):
        return ()

    def discard(self) -> None:
        """Record nothing."""
        self.discarded = True


class Recorder:
    """A base that holds drafts; transactions that raise or are discarded leave nothing."""

    def __init__(self) -> None:
        self.known: dict[Draft, str] = {}
        self.parts: list[int] = []

    @contextmanager
    def open_transaction(self, part: int) -> Iterator[RecordingTransaction]:
        """Open the transaction of a chunk."""
        transaction = RecordingTransaction(self.known)
        yield transaction
        if not transaction.discarded:
            self.parts.append(part)
            self.known |= transaction.drafts

    def load(self, document: Any, **options: Any) -> LoadReport:
        """Load a document with these options."""
        return load(document, self.open_transaction, LoadOptions(**options))

    @property
    def drafts(self) -> list[Draft]:
        """Everything recorded, in order."""
        return list(self.known)

    @property
    def triples(self) -> list[tuple[str, str, str]]:
        """Subject, predicate and object of everything recorded."""
        return [
            (str(draft.subject), str(draft.predicate), str(draft.object)) for draft in self.known
        ]
