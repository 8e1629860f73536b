"""
Texts cut at their holes: what a rewritten query is kept as, and filled from by joining.

A hole is a coordinate's instant, the namespace, or the value of a bound variable. While a text is
being made a hole is a term that holds a mark: a character the text does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

Pieces: TypeAlias = tuple[str, ...]
"""Text, hole, text, hole, … text."""

_MARKS = range(0xE000, 0xF8FF)


def mark_absent_from(text: str) -> str:
    """Return a character the text does not hold, of those that mean nothing to anybody."""
    return next(chr(code) for code in _MARKS if chr(code) not in text)


def hole(mark: str, name: str) -> str:
    """Return what stands for a hole in a text."""
    return f"{mark}{name}{mark}"


def cut(text: str, mark: str) -> Pieces:
    """Return a text cut at its holes; one inside `<…>` or quotes takes them with it."""
    one = f"{mark}([^{mark}]*){mark}"
    parts = re.split(f'<{one}>|"{one}"|{one}', text)
    pieces = [parts[0]]
    for at in range(1, len(parts), 4):
        pieces.append(next(name for name in parts[at : at + 3] if name is not None))
        pieces.append(parts[at + 3])
    return tuple(pieces)


def pieces_filled(pieces: Pieces, values: Mapping[str, str]) -> str:
    """
    Return the text with its holes filled: N-Triples terms by the names of the holes.

    >>> pieces_filled(("ASK { ?s ?p ", "bound:o", " }"), {"bound:o": '"x"'})
    'ASK { ?s ?p "x" }'
    """
    parts = list(pieces)
    parts[1::2] = [values[name] for name in parts[1::2]]
    return "".join(parts)


__all__ = ["Pieces", "cut", "hole", "mark_absent_from", "pieces_filled"]
