"""
Coordinates: the pair of instants a view stands at, and the namespace it reads.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from semantica_rdf.errors import ValidationError
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.time import instant_text, start_of


def asked_instant(value: Any, where: str) -> int | None:
    """Return the instant a reading call was given, None for none; raises as `start_of`."""
    return None if value is None else start_of(value, where=where).instant


_NAMESPACE = re.compile(r"[a-z0-9_.-]{1,64}")


def checked_namespace(namespace: Any) -> str:
    """Return the namespace to read (`bad_namespace`); the shapes say the same of what is written."""
    if not isinstance(namespace, str) or not _NAMESPACE.fullmatch(namespace):
        raise ValidationError(
            f"{namespace!r} is no namespace",
            code="bad_namespace",
            hint="use 1 to 64 lower-case letters, digits, '-', '_' or '.'",
        )
    return namespace


class Coordinate(NamedTuple):
    """
    What held at `valid_at`, as known at `known_at`, in one namespace.

    Instants are microseconds since 1970 UTC. `known_at` never lies after the basis it was made
    at, so what a coordinate answers never changes.
    """

    valid_at: int
    known_at: int
    namespace: str = DEFAULT_NAMESPACE

    @property
    def text(self) -> str:
        """
        The coordinate as people read it.

        >>> Coordinate(0, 0).text
        'valid 1970-01-01T00:00:00Z, known 1970-01-01T00:00:00Z'
        """
        scope = "" if self.namespace == DEFAULT_NAMESPACE else f", namespace {self.namespace}"
        return f"valid {self.valid_at_text}, known {self.known_at_text}{scope}"

    @property
    def valid_at_text(self) -> str:
        """The valid instant as a text that reads back as the same one."""
        return instant_text(self.valid_at)

    @property
    def known_at_text(self) -> str:
        """The known instant as a text that reads back as the same one."""
        return instant_text(self.known_at)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, str]:
        """Return the coordinate as texts, for JSON."""
        return {
            "valid_at": self.valid_at_text,
            "known_at": self.known_at_text,
            "namespace": self.namespace,
        }
