"""
Answers as plain values for `--json`: terms as in SPARQL's JSON results, instants as texts with Z.

Ids are full IRIs; an open bound is null.
"""

from __future__ import annotations

from typing import Any

from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, Literal, term_of_ntriples
from semantica_rdf.model.time import OPEN_END, OPEN_START, instant_text


def term_value(term: Iri | Literal) -> dict[str, str]:
    """Return a term as SPARQL 1.1 Query Results JSON writes it."""
    if isinstance(term, Iri):
        return {"type": "uri", "value": term.value}
    written = {"type": "literal", "value": term.value}
    if term.language is not None:
        written["xml:lang"] = term.language
    elif term.datatype != vocab.XSD_STRING:
        written["datatype"] = term.datatype
    return written


def instant_value(instant: int | None) -> str | None:
    """Return an instant's text, None for an open bound."""
    return None if instant in {None, OPEN_START, OPEN_END} else instant_text(instant or 0)


def coordinate_value(coordinate: Any) -> dict[str, Any]:
    """Return a coordinate as plain values."""
    return dict(coordinate.to_dict())


def fact_value(fact: Any) -> dict[str, Any]:
    """Return a fact of a view."""
    return {
        **_triple(fact),
        "valid_from": instant_value(fact.window.start),
        "valid_until": instant_value(fact.window.end),
        "sources": [source.value for source in fact.sources],
        "statements": list(fact.statements),
    }


def statement_value(statement: Any) -> dict[str, Any]:
    """Return one version of a claim."""
    return {
        "id": statement.id,
        **_triple(statement),
        "namespace": statement.namespace,
        "source": statement.source,
        "support_id": statement.support_id,
        "standing": statement.standing,
        "confidence": statement.confidence,
        "valid_from": instant_value(statement.window.start),
        "valid_until": instant_value(statement.window.end),
        "valid_from_text": statement.valid_from_text,
        "valid_until_text": statement.valid_until_text,
        "source_recorded_at": instant_value(statement.source_recorded_at),
        "recorded_at": instant_value(statement.recorded_at),
        "transaction": statement.transaction,
        "superseded_at": instant_value(statement.superseded_at),
        "superseded_by": statement.superseded_by,
        "family": statement.family,
        "revision_of": statement.revision_of,
    }


def key_value(key: Any) -> dict[str, Any]:
    """Return a fact by its terms, and the namespace it is in."""
    terms = {
        name: term_value(term_of_ntriples(getattr(key, name)))
        for name in ("subject", "predicate", "object")
    }
    return {**terms, "graph": key.graph[1:-1] or None, "namespace": key.namespace}


def _triple(item: Any) -> dict[str, Any]:
    return {
        "subject": term_value(item.subject),
        "predicate": term_value(item.predicate),
        "object": term_value(item.object),
        "graph": None if item.graph is None else item.graph.value,
    }


def transaction_value(record: Any) -> dict[str, Any]:
    """Return a transaction as recorded."""
    return {
        "id": record.id,
        "sequence": record.sequence,
        "recorded_at": instant_value(record.recorded_instant),
        "operation": record.operation,
        "reason_code": record.reason_code,
        "reason": record.reason,
        "agent": record.agent,
        "namespace": record.namespace,
        "reference": record.reference,
        "statements": list(record.statements),
        "superseded": list(record.superseded),
    }


def act_value(act: Any) -> dict[str, Any]:
    """Return who did a transaction, when and why."""
    return {
        "transaction": act.id,
        "recorded_at": instant_value(act.recorded_instant),
        "operation": act.operation,
        "reason_code": act.reason_code,
        "reason": act.reason,
        "agent": act.agent,
    }


def receipt_value(receipt: Any) -> dict[str, Any]:
    """Return a receipt."""
    return {
        "sequence": receipt.sequence,
        "transaction": receipt.transaction,
        "recorded_at": instant_value(receipt.recorded_instant),
        "statements": list(receipt.statements),
        "superseded": list(receipt.superseded),
        "cut": list(receipt.cut),
        "already_there": receipt.already_there,
        "effects": dict(receipt.effects),
        "reference": receipt.reference,
        "repeated": receipt.repeated,
    }
