"""What a reader hands to the loader: one claim, and the lines of the document it came from."""

from __future__ import annotations

from typing import NamedTuple

from semantica_rdf.model.draft import Draft


class Claim(NamedTuple):
    """
    A draft with the lines it was read from.

    Two lines are two ends of one window. `label` marks the name of a minted IRI, which is counted
    beside the claims.
    """

    draft: Draft
    lines: tuple[int, ...]
    label: bool = False


__all__ = ["Claim"]
