"""
Instants and windows: the one function that reads a bound, and the one that writes it.

An instant is an integer of microseconds since 1970-01-01T00:00:00Z, inside the years 1 to 9999;
its canonical text is the `xsd:dateTime` the store itself prints: UTC, `Z`, no trailing zeros.
`OPEN_START` and `OPEN_END` stand for absent bounds and are never stored. Windows are half-open.
A date-like bound is the instant at the start of its period, UTC unless it names an offset
(design page, section 3); with `date_end="inclusive"` an end moves to the end of its period.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any, Literal, NamedTuple, NoReturn

from semantica_rdf.errors import AmbiguousTerm, TemporalValidationError, ValidationError
from semantica_rdf.model import terms, vocab
from semantica_rdf.model.zones import nonexistent, offset_written, placed

OPEN_START = -(2**63)
"""The start of a window that has none: as far back as anyone asks."""
OPEN_END = 2**63 - 1
"""The end of a window that has none: still."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
FIRST_INSTANT = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND
LAST_INSTANT = (datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC) - EPOCH) // MICROSECOND

MAX_TEXT = 64
"""Characters of a bound's text; the longest sensible one has half of that."""
DateEnd = Literal["exclusive", "inclusive"]
Clock = Callable[[], datetime]
"""Returns an aware datetime; injected wherever the present is asked for."""

_DATE_TYPES = frozenset(
    vocab.XSD + name
    for name in ("date", "gYearMonth", "gYear", "dateTime", "dateTimeStamp", "string")
)
_ZONE = r"(?P<zone>Z|[+-]\d\d:\d\d)?"
_DATETIME = re.compile(
    r"(?P<year>-?\d{4,})-(?P<month>\d\d)-(?P<day>\d\d)T(?P<hour>\d\d):(?P<minute>\d\d)"
    r"(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?" + _ZONE + r"\Z",
    re.ASCII,
)
_DATE = re.compile(
    r"(?P<year>-?\d{4,})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?" + _ZONE + r"\Z", re.ASCII
)
_REDUCED = re.compile(r"(?P<year>-?\d{1,})-(?P<month>\d\d|##)-(?P<day>\d\d|##)\Z", re.ASCII)
_COMPACT = re.compile(r"\d{8}\Z|\d{4}-?W\d\d(-?\d)?\Z", re.ASCII)


class Window(NamedTuple):
    """A half-open span of instants; open bounds are `OPEN_START` and `OPEN_END`."""

    start: int = OPEN_START
    end: int = OPEN_END

    def holds_at(self, instant: int) -> bool:
        """Tell whether the instant lies inside."""
        return self.start <= instant < self.end

    def overlaps(self, other: Window) -> bool:
        """Tell whether the two share an instant."""
        return self.start < other.end and other.start < self.end


class Period(NamedTuple):
    """What one date-like value covers, with the text it was given as."""

    start: int
    end: int
    text: str


class Bound(NamedTuple):
    """One end of a window: the instant, and the source's own text where that says it otherwise."""

    instant: int
    text: str | None


@lru_cache(maxsize=65536)
def instant_text(instant: int) -> str:
    """
    Return the canonical text of an instant.

    >>> instant_text(0)
    '1970-01-01T00:00:00Z'
    """
    moment = EPOCH + timedelta(microseconds=instant)
    text = moment.isoformat().removesuffix("+00:00")
    return (text.rstrip("0") if moment.microsecond else text) + "Z"


def instant_of_datetime(moment: datetime, *, where: str = "time") -> int:
    """Return the instant of an aware datetime; a naive one is refused (`naive_datetime`)."""
    if moment.utcoffset() is None:
        _refuse_naive(moment.isoformat(), where)
    instant = (moment - EPOCH) // MICROSECOND
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        _refuse_year(moment.isoformat(), where)
    return instant


def datetime_of(instant: int) -> datetime:
    """Return the aware UTC datetime of an instant that is not open."""
    return EPOCH + timedelta(microseconds=instant)


def datetime_or_none(instant: int) -> datetime | None:
    """Return the aware UTC datetime of an instant, None for an open bound."""
    return None if instant in {OPEN_START, OPEN_END} else datetime_of(instant)


