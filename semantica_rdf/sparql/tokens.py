"""
SPARQL text as tokens: the one scanner that the guard, the binder and the templates stand on.

One pass, linear time, no recursion, and it never fails: what fits nothing is an `other` token.
Joining the tokens with what stands between them gives the text back. The scanner agrees with the
engine where that matters for safety: the engine's parser knows no word boundaries and reads `<`
after an operand of an expression as *less than*, whatever follows; so the scanner follows the
brackets and knows inside which of them an expression stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal[
    "comment",
    "iri",
    "string",
    "variable",
    "name",
    "word",
    "language",
    "number",
    "blank",
    "punctuation",
    "other",
]


class Token(NamedTuple):
    """
    One token: its kind, its exact text, where it starts, and whether it stands in an expression.

    `name` is a prefixed name, `word` a keyword or function name, `blank` a blank node label.
    """

    kind: Kind
    text: str
    start: int
    in_expression: bool = False

    @property
    def end(self) -> int:
        """Return the position after the token."""
        return self.start + len(self.text)

    @property
    def keyword(self) -> str:
        """Return the word in capitals, the empty string for anything but a word."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def mark(self) -> str:
        """Return the punctuation, the empty string for anything else."""
        return self.text if self.kind == "punctuation" else ""


_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = _BASE + r"_0-9\u00b7\u0300-\u036f\u203f\u2040"
_ESCAPES = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_IN_STRING = r"\\[tbnrf\"'\\]|" + _ESCAPES
_PERCENT = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"

