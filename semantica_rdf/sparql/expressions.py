"""
Expressions, read for their ends, their EXISTS groups, their variables and their aggregates only.

Everything else in an expression stays as the user wrote it.
"""

from __future__ import annotations

from semantica_rdf.sparql.reading import NotRead
from semantica_rdf.sparql.syntax import Exists, Expression, Group
from semantica_rdf.sparql.triples import TriplesReader

_AGGREGATES = frozenset({"COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"})
_AFTER_GROUP = frozenset({"HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"})


class _Found:
    """What one expression was found to hold."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.exists: list[Exists] = []
        self.variables: set[str] = set()
        self.aggregates = False
        self.counts_distinct_rows = False

    def until(self, end: int) -> Expression:
        """Return what was found as an expression that ends at a token."""
        return Expression(
            self.start,
            end,
            tuple(self.exists),
            frozenset(self.variables),
            self.aggregates,
            self.counts_distinct_rows,
        )


class ExpressionReader(TriplesReader):
    """Reads expressions and the solution modifiers they stand in."""

    def group(self) -> Group:
        """Read `{ … }`; the reader of queries does."""
        raise NotImplementedError

    def open_expression(self) -> Expression:
        """Read up to the `)` that closes what is open, or the AS before it."""
        found = _Found(self.next.start)
        while self.next.mark != ")" and self.next.keyword != "AS":
            self._piece(found)
        return found.until(self.last_end)

    def _piece(self, found: _Found) -> None:
        token = self.take()
        if token.mark == "(":
            while not self.mark(")"):
                self._piece(found)
        elif token.mark in {"{", "}", ")", "[", "]", "<<", ">>"}:
            raise NotRead("brackets in an expression")
        elif token.kind == "variable":
            found.variables.add(token.text[1:])
        elif token.kind == "name":
            self.at -= 1
            self.iri()
        elif token.kind == "word":
            self._word(token.keyword, token.start, found)

    def _word(self, keyword: str, start: int, found: _Found) -> None:
        if keyword == "EXISTS":
            before = self.tokens[self.at - 2]
            group = self.group()
            begin = before.start if before.keyword == "NOT" else start
            found.exists.append(Exists(begin, self.last_end, group))
        elif keyword in _AGGREGATES and self.next.mark == "(":
            found.aggregates = True
            if self.after().keyword == "DISTINCT" and self.after(2).mark == "*":
                found.counts_distinct_rows = True
        elif keyword in {"SELECT", "SERVICE", "AS"}:
            raise NotRead("a clause in an expression")

    def constraint(self) -> Expression:
        """Read a bracketed expression, a call, or EXISTS."""
        found = _Found(self.next.start)
        token = self.next
        if token.mark == "(":
            self._piece(found)
        elif token.keyword in {"NOT", "EXISTS"}:
            if self.word("NOT") and self.next.keyword != "EXISTS":
                raise NotRead("EXISTS expected")
            self._piece(found)
        elif token.kind in {"word", "name", "iri"} and self.after().mark == "(":
            self._piece(found)
            self._piece(found)
        else:
            raise NotRead("a constraint expected")
        return found.until(self.last_end)

    def modifiers(self) -> tuple[tuple[Expression, ...], tuple[str, ...], bool]:
        """
        Read GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET.

        Return their expressions, the names GROUP BY makes, and whether there is a GROUP BY.
        """
        found: list[Expression] = []
        names: list[str] = []
        grouped = self._by("GROUP")
        if grouped:
            self._group_keys(found, names)
        if self.word("HAVING"):
            while self._begins_condition():
                found.append(self.constraint())
        if self._by("ORDER"):
            self._order_keys(found)
        while self.word("LIMIT", "OFFSET"):
            if self.take().kind != "number":
                raise NotRead("a number expected")
        return tuple(found), tuple(names), grouped

    def _by(self, word: str) -> bool:
        if self.next.keyword == word and self.after().keyword == "BY":
            self.at += 2
            return True
        return False

    def _begins_condition(self) -> bool:
        token = self.next
        if token.kind == "word":
            return token.keyword not in _AFTER_GROUP
        return token.mark == "(" or token.kind in {"variable", "name", "iri"}

    def _group_keys(self, found: list[Expression], names: list[str]) -> None:
        while self._begins_condition():
            if self.next.kind == "variable":
                names.append(self.variable())
            elif self.mark("("):
                found.append(self.open_expression())
                if self.word("AS"):
                    names.append(self.variable())
                self.expect(")")
            else:
                found.append(self.constraint())

    def _order_keys(self, found: list[Expression]) -> None:
        while self._begins_condition():
            self.word("ASC", "DESC")
            if self.next.kind == "variable":
                self.at += 1
            else:
                found.append(self.constraint())


__all__ = ["ExpressionReader"]
