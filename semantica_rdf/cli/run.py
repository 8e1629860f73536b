"""
Running one command: from arguments to an exit code, with errors told on stderr.

Exit codes derive from the tree of errors: 0 ok, 1 the answer is no, 2 usage, 3 refused, 4 not
found, 6 broken, 75 locked. An error of this package never shows a traceback. Ctrl-C ends any
command at once: a query cannot be interrupted otherwise, and a base survives being killed. So
does a reader that goes away, such as `head`.
"""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import typer

from semantica_rdf.cli.app import app
from semantica_rdf.cli.failures import tell, tell_usage
from semantica_rdf.errors import SemanticaError

PROGRAM = "semantica-rdf"
USAGE = 2

_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main() -> None:
    """Run the command the process was started with, and exit with its code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command in this process and return its exit code."""
    as_json = _asks_for_json(arguments)
    try:
        outcome = _command().main(args=list(arguments), prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except SemanticaError as error:
        tell(error, as_json=as_json)
        return error.exit_code
    except _UsageError as error:
        tell_usage(error, as_json=as_json)
        return USAGE
    return outcome if isinstance(outcome, int) else 0


def _asks_for_json(arguments: Sequence[str]) -> bool:
    pairs = pairwise([*arguments, ""])
    given = {"--json", "--format=json"} & set(arguments)
    return bool(given) or ("--format", "json") in pairs


@cache
def _command() -> Any:
    return typer.main.get_command(app)
