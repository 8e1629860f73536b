"""
Add facts to a fresh tiramemsu database by its bulk import, and print the seconds it took.

Arguments: the file, how many facts, and `sourced` when each is to carry its source, as a layer on
the statement; `bare` leaves the source out, and so stores less than the ledger does.
"""

import sys
import time

from tiramemsu import Database, Iri

EX = "https://example.org/"
CHUNK = 10_000
"""Facts in one of its transactions."""


def main() -> None:
    """Time the import alone; the strings are there before."""
    path, count, sourced = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "sourced"
    facts = [
        (
            f"{EX}person/{number}",
            f"{EX}company/{number % 1000}",
            f"20{number % 20:02}-{number % 12 + 1:02}-{number % 28 + 1:02}T00:00:00Z",
        )
        for number in range(count)
    ]
    database = Database(path)
    start = time.perf_counter()
    with database.bulk_import() as session:
        for first in range(0, count, CHUNK):
            with session.chunk() as tx:
                for subject, value, day in facts[first : first + CHUNK]:
                    stated = tx.assert_(
                        Iri(subject), Iri(f"{EX}worksFor"), Iri(value), valid_from=day
                    )
                    if sourced:
                        tx.assert_(stated, Iri(f"{EX}source"), Iri(f"{EX}hr"))
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
