"""
Completion scripts for bash, zsh and fish, written out of the command tree.

A script holds every command and option by itself: pressing Tab starts no program, reads no base
and opens no connection. It has to be written again after an upgrade that brings new commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

PROGRAMS = ("semantica-rdf", "srdf")


class Option(NamedTuple):
    """An option: its names, what help says, whether a value follows, and the values there are."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]


class Command(NamedTuple):
    """A command: its words (none for the program itself), what help says, options, commands below."""

    words: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    below: tuple[Command, ...]

    @property
    def path(self) -> str:
        """The words with blanks between them."""
        return " ".join(self.words)

    def all(self) -> Iterator[Command]:
        """Yield the command and every one below it."""
        yield self
        for command in self.below:
            yield from command.all()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _choices(root: Command) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield `command:--option`, as the scripts ask for it, with its values."""
    for command in root.all():
        for option in command.options:
            for name in option.names:
                if option.choices:
                    yield f"{command.path}:{name}", option.choices


def _takers(root: Command) -> str:
    """Return the options before the command that take a value, as a pattern of the shell."""
    names = (name for option in root.options if option.takes_value for name in option.names)
    return "|".join(names)


def _steps(root: Command) -> Iterator[tuple[str, str]]:
    """Yield `before word`, as the scripts walk along the line, and the command that then is meant."""
    for command in root.all():
        if command.words:
            yield f"{' '.join(command.words[:-1])} {command.words[-1]}", command.path


def bash(root: Command) -> str:
    """Return the script for bash."""
    steps = (
        f"            {_quoted(step)}) command={_quoted(path)} ;;" for step, path in _steps(root)
    )
    choices = (
        f"        {_quoted(place)}) words={_quoted(' '.join(values))} ;;"
        for place, values in _choices(root)
    )
    lists = (
        f"            {_quoted(command.path)}) {_if_option(command, '$current')}"
        f"words={_quoted(' '.join(_words(command)))} ;;"
        for command in root.all()
    )
    return _lines(
        _HEAD.format(name="bash"),
        "_semantica_rdf() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" command="" words="" index',
        "    COMPREPLY=()",
        "    for ((index = 1; index < COMP_CWORD; index++)); do",
        f'        case "${{COMP_WORDS[index-1]}}" in {_takers(root)}) continue ;; esac',
        '        case "$command ${COMP_WORDS[index]}" in',
        *steps,
        "        esac",
        "    done",
        '    case "$command:${COMP_WORDS[COMP_CWORD-1]}" in',
        *choices,
        "    esac",
        "    if [[ -z $words ]]; then",
        '        case "$command" in',
        *lists,
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        f"complete -o default -F _semantica_rdf {' '.join(PROGRAMS)}",
    )


def zsh(root: Command) -> str:
    """Return the script for zsh: a file for a folder of its `fpath`."""
    steps = (f"        ({_quoted(step)}) command={_quoted(path)} ;;" for step, path in _steps(root))
    choices = (
        f"    ({_quoted(place)}) compadd -- {' '.join(values)}; return ;;"
        for place, values in _choices(root)
    )
    lists = (
        f"    ({_quoted(command.path)}) {_if_option(command, '${words[CURRENT]}')}"
        f"found=({' '.join(_described(command))}) ;;"
        for command in root.all()
    )
    return _lines(
        f"#compdef {' '.join(PROGRAMS)}",
        _HEAD.format(name="zsh"),
        'local command=""',
        "local -a found",
        "local -i index",
        "for ((index = 2; index < CURRENT; index++)); do",
        f'    case "${{words[index-1]}}" in ({_takers(root)}) continue ;; esac',
        '    case "$command ${words[index]}" in',
        *steps,
        "    esac",
        "done",
        'case "$command:${words[CURRENT-1]}" in',
        *choices,
        "esac",
        'case "$command" in',
        *lists,
        "esac",
        "_describe semantica-rdf found || _files",
    )


def fish(root: Command) -> str:
    """Return the script for fish."""
    lines = [_HEAD.format(name="fish")]
    for command in root.all():
        here = _fish_condition(command)
        lines += [
            f"complete -c {PROGRAMS[0]} -n {_quoted(here)} -f "
            f"-a {_quoted(below.words[-1])} -d {_quoted(below.help)}"
            for below in command.below
        ]
        inside = here if command.words else "__fish_use_subcommand"
        for option in command.options:
            names = " ".join(_fish_name(name) for name in option.names)
            value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r"
            lines.append(
                f"complete -c {PROGRAMS[0]} -n {_quoted(inside)} {names}"
                f"{value if option.takes_value else ''} -d {_quoted(option.help)}"
            )
    lines += [f"complete -c {program} -w {PROGRAMS[0]}" for program in PROGRAMS[1:]]
    return _lines(*lines)


def _fish_name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _fish_condition(command: Command) -> str:
    if not command.words:
        return "__fish_use_subcommand"
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.words)
    if not command.below:
        return seen
    inner = " ".join(below.words[-1] for below in command.below)
    return f"{seen}; and not __fish_seen_subcommand_from {inner}"


def _if_option(command: Command, word: str) -> str:
    """Return the condition under which options are offered: elsewhere files are, unless a command is due."""
    return "" if command.below else f"[[ {word} == -* ]] && "


def _words(command: Command) -> Iterator[str]:
    yield from (below.words[-1] for below in command.below)
    yield from (name for option in command.options for name in option.names)


def _described(command: Command) -> Iterator[str]:
    for below in command.below:
        yield _quoted(f"{below.words[-1]}:{below.help}")
    for option in command.options:
        yield from (_quoted(f"{name}:{option.help}") for name in option.names)


def _lines(*lines: str | Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


_HEAD = "# Completion of semantica-rdf and srdf, written by: semantica-rdf completion {name}"

SCRIPTS: dict[str, Callable[[Command], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""What writes the script of each shell."""
