"""
Tokens with a place to stand: what the readers of terms, triples and queries share.

A reader raises `NotRead` for whatever it does not know. That is no error of the query: the engine
judges syntax, and a text that is not read is answered another way.
"""

from __future__ import annotations

from collections.abc import Mapping

from semantica_rdf.sparql.syntax import RESERVED, Term
from semantica_rdf.sparql.tokens import Token, tokens

_END = Token("other", "", 0)
_BOOLEANS = frozenset({"TRUE", "FALSE"})
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


class NotRead(Exception):
    """The reader does not know this text; the reason in a few words."""


class TokenReader:
    """Reads tokens one by one, and the terms they make."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self.text = text
        self.tokens = [token for token in tokens(text) if token.kind != "comment"]
        self.at = 0
        self.prefixes = dict(prefixes)
        self.declared: set[str] = set()
        self.used: set[str] = set()
        self.minted = 0
        self.labels: dict[str, Term] = {}

    @property
    def next(self) -> Token:
        """The token to be read, an empty one at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def after(self, steps: int = 1) -> Token:
        """Return a token further on."""
        place = self.at + steps
        return self.tokens[place] if place < len(self.tokens) else _END

    @property
    def last_end(self) -> int:
        """Where the last token that was read ends."""
        return self.tokens[self.at - 1].end if self.at else 0

    def take(self) -> Token:
        """Read a token."""
        token = self.next
        if token is _END:
            raise NotRead("the end")
        self.at += 1
        return token

    def mark(self, mark: str) -> bool:
        """Read this punctuation if it is next."""
        if self.next.mark != mark:
            return False
        self.at += 1
        return True

    def word(self, *words: str) -> bool:
        """Read one of these words if it is next."""
        if self.next.keyword not in words:
            return False
        self.at += 1
        return True

    def expect(self, mark: str) -> Token:
        """Read this punctuation."""
        if self.next.mark != mark:
            raise NotRead(f"{mark} expected")
        return self.take()

    def variable(self) -> str:
        """Read a variable; return its name."""
        if self.next.kind != "variable":
            raise NotRead("a variable expected")
        return self.take().text[1:]

    def fresh(self) -> Term:
        """Return a new variable for a blank node or the middle of a path."""
        self.minted += 1
        return Term("minted", f"?{RESERVED}b{self.minted}")

    def iri(self) -> Term | None:
        """Read an IRI or prefixed name, None when there is none."""
        token = self.next
        if token.kind == "iri":
            self.at += 1
            return Term("iri", token.text)
        if token.kind != "name":
            return None
        prefix = token.text.partition(":")[0]
        if prefix not in self.prefixes:
            raise NotRead("a prefix nobody declared")
        if prefix not in self.declared:
            self.used.add(prefix)
        self.at += 1
        return Term("iri", token.text)

    def variable_or_iri(self) -> Term:
        """Read a variable or an IRI."""
        if self.next.kind == "variable":
            return Term("variable", f"?{self.variable()}")
        found = self.iri()
        if found is None:
            raise NotRead("a variable or an IRI expected")
        return found

    def verb(self) -> Term | None:
        """Read an IRI or `a`, None when there is none."""
        if self.next.kind == "word" and self.next.text == "a":
            self.at += 1
            return Term("iri", f"<{_RDF}type>")
        return self.iri()

    def term(self) -> Term | None:
        """Read a variable, IRI, literal or blank node label, None when there is none."""
        token = self.next
        if token.kind == "variable":
            return Term("variable", f"?{self.variable()}")
        if token.kind in {"iri", "name"}:
            return self.iri()
        if token.kind == "blank":
            self.at += 1
            return self.labels.setdefault(token.text, self.fresh())
        return self._literal(token)

    def _literal(self, token: Token) -> Term | None:
        if token.kind == "string":
            return self._string()
        if token.kind == "number" or token.keyword in _BOOLEANS:
            self.at += 1
            return Term("literal", token.text)
        signed = token.mark in {"+", "-"} and self.after().kind == "number"
        if signed and self.after().start == token.end:
            self.at += 2
            return Term("literal", token.text + self.tokens[self.at - 1].text)
        return None

    def _string(self) -> Term:
        text = self.take().text
        if self.next.kind == "language":
            return Term("literal", text + self.take().text)
        if self.mark("^^"):
            datatype = self.iri()
            if datatype is None:
                raise NotRead("a datatype expected")
            return Term("literal", f"{text}^^{datatype.text}")
        return Term("literal", text)


__all__ = ["NotRead", "TokenReader"]
