"""`completion`: prints the completion script of a shell, or puts it where the shell looks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer

from semantica_rdf.cli.output import Output
from semantica_rdf.cli.shells import PROGRAMS, SCRIPTS, Command, Option
from semantica_rdf.errors import ProcessingError


class Shell(StrEnum):
    """The shells there is a completion for."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
    *,
    install: Annotated[
        bool,
        typer.Option("--install", metavar="", help="Put it where the shell looks for it."),
    ] = False,
) -> None:
    """Print a script that completes commands and options on Tab, or install it."""
    output = Output()
    script = SCRIPTS[shell.value](command_tree())
    if not install:
        output.document(script)
        return
    for path in places(shell.value, os.environ):
        _write(path, script)
        output.line(f"Wrote {path}.")
    output.line(_NEXT[shell.value])


_NEXT = {
    "bash": "It works in new shells that load the package bash-completion.",
    "zsh": "Put before compinit in ~/.zshrc: fpath+=(~/.zfunc)",
    "fish": "It works in new shells.",
}


def places(shell: str, environment: Any) -> list[Path]:
    """Return the files a shell reads a user's completions from, one per name of the program."""
    home = Path(environment.get("HOME") or Path.home())
    if shell == "zsh":
        return [Path(environment.get("ZDOTDIR") or home) / ".zfunc" / f"_{PROGRAMS[0]}"]
    if shell == "fish":
        config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
        return [config / "fish" / "completions" / f"{program}.fish" for program in PROGRAMS]
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return [data / "bash-completion" / "completions" / program for program in PROGRAMS]


def _write(path: Path, script: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, encoding="utf-8")
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}"
        raise ProcessingError(message, code="not_writable") from None


def command_tree() -> Command:
    """Return the program with its commands and options, as help shows them."""
    from semantica_rdf.cli.app import app

    return _command((), typer.main.get_command(app))


def _command(words: tuple[str, ...], found: Any) -> Command:
    kinds = get_type_hints(found.callback)
    options = [
        _option(item, kinds.get(item.name))
        for item in found.params
        if item.param_type_name == "option"
    ]
    below = getattr(found, "commands", {})
    return Command(
        words,
        _first_line(found.get_short_help_str(limit=200)),
        (*options, Option(("--help", "-h"), "Show help and exit.", False, ())),
        tuple(_command((*words, name), command) for name, command in below.items()),
    )


def _option(found: Any, kind: Any) -> Option:
    names = tuple(sorted(found.opts, key=len, reverse=True))
    return Option(
        names,
        _first_line(found.help or ""),
        not (found.is_flag or found.count),
        tuple(_choices(kind)),
    )


def _choices(kind: Any) -> Iterator[str]:
    """Yield the values of the enumeration that an option's type is, or is made of."""
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        yield from kind
    for part in get_args(kind):
        yield from _choices(part)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
