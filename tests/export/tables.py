"""Strategies for claims whose facts are awkward in a table, and three readers of tables."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from semantica_rdf import Iri, KnowledgeBase, Literal, literal
from semantica_rdf.model import vocab
from semantica_rdf.model.time import datetime_of
from semantica_rdf.view.tables import Column

EX = "https://example.org/"
FIRST = datetime(1, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)

IRIS = st.sampled_from(
    [EX + "a", EX + "Ünï/ç", "isbn:123", "urn:x:y", EX + "a,b", EX + "a'b", "tel:+1-2"]
).map(Iri)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(list(",;\"'\r\n\t \ufeff\x00=")),
    max_size=8,
)
OBJECTS = st.one_of(
    IRIS,
    TEXTS.map(literal),
    st.builds(lambda text, tag: literal(text, lang=tag), TEXTS, st.sampled_from(["en", "de-at"])),
    st.builds(
        lambda text, kind: literal(text, datatype=vocab.XSD + kind),
        st.sampled_from(["1", "01", "1.50", "x", "", "true", "2026-09-01"]),
        st.sampled_from(["integer", "decimal", "double", "boolean", "date", "string", "anyURI"]),
    ),
    st.builds(lambda text: literal(text, datatype=EX + "type"), TEXTS),
)
INSTANTS = st.one_of(
    st.sampled_from([FIRST, LAST, datetime(1500, 3, 4, 5, 6, 7, 890, tzinfo=UTC)]),
    st.datetimes(FIRST.replace(tzinfo=None), LAST.replace(tzinfo=None), timezones=st.just(UTC)),
)
WINDOWS = st.one_of(
    st.just((None, None)),
    st.tuples(INSTANTS, st.none()),
    st.tuples(st.none(), INSTANTS),
    st.lists(INSTANTS, min_size=2, max_size=2, unique=True).map(lambda two: tuple(sorted(two))),
).filter(lambda window: window[1] != FIRST)
CLAIMS = st.lists(
    st.fixed_dictionaries(
        {
            "subject": IRIS,
            "predicate": IRIS,
            "object": OBJECTS,
            "graph": st.sampled_from([None, None, Iri(EX + "graph"), Iri("isbn:g")]),
            "source": st.sampled_from([EX + "hr", EX + "badge", "urn:x:s"]),
            "window": WINDOWS,
            "confidence": st.sampled_from([None, "0.5", "1", "0.123456789012345"]),
        }
    ),
    max_size=8,
)


def base_with(claims: list[dict[str, Any]]) -> KnowledgeBase:
    """Return a base that holds these claims, all with the confidence of the first."""
    kb = KnowledgeBase.memory(agent=EX + "ann", clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    with kb.transaction(reason="test") as tx:
        for claim in claims:
            start, end = claim["window"]
            tx.assert_(
                claim["subject"],
                claim["predicate"],
                claim["object"],
                graph=claim["graph"],
                source=claim["source"],
                valid_from=start,
                valid_until=end,
                confidence=claims[0]["confidence"],
            )
    return kb


def read_csv(data: bytes, columns: tuple[Column, ...]) -> list[tuple[Any, ...]]:
    """Return the rows of CSV as the cells they stand for."""
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    assert rows[0] == [column.name for column in columns]
    return [
        tuple(_cell(column, text) for column, text in zip(columns, row, strict=True))
        for row in rows[1:]
    ]


def _cell(column: Column, text: str) -> Any:
    if column.name == "object":
        return text
    if text == "":
        return None
    if column.kind == "instant":
        return datetime.fromisoformat(text)
    if column.kind == "texts":
        return tuple(text.split(" "))
    return Decimal(text) if column.kind == "number" else text


def read_parquet(data: bytes) -> list[tuple[Any, ...]]:
    """Return the rows of Parquet."""
    return rows_of(pq.read_table(io.BytesIO(data)))


def read_arrow(data: bytes) -> list[tuple[Any, ...]]:
    """Return the rows of an Arrow file."""
    return rows_of(pa.ipc.open_file(data).read_all())


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    """Return the rows of an Arrow table as Python values."""
    columns = [column.to_pylist() for column in table.columns]
    return [
        tuple(tuple(cell) if isinstance(cell, list) else cell for cell in row)
        for row in zip(*columns, strict=True)
    ]


def kind_of(term: Iri | Literal) -> tuple[str, str, str | None, str | None]:
    """Return what a table says of an object."""
    if isinstance(term, Iri):
        return term.value, "iri", None, None
    return term.value, "literal", term.datatype, term.language


def moment(instant: int) -> datetime | None:
    """Return the aware datetime of an instant, None where it is too far for one: an open bound."""
    return datetime_of(instant) if abs(instant) < 2**62 else None
