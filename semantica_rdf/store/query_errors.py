"""
The engine's exceptions in the words of this package: the one place where they are mapped.

The engine says where it stopped and every token it would have taken there; what is kept is the
place, the text that stands there, and the few expectations a reader can use.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from semantica_rdf.errors import QueryError, QuerySyntaxError
from semantica_rdf.model.terms import shortened
from semantica_rdf.sparql.tokens import Token, tokens

_PLACE = re.compile(r"error at (\d+):(\d+): (?:expected (?:one of )?)?(.*)", re.DOTALL)
_CLASS = re.compile(r"\[(?:_|'[^]]*)\]", re.DOTALL)
_SENTENCE = re.compile(r"[A-Z][A-Za-z-]*(?: [A-Za-z$'?-]+){2,}[^,]*")
_MAX_EXPECTED = 6


def mapped(error: Exception, text: str = "", prefixes: Collection[str] = ()) -> QueryError:
    """
    Return the error of this package for one the engine raised.

    `text` and the known `prefixes` only make the message better. A `QueryError` comes back as it
    is; a syntax error becomes `QuerySyntaxError` with line and column (code `unknown_prefix`
    for a name whose prefix nobody declared), anything else a `QueryError` with code
    `query_failed`.
    """
    if isinstance(error, QueryError):
        return error
    if not isinstance(error, SyntaxError):
        return QueryError(
            f"the query failed: {shortened(str(error), 300)}",
            code="query_failed",
            hint="see whether the query asks for something the engine cannot do",
        )
    match = _PLACE.search(str(error))
    if match is None:
        return QuerySyntaxError(f"not SPARQL: {shortened(str(error), 300)}")
    line, column = int(match.group(1)), int(match.group(2))
    undeclared = _undeclared(text, line, column, prefixes)
    if undeclared is not None:
        return _unknown_prefix(text, undeclared)
    near = _near(text, line, column)
    return QuerySyntaxError(
        f"not SPARQL at line {line}, column {column}{_quoted(near)}: {_reason(match.group(3))}",
        line=line,
        column=column,
        hint=_update_hint(text),
    )


def _offset(text: str, line: int, column: int) -> int:
    """Return the position of a line and column, both from 1; the engine counts line feeds."""
    position = 0
    for _ in range(line - 1):
        position = text.find("\n", position) + 1
    return position + column - 1


def _near(text: str, line: int, column: int) -> str:
    position = _offset(text, line, column)
    return next((token.text for token in tokens(text) if token.end > position), "")


def _quoted(near: str) -> str:
    return f", near {shortened(near, 30)}" if near else ", at the end"


def _reason(expected: str) -> str:
    sentence = _SENTENCE.search(expected)
    if sentence:
        return sentence.group()
    kept = [part.strip() for part in _CLASS.sub("", expected).split(", ")]
    kept = [part for part in kept if part]
    if len(kept) <= 1:
        return "this cannot stand here"
    more = ", …" if len(kept) > _MAX_EXPECTED else ""
    return f"expected {' or '.join(kept[:_MAX_EXPECTED])}{more}"


def _undeclared(text: str, line: int, column: int, prefixes: Collection[str]) -> Token | None:
    """Return the first name up to the place whose prefix nobody declared, None without one."""
    position = _offset(text, line, column)
    found = [token for token in tokens(text) if token.kind != "comment"]
    declared = set(prefixes) | {
        token.text[:-1] for before, token in pairwise(found) if before.keyword == "PREFIX"
    }
    names = (token for token in found if token.kind == "name" and token.start <= position)
    return next((name for name in names if name.text.partition(":")[0] not in declared), None)


def _unknown_prefix(text: str, name: Token) -> QuerySyntaxError:
    line = text.count("\n", 0, name.start) + 1
    column = name.start - text.rfind("\n", 0, name.start)
    prefix = name.text.partition(":")[0]
    return QuerySyntaxError(
        f"nobody declared the prefix of {shortened(name.text, 60)}, at line {line}, column {column}",
        line=line,
        column=column,
        code="unknown_prefix",
        hint=f"declare the prefix {prefix}: with PREFIX, or kb.prefixes.bind",
    )


def _update_hint(text: str) -> str | None:
    found = [token for token in tokens(text) if token.kind != "comment"]
    first = found[0].keyword if found else ""
    return "write with kb.transaction" if first in {"INSERT", "DELETE", "CLEAR"} else None


__all__ = ["mapped"]
