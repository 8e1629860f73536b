"""
Clocks of places: an offset as it is written, a zone by its IANA name, local times that exist once.

A local time in a named zone is refused where the clocks skipped it (`nonexistent_time`) and where
they showed it twice (`ambiguous_time`): which instant is meant, only its source can say. A day
begins with its first instant, also where the clocks skip midnight or show it twice.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from semantica_rdf.errors import TemporalValidationError, ValidationError
from semantica_rdf.model.terms import shortened

_WIDEST = 14 * 60


def zone_named(name: str) -> ZoneInfo:
    """
    Return the zone of an IANA name such as `Europe/Zurich`, from the system's data or `tzdata`.

    Raises `ValidationError` (`unknown_zone`); systems without zone data, such as Windows, need
    the package `tzdata`.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValidationError(
            f"{shortened(name)!r} is no time zone known here",
            code="unknown_zone",
            hint="give an IANA name such as Europe/Zurich; "
            "where the system has no zone data, as on Windows: pip install tzdata",
        ) from None


def offset_written(text: str) -> tzinfo:
    """
    Return the offset of `Z` or `+02:00`; ValueError beyond 14 hours.

    >>> offset_written("-01:30").utcoffset(None).total_seconds()
    -5400.0
    """
    if text == "Z":
        return UTC
    hours, minutes = int(text[1:3]), int(text[4:6])
    if minutes > 59 or hours * 60 + minutes > _WIDEST:
        raise ValueError(f"{text} is beyond 14 hours")
    span = timedelta(hours=hours, minutes=minutes)
    return timezone(-span if text[0] == "-" else span)


def placed(local: datetime, zone: tzinfo, *, text: str, where: str) -> datetime:
    """
    Return a naive local time as the aware one it is in a zone.

    `text` and `where` name it in errors. Raises `TemporalValidationError`: `nonexistent_time`,
    `ambiguous_time`.
    """
    first = local.replace(tzinfo=zone, fold=0)
    if isinstance(zone, timezone):
        return first
    before, after = first.utcoffset(), first.replace(fold=1).utcoffset()
    if before is None or after is None or before == after:
        return first
    if before < after:
        raise nonexistent(text, zone, where)
    raise TemporalValidationError(
        f"{where}: {text} happened twice in {zone}, when the clocks went back",
        code="ambiguous_time",
        hint=f"append the offset that is meant, {_offset(before)} or {_offset(after)}",
    )


def nonexistent(text: str, zone: tzinfo, where: str) -> TemporalValidationError:
    """Return the error for a local time or day that a zone never had (`nonexistent_time`)."""
    return TemporalValidationError(
        f"{where}: {text} never was in {zone}, the clocks skipped it",
        code="nonexistent_time",
        hint="mend it, or append the offset that is meant",
    )


def _offset(span: timedelta) -> str:
    minutes = round(span.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


__all__ = ["nonexistent", "offset_written", "placed", "zone_named"]
