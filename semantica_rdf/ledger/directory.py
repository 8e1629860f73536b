"""
The directory of a base: what belongs into it, and opening what is there.

It holds the RDF store, the journal, the lock, and a `.gitignore` of everything.
"""

from __future__ import annotations

from pathlib import Path

from semantica_rdf.errors import NotFound, ProcessingError, ValidationError
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.ledger.ledger import Ledger
from semantica_rdf.ledger.prefixes import Prefixes
from semantica_rdf.model.time import Clock
from semantica_rdf.store.embedded import RdfStore

_GITIGNORE = "# holds data and keys: nothing of it belongs into version control\n*\n"
_OWN_NAMES = frozenset(
    {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "store", "lock", ".gitignore"}
)


def check_directory(directory: Path, *, create: bool) -> None:
    """
    Make the directory of a base ready, unless it holds one already.

    Raises `NotFound` (`no_base`) without `create`, `ValidationError` (`not_a_base`) for a folder
    of other things, `ProcessingError` (`not_writable`).
    """
    journal = directory / "journal.sqlite"
    if journal.exists():
        return
    if not create:
        raise NotFound(
            f"there is no knowledge base in {directory}",
            code="no_base",
            hint="make one: semantica-rdf init, or KnowledgeBase.open(path)",
        )
    if directory.exists() and not directory.is_dir():
        raise ValidationError(f"{directory} is a file", code="not_a_base")
    if directory.exists() and any(item.name not in _OWN_NAMES for item in directory.iterdir()):
        raise ValidationError(
            f"{directory} holds other files",
            code="not_a_base",
            hint="name an empty or new directory",
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / ".gitignore").write_text(_GITIGNORE, encoding="utf-8")
    except OSError as error:
        raise ProcessingError(f"{directory} cannot be made: {error}", code="not_writable") from None


def opened_ledger(directory: Path, clock: Clock, *, read_only: bool) -> tuple[Ledger, Prefixes]:
    """Open journal and store, and bring in what waits; the lock is held by the caller."""
    journal = Journal.open(directory / "journal.sqlite", read_only=read_only)
    try:
        store = RdfStore.open(directory / "store", read_only=read_only)
        prefixes = Prefixes(journal)
        return Ledger(store, journal, clock, prefixes, read_only=read_only), prefixes
    except BaseException:
        journal.close()
        raise
