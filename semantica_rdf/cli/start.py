"""`init` and `demo`: the first commands of a new user."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.session import Session
from semantica_rdf.view.shown import counted


def init(
    context: typer.Context,
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="Where; else as for every command.")
    ] = None,
    *,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Make a knowledge base, or say that there is one."""
    if path is not None and (kb or context.obj.kb) is not None:
        raise typer.BadParameter("give PATH or --kb, one of them")
    session = Session.of(context, kb if path is None else path, as_json, wait)
    with session.making(prefix) as (base, made):
        count = base.head().sequence
    if session.output.as_json:
        session.output.json({"path": str(session.path), "created": made, "transactions": count})
    elif made:
        session.output.line(f"Made a knowledge base in {session.path}.")
        session.output.line(
            f"Next: {session.command('load FILE --source IRI --agent IRI --reason WHY')}"
        )
    else:
        there = counted(count, "transaction")
        session.output.line(f"There is a knowledge base in {session.path} already, with {there}.")


def demo(
    *,
    path: Annotated[
        Path, typer.Option("--path", metavar="DIR", help="Where the demo writes.")
    ] = Path("semantica-demo"),
    force: Annotated[
        bool,
        typer.Option("--force", metavar="", help="Write over what an earlier demo left there."),
    ] = False,
) -> int:
    """Tell the story on a few hundred facts: every command it runs is shown, and works when copied."""
    from semantica_rdf.cli.run import run
    from semantica_rdf.cli.story import tell_story

    return tell_story(path, force=force, run=run)