def start_of(value: Any, *, where: str = "valid_from", zone: tzinfo | None = None) -> Bound:
    """
    Read an inclusive start, or an instant to ask about.

    Takes aware datetimes, dates, ISO 8601 and XSD texts, reduced precision, RDF literals. `zone`
    is that of times and dates which name none. Raises `TemporalValidationError`: `bad_time`,
    `naive_datetime`, `year_out_of_range`, `leap_second`, `too_precise`, `nonexistent_time`,
    `ambiguous_time`.
    """
    period = period_of(value, where=where, zone=zone)
    return _bound(period.start, period.text)


def end_of(
    value: Any,
    *,
    where: str = "valid_until",
    zone: tzinfo | None = None,
    date_end: DateEnd = "exclusive",
) -> Bound:
    """
    Read an exclusive end; with `date_end="inclusive"` a date-like value ends with its period.

    Raises as `start_of`.
    """
    check_date_end(date_end)
    period = period_of(value, where=where, zone=zone)
    if date_end == "inclusive":
        if period.end > LAST_INSTANT:
            _refuse_year(period.text, where)
        return _bound(period.end, period.text)
    return _bound(period.start, period.text)


def check_date_end(date_end: str) -> None:
    """Refuse anything but `exclusive` and `inclusive` (`bad_date_end`)."""
    if date_end not in {"exclusive", "inclusive"}:
        raise TemporalValidationError(
            f"date_end={date_end!r}", code="bad_date_end", hint="exclusive or inclusive"
        )


def checked_period(
    value: Any, *, where: str = "valid_during", zone: tzinfo | None = None
) -> Period:
    """Return the period a value covers, both ends of it storable (raises as `start_of`)."""
    period = period_of(value, where=where, zone=zone)
    if period.end > LAST_INSTANT:
        _refuse_year(period.text, where)
    return period


def _bound(instant: int, text: str) -> Bound:
    return Bound(instant, None if text == instant_text(instant) else text)


def period_of(value: Any, *, where: str = "valid_during", zone: tzinfo | None = None) -> Period:
    """
    Return the period one value covers: a year, a month, a day, or a bare instant (start == end).

    Raises as `start_of`.
    """
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            if zone is None:
                _refuse_naive(value.isoformat(), where)
            value = placed(value, zone, text=value.isoformat(), where=where)
        instant = instant_of_datetime(value, where=where)
        return Period(instant, instant, value.isoformat().replace("+00:00", "Z"))
    if isinstance(value, date):
        return _period_of_text(value.isoformat(), where, zone)
    return _period_of_text(_text_of(value, where), where, zone)


def _text_of(value: Any, where: str) -> str:
    if isinstance(value, bool | int | float):
        _refuse(f"{value!r} is a number", where)
    if isinstance(value, str) and type(value) is str:
        return _checked_length(value, where)
    try:
        term = terms.object_of(value, {})
    except (AmbiguousTerm, ValidationError):
        term = None
    if isinstance(term, terms.Literal) and term.datatype in _DATE_TYPES:
        return _checked_length(term.value, where)
    return _refuse(f"{type(value).__name__} {terms.shortened(str(value))}", where)


def _checked_length(text: str, where: str) -> str:
    """Return the text of a bound when it is short enough to be kept beside it."""
    if len(text) > MAX_TEXT:
        _refuse(f"{terms.shortened(text)!r} has {len(text):,} characters", where)
    return text


@lru_cache(maxsize=8192)
def _period_of_text(text: str, where: str, zone: tzinfo | None) -> Period:
    match = _DATETIME.match(text)
    if match:
        instant = _instant_of_match(match, text, where, zone)
        return Period(instant, instant, text)
    match = _REDUCED.match(text) if "#" in text else _DATE.match(text)
    if match and not _COMPACT.match(text):
        return _period_of_match(match, text, where, zone)
    if _COMPACT.match(text):
        return _period_of_compact(text, where, zone)
    return _refuse(f"{terms.shortened(text)!r} is not a date or time", where)


def _period_of_compact(text: str, where: str, zone: tzinfo | None) -> Period:
    try:
        first = date.fromisoformat(text)
    except ValueError as error:
        _refuse(f"{text!r} is not a date: {error}", where)
    days = 7 if "W" in text and len(text.replace("-", "")) == len("2026W36") else 1
    return _period_of_days(first, days, text, where, zone or UTC)


