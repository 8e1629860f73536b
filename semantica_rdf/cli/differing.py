"""`diff`: which facts go and which come from one coordinate to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from semantica_rdf.cli import options, plain, sheets
from semantica_rdf.cli.ask import FACT_COLUMNS, fact_cells
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.targets import view_of
from semantica_rdf.cli.text import term_text
from semantica_rdf.model.time import instant_text
from semantica_rdf.view.shown import counted

if TYPE_CHECKING:
    from semantica_rdf.view.facts import Difference, Fact


class Point(NamedTuple):
    """One side of a comparison as typed, None where it leaves an axis out."""

    valid_at: str | None
    known_at: str | None


def diff(
    context: typer.Context,
    *,
    start: Annotated[
        str, typer.Option("--from", metavar="V@K", help="Valid then @ known then; default now.")
    ] = "",
    to: Annotated[
        str, typer.Option("--to", metavar="V@K", help="What it is compared with; default now.")
    ] = "",
    valid_at: Annotated[
        str | None,
        typer.Option("--valid-at", metavar="TIME", help="V of a side that leaves it out."),
    ] = None,
    known_at: Annotated[
        str | None,
        typer.Option("--known-at", metavar="TIME", help="K of a side that leaves it out."),
    ] = None,
    namespace: options.Namespace = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Show which facts go and which come between two coordinates: V@K, V alone or @K alone."""
    session = Session.of(context, kb, as_json, wait, format)
    points = (point_of(start, "--from"), point_of(to, "--to"))
    if not any(points[0] + points[1]):
        raise typer.BadParameter("give --from or --to: now and now do not differ")
    with session.reading() as base:
        now = instant_text(base.at().coordinate.valid_at)
        here, there = (
            view_of(base, point.valid_at or valid_at or now, point.known_at or known_at, namespace)
            for point in points
        )
        difference = here.diff(there)
        if session.output.as_json:
            session.output.json(
                {
                    "from": plain.coordinate_value(here.coordinate),
                    "to": plain.coordinate_value(there.coordinate),
                    "removed": [plain.fact_value(fact) for fact in difference.removed],
                    "added": [plain.fact_value(fact) for fact in difference.added],
                }
            )
        elif session.output.as_csv:
            columns = ("change", *sheets.FACT_COLUMNS)
            session.output.csv(columns, sheets.rows(columns, _rows(difference)))
        else:
            session.output.line(f"from {here.coordinate.text}")
            session.output.line(f"to   {there.coordinate.text}")
            cells = [
                (
                    "-+"[came],
                    term_text(fact.subject, base.prefixes),
                    *fact_cells(fact, base.prefixes),
                )
                for came, fact in _sorted(difference)
            ]
            if cells:
                session.output.table(("", "subject", *FACT_COLUMNS), cells)
            gone, come = len(difference.removed), len(difference.added)
            session.output.line(f"{counted(gone, 'fact')} gone, {come:,} come")


def point_of(text: str, option: str) -> Point:
    """
    Return a side of a comparison: `V@K`, `V`, `V@` or `@K`, nothing for now.

    >>> point_of("2026-09-01@3-0", "--from")
    Point(valid_at='2026-09-01', known_at='3-0')
    """
    if text.count("@") > 1:
        raise typer.BadParameter(f"{option} {text}: write V@K, an instant on each side of one @")
    valid_at, _, known_at = text.partition("@")
    return Point(valid_at.strip() or None, known_at.strip() or None)


def _sorted(difference: Difference) -> list[tuple[bool, Fact]]:
    """Return what goes and comes, by fact: what replaces another stands beside it."""
    changed = [(False, fact) for fact in difference.removed]
    changed += [(True, fact) for fact in difference.added]
    return sorted(changed, key=lambda pair: (pair[1].key[:4], pair[0], pair[1].key))


def _rows(difference: Difference) -> Iterator[dict[str, Any]]:
    for came, fact in _sorted(difference):
        yield {"change": "added" if came else "removed", **sheets.fact_value(fact)}
