"""
The journal: one durable row per transaction, its commitments, and what the store may not have yet.

An SQLite file beside the store, in WAL mode with `synchronous=FULL`: when `append` returns, the
transaction survives a power cut. A payload (the quads, compressed) stays until a store flush that
came after its store write. Rows form a hash chain; the chain proves the record, it cannot rebuild
it.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from semantica_rdf.errors import (
    CorruptStore,
    NewerFormat,
    ProcessingError,
    StoreLocked,
    ValidationError,
)
from semantica_rdf.ledger.chain import GENESIS, Head, JournalRow
from semantica_rdf.ledger.commitments import Commitment, PartKey
from semantica_rdf.ledger.journal_file import connected, connected_read_only, not_opened

FORMAT_VERSION = 1
CHUNK_BYTES = 4 * 1024 * 1024

_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE transactions(
    sequence INTEGER PRIMARY KEY, recorded_at INTEGER NOT NULL, operation TEXT NOT NULL,
    reason_code TEXT NOT NULL, asserted INTEGER NOT NULL, superseded INTEGER NOT NULL,
    minted INTEGER NOT NULL, root BLOB NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TABLE commitments(
    sequence INTEGER NOT NULL, position INTEGER NOT NULL, node_sequence INTEGER NOT NULL,
    node_ordinal INTEGER NOT NULL, part INTEGER NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY(sequence, position)) WITHOUT ROWID;
CREATE TABLE salts(
    sequence INTEGER NOT NULL, position INTEGER NOT NULL, salt BLOB NOT NULL,
    PRIMARY KEY(sequence, position)) WITHOUT ROWID;
CREATE TABLE payloads(
    sequence INTEGER NOT NULL, chunk INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(sequence, chunk)) WITHOUT ROWID;
CREATE TABLE prefixes(prefix TEXT PRIMARY KEY, iri TEXT NOT NULL) WITHOUT ROWID;
"""


