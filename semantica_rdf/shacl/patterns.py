r"""
`sh:pattern` and `sh:flags`: an XPath regular expression, as SPARQL's REGEX takes it, for Python.

Translated is what the two read differently: `$` is the very end, `.` stops at a carriage return
too, `\i` and `\c` are the characters of XML names, `\p{Lu}` a category of Unicode, and one class
may be taken from another: `[a-z-[aeiou]]`. Look-ahead and word boundaries, which XPath lacks and
everybody uses, are passed on to Python. The search may take long for an expression made to be slow.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings
from functools import cache

from semantica_rdf.shacl.datatypes import NAME_CHARACTER, NAME_START

_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.NOFLAG, "q": re.NOFLAG}
_CATEGORY = re.compile(r"\{(\w{1,2})\}")
_CATEGORIES = frozenset("LMNPZSC")
_NAMES = {"i": NAME_START, "c": NAME_CHARACTER}


def compiled_pattern(pattern: str, flags: str) -> re.Pattern[str]:
    r"""
    Return the compiled expression; ask it with `search`.

    >>> bool(compiled_pattern(r"^\p{Lu}[a-z-[aeiou]]$", "").search("Äx"))
    True

    Raises `ValueError` with the reason for an unknown flag, category or a bad expression.
    """
    unknown = set(flags) - set(_FLAGS)
    if unknown:
        raise ValueError(f"no such flag as {', '.join(sorted(unknown))}")
    options = re.NOFLAG
    for flag in flags:
        options |= _FLAGS[flag]
    if "q" in flags:
        return re.compile(re.escape(pattern), options)
    translated = _Translation(pattern, flags).text()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of sets in sets, which XPath lacks
            return re.compile(translated, options)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from None


class _Translation:
    """One pass over an expression."""

    def __init__(self, pattern: str, flags: str) -> None:
        self._pattern = pattern
        self._spaced = "x" in flags
        self._written = {
            "$": "$" if "m" in flags else r"\Z",
            ".": "." if "s" in flags else r"[^\n\r]",
        }
        self._at = 0

    def text(self) -> str:
        """Return the expression for Python."""
        parts: list[str] = []
        while self._at < len(self._pattern):
            character = self._take()
            if character == "\\":
                parts.append(self._escape(in_class=False))
            elif character == "[":
                parts.append(self._class())
            elif not (self._spaced and character in " \t\n\r"):
                parts.append(self._written.get(character, character))
        return "".join(parts)

    def _take(self) -> str:
        if self._at >= len(self._pattern):
            raise ValueError("it ends too early")
        character = self._pattern[self._at]
        self._at += 1
        return character

    def _escape(self, *, in_class: bool) -> str:
        character = self._take()
        if character in "pP":
            match = _CATEGORY.match(self._pattern, self._at)
            if match is None:
                raise ValueError(f"\\{character} names no category of Unicode")
            self._at = match.end()
            return _bracketed(_category(match[1]), character == "P", in_class)
        if character.lower() in _NAMES:
            return _bracketed(_NAMES[character.lower()], character in "IC", in_class)
        return "\\" + character

    def _class(self) -> str:
        """Read a class up to its bracket; `-[…]` at its end takes another class out of it."""
        negated = self._pattern.startswith("^", self._at)
        self._at += negated
        parts: list[str] = []
        taken_out = ""
        while (character := self._take()) != "]" or not parts:
            if character == "\\":
                parts.append(self._escape(in_class=True))
            elif character == "-" and parts and self._pattern.startswith("[", self._at):
                self._at += 1
                taken_out = f"(?!{self._class()})"
                if self._take() != "]":
                    raise ValueError("a class that is taken out must come last")
                break
            else:
                parts.append(character)
        members = f"[{'^' if negated else ''}{''.join(parts)}]"
        return f"(?:{taken_out}{members})" if taken_out else members


def _bracketed(inside: str, negated: bool, in_class: bool) -> str:  # noqa: FBT001
    if not in_class:
        return f"[{'^' if negated else ''}{inside}]"
    return _complement(inside) if negated else inside


@cache
def _complement(inside: str) -> str:
    """Return every other character, as the inside of a class."""
    outside = re.compile(f"[^{inside}]")
    return _ranges([code for code in range(sys.maxunicode + 1) if outside.match(chr(code))])


@cache
def _category(name: str) -> str:
    """Return the characters of a Unicode category, as the inside of a class."""
    if name[0] not in _CATEGORIES:
        raise ValueError(f"Unicode has no category {name}")
    found = [
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)).startswith(name)
    ]
    if not found:
        raise ValueError(f"Unicode has no category {name}")
    return _ranges(found)


def _ranges(codes: list[int]) -> str:
    """Return sorted character codes as ranges of a class."""
    parts: list[str] = []
    start = before = codes[0]
    for code in [*codes[1:], -2]:
        if code != before + 1:
            parts.append(f"\\U{start:08x}-\\U{before:08x}")
            start = code
        before = code
    return "".join(parts)


__all__ = ["compiled_pattern"]
