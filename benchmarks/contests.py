"""
A contest: contenders that answer the same questions in turns, their times and answers compared.

Each round gives the turns in another order. Answers must be equal; the table's ratio is the median
over the rounds of one contender's median seconds over another's.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from people_history import digest

Rows: TypeAlias = Iterable[tuple[str, ...]]

OURS = "ours"


class Turn(NamedTuple):
    """The seconds each question took, and the digest of each answer."""

    seconds: list[float]
    digests: list[str]


Answering: TypeAlias = Callable[[Sequence[Any]], Turn]


class Line(NamedTuple):
    """A row of the table to come: against whom, and how many times its seconds we may take."""

    against: str
    at_most: float | None


@dataclass
class Contest:
    """
    What is asked, who answers, and what is to hold.

    `questions` gives those of a round. The first contender is us.
    """

    what: str
    contenders: Mapping[str, Answering]
    lines: Sequence[Line]
    questions: Callable[[int], Sequence[Any]]
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def play(self, number: int) -> None:
        """Let every contender answer a round; raises `AssertionError` where answers differ."""
        questions = self.questions(number)
        names = list(self.contenders)
        first = number % len(names)
        told = {}
        for name in [*names[first:], *names[:first]]:
            turn = self.contenders[name](questions)
            self.seconds.setdefault(name, []).append(statistics.median(turn.seconds))
            told[name] = turn.digests
        for name, digests in told.items():
            for question, ours, theirs in zip(questions, told[OURS], digests, strict=True):
                if ours != theirs:
                    message = f"{self.what}, {question}: ours {ours}, {name} {theirs}"
                    raise AssertionError(message)

    def rows(self) -> list[list[str]]:
        """Return the table's rows: what, ours, against, its figure, ratio, asked, met."""
        return [self._row(line) for line in self.lines]

    def _row(self, line: Line) -> list[str]:
        asked = "" if line.at_most is None else f"≤ {line.at_most:g}"
        ours = spelled(statistics.median(self.seconds[OURS]))
        if line.against not in self.seconds:
            return [self.what, ours, line.against, "left out", "", asked, "not measured"]
        ratio = ratio_of(self.seconds[OURS], self.seconds[line.against])
        theirs = spelled(statistics.median(self.seconds[line.against]))
        return [self.what, ours, line.against, theirs, f"{ratio:.2f}", asked, met(ratio, line)]


def met(ratio: float, line: Line) -> str:
    """Return whether a ratio is within a line's bound, empty where there is none."""
    return "" if line.at_most is None else ("yes" if ratio <= line.at_most else "no")


def ratio_of(above: Sequence[float], below: Sequence[float]) -> float:
    """Return the median over the rounds of one contender's seconds over another's."""
    return statistics.median(first / second for first, second in zip(above, below, strict=True))


def spelled(seconds: float) -> str:
    """
    Return seconds for a table.

    >>> spelled(0.000123), spelled(0.0123), spelled(1.23)
    ('123 µs', '12.3 ms', '1.23 s')
    """
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} µs"
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def answering(work: Callable[[Any], Any], rows: Callable[[Any], Rows]) -> Answering:
    """Return a contender of this process: `work` is timed, `rows` reads its answer afterwards."""

    def turn(questions: Sequence[Any]) -> Turn:
        seconds, answers = [], []
        gc.collect()
        for question in questions:
            start = time.perf_counter()
            answers.append(work(question))
            seconds.append(time.perf_counter() - start)
        return Turn(seconds, [digest(rows(answer)) for answer in answers])

    return turn
