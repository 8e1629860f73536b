"""
The gate: constraints every claim and every transaction must meet before anything is planned.

A minimal gate in Python; the SHACL shapes replace it. Input: a `Claim`. Output: nothing, or an
error that names what is wrong and what to do.
"""

from __future__ import annotations

from semantica_rdf.errors import ReservedTerm, UnknownFilter, ValidationError
from semantica_rdf.ledger.intake import Claim
from semantica_rdf.model import vocab
from semantica_rdf.model.lexical import MAX_NOTE_CHARACTERS, is_keepable
from semantica_rdf.model.terms import shortened

_SRDF = "<" + vocab.SRDF
_NAMESPACE_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")


def check_claim(claim: Claim) -> None:
    """
    Refuse a claim whose predicate is a term of the record itself (`ReservedTerm`).

    Bounds, confidence, source and terms were checked by intake, where they are read.
    """
    if claim.fact.predicate.startswith(_SRDF):
        raise ReservedTerm(
            f"{claim.fact.predicate} is a term of the record itself",
            hint="use a predicate of your own vocabulary; windows and sources are arguments",
        )


def checked_namespace(namespace: str) -> str:
    """Return the namespace token (`bad_namespace` otherwise)."""
    fits = isinstance(namespace, str) and 0 < len(namespace) <= 64
    if not fits or not _NAMESPACE_CHARACTERS.issuperset(namespace):
        raise ValidationError(
            f"{namespace!r} is no namespace",
            code="bad_namespace",
            hint="use 1 to 64 lower-case letters, digits, '-', '_' or '.'",
        )
    return namespace


def checked_reason(reason: str | None) -> str:
    """Return the reason of a transaction; every write has one (`missing_reason`)."""
    if not isinstance(reason, str) or not reason.strip():
        raise ValidationError(
            "the transaction has no reason",
            code="missing_reason",
            hint="say in a few words why: reason='HR import'",
        )
    if not is_keepable(reason):
        raise ValidationError(
            f"the reason {shortened(reason)!r} cannot be kept",
            code="bad_reason",
            hint=f"at most {MAX_NOTE_CHARACTERS} characters, no lone surrogates",
        )
    return reason


def checked_reason_code(code: str) -> str:
    """Return a reason code of the closed list (`unknown_reason_code`)."""
    if code not in vocab.REASON_CODES:
        raise UnknownFilter(
            f"{code!r} is no reason code",
            code="unknown_reason_code",
            hint=f"use one of {', '.join(vocab.REASON_CODES)}",
        )
    return code


def checked_operation(operation: str | None) -> str | None:
    """Return an operation code a caller may name: none, or `load` (`unknown_operation`)."""
    if operation is None or operation == "load":
        return operation
    raise UnknownFilter(
        f"{operation!r} is no operation to name", code="unknown_operation", hint="leave it out"
    )
