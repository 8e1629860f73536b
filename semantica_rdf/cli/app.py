"""The commands, by name and in the order help shows them."""

from __future__ import annotations

from typing import Annotated

import typer

from semantica_rdf.cli import ask, claims, ending, files, options, record, start
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
app.command("load", rich_help_panel=_WRITING)(files.load)
app.command("assert", rich_help_panel=_WRITING)(claims.assert_)
app.command("replace", rich_help_panel=_WRITING)(claims.replace)
app.command("revise", rich_help_panel=_WRITING)(claims.revise)
app.command("retract", rich_help_panel=_WRITING)(ending.retract)
app.command("withdraw", rich_help_panel=_WRITING)(ending.withdraw)
app.command("show", rich_help_panel=_READING)(ask.show)
app.command("query", rich_help_panel=_READING)(ask.query)
app.command("history", rich_help_panel=_READING)(record.history)
app.command("log", rich_help_panel=_READING)(record.log)
app.command("stats", rich_help_panel=_READING)(record.stats)
app.command("verify", rich_help_panel=_READING)(record.verify)
app.command("export", rich_help_panel=_READING)(files.export)
