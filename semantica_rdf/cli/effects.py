"""What a write did, in a sentence, and the verb that may have been meant instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from semantica_rdf.cli import plain
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.text import short_id
from semantica_rdf.model.time import instant_text
from semantica_rdf.view.shown import counted

if TYPE_CHECKING:
    from semantica_rdf.ledger.receipt import Receipt

_LISTED = 8


def tell_effect(session: Session, receipt: Receipt, sentence: str, sibling: str) -> None:
    """Print a write's receipt as JSON, or its sentence, its transaction and the sibling verb."""
    if session.output.as_json:
        session.output.json(plain.receipt_value(receipt))
        return
    session.output.line(f"{sentence} {_recorded(receipt)}".rstrip())
    if sibling:
        session.output.line(sibling)


def _recorded(receipt: Receipt) -> str:
    if receipt.recorded_instant is None:
        return "Nothing changed."
    when = instant_text(receipt.recorded_instant)
    return f"Transaction {receipt.sequence}-0, recorded {when}."


def ids_text(ids: Sequence[str]) -> str:
    """
    Return short ids for a sentence, the first few of many.

    >>> ids_text(["1-1", "1-2"])
    '1-1, 1-2'
    """
    listed = ", ".join(short_id(item) for item in ids[:_LISTED])
    return listed if len(ids) <= _LISTED else f"{listed} and {len(ids) - _LISTED:,} more"


def statements_text(ids: Sequence[str]) -> str:
    """Return how many statements, and which."""
    return f"{counted(len(ids), 'statement')} ({ids_text(ids)})"
