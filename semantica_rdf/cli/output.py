"""
Printing: lines, tables, JSON, CSV, documents.

What goes to a terminal holds no control character of the data. A table is as wide as the terminal
allows, and as wide as it needs to be elsewhere.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import IO, Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from semantica_rdf.cli.text import escaped

_WIDE = 100_000

shown_to_people: ContextVar[bool] = ContextVar("shown_to_people", default=False)
"""Set while output is for people although stdout may be no terminal: the demo's commands."""


class Output:
    """Where a command prints, and as what: `table` (words for people), `json` or `csv`."""

    def __init__(self, format: str = "table") -> None:
        self._format = format

    @property
    def as_json(self) -> bool:
        """Whether `--json` or `--format json` asked for JSON."""
        return self._format == "json"

    @property
    def as_csv(self) -> bool:
        """Whether `--format csv` asked for CSV."""
        return self._format == "csv"

    @property
    def for_people(self) -> bool:
        """Whether people read this rather than programs."""
        return self._format == "table" and (shown_to_people.get() or _console().is_terminal)

    @property
    def width(self) -> int:
        """How many characters a line may have: the terminal's, without one as many as needed."""
        return _console().width

    @property
    def draws_boxes(self) -> bool:
        """Whether box-drawing characters arrive: not on a dumb terminal, nor in a narrow encoding."""
        if sys.stdout.isatty() and os.environ.get("TERM", "dumb") in {"dumb", "unknown"}:
            return False
        encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
        return encoding in {"utf8", "utf16", "utf32"}

    def line(self, text: str = "") -> None:
        """Print one line, safe to show, and push it out."""
        sys.stdout.write(escaped(text) + "\n")
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Print one line to stderr, where with JSON and CSV only an error may stand."""
        if self._format != "table":
            return
        sys.stderr.write(escaped(text) + "\n")
        sys.stderr.flush()

    def json(self, value: Any) -> None:
        """Print one JSON document."""
        self.document(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def table(
        self, columns: Sequence[str], rows: Iterable[Sequence[str]], *, keep_all: bool = False
    ) -> None:
        """
        Print a table whose cells are safe to show already.

        Columns without any content are left out unless `keep_all`.
        """
        lines = table_lines(columns, rows, keep_all=keep_all)
        sys.stdout.write("".join(f"{line}\n" for line in lines))

    def csv(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print rows as CSV, as RFC 4180 has it: a header line, lines end with CR LF, UTF-8."""
        written = io.StringIO(newline="")
        writer = csv.writer(written, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows(rows)
        self.document(written.getvalue())

    def binary(self) -> IO[bytes] | None:
        """Return where a document goes as it is written, None where people look at it."""
        if self.for_people or _console().is_terminal:
            return None
        sys.stdout.flush()
        return sys.stdout.buffer

    def document(self, content: str | bytes) -> None:
        """Print a whole document as UTF-8: as it is, on a terminal safe to show."""
        text = content if isinstance(content, str) else None
        if self.for_people or _console().is_terminal:
            shown = text if text is not None else bytes(content).decode()  # type: ignore[arg-type]
            sys.stdout.write(_safe_document(shown))
            return
        sys.stdout.flush()
        data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def table_lines(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, keep_all: bool = False
) -> list[str]:
    """Return the lines of a table whose cells are safe to show; empty columns are left out."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    cells = [tuple(row) for row in rows]
    kept = [n for n in range(len(columns)) if keep_all or any(row[n] for row in cells)]
    for number in kept:
        table.add_column(columns[number], overflow="fold")
    for row in cells:
        table.add_row(*(Text(row[number]) for number in kept))
    console = _console()
    with console.capture() as captured:
        console.print(table)
    return [line.rstrip() for line in captured.get().splitlines()]


def _safe_document(text: str) -> str:
    return "".join(
        part if part in "\n\t" else escaped(part)
        for part in re.split(r"([\n\t])", text.replace("\r\n", "\n"))
    )


def _console() -> Console:
    is_terminal = sys.stdout.isatty()
    return Console(
        markup=False,
        emoji=False,
        highlight=False,
        width=None if is_terminal else _WIDE,
    )
