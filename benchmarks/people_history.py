"""
The history that views are measured on: who works where, for how much, as four sources told it.

It is recorded in three phases. The first states the claims; the second revises, retracts,
withdraws and confirms a part of them; the third does more of it, after the instant that the
coordinates of the benchmark know of. Some of it is planned for years to come, some stands in another
namespace. Everything follows from numbers, so that every contender can
make the same history for itself; this module knows none of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

EX = "https://example.org/"
AGENT = EX + "people/ann"
SOURCES = tuple(EX + name for name in ("hr", "press", "registry", "census"))
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"

OPEN_START, OPEN_END = -(2**62), 2**62
"""Instants of an open bound, in microseconds since 1970 as all others."""

RECORDED = {1: "2020-01-01", 2: "2022-01-01", 3: "2024-01-01"}
"""The day each phase is recorded."""

KNOWN_AT = "2023-01-01"
"""What the coordinates know: the first two phases."""

DRAFTS, MINUTES = "drafts", EX + "graph/minutes"
"""Another namespace, and the user graphs: what is there must not be seen in plain queries."""


class Act(NamedTuple):
    """
    What becomes of a claim in a later phase.

    `value` is the new object of `revise`, the last day of `retract`, the second source of
    `confirm`, nothing for `withdraw`.
    """

    phase: int
    verb: str
    value: str


class Claim(NamedTuple):
    """One claim: IRIs without brackets, the object as N-Triples text, days or None for open."""

    subject: str
    predicate: str
    object: str
    source: str
    valid_from: str | None = None
    valid_until: str | None = None
    phase: int = 1
    act: Act | None = None
    namespace: str = "default"
    graph: str | None = None

    @property
    def plain(self) -> bool:
        """Whether it belongs to the default graph of the default namespace."""
        return self.namespace == "default" and self.graph is None


class Version(NamedTuple):
    """What one state of a claim contributes to the record; terms as N-Triples texts, instants."""

    subject: str
    predicate: str
    object: str
    sources: str
    valid_from: int
    valid_until: int
    recorded_at: int
    superseded_at: int


def history_of(facts: int, *, minutes: bool = False) -> Iterator[Claim]:
    """
    Yield the claims of a history that leaves so many statements on record, all versions counted.

    With `minutes` some of them stand in user graphs, which the rivals know nothing of.
    """
    written = 0
    for claim in _claims(facts):
        if written >= facts:
            return
        if claim.graph is not None and not minutes:
            continue
        written += 1 + (claim.act is not None and claim.act.verb != "withdraw")
        yield claim


def person(number: int, facts: int) -> str:
    """Return the IRI of one of the people that are surely there, spread over all of them."""
    return f"{EX}person/{number * 7919 % (facts // 8)}"


def versions_of(claim: Claim) -> list[Version]:
    """Return the states of a claim over the phases: what any bitemporal table would hold of it."""
    first = Version(
        f"<{claim.subject}>",
        f"<{claim.predicate}>",
        claim.object,
        claim.source,
        OPEN_START if claim.valid_from is None else instant(claim.valid_from),
        OPEN_END if claim.valid_until is None else instant(claim.valid_until),
        instant(RECORDED[claim.phase]),
        OPEN_END,
    )
    if claim.act is None:
        return [first]
    when = instant(RECORDED[claim.act.phase])
    closed = first._replace(superseded_at=when)
    if claim.act.verb == "withdraw":
        return [closed]
    changed = {
        "revise": lambda value: {"object": value},
        "retract": lambda value: {"valid_until": instant(value)},
        "confirm": lambda value: {"sources": " ".join(sorted({claim.source, value}))},
    }[claim.act.verb](claim.act.value)
    return [closed, first._replace(recorded_at=when, **changed)]


@lru_cache(maxsize=20_000)
def instant(day: str) -> int:
    """
    Return the instant a day begins, in microseconds since 1970 UTC.

    >>> instant("1970-01-02")
    86400000000
    """
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _claims(facts: int) -> Iterator[Claim]:
    companies, cities = max(5, facts // 400), max(4, min(500, facts // 2000))
    for number in range(companies):
        yield _seat(number, cities)
    number = 0
    while True:
        yield from _of_person(number, facts, companies)
        number += 1


def _seat(company: int, cities: int) -> Claim:
    moved = Act(2, "revise", _city(company + 1, cities)) if company % 10 == 0 else None
    seat = _city(company, cities)
    return Claim(
        f"{EX}company/{company}", f"{EX}locatedIn", seat, SOURCES[2], "2000-01-01", act=moved
    )


def _city(number: int, cities: int) -> str:
    return f"<{EX}city/{number % cities}>"


def _of_person(number: int, facts: int, companies: int) -> Iterator[Claim]:
    subject, source = f"{EX}person/{number}", SOURCES[number % 4]
    other = SOURCES[(number + 1) % 4]
    renamed = Act(2, "revise", f'"Person {number}, born otherwise"') if number % 20 == 7 else None
    yield Claim(subject, f"{EX}name", f'"Person {number}"', source, act=renamed)
    yield from _jobs(number, subject, source, companies)
    people = facts // 8
    first, second = number * 7 + 3, number * 11 + 5
    if first % people == second % people:
        second += 1
    met = _day(2005, 15, number * 31)
    seen = Act(2, "confirm", other) if number % 10 == 9 else None
    yield Claim(subject, f"{EX}knows", _person(first, people), source, met, act=seen)
    wrong = Act(2, "withdraw", "") if number % 40 == 8 else None
    yield Claim(subject, f"{EX}knows", _person(second, people), other, met, act=wrong)
    if number % 20 == 13 and (first + 1) % people != second % people:
        yield Claim(subject, f"{EX}knows", _person(first + 1, people), other, met, phase=3)
    yield from _salaries(number, subject, source)
    yield from _elsewhere(number, subject, other, companies)


def _elsewhere(number: int, subject: str, source: str, companies: int) -> Iterator[Claim]:
    """Yield what plain queries must not see: a plan, a draft, the minutes of a meeting."""
    company = _company(number * 13 + 1, companies)
    if number % 10 == 7:
        yield Claim(subject, f"{EX}worksFor", company, source, "2030-01-01")
    if number % 10 == 5:
        yield Claim(subject, f"{EX}worksFor", company, source, "2015-01-01", namespace=DRAFTS)
    if number % 10 == 0:
        yield Claim(
            subject, f"{EX}worksFor", company, source, "2015-01-01", graph=f"{MINUTES}/{number % 3}"
        )


def _person(number: int, people: int) -> str:
    return f"<{EX}person/{number % people}>"


def _jobs(number: int, subject: str, source: str, companies: int) -> Iterator[Claim]:
    company = number * 13
    begun = _day(2010, 8, number * 17)
    if number % 2 == 0:
        changed = _day(2018, 3, number * 29)
        yield Claim(subject, f"{EX}worksFor", _company(company, companies), source, begun, changed)
        company, begun = company + 1, changed
    yield Claim(
        subject,
        f"{EX}worksFor",
        _company(company, companies),
        source,
        begun,
        act=_turn_of_job(number, _company(company + 2, companies)),
    )


def _turn_of_job(number: int, elsewhere: str) -> Act | None:
    if number % 10 in {1, 6}:
        return Act(2 if number % 10 == 1 else 3, "revise", elsewhere)
    return {
        2: Act(2, "retract", _day(2021, 1, number * 37)),
        3: Act(2, "withdraw", ""),
        4: Act(2, "confirm", SOURCES[(number + 2) % 4]),
        5: Act(3, "retract", _day(2023, 1, number * 37)),
    }.get(number % 20)


def _company(number: int, companies: int) -> str:
    return f"<{EX}company/{number % companies}>"


def _salaries(number: int, subject: str, source: str) -> Iterator[Claim]:
    amount = 3000 + number % 500
    ends = "2031-01-01" if number % 7 == 0 else None
    revised = {11: 2, 12: 3}.get(number % 20)
    act = None if revised is None else Act(revised, "revise", _integer(amount + 7000))
    if number % 3:
        yield Claim(
            subject, f"{EX}salary", _integer(amount), source, _day(2018, 2, number), ends, act=act
        )
        return
    for step, (begin, end) in enumerate(
        (("2018-01-01", "2020-01-01"), ("2020-01-01", "2022-01-01"), ("2022-01-01", ends))
    ):
        yield Claim(
            subject,
            f"{EX}salary",
            _integer(amount + 1000 * step),
            source,
            begin,
            end,
            act=act if step == 1 else None,
        )


def _integer(value: int) -> str:
    return f'"{value}"^^<{INTEGER}>'


def _day(year: int, years: int, number: int) -> str:
    return (date(year, 1, 1) + timedelta(days=number % (365 * years))).isoformat()


def digest(rows: Iterable[tuple[str, ...]]) -> str:
    """Return how many rows an answer has and a hash of them in any order, terms as N-Triples."""
    told = sorted("\t".join(row) for row in rows)
    return f"{len(told)} {hashlib.sha256(chr(10).join(told).encode()).hexdigest()[:16]}"
