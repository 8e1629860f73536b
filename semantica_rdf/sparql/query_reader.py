"""
Groups, clauses and whole queries: the front's reader, one pass, no going back.

It takes what SPARQL 1.1 allows and nothing that would need a guess; `NotRead` is raised for the
rest (triple terms, LATERAL, words run together), and the query is answered by materialising.
"""

from __future__ import annotations

from collections.abc import Mapping

from semantica_rdf.sparql.expressions import ExpressionReader
from semantica_rdf.sparql.reading import NotRead
from semantica_rdf.sparql.syntax import (
    Bind,
    DatasetClause,
    Expression,
    Filter,
    Group,
    InGraph,
    Minus,
    Optional,
    Part,
    Projection,
    Query,
    Term,
    Union,
    Values,
)

_PART_WORDS = frozenset({"OPTIONAL", "MINUS", "GRAPH", "FILTER", "BIND", "VALUES"})
_SCALARS = frozenset({"iri", "name", "string", "number", "language"})


class QueryReader(ExpressionReader):
    """Reads one query."""

    def query(self) -> Query:
        """Read the whole text as one query."""
        self._prologue()
        start = self.next.start
        form = self.next.keyword
        if form == "SELECT":
            found = self._select(start, outermost=True)
        elif form == "ASK":
            found = self._ask(start)
        elif form == "CONSTRUCT":
            found = self._construct(start)
        elif form == "DESCRIBE":
            found = self._describe(start)
        else:
            raise NotRead("no query form")
        if self.next.text:
            raise NotRead("text after the query")
        return found

    def _prologue(self) -> None:
        while True:
            if self.word("PREFIX"):
                name = self.take()
                if name.kind != "name" or not name.text.endswith(":") or name.text.count(":") > 1:
                    raise NotRead("a prefix expected")
                iri = self.take()
                if iri.kind != "iri":
                    raise NotRead("an IRI expected")
                self.prefixes[name.text[:-1]] = iri.text
                self.declared.add(name.text[:-1])
            elif self.word("BASE"):
                if self.take().kind != "iri":
                    raise NotRead("an IRI expected")
            else:
                return

    def _select(self, start: int, *, outermost: bool) -> Query:
        self.take()
        self.word("DISTINCT", "REDUCED")
        projection = self._projection()
        head_end = self.last_end
        dataset = self._dataset() if outermost else ()
        return self._rest(
            Query(
                start=start,
                end=0,
                form="SELECT",
                head_end=head_end,
                projection=projection,
                dataset=dataset,
            )
        )

    def _projection(self) -> Projection:
        start = self.next.start
        if self.mark("*"):
            return Projection(start, self.last_end, star=True, names=(), expressions=())
        names: list[str] = []
        expressions: list[Expression] = []
        while True:
            if self.next.kind == "variable":
                names.append(self.variable())
            elif self.mark("("):
                expressions.append(self.open_expression())
                if not self.word("AS"):
                    raise NotRead("AS expected")
                names.append(self.variable())
                self.expect(")")
            else:
                break
        if not names:
            raise NotRead("a projection expected")
        return Projection(start, self.last_end, False, tuple(names), tuple(expressions))

    def _ask(self, start: int) -> Query:
        self.take()
        head_end = self.last_end
        dataset = self._dataset()
        return self._rest(Query(start=start, end=0, form="ASK", head_end=head_end, dataset=dataset))

    def _construct(self, start: int) -> Query:
        self.take()
        template = self._template() if self.next.mark == "{" else None
        head_end = self.last_end
        dataset = self._dataset()
        if template is None and self.next.keyword != "WHERE":
            raise NotRead("WHERE expected")
        return self._rest(
            Query(
                start=start,
                end=0,
                form="CONSTRUCT",
                head_end=head_end,
                template=template,
                dataset=dataset,
            )
        )

    def _template(self) -> tuple[int, int]:
        start = self.expect("{").start
        while not self.mark("}"):
            token = self.take()
            if token.mark in {"{", "<<"}:
                raise NotRead("a template of triple terms")
            if token.kind == "name":
                self.at -= 1
                self.iri()
        return start, self.last_end

    def _describe(self, start: int) -> Query:
        self.take()
        described: list[Term] = []
        projection = None
        if self.next.mark == "*":
            projection = self._projection()
        else:
            while self.next.kind in {"variable", "iri", "name"}:
                described.append(self.variable_or_iri())
            if not described:
                raise NotRead("what to describe expected")
        head_end = self.last_end
        dataset = self._dataset()
        return self._rest(
            Query(
                start=start,
                end=0,
                form="DESCRIBE",
                head_end=head_end,
                projection=projection,
                described=tuple(described),
                dataset=dataset,
            )
        )

    def _dataset(self) -> tuple[DatasetClause, ...]:
        found: list[DatasetClause] = []
        while self.next.keyword == "FROM":
            start = self.take().start
            named = self.word("NAMED")
            name = self.iri()
            if name is None:
                raise NotRead("an IRI expected")
            found.append(DatasetClause(start, self.last_end, named, name))
        return tuple(found)

    def _rest(self, head: Query) -> Query:
        """Read the group, the modifiers and the VALUES clause of a query whose head is read."""
        group = None
        if self.word("WHERE") or self.next.mark == "{":
            group = self.group()
        elif head.form != "DESCRIBE":
            raise NotRead("a group expected")
        before = self.at
        expressions, names, grouped = self.modifiers()
        modified = self.at > before
        values = self._values() if self.next.keyword == "VALUES" else None
        return Query(
            start=head.start,
            end=self.last_end,
            form=head.form,
            head_end=head.head_end,
            projection=head.projection,
            described=head.described,
            template=head.template,
            dataset=head.dataset,
            group=group,
            modifiers=expressions,
            group_names=names,
            grouped=grouped,
            modified=modified,
            values=values,
        )

    def group(self) -> Group:
        """Read `{ … }`."""
        start = self.expect("{").start
        parts: list[Part] = []
        if self.next.keyword == "SELECT":
            parts.append(self._select(self.next.start, outermost=False))
            self.expect("}")
            return Group(start, self.last_end, tuple(parts))
        while not self.mark("}"):
            parts.append(self._part())
        return Group(start, self.last_end, tuple(parts))

    def _part(self) -> Part:
        token = self.next
        if token.mark == "{":
            part: Part = self._union(token.start)
        elif token.kind == "word" and token.keyword in _PART_WORDS:
            part = self._clause(token.keyword, token.start)
        else:
            block = self.triples()
            following = self.next
            if following.mark not in {"{", "}"} and following.keyword not in _PART_WORDS:
                raise NotRead("what may follow triples expected")
            return block
        self.mark(".")
        return part

    def _clause(self, keyword: str, start: int) -> Part:
        if keyword == "VALUES":
            return self._values()
        self.take()
        if keyword == "OPTIONAL":
            group = self.group()
            return Optional(start, self.last_end, group)
        if keyword == "MINUS":
            group = self.group()
            return Minus(start, self.last_end, group)
        if keyword == "GRAPH":
            name = self.variable_or_iri()
            group = self.group()
            return InGraph(start, self.last_end, name, group)
        if keyword == "FILTER":
            expression = self.constraint()
            return Filter(start, self.last_end, expression)
        self.expect("(")
        expression = self.open_expression()
        if not self.word("AS"):
            raise NotRead("AS expected")
        variable = self.variable()
        self.expect(")")
        return Bind(start, self.last_end, expression, variable)

    def _union(self, start: int) -> Union:
        groups = [self.group()]
        while self.word("UNION"):
            groups.append(self.group())
        return Union(start, self.last_end, tuple(groups))

    def _values(self) -> Values:
        start = self.take().start
        names: list[str] = []
        if self.mark("("):
            while not self.mark(")"):
                names.append(self.variable())
        else:
            names.append(self.variable())
        self.expect("{")
        while not self.mark("}"):
            token = self.next
            if token.kind == "name":
                self.iri()
            elif token.mark in {"(", ")", "^^", "+", "-"} or token.kind in _SCALARS:
                self.at += 1
            elif not self.word("UNDEF", "TRUE", "FALSE"):
                raise NotRead("a value expected")
        return Values(start, self.last_end, tuple(names))


def read_query(text: str, prefixes: Mapping[str, str]) -> tuple[Query, frozenset[str]]:
    """
    Return a query as a tree, and which of the given prefixes it uses without declaring them.

    Raises `NotRead` for a text the reader does not know, SPARQL or not.
    """
    reader = QueryReader(text, prefixes)
    query = reader.query()
    return query, frozenset(reader.used)


__all__ = ["QueryReader", "read_query"]
