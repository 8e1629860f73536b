"""
Revisions: a statement's version with some of its parts corrected (pure but for reading terms).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, Final

from semantica_rdf.errors import TemporalValidationError, ValidationError
from semantica_rdf.ledger.intake import (
    Claim,
    Intake,
    Span,
    checked_support_id,
    checked_window,
    confidence_text,
    span_of,
)
from semantica_rdf.ledger.plan import Version, version_of
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.time import OPEN_END, OPEN_START, DateEnd, Window, end_of, start_of


class Unset(enum.Enum):
    """The mark of a part that a revision leaves as it is; None means "open" or "none"."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


def revised(
    statement: Statement, given: Mapping[str, Any], intake: Intake, date_end: DateEnd
) -> Version:
    """
    Return the corrected version; `given` holds only the parts that change.

    Raises `ValidationError` (`nothing_to_revise`) for no parts, and as intake does.
    """
    if not given:
        raise ValidationError(
            f"the revision of {statement.id} names nothing to change", code="nothing_to_revise"
        )
    before = version_of(statement)
    claim = before.claim
    fact, source_text = _fact(claim, given, intake)
    changed_fact = fact != claim.fact
    support_id = None if changed_fact else claim.support_id
    if "support_id" in given:
        support_id = checked_support_id(given["support_id"])
    return before._replace(
        claim=Claim(
            fact=fact,
            source=intake.iri(given["source"], "source") if "source" in given else claim.source,
            span=_span(claim.span, given, date_end),
            support_id=support_id,
            confidence=confidence_text(given["confidence"])
            if "confidence" in given
            else claim.confidence,
            source_text=source_text,
            source_recorded_at=claim.source_recorded_at,
        )
    )


def _fact(claim: Claim, given: Mapping[str, Any], intake: Intake) -> tuple[FactKey, str | None]:
    fact, source_text = claim.fact, claim.source_text
    for name in ("subject", "predicate"):
        if name in given:
            fact = fact._replace(**{name: f"<{intake.iri(given[name], name)}>"})
    if "graph" in given:
        graph = given["graph"]
        fact = fact._replace(graph="" if graph is None else f"<{intake.iri(graph, 'graph')}>")
    if "object" in given:
        text, source_text = intake.object(given["object"])
        fact = fact._replace(object=text)
    return fact, source_text


def _span(span: Span, given: Mapping[str, Any], date_end: DateEnd) -> Span:
    if "valid_during" in given:
        if "valid_from" in given or "valid_until" in given:
            raise TemporalValidationError(
                "valid_during stands beside valid_from or valid_until",
                code="two_windows",
                hint="give one period, or two bounds",
            )
        return span_of(
            Draft(
                None,
                None,
                None,
                valid_during=given["valid_during"],
            )
        )
    start, end = span.window
    from_text, until_text = span.from_text, span.until_text
    if "valid_from" in given:
        value = given["valid_from"]
        start, from_text = (OPEN_START, None) if value is None else start_of(value)
    if "valid_until" in given:
        value = given["valid_until"]
        end, until_text = (OPEN_END, None) if value is None else end_of(value, date_end=date_end)
    asked = Draft(None, None, None, valid_from=from_text or start, valid_until=until_text or end)
    return Span(checked_window(Window(start, end), asked), from_text, until_text)
