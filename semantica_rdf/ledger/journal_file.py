"""
The journal's SQLite file: how it is opened, and what it means when it does not open.

A full or refusing disk is not a damaged journal; only the latter calls for a backup.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from semantica_rdf.errors import CorruptStore, ProcessingError

PAGE_BYTES = 1024
"""Small pages: a single commit touches one of each of four tables, and syncs them all."""

_REFUSALS = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
    }
)
_PRIMARY_CODE = 0xFF


def not_opened(path: Path, error: sqlite3.DatabaseError) -> CorruptStore | ProcessingError:
    """Return the error for what SQLite said when the journal did not open."""
    if error.sqlite_errorcode & _PRIMARY_CODE in _REFUSALS:
        return ProcessingError(
            f"the journal {path} does not open: {error}",
            code="not_writable",
            hint="nothing is lost: make room or give access, and open again",
        )
    return CorruptStore(f"the journal {path} does not open: {error}", hint="restore a backup")


def connected(name: str) -> sqlite3.Connection:
    """Return a connection whose commits are durable when they return."""
    connection = sqlite3.connect(name, isolation_level=None, check_same_thread=False, timeout=30)
    connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA secure_delete=ON").fetchall()
    return connection


def connected_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that changes no file; a base at rest needs no write access for it."""
    log = path.with_name(path.name + "-wal")
    quiet = not log.exists() or log.stat().st_size == 0
    mode = "immutable=1" if quiet else "mode=ro"
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?{mode}", uri=True, isolation_level=None, check_same_thread=False
    )
