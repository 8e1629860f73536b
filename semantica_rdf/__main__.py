"""Runs the command line: `python -m semantica_rdf`."""

from semantica_rdf.cli import main

if __name__ == "__main__":
    main()
