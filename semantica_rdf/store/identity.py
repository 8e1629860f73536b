"""
Ids of the record: opaque IRIs made of the store's id, a sequence number and an ordinal.

They hold nothing of the content. Ordinal 0 is the transaction's own node. The short form
`12-3` is what people type.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from semantica_rdf.model import vocab

_SHORT = re.compile(r"[1-9]\d*-(?:0|[1-9]\d*)\Z", re.ASCII)


class NodeKey(NamedTuple):
    """Sequence number of the transaction that minted the node, and its ordinal there."""

    sequence: int
    ordinal: int


class Identity:
    """Mints and reads the ids of one store."""

    def __init__(self, store_id: str) -> None:
        self.store_id = store_id
        self.prefix = f"{vocab.ID_BASE}{store_id}/"

    def iri(self, sequence: int, ordinal: int) -> str:
        """Return the id of a node as an IRI."""
        return f"{self.prefix}{sequence}-{ordinal}"

    def key(self, iri: str) -> NodeKey | None:
        """Return the key of an id of this store, full or short; None for anything else."""
        short = iri.removeprefix(self.prefix)
        if not _SHORT.fullmatch(short):
            return None
        sequence, _, ordinal = short.partition("-")
        return NodeKey(int(sequence), int(ordinal))

    def full(self, iri: str) -> str:
        """Return the full id for a short one; anything else unchanged."""
        return self.prefix + iri if _SHORT.fullmatch(iri) else iri

    def short(self, iri: str) -> str:
        """Return the short id, as people type it; foreign IRIs unchanged."""
        return iri.removeprefix(self.prefix)
