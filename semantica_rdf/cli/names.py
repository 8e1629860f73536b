"""`prefixes`: what short names mean in a base, and declaring more of them."""

from __future__ import annotations

from typing import Annotated

import typer

from semantica_rdf.cli import options, sheets
from semantica_rdf.cli.session import Session
from semantica_rdf.model.vocab import BUILT_IN_PREFIXES

_COLUMNS = ("prefix", "iri", "built_in")


def prefixes(
    context: typer.Context,
    declared: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=IRI]", help="Prefixes to keep with the base. Repeatable."),
    ] = None,
    *,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """List the prefixes in scope, after keeping those that are given."""
    session = Session.of(context, kb, as_json, wait, format)
    with session.binding(declared) if declared else session.reading() as base:
        known = sorted(base.prefixes.items())
    values = [
        {"prefix": name, "iri": iri, "built_in": BUILT_IN_PREFIXES.get(name) == iri}
        for name, iri in known
    ]
    if session.output.as_json:
        session.output.json(values)
    elif session.output.as_csv:
        session.output.csv(_COLUMNS, sheets.rows(_COLUMNS, values))
    else:
        cells = [
            (f"{name}:", iri, "built in" if BUILT_IN_PREFIXES.get(name) == iri else "")
            for name, iri in known
        ]
        session.output.table(("prefix", "iri", ""), cells)
