"""
What a query gives back: solutions, a truth value, or triples.

Answers are read whole and frozen, so they outlive the store's snapshot and can be looked at
twice. Values are terms of this package with their lexical form as the store holds it, or None
where a variable is unbound.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import pyoxigraph as ox

from semantica_rdf.model.terms import Term, term_of_pyoxigraph
from semantica_rdf.view.frames import data_frame
from semantica_rdf.view.result_formats import (
    Triple,
    boolean_text,
    delivered,
    graph_text,
    table_text,
)
from semantica_rdf.view.shown import counted, html_table, text_table
from semantica_rdf.view.typed_columns import arrow_table_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import rdflib

_TRIPLE = ("subject", "predicate", "object")


class Row:
    """One solution: by name `row["o"]`, by attribute `row.o`, by position `row[0]`; iterates values."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: Mapping[str, int], values: tuple[Term | None, ...]) -> None:
        self._names = names
        self._values = values

    def __getitem__(self, key: str | int) -> Term | None:
        if isinstance(key, str):
            return self._values[self._names[key.lstrip("?$")]]
        return self._values[key]

    def __getattr__(self, name: str) -> Term | None:
        if not name.startswith("__") and name in self._names:
            return self._values[self._names[name]]
        message = f"no variable {name}; there are {', '.join(self._names) or 'none'}"
        raise AttributeError(message, name=name, obj=self)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a variable, `default` when it is unbound or no variable."""
        position = self._names.get(name.lstrip("?$"))
        value = None if position is None else self._values[position]
        return default if value is None else value

    def to_dict(self) -> dict[str, Term | None]:
        """Return the values by name, in the order of the columns."""
        return dict(zip(self._names, self._values, strict=True))

    def __iter__(self) -> Iterator[Term | None]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return NotImplemented
        return self._values == other._values and list(self._names) == list(other._names)

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        pairs = (
            f"{name}={None if value is None else value.ntriples}"
            for name, value in zip(self._names, self._values, strict=True)
        )
        return f"Row({', '.join(pairs)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Row, (dict(self._names), self._values)


class Solutions(Sequence[Row]):
    """The answer of a SELECT: a frozen sequence of rows; `variables` are the columns' names."""

    __slots__ = ("_prefixes", "_rows", "variables")

    def __init__(
        self,
        variables: Iterable[str],
        rows: Iterable[Sequence[Term | None]],
        prefixes: Mapping[str, str] | None = None,
    ) -> None:
        self.variables: tuple[str, ...] = tuple(variables)
        names = {name: position for position, name in enumerate(self.variables)}
        self._rows = tuple(Row(names, tuple(row)) for row in rows)
        self._prefixes = dict(prefixes or {})

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...

    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def to_dicts(self, *, python: bool = True) -> list[dict[str, Any]]:
        """Return a dict per row: Python values, or the terms with `python=False`; None if unbound."""
        if not python:
            return [row.to_dict() for row in self._rows]
        return [
            {
                name: None if value is None else value.to_python()
                for name, value in row.to_dict().items()
            }
            for row in self._rows
        ]

    def to_arrow(self, *, typed: bool = True) -> pa.Table:
        """
        Return an Arrow table, a column per variable, null where unbound.

        A column of literals of one datatype has its type (int64, decimal, float64, bool, date32,
        timestamp[us]), others are text; with `typed=False` every value is its N-Triples text.
        Raises `ValidationError` (`extra_missing`) without the extra `frames`.
        """
        return arrow_table_of(self.variables, self._rows_of_terms(), typed=typed)

    def to_pandas(self, *, typed: bool = True) -> pd.DataFrame:
        """Return a pandas frame with the columns of `to_arrow`; arguments and errors as there."""
        return data_frame(self.to_arrow(typed=typed))

    def serialize(
        self, format: str = "json", path: str | os.PathLike[str] | None = None
    ) -> str | None:
        """
        Return the table as `json`, `csv`, `tsv` or `xml`, or write it to `path`, whole or not at all.

        Raises `ValidationError`: `unknown_format`, `not_in_format`; `ProcessingError`.
        """
        return delivered(table_text(self.variables, self._rows_of_terms(), format), path)

    def _rows_of_terms(self) -> Iterator[tuple[Term | None, ...]]:
        return (tuple(row) for row in self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solutions):
            return NotImplemented
        return self.variables == other.variables and self._rows == other._rows

    def __hash__(self) -> int:
        return hash((self.variables, self._rows))

    def __repr__(self) -> str:
        return f"<Solutions: {counted(len(self), 'row')} of {', '.join(self.variables)}>"

    def __str__(self) -> str:
        return text_table(self.variables, self._rows, self._prefixes)

    def _repr_html_(self) -> str:
        return html_table(self.variables, self._rows, self._prefixes)


