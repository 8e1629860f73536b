"""`rebuild`: what follows from the record, made anew."""

from __future__ import annotations

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.session import Session


def rebuild(
    context: typer.Context,
    *,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Make anew what follows from the record: srdf:present for now, and the temporal columns."""
    session = Session.of(context, kb, as_json, wait)
    with session.rebuilding() as base:
        base.refresh_present()
        base.rebuild_columns()
        coordinate = base.at().coordinate
        facts = base.at().count()
    if session.output.as_json:
        session.output.json({"coordinate": coordinate.to_dict(), "facts": facts})
    else:
        session.output.line(f"Made anew: {coordinate.text}; {facts:,} facts hold there.")
