"""
Triple patterns as they are written, with every abbreviation spelled out: `;` `,` `[ ]` `( )` and paths.

Blank nodes and the nodes of collections become minted variables: a blank node of a pattern matches
like a variable, and no answer shows it.
"""

from __future__ import annotations

from semantica_rdf.sparql.reading import NotRead, TokenReader
from semantica_rdf.sparql.syntax import (
    Alternative,
    Closure,
    Inverse,
    Link,
    Negated,
    Path,
    Pattern,
    Sequence,
    Term,
    Triples,
)

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
FIRST = Link(Term("iri", f"<{_RDF}first>"))
REST = Link(Term("iri", f"<{_RDF}rest>"))
NIL = Term("iri", f"<{_RDF}nil>")


class TriplesReader(TokenReader):
    """Reads blocks of triples."""

    def triples(self) -> Triples:
        """Read triples up to the first token that cannot begin another."""
        start = self.next.start
        patterns: list[Pattern] = []
        while True:
            self._same_subject(patterns)
            if not self.mark(".") or not self._begins_triples():
                break
        return Triples(start, self.last_end, tuple(patterns))

    def _begins_triples(self) -> bool:
        token = self.next
        begins = token.kind in {"variable", "iri", "name", "blank", "string", "number"}
        signed = token.mark in {"+", "-", "(", "["}
        return begins or signed or token.keyword in {"TRUE", "FALSE"}

    def _same_subject(self, patterns: list[Pattern]) -> None:
        bracketed = self.next.mark in {"(", "["}
        count = len(patterns)
        subject = self._node(patterns)
        alone = bracketed and len(patterns) > count
        if not (alone and self._ends_properties()):
            self._properties(subject, patterns)

    def _ends_properties(self) -> bool:
        token = self.next
        return token.mark in {".", "}", "{"} or (token.kind == "word" and token.text != "a")

    def _properties(self, subject: Term, patterns: list[Pattern]) -> None:
        while True:
            path = self._verb()
            while True:
                patterns.append(Pattern(subject, path, self._node(patterns)))
                if not self.mark(","):
                    break
            if not self.mark(";"):
                return
            while self.mark(";"):
                pass
            if self._ends_properties() or self.next.mark == "]":
                return

    def _node(self, patterns: list[Pattern]) -> Term:
        """Read a term, a blank node with properties, or a collection."""
        if self.mark("["):
            node = self.fresh()
            if not self.mark("]"):
                self._properties(node, patterns)
                self.expect("]")
            return node
        if self.mark("("):
            return self._collection(patterns)
        term = self.term()
        if term is None:
            raise NotRead("a term expected")
        return term

    def _collection(self, patterns: list[Pattern]) -> Term:
        if self.mark(")"):
            return NIL
        head = cell = self.fresh()
        while True:
            patterns.append(Pattern(cell, FIRST, self._node(patterns)))
            if self.mark(")"):
                patterns.append(Pattern(cell, REST, NIL))
                return head
            following = self.fresh()
            patterns.append(Pattern(cell, REST, following))
            cell = following

    def _verb(self) -> Path:
        if self.next.kind == "variable":
            return Link(Term("variable", f"?{self.variable()}"))
        return self._path()

    def _path(self) -> Path:
        paths = [self._sequence()]
        while self.mark("|"):
            paths.append(self._sequence())
        return paths[0] if len(paths) == 1 else Alternative(tuple(paths))

    def _sequence(self) -> Path:
        paths = [self._step()]
        while self.mark("/"):
            paths.append(self._step())
        return paths[0] if len(paths) == 1 else Sequence(tuple(paths))

    def _step(self) -> Path:
        if self.mark("^"):
            return Inverse(self._step())
        path = self._primary()
        mark = self.next.mark
        if mark in {"?", "*", "+"}:
            self.at += 1
            return Closure(path, mark)
        return path

    def _primary(self) -> Path:
        if self.mark("("):
            path = self._path()
            self.expect(")")
            return path
        if self.mark("!"):
            return self._negated()
        term = self.verb()
        if term is None:
            raise NotRead("a predicate expected")
        return Link(term)

    def _negated(self) -> Path:
        forward: list[Term] = []
        backward: list[Term] = []
        several = self.mark("(")
        while True:
            members = backward if self.mark("^") else forward
            term = self.verb()
            if term is None:
                raise NotRead("a predicate expected")
            members.append(term)
            if not several or not self.mark("|"):
                break
        if several:
            self.expect(")")
        return Negated(tuple(forward), tuple(backward))


__all__ = ["FIRST", "NIL", "REST", "TriplesReader"]
