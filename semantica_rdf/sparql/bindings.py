"""
Values for the variables of a user's query, put into its text before the engine reads it.

Every occurrence of a bound variable becomes its term, in sub-SELECTs, EXISTS and BIND too, where
the engine's own substitution is silently wrong. Where a variable must stay (projected, grouped,
compared by MINUS), it stays and `VALUES ?p { term }` is joined to the group it comes from, so the
column keeps its name and its value. Only tokens are replaced, by a term's own N-Triples form, so
no value can become syntax.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from semantica_rdf.errors import QueryError, QueryRefused
from semantica_rdf.model import terms
from semantica_rdf.sparql.tokens import Token, tokens

_NOTHING = Token("other", "", 0)
_HEADS = ("SELECT", "CONSTRUCT", "DESCRIBE", "ASK")
_CLAUSES = frozenset({"WHERE", "FROM", "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "VALUES"})
_OPENERS = {"(": ")", "[": "]", "{": "}", "<<": ">>"}
_BEGINS_TERM = frozenset({"iri", "name", "variable", "string", "number", "blank"})
_BEGINS_PATH = frozenset({"[", "(", "^", "!", "<<"})


def bind_variables(text: str, bindings: Mapping[str, terms.Term]) -> str:
    """
    Return a query with variables, named without `?`, replaced by terms.

    Raises `QueryRefused`: `binding_assigned` when the query itself gives the variable a value
    (BIND, VALUES, AS), `binding_blank_node`, `binding_kind` for a literal where only an IRI may
    stand; `QueryError` (`unused_binding`) for a name that is no variable of the query.
    """
    for name, term in bindings.items():
        text = _Binder(text, name, term).bound()
    return text


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Frame:
    """One open bracket, and the query whose head stands directly in it."""

    mark: str
    opened: int
    before: Token = _NOTHING
    query: _Query | None = None
    clause: str = ""
    minus: Token | None = None


@dataclass(slots=True)
class _Query:
    """A query or sub-SELECT: its group in the text, and whether the variable must stay in it."""

    head: str
    outermost: bool
    star: bool = False
    anchored: bool = False
    group: tuple[int, int] | None = None
    described: list[Token] = field(default_factory=list)


class _Binder:
    """Binds one variable in one text."""

    def __init__(self, text: str, name: str, term: terms.Term) -> None:
        if isinstance(term, terms.BlankNode):
            raise QueryRefused(
                f"the value of ?{name} is a blank node, which matches like a variable",
                code="binding_blank_node",
                hint="ask with blank_nodes='skolem' and bind the IRI",
            )
        if isinstance(term, terms.TripleTerm):
            raise QueryRefused(f"the value of ?{name} is a triple term", code="binding_kind")
        self.text = text
        self.name = name
        self.term = term
        self.value = f" {term.ntriples} "
        self.tokens = [token for token in tokens(text) if token.kind != "comment"]
        self.edits: list[_Edit] = []
        self.frames = [_Frame("", -1)]
        self.queries: list[_Query] = []
        self.places: list[tuple[int, bool]] = []

    def bound(self) -> str:
        """Return the text with the variable bound."""
        for index, token in enumerate(self.tokens):
            if token.kind == "word":
                self._word(token)
            elif token.mark in _OPENERS:
                self._open(index, token)
            elif token.mark and token.mark == _OPENERS.get(self.frames[-1].mark):
                self._close(index)
            elif token.mark == "*":
                self._star()
            elif token.kind == "variable" and token.text[1:] == self.name:
                self._occurrence(index, token)
        if not self.places:
            raise QueryError(
                f"the query has no variable ?{terms.shortened(self.name)}",
                code="unused_binding",
                hint="bind only variables the query uses",
            )
        for query in self.queries:
            self._finish(query)
        return self._edited()

    def _around(self, index: int) -> tuple[Token, Token]:
        before = self.tokens[index - 1] if index else _NOTHING
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else _NOTHING
        return before, after

    def _word(self, token: Token) -> None:
        frame = self.frames[-1]
        head = next((head for head in _HEADS if token.keyword.startswith(head)), None)
        if head is not None and frame.query is None and not token.in_expression:
            frame.query = _Query(head, outermost=len(self.frames) == 1)
            frame.clause = head
            self.queries.append(frame.query)
        elif frame.query is not None and token.keyword in _CLAUSES:
            frame.clause = token.keyword

    def _star(self) -> None:
        frame = self.frames[-1]
        if frame.query is not None and frame.clause in {"SELECT", "DESCRIBE"}:
            frame.query.star = True

    def _open(self, index: int, token: Token) -> None:
        before, _ = self._around(index)
        minus = before if before.keyword.endswith("MINUS") and token.mark == "{" else None
        self.frames.append(_Frame(token.mark, index, before=before, minus=minus))

    def _close(self, index: int) -> None:
        frame = self.frames.pop()
        query = self.frames[-1].query
        template = frame.before.keyword == "CONSTRUCT"
        if frame.mark == "{" and query is not None and query.group is None and not template:
            query.group = (frame.opened, index)
        if frame.minus is not None:
            self._keep_shared(frame, index)

    def _keep_shared(self, frame: _Frame, index: int) -> None:
        """Keep the variable on both sides of a MINUS that compares it."""
        left = self.frames[-1].opened
        inside = any(frame.opened < place < index for place, pattern in self.places if pattern)
        outside = any(left < place < frame.opened for place, pattern in self.places if pattern)
        if inside and outside and frame.minus is not None:
            self.edits.append(_Edit(frame.minus.start, frame.minus.start, self._anchor()))
            self._anchor_group(frame.opened, index)

    def _occurrence(self, index: int, token: Token) -> None:
        frame = self.frames[-1]
        before, after = self._around(index)
        direct = frame.query is not None and frame.clause
        row = frame.before if frame.mark == "(" else before
        if before.keyword == "AS" or "VALUES" in {before.keyword, row.keyword}:
            raise QueryRefused(
                f"the query itself gives ?{self.name} a value",
                code="binding_assigned",
                hint="bind another variable, or change the query",
            )
        self.places.append((index, not token.in_expression and not direct))
        if direct in {"SELECT", "GROUP"}:
            assert frame.query is not None
            frame.query.anchored = True
        elif direct == "DESCRIBE":
            assert frame.query is not None
            frame.query.described.append(token)
        elif direct == "ORDER":
            self.edits.append(_Edit(token.start, token.end, f"({self.value})"))
        elif before.mark == "(" and frame.before.keyword.endswith("BOUND"):
            self.edits.append(_Edit(frame.before.start, after.end, " (true) "))
        else:
            self._check_kind(token, before, after)
            self.edits.append(_Edit(token.start, token.end, self.value))

    def _check_kind(self, token: Token, before: Token, after: Token) -> None:
        """Refuse a literal where a graph name, a subject or a predicate stands."""
        if isinstance(self.term, terms.Iri) or token.in_expression:
            return
        in_list = self.frames[-1].mark == "("
        follows = after.kind in _BEGINS_TERM or after.mark in _BEGINS_PATH or after.keyword == "A"
        if before.keyword in {"GRAPH", "FROM", "NAMED"} or (follows and not in_list):
            self._refuse_literal()

    def _refuse_literal(self) -> None:
        raise QueryRefused(
            f"?{self.name} stands where only an IRI may, and its value is the literal"
            f" {terms.shortened(self.term.ntriples)}",
            code="binding_kind",
            hint='bind iri("https://…")',
        )

    def _finish(self, query: _Query) -> None:
        """Join the value to the group of a query in which the variable stays."""
        visible = any(pattern for _, pattern in self.places)
        anchored = query.anchored or query.described or (query.star and query.outermost and visible)
        if query.group is not None and anchored:
            self._anchor_group(*query.group)
        elif query.described:
            if not isinstance(self.term, terms.Iri):
                self._refuse_literal()
            self.edits += [_Edit(token.start, token.end, self.value) for token in query.described]

    def _anchor(self) -> str:
        return f" VALUES ?{self.name} {{{self.value}}} "

    def _anchor_group(self, opened: int, closed: int) -> None:
        """Add the value at the end of a group; a group that is a sub-SELECT is wrapped first."""
        end = self.tokens[closed].start
        wrapped = self.tokens[opened + 1].keyword.startswith("SELECT")
        if wrapped:
            start = self.tokens[opened].end
            self.edits.append(_Edit(start, start, " { "))
        self.edits.append(_Edit(end, end, (" } " if wrapped else "") + self._anchor()))

    def _edited(self) -> str:
        parts: list[str] = []
        position = 0
        for edit in sorted(self.edits, key=lambda edit: (edit.start, edit.end)):
            parts += [self.text[position : edit.start], edit.text]
            position = max(position, edit.end)
        return "".join([*parts, self.text[position:]])


__all__ = ["bind_variables"]
