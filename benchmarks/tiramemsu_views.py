"""
Record the history of the views in a tiramemsu database, then answer questions on it, timed here.

Arguments: the file, how many facts. A question is a line of JSON on stdin: `how` (`sparql` or
`triples`), `texts` (queries, or predicates to scan), `valid_at`. Its answer is a line with the
seconds each took and the digest of each answer. Other
namespaces are left out, and what it would keep as triples that queries see: sources, and which
statement supersedes which.
"""

import json
import sys
import time

from people_history import INTEGER, digest, history_of
from tiramemsu import Database, Iri, Literal

CHUNK = 10_000
"""Operations in one of its transactions."""


def main() -> None:
    """Build, say so, and answer until stdin ends."""
    database = Database(sys.argv[1])
    known = _recorded(database, int(sys.argv[2]))
    print(json.dumps({"known": known}), flush=True)
    for line in sys.stdin:
        print(json.dumps(_answered(database, known, json.loads(line))), flush=True)


def _recorded(database, facts) -> int:
    """Record the three phases; return the number of the second's last transaction."""
    claims = [claim for claim in history_of(facts) if claim.plain]
    ids, known = {}, 0
    for phase in (1, 2, 3):
        stated = [number for number, claim in enumerate(claims) if claim.phase == phase]
        acts = [
            number
            for number, claim in enumerate(claims)
            if claim.act and claim.act.phase == phase and claim.act.verb != "confirm"
        ]
        with database.bulk_import() as session:
            for first in range(0, len(stated), CHUNK):
                chunk = stated[first : first + CHUNK]
                with session.chunk() as tx:
                    for number in chunk:
                        _state(tx, claims[number])
                ids.update(zip(chunk, tx.report.asserted, strict=True))
            for first in range(0, len(acts), CHUNK):
                with session.chunk() as tx:
                    for number in acts[first : first + CHUNK]:
                        _act(tx, ids[number], claims[number])
                known = tx.report.t if phase < 3 else known
    return known


def _state(tx, claim) -> None:
    tx.create(
        Iri(claim.subject), Iri(claim.predicate), _term(claim.object),
        valid_from=_bound(claim.valid_from), valid_to=_bound(claim.valid_until),
    )  # fmt: skip


def _act(tx, eid, claim) -> None:
    """Close a statement; what takes its place is a new one."""
    tx.retract(eid)
    if claim.act.verb == "revise":
        _state(tx, claim._replace(object=claim.act.value))
    elif claim.act.verb == "retract":
        _state(tx, claim._replace(valid_until=claim.act.value))


def _bound(day):
    return None if day is None else f"{day}T00:00:00Z"


def _term(text):
    if text.startswith("<"):
        return Iri(text[1:-1])
    value = text[1 : text.rindex('"')]
    return Literal(value, datatype=INTEGER) if text.endswith(">") else value


def _answered(database, known, question):
    view = database.as_of(tx=known).valid_at(f"{question['valid_at']}T00:00:00Z")
    seconds, digests = [], []
    for text in question["texts"]:
        start = time.perf_counter()
        if question["how"] == "sparql":
            found = view.sparql(text)
            rows = [tuple(row.get(name) for name in found.vars) for row in found]
        else:
            rows = [(row.s, row.p, row.o) for row in view.triples(p=Iri(text[1:-1]))]
        seconds.append(time.perf_counter() - start)
        digests.append(digest(tuple(map(_spelled, row)) for row in rows))
    return {"seconds": seconds, "digests": digests}


def _spelled(term) -> str:
    if isinstance(term, Iri):
        return f"<{term.value}>"
    if isinstance(term, int):
        return f'"{term}"^^<{INTEGER}>'
    if isinstance(term, Literal):
        return f'"{term.lex}"^^<{term.datatype}>'
    if isinstance(term, str):
        return f'"{term}"'
    raise TypeError(f"{type(term)} in an answer: {term!r}")


if __name__ == "__main__":
    main()
