"""
Prefixes of a base: what short names mean in queries, terms and exports.
"""

from __future__ import annotations

import re
import threading
from collections.abc import ItemsView, Iterator, Mapping
from typing import Any

from semantica_rdf.errors import ValidationError
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.model.terms import Iri, checked_iri, resolved_iri
from semantica_rdf.model.vocab import BUILT_IN_PREFIXES

_PREFIX = re.compile(r"([A-Za-z]([\w.-]*[\w-])?)?\Z")


class Prefixes(Mapping[str, str]):
    """A mapping of prefix to IRI; bound ones are kept with the base. Thread-safe."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._bound = {**BUILT_IN_PREFIXES, **journal.prefixes()}

    def bind(self, prefix: str, iri: Any) -> None:
        """
        Keep a prefix with the base; binding it again gives it a new meaning.

        Takes a string or a namespace of rdflib. Raises `ValidationError` (`bad_prefix`,
        `bad_iri`, and `reserved_prefix` for the record's own `srdf`).
        """
        if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix):
            raise ValidationError(
                f"{prefix!r} is no prefix", code="bad_prefix", hint="letters, digits, - _ ."
            )
        text = checked_iri(str(iri))
        with self._lock:
            if self._bound.get(prefix) == text:
                return
            if prefix == "srdf":
                raise ValidationError(
                    "srdf is the record's own prefix", code="reserved_prefix", hint="choose another"
                )
            self._journal.bind_prefixes({prefix: text})
            self._bound = {**self._bound, prefix: text}

    def adopt(self, declared: Mapping[str, str]) -> dict[str, str]:
        """
        Keep those prefixes of a document that can be kept, in one write, and return them.

        Left out without a word: one that is bound, built in or reserved; one that is empty or not
        well-formed; one whose IRI is none. Raises as `Journal.bind_prefixes`.
        """
        with self._lock:
            free = {
                prefix: iri
                for prefix, iri in declared.items()
                if prefix and _PREFIX.fullmatch(prefix) and prefix not in self._bound
                if _is_iri(iri)
            }
            if free:
                self._journal.bind_prefixes(free)
                self._bound = {**self._bound, **free}
        return free

    def iri(self, name: str) -> Iri:
        """Return the IRI a prefixed name stands for (`UnknownPrefix` when nobody bound it)."""
        return Iri(resolved_iri(name, self))

    def __getitem__(self, prefix: str) -> str:
        return self._bound[prefix]

    def get(self, prefix: str, default: Any = None) -> Any:
        """Return what a prefix means, `default` when nobody bound it."""
        return self._bound.get(prefix, default)

    def items(self) -> ItemsView[str, str]:
        """Return the pairs; those of one moment, read without a call for each."""
        return self._bound.items()

    def __iter__(self) -> Iterator[str]:
        return iter(self._bound)

    def __len__(self) -> int:
        return len(self._bound)

    def shortened(self, iri: str) -> str:
        """Return the IRI as a prefixed name where a prefix fits, else as it is."""
        best = ""
        name = iri
        for prefix, namespace in self._bound.items():
            local = iri.removeprefix(namespace)
            if len(namespace) > len(best) and local != iri and re.fullmatch(r"[\w-]+", local):
                best, name = namespace, f"{prefix}:{local}"
        return name


def _is_iri(text: str) -> bool:
    try:
        checked_iri(text)
    except ValidationError:
        return False
    return True
