"""
A small store, built by hand as the design's data model says, with one of everything.

Transaction 1 records two claims from two sources; 2 proposes one and revises another; 3 ends a
third and leaves a minted belief row. `store_quads` are the quads of that whole store.
"""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from semantica_rdf.model import vocab

BASE = vocab.ID_BASE + "0123456789ab/"
EX = "https://example.org/"
T1, T2, T3 = "2026-09-01T08:00:00Z", "2026-09-05T08:00:00Z", "2026-09-20T08:00:00Z"


def node(text: str) -> ox.NamedNode:
    """Return an IRI: of the store when it reads `12-3`, absolute, or else an example's."""
    if text[0].isdigit():
        return ox.NamedNode(BASE + text)
    return ox.NamedNode(text if "://" in text else EX + text)


def instant(text: str) -> ox.Literal:
    """Return an xsd:dateTime."""
    return ox.Literal(text, datatype=ox.NamedNode(vocab.XSD_DATETIME))


class StoreBuilder:
    """Builds the quads of a store, node by node."""

    def __init__(self) -> None:
        self.quads: list[ox.Quad] = []

    def _add(self, subject: str, properties: dict[str, object], graph: ox.NamedNode | None) -> None:
        for predicate, value in properties.items():
            term = node(value) if isinstance(value, str) else value
            self.quads.append(ox.Quad(node(subject), ox.NamedNode(predicate), term, graph))

    def transaction(self, name: str, at: str, properties: dict[str, object]) -> None:
        """Add a transaction to the journal."""
        common = {
            vocab.RDF_TYPE: vocab.TRANSACTION_CLASS,
            vocab.RECORDED_AT: instant(at),
            vocab.SEQUENCE: ox.Literal(int(name.split("-", maxsplit=1)[0])),
            vocab.WAS_ASSOCIATED_WITH: "people/ann",
            vocab.REASON: ox.Literal("HR import"),
        }
        self._add(name, common | properties, ox.NamedNode(vocab.JOURNAL_GRAPH))

    def statement(
        self,
        name: str,
        claim: tuple[str, str, object],
        at: str,
        properties: dict[str, object],
        *,
        row: bool = True,
    ) -> None:
        """Add a statement, which names its own row unless told otherwise."""
        parts = zip((vocab.RDF_SUBJECT, vocab.RDF_PREDICATE, vocab.RDF_OBJECT), claim, strict=True)
        common: dict[str, object] = {
            vocab.RDF_TYPE: vocab.RDF_STATEMENT,
            vocab.SOURCE: "hr/1",
            vocab.RECORDED_AT: instant(at),
            vocab.TRANSACTION: name.split("-", maxsplit=1)[0] + "-0",
        }
        self._add(name, common | dict(parts) | properties, None)
        if row:
            self._add(claim[0], {EX + claim[1]: claim[2]}, node(name))

    def row(self, name: str, triple: tuple[str, str, str], properties: dict[str, object]) -> None:
        """Add a minted belief row."""
        self._add(name, {vocab.RDF_TYPE: vocab.BELIEF_ROW, **properties}, None)
        self._add(triple[0], {EX + triple[1]: triple[2]}, node(name))


def built_store() -> list[ox.Quad]:
    """Return the quads of the store."""
    build = StoreBuilder()
    build.transaction(
        "1-0", T1, {vocab.OPERATION: ox.Literal("load"), vocab.REASON_CODE: ox.Literal("import")}
    )
    build.transaction(
        "2-0",
        T2,
        {
            vocab.OPERATION: ox.Literal("mixed"),
            vocab.REASON_CODE: ox.Literal("correction"),
            vocab.BASIS: instant(T1),
            vocab.REFERENCE: ox.Literal("batch-2"),
            vocab.NAMESPACE: ox.Literal("team"),
        },
    )
    build.transaction(
        "3-0",
        T3,
        {
            vocab.OPERATION: ox.Literal("retract"),
            vocab.REASON_CODE: ox.Literal("ended"),
            vocab.BASIS: instant(T2),
            vocab.WAS_ASSOCIATED_WITH: "people/bob",
        },
    )
    build.statement(
        "1-1",
        ("alice", "worksFor", "acme"),
        T1,
        {
            vocab.VALID_FROM: instant("2026-09-01T00:00:00Z"),
            vocab.VALID_FROM_TEXT: ox.Literal("2026-09"),
            vocab.IDENTIFIER: ox.Literal("hr-1"),
            vocab.SUPERSEDED_AT: instant(T3),
            vocab.SUPERSEDED_BY: "3-0",
        },
    )
    build.statement(
        "1-2",
        ("alice", "worksFor", "acme"),
        T1,
        {
            vocab.SOURCE: "badge/2",
            vocab.STANDING: vocab.BELIEVED,
            vocab.FACT_KEY: ox.Literal("c0ffee"),
            vocab.VALID_FROM: instant("2026-09-03T00:00:00Z"),
        },
        row=False,
    )
    build.statement(
        "1-3",
        ("alice", "age", ox.Literal("30", datatype=ox.NamedNode(vocab.XSD + "integer"))),
        T1,
        {
            vocab.SOURCE_TEXT: ox.Literal("030"),
            vocab.SUPERSEDED_AT: instant(T2),
            vocab.SUPERSEDED_BY: "2-0",
        },
    )
    build.statement(
        "2-1",
        ("alice", "age", ox.Literal("31", datatype=ox.NamedNode(vocab.XSD + "integer"))),
        T2,
        {
            vocab.IN_FAMILY: "1-3",
            vocab.WAS_REVISION_OF: "1-3",
            vocab.CONFIDENCE: ox.Literal("0.9", datatype=ox.NamedNode(vocab.XSD + "decimal")),
            vocab.SOURCE_RECORDED_AT: instant("2026-09-04T00:00:00Z"),
        },
    )
    for ordinal, standing in enumerate((vocab.PROPOSED, vocab.DISPUTED, vocab.REJECTED), start=2):
        build.statement(
            f"2-{ordinal}",
            ("alice", "knows", vocab.SKOLEM_BASE + f"0f{ordinal}"),
            T2,
            {
                vocab.STANDING: standing,
                vocab.FACT_KEY: ox.Literal("beef"),
                vocab.IN_GRAPH: "graphs/friends",
                vocab.NAMESPACE: ox.Literal("team"),
            },
            row=False,
        )
    build.statement(
        "3-1",
        ("alice", "worksFor", "acme"),
        T3,
        {
            vocab.IN_FAMILY: "1-1",
            vocab.WAS_REVISION_OF: "1-1",
            vocab.VALID_FROM: instant("2026-09-01T00:00:00Z"),
            vocab.VALID_UNTIL: instant("2026-09-10T00:00:00Z"),
            vocab.VALID_UNTIL_TEXT: ox.Literal("2026-09-10"),
            vocab.IDENTIFIER: ox.Literal("hr-1"),
        },
    )
    build.row(
        "3-2",
        ("alice", "worksFor", "acme"),
        {
            vocab.RECORDED_AT: instant(T3),
            vocab.TRANSACTION: "3-0",
            vocab.VALID_FROM: instant("2026-09-10T00:00:00Z"),
        },
    )
    return build.quads


@pytest.fixture(scope="session")
def store_quads() -> tuple[ox.Quad, ...]:
    """Return the quads of a whole store, with one of everything."""
    return tuple(built_store())
