"""
The dictionary of the columns: each text once, as a number.

Terms stand as canonical N-Triples, namespaces as their tokens; number 0 is the empty text.
"""

from __future__ import annotations

from collections.abc import Iterable


class Dictionary:
    """Texts by number and numbers by text; only grows, so that a number never changes its text."""

    def __init__(self, texts: Iterable[str] = ("",)) -> None:
        self.texts: list[str] = list(texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def number(self, text: str) -> int:
        """Return a text's number, a new one for a new text."""
        found = self._numbers.get(text)
        if found is None:
            found = len(self.texts)
            self.texts.append(text)
            self._numbers[text] = found
        return found

    def known(self, text: str) -> int | None:
        """Return a text's number, None for a text that is not in it."""
        return self._numbers.get(text)

    def __len__(self) -> int:
        return len(self.texts)


__all__ = ["Dictionary"]
