"""
The files of the columns: one for each column, one of texts, and a manifest with their digests.

They are written beside and put in place by one rename; a manifest that is not whole, of another
format, or does not fit its files means that there are none, and the columns are made anew.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from semantica_rdf.columns.entries import DTYPES, Entries

FORMAT = 1
_MANIFEST = "manifest.json"
_TEXTS = "texts"


class Kept(NamedTuple):
    """What the files hold: of which base, up to which transaction and its proof, and the columns."""

    base: str
    sequence: int
    basis: int
    proof: str
    touched: dict[str, int]
    texts: list[str]
    entries: Entries


def write_columns(directory: Path, kept: Kept) -> None:
    """
    Write the files, in place of those there are; a kill leaves the old ones, the new, or none.

    Raises `OSError` when they cannot be written; there are none then.
    """
    fresh = directory.with_name(directory.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        _write(fresh, kept)
        remove_columns(directory)
        fresh.rename(directory)
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
        remove_columns(directory)
        raise


def _write(fresh: Path, kept: Kept) -> None:
    fresh.mkdir(parents=True)
    digests = {}
    for name, content in _contents(kept):
        (fresh / name).write_bytes(content)
        digests[name] = hashlib.sha256(content).hexdigest()
    manifest = {
        "format": FORMAT,
        "base": kept.base,
        "sequence": kept.sequence,
        "basis": kept.basis,
        "proof": kept.proof,
        "touched": kept.touched,
        "sha256": digests,
    }
    (fresh / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _contents(kept: Kept) -> Iterator[tuple[str, bytes]]:
    yield _TEXTS, "\n".join(kept.texts).encode()
    for name, column in zip(DTYPES, kept.entries, strict=True):
        target = io.BytesIO()
        np.save(target, column, allow_pickle=False)
        yield f"{name}.npy", target.getvalue()


def remove_columns(directory: Path) -> None:
    """Remove the files, and what a kill left of ones being written."""
    shutil.rmtree(directory, ignore_errors=True)


def kept_columns(directory: Path) -> Kept | None:
    """Return what the files hold, None when they are absent, damaged or of another format."""
    try:
        manifest = json.loads((directory / _MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            return None
        return _kept(directory, manifest)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _kept(directory: Path, manifest: dict[str, Any]) -> Kept | None:
    contents = {}
    for name in (_TEXTS, *(f"{column}.npy" for column in DTYPES)):
        content = (directory / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != manifest["sha256"][name]:
            return None
        contents[name] = content
    columns = [np.load(io.BytesIO(contents[f"{name}.npy"]), allow_pickle=False) for name in DTYPES]
    return Kept(
        manifest["base"],
        manifest["sequence"],
        manifest["basis"],
        manifest["proof"],
        manifest["touched"],
        contents[_TEXTS].decode().split("\n"),
        Entries(*columns),
    )


__all__ = ["FORMAT", "Kept", "kept_columns", "remove_columns", "write_columns"]
