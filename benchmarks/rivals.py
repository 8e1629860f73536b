"""The rivals that need an environment of their own, made once below `benchmarks/.cache`."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

TIRAMEMSU = "tiramemsu==0.7.0"
_SCRIPT = Path(__file__).with_name("tiramemsu_rival.py")


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
