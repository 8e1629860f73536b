"""The table of views: the contests of every size, and how selective queries grow between them."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

from contests import OURS, Contest, Line, met, ratio_of, spelled
from rivals import Tiramemsu
from view_rounds import Bases, built, contests_of, selective

GROWTH = 1.5
"""How many times the seconds at 100,000 facts a selective query may take at 1,000,000."""


def view_rows(
    directory: Path, rival: Tiramemsu, *, sizes: Sequence[int], rounds: int
) -> Iterator[list[str]]:
    """Yield the table's rows, the number of facts first; bases stay until the end, for the growth."""
    with ExitStack() as stack:
        kept: list[Bases] = []
        for facts in sizes:
            bases = built(stack, directory / str(facts), rival, facts)
            bases.base.rebuild_columns()
            for contest in contests_of(bases):
                for number in range(rounds):
                    contest.play(number)
                yield from ([f"{facts:,}", *row] for row in contest.rows())
            kept.append(bases)
        for small, large in pairwise(kept):
            yield from _growth(small, large, rounds)


def _growth(small: Bases, large: Bases, rounds: int) -> Iterator[list[str]]:
    """Yield a row per selective query: the two sizes take turns."""
    asked = GROWTH if (small.facts, large.facts) == (100_000, 1_000_000) else None
    for before, after in zip(selective(small), selective(large), strict=True):
        for number in range(rounds):
            before.play(number)
            after.play(number)
        yield [f"{large.facts:,}", *_grown(before, after, Line(f"at {small.facts:,}", asked))]


def _grown(before: Contest, after: Contest, line: Line) -> list[str]:
    here, there = after.seconds[OURS], before.seconds[OURS]
    ratio = ratio_of(here, there)
    ours, theirs = (spelled(statistics.median(seconds)) for seconds in (here, there))
    asked = "" if line.at_most is None else f"≤ {line.at_most:g}"
    return [
        f"{after.what}, growth",
        ours,
        line.against,
        theirs,
        f"{ratio:.2f}",
        asked,
        met(ratio, line),
    ]
