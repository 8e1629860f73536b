"""
Why a shapes graph does not compile: what it says is not SHACL, or is SHACL of a kind not done here.

Both are `ValidationError`s that name the graph, the shape and the term. Nothing is skipped: a
constraint that is not checked must not look like one that holds.
"""

from __future__ import annotations

from semantica_rdf.errors import ValidationError
from semantica_rdf.shacl.names import Term, shown


def malformed(
    graph: str, node: Term | None, what: str, *, hint: str | None = None
) -> ValidationError:
    """Return the error for a shape that is not well-formed (`bad_shape`)."""
    return ValidationError(_message(graph, node, what), code="bad_shape", hint=hint)


def unsupported(
    graph: str, node: Term | None, what: str, *, hint: str | None = None
) -> ValidationError:
    """Return the error for a shape that uses what is not supported (`unsupported_shape`)."""
    return ValidationError(
        _message(graph, node, what),
        code="unsupported_shape",
        hint=hint or "say it in SHACL Core, or as a sh:sparql constraint with sh:select",
    )


def _message(graph: str, node: Term | None, what: str) -> str:
    return f"{graph}: {what}" if node is None else f"{graph}: {shown(node)}: {what}"
