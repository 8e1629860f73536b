"""
Garbage collection, paused while a bulk commit is computed.

A large commit makes millions of values that all live until it ends. Python's collector of cycles
walks them again and again and finds nothing: a quarter of the time that encoding takes. Reference
counting goes on as ever. The pause is the process's, shared by threads, and ends with the last of them.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

BULK_STATEMENTS = 10_000
"""From this many new statements on, a commit is worth a pause."""

_lock = threading.Lock()
_pauses: list[bool] = []
"""One entry for every pause under way; the first says whether the collector ran before them."""


@contextmanager
def collection_paused(statements: int) -> Iterator[None]:
    """Pause the collector of cycles for a block that makes `statements` new ones, if they are many."""
    if statements < BULK_STATEMENTS:
        yield
        return
    with _lock:
        _pauses.append(_pauses[0] if _pauses else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _pauses.pop() and not _pauses:
                gc.enable()


__all__ = ["BULK_STATEMENTS", "collection_paused"]
