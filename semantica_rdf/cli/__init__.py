"""
The command line, `semantica-rdf` and `srdf`: translates, and decides nothing.

Arguments become calls of `KnowledgeBase`, answers become tables or JSON, errors become a line on
stderr and an exit code. Commands import what they need when they run, so that `--help` is quick
and reading never loads what only validation, reasoning or search need.
"""

from semantica_rdf.cli.run import main

__all__ = ["main"]
