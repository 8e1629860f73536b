"""
Joining the two ends of one window that stand on two lines.

Per fact, starts and ends are taken in chronological order: a start pairs with the first end at or
after it that is over before the next start. What finds no partner stays half-open. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from semantica_rdf.model.draft import Draft
from semantica_rdf.model.time import DateEnd, end_of, period_of, start_of


class Edge(NamedTuple):
    """
    One line that gives one bound.

    `instant` is where the window begins; for an end, the exclusive bound as given, or the last
    instant inside the period of an inclusive one.
    """

    instant: int
    line: int
    draft: Draft


def start_edge(draft: Draft, line: int) -> Edge:
    """Return the edge of a draft with `valid_from`. Raises as `model.time.start_of`."""
    return Edge(start_of(draft.valid_from, zone=draft.zone).instant, line, draft)


def end_edge(draft: Draft, line: int, date_end: DateEnd) -> Edge:
    """Return the edge of a draft with `valid_until`. Raises as `model.time.end_of`."""
    period = period_of(draft.valid_until, where="valid_until", zone=draft.zone)
    until = end_of(draft.valid_until, date_end=date_end, zone=draft.zone).instant
    return Edge(until - 1 if until > period.start else until, line, draft)


def joined(
    starts: Sequence[Edge], ends: Sequence[Edge]
) -> Iterator[tuple[Edge | None, Edge | None]]:
    """
    Yield `(start, end)`, one of them None where no partner was found.

    An end at its own start makes an empty pair, which is the caller's to refuse.
    """
    starts, ends = sorted(starts), sorted(ends)
    at = 0
    for place, start in enumerate(starts):
        while at < len(ends) and ends[at].instant < start.instant:
            yield None, ends[at]
            at += 1
        last = place + 1 == len(starts)
        if at < len(ends) and (last or ends[at].instant <= starts[place + 1].instant):
            yield start, ends[at]
            at += 1
        else:
            yield start, None
    for end in ends[at:]:
        yield None, end


def merged(start: Draft, end: Draft) -> Draft:
    """Return one draft with the start of one and the end of the other."""
    return start._replace(
        valid_until=end.valid_until,
        support_id=start.support_id if start.support_id is not None else end.support_id,
        confidence=start.confidence if start.confidence is not None else end.confidence,
        source_recorded_at=start.source_recorded_at
        if start.source_recorded_at is not None
        else end.source_recorded_at,
    )


__all__ = ["Edge", "end_edge", "joined", "merged", "start_edge"]
