"""
The demo: runs the commands of `demo/story.toml` one after the other and shows them as typed.

What is printed below a command is what it printed. The folder it writes is its own: it takes no
folder that holds anything else, and with `--force` removes only what an earlier demo wrote.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from semantica_rdf.cli.output import Output, shown_to_people
from semantica_rdf.errors import ProcessingError, ValidationError

DATA = Path(__file__).resolve().parent.parent / "demo"
FILES = (
    "disagreements.rq",
    "hr.csv",
    "hr.toml",
    "people.ttl",
    "register.csv",
    "register.toml",
)
_WRITTEN = frozenset({*FILES, "kb", "record.ttl", "record.jsonld"})
_CONTINUED = "\\\n"


def tell_story(folder: Path, *, force: bool, run: Callable[[Sequence[str]], int]) -> int:
    """
    Write the demo's files into a new folder, run its commands, show everything.

    Returns the exit code of the first command that failed, 0 when none did. Raises
    `ValidationError` (`demo_exists`), `ProcessingError` (`not_writable`).
    """
    _prepare(folder, force=force)
    story = tomllib.loads((DATA / "story.toml").read_text(encoding="utf-8"))
    output = Output()
    token = shown_to_people.set(True)
    try:
        for scene in story["scene"]:
            output.line()
            _say(scene, folder, output)
            for command in _commands(scene, folder):
                output.line()
                _show(command, output)
                code = run(shlex.split(command.replace(_CONTINUED, " "))[1:])
                if code:
                    return code
    finally:
        shown_to_people.reset(token)
    output.line()
    _say(story["next"], folder, output)
    for command in _commands(story["next"], folder):
        _show(command, output)
    scripts = Path(sys.executable).parent
    if shutil.which("semantica-rdf") is None and (scripts / "activate").exists():
        output.line()
        output.line(f"First activate the environment: source {os.path.relpath(scripts)}/activate")
    return 0


def _prepare(folder: Path, *, force: bool) -> None:
    if folder.exists():
        held = {item.name for item in folder.iterdir()} if folder.is_dir() else {folder.name}
        if not force or not folder.is_dir() or held - _WRITTEN:
            raise ValidationError(
                f"{folder} exists already",
                code="demo_exists",
                hint="--path DIR writes elsewhere"
                if force
                else "--force writes over an earlier demo, --path DIR writes elsewhere",
            )
        shutil.rmtree(folder)
    try:
        folder.mkdir(parents=True)
        for name in FILES:
            shutil.copyfile(DATA / name, folder / name)
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror}"
        raise ProcessingError(message, code="not_writable") from None


def _say(scene: dict[str, Any], folder: Path, output: Output) -> None:
    for line in scene["say"].strip().splitlines():
        output.line(line.replace("{dir}", folder.as_posix()))


def _commands(scene: dict[str, Any], folder: Path) -> list[str]:
    name = shlex.quote(folder.as_posix())
    return [command.replace("{dir}", name) for command in scene["run"]]


def _show(command: str, output: Output) -> None:
    """Print a command as it is typed; on one line where the shell knows no continuation."""
    if sys.platform == "win32":
        command = " ".join(part.strip() for part in command.split(_CONTINUED))
    first, *rest = command.splitlines()
    output.line(f"$ {first}")
    for line in rest:
        output.line(line)
