"""
One hash for one dataset, whatever format it stands in: SHA-256 over canonical N-Quads.

The text hashed is that of RDFC-1.0: each quad once, blank nodes under their canonical labels, the
lines in code point order. Anybody's implementation of the standard gives the same hash.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.export.canonical import canonical_labels, relabelled
from semantica_rdf.export.formats import ExportFormat, rdf_format
from semantica_rdf.export.order import ordered_lines
from semantica_rdf.model.skolem import has_blank_node
from semantica_rdf.view.view import View

Hashable: TypeAlias = View | Iterable[ox.Quad] | str | PathLike[str] | bytes


def canonical_hash(source: Hashable, *, format: str | None = None) -> str:
    """
    Return the RDFC-1.0 hash of a dataset in hexadecimal: 64 characters.

    The source is a view, quads, or a document of RDF: a path (its suffix names the format unless
    `format` does), or bytes with a format. Nothing but that file is opened. Quads without blank
    nodes are sorted on disk beyond some megabytes; those with blank nodes stay in memory.

    >>> canonical_hash(b"<urn:a:s> <urn:a:p> 'o' .", format="turtle")[:16]
    '6381dd8abbf67268'

    Raises `ValidationError`: `blank_nodes_too_entangled`, `syntax_error`, `unknown_format`,
    `unsupported_term`; `NotFound` (`no_file`); `ProcessingError` (`write_failed`).
    """
    digest = hashlib.sha256()
    folder = Path(tempfile.gettempdir())
    with ordered_lines(_canonical_lines(_quads_of(source, format)), folder=folder) as lines:
        for line in lines:
            digest.update(line + b"\n")
    return digest.hexdigest()


def _canonical_lines(quads: Iterable[ox.Quad]) -> Iterator[bytes]:
    """Yield the line of each quad, those with blank nodes last: they have to be seen together."""
    waiting = []
    for quad in quads:
        if has_blank_node(quad):
            waiting.append(quad)
        else:
            yield f"{quad} .".encode()
    labels = canonical_labels(waiting)
    for quad in waiting:
        yield f"{relabelled(quad, labels)} .".encode()


def _quads_of(source: Hashable, format: str | None) -> Iterable[ox.Quad]:
    if isinstance(source, View):
        return source.quads()
    if isinstance(source, str | PathLike):
        path = Path(source)
        chosen = rdf_format(path, format)
        if not path.is_file():
            raise NotFound(f"no file {path}", code="no_file")
        return _parsed(chosen, path=path)
    if isinstance(source, bytes):
        return _parsed(rdf_format(None, format), data=source)
    return source


def _parsed(
    chosen: ExportFormat, *, path: Path | None = None, data: bytes | None = None
) -> Iterator[ox.Quad]:
    try:
        if path is not None:
            yield from ox.parse(path=str(path), format=chosen.syntax)
        else:
            yield from ox.parse(data or b"", format=chosen.syntax)
    except (SyntaxError, ValueError) as error:
        raise ValidationError(
            f"{path or 'the document'} is no {chosen.name}: {error}", code="syntax_error"
        ) from None


__all__ = ["canonical_hash"]
