"""
What a nightly full extract is of: its source, its date, and how much of the source it may end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.load import LoadOptions
from semantica_rdf.model.time import start_of

DEFAULT_MAX_CLOSED = 0.1
"""The largest share of a source's current statements that an extract may end unless told."""


class Extract(NamedTuple):
    """What an extract is of: the source, its date as an instant and as given, the largest share."""

    source: str
    instant: int
    date: Any
    max_closed: float


def checked(options: LoadOptions) -> Extract:
    """
    Return what the options of a load say of an extract.

    Raises `ValidationError`: `missing_source`, `missing_valid_from`, `snapshot_with_windows`,
    `bad_chunk`, `bad_max_closed`; `TemporalValidationError` for a date that is none.
    """
    source = options.source or options.default_source
    if source is None:
        raise ValidationError(
            "a snapshot is the complete state of one source, and none is named",
            code="missing_source",
            hint="give source=",
        )
    if options.valid_from is None:
        raise ValidationError(
            "a snapshot needs the date it is of",
            code="missing_valid_from",
            hint="give valid_from=",
        )
    if options.valid_until is not None:
        raise ValidationError(
            "valid_until= beside a snapshot, which holds until the next one",
            code="snapshot_with_windows",
        )
    if options.chunk is not None:
        raise ValidationError("a snapshot is one transaction: no chunk=", code="bad_chunk")
    share = DEFAULT_MAX_CLOSED if options.max_closed is None else options.max_closed
    if type(share) not in {int, float} or not 0 <= share <= 1:
        raise ValidationError(
            f"max_closed={share!r} is no share",
            code="bad_max_closed",
            hint="give a number from 0 to 1",
        )
    return Extract(source, start_of(options.valid_from).instant, options.valid_from, share)


__all__ = ["DEFAULT_MAX_CLOSED", "Extract", "checked"]