@dataclass(frozen=True, slots=True)
class Boolean:
    """The answer of an ASK; true and false like a bool."""

    value: bool

    def __bool__(self) -> bool:
        return self.value

    def serialize(
        self, format: str = "json", path: str | os.PathLike[str] | None = None
    ) -> str | None:
        """
        Return the answer as `json` or `xml`, or write it to `path`.

        Raises `ValidationError` (`unknown_format`), `ProcessingError`.
        """
        return delivered(boolean_text(format, value=self.value), path)

    def __str__(self) -> str:
        return "true" if self.value else "false"


class Triples(Sequence[Triple]):
    """The answer of a CONSTRUCT or DESCRIBE: a frozen sequence of different triples."""

    __slots__ = ("_prefixes", "_triples")

    def __init__(
        self, triples: Iterable[Triple], prefixes: Mapping[str, str] | None = None
    ) -> None:
        self._triples = tuple(dict.fromkeys(triples))
        self._prefixes = dict(prefixes or {})

    @overload
    def __getitem__(self, index: int) -> Triple: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Triple]: ...

    def __getitem__(self, index: int | slice) -> Triple | Sequence[Triple]:
        return self._triples[index]

    def __len__(self) -> int:
        return len(self._triples)

    def __iter__(self) -> Iterator[Triple]:
        return iter(self._triples)

    def to_arrow(self, *, typed: bool = True) -> pa.Table:
        """Return an Arrow table of subject, predicate and object, as `Solutions.to_arrow` does."""
        return arrow_table_of(_TRIPLE, self._triples, typed=typed)

    def to_pandas(self, *, typed: bool = True) -> pd.DataFrame:
        """Return a pandas frame with the columns of `to_arrow`; arguments and errors as there."""
        return data_frame(self.to_arrow(typed=typed))

    def to_rdflib(self) -> rdflib.Graph:
        """
        Return an rdflib graph with the prefixes bound and every lexical form unchanged.

        Raises `ValidationError` (`unsupported_term`) for an RDF 1.2 triple term.
        """
        import rdflib

        graph = rdflib.Graph(bind_namespaces="none")
        for prefix, namespace in self._prefixes.items():
            graph.bind(prefix, namespace, replace=True)
        for subject, predicate, object_ in self._triples:
            graph.add((subject.to_rdflib(), predicate.to_rdflib(), object_.to_rdflib()))
        return graph

    def serialize(
        self,
        format: str = "turtle",
        path: str | os.PathLike[str] | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> str | None:
        """
        Return the graph as `turtle`, `n-triples`, `json-ld` or `rdf-xml`, or write it to `path`.

        `prefixes` replace the base's own. Raises `ValidationError`: `unknown_format`,
        `not_in_format`; `ProcessingError`.
        """
        known = self._prefixes if prefixes is None else prefixes
        return delivered(graph_text(self._triples, format, known), path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Triples):
            return NotImplemented
        return set(self._triples) == set(other._triples)

    def __hash__(self) -> int:
        return hash(frozenset(self._triples))

    def __repr__(self) -> str:
        return f"<Triples: {counted(len(self), 'triple')}>"

    def __str__(self) -> str:
        return text_table(_TRIPLE, self._triples, self._prefixes)

    def _repr_html_(self) -> str:
        return html_table(_TRIPLE, self._triples, self._prefixes)


def answer_of(raw: Any, prefixes: Mapping[str, str]) -> Solutions | Boolean | Triples:
    """Return the engine's answer, read whole; errors while reading it come through as they are."""
    if isinstance(raw, ox.QueryBoolean):
        return Boolean(bool(raw))
    if isinstance(raw, ox.QuerySolutions):
        variables = tuple(variable.value for variable in raw.variables)
        rows = [
            tuple(None if value is None else term_of_pyoxigraph(value) for value in solution)
            for solution in raw
        ]
        return Solutions(variables, rows, prefixes)
    read = (tuple(map(term_of_pyoxigraph, triple)) for triple in raw)
    return Triples(read, prefixes)  # type: ignore[arg-type]


__all__ = ["Boolean", "Row", "Solutions", "Triples", "answer_of"]
