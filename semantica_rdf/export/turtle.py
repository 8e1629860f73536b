"""
Turtle and TriG as every parser reads them.

pyoxigraph writes the text. It shortens a name that ends in a dot by escaping the dot, which is
right and which rdflib cannot read; such names are spelled out as `<…>` on their way to the file.
Prefixes that Turtle cannot declare are left out: they only shorten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import IO, cast

import pyoxigraph as ox

_PREFIX_NAME = re.compile(r"(?:[^\W\d_](?:[\w.-]*[\w-])?)?\Z")
_TEXT_OR_IRI = rb'"(?:[^"\\]|\\.)*"|<[^>]*>'
_ESCAPE = re.compile(rb"\\(.)")


def declarable(prefixes: Mapping[str, str]) -> dict[str, str]:
    """
    Return the prefixes that can be declared, sorted by name.

    >>> declarable({"ex": "https://example.org/", "_x": "https://example.org/x#", "no": "a b"})
    {'ex': 'https://example.org/'}
    """
    return {
        name: namespace
        for name, namespace in sorted(prefixes.items())
        if _is_declarable(name, namespace)
    }


def _is_declarable(name: str, namespace: str) -> bool:
    if not _PREFIX_NAME.match(name):
        return False
    try:
        declaration = f"@prefix {name}: {ox.NamedNode(namespace)} ."
        return not list(ox.parse(declaration, format=ox.RdfFormat.TURTLE))
    except (ValueError, SyntaxError):
        return False


def write_turtle(
    quads: Iterable[ox.Quad],
    output: IO[bytes],
    syntax: ox.RdfFormat,
    prefixes: Mapping[str, str],
) -> None:
    """Write quads as Turtle or TriG; for Turtle they must stand in the default graph."""
    declared = declarable(prefixes)
    speller = _DotSpeller(output, {k.encode(): v.encode() for k, v in declared.items()})
    file = cast("IO[bytes]", speller)
    if syntax == ox.RdfFormat.TURTLE:
        ox.serialize((quad.triple for quad in quads), file, syntax, prefixes=declared)
    else:
        ox.serialize(quads, file, syntax, prefixes=declared)
    speller.finish()


class _DotSpeller:
    """A file that passes whole lines on, names that end in a dot spelled out."""

    def __init__(self, output: IO[bytes], prefixes: dict[bytes, bytes]) -> None:
        names = b"|".join(map(re.escape, prefixes))
        dotted = rb"(?<![^\s^])(?P<prefix>" + names + rb"):(?P<local>[^\s\"<>]*\\\.)(?=\s|\Z)"
        self._token = re.compile(_TEXT_OR_IRI + b"|" + dotted)
        self._output = output
        self._prefixes = prefixes
        self._line: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Pass on whole lines; keep the rest until it is whole."""
        end = data.rfind(b"\n") + 1
        if end:
            self._pass_on(b"".join([*self._line, data[:end]]))
            self._line = []
        self._line.append(data[end:])
        return len(data)

    def flush(self) -> None:
        """Do nothing: half a line stays until it is whole."""

    def finish(self) -> None:
        """Pass on what is left."""
        self._pass_on(b"".join(self._line))
        self._line = []

    def _pass_on(self, text: bytes) -> None:
        if b"\\." in text:
            lines = text.split(b"\n")
            text = b"\n".join(self._spelled(line) for line in lines)
        self._output.write(text)

    def _spelled(self, line: bytes) -> bytes:
        return self._token.sub(self._whole, line) if b"\\." in line else line

    def _whole(self, match: re.Match[bytes]) -> bytes:
        if match["prefix"] is None:
            return match[0]
        local = _ESCAPE.sub(rb"\1", match["local"])
        return b"<" + self._prefixes[match["prefix"]] + local + b">"


__all__ = ["declarable", "write_turtle"]
