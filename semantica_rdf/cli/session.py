"""
One command's session: which base, opened how, printing where.

Reading opens read-only and never creates; a base with transactions waiting to be brought in is
opened for writing once first. Writing creates only where a first claim may stand.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.output import Output
from semantica_rdf.cli.words import Words
from semantica_rdf.errors import NotFound, StoreLocked

if TYPE_CHECKING:
    from semantica_rdf.knowledge_base import KnowledgeBase
    from semantica_rdf.ledger.transaction import Transaction
    from semantica_rdf.model.statement import Statement

DEFAULT_PATH = "kb"


class Root(NamedTuple):
    """What stood before the command."""

    kb: str | None
    as_json: bool


class Who(NamedTuple):
    """What every write is told: by whom, why, from where, into which namespace, new prefixes."""

    agent: str | None
    reason: str | None
    source: str | None
    namespace: str | None
    prefix: list[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One command's base and output; `named` is the path as typed, None when it was a default."""

    path: Path
    named: str | None
    output: Output
    wait: float

    @classmethod
    def of(
        cls,
        context: typer.Context,
        kb: str | None,
        as_json: bool,
        wait: float,
        format: options.FormatChoice | None = None,
    ) -> Session:
        """Return the session of a command: its own options win over those before it."""
        root: Root = context.obj or Root(None, False)
        named = kb if kb is not None else root.kb
        path = named or os.environ.get("SEMANTICA_KB") or DEFAULT_PATH
        wants_json = as_json or root.as_json
        if wants_json and format not in {None, options.FormatChoice.json}:
            raise typer.BadParameter("--json and another --format exclude each other")
        chosen = "json" if wants_json else (format or options.FormatChoice.table).value
        return cls(path=Path(path), named=named, output=Output(chosen), wait=wait)

    def command(self, words: str) -> str:
        """Return a command to type next, on the same base."""
        where = f" --kb {quote(self.named)}" if self.named else ""
        return f"semantica-rdf {words}{where}"

    @contextmanager
    def reading(self) -> Iterator[KnowledgeBase]:
        """Open the base read-only. Raises `NotFound` (`no_base`), `StoreLocked`, as `open` does."""
        from semantica_rdf.knowledge_base import KnowledgeBase

        try:
            base = KnowledgeBase.open(self.path, read_only=True, lock_timeout=self.wait)
        except StoreLocked as error:
            if error.code != "replay_needed":
                raise
            KnowledgeBase.open(self.path, create=False, lock_timeout=self.wait).close()
            base = KnowledgeBase.open(self.path, read_only=True, lock_timeout=self.wait)
        with base:
            yield base

    @contextmanager
    def rebuilding(self) -> Iterator[KnowledgeBase]:
        """Open the base for what no transaction writes. Raises as `reading` does."""
        from semantica_rdf.knowledge_base import KnowledgeBase

        with KnowledgeBase.open(self.path, create=False, lock_timeout=self.wait) as base:
            yield base

    @contextmanager
    def writing(self, who: Who, *, create: bool = False, in_vain: bool = False) -> Iterator[Writer]:
        """
        Open the base for writing; new prefixes are kept once the block has ended well.

        With `create` an absent base is made, once it is known who writes and why. `in_vain` is
        for trying: nothing is made then, and no prefix kept.
        """
        prefixes = checked_prefixes(who.prefix or ())
        with self._existing_or_new(who, prefixes, create=create, in_vain=in_vain) as base:
            yield Writer(base, who, prefixes)
            if not in_vain:
                self._bind(base, prefixes)

    def _bind(self, base: KnowledgeBase, prefixes: Mapping[str, str]) -> None:
        """Keep prefixes with the base, and say where one changes what it means."""
        for prefix, iri in prefixes.items():
            before = base.prefixes.get(prefix)
            base.prefixes.bind(prefix, iri)
            if before not in {None, iri}:
                self.output.note(f"{prefix}: meant {before}, and means {iri} from now on")

    def _existing_or_new(
        self, who: Who, prefixes: Mapping[str, str], *, create: bool, in_vain: bool
    ) -> KnowledgeBase:
        from semantica_rdf.knowledge_base import KnowledgeBase

        if not create:
            return KnowledgeBase.open(self.path, create=False, lock_timeout=self.wait)
        existing = self._existing()
        if existing is not None:
            return existing
        scratch = KnowledgeBase.memory()
        if in_vain:
            return scratch
        with scratch:
            Writer(scratch, who, prefixes).transaction()
        base = KnowledgeBase.open(self.path, lock_timeout=self.wait)
        self.output.note(f"made a new knowledge base in {self.path}")
        return base

    def _existing(self) -> KnowledgeBase | None:
        from semantica_rdf.knowledge_base import KnowledgeBase

        try:
            return KnowledgeBase.open(self.path, create=False, lock_timeout=self.wait)
        except NotFound as error:
            if error.code != "no_base":
                raise
            return None

    @contextmanager
    def binding(self, prefix: list[str]) -> Iterator[KnowledgeBase]:
        """Open the base, which must be there, for writing, and keep new prefixes with it."""
        from semantica_rdf.knowledge_base import KnowledgeBase

        prefixes = checked_prefixes(prefix)
        with KnowledgeBase.open(self.path, create=False, lock_timeout=self.wait) as base:
            self._bind(base, prefixes)
            yield base

    @contextmanager
    def making(self, prefix: list[str] | None) -> Iterator[tuple[KnowledgeBase, bool]]:
        """Open the base, made if absent, with new prefixes; tell whether it was made."""
        from semantica_rdf.knowledge_base import KnowledgeBase

        prefixes = checked_prefixes(prefix or ())
        existing = self._existing()
        base = existing or KnowledgeBase.open(self.path, lock_timeout=self.wait)
        with base:
            self._bind(base, prefixes)
            yield base, existing is None