class Journal:
    """The SQLite file; thread-safe, each method one transaction of its own."""

    def __init__(self, connection: sqlite3.Connection, *, read_only: bool = False) -> None:
        self._open_connection: sqlite3.Connection | None = connection
        self._lock = threading.RLock()
        self._read_only = read_only

    @classmethod
    def memory(cls) -> Journal:
        """Return an empty journal that lives as long as the object."""
        journal = cls(connected(":memory:"))
        journal._create()
        return journal

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Journal:
        """
        Open the journal, creating it when absent.

        Raises `NewerFormat`, `CorruptStore` when the file is no journal, `ProcessingError`
        (`not_writable`) when the disk is full or refuses.
        """
        try:
            if read_only:
                journal = cls(connected_read_only(path), read_only=True)
            else:
                journal = cls(connected(str(path)))
                journal._create()
            journal._check_format()
        except sqlite3.DatabaseError as error:
            raise not_opened(path, error) from None
        return journal

    def _create(self) -> None:
        with self._lock, self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
                return
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            meta = {"format": str(FORMAT_VERSION), "store_id": secrets.token_hex(6), "flushed": "0"}
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())

    def _check_format(self) -> None:
        found = int(self._meta("format"))
        if found > FORMAT_VERSION:
            raise NewerFormat(
                f"the base has format {found}, this version reads up to {FORMAT_VERSION}",
                hint="upgrade semantica-rdf",
            )

    def _meta(self, key: str) -> str:
        with self._lock:
            row = self._connection.execute(
                "SELECT value FROM meta WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            raise CorruptStore(f"the journal has no {key}", hint="restore a backup")
        value: str = row[0]
        return value

    @property
    def store_id(self) -> str:
        """The random token every id of this store carries."""
        return self._meta("store_id")

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._open_connection is None:
            raise StoreLocked(
                "this knowledge base is closed", code="closed", hint="open it again to go on"
            )
        return self._open_connection

    def append(self, row: JournalRow, commitments: list[Commitment], payload: bytes) -> None:
        """
        Write one transaction, durably, all of it or nothing.

        A large payload is compressed by a thread of its own while the commitments are written.
        Raises `ProcessingError` (`journal_write_failed`) when the disk refuses; nothing changed then.
        """
        sequence = row.sequence
        with (
            self._writing(f"transaction {sequence} was not recorded") as connection,
            _packed(payload) as chunks,
        ):
            connection.execute(f"INSERT INTO transactions VALUES ({'?,' * 9}?)", row)
            connection.executemany(
                "INSERT INTO commitments VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (sequence, position, *item.part, item.digest)
                    for position, item in enumerate(commitments)
                ),
            )
            connection.executemany(
                "INSERT INTO salts VALUES (?, ?, ?)",
                ((sequence, number, item.salt) for number, item in enumerate(commitments)),
            )
            connection.executemany(
                "INSERT INTO payloads VALUES (?, ?, ?)",
                ((sequence, number, data) for number, data in enumerate(chunks)),
            )

    @contextmanager
    def _writing(self, otherwise: str) -> Iterator[sqlite3.Connection]:
        """Run a block in one durable SQLite transaction; `otherwise` says what a failure means."""
        try:
            with self._lock, self._connection as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
        except sqlite3.Error as error:
            raise ProcessingError(
                f"{otherwise}: the journal says {error}",
                code="journal_write_failed",
                hint="make room and try again",
            ) from error

    def head(self) -> Head:
        """Return the end of the chain, sequence 0 for an empty one."""
        with self._lock:
            row = self._connection.execute(
                "SELECT sequence, hash FROM transactions ORDER BY sequence DESC LIMIT 1"
            ).fetchone()
        return Head(*row) if row else Head(0, GENESIS)

    def hash_at(self, sequence: int) -> bytes | None:
        """Return the hash of one transaction's row, which proves all before; None without it."""
        with self._lock:
            row = self._connection.execute(
                "SELECT hash FROM transactions WHERE sequence = ?", (sequence,)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def rows(self, since: int = 0) -> list[JournalRow]:
        """Return the rows after a sequence number, in order."""
        with self._lock:
            found = self._connection.execute(
                "SELECT * FROM transactions WHERE sequence > ? ORDER BY sequence", (since,)
            ).fetchall()
        return [JournalRow(*row) for row in found]

    def all_rows(self) -> list[JournalRow]:
        """Return every row, those under a number no transaction has included, in order."""
        with self._lock:
            found = self._connection.execute(
                "SELECT * FROM transactions ORDER BY sequence"
            ).fetchall()
        return [JournalRow(*row) for row in found]

    def commitments(self, sequence: int) -> list[Commitment]:
        """Return a transaction's commitments, in order."""
        with self._lock:
            found = self._connection.execute(
                "SELECT node_sequence, node_ordinal, part, digest, salt FROM commitments"
                " LEFT JOIN salts USING (sequence, position)"
                " WHERE sequence = ? ORDER BY position",
                (sequence,),
            ).fetchall()
        return [Commitment(PartKey(*row[:3]), row[3], row[4]) for row in found]

    def commitment_sequences(self) -> list[int]:
        """Return the sequence numbers that have commitments or salts."""
        with self._lock:
            found = self._connection.execute(
                "SELECT sequence FROM commitments UNION SELECT sequence FROM salts ORDER BY 1"
            ).fetchall()
        return [row[0] for row in found]

    def stray_salts(self) -> list[tuple[int, int]]:
        """Return (sequence, position) of salts that belong to no commitment."""
        with self._lock:
            return self._connection.execute(
                "SELECT sequence, position FROM salts EXCEPT SELECT sequence, position FROM commitments"
            ).fetchall()

    def pending(self) -> list[int]:
        """Return the sequence numbers whose payload still waits for a flush."""
        with self._lock:
            found = self._connection.execute(
                "SELECT DISTINCT sequence FROM payloads ORDER BY sequence"
            ).fetchall()
        return [row[0] for row in found]

    def payload(self, sequence: int) -> bytes:
        """Return a transaction's quads as N-Quads; raises `CorruptStore` when they do not unpack."""
        with self._lock:
            chunks = self._connection.execute(
                "SELECT data FROM payloads WHERE sequence = ? ORDER BY chunk", (sequence,)
            ).fetchall()
        try:
            return b"".join(_unpacked(chunk[0]) for chunk in chunks)
        except zlib.error as error:
            raise CorruptStore(
                f"the payload of transaction {sequence} is damaged: {error}", code="payload_damaged"
            ) from None

    def drop_payloads(self, up_to: int) -> None:
        """
        Forget payloads whose quads a store flush has made durable.

        Raises `ProcessingError` (`journal_write_failed`) when the disk refuses; they stay then.
        """
        with self._writing("the payloads were kept") as connection:
            connection.execute("DELETE FROM payloads WHERE sequence <= ?", (up_to,))
            connection.execute("UPDATE meta SET value = ? WHERE key = 'flushed'", (str(up_to),))

    def flushed(self) -> int:
        """Return the last transaction whose quads a store flush has made durable, 0 for none."""
        return int(self._meta("flushed"))

    def prefixes(self) -> dict[str, str]:
        """Return the prefixes the user bound."""
        with self._lock:
            return dict(self._connection.execute("SELECT prefix, iri FROM prefixes").fetchall())

    def bind_prefixes(self, prefixes: Mapping[str, str]) -> None:
        """
        Keep prefixes, in one write.

        Raises `ValidationError` (`read_only`), `ProcessingError` (`journal_write_failed`).
        """
        if self._read_only:
            raise ValidationError(
                "this knowledge base is open read-only",
                code="read_only",
                hint="open it for writing",
            )
        with self._writing("the prefixes were not kept") as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO prefixes VALUES (?, ?)", prefixes.items()
            )

    def close(self) -> None:
        """Fold the log into the file, if the disk lets us, and let go of it."""
        with self._lock:
            if not self._read_only:
                with suppress(sqlite3.OperationalError):
                    self._connection.execute("PRAGMA incremental_vacuum").fetchall()
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._connection.close()
            self._open_connection = None


_RAW, _DEFLATED = b"r", b"z"
_WORTH_COMPRESSING = 8192


@contextmanager
def _packed(payload: bytes) -> Iterator[Iterator[bytes]]:
    """Give the payload in chunks, each behind a mark of how it is packed."""
    if len(payload) < _WORTH_COMPRESSING:
        yield iter((_RAW + payload,))
        return
    with ThreadPoolExecutor(1, "journal-payload") as thread:
        starts = range(0, len(payload), CHUNK_BYTES)
        yield thread.map(lambda start: _deflated(payload[start : start + CHUNK_BYTES]), starts)


def _deflated(chunk: bytes) -> bytes:
    return _DEFLATED + zlib.compress(chunk, 1)


def _unpacked(chunk: bytes) -> bytes:
    return chunk[1:] if chunk[:1] == _RAW else zlib.decompress(chunk[1:])
