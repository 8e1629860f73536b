"""
The register of a base's own shapes: adding, replacing and removing them, each in a transaction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any

from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.ledger.domain_shapes import (
    SHAPES_NAMESPACE,
    DomainShapes,
    NamedShapes,
    compiled,
    shapes_iri,
)
from semantica_rdf.ledger.receipt import Receipt
from semantica_rdf.ledger.transaction import Transaction
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Iri, Literal
from semantica_rdf.model.time import OPEN_END, start_of
from semantica_rdf.validation.shapes_document import shapes_text
from semantica_rdf.view.coordinate import checked_namespace

OpenTransaction = Callable[[str, Any, Any], Transaction]
"""Opens a transaction of the record itself, from reason, agent and source."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class ShapesRegister:
    """
    The recorded shapes graphs of a base, by namespace and name; iterating gives those in force.

    Once added, a graph gates every write to its namespace: a write that leaves a touched focus
    node in breach of a shape of severity sh:Violation is refused, sh:Warning and sh:Info stand in
    the receipt. What is on record already is not judged by adding; `kb.validate` does that.
    """

    def __init__(self, domain: DomainShapes, begin: OpenTransaction, namespace: str) -> None:
        self._domain = domain
        self._begin = begin
        self._namespace = namespace

    def __iter__(self) -> Iterator[NamedShapes]:
        return iter(self.listed())

    def __len__(self) -> int:
        return len(self.listed())

    def listed(self, *, namespace: str | None = None, known_at: Any = None) -> list[NamedShapes]:
        """Return the shapes graphs of a namespace, by name; `known_at` as everywhere."""
        scope = checked_namespace(self._namespace if namespace is None else namespace)
        known = OPEN_END if known_at is None else start_of(known_at, where="known_at").instant
        return self._domain.named(scope, known)

    def get(self, name: str, *, namespace: str | None = None, known_at: Any = None) -> NamedShapes:
        """Return one shapes graph by name (`NotFound`, code `no_shapes`)."""
        found = _named(name, self.listed(namespace=namespace, known_at=known_at))
        if found is None:
            raise NotFound(f"no shapes are named {name!r}", code="no_shapes")
        return found

    def add(
        self,
        document: Any,
        *,
        reason: str,
        name: str | None = None,
        format: str | None = None,
        namespace: str | None = None,
        agent: Any = None,
        source: Any = None,
    ) -> Receipt:
        """
        Record a shapes graph under a name, or the next version of the one that has it.

        `document` is a path, an open file, bytes or an rdflib graph; `name` defaults to the file's
        name without its suffix. The same text again records nothing. Raises `ValidationError`:
        `unsupported_shape` and `bad_shape` by name, `shapes_without_target`, `bad_shapes_name`,
        `syntax_error`; and as a transaction does.
        """
        scope = checked_namespace(self._namespace if namespace is None else namespace)
        text, file_name = shapes_text(document, format=format)
        chosen = _checked_name(name or PurePath(file_name).stem or "shapes")
        compiled(text, f"{chosen} of namespace {scope}")
        node = Iri(shapes_iri(scope, chosen))
        before = _named(chosen, self._domain.named(scope, OPEN_END))
        with self._begin(reason, agent, source) as tx:
            if before is None:
                tx.assert_(node, Iri(vocab.SHAPES_TEXT), Literal(text))
            elif before.text != text:
                tx.revise(before.statement.id, object=Literal(text))
        return tx.receipt

    def remove(
        self, name: str, *, reason: str, namespace: str | None = None, agent: Any = None
    ) -> Receipt:
        """Let a shapes graph gate no more; its versions stay on record. Raises `NotFound`."""
        found = self.get(name, namespace=namespace)
        with self._begin(reason, agent, None) as tx:
            tx.withdraw(found.statement.id)
        return tx.receipt

    def __repr__(self) -> str:
        return f"<shapes of namespace {self._namespace}: {', '.join(each.name for each in self)}>"


def _named(name: str, among: Iterable[NamedShapes]) -> NamedShapes | None:
    return next((each for each in among if each.name == name), None)


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValidationError(
            f"{name!r} cannot name shapes",
            code="bad_shapes_name",
            hint=f"use 1 to 64 letters, digits, '-', '_' or '.'; {SHAPES_NAMESPACE} keeps them",
        )
    return name


__all__ = ["OpenTransaction", "ShapesRegister"]
