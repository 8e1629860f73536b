"""
The terms of a transaction: who writes, why, from where, under which reference.

Values are read here; the shapes of the record say which of them a transaction must have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from semantica_rdf.errors import UnknownFilter, ValidationError
from semantica_rdf.ledger.gate import check_transaction
from semantica_rdf.ledger.intake import checked_text
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.terms import iri_of, shortened


class Terms(NamedTuple):
    """What a transaction was opened with, checked: who, why, where, under which reference."""

    agent: str
    reason: str
    reason_code: str | None
    source: str | None
    namespace: str
    reference: str | None
    operation: str | None
    of_the_record: bool = False


def checked_terms(
    given: Mapping[str, Any], prefixes: Mapping[str, str], *, of_the_record: bool = False
) -> Terms:
    """
    Return the terms of a transaction from what the caller gave, by the names of `Terms`.

    `of_the_record` is for what the record says about itself, in namespaces that begin with a dot.
    Raises `ShapeViolation` or `ValidationError` (`missing_agent`, `missing_reason`, `bad_reason`,
    `bad_namespace`, `bad_reference`), `UnknownFilter` (`unknown_reason_code`,
    `unknown_operation`), and as `iri_of` does for agent and source.
    """
    agent = given["agent"]
    terms = Terms(
        agent="" if agent is None else iri_of(agent, prefixes, where="agent"),
        reason=_reason(given["reason"]),
        reason_code=checked_text(given["reason_code"], "reason code", code="unknown_reason_code"),
        source=None
        if given["source"] is None
        else iri_of(given["source"], prefixes, where="source"),
        namespace=_namespace(given["namespace"], of_the_record=of_the_record),
        reference=checked_text(given["reference"], "reference", code="bad_reference"),
        operation=_operation(given["operation"]),
        of_the_record=of_the_record,
    )
    check_transaction(
        {
            vocab.WAS_ASSOCIATED_WITH: terms.agent or None,
            vocab.REASON: terms.reason or None,
            vocab.REASON_CODE: "other" if terms.reason_code is None else terms.reason_code,
            vocab.OPERATION: terms.operation or "mixed",
            vocab.NAMESPACE: None if terms.namespace == DEFAULT_NAMESPACE else terms.namespace,
            vocab.REFERENCE: terms.reference,
        }
    )
    return terms


def _reason(value: Any) -> str:
    """Return the reason; what is no text is none, and the shape says that one is missing."""
    if not isinstance(value, str) or not value.strip():
        return ""
    return checked_text(value, "reason", code="bad_reason") or ""


def _namespace(value: Any, *, of_the_record: bool) -> str:
    namespace = checked_text(value, "namespace", code="bad_namespace") or ""
    if namespace.startswith(".") and not of_the_record:
        raise ValidationError(
            f"the namespace {shortened(namespace)!r} begins with a dot",
            code="bad_namespace",
            hint="such namespaces are the record's own; choose another",
        )
    return namespace


def _operation(operation: Any) -> str | None:
    """Return an operation code a caller may name: none, or `load` (`unknown_operation`)."""
    if operation is None or operation == "load":
        return operation  # type: ignore[no-any-return]
    raise UnknownFilter(
        f"{operation!r} is no operation to name", code="unknown_operation", hint="leave it out"
    )
