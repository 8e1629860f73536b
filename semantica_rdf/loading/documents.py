"""
Opening what a caller hands to `load`: a path, an open file, bytes.

A `Document` is bytes, in memory or mapped from the file, unpacked where they are gzip, without byte
order mark, within the size limit. Nothing here follows a name found inside a document: no socket,
no second file.
"""

from __future__ import annotations

import gzip
import io
import mmap
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.loading.archives import GZIP_START, unpacked
from semantica_rdf.model.terms import shortened

DEFAULT_MAX_BYTES = 1024**3
"""The largest document taken unless the caller says otherwise: 1 GiB."""

_PACKED = ".gz"
_BOM = b"\xef\xbb\xbf"
_FOREIGN_STARTS = (
    (re.compile(rb"\xff\xfe|\xfe\xff"), "UTF-16", "save it as UTF-8"),
    (re.compile(rb"PK\x03\x04"), "a zip archive", "unpack it first"),
    (re.compile(rb"BZh[1-9]1AY&SY"), "a bzip2 archive", "unpack it first, or pack it with gzip"),
    (re.compile(rb"\xfd7zXZ\0"), "an xz archive", "unpack it first, or pack it with gzip"),
    (re.compile(rb"\x28\xb5\x2f\xfd"), "a zstd archive", "unpack it first, or pack it with gzip"),
    (re.compile(rb"PAR1\x15"), "a Parquet file", "load pyarrow.parquet.read_table(path)"),
    (re.compile(rb"ARROW1\0\0"), "an Arrow file", "load pyarrow.ipc.open_file(path).read_all()"),
)


@dataclass(frozen=True, slots=True)
class Document:
    """The bytes of a document behind its byte order mark, and a name for messages."""

    data: bytes | mmap.mmap
    name: str
    suffix: str = ""
    start: int = 0

    def stream(self) -> IO[bytes]:
        """Return a binary file over the content, at its beginning."""
        stream: Any = io.BytesIO(self.data) if isinstance(self.data, bytes) else self.data
        stream.seek(self.start)
        return stream  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        """Bytes of content."""
        return len(self.data) - self.start

    def line_at(self, offset: int) -> int:
        """Return the line, from 1, of a byte offset into `data`."""
        lines, at = 1, 0
        while at < offset:
            part = self.data[at : min(at + (1 << 20), offset)]
            lines += part.count(b"\n")
            at += len(part)
        return lines


@contextmanager
def opened(source: Any, *, max_bytes: int) -> Iterator[Document]:
    """
    Open a document for the length of a `with` block.

    Gzip is told by its first bytes; the suffix before `.gz` is then the document's. Raises
    `NotFound`, `ValidationError`: `not_a_file`, `too_large`, `bad_archive`, `bad_encoding`,
    `unsupported_document`.
    """
    if isinstance(source, str | Path):
        with _mapped(Path(source), max_bytes) as (data, path):
            if path.suffix.lower() == _PACKED and data[:2] != GZIP_START:
                raise _bad_archive(f"{path.name} is no gzip archive")
            yield _document(data, path.name, max_bytes)
        return
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
        _limit(len(data), max_bytes, "the document")
        yield _document(data, "", max_bytes)
        return
    read = getattr(source, "read", None)
    if not callable(read):
        raise ValidationError(
            f"{type(source).__name__} is no document",
            code="unsupported_document",
            hint="give a path, an open file, bytes, an rdflib graph, a pandas or Arrow table",
        )
    given = getattr(source, "name", "")
    name = Path(given).name if isinstance(given, str) else ""
    yield _document(_read_whole(source, max_bytes, name), name, max_bytes)


@contextmanager
def _mapped(path: Path, max_bytes: int) -> Iterator[tuple[bytes | mmap.mmap, Path]]:
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(
            f"no file {shortened(str(path), 200)}",
            code="no_file",
            hint="text goes in as bytes, with format=",
        ) from None
    except IsADirectoryError:
        raise ValidationError(f"{path} is a directory", code="not_a_file") from None
    except (OSError, ValueError) as error:
        raise ValidationError(
            f"{shortened(str(path), 200)} does not open: {error}", code="not_a_file"
        ) from None
    with file:
        size = file.seek(0, io.SEEK_END)
        _limit(size, max_bytes, path.name)
        if size == 0:
            yield b"", path
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data, path


def _read_whole(source: Any, max_bytes: int, name: str) -> bytes:
    try:
        content = source.read(max_bytes + 1)
    except UnicodeDecodeError as error:
        raise ValidationError(
            f"{name or 'the document'} is not {error.encoding}: byte {error.start}",
            code="bad_encoding",
            hint="open it in binary mode",
        ) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _bad_archive(f"{name or 'the document'} is damaged: {error}") from None
    if isinstance(content, str):
        try:
            content = content.encode()
        except UnicodeEncodeError as error:
            raise ValidationError(
                f"the text holds a lone surrogate at character {error.start}",
                code="bad_encoding",
            ) from None
    _limit(len(content), max_bytes, name or "the document")
    return bytes(content)


def _limit(size: int, max_bytes: int, name: str) -> None:
    if size > max_bytes:
        raise ValidationError(
            f"{name} is larger than {max_bytes:,} bytes",
            code="too_large",
            hint="split it, or raise the limit with max_bytes=",
        )


def _document(data: bytes | mmap.mmap, name: str, max_bytes: int) -> Document:
    """Return the document of these bytes, unpacked; `.gz` is no part of its suffix."""
    plain = name[: -len(_PACKED)] if name.lower().endswith(_PACKED) else name
    if data[:2] == GZIP_START:
        data = unpacked(data, name, max_bytes=max_bytes)
        if data[:2] == GZIP_START:
            raise _bad_archive(f"{name or 'the archive'} holds another gzip archive")
    return _checked(data, name, Path(plain).suffix)


def _bad_archive(message: str) -> ValidationError:
    return ValidationError(message, code="bad_archive", hint="unpack it first, or fetch it again")


def _checked(data: bytes | mmap.mmap, name: str, suffix: str) -> Document:
    for start, what, hint in _FOREIGN_STARTS:
        if start.match(data[:16]):
            raise ValidationError(
                f"{name or 'the document'} is {what}", code="bad_encoding", hint=hint
            )
    return Document(data, name, suffix.lower(), len(_BOM) if data[:3] == _BOM else 0)


__all__ = ["DEFAULT_MAX_BYTES", "Document", "opened"]
