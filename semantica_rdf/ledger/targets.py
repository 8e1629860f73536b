"""
Targets: which statements a verb means.

A target is a statement id (full or short), a support id, or `(s, p, o[, graph])`. A superseded id
means its family's open version. Several matches where one is meant are refused; so is a statement
of another namespace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from semantica_rdf.errors import AmbiguousTarget, NotFound
from semantica_rdf.ledger.intake import Intake
from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import shortened
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.history import fact_named, name_of


class Targets:
    """Resolves targets against one transaction's working set."""

    def __init__(
        self, working: WorkingSet, intake: Intake, identity: Identity, namespace: str
    ) -> None:
        self._working = working
        self._intake = intake
        self._identity = identity
        self._namespace = namespace

    def one(self, target: Any) -> Statement:
        """
        Return the one open statement a target means.

        Raises `NotFound` (`not_found`, `no_open_version`, `other_namespace`), `AmbiguousTarget`.
        """
        found = self._open(target)
        if len(found) > 1:
            ids = ", ".join(self._identity.short(item.id) for item in found[:5])
            raise AmbiguousTarget(
                f"{self._named(target)} means {len(found)} statements: {ids}",
                hint="give the id of the one you mean",
            )
        return found[0]

    def meant_by(self, target: Any) -> list[Statement]:
        """
        Return what a retraction or withdrawal means: one statement by id, or all believed of a fact.

        Raises as `one`.
        """
        if not isinstance(target, tuple):
            return [self.one(target)]
        found = [item for item in self._open(target) if item.standing == "believed"]
        if not found:
            raise NotFound(
                f"no believed statement of {self._named(target)}",
                hint="statements of other standings are meant by id",
            )
        return found

    def of_source(self, source: Any) -> list[Statement]:
        """Return every open believed statement of a source in the namespace (`NotFound` if none)."""
        name = self._intake.iri(source, "source")
        found = self._working.open_of_source(self._namespace, name)
        believed = [item for item in found if item.standing == "believed"]
        if not believed:
            raise NotFound(f"no open statement of the source {name}")
        return believed

    def fact(self, target: Sequence[Any]) -> FactKey:
        """Return the fact a `(s, p, o[, graph])` tuple names (`bad_target` otherwise)."""
        return fact_named(tuple(target), self._namespace, self._intake.prefixes)

    def _open(self, target: Any) -> list[Statement]:
        if isinstance(target, tuple):
            found = self._working.open_of(self.fact(target))
        else:
            found = self._open_by_name(name_of(target))
        if not found:
            raise NotFound(f"no open statement for {self._named(target)}")
        return found

    def _open_by_name(self, name: str) -> list[Statement]:
        matches = self._working.with_support_id(self._namespace, name)
        supported = [item for item in matches if self._working.is_open(item)]
        node = self._identity.full(name)
        if self._identity.key(name) is None or (supported and not self._working.statement(node)):
            return supported
        meant = self._open_by_id(node)
        return meant + [item for item in supported if item.id != meant[0].id]

    def _open_by_id(self, node: str) -> list[Statement]:
        statement = self._working.statement(node)
        if statement is None:
            raise NotFound(f"no statement {self._identity.short(node)}")
        if statement.fact.namespace != self._namespace:
            raise NotFound(
                f"statement {self._identity.short(node)} is in namespace {statement.fact.namespace}",
                code="other_namespace",
                hint="open the transaction with that namespace",
            )
        current = self._working.open_version(statement.family)
        if current is None:
            raise NotFound(
                f"statement {self._identity.short(node)} has no open version",
                code="no_open_version",
                hint="it was withdrawn or replaced; assert it again to put it back",
            )
        return [current]

    def _named(self, target: Any) -> str:
        if isinstance(target, tuple):
            return shortened(" ".join(str(part) for part in target), 160)
        return shortened(self._identity.short(name_of(target)), 160)