_IRI = re.compile(r"<(?:[^\x00-\x20<>\"{}|^`\\]|" + _ESCAPES + r")*+>")
_LOCAL = re.compile(
    rf"(?:(?:[{_NAME}:]|{_PERCENT})(?:[{_NAME}\-:]|{_PERCENT}|\.++(?=[{_NAME}\-:%\\]))*+)?"
)
_TOKEN = re.compile(
    rf"""
    (?P<comment>\#[^\r\n]*+)
  | (?P<string>"{{3}}(?:"{{0,2}}(?:[^"\\]|{_IN_STRING}))*+"{{3}}
             | '{{3}}(?:'{{0,2}}(?:[^'\\]|{_IN_STRING}))*+'{{3}}
             | "(?!"")(?:[^"\\\r\n]|{_IN_STRING})*+" | '(?!'')(?:[^'\\\r\n]|{_IN_STRING})*+'
             | ""(?!") | ''(?!'))
  | (?P<variable>[?$][{_BASE}_0-9][{_NAME}]*+)
  | (?P<blank>_:[{_BASE}_0-9](?:[{_NAME}\-]|\.++(?=[{_NAME}\-]))*+)
  | (?P<run>[{_BASE}](?:[{_NAME}\-]|\.++(?=[{_NAME}\-]))*+:?)
  | (?P<name>:)
  | (?P<language>@[A-Za-z]++(?:--?[A-Za-z0-9]++)*+)
  | (?P<number>(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)[eE][+-]?[0-9]++|[0-9]*+\.[0-9]++|[0-9]++)
  | (?P<punctuation>&&|\|\||!=|>=|\^\^|[{{}}()\[\].,;*/+\-|^?!=>~&])
  | (?P<other>"{{3}}(?:"{{0,2}}(?:[^"\\]|\\.))*+"{{0,3}} | '{{3}}(?:'{{0,2}}(?:[^'\\]|\\.))*+'{{0,3}}
            | "(?:[^"\\\r\n]|\\.)*+"?|'(?:[^'\\\r\n]|\\.)*+'?|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PART = re.compile(r"(?P<word>[A-Za-z_][A-Za-z0-9_]*+)|(?P<number>[0-9]++)|(?P<other>.)", re.DOTALL)

_OPERANDS = frozenset({"iri", "string", "variable", "name", "language", "number", "blank"})
_CLAUSES = ("HAVING", "BY")
_CLOSERS = {")": "(", "]": "[", "}": "{", ">>": "<<"}


class _Frame:
    """One open bracket: whether an expression stands in it, and the clause it is in."""

    __slots__ = ("expression", "head", "mark")

    def __init__(self, mark: str, *, expression: bool) -> None:
        self.mark = mark
        self.expression = expression
        self.head = False


class _Scanner:
    """The state of one pass."""

    def __init__(self, text: str, *, calls_anywhere: bool) -> None:
        self.text = text
        self.calls_anywhere = calls_anywhere
        self.tokens: list[Token] = []
        self.frames = [_Frame("", expression=False)]
        self.before: Token | None = None
        self.earlier: Token | None = None

    def scan(self) -> Iterator[Token]:
        """Give the tokens one by one."""
        text, position, end = self.text, 0, len(self.text)
        while position < end:
            first = text[position]
            if first in " \t\r\n":
                position += 1
                continue
            if first == "<":
                position = self._less(position)
            elif first == ">" and text.startswith(">>", position) and self.frames[-1].mark == "<<":
                position = self._add("punctuation", ">>", position)
            else:
                position = self._match(position)
            yield from self.tokens
            self.tokens.clear()

    def _match(self, position: int) -> int:
        match = _TOKEN.match(self.text, position)
        assert match is not None
        kind = match.lastgroup
        piece = match.group()
        if kind in {"run", "name"}:
            if piece.endswith(":"):
                local = _LOCAL.match(self.text, match.end())
                return self._add("name", piece + (local.group() if local else ""), position)
            return self._words(piece, position)
        return self._add(kind, piece, position)  # type: ignore[arg-type]

    def _words(self, run: str, start: int) -> int:
        """Split a run of name characters that no colon follows: `true-1.5` is three tokens."""
        for part in _PART.finditer(run):
            kind: Kind = part.lastgroup  # type: ignore[assignment]
            if part.group() in {".", "-"}:
                kind = "punctuation"
            self._add(kind, part.group(), start + part.start())
        return start + len(run)

    def _less(self, position: int) -> int:
        """Read what begins with `<`: an operator after an operand of an expression, else an IRI."""
        text = self.text
        if self.frames[-1].expression and self._after_operand():
            mark = "<=" if text.startswith("<=", position) else "<"
            return self._add("punctuation", mark, position)
        iri = _IRI.match(text, position)
        if iri:
            return self._add("iri", iri.group(), position)
        mark = next(mark for mark in ("<<", "<=", "<") if text.startswith(mark, position))
        return self._add("punctuation", mark, position)

    def _after_operand(self) -> bool:
        before = self.before
        if before is None:
            return False
        if before.kind == "word":
            return before.text.lower().endswith(("true", "false"))
        return before.kind in _OPERANDS or before.text in {")", "]", "}", ">>"}

    def _add(self, kind: Kind, text: str, start: int) -> int:
        frame = self.frames[-1]
        token = Token(kind, text, start, frame.expression)
        if kind == "word":
            self._note_clause(frame, token.keyword)
        elif kind == "punctuation":
            self._note_bracket(frame, text)
        self.tokens.append(token)
        if kind != "comment":
            self.earlier, self.before = self.before, token
        return token.end

    def _note_clause(self, frame: _Frame, keyword: str) -> None:
        if keyword.startswith("SELECT") or keyword.endswith(_CLAUSES):
            frame.head = True
        elif keyword in {"WHERE", "VALUES", "LIMIT", "OFFSET"}:
            frame.head = False

    def _note_bracket(self, frame: _Frame, mark: str) -> None:
        if mark == "(":
            self.frames.append(_Frame("(", expression=self._opens_expression(frame)))
        elif mark in {"{", "[", "<<"}:
            frame.head = False
            self.frames.append(_Frame(mark, expression=False))
        elif mark in _CLOSERS and len(self.frames) > 1:
            if frame.mark == _CLOSERS[mark]:
                self.frames.pop()
            elif any(open_.mark == _CLOSERS[mark] for open_ in self.frames[-3:]):
                while self.frames.pop().mark != _CLOSERS[mark]:
                    pass

    def _opens_expression(self, frame: _Frame) -> bool:
        """Tell whether a parenthesis opened here holds an expression, or a list, path or row."""
        before = self.before
        if before is None or before.text in {"<<", "^", "/", "|", "!"}:
            return frame.expression
        if frame.expression or frame.head:
            return True
        if before.kind == "word":
            return before.keyword not in {"VALUES", "A"}
        if before.kind in {"iri", "name"}:
            if self.calls_anywhere:
                return True
            earlier = self.earlier
            return earlier is not None and earlier.keyword.endswith("FILTER")
        return frame.mark == ""


def tokens(text: str) -> list[Token]:
    """
    Return the tokens of a SPARQL text, comments included, white space left out; never raises.

    >>> [token.text for token in tokens("ASK { ?a <http://example.org/p> 'x'@en }")]
    ['ASK', '{', '?a', '<http://example.org/p>', "'x'", '@en', '}']
    """
    return list(scanned(text))


def scanned(text: str, *, calls_anywhere: bool = False) -> Iterator[Token]:
    """
    Iterate over the tokens of a SPARQL text, so that a reader may stop early.

    With `calls_anywhere` a parenthesis after an IRI is read as a function call also where a
    collection is likelier: the guard's second look.
    """
    return _Scanner(text, calls_anywhere=calls_anywhere).scan()


__all__ = ["Kind", "Token", "scanned", "tokens"]
