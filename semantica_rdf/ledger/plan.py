"""
Plan: what each verb makes of the statements it meets (pure).

Input: a `Statement` as it stands and what the verb asks. Output: the version that follows it, or
nothing where it ends. A window never widens by a retraction; a version keeps its family.
"""

from __future__ import annotations

from typing import NamedTuple

from semantica_rdf.errors import NothingToRetract, ValidationError
from semantica_rdf.ledger.intake import Claim, Span
from semantica_rdf.model.statement import Statement
from semantica_rdf.model.time import Bound, Window, instant_text


class Version(NamedTuple):
    """What a new version says: a claim and a standing."""

    claim: Claim
    standing: str


def version_of(statement: Statement) -> Version:
    """Return what a statement says, as a version to start from."""
    return Version(
        Claim(
            fact=statement.fact,
            source=statement.source,
            span=Span(statement.window, statement.valid_from_text, statement.valid_until_text),
            support_id=statement.support_id,
            confidence=statement.confidence,
            source_text=statement.source_text,
            source_recorded_at=statement.source_recorded_at,
        ),
        statement.standing,
    )


def with_span(version: Version, span: Span) -> Version:
    """Return the version with another window."""
    return version._replace(claim=version.claim._replace(span=span))


def retracted(statement: Statement, until: Bound) -> Version:
    """
    Return the version whose window ends at `until`.

    Raises `NothingToRetract` when it ends by then already, `ValidationError`
    (`retract_before_start`) when nothing of it would be left.
    """
    window = statement.window
    if until.instant >= window.end:
        raise NothingToRetract(
            f"statement {statement.id} already ends at {instant_text(window.end)}",
            hint="a retraction only shortens; to lengthen a window, revise it",
        )
    if until.instant <= window.start:
        raise ValidationError(
            f"statement {statement.id} starts at {instant_text(window.start)}, "
            f"not before {instant_text(until.instant)}",
            code="retract_before_start",
            hint="if it never was true, withdraw it",
        )
    span = Span(Window(window.start, until.instant), statement.valid_from_text, until.text)
    return with_span(version_of(statement), span)


class Cut(NamedTuple):
    """What a replacement leaves of a statement: before the window, and after it."""

    left: Version | None
    right: Version | None


def cut(statement: Statement, window: Window) -> Cut:
    """Return what lies outside `window` of a statement that overlaps it."""
    version, own = version_of(statement), statement.window
    left = right = None
    if own.start < window.start:
        span = Span(Window(own.start, window.start), statement.valid_from_text, None)
        left = with_span(version, span)
    if window.end < own.end:
        span = Span(Window(window.end, own.end), None, statement.valid_until_text)
        right = with_span(version, span)
        if left is not None:
            right = right._replace(claim=right.claim._replace(support_id=None))
    return Cut(left, right)


def judged(statement: Statement, standing: str) -> Version:
    """Return the version with another standing."""
    return version_of(statement)._replace(standing=standing)
