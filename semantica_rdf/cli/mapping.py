"""`map infer`: drafts the mapping of a table, to be read and corrected before it is used."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from semantica_rdf.cli.output import Output
from semantica_rdf.errors import NotFound, ProcessingError, ValidationError

STDIN = "-"

mappings = typer.Typer(
    help="Draft the mapping of a table.",
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@mappings.callback()
def _group() -> None:
    """Draft the mapping of a table."""


@mappings.command("infer")
def infer(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A CSV, TSV or JSON Lines file; - is stdin.")
    ],
    *,
    to: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to; a file there stays."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="csv, tsv or jsonl; else by the suffix."),
    ] = None,
    rows: Annotated[
        int, typer.Option("--rows", metavar="N", min=1, help="How many rows to look at.")
    ] = 1000,
) -> None:
    """Look at the rows of a table and draft the mapping that load takes."""
    from semantica_rdf.loading import infer_mapping

    if file != STDIN and not Path(file).exists():
        raise NotFound(f"no file {file}", code="no_file")
    document = sys.stdin.buffer if file == STDIN else Path(file)
    drafted = infer_mapping(document, format=format, rows=rows)
    output = Output()
    if to is None:
        output.document(drafted)
        return
    _write_new(to, drafted)
    output.line(f"Wrote a draft to {to}. Read it, correct it, then:")
    output.line(
        f"semantica-rdf load {quote(file)} --mapping {quote(str(to))} --dry-run "
        "--source IRI --agent IRI --reason WHY"
    )


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet: one that is may have been corrected by hand."""
    try:
        with path.open("x", encoding="utf-8", newline="") as target:
            target.write(text)
    except FileExistsError:
        raise ValidationError(
            f"{path} exists already", code="file_exists", hint="name another file"
        ) from None
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}"
        raise ProcessingError(message, code="not_writable") from None
