"""
Claims from the rows of a table, as a mapping declares them.

In: a document and its mapping. Out: claims in the order of their lines, and in the tally what was
read, joined, found twice and refused. With roles the whole table is held until its last line,
since an end may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple, TypeAlias

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.documents import Document
from semantica_rdf.loading.names import Minted, minted
from semantica_rdf.loading.report import Tally
from semantica_rdf.loading.rows import Cell, Row, rows_of
from semantica_rdf.loading.rules import Mapping, TermRule
from semantica_rdf.loading.windows import Edge, end_edge, joined, merged, start_edge
from semantica_rdf.model import vocab
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.terms import Iri, Literal, iri, literal, shortened
from semantica_rdf.model.time import datetime_of, start_of

_Cells: TypeAlias = dict[str, Cell]
_FLOAT_DIGITS = 15
"""Digits of a binary float that say something; those behind are how it is stored."""
_MAX_CACHED = 1_000_000
_LABEL = Iri(vocab.RDFS_LABEL)


class _Made(NamedTuple):
    """A term, and the label its minted IRI still wants."""

    term: Iri | Literal
    label: str | None


def claims_of(document: Document, mapping: Mapping, tally: Tally) -> Iterator[Claim]:
    """
    Yield the claims of a table.

    Raises as `rows_of`; a row that cannot be read becomes a rejection in the tally.
    """
    return claims_of_rows(rows_of(document, mapping), mapping, tally)


def claims_of_rows(rows: Iterator[Row], mapping: Mapping, tally: Tally) -> Iterator[Claim]:
    """Yield the claims of rows, wherever they are from."""
    return _Reader(mapping, tally).claims(rows)


class _Reader:
    """One pass over the rows of one table."""

    def __init__(self, mapping: Mapping, tally: Tally) -> None:
        self._mapping = mapping
        self._tally = tally
        self._labels: list[tuple[Iri, str]] = []
        self._zone = mapping.window.zone
        self._subject = _term_maker(mapping.subject, "subject", self._labels)
        self._predicate = _term_maker(mapping.predicate, "predicate", self._labels)
        self._object = _term_maker(mapping.object, "object", self._labels)
        self._graph = _optional(mapping.graph, "graph", self._labels)
        self._source = _optional(mapping.source, "source", self._labels)

    def claims(self, rows: Iterator[Row]) -> Iterator[Claim]:
        """Yield the claims of the rows, and the labels of what they mint."""
        window = self._mapping.window
        if window.role is not None and window.join:
            yield from self._joined(rows)
            return
        for row in rows:
            draft = self._draft_or_rejection(row)
            if draft is not None:
                yield Claim(draft, (row.line,))
                yield from self._label_claims(draft, row.line)

    def _draft_or_rejection(self, row: Row) -> Draft | None:
        self._tally.read += 1
        try:
            if row.fault is not None:
                raise row.fault
            return self._draft(row.cells)
        except CallerError as error:
            self._labels.clear()
            self._tally.reject((row.line,), error)
            return None

    def _draft(self, cells: _Cells) -> Draft:
        about = self._mapping.statement
        start, end, during = self._bounds(cells)
        return Draft(
            self._subject(cells),
            self._predicate(cells),
            self._object(cells),
            None if self._graph is None else self._graph(cells),
            None if self._source is None else self._source(cells),
            start,
            end,
            during,
            self._mapping.window.date_end,
            _text(cells, about.support_id),
            _number(cells, about.confidence),
            self._recorded(_text(cells, about.source_recorded_at)),
            self._zone,
        )

    def _bounds(self, cells: _Cells) -> tuple[str | None, str | None, str | None]:
        """Return from, until, during, as the row spells them."""
        window = self._mapping.window
        if window.role is None:
            return (
                _text(cells, window.from_),
                _text(cells, window.until),
                _text(cells, window.during),
            )
        role, date = _text(cells, window.role), _text(cells, window.date)
        if role is None and date is None:
            return None, None, None
        if role is None or date is None:
            raise ValidationError("a role without a date, or the reverse", code="missing_value")
        if role in window.starts:
            return date, None, None
        if role in window.ends:
            return None, date, None
        raise ValidationError(
            f"the role {shortened(role)!r} is neither a start nor an end",
            code="unknown_role",
            hint="list it in the mapping's starts or ends",
        )

    def _recorded(self, text: str | None) -> Any:
        """Return a record time, in UTC where the mapping's zone had to say which instant it is."""
        if text is None or self._zone is None:
            return text
        return datetime_of(start_of(text, where="source_recorded_at", zone=self._zone).instant)

    def _label_claims(self, draft: Draft, line: int) -> Iterator[Claim]:
        if not self._labels:
            return
        if self._mapping.labels:
            for subject, text in self._labels:
                label = Draft(subject, _LABEL, Literal(text), source=draft.source)
                yield Claim(label, (line,), label=True)
        self._labels.clear()

    def _joined(self, rows: Iterator[Row]) -> Iterator[Claim]:
        seen: set[object] = set()
        made: list[Claim] = []
        facts: dict[tuple[Any, ...], tuple[list[Edge], list[Edge]]] = {}
        for row in rows:
            if row.text is not None and row.text in seen:
                self._tally.read += 1
                self._tally.duplicates += 1
                continue
            draft = self._draft_or_rejection(row)
            if draft is None:
                continue
            seen.add(row.text)
            made.extend(self._label_claims(draft, row.line))
            self._filed(draft, row.line, facts, made)
        for starts, ends in facts.values():
            for start, end in joined(starts, ends):
                made.append(self._window(start, end))
        made.sort(key=lambda claim: claim.lines[0])
        yield from made

    def _filed(
        self,
        draft: Draft,
        line: int,
        facts: dict[tuple[Any, ...], tuple[list[Edge], list[Edge]]],
        made: list[Claim],
    ) -> None:
        """Put a draft with one bound where its partner will be looked for."""
        if draft.valid_from is None and draft.valid_until is None:
            made.append(Claim(draft, (line,)))
            return
        try:
            if draft.valid_from is not None:
                place, edge = 0, start_edge(draft, line)
            else:
                place, edge = 1, end_edge(draft, line, draft.date_end or "exclusive")
        except CallerError as error:
            self._tally.reject((line,), error)
            return
        facts.setdefault(draft[:5], ([], []))[place].append(edge)

    def _window(self, start: Edge | None, end: Edge | None) -> Claim:
        if start is not None and end is not None:
            self._tally.joined += 1
            return Claim(merged(start.draft, end.draft), (start.line, end.line))
        edge = start or end
        if edge is None:
            raise AssertionError
        return Claim(edge.draft, (edge.line,))


