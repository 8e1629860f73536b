"""
The front: a user's query read once, for binding, refusing and rewriting, and kept.

What is kept does not depend on the values of bound variables or on a coordinate: those are holes
in the text, filled by `pieces_filled`. The engine stays the judge of syntax: run `plain` over an
empty store first, and nothing here changes what a text that is no SPARQL is told.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from semantica_rdf.errors import QueryRefused
from semantica_rdf.model import terms
from semantica_rdf.sparql.bindings import bind_variables
from semantica_rdf.sparql.guard import refuse_unsafe
from semantica_rdf.sparql.pieces import Pieces, cut, hole, mark_absent_from, pieces_filled
from semantica_rdf.sparql.query_reader import read_query
from semantica_rdf.sparql.reading import NotRead
from semantica_rdf.sparql.refusals import REFUSALS, CannotRewrite, Refusal
from semantica_rdf.sparql.rewriting import Rewriter
from semantica_rdf.sparql.shape import Shape, shape_of
from semantica_rdf.sparql.skolem_checks import with_skolem_checks
from semantica_rdf.sparql.syntax import RESERVED, Query
from semantica_rdf.sparql.tokens import tokens

Form: TypeAlias = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]
Kind: TypeAlias = Literal["IRI", "literal"]

KEPT_CHARACTERS = 4 * 1024 * 1024
"""How many characters of query text the front keeps read, over all queries."""

_HOLES = ("valid_at", "known_at", "namespace")


@dataclass(frozen=True, eq=False)
class Prepared:
    """
    A query that was read: its forms as pieces, and what it looks like; equal to itself alone.

    `plain` is for a store of the view's triples whose blank nodes are skolem IRIs, `plain_restore`
    for one in which they are blank nodes. `form` is None for a text the reader does not know.
    """

    form: Form | None
    plain: Pieces
    plain_restore: Pieces
    shape: Shape
    _text: str = field(repr=False)
    _mark: str = field(repr=False)
    _query: Query | None = field(repr=False)

    def as_of(self, *, default_namespace: bool) -> Pieces | Refusal:
        """
        Return the query for the record itself, or why it has to be materialised.

        The holes are `valid_at`, `known_at`, for another than the default namespace `namespace`,
        and `bound:NAME`. The text declares every prefix it uses.
        """
        return self._as_of_default if default_namespace else self._as_of_other

    @cached_property
    def _as_of_default(self) -> Pieces | Refusal:
        return self._rewritten(default_namespace=True)

    @cached_property
    def _as_of_other(self) -> Pieces | Refusal:
        return self._rewritten(default_namespace=False)

    def _rewritten(self, *, default_namespace: bool) -> Pieces | Refusal:
        if self._query is None:
            return Refusal("not_read", REFUSALS["not_read"])
        holes = {name: hole(self._mark, name) for name in _HOLES}
        rewriter = Rewriter(self._text, self._query, holes, default=default_namespace)
        try:
            return cut(rewriter.rewritten(), self._mark)
        except CannotRewrite as found:
            return found.refusal


class _Kept:
    """Prepared queries, the least recently used given up first."""

    def __init__(self, characters: int) -> None:
        self._characters = characters
        self._used = 0
        self._found: OrderedDict[tuple[object, ...], tuple[Prepared, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[object, ...]) -> Prepared | None:
        """Return what was prepared for a key, None when it was not or was given up."""
        with self._lock:
            found = self._found.get(key)
            if found is None:
                return None
            self._found.move_to_end(key)
            return found[0]

    def put(self, key: tuple[object, ...], made: Prepared, size: int) -> None:
        """Keep what was prepared for a key, whose texts have so many characters."""
        with self._lock:
            _, before = self._found.pop(key, (None, 0))
            self._found[key] = (made, size)
            self._used += size - before
            while self._used > self._characters and len(self._found) > 1:
                _, (_, gone) = self._found.popitem(last=False)
                self._used -= gone


_KEPT = _Kept(KEPT_CHARACTERS)


def prepared(
    text: str, *, prefixes: Mapping[str, str], bound: Mapping[str, Kind] | None = None
) -> Prepared:
    """
    Return a query read, bound and ready to be filled; kept, so that the next time costs nothing.

    `prefixes` are in scope of the text; `bound` says of each bound variable, named without `?`,
    whether its value is an IRI or a literal. Raises `QueryRefused` as `refuse_unsafe` and
    `bind_variables` do, and (`reserved_variable`) for a variable that begins as the rewriter's
    own do; `QueryError` (`unused_binding`).
    """
    kinds = bound or {}
    key = (text, tuple(prefixes.items()), tuple(kinds.items()))
    found = _KEPT.get(key)
    if found is None:
        found = _prepared(text, prefixes, kinds)
        _KEPT.put(key, found, 4 * len(text) + 2000)
    return found


def _prepared(text: str, prefixes: Mapping[str, str], kinds: Mapping[str, Kind]) -> Prepared:
    refuse_unsafe(text)
    _refuse_reserved(text)
    mark = mark_absent_from(text)
    slots: dict[str, terms.Term] = {
        name: _slot(hole(mark, f"bound:{name}"), kind) for name, kind in kinds.items()
    }
    restored = bind_variables(text, slots) if slots else text
    skolem = with_skolem_checks(restored)
    query: Query | None = None
    whole = skolem
    try:
        query, used = read_query(skolem, prefixes)
    except NotRead:
        pass
    else:
        if used:
            whole = _declared(sorted(used), prefixes) + skolem
            query, _ = read_query(whole, {})
    return Prepared(
        form=None if query is None else query.form,
        plain=cut(skolem, mark),
        plain_restore=cut(restored, mark),
        shape=Shape() if query is None else shape_of(query),
        _text=whole,
        _mark=mark,
        _query=query,
    )


def _refuse_reserved(text: str) -> None:
    if RESERVED not in text:
        return
    for token in tokens(text):
        if token.kind == "variable" and token.text[1:].startswith(RESERVED):
            raise QueryRefused(
                f"the variable {terms.shortened(token.text)} begins as the rewriter's own do",
                code="reserved_variable",
                hint=f"use a name that does not begin with {RESERVED}",
            )


def _slot(mark: str, kind: Kind) -> terms.Term:
    return terms.Iri(mark) if kind == "IRI" else terms.Literal(mark)


def _declared(names: list[str], prefixes: Mapping[str, str]) -> str:
    """Return the declarations of prefixes a text uses and does not declare."""
    return "".join(f"PREFIX {name}: <{prefixes[name]}>\n" for name in names)


__all__ = ["KEPT_CHARACTERS", "Form", "Kind", "Prepared", "pieces_filled", "prepared"]
