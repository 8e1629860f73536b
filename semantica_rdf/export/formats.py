"""
The formats an export can take, by name, by suffix and by media type.

The list is closed: a name or suffix that is not on it is refused with the choices named, never
guessed at.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError


class ExportFormat(NamedTuple):
    """
    One format of RDF: its name, suffix, media type and other names.

    `graphs` tells whether it can hold named graphs, `prefixes` whether it has prefixes.
    """

    name: str
    suffix: str
    media_type: str
    aliases: tuple[str, ...]
    graphs: bool
    prefixes: bool
    syntax: ox.RdfFormat


class TableFormat(NamedTuple):
    """One format of tables: its name, suffix, media type and other names."""

    name: str
    suffix: str
    media_type: str
    aliases: tuple[str, ...]


FORMATS = (
    ExportFormat(
        "turtle", ".ttl", "text/turtle", (), graphs=False, prefixes=True, syntax=ox.RdfFormat.TURTLE
    ),
    ExportFormat(
        "trig",
        ".trig",
        "application/trig",
        (),
        graphs=True,
        prefixes=True,
        syntax=ox.RdfFormat.TRIG,
    ),
    ExportFormat(
        "nquads",
        ".nq",
        "application/n-quads",
        ("n-quads",),
        graphs=True,
        prefixes=False,
        syntax=ox.RdfFormat.N_QUADS,
    ),
    ExportFormat(
        "ntriples",
        ".nt",
        "application/n-triples",
        ("n-triples",),
        graphs=False,
        prefixes=False,
        syntax=ox.RdfFormat.N_TRIPLES,
    ),
    ExportFormat(
        "jsonld",
        ".jsonld",
        "application/ld+json",
        ("json-ld",),
        graphs=True,
        prefixes=True,
        syntax=ox.RdfFormat.JSON_LD,
    ),
    ExportFormat(
        "rdfxml",
        ".rdf",
        "application/rdf+xml",
        ("rdf-xml",),
        graphs=False,
        prefixes=True,
        syntax=ox.RdfFormat.RDF_XML,
    ),
)
"""Every format of RDF an export can take."""

TABLES = (
    TableFormat("csv", ".csv", "text/csv", ()),
    TableFormat("parquet", ".parquet", "application/vnd.apache.parquet", ()),
    TableFormat("arrow", ".arrow", "application/vnd.apache.arrow.file", ("ipc",)),
)
"""Every format of tables an export can take."""

BINARY = frozenset({"parquet", "arrow"})
"""The formats that are no text."""

AnyFormat: TypeAlias = ExportFormat | TableFormat

_BY_NAME: dict[str, AnyFormat] = {
    key: each
    for each in (*FORMATS, *TABLES)
    for key in (each.name, each.suffix, each.suffix[1:], each.media_type, *each.aliases)
}
_CHOICES = ", ".join(f"{each.name} ({each.suffix})" for each in (*FORMATS, *TABLES))


def chosen_format(target: object, name: str | None) -> AnyFormat:
    """Return the format of a name, or without one of a path's suffix; raises as those do."""
    return format_of(target) if name is None else format_named(name)


def rdf_format(target: object, name: str | None) -> ExportFormat:
    """Return the format as `chosen_format` does; a format of tables is refused too."""
    chosen = chosen_format(target, name)
    if isinstance(chosen, TableFormat):
        raise ValidationError(
            f"{chosen.name} is a format of tables, which is no RDF",
            code="unknown_format",
            hint="choose a format of RDF, such as trig or nquads",
        )
    return chosen


def format_named(name: str) -> AnyFormat:
    """
    Return the format of a name, suffix or media type, upper or lower case.

    >>> format_named("ttl").name
    'turtle'

    Raises `ValidationError` (`unknown_format`).
    """
    found = _BY_NAME.get(name.casefold())
    if found is None:
        raise _unknown(f"{name!r} is no format to export to")
    return found


def format_of(target: object) -> AnyFormat:
    """
    Return the format a path's suffix names.

    >>> format_of("facts.trig").name
    'trig'

    Raises `ValidationError` (`unknown_format`), also for a target that is no path.
    """
    if not isinstance(target, str | PathLike):
        raise _unknown("a target without a file name needs a format")
    path = PurePath(fspath(target))
    found = _BY_NAME.get(path.suffix.casefold()) if path.suffix else None
    if found is None:
        raise _unknown(f"the suffix of {path.name!r} names no format to export to")
    return found


def _unknown(message: str) -> ValidationError:
    return ValidationError(message, code="unknown_format", hint=f"choose one of {_CHOICES}")


__all__ = [
    "BINARY",
    "FORMATS",
    "TABLES",
    "AnyFormat",
    "ExportFormat",
    "TableFormat",
    "chosen_format",
    "format_named",
    "format_of",
    "rdf_format",
]
