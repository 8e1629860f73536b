"""
Answers as people look at them: a text table when printed, an HTML table in a notebook.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence

from semantica_rdf.model.terms import Iri, Term, shortened

SHOWN_ROWS = 20
"""How many rows a printed table has; a notebook's has five times as many."""
SHOWN_WIDTH = 48
"""How many characters of a cell a printed table shows."""


def counted(number: int, noun: str) -> str:
    """
    Return a number with its noun.

    >>> counted(1, "statement"), counted(2000, "statement")
    ('1 statement', '2,000 statements')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _cell(term: Term | None, prefixes: Mapping[str, str]) -> str:
    """Return a term as people write it: IRIs by the longest prefix that fits, literals as they are."""
    if term is None:
        return ""
    if isinstance(term, Iri):
        fitting = [pair for pair in prefixes.items() if term.value.startswith(pair[1])]
        if fitting:
            prefix, namespace = max(fitting, key=lambda pair: len(pair[1]))
            return f"{prefix}:{term.value[len(namespace) :]}"
    return str(term)


def text_table(
    names: Sequence[str], rows: Sequence[Iterable[Term | None]], prefixes: Mapping[str, str]
) -> str:
    """Return the first rows as aligned text, cells cut to `SHOWN_WIDTH`, and how many there are."""
    shown = [
        [shortened(" ".join(_cell(term, prefixes).split()), SHOWN_WIDTH) for term in row]
        for row in rows[:SHOWN_ROWS]
    ]
    widths = [max(map(len, column)) for column in zip(names, *shown, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (names, ["-" * width for width in widths], *shown)
    ]
    lines.append(f"({counted(len(rows), 'row')}{_rest(len(rows), SHOWN_ROWS)})")
    return "\n".join(lines)


def html_table(
    names: Sequence[str], rows: Sequence[Iterable[Term | None]], prefixes: Mapping[str, str]
) -> str:
    """Return the first rows as an HTML table, everything in it escaped."""
    limit = SHOWN_ROWS * 5
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(term, prefixes))}</td>" for term in row) + "</tr>"
        for row in rows[:limit]
    )
    foot = f"<caption>{counted(len(rows), 'row')}{_rest(len(rows), limit)}</caption>"
    return f"<table>{foot}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rest(number: int, limit: int) -> str:
    return f", the first {limit} shown" if number > limit else ""


__all__ = ["SHOWN_ROWS", "SHOWN_WIDTH", "counted", "html_table", "text_table"]
