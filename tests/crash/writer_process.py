"""
A process made to be killed: opens a base and tells the story, one line per acknowledged commit.

Lines on standard output: `opening`, `opened`, then `{"sequence": …, "digest": …}` after each
commit has returned. With `--die-at POINT N` it kills itself at the N-th passing of a point of the
write path; with `--only-open` it ends after opening.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from collections.abc import Callable
from typing import Any

from story import BULK_BYTES, WHO, Story

from semantica_rdf import KnowledgeBase
from semantica_rdf.ledger import ledger as ledger_module
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.store import embedded
from semantica_rdf.store.embedded import RdfStore

POINTS: dict[str, tuple[type, str, str]] = {
    "before-journal": (Journal, "append", "before"),
    "after-journal": (Journal, "append", "after"),
    "after-store": (RdfStore, "add", "after"),
    "before-flush": (RdfStore, "flush", "before"),
    "after-flush": (RdfStore, "flush", "after"),
    "after-payloads": (Journal, "drop_payloads", "after"),
    "journal-made": (Journal, "_create", "after"),
}
FLUSH_TRANSACTIONS = 5
"""Few, so that flushes fall among the commits."""


def arm(point: str, countdown: int) -> None:
    """Let the process kill itself at the `countdown`-th passing of a point."""
    owner, name, when = POINTS[point]
    original: Callable[..., Any] = getattr(owner, name)
    left = countdown

    def armed(*args: Any, **kwargs: Any) -> Any:
        nonlocal left
        left -= 1
        if not left and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = original(*args, **kwargs)
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, armed)


def say(text: str) -> None:
    """Write one line at once."""
    os.write(1, (text + "\n").encode())


def main() -> None:
    """Open, and commit until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--only-open", action="store_true")
    parser.add_argument("--bulk-every", type=int, required=True)
    parser.add_argument("--bulk-statements", type=int, required=True)
    parser.add_argument("--die-at", nargs=2, metavar=("POINT", "N"))
    given = parser.parse_args()
    embedded.BULK_BYTES = BULK_BYTES
    ledger_module.FLUSH_TRANSACTIONS = FLUSH_TRANSACTIONS
    if given.die_at:
        arm(given.die_at[0], int(given.die_at[1]))
    story = Story(given.bulk_every, given.bulk_statements)
    say("opening")
    base = KnowledgeBase.open(given.directory, **WHO)
    say("opened")
    while not given.only_open:
        sequence, digest = story.write(base)
        say(json.dumps({"sequence": sequence, "digest": digest}))


if __name__ == "__main__":
    main()
