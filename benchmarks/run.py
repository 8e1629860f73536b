"""
The benchmarks: `python benchmarks/run.py` with `ledger`, `shapes`, `views` or `rules` prints one Markdown table.

Every figure is the median of rounds in which the contenders take turns, so that a busy machine
slows them alike; a ratio is the median of the ratios of each round.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ledger_rounds import BARE, SOURCED, Figures, measured
from rivals import Tiramemsu
from rule_rounds import rule_rows
from shape_rounds import measured_shapes, shape_rows
from views_table import view_rows

HEADER = ("facts", "what", "ours", "against", "its figure", "ratio", "asked", "met")


def main() -> None:
    """Measure what the command line asks for, and print the table."""
    given = _arguments()
    print(_machine(given.rounds))
    print()
    print(_row(HEADER))
    print(_row(["---:", "---", "---:", "---", "---:", "---:", "---:", "---"]))
    missed = False
    for row in _TABLES[given.what](given):
        missed = missed or row[-1] == "no"
        print(_row(row), flush=True)
    sys.exit(1 if missed and given.strict else 0)


def _ledger(given: argparse.Namespace) -> Iterator[list[str]]:
    """Yield how fast facts are put on record."""
    rival = _rival(given)
    for facts in given.facts or [10_000, 100_000]:
        with _directory(given) as directory:
            figures = measured(
                directory, rival, facts=facts, rounds=given.rounds, asserts=given.asserts
            )
        yield from ([f"{facts:,}", *row] for row in _rows(figures))


def _shapes(given: argparse.Namespace) -> Iterator[list[str]]:
    """Yield what the gate costs, and how fast shapes are judged."""
    for facts in given.facts or [2_000]:
        with _directory(given) as directory:
            figures = measured_shapes(
                directory, facts=facts, rounds=given.rounds, asserts=given.asserts
            )
        yield from ([f"{facts:,}", *row] for row in shape_rows(figures))


def _views(given: argparse.Namespace) -> Iterator[list[str]]:
    """Yield how fast views answer."""
    sizes = given.facts or [10_000, 100_000]
    with _directory(given) as directory:
        yield from view_rows(directory, _rival(given), sizes=sizes, rounds=given.rounds)


def _rules(given: argparse.Namespace) -> Iterator[list[str]]:
    """Yield what each rule of the rewriter is worth."""
    for facts in given.facts or [10_000]:
        with _directory(given) as directory:
            for row in rule_rows(directory, facts=facts, rounds=given.rounds):
                yield [f"{facts:,}", *row]


def _rival(given: argparse.Namespace) -> Tiramemsu:
    return Tiramemsu(Path(__file__).parent / ".cache", install=not given.without_rivals)


@contextmanager
def _directory(given: argparse.Namespace) -> Iterator[Path]:
    """Return a directory for a block, on the disk that is measured."""
    with tempfile.TemporaryDirectory(dir=given.directory, prefix="srdf-bench-") as directory:
        yield Path(directory)


_TABLES = {"ledger": _ledger, "shapes": _shapes, "views": _views, "rules": _rules}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=list(_TABLES))
    parser.add_argument("--facts", type=_numbers)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--asserts", type=int, default=100, help="single commits in a round")
    parser.add_argument("--directory", help="where to write: the disk that is measured")
    parser.add_argument("--without-rivals", action="store_true", help="install nothing")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a target is missed")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _machine(rounds: int) -> str:
    used = f"Python {platform.python_version()}, pyoxigraph {version('pyoxigraph')}"
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{datetime.now(UTC):%Y-%m-%d}; {where}; {used}; medians of {rounds} rounds."


def _rows(figures: Figures) -> list[list[str]]:
    return [
        _speed(figures, "raw extend", at_least=0.5),
        _speed(figures, "raw bulk_extend", at_least=0.2),
        _speed(figures, SOURCED, at_least=1.0),
        _speed(figures, BARE, at_least=None),
        _single(figures),
        _disk(figures),
        _verify(figures),
        ["reopen and close", f"{1000 * figures.median('reopen'):.0f} ms", "", "", "", "", ""],
    ]


def _speed(figures: Figures, rival: str, *, at_least: float | None) -> list[str]:
    ours = f"{figures.facts / figures.median('ours'):,.0f} facts/s"
    asked = "" if at_least is None else f"≥ {at_least}"
    if not figures.seconds[rival]:
        return ["bulk add", ours, rival, figures.absent, "", asked, "not measured"]
    ratio = figures.ratio(rival, "ours")
    its = f"{figures.facts / figures.median(rival):,.0f} facts/s"
    met = "" if at_least is None else _met(within=ratio >= at_least)
    return ["bulk add", ours, rival, its, f"{ratio:.2f}", asked, met]


def _single(figures: Figures) -> list[str]:
    ratio = figures.ratio("single", "bare SQLite commit")
    ours = f"{1000 * figures.median('single'):.2f} ms"
    its = f"{1000 * figures.median('bare SQLite commit'):.2f} ms"
    met = _met(within=ratio <= 6)
    return ["one durable assert_", ours, "bare SQLite commit", its, f"{ratio:.2f}", "≤ 6", met]


def _disk(figures: Figures) -> list[str]:
    ratio = figures.disk / figures.raw_disk
    ours = f"{figures.disk / figures.facts:,.0f} bytes/fact"
    its = f"{figures.raw_disk / figures.facts:,.0f} bytes/fact"
    return ["disk", ours, "the nine quads", its, f"{ratio:.2f}", "≤ 2", _met(within=ratio <= 2)]


def _verify(figures: Figures) -> list[str]:
    seconds = figures.median("verify")
    allowed = 20 * figures.facts / 100_000
    met = _met(within=seconds < allowed)
    return ["verify", f"{seconds:.2f} s", "", "", "", f"< {allowed:.2f} s", met]


def _met(*, within: bool) -> str:
    return "yes" if within else "no"


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
