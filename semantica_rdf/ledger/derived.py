"""
What is derived from the record and kept beside it: made when first asked for, proved by the journal.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from semantica_rdf.columns.on_demand import ColumnsOnDemand
from semantica_rdf.ledger.ledger import Ledger

if TYPE_CHECKING:
    from semantica_rdf.columns.columns import Columns


def columns_of(ledger: Ledger, directory: Path | None, *, writable: bool) -> ColumnsOnDemand:
    """Return the temporal columns of a base; `directory` is the base's own, None in memory."""

    def proof(sequence: int) -> str | None:
        """Return what proves the record up to a transaction."""
        found = ledger.journal.hash_at(sequence)
        return None if found is None else found.hex()

    def make() -> Columns:
        """Make the columns; only now is numpy imported."""
        from semantica_rdf.columns.columns import Columns

        return Columns(
            ledger.store,
            ledger.identity,
            proof,
            None if directory is None else directory / "columns",
            writable=writable,
        )

    def sequence() -> int:
        """Return the last transaction on record; raises `StoreLocked` (`closed`)."""
        ledger.store.check_open()
        return ledger.sequence

    return ColumnsOnDemand(make, sequence)


__all__ = ["columns_of"]
