"""
The shapes a namespace is gated by: recorded, versioned, read back from the record.

A named shapes graph is a statement like any other, in a namespace of the record's own: its subject
stands for the name, its object is the text in Turtle. So it has versions, an agent, a reason and
a transaction time, and an old coordinate is audited by the shapes of its day.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import Statement
from semantica_rdf.model.time import OPEN_END
from semantica_rdf.shacl import Shapes, compile_shapes
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import StatementReader, lexical

SHAPES_NAMESPACE = ".shapes"
"""Where the statements about shapes graphs stand."""


class NamedShapes(NamedTuple):
    """One version of a named shapes graph: whose namespace it gates, its text, its statement."""

    name: str
    namespace: str
    text: str
    statement: Statement

    @property
    def shapes(self) -> Shapes:
        """The graph compiled; one that was recorded compiles."""
        return compiled(self.text, f"{self.name} of namespace {self.namespace}")


def shapes_iri(namespace: str, name: str) -> str:
    """Return the IRI that stands for a named shapes graph of a namespace."""
    return f"{vocab.SHAPES_BASE}{namespace}/{name}"


@lru_cache(maxsize=64)
def compiled(text: str, name: str) -> Shapes:
    """
    Return the shapes of a text in Turtle, ready to check; IRIs that stand for blank nodes are blank.

    Raises `ValidationError` (`bad_shape`, `unsupported_shape`, `shapes_without_target`).
    """
    try:
        quads = list(ox.parse(text.encode(), format=ox.RdfFormat.TURTLE))
    except SyntaxError as error:
        raise ValidationError(
            f"the shapes {name} are no Turtle: {error}", code="syntax_error"
        ) from None
    shapes = compile_shapes(quads, name, skolem_is_blank=True)
    if not any(shape.targets for shape in shapes.every):
        raise ValidationError(
            f"the shapes {name} have no target: they would never look at anything",
            code="shapes_without_target",
            hint="give a shape sh:targetClass, sh:targetNode, sh:targetSubjectsOf or sh:targetObjectsOf",
        )
    return shapes


class DomainShapes:
    """
    Reads the recorded shapes; those given at open come first and gate every namespace.

    What is in force is remembered until `forget`.
    """

    def __init__(self, store: RdfStore, identity: Identity) -> None:
        self._store = store
        self._identity = identity
        self._at_open: tuple[Shapes, ...] = ()
        self._in_force: dict[str, tuple[Shapes, ...]] = {}

    def give_at_open(self, shapes: tuple[Shapes, ...]) -> None:
        """Gate every namespace by these too, for as long as the base is open."""
        self._at_open = shapes
        self.forget()

    def forget(self) -> None:
        """Read anew what is in force: a transaction has changed it."""
        self._in_force.clear()

    def in_force(self, namespace: str) -> tuple[Shapes, ...]:
        """Return the shapes that gate a namespace now."""
        known = self._in_force.get(namespace)
        if known is None:
            recorded = tuple(each.shapes for each in self.named(namespace, OPEN_END))
            known = self._in_force[namespace] = self._at_open + recorded
        return known

    def at(self, namespace: str, known_at: int) -> tuple[Shapes, ...]:
        """Return the shapes of a namespace as known at an instant, those given at open with them."""
        return self._at_open + tuple(each.shapes for each in self.named(namespace, known_at))

    def named(self, namespace: str, known_at: int) -> list[NamedShapes]:
        """Return the recorded shapes graphs of a namespace as known at an instant, by name."""
        reader = StatementReader(self._store, self._identity)
        predicate = ox.NamedNode(vocab.SHAPES_TEXT)
        own = f"<{shapes_iri(namespace, '')}"
        found = []
        for fact in reader.facts_matching(SHAPES_NAMESPACE, None, predicate, None):
            if not fact.subject.startswith(own):
                continue
            for statement in reader.statements_of(fact):
                if _holds(statement, known_at):
                    name = fact.subject.removeprefix(own)[:-1]
                    found.append(NamedShapes(name, namespace, lexical(fact.object), statement))
        return sorted(found, key=lambda each: each.name)


def _holds(statement: Statement, known_at: int) -> bool:
    if known_at == OPEN_END:
        return statement.is_open
    return statement.recorded_at <= known_at < statement.superseded_at


__all__ = ["SHAPES_NAMESPACE", "DomainShapes", "NamedShapes", "compiled", "shapes_iri"]
