"""
Receipts: what a transaction did, as values and as a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from semantica_rdf.ledger.domain_gate import Finding
from semantica_rdf.model.time import datetime_of, instant_text

_PAST = {
    "assert": "asserted",
    "propose": "proposed",
    "retract": "retracted",
    "withdraw": "withdrew",
    "revise": "revised",
    "replace": "replaced",
    "believe": "believed",
    "dispute": "disputed",
    "reject": "rejected",
    "cut": "cut",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """
    What a transaction recorded.

    `sequence` is 0 and `recorded_instant` None when nothing changed. `statements` are the ids of
    the statements written, new versions included; `superseded` the ids closed; `cut` the closed
    ones that a replacement cut; `already_there` how many claims stood on record already;
    `effects` how often each verb took effect; `warnings` what a user's shapes say of severity
    sh:Warning or sh:Info. `repeated` tells that the reference was seen before and this is the
    first receipt.
    """

    sequence: int
    transaction: str | None
    recorded_instant: int | None
    statements: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    already_there: int = 0
    effects: Mapping[str, int] = field(default_factory=dict)
    reference: str | None = None
    repeated: bool = False
    warnings: tuple[Finding, ...] = ()

    @property
    def recorded_at(self) -> datetime | None:
        """When it was recorded, aware UTC; None when nothing changed."""
        return None if self.recorded_instant is None else datetime_of(self.recorded_instant)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was recorded."""
        return self.sequence == 0

    def __str__(self) -> str:
        there = f"{self.already_there} already on record" if self.already_there else ""
        if self.recorded_instant is None:
            return f"Nothing to record{': ' + there if there else ''}."
        parts = [f"{_PAST.get(verb, verb)} {count}" for verb, count in self.effects.items()]
        if not parts:
            parts = [f"wrote {len(self.statements)}"]
        if self.superseded:
            parts.append(f"superseded {len(self.superseded)}")
        if there:
            parts.append(there)
        if self.warnings:
            plural = "s" if len(self.warnings) > 1 else ""
            parts.append(f"with {len(self.warnings)} warning{plural} of the shapes")
        when = instant_text(self.recorded_instant)
        again = " (this reference was recorded before; nothing new)" if self.repeated else ""
        return f"Transaction {self.sequence}, recorded {when}: {', '.join(parts)}{again}."
