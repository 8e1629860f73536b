"""
Unpacking gzip: as much as the limits allow, in small steps, all of it or an error.

An archive may have several members, as concatenated files have. One that unpacks to more than the
size limit, or to more than `MAX_RATIO` times itself, is refused as soon as that shows. What follows
the last member and is not padding is refused: it would be lost.
"""

from __future__ import annotations

import io
import mmap
import zlib
from collections.abc import Iterator

from semantica_rdf.errors import ValidationError

GZIP_START = b"\x1f\x8b"
"""What every gzip member begins with."""
MAX_RATIO = 100
"""How many times its own size an archive may unpack to; text seldom reaches 30."""

_FREE_BYTES = 8 * 1024 * 1024
_STEP = 64 * 1024
_GZIP_WINDOW = 31


def unpacked(data: bytes | mmap.mmap, name: str, *, max_bytes: int) -> bytes:
    """
    Return what a gzip archive holds.

    Raises `ValidationError`: `too_large` (more than `max_bytes`, or `MAX_RATIO` times the archive
    beyond 8 MiB), `bad_archive` (damaged, cut short, something behind its end).
    """
    allowed = min(max_bytes, max(_FREE_BYTES, MAX_RATIO * len(data)))
    content = io.BytesIO()
    for part in _parts(data, name):
        content.write(part)
        if content.tell() > allowed:
            raise _too_much(name, allowed, max_bytes)
    return content.getvalue()


def _parts(data: bytes | mmap.mmap, name: str) -> Iterator[bytes]:
    """Yield the content of all members in parts of at most `_STEP` bytes."""
    at = 0
    while at < len(data):
        if data[at : at + 2] != GZIP_START:
            _refuse_leftover(data, at, name)
            return
        member = zlib.decompressobj(wbits=_GZIP_WINDOW)
        while not member.eof:
            piece = member.unconsumed_tail or data[at : at + _STEP]
            at += 0 if member.unconsumed_tail else len(piece)
            try:
                part = member.decompress(piece, _STEP)
            except zlib.error as error:
                raise _bad(name, f"is damaged: {error}") from None
            if not piece and not part and not member.eof:
                raise _bad(name, "is cut short")
            yield part
        at -= len(member.unused_data)


def _refuse_leftover(data: bytes | mmap.mmap, at: int, name: str) -> None:
    while at < len(data):
        if data[at : at + _STEP].strip(b"\0"):
            raise _bad(name, "goes on behind its end with what is no gzip")
        at += _STEP


def _bad(name: str, what: str) -> ValidationError:
    return ValidationError(
        f"{name or 'the archive'} {what}",
        code="bad_archive",
        hint="fetch it again, or unpack it first",
    )


def _too_much(name: str, allowed: int, max_bytes: int) -> ValidationError:
    what = name or "the archive"
    if allowed == max_bytes:
        return ValidationError(
            f"{what} unpacks to more than {max_bytes:,} bytes",
            code="too_large",
            hint="split it, or raise the limit with max_bytes=",
        )
    return ValidationError(
        f"{what} unpacks to more than {MAX_RATIO} times its size",
        code="too_large",
        hint="unpack it first, if it is meant to be so",
    )


__all__ = ["GZIP_START", "MAX_RATIO", "unpacked"]
