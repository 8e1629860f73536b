"""
Runs the code blocks of a Markdown file, in order: the story it tells must hold.

`python` blocks share one namespace; `console` blocks are commands behind `$ `, run by the shell
with this interpreter's scripts first on the path, and whatever output stands below a command must
come out, line by line (`…` stands for anything, alone or inside a line). Blocks of other languages
are not run. Needs nothing but the standard library and the package.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, text and the line it starts on."""

    language: str
    text: str
    line: int


def blocks(markdown: str) -> list[Block]:
    """Return the fenced blocks of a text."""
    return [
        Block(match.group(1), match.group(2), markdown.count("\n", 0, match.start()) + 2)
        for match in _BLOCK.finditer(markdown)
    ]


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block with the output lines that stand below it."""
    command, expected = "", []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, expected
            command, expected = line[2:], []
        elif command.endswith("\\"):
            command = command[:-1] + line.strip()
        else:
            expected.append(line)
    if command:
        yield command, expected


def fits(expected: str, actual: str) -> bool:
    """Tell whether a line of output is the expected one, `…` standing for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.rstrip().split("…"))
    return re.fullmatch(pattern, actual.rstrip()) is not None


def check_output(command: str, expected: list[str], actual: str) -> None:
    """Raise AssertionError when expected lines do not come out in order."""
    lines = iter(actual.splitlines())
    for want in expected:
        if want.strip() in {"", "…"}:
            continue
        if not any(fits(want, line) for line in lines):
            message = f"$ {command}\nmissing line: {want!r}\nin:\n{actual}"
            raise AssertionError(message)


def run_console(block: Block, where: str) -> None:
    """Run the commands of one console block in the current directory."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "120", "NO_COLOR": "1"}
    for command, expected in commands(block.text):
        done = subprocess.run(
            command,
            shell=True,
            text=True,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        refusal_expected = any("error[" in line for line in expected)
        if (done.returncode != 0) != refusal_expected:
            message = f"{where}:{block.line}: $ {command}\nexit {done.returncode}\n{done.stdout}"
            raise AssertionError(message)
        check_output(command, expected, done.stdout)


def run(markdown: str, where: str) -> int:
    """Run every python and console block in the current directory; return how many there were."""
    namespace: dict[str, object] = {"__name__": "story"}
    count = 0
    for block in blocks(markdown):
        if block.language == "python":
            source = "\n" * (block.line - 1) + block.text
            exec(compile(source, where, "exec"), namespace)
            count += 1
        elif block.language == "console":
            run_console(block, where)
            count += 1
    return count


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(f"{run(text, sys.argv[1])} blocks of {sys.argv[1]} ran")
        os.chdir("/")
