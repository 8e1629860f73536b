"""
The packaged files: `ontology/`, `shapes/`, `queries/`.

In a wheel they live in `semantica_rdf/_assets`, in a checkout at the top level; the wheel's place
is looked at first. Nothing else in the package knows where they are.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from semantica_rdf.errors import NotFound

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "_assets", _PACKAGE.parent)


def asset_path(*parts: str) -> Path:
    """
    Return the path of a packaged file or folder, such as `("ontology", "semantica.ttl")`.

    Raises `NotFound` (code `asset_missing`) when no place has it.
    """
    for place in _PLACES:
        candidate = place.joinpath(*parts)
        if candidate.exists():
            return candidate
    message = f"the packaged file {'/'.join(parts)} is missing"
    raise NotFound(message, code="asset_missing", hint="reinstall semantica-rdf")


@cache
def asset_text(*parts: str) -> str:
    """Return the text of a packaged file, read once."""
    return asset_path(*parts).read_text(encoding="utf-8")


__all__ = ["asset_path", "asset_text"]
