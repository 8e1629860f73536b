"""
Cells: coordinates between the same boundaries, which all have one answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cell:
    """
    Coordinates of one namespace that all have one answer; equal when they begin at the same bounds.

    From `valid_from` and `known_from` on, until before `valid_until` and `known_until`, as far as
    the record up to `seen` tells: where `known_until` is open, nothing had followed by then.
    """

    space: str
    valid_from: int
    known_from: int
    valid_until: int = field(compare=False)
    known_until: int = field(compare=False)
    seen: int = field(compare=False)

    def may_hold(self, space: str, valid_at: int, known_at: int) -> bool:
        """
        Tell whether a coordinate lies in it, as far as the record was seen.

        One known later than `seen` does if nothing was written to the namespace since then.
        """
        return (
            space == self.space
            and self.valid_from <= valid_at < self.valid_until
            and self.known_from <= known_at < self.known_until
        )


def cell_of_one(space: str, valid_at: int, known_at: int) -> Cell:
    """Return the cell of one coordinate alone, of whose neighbours nothing is known."""
    return Cell(space, valid_at, known_at, valid_at + 1, known_at + 1, known_at)


__all__ = ["Cell", "cell_of_one"]
