"""
Libraries that only an extra brings: imported where they are used, missed with a clear word.
"""

from __future__ import annotations

import importlib
from typing import Any

from semantica_rdf.errors import ValidationError


def of_extra(module: str, extra: str) -> Any:
    """
    Import a module that an extra of this package brings.

    Raises `ValidationError` (`extra_missing`) where it is not installed, or not whole.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValidationError(
            f"{module.partition('.')[0]} is needed for this and cannot be imported: {error}",
            code="extra_missing",
            hint=f"pip install 'semantica-rdf[{extra}]'",
        ) from None


def of_frames(module: str) -> Any:
    """Import pandas or pyarrow, or a module of theirs; raises `ValidationError` (`extra_missing`)."""
    return of_extra(module, "frames")


__all__ = ["of_extra", "of_frames"]
