"""
What a query may not do: open a connection, write, or bring the process down.

`refuse_unsafe` looks at the tokens only, in linear time, before the engine sees the text. The
engine has no timeout and a deep or long query ends the process by a stack overflow, so the limits
stand well below what was seen to crash it. The engine's parser knows no word boundaries
(`SERVICEex:a`, `trueSERVICE<x>`): a word counts as SERVICE when it holds that word anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from semantica_rdf.errors import QueryRefused
from semantica_rdf.sparql.tokens import Token, scanned

MAX_CHARACTERS = 64 * 1024
MAX_DEPTH = 100
MAX_UNIONS = 200
MAX_OPERATORS = 1000
MAX_VALUES = 10_000
MAX_CLOSURES = 5
MAX_PATTERNS = 200
"""Patterns and clauses of one query: the engine's planner nests them all."""

_SERVICE = re.compile("service", re.IGNORECASE)
_UPDATE = re.compile("LOAD|INSERT|DELETE|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH")
_PROLOGUE = frozenset({"PREFIX", "BASE", "VERSION"})
_GRAPH_WORDS = frozenset({"GRAPH", "FROM", "NAMED", "DESCRIBE", "PREFIX", "FILTER"})
_CLAUSES = ("OPTIONAL", "MINUS", "BIND", "FILTER", "GRAPH", "LATERAL", "VALUES", "HAVING")
_SEPARATORS = frozenset({".", ";", ",", "~"})
_OPERATORS = frozenset(
    {"!", "+", "-", "*", "/", "|", "^", "||", "&&", "=", "!=", "<", ">", "<=", ">=", "?"}
)
_ITEMS = frozenset({"iri", "name", "variable", "string", "number", "blank"})
_END = Token("other", "", 0)
_OPEN = {"(": ")", "[": "]", "{": "}", "<<": ">>"}


def refuse_unsafe(text: str) -> None:
    """
    Refuse a query text that would open a connection, write, or run the engine out of stack.

    Returns without effect for everything else, be it SPARQL or not: syntax is the engine's to
    judge. Raises `QueryRefused`: `query_too_large`, `service_refused`, `update_refused`,
    `query_too_deep`, `too_many_operators`, `too_many_unions`, `too_many_values`,
    `too_many_paths`, `too_many_patterns`.
    """
    if len(text) > MAX_CHARACTERS:
        _refuse("query_too_large", f"the query has {len(text):,} characters", MAX_CHARACTERS)
    measure = _Measure()
    in_prologue = True
    for before, token, after in _neighbours(scanned(text)):
        if token.kind == "word":
            keyword = token.keyword
            if in_prologue and keyword not in _PROLOGUE:
                in_prologue = False
                if _UPDATE.match(keyword):
                    _refuse_writing(token)
            if keyword == "LOAD":
                _refuse_writing(token)
        _refuse_service(before, token, after)
        measure.see(token, after)
    if _SERVICE.search(text):
        for before, token, after in _neighbours(scanned(text, calls_anywhere=True)):
            _refuse_service(before, token, after)


def _refuse(code: str, what: str, limit: int) -> NoReturn:
    raise QueryRefused(
        f"{what}; at most {limit:,} are taken", code=code, hint="split the query, or shorten it"
    )


def _neighbours(stream: Iterator[Token]) -> Iterator[tuple[Token, Token, Token]]:
    """Give each token that is no comment with the ones before and after it."""
    before, token = _END, _END
    for after in stream:
        if after.kind == "comment":
            continue
        if token is not _END:
            yield before, token, after
        before, token = token, after
    if token is not _END:
        yield before, token, _END


def _refuse_writing(token: Token) -> NoReturn:
    raise QueryRefused(
        f"{token.keyword} at character {token.start + 1} is an update",
        code="update_refused",
        hint="queries read; write with kb.transaction",
    )


def _refuse_service(before: Token, token: Token, after: Token) -> None:
    kind = token.kind
    if kind in {"word", "other"}:
        named = bool(_SERVICE.search(token.text))
    elif kind == "name" and after.mark == "{" and before.keyword not in _GRAPH_WORDS:
        named = bool(_SERVICE.search(token.text.partition(":")[0]))
    else:
        named = False
    if named:
        raise QueryRefused(
            f"SERVICE at character {token.start + 1} would open a connection",
            code="service_refused",
            hint="load the other endpoint's data first, and query it here",
        )


