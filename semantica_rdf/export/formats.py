"""
The formats an export can take, by name, by suffix and by media type.

The list is closed: a name or suffix that is not on it is refused with the choices named, never
guessed at.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import PurePath
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError


class ExportFormat(NamedTuple):
    """
    One format: its name, suffix, media type and other names.

    `graphs` tells whether it can hold named graphs, `prefixes` whether it has prefixes.
    """

    name: str
    suffix: str
    media_type: str
    aliases: tuple[str, ...]
    graphs: bool
    prefixes: bool
    syntax: ox.RdfFormat


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
)
"""Every format an export can take."""

_BY_NAME = {
    key: each
    for each in FORMATS
    for key in (each.name, each.suffix, each.suffix[1:], each.media_type, *each.aliases)
}
_CHOICES = ", ".join(f"{each.name} ({each.suffix})" for each in FORMATS)


def format_named(name: str) -> ExportFormat:
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


def format_of(target: object) -> ExportFormat:
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


__all__ = ["FORMATS", "ExportFormat", "format_named", "format_of"]
