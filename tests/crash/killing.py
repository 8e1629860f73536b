"""Starting the writer process, killing it at a random moment, and cutting logs as a power cut does."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from crash.story import Story

_WRITER = Path(__file__).with_name("writer_process.py")
_ROOT = Path(__file__).parents[2]


class Writer:
    """One writer process and what it has acknowledged so far, by sequence number."""

    def __init__(self, directory: Path, story: Story, *options: str) -> None:
        self.acknowledged: dict[int, str] = {}
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [
                sys.executable, str(_WRITER), str(directory),
                "--bulk-every", str(story.bulk_every),
                "--bulk-statements", str(story.bulk_statements), *options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )  # fmt: skip

    def read(self) -> bool:
        """Take in one line of the writer's; False when there is none any more."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line.startswith(b"{") and line.endswith(b"\n"):
            said = json.loads(line)
            self.acknowledged[said["sequence"]] = said["digest"]
        return bool(line)

    def kill(self) -> None:
        """Kill it with SIGKILL, and take in what it had said before."""
        self._process.kill()
        self._drain()

    def wait(self) -> None:
        """Let it come to its end, whichever that is."""
        self._drain()

    def _drain(self) -> None:
        while self.read():
            pass
        assert self._process.stderr is not None
        complaint = self._process.stderr.read().decode()
        self._process.stdout.close()  # type: ignore[union-attr]
        self._process.stderr.close()
        self._process.wait()
        assert not complaint, complaint

    @property
    def was_killed(self) -> bool:
        """Whether SIGKILL ended it."""
        return self._process.returncode == -signal.SIGKILL


def spin(seconds: float) -> None:
    """Keep the processor busy: sleeping would wake at the scheduler's moments, not at random ones."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def killed_at_random(directory: Path, story: Story, chance: random.Random) -> dict[int, str]:
    """Run a writer, kill it after some commits and a random while; return what it acknowledged."""
    writer = Writer(directory, story)
    wanted = chance.randint(0, 2 * story.bulk_every)
    for _ in range(2 + wanted):
        assert writer.read(), "the writer ended by itself"
    spin(chance.choice([0.0, chance.uniform(0, 0.003), chance.uniform(0, 0.3)]))
    writer.kill()
    assert writer.was_killed
    return writer.acknowledged


def killed_while_opening(directory: Path, story: Story, chance: random.Random) -> None:
    """Open the base in a process and kill it somewhere on the way."""
    writer = Writer(directory, story, "--only-open")
    assert writer.read()
    spin(chance.uniform(0, 0.1))
    writer.kill()


def cut_logs(directory: Path, chance: random.Random) -> int:
    """Cut the store's logs to zero or at a random byte, as a power cut does; return bytes cut off."""
    gone = 0
    for log in (directory / "store").glob("*.log"):
        size = log.stat().st_size
        keep = chance.choice([0, chance.randint(0, size)])
        os.truncate(log, keep)
        gone += size - keep
    return gone
