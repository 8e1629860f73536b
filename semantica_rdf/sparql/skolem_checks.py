"""
`isBlank` and `isIRI` over a view whose blank nodes are skolem IRIs: those count as blank.

Only calls are changed, by their tokens; an argument is written twice where it must be, so a query
that gives one an argument with side effects (`BNODE()`, `RAND()`) asks it twice.
"""

from __future__ import annotations

from semantica_rdf.errors import QueryRefused
from semantica_rdf.model import vocab
from semantica_rdf.sparql.guard import MAX_CHARACTERS
from semantica_rdf.sparql.tokens import Token, tokens

_CHECKS = frozenset({"ISBLANK", "ISIRI", "ISURI"})
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_OPENERS.values())
_SKOLEM = f'"{vocab.SKOLEM_BASE}"'


def with_skolem_checks(text: str) -> str:
    """
    Return a query whose `isBlank` is true, and `isIRI` false, of skolem IRIs too.

    Raises `QueryRefused` (`query_too_large`) for calls nested in one another until the text, in
    which each argument is written up to three times, would be too long.

    >>> with_skolem_checks("ASK { FILTER(isLiteral(?x)) }")
    'ASK { FILTER(isLiteral(?x)) }'
    """
    upper = text.upper()
    if not any(name in upper for name in _CHECKS):
        return text
    found = [token for token in tokens(text) if token.kind != "comment"]
    calls = {
        index: closed
        for index, token in enumerate(found)
        if token.keyword in _CHECKS and (closed := _closing(found, index + 1))
    }
    return _between(text, found, calls, (0, len(found))) if calls else text


def _closing(found: list[Token], opened: int) -> int:
    """Return which token closes the parenthesis opened by one, 0 where none does."""
    if opened >= len(found) or found[opened].mark != "(":
        return 0
    depth = 0
    for index in range(opened, len(found)):
        mark = found[index].mark
        depth += (mark in _OPENERS) - (mark in _CLOSERS)
        if depth == 0:
            return index
    return 0


def _between(text: str, found: list[Token], calls: dict[int, int], span: tuple[int, int]) -> str:
    """Return the text of some tokens and what stands between and around them, calls replaced."""
    first, end = span
    position = found[first - 1].end if first else 0
    stop = found[end].start if end < len(found) else len(text)
    parts: list[str] = []
    index = first
    while index < end:
        closed = calls.get(index)
        if closed is None:
            index += 1
            continue
        token = found[index]
        argument = _between(text, found, calls, (index + 2, closed))
        parts += [text[position : token.start], _check(token, argument)]
        position = found[closed].end
        index = closed + 1
    return "".join([*parts, text[position:stop]])


def _check(token: Token, argument: str) -> str:
    """Return the replaced call; a comment in the argument ends before what follows it."""
    if len(argument) > MAX_CHARACTERS:
        raise QueryRefused(
            f"{token.text} at character {token.start + 1} has too long an argument",
            code="query_too_large",
            hint="do not nest isBlank and isIRI in one another",
        )
    value = f"{argument}\n" if "#" in argument else argument
    is_skolem = f"STRSTARTS(STR({value}), {_SKOLEM})"
    if token.keyword == "ISBLANK":
        return f"(isBlank({value}) || (isIRI({value}) && {is_skolem}))"
    return f"(isIRI({value}) && !{is_skolem})"


__all__ = ["with_skolem_checks"]
