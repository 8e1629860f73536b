"""The rivals that need an environment of their own, made once below `benchmarks/.cache`."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from contests import Turn

TIRAMEMSU = "tiramemsu==0.7.0"
_SCRIPT = Path(__file__).with_name("tiramemsu_rival.py")
_VIEWS = Path(__file__).with_name("tiramemsu_views.py")


class Tiramemsu:
    """The bitemporal store `tiramemsu` in its own environment; `absent` says why it is not there."""

    def __init__(self, cache: Path, *, install: bool) -> None:
        self.absent = ""
        self._python = (
            cache / "tiramemsu" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        )
        if not install:
            self.absent = "left out"
        elif not self._works():
            self._install(cache)

    def _works(self) -> bool:
        if not self._python.exists():
            return False
        asked = [self._python, "-c", "import tiramemsu"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    def _install(self, cache: Path) -> None:
        cache.mkdir(exist_ok=True)
        (cache / ".gitignore").write_text("*\n", encoding="utf-8")
        venv.create(cache / "tiramemsu", with_pip=True)
        asked = [self._python, "-m", "pip", "install", "--quiet", TIRAMEMSU]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode:
            self.absent = "absent: it could not be installed"

    def bulk_add(self, path: Path, facts: int, *, form: str) -> float | None:
        """
        Return the seconds one bulk import of so many facts takes; None when absent.

        `form` is `sourced` or `bare`: with the source of each statement, or without.
        """
        if self.absent:
            return None
        asked = [self._python, str(_SCRIPT), str(path), str(facts), form]
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
        return float(done.stdout)

    def views(self, path: Path, facts: int) -> TiramemsuViews | None:
        """Return a database that holds the history of the views; None when absent."""
        if self.absent:
            return None
        return TiramemsuViews([str(self._python), str(_VIEWS), str(path), str(facts)])


class TiramemsuViews:
    """A tiramemsu database in its own process, which times itself; made by `Tiramemsu.views`."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._line()

    def asked(self, how: str, texts: Sequence[str], day: str) -> Turn:
        """Return its answers; `how` is `sparql` with queries, or `triples` with predicates."""
        assert self._process.stdin is not None
        question = {"how": how, "texts": list(texts), "valid_at": day}
        print(json.dumps(question), file=self._process.stdin, flush=True)
        told = json.loads(self._line())
        return Turn(told["seconds"], told["digests"])

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("tiramemsu ended; what it said stands above")
        return line

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
