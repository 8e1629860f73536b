"""
Patterns of facts, as `view.facts` takes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from semantica_rdf.model.terms import iri_of, object_of
from semantica_rdf.store.canonical import canonical_text


class Pattern(NamedTuple):
    """Terms as N-Triples, None for anything; `graph` is empty for the default graph."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    graph: str | None = None


def pattern_of(
    prefixes: Mapping[str, str],
    subject: Any,
    predicate: Any = None,
    value: Any = None,
    graph: Any = None,
) -> Pattern:
    """Return the pattern of terms as a caller gives them; raises as intake does."""

    def name(given: Any, where: str) -> str | None:
        """Return an IRI as N-Triples, None for none given."""
        return None if given is None else f"<{iri_of(given, prefixes, where=where)}>"

    return Pattern(
        name(subject, "subject"),
        name(predicate, "predicate"),
        None if value is None else canonical_text(object_of(value, prefixes)),
        name(graph, "graph"),
    )


__all__ = ["Pattern", "pattern_of"]