class Writer:
    """An open base, and the words of one write read with its prefixes and the new ones."""

    def __init__(self, base: KnowledgeBase, who: Who, prefixes: Mapping[str, str]) -> None:
        self.base = base
        self.words = Words({**base.prefixes, **prefixes})
        self._who = who
        self.reason = who.reason or ""
        self.namespace = who.namespace

    @property
    def agent(self) -> object:
        """Who writes, as an IRI; None when nobody was named."""
        return self.words.iri_or_none(self._who.agent or os.environ.get("SEMANTICA_AGENT"))

    @property
    def source(self) -> object:
        """The source named for the write, as an IRI; None when none was."""
        return self.words.iri_or_none(self._who.source)

    def version(self, made: str) -> Statement:
        """Return the version with this id."""
        versions = self.base.history(made, namespace=self.namespace)
        return next(item for item in versions if item.id == made)

    def transaction(self) -> Transaction:
        """Return the one transaction of a command. Raises as `KnowledgeBase.transaction`."""
        return self.base.transaction(
            agent=self.agent,
            reason=self.reason,
            source=self.source,
            namespace=self.namespace,
        )


def checked_prefixes(declared: list[str] | tuple[()]) -> dict[str, str]:
    """
    Return the prefixes of `NAME=IRI` words, tried on an empty base first.

    Raises `ValidationError` (`bad_prefix`, `bad_iri`, `reserved_prefix`).
    """
    if not declared:
        return {}
    from semantica_rdf.knowledge_base import KnowledgeBase

    prefixes = {}
    with KnowledgeBase.memory() as scratch:
        for word in declared:
            prefix, equals, iri = word.partition("=")
            if not equals:
                raise typer.BadParameter(f"prefix {word}: write NAME=IRI")
            prefixes[prefix.removesuffix(":")] = iri.removeprefix("<").removesuffix(">")
            scratch.prefixes.bind(prefix.removesuffix(":"), prefixes[prefix.removesuffix(":")])
    return prefixes