def _period_of_days(first: date, days: int, text: str, where: str, zone: tzinfo) -> Period:
    start = _start_of_day(first.year, first.month, first.day, text, where, zone)
    following = first.toordinal() + days
    if following > date.max.toordinal():
        return Period(start, LAST_INSTANT + 1, text)
    after = date.fromordinal(following)
    end = _start_of_day(after.year, after.month, after.day, text, where, zone)
    if end <= start:
        raise nonexistent(text, zone, where)
    return Period(start, end, text)


def _instant_of_match(match: re.Match[str], text: str, where: str, zone: tzinfo | None) -> int:
    year = _year(match, text, where)
    offset = _offset(match, text, where) or zone
    if offset is None:
        _refuse_naive(text, where)
    hour, minute, second = (int(match.group(name) or 0) for name in ("hour", "minute", "second"))
    if second == 60:
        raise TemporalValidationError(
            f"{where}: {text!r} is a leap second",
            code="leap_second",
            hint="use second 59 or the next minute",
        )
    fraction = (match.group("fraction") or "").rstrip("0")
    if len(fraction) > 6:
        raise TemporalValidationError(
            f"{where}: {text!r} is finer than a microsecond",
            code="too_precise",
            hint="round it to at most six fraction digits",
        )
    next_midnight = hour == 24 and minute == second == 0 and not fraction
    try:
        day = (year, int(match.group("month")), int(match.group("day")))
        micros = int((fraction or "0").ljust(6, "0"))
        local = datetime(*day, 0 if next_midnight else hour, minute, second, micros, tzinfo=offset)
    except ValueError as error:
        _refuse(f"{text!r} is not a time: {error}", where)
    later = timedelta(days=int(next_midnight))
    if local.date() < date.max:
        local, later = local + later, timedelta()
    moment = placed(local, offset, text=text, where=where)
    instant = (moment - EPOCH + later) // MICROSECOND
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        _refuse_year(text, where)
    return instant


def _period_of_match(match: re.Match[str], text: str, where: str, zone: tzinfo | None) -> Period:
    year = _year(match, text, where)
    named = _offset(match, text, where) if "zone" in match.re.groupindex else None
    offset = named or zone or UTC
    parts = match.group("month", "day")
    month, day = (None if part in {None, "##"} else int(part) for part in parts)
    if month is None and day is not None:
        _refuse(f"{text!r} has a day and no month", where)
    start = _start_of_day(year, month or 1, day or 1, text, where, offset)
    if month is not None and day is not None:
        return _period_of_days(date(year, month, day), 1, text, where, offset)
    next_year, next_month = (year + 1, 1) if month in {None, 12} else (year, month + 1)
    if next_year > 9999:
        return Period(start, LAST_INSTANT + 1, text)
    return Period(start, _start_of_day(next_year, next_month, 1, text, where, offset), text)


def _start_of_day(year: int, month: int, day: int, text: str, where: str, zone: tzinfo) -> int:
    try:
        midnight = datetime(year, month, day, tzinfo=zone)
    except ValueError as error:
        _refuse(f"{text!r} is not a date: {error}", where)
    instant = (midnight - EPOCH) // MICROSECOND
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        _refuse_year(text, where)
    return instant


def _year(match: re.Match[str], text: str, where: str) -> int:
    digits = match.group("year")
    if len(digits.lstrip("-")) > 4 and digits.lstrip("-").startswith("0"):
        _refuse(f"{text!r} has a year with needless zeros", where)
    year = int(digits)
    if not 1 <= year <= 9999:
        _refuse_year(text, where)
    return year


def _offset(match: re.Match[str], text: str, where: str) -> tzinfo | None:
    try:
        return None if match.group("zone") is None else offset_written(match.group("zone"))
    except ValueError:
        return _refuse(f"{text!r} has an offset beyond 14 hours", where)


def _refuse(what: str, where: str) -> NoReturn:
    raise TemporalValidationError(
        f"{where}: {what}",
        hint="give an aware datetime or ISO 8601, such as 2026-09-01 or 2026-09-01T12:00:00Z",
    )


def _refuse_naive(text: str, where: str) -> NoReturn:
    raise TemporalValidationError(
        f"{where}: {text} names no time zone",
        code="naive_datetime",
        hint="append Z or an offset such as +02:00, or name the source's zone",
    )


def _refuse_year(text: str, where: str) -> NoReturn:
    raise TemporalValidationError(
        f"{where}: {text} lies outside the years 1 to 9999",
        code="year_out_of_range",
        hint="leave the bound out for 'always' or 'still', and keep such a date as a value",
    )
