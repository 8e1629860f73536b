"""The commands, by name and in the order help shows them."""

from __future__ import annotations

from typing import Annotated

import typer

from semantica_rdf.cli import (
    ask,
    claims,
    completing,
    differing,
    ending,
    files,
    judging,
    mapping,
    names,
    options,
    past,
    rebuilding,
    record,
    start,
    validating,
    why,
)
from semantica_rdf.cli.session import Root

_START, _WRITING, _READING = "Begin", "Write (each has an agent and a reason)", "Read"

_SUMMARY = "A knowledge base that says when a fact was true, when it was known, and who said so."

app = typer.Typer(
    name="semantica-rdf",
    help=_SUMMARY,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from semantica_rdf import __version__

        typer.echo(f"semantica-rdf {__version__}")
        raise typer.Exit


@app.callback(help=_SUMMARY)
def root(
    context: typer.Context,
    kb: options.Kb = None,
    as_json: options.Json = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", callback=_show_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Keep what stood before the command for the command."""
    del version
    context.obj = Root(kb, as_json)


app.command("demo", rich_help_panel=_START)(start.demo)
app.command("init", rich_help_panel=_START)(start.init)
app.command("prefixes", rich_help_panel=_START)(names.prefixes)
app.command("completion", rich_help_panel=_START)(completing.completion)
app.command("load", rich_help_panel=_WRITING)(files.load)
app.add_typer(mapping.mappings, name="map", rich_help_panel=_WRITING)
app.command("assert", rich_help_panel=_WRITING)(claims.assert_)
app.command("propose", rich_help_panel=_WRITING)(claims.propose)
app.command("replace", rich_help_panel=_WRITING)(claims.replace)
app.command("revise", rich_help_panel=_WRITING)(claims.revise)
app.command("retract", rich_help_panel=_WRITING)(ending.retract)
app.command("withdraw", rich_help_panel=_WRITING)(ending.withdraw)
app.command("believe", rich_help_panel=_WRITING)(judging.believe)
app.command("dispute", rich_help_panel=_WRITING)(judging.dispute)
app.command("reject", rich_help_panel=_WRITING)(judging.reject)
app.add_typer(validating.shapes, name="shapes", rich_help_panel=_WRITING)
app.command("show", rich_help_panel=_READING)(ask.show)
app.command("query", rich_help_panel=_READING)(ask.query)
app.command("why", rich_help_panel=_READING)(why.why)
app.command("diff", rich_help_panel=_READING)(differing.diff)
app.command("history", rich_help_panel=_READING)(past.history)
app.command("log", rich_help_panel=_READING)(record.log)
app.command("stats", rich_help_panel=_READING)(record.stats)
app.command("rebuild", rich_help_panel=_READING)(rebuilding.rebuild)
app.command("verify", rich_help_panel=_READING)(record.verify)
app.command("validate", rich_help_panel=_READING)(validating.validate)
app.command("export", rich_help_panel=_READING)(files.export)
