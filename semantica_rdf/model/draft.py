"""
A draft: one claim as a caller or a file states it, before intake has looked at it.

Every field is what the caller gave: strings, Python values, terms. Intake turns a draft into a
claim of checked terms and instants, or refuses it.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import Any, NamedTuple

from semantica_rdf.model.time import DateEnd


class Draft(NamedTuple):
    """
    One claim to be put on record.

    `valid_from` and `valid_until` bound the half-open window, `valid_during` gives it whole as
    one period; absent bounds are open. `date_end="inclusive"` moves a date-like end to the end of
    its period; None is exclusive. `source_recorded_at` is the record time of the system the claim
    comes from. `zone` is that of bounds which name none.
    """

    subject: Any
    predicate: Any
    object: Any
    graph: Any = None
    source: Any = None
    valid_from: Any = None
    valid_until: Any = None
    valid_during: Any = None
    date_end: DateEnd | None = None
    support_id: str | None = None
    confidence: Any = None
    source_recorded_at: Any = None
    zone: tzinfo | None = None


class Admission(NamedTuple):
    """What became of a draft: the statement's id, and whether it was on record already."""

    id: str
    already_there: bool
