"""
Quads in one fixed order, each once, whatever order they came in.

The default graph comes first, then the graphs by name; inside, the order is that of the N-Quads
text, so a subject's quads stand together. More quads than fit comfortably in memory are sorted
in runs, kept as files in a folder the caller names and removed at the end.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from pathlib import Path

import pyoxigraph as ox

RUN_LENGTH = 250_000
"""How many quads are held in memory at once when a folder for runs is given."""

_DEFAULT = ox.DefaultGraph()
_KEY = itemgetter(0)


def order_key(quad: ox.Quad) -> str:
    """Return the text quads are ordered by: the graph's name, then the quad."""
    graph = quad.graph_name
    return f"\n{quad}" if graph == _DEFAULT else f"{graph}\n{quad}"


@contextmanager
def ordered(
    quads: Iterable[ox.Quad], *, folder: Path | None = None, run_length: int = RUN_LENGTH
) -> Iterator[Iterator[ox.Quad]]:
    """
    Give the quads in order, each once; the input is read to its end on entering.

    With a `folder`, runs of `run_length` quads are kept there until the block ends; without one
    everything stays in memory.
    """
    if folder is None:
        yield iter(_in_order({order_key(quad): quad for quad in quads}))
        return
    with ExitStack() as stack:
        runs: list[Path] = []
        run: dict[str, ox.Quad] = {}
        for quad in quads:
            run[order_key(quad)] = quad
            if len(run) >= run_length:
                if not runs:
                    place = tempfile.TemporaryDirectory(prefix=".export-", dir=folder)
                    folder = Path(stack.enter_context(place))
                runs.append(_kept(run, folder / f"{len(runs)}.nq"))
                run = {}
        last = _in_order(run)
        yield iter(last) if not runs else _merged(runs, last)


def _in_order(run: dict[str, ox.Quad]) -> list[ox.Quad]:
    return [run[key] for key in sorted(run)]


def _kept(run: dict[str, ox.Quad], path: Path) -> Path:
    ox.serialize(_in_order(run), str(path), ox.RdfFormat.N_QUADS)
    return path


def _merged(runs: list[Path], last: list[ox.Quad]) -> Iterator[ox.Quad]:
    sources: list[Iterable[ox.Quad]] = [
        ox.parse(path=str(path), format=ox.RdfFormat.N_QUADS) for path in runs
    ]
    sources.append(last)
    keyed = [((order_key(quad), quad) for quad in source) for source in sources]
    previous = None
    for key, quad in heapq.merge(*keyed, key=_KEY):
        if key != previous:
            yield quad
        previous = key


__all__ = ["RUN_LENGTH", "order_key", "ordered"]
