"""
Terms as typed on the command line, in Turtle's forms.

`<iri>`, names with a declared prefix and absolute IRIs are IRIs; `"text"@en`, `"1"^^xsd:integer`,
`42`, `1.5`, `true` are literals; as an object anything else is a plain text. What may be a
misspelt IRI is refused, never taken as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from semantica_rdf.errors import UnknownPrefix, ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import (
    Iri,
    Literal,
    iri,
    literal,
    resolved_iri,
    shortened,
    term_of_ntriples,
)

_QUOTED = re.compile(
    r'(?P<quote>["\'])'
    r'(?P<text>(?:[^"\'\\]|\\(?:[tbnrf"\'\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|(?!(?P=quote))["\'])*)'
    r"(?P=quote)(?:@(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^(?P<datatype>\S+))?\Z",
    re.DOTALL,
)
_NUMBERS = (
    (re.compile(r"[+-]?\d+\Z", re.ASCII), "integer"),
    (re.compile(r"[+-]?\d*\.\d+\Z", re.ASCII), "decimal"),
    (re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+\Z", re.ASCII), "double"),
    (re.compile(r"(?:true|false)\Z"), "boolean"),
)
_LIKE_A_NAME = re.compile(r"[A-Za-z_][\w.-]*:[\w][^\s:]*\Z")


class Words:
    """Reads words with the prefixes in scope."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self.prefixes = prefixes

    def iri(self, word: str) -> Iri:
        """
        Return the IRI of a word.

        Raises `UnknownPrefix`, `ValidationError` (`bad_iri`).
        """
        if word.startswith("<") and word.endswith(">"):
            return iri(word[1:-1])
        return Iri(resolved_iri(word, self.prefixes))

    def iri_or_none(self, word: str | None) -> Iri | None:
        """Return the IRI of a word that may be left out."""
        return None if word is None else self.iri(word)

    def predicate(self, word: str) -> Iri:
        """Return the IRI of a predicate; `a` is `rdf:type`."""
        return Iri(vocab.RDF_TYPE) if word == "a" else self.iri(word)

    def term(self, word: str) -> Iri | Literal:
        """
        Return the term of an object.

        Raises `UnknownPrefix` for a name whose prefix nobody declared, `ValidationError`
        (`bad_literal`, `bad_iri`, `blank_node`).
        """
        if word.startswith("<") and word.endswith(">"):
            return iri(word[1:-1])
        if word[:1] in {'"', "'"}:
            return self._quoted(word)
        for pattern, name in _NUMBERS:
            if pattern.match(word):
                return literal(word, datatype=vocab.XSD + name)
        return self._name_or_text(word)

    def _name_or_text(self, word: str) -> Iri | Literal:
        if word.startswith("_:"):
            raise ValidationError(
                f"{shortened(word)} is a blank node", code="blank_node", hint="give it an IRI"
            )
        try:
            return Iri(resolved_iri(word, self.prefixes))
        except UnknownPrefix:
            if _LIKE_A_NAME.match(word):
                raise
            return literal(word)

    def _quoted(self, word: str) -> Literal:
        match = _QUOTED.match(word)
        if match is None:
            raise ValidationError(
                f"{shortened(word)} is no literal",
                code="bad_literal",
                hint="""close the quotes and keep them from the shell: '"text"@en'""",
            )
        text = term_of_ntriples(f'"{match["text"]}"').value
        if match["language"] is not None:
            return literal(text, lang=match["language"])
        if match["datatype"] is not None:
            return literal(text, datatype=self.iri(match["datatype"]))
        return literal(text)

    def fact(self, words: list[str]) -> tuple[Iri | Literal, ...]:
        """Return the terms of `SUBJECT PREDICATE OBJECT [GRAPH]`."""
        subject, predicate, value, *graph = words
        return (
            self.iri(subject),
            self.predicate(predicate),
            self.term(value),
            *(self.iri(name) for name in graph),
        )