def _optional(
    rule: TermRule | None, where: str, labels: list[tuple[Iri, str]]
) -> Callable[[_Cells], Iri | Literal | None] | None:
    if rule is None:
        return None
    make = _term_maker(rule, where, labels)
    if not rule.optional:
        return make
    column = rule.column or ""
    return lambda cells: None if cells.get(column) is None else make(cells)


def _term_maker(
    rule: TermRule, where: str, labels: list[tuple[Iri, str]]
) -> Callable[[_Cells], Iri | Literal]:
    """
    Return the function from a row's cells to one term, each distinct cell worked out once.

    The label of a newly minted IRI is appended to `labels`, once per table.
    """
    if rule.iri is not None:
        constant = Iri(rule.iri)
        return lambda _: constant
    column = rule.column or ""
    named = where != "object" or rule.base is not None or rule.absolute
    said_by_row = any(rule.beside)
    known: dict[tuple[type, str, _Said | None], Iri | Literal] = {}

    def term(cells: _Cells) -> Iri | Literal:
        """Return the term of one row."""
        cell = cells.get(column)
        said = _said(rule, cells) if said_by_row else None
        key = (type(cell), cell if isinstance(cell, str) else repr(cell), said)
        found = known.get(key)
        if found is None:
            if cell is None and said is not None and said.kind == "literal":
                cell = ""
            if cell is None:
                raise _missing(where, column)
            found, label = _made(rule, cell, named=named, said=said)
            if label is not None and isinstance(found, Iri):
                labels.append((found, label))
            if len(known) < _MAX_CACHED:
                known[key] = found
        return found

    return term


class _Said(NamedTuple):
    """What other columns of a row say of a cell."""

    kind: str | None
    datatype: str | None
    language: str | None


def _said(rule: TermRule, cells: _Cells) -> _Said:
    """Return what the columns beside say. Raises `ValidationError` (`bad_row`)."""
    said = _Said(*(_text(cells, column) for column in rule.beside))
    if rule.kind_column is None:
        return said._replace(kind="literal")
    if said.kind not in {"iri", "literal"}:
        raise ValidationError(
            f"the column {rule.kind_column!r} holds {shortened(str(said.kind))!r}",
            code="bad_row",
            hint="it says iri or literal",
        )
    return said


def _made(rule: TermRule, cell: Any, *, named: bool, said: _Said | None) -> _Made:
    if said is not None and said.kind == "literal":
        language = said.language or rule.language
        datatype = None if language else said.datatype or rule.datatype
        return _Made(_literal(cell, datatype, language), None)
    text = cell if isinstance(cell, str) else None
    if text is not None and text in rule.values:
        return _Made(Iri(rule.values[text]), None)
    for case in rule.when:
        if case.matches.fullmatch(_spelled(cell)):
            if case.base is not None:
                return _Made(*_minted(_spelled(cell), case.base))
            return _Made(_literal(cell, case.datatype, case.language), None)
    if rule.absolute:
        return _Made(iri(_spelled(cell)), None)
    if named or said is not None:
        return _Made(*_minted(_spelled(cell), rule.base))
    return _Made(_literal(cell, rule.datatype, rule.language), None)


def _minted(name: str, base: str | None) -> Minted:
    return minted(name, base)


def _literal(cell: Any, datatype: str | None, language: str | None) -> Literal:
    if datatype is None and language is None:
        return literal(cell)
    return literal(_spelled(cell), lang=language, datatype=datatype)


def _spelled(cell: Cell) -> str:
    return cell if isinstance(cell, str) else literal(cell).value


def _text(cells: _Cells, column: str | None) -> str | None:
    if column is None:
        return None
    cell = cells.get(column)
    return None if cell is None else _spelled(cell)


def _number(cells: _Cells, column: str | None) -> Decimal | None:
    text = _text(cells, column)
    if text is None:
        return None
    cell = cells.get(column or "")
    try:
        return Decimal(str(round(cell, _FLOAT_DIGITS)) if isinstance(cell, float) else text)
    except InvalidOperation:
        raise ValidationError(
            f"the confidence {shortened(text)!r} is no number", code="bad_confidence"
        ) from None


def _missing(where: str, column: str) -> ValidationError:
    return ValidationError(
        f"the {where} is missing: the column {column!r} is empty", code="missing_value"
    )


__all__ = ["claims_of", "claims_of_rows"]
