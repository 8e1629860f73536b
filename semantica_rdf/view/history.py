"""
Histories: all versions of a claim, or of every claim of a fact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import Iri, foreign_term, iri_of, object_of, shortened
from semantica_rdf.model.time import OPEN_END, instant_text
from semantica_rdf.store.canonical import canonical_text
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import StatementReader


def history_of(
    target: Any,
    reader: StatementReader,
    identity: Identity,
    namespace: str,
    prefixes: Mapping[str, str],
    *,
    valid_at: int | None = None,
) -> list[Statement]:
    """
    Return the versions a target means, oldest first, as they stood when the reader reads them.

    `(s, None, None)` and `(s, p, None)` mean every claim of the subject, in any graph, fact by
    fact. `valid_at` leaves only versions whose window holds then. Raises `NotFound` when there
    are none, `ValidationError` (`bad_target`).
    """
    if isinstance(target, tuple) and len(target) == 3 and target[2] is None:
        found = _about(target, reader, namespace, prefixes)
    elif isinstance(target, tuple):
        found = reader.statements_of(fact_named(target, namespace, prefixes))
    else:
        found = _by_name(name_of(target), reader, identity, namespace)
    if valid_at is not None:
        found = [item for item in found if item.window.holds_at(valid_at)]
    if not found:
        parts = target if isinstance(target, tuple) else (target,)
        said = " ".join(str(part) for part in parts if part is not None)
        raise NotFound(
            f"nothing on record for {shortened(said, 160)}{_then(valid_at, reader.as_known)}",
            hint="see what is: view.facts(subject)",
        )
    return found


def _then(valid_at: int | None, as_known: int) -> str:
    known = "" if as_known == OPEN_END else f", as known {instant_text(as_known)}"
    return known if valid_at is None else f" valid {instant_text(valid_at)}{known}"


def name_of(target: Any) -> str:
    """Return the id or support id a target is: a text, or an IRI of anybody's (`bad_target`)."""
    term = foreign_term(target)
    if isinstance(term, Iri):
        return term.value
    if isinstance(target, str):
        return target
    raise ValidationError(
        f"{type(target).__name__} is no target",
        code="bad_target",
        hint="give a statement id, a support id or (s, p, o)",
    )


def _by_name(
    name: str, reader: StatementReader, identity: Identity, namespace: str
) -> list[Statement]:
    statement = None
    if identity.key(name) is not None:
        statement = reader.statement(identity.full(name))
    if statement is None:
        return reader.with_support_id(namespace, name)
    return reader.family(statement.family)


def _about(
    target: tuple[Any, ...], reader: StatementReader, namespace: str, prefixes: Mapping[str, str]
) -> list[Statement]:
    subject, predicate, _ = target
    found = reader.of_subject(namespace, iri_of(subject, prefixes, where="subject"))
    if predicate is None:
        return found
    wanted = f"<{iri_of(predicate, prefixes, where='predicate')}>"
    return [item for item in found if item.fact.predicate == wanted]


def fact_named(target: tuple[Any, ...], namespace: str, prefixes: Mapping[str, str]) -> FactKey:
    """Return the fact a `(s, p, o[, graph])` tuple names (`bad_target` otherwise)."""
    if len(target) not in {3, 4}:
        raise ValidationError(
            f"a fact is (s, p, o) or (s, p, o, graph), not {len(target)} parts", code="bad_target"
        )
    graph = target[3] if len(target) > 3 else None
    return FactKey(
        namespace,
        "" if graph is None else f"<{iri_of(graph, prefixes, where='graph')}>",
        f"<{iri_of(target[0], prefixes, where='subject')}>",
        f"<{iri_of(target[1], prefixes, where='predicate')}>",
        canonical_text(object_of(target[2], prefixes)),
    )
