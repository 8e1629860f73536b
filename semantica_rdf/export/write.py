"""
Writing quads to a file, an open file or bytes.

What is written depends only on the set of quads, the format and the prefixes. A file appears
whole or not at all: it is written beside its place and moved there at the end.
"""

from __future__ import annotations

import io
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import ProcessingError, ValidationError
from semantica_rdf.export.formats import ExportFormat, rdf_format
from semantica_rdf.export.jsonld import PrefixWatch, context_of, write_jsonld
from semantica_rdf.export.order import nquads_line, order_key, ordered, ordered_lines
from semantica_rdf.export.turtle import write_turtle
from semantica_rdf.model import vocab
from semantica_rdf.view.materialise import BlankNodes, blank_nodes_restored, checked_blank_nodes
from semantica_rdf.view.rdf_xml import check_rdf_xml, write_rdf_xml

Target: TypeAlias = str | PathLike[str] | IO[bytes] | None
Writer: TypeAlias = Callable[[IO[bytes], Path | None], None]
"""Writes to an open file; the folder may hold what does not fit in memory."""

_DEFAULT = ox.DefaultGraph()


def export_quads(
    quads: Iterable[ox.Quad],
    target: Target = None,
    *,
    format: str | None = None,
    prefixes: Mapping[str, str] | None = None,
    blank_nodes: BlankNodes = "skolem",
) -> bytes | None:
    """
    Write quads to a path, a binary file, or, without a target, return them as bytes.

    The format is named, or read off the path's suffix. The built-in prefixes are always known;
    `prefixes` are added to them. With `blank_nodes="restore"` the IRIs that stand for blank
    nodes of incoming documents become blank nodes again. The input is read to its end before
    anything is written; two runs give the same bytes.

    Raises `ValidationError`: `unknown_format`, `graphs_need_trig` (named graphs in a format
    without them), `not_in_format` (what RDF/XML cannot hold), `bad_blank_nodes`; `ProcessingError` (`write_failed`).
    """
    chosen = rdf_format(target, format)
    checked_blank_nodes(blank_nodes)
    if blank_nodes == "restore":
        quads = blank_nodes_restored(iter(quads))
    if not chosen.graphs:
        quads = _without_graphs(quads, chosen)
    known = vocab.BUILT_IN_PREFIXES | dict(prefixes or {})

    def write(output: IO[bytes], folder: Path | None) -> None:
        """Write the quads to an open file."""
        _write(quads, output, chosen, known, folder=folder)

    return written_to(target, write)


def written_to(target: Target, write: Writer) -> bytes | None:
    """
    Have something written to a path, whole or not at all, or to an open file, or return it.

    With the file comes a folder for what does not fit in memory: the target's own, or for an
    open file the machine's for temporary files; None where the bytes are returned, which have
    to fit. Raises `ProcessingError` (`write_failed`).
    """
    if target is None:
        buffer = io.BytesIO()
        write(buffer, None)
        return buffer.getvalue()
    if isinstance(target, str | PathLike):
        with _whole_file(Path(target)) as (output, folder):
            write(output, folder)
    else:
        write(target, Path(tempfile.gettempdir()))
    return None


def _without_graphs(quads: Iterable[ox.Quad], chosen: ExportFormat) -> Iterator[ox.Quad]:
    for quad in quads:
        if quad.graph_name != _DEFAULT:
            raise ValidationError(
                f"{chosen.name} cannot hold the graph {quad.graph_name}",
                code="graphs_need_trig",
                hint="choose trig, nquads or jsonld",
            )
        yield quad


def _holdable(quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    for quad in quads:
        check_rdf_xml(quad)
        yield quad


def _write(
    quads: Iterable[ox.Quad],
    output: IO[bytes],
    chosen: ExportFormat,
    prefixes: Mapping[str, str],
    *,
    folder: Path | None = None,
) -> None:
    if chosen.name == "jsonld":
        watch = PrefixWatch(context_of(prefixes))
        with ordered(watch.watched(quads), folder=folder) as stream:
            write_jsonld(stream, output, watch.context())
        return
    if chosen.name == "rdfxml":
        with ordered(_holdable(quads), folder=folder) as stream:
            write_rdf_xml(stream, output, prefixes)
        return
    if chosen.prefixes:
        with ordered(quads, folder=folder) as stream:
            write_turtle(stream, output, chosen.syntax, prefixes)
        return
    with ordered_lines(map(order_key, quads), folder=folder) as lines:
        output.writelines(map(nquads_line, lines))


@contextmanager
def _whole_file(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """
    Give a file that takes the place of `path` when the block ends well, and goes otherwise.

    With it comes the folder for what does not fit in memory. A device or pipe is written to.
    """
    try:
        place = path.resolve()
        if place.exists() and not place.is_file():
            with path.open("wb") as output:
                yield output, Path(tempfile.gettempdir())
            return
        beside = place.with_name(f".{place.name}.{secrets.token_hex(4)}.tmp")
        try:
            with beside.open("xb") as output:
                yield output, place.parent
                output.flush()
                os.fsync(output.fileno())
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise ProcessingError(
            f"{path} cannot be written: {error.strerror or error}",
            code="write_failed",
            hint="check that its folder exists, may be written to and has room",
        ) from error


__all__ = ["Target", "Writer", "export_quads", "written_to"]
