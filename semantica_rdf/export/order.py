"""
Quads in one fixed order, each once, whatever order they came in.

The default graph comes first, then the graphs by name; inside, the order is that of the N-Quads
text, so a subject's quads stand together. More than fits comfortably in memory is sorted in runs,
kept as files in a folder the caller names and removed at the end.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count, groupby
from pathlib import Path

import pyoxigraph as ox

from semantica_rdf.errors import ProcessingError

RUN_BYTES = 16 * 1024 * 1024
"""How much text is held in memory at once when a folder for runs is given."""
FAN_IN = 32
"""How many runs are open at once; more are merged into longer ones first."""
PARSED_AT_ONCE = 1024 * 1024
"""How many bytes of lines become quads at once, one line more or less."""

_DEFAULT = ox.DefaultGraph()


def order_key(quad: ox.Quad) -> bytes:
    """
    Return the line quads are ordered by: the graph's name, a tab, then the quad.

    UTF-8 keeps the order of code points, so the order of bytes is that of the text.
    """
    graph = quad.graph_name
    return f"{'' if graph == _DEFAULT else graph}\t{quad}".encode()


def nquads_line(key: bytes) -> bytes:
    """Return the canonical N-Quads line of a key."""
    return key[key.index(b"\t") + 1 :] + b" .\n"


@contextmanager
def ordered(
    quads: Iterable[ox.Quad], *, folder: Path | None = None, run_bytes: int | None = None
) -> Iterator[Iterator[ox.Quad]]:
    """
    Give the quads in order, each once; the input is read to its end on entering.

    With a `folder`, runs of about `run_bytes` of text (`RUN_BYTES`) are kept there until the block
    ends; without one everything stays in memory. Raises `ProcessingError` (`write_failed`) for the folder.
    """
    keys = map(order_key, quads)
    with ordered_lines(keys, folder=folder, run_bytes=run_bytes) as lines:
        yield _quads_of(lines)


def _quads_of(keys: Iterator[bytes]) -> Iterator[ox.Quad]:
    for chunk in _chunks(map(nquads_line, keys)):
        yield from ox.parse(chunk, format=ox.RdfFormat.N_QUADS, lenient=True)


def _chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if size >= PARSED_AT_ONCE:
            yield b"".join(chunk)
            chunk, size = [], 0
    yield b"".join(chunk)


@contextmanager
def ordered_lines(
    lines: Iterable[bytes], *, folder: Path | None = None, run_bytes: int | None = None
) -> Iterator[Iterator[bytes]]:
    """
    Give lines without a line feed in order, each once; arguments and errors as for `ordered`.

    >>> with ordered_lines([b"b", b"a", b"b"]) as lines:
    ...     list(lines)
    [b'a', b'b']
    """
    if folder is None:
        yield iter(sorted(set(lines)))
        return
    with ExitStack() as stack:
        runs = _Runs(folder, stack)
        run: set[bytes] = set()
        size, full = 0, RUN_BYTES if run_bytes is None else run_bytes
        for line in lines:
            if line not in run:
                run.add(line)
                size += len(line)
            if size >= full:
                runs.keep(sorted(run))
                run, size = set(), 0
        last = sorted(run)
        del run
        yield runs.merged(last)


class _Runs:
    """Sorted runs in files of one folder, which is made when the first is kept."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._beside = folder
        self._stack = stack
        self._folder: Path | None = None
        self._names = count()
        self._levels: list[list[Path]] = [[]]

    def keep(self, lines: Iterable[bytes], level: int = 0) -> None:
        """Keep a run; a level that is full becomes one run of the next."""
        path = self._path()
        with self._told(), path.open("wb") as file:
            file.writelines(line + b"\n" for line in lines)
        if level == len(self._levels):
            self._levels.append([])
        runs = self._levels[level]
        runs.append(path)
        if len(runs) == FAN_IN:
            with ExitStack() as stack:
                self.keep(_merged([self._read(run, stack) for run in runs]), level + 1)
            for run in runs:
                run.unlink()
            runs.clear()

    def merged(self, last: list[bytes]) -> Iterator[bytes]:
        """Return all lines kept, and the last ones, in order, each once."""
        runs = [run for level in self._levels for run in level]
        if not runs:
            return iter(last)
        return _merged([*(self._read(run, self._stack) for run in runs), last])

    def _path(self) -> Path:
        if self._folder is None:
            with self._told():
                made = tempfile.TemporaryDirectory(prefix=".export-", dir=self._beside)
            self._folder = Path(self._stack.enter_context(made))
        return self._folder / f"{next(self._names)}.lines"

    def _read(self, path: Path, stack: ExitStack) -> Iterator[bytes]:
        with self._told():
            file = stack.enter_context(path.open("rb"))
        return (line[:-1] for line in file)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ProcessingError(
                f"an export cannot be sorted in {self._beside}: {error.strerror or error}",
                code="write_failed",
                hint="it needs about the room of its N-Quads there",
            ) from error


def _merged(sources: list[Iterable[bytes]]) -> Iterator[bytes]:
    return (line for line, _ in groupby(heapq.merge(*sources)))


__all__ = [
    "FAN_IN",
    "PARSED_AT_ONCE",
    "RUN_BYTES",
    "nquads_line",
    "order_key",
    "ordered",
    "ordered_lines",
]
