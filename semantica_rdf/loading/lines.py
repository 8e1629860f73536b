"""
Which lines of a document a refused write is about.

A shape is judged at the end of a transaction; by then only ids of statements are known. The
loader remembers the lines each of them came from, and puts them into the refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from semantica_rdf.errors import ShapeViolation

LinesOf: TypeAlias = dict[str, tuple[int, ...]]
"""From the id of a statement to the lines it was read from, counted from 1."""


@contextmanager
def lines_named(lines_of: LinesOf, *, tabular: bool) -> Iterator[None]:
    """
    Put the lines a `ShapeViolation` is about into it, one tuple per finding, and raise it on.

    For RDF they are the positions of statements in the document, and called so.
    """
    try:
        yield
    except ShapeViolation as error:
        error.lines = tuple(
            tuple(sorted({line for node in each.statements for line in lines_of.get(node, ())}))
            for each in error.findings
        )
        error.counted = "line" if tabular else "statement"
        if error.lines and error.lines[0]:
            error.message = f"{error.counted} {_listed(error.lines[0])}: {error.message}"
        raise


def _listed(lines: tuple[int, ...]) -> str:
    shown = ", ".join(str(line) for line in lines[:5])
    return f"{shown}, …" if len(lines) > 5 else shown


__all__ = ["LinesOf", "lines_named"]
