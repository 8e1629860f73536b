"""
Intake: from what a caller gave to checked terms and instants.

Input: a `Draft`. Output: a `Claim`, or an error that names the field. Terms take their canonical
form, so that three spellings of one value are one fact; a spelling the store would rewrite is kept
beside. The clock is never asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from semantica_rdf.errors import TemporalValidationError, ValidationError
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.lexical import is_keepable
from semantica_rdf.model.statement import FactKey
from semantica_rdf.model.terms import (
    Iri,
    Literal,
    checked_iri,
    iri_of,
    object_of,
    resolved_iri,
    shortened,
)
from semantica_rdf.model.time import (
    OPEN_END,
    OPEN_START,
    Window,
    check_date_end,
    checked_period,
    end_of,
    start_of,
)
from semantica_rdf.store.canonical import canonical_text


class Span(NamedTuple):
    """A window with the source's own texts of its bounds, None where they say nothing more."""

    window: Window
    from_text: str | None = None
    until_text: str | None = None


UNBOUNDED = Span(Window())
_ANY_LENGTH = 2**31


class Claim(NamedTuple):
    """A draft in checked terms: what would become a statement; `source` is empty where none is named."""

    fact: FactKey
    source: str
    span: Span
    support_id: str | None
    confidence: str | None
    source_text: str | None
    source_recorded_at: int | None


class Intake:
    """Reads drafts for one transaction: its prefixes, namespace and default source."""

    def __init__(self, prefixes: Mapping[str, str], namespace: str, source: str | None) -> None:
        self.prefixes = prefixes
        self._namespace = namespace
        self._source = source
        self._iris: dict[str, str] = {}
        self._spans: dict[tuple[str | tzinfo | None, ...], Span] = {}

    def claim(self, draft: Draft) -> Claim:
        """
        Return the claim a draft makes.

        Raises `ValidationError` (`bad_iri`, `not_an_iri`, `blank_node`, `bad_confidence`,
        `bad_support_id`, …), `TemporalValidationError`, `UnknownPrefix`, `AmbiguousTerm`. What the
        parts say together is the gate's to judge.
        """
        value, source_text = self.object(draft.object)
        recorded = draft.source_recorded_at
        return Claim(
            fact=FactKey(
                self._namespace,
                "" if draft.graph is None else f"<{self.iri(draft.graph, 'graph')}>",
                f"<{self.iri(draft.subject, 'subject')}>",
                f"<{self.iri(draft.predicate, 'predicate')}>",
                value,
            ),
            source=self.source_or_none(draft.source) or "",
            span=self._span(draft),
            support_id=checked_support_id(draft.support_id),
            confidence=confidence_text(draft.confidence),
            source_text=source_text,
            source_recorded_at=None
            if recorded is None
            else start_of(recorded, where="source_recorded_at").instant,
        )

    def _span(self, draft: Draft) -> Span:
        """Return the window of a draft; one given in plain texts is read once."""
        parts = (draft.valid_from, draft.valid_until, draft.valid_during, draft.date_end)
        if not all(part is None or type(part) is str for part in parts):
            return span_of(draft)
        said = (*parts, draft.zone)
        known = self._spans.get(said)
        if known is None:
            known = self._spans[said] = span_of(draft)
        return known

    def iri(self, value: Any, where: str) -> str:
        """Return the IRI for a value that must be one."""
        if type(value) is Iri:
            return checked_iri(value.value)
        if type(value) is not str:
            return iri_of(value, self.prefixes, where=where)
        known = self._iris.get(value)
        if known is None:
            known = self._iris[value] = resolved_iri(value, self.prefixes)
        return known

    def object(self, value: Any) -> tuple[str, str | None]:
        """
        Return the canonical text of an object, and its own spelling where that differs.

        Where the store changes the datatype too, the spelling is the whole literal in N-Triples.
        """
        term = object_of(value, self.prefixes)
        text = canonical_text(term)
        if isinstance(term, Literal) and text != term.ntriples:
            same_type = text.endswith(f"^^<{term.datatype}>")
            return text, term.value if same_type else term.ntriples
        return text, None

    def source_or_none(self, value: Any) -> str | None:
        """Return the source IRI, None where neither the value nor the transaction names one."""
        return self._source if value is None else self.iri(value, "source")


def span_of(draft: Draft) -> Span:
    """
    Return the window of a draft, its bounds read by the rules of the design's section 3.

    Raises `TemporalValidationError`: as the bounds do, `empty_window`, `inverted_window`,
    `two_windows` when `valid_during` stands beside another bound.
    """
    date_end = "exclusive" if draft.date_end is None else draft.date_end
    check_date_end(date_end)
    if draft.valid_from is None and draft.valid_until is None and draft.valid_during is None:
        return UNBOUNDED
    if draft.valid_during is not None:
        return _whole_period(draft)
    start, from_text = OPEN_START, None
    end, until_text = OPEN_END, None
    if draft.valid_from is not None:
        start, from_text = start_of(draft.valid_from, zone=draft.zone)
    if draft.valid_until is not None:
        end, until_text = end_of(draft.valid_until, date_end=date_end, zone=draft.zone)
    return Span(checked_window(Window(start, end), draft), from_text, until_text)


def _whole_period(draft: Draft) -> Span:
    if draft.valid_from is not None or draft.valid_until is not None:
        raise TemporalValidationError(
            "valid_during stands beside valid_from or valid_until",
            code="two_windows",
            hint="give one period, or two bounds",
        )
    period = checked_period(draft.valid_during, zone=draft.zone)
    window = checked_window(Window(period.start, period.end), draft)
    return Span(window, period.text, period.text)


def checked_window(window: Window, given: Draft) -> Window:
    """Return the window when it holds at some instant (`empty_window`, `inverted_window`)."""
    if window.start < window.end:
        return window
    code = "empty_window" if window.start == window.end else "inverted_window"
    bounds = f"from {given.valid_from or given.valid_during} until {given.valid_until}"
    raise TemporalValidationError(
        f"the window {bounds} holds at no instant",
        code=code,
        hint='ends are exclusive; date_end="inclusive" takes a date as the whole day, month or year',
    )


def checked_support_id(value: Any) -> str | None:
    """Return a support id, a text (`bad_support_id`); the gate says what it may look like."""
    return checked_text(value, "support id", code="bad_support_id")


def checked_text(value: Any, what: str, *, code: str) -> str | None:
    """Return a text that can be written down, None for none; `what` and `code` name it if not."""
    if value is None:
        return None
    if not is_keepable(value, _ANY_LENGTH):
        raise ValidationError(
            f"the {what} {shortened(str(value))!r} is no text that can be kept",
            code=code,
            hint="give a text without lone surrogates",
        )
    return str(value)


def confidence_text(value: Any) -> str | None:
    """Return a confidence as canonical decimal text (`bad_confidence`); the gate knows its range."""
    if value is None:
        return None
    try:
        text = str(value)
        plain = text.isascii() and "_" not in text and not isinstance(value, bool)
        number = Decimal(text if plain else "NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > 15 or number.adjusted() > 15:
        raise ValidationError(
            f"the confidence {shortened(str(value))} is no decimal of at most 15 digits",
            code="bad_confidence",
            hint="give a number from 0 to 1",
        )
    text = format(number + 0, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