class _Frame:
    """One open bracket, with what was counted in it."""

    __slots__ = (
        "branch",
        "closures",
        "deepest",
        "expression",
        "in_union",
        "mark",
        "operators",
        "patterns",
        "values",
    )

    def __init__(self, mark: str, *, expression: bool, values: bool, in_union: bool) -> None:
        self.mark = mark
        self.expression = expression
        self.values = values
        self.in_union = in_union
        self.operators = 0
        self.deepest = 0
        self.closures = 0
        self.patterns = 0
        self.branch = 0


class _Measure:
    """The sizes of one query, compared with the limits as they grow."""

    def __init__(self) -> None:
        self.frames = [_Frame("", expression=False, values=False, in_union=False)]
        self.outer_operators = 0
        self.unions = self.values = 0
        self.values_wait = self.after_union = self.describing = False

    def see(self, token: Token, after: Token) -> None:
        """Take one more token."""
        frame = self.frames[-1]
        if token.kind == "word":
            self._word(token.keyword, frame)
        elif token.kind == "punctuation":
            self._mark(token.text, frame, after)
        elif token.kind in _ITEMS:
            self._item(frame)

    def _mark(self, mark: str, frame: _Frame, after: Token) -> None:
        if mark in _OPEN:
            self._open(mark, frame, after)
        elif mark == _OPEN.get(frame.mark):
            self._close(frame, after)
        elif mark in _SEPARATORS:
            frame.operators = frame.deepest = 0
            if not frame.expression and not frame.values:
                _count_pattern(frame)
        elif mark in _OPERATORS:
            self._operator(frame)

    def _word(self, keyword: str, frame: _Frame) -> None:
        if keyword.endswith("UNION"):
            self.unions += 1
            self.after_union = True
            if self.unions > MAX_UNIONS:
                _refuse("too_many_unions", "the query has too many UNIONs", MAX_UNIONS)
        clause = keyword.endswith(_CLAUSES)
        if clause:
            frame.operators = frame.deepest = 0
            _count_pattern(frame)
        self.values_wait = self.values_wait or keyword.endswith("VALUES")
        self.describing = keyword.endswith("DESCRIBE")
        if keyword == "UNDEF":
            self._item(frame)

    def _open(self, mark: str, frame: _Frame, following: Token) -> None:
        if len(self.frames) > MAX_DEPTH:
            _refuse("query_too_deep", "the query's brackets are nested too deeply", MAX_DEPTH)
        values = frame.values or (mark == "{" and self.values_wait)
        if mark == "{":
            self.values_wait = False
        elif frame.values:
            self._count_value()
        elif not frame.expression:
            _count_pattern(frame)
        self.outer_operators += frame.operators
        opened = _Frame(
            mark,
            expression=following.in_expression,
            values=values,
            in_union=self.after_union,
        )
        opened.patterns = int(mark == "{" and not values)
        self.after_union = False
        self.frames.append(opened)

    def _close(self, frame: _Frame, following: Token) -> None:
        self.frames.pop()
        outer = self.frames[-1]
        self.outer_operators -= outer.operators
        outer.deepest = max(outer.deepest, frame.operators + frame.deepest)
        goes_on = following.keyword.endswith("UNION")
        if frame.in_union or goes_on:
            outer.branch = max(outer.branch, frame.patterns)
            if not goes_on:
                _count_pattern(outer, outer.branch)
                outer.branch = 0
        else:
            _count_pattern(outer, frame.patterns)
        if frame.mark == "(" and not frame.expression and not frame.values:
            closures = frame.closures + (following.mark in {"*", "+", "?"})
            if closures > MAX_CLOSURES:
                _refuse("too_many_paths", "the query's path closures are nested", MAX_CLOSURES)
            outer.closures = max(outer.closures, closures)

    def _operator(self, frame: _Frame) -> None:
        frame.operators += 1
        if self.outer_operators + frame.operators + frame.deepest > MAX_OPERATORS:
            _refuse("too_many_operators", "the query has too many operators", MAX_OPERATORS)
        if frame.mark in {"{", "["}:
            _count_pattern(frame)

    def _item(self, frame: _Frame) -> None:
        if frame.values and frame.mark == "{":
            self._count_value()
        elif (frame.mark == "(" and not frame.expression and not frame.values) or (
            frame.mark == "" and self.describing
        ):
            _count_pattern(frame)

    def _count_value(self) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            _refuse("too_many_values", "the query has too many VALUES rows", MAX_VALUES)


def _count_pattern(frame: _Frame, number: int = 1) -> None:
    frame.patterns += number
    if frame.patterns > MAX_PATTERNS:
        _refuse("too_many_patterns", "the query has too many patterns", MAX_PATTERNS)


__all__ = ["refuse_unsafe"]
