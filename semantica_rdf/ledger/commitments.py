"""
Commitments: what a transaction swears it added for each node, without saying what it was.

A commitment is HMAC-SHA256 under a salt of its own over exactly the quads the transaction added
for one node, as sorted canonical N-Quads lines, its row's triple included (design, section 5). A
closing has one of its own, so have the agent and the free-text reason of a transaction. The root
is a Merkle root over all of a transaction's commitments, and each journal row's hash covers the
root and the hash before it. Deleting content together with its salt leaves the chain whole.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from semantica_rdf.model import vocab
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.scan import SplitLine, split_line

SALT_BYTES = 16

_LENGTH = struct.Struct(">Q")
_LEAF = struct.Struct(">QQB")

NODE = 0
CLOSING = 1
AGENT = 2
REASON = 3
PARTS = frozenset({NODE, CLOSING, AGENT, REASON})

_PART_OF_PREDICATE = {
    f"<{vocab.SUPERSEDED_AT}>": CLOSING,
    f"<{vocab.SUPERSEDED_BY}>": CLOSING,
    f"<{vocab.WAS_ASSOCIATED_WITH}>": AGENT,
    f"<{vocab.REASON}>": REASON,
}


class PartKey(NamedTuple):
    """A node and which part of its quads: the node itself, its closing, its agent, its reason."""

    sequence: int
    ordinal: int
    part: int


class Commitment(NamedTuple):
    """The digest a transaction keeps for one part; `salt` is None once purged."""

    part: PartKey
    digest: bytes
    salt: bytes | None


def sworn(lines: Iterable[str]) -> bytes:
    """Return what is committed to for a part: its lines, sorted, in whatever order they come."""
    return "".join(sorted(lines)).encode()


def digest_of(salt: bytes, lines: Iterable[str]) -> bytes:
    """Return the commitment over a part's lines."""
    return hmac.digest(salt, sworn(lines), "sha256")


def committed(parts: dict[PartKey, bytes]) -> list[Commitment]:
    """Return a commitment with a fresh salt for every part, given as `sworn`, in the order given."""
    salts = os.urandom(SALT_BYTES * len(parts))
    return [
        Commitment(part, hmac.digest(salt, content, "sha256"), salt)
        for number, (part, content) in enumerate(parts.items())
        if (salt := salts[number * SALT_BYTES : (number + 1) * SALT_BYTES])
    ]


def root_of(commitments: Sequence[Commitment]) -> bytes:
    """Return the Merkle root over part keys and digests (tree and prefixes as in RFC 9162)."""
    level = [hashlib.sha256(b"\x00" + _leaf(item)).digest() for item in commitments]
    if not level:
        return hashlib.sha256(b"").digest()
    while len(level) > 1:
        paired = [
            hashlib.sha256(b"\x01" + level[index] + level[index + 1]).digest()
            for index in range(0, len(level) - 1, 2)
        ]
        if len(level) % 2:
            paired.append(level[-1])
        level = paired
    return level[0]


def _leaf(item: Commitment) -> bytes:
    return _LEAF.pack(*item.part) + item.digest


def chained(previous: bytes, fields: Iterable[object]) -> bytes:
    """Return the hash of a journal row: SHA-256 over length-prefixed fields and the hash before."""
    parts = [field if isinstance(field, bytes) else str(field).encode() for field in fields]
    parts.append(previous)
    return hashlib.sha256(b"".join(_LENGTH.pack(len(part)) + part for part in parts)).digest()


class LineGroups:
    """N-Quads lines of a store, sorted into the parts commitments speak of."""

    def __init__(self, identity: Identity) -> None:
        self.foreign: list[str] = []
        self._identity = identity
        self._prefix = "<" + identity.prefix
        self._groups: dict[int, dict[str, list[str]]] = {part: {} for part in PARTS}

    def take(self, line: str, quad: SplitLine) -> None:
        """
        Add a line and its terms: to its row, if it stands in a row's graph, else to its subject.

        A line that belongs to no node of this store is foreign: no transaction can have written it.
        """
        if quad.graph.startswith(self._prefix):
            self._groups[NODE].setdefault(quad.graph, []).append(line)
        elif quad.subject.startswith(self._prefix):
            part = _PART_OF_PREDICATE.get(quad.predicate, NODE)
            self._groups[part].setdefault(quad.subject, []).append(line)
        else:
            self.foreign.append(line)

    def pop(self, part: PartKey) -> list[str]:
        """Return the lines of a part and forget them; none when nothing stands there."""
        node = f"{self._prefix}{part.sequence}-{part.ordinal}>"
        return self._groups[part.part].pop(node, [])

    def left(self) -> Iterator[PartKey]:
        """Return the parts nobody asked for; lines under an id nobody can mint turn foreign."""
        for part, groups in self._groups.items():
            for node, lines in groups.items():
                key = self._identity.key(node[1:-1])
                if key is None:
                    self.foreign.extend(lines)
                else:
                    yield PartKey(key.sequence, key.ordinal, part)


def payload_fits(quads: bytes, commitments: Iterable[Commitment], identity: Identity) -> bool:
    """Tell whether N-Quads are exactly what a transaction's commitments speak of."""
    groups = LineGroups(identity)
    for text in quads.decode().split("\n")[:-1]:
        groups.take(text + "\n", split_line(text + "\n"))
    for item in commitments:
        lines = groups.pop(item.part)
        if item.salt is not None and digest_of(item.salt, lines) != item.digest:
            return False
    return not any(groups.left()) and not groups.foreign
