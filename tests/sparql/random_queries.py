"""
Random queries from a small grammar that covers what the rewriter knows: few names, so they meet.

`rng` is anything with `choice`, `random` and `randrange`; the same choices give the same query.
"""

from __future__ import annotations

VARIABLES = ["?s", "?o", "?x", "?y", "?z"]
NODES = ["e:a", "e:b", "e:c", "e:p"]
OBJECTS = [*NODES, *NODES, "1", "'x'@en"]
STEPS = ["e:p", "e:q", "e:r"]
GRAPHS = ["e:g", "e:h", "e:none", "?g"]


def query(rng) -> str:
    """Return a query."""
    form = rng.choice(["select"] * 6 + ["star"] * 3 + ["count", "ask", "construct", "describe"])
    dataset = ""
    if rng.random() < 0.12:
        dataset = rng.choice(
            ["FROM e:g", "FROM NAMED e:g", "FROM e:g FROM NAMED e:h", "FROM e:g FROM e:h"]
        )
    body = group(rng, 2)
    if form == "ask":
        return f"ASK {dataset} {body}"
    if form == "construct":
        return f"CONSTRUCT {{ ?s e:made ?o . ?x e:too ?y }} {dataset} WHERE {body}"
    if form == "describe":
        what = rng.choice(["?s", "e:a", "?o e:b ?x", "*"])
        return f"DESCRIBE {what} {dataset} WHERE {body}"
    tail = rng.choice(["", "", "", " ORDER BY ?s ?o", " VALUES ?s { e:a e:b UNDEF }"])
    if form == "count":
        what = rng.choice(["*", "DISTINCT *", "?s", "DISTINCT ?o"])
        keys = rng.choice(["", "?x", "?s ?x"])
        by = f" GROUP BY {keys}" if keys else ""
        return f"SELECT {keys} (COUNT({what}) AS ?n) {dataset} {body}{by}"
    names = "*" if form == "star" else " ".join(sorted(rng.sample(VARIABLES, 3)))
    distinct = rng.choice(["", "", "DISTINCT "])
    return f"SELECT {distinct}{names} {dataset} {body}{tail}"


def group(rng, depth: int) -> str:
    """Return a group; the deeper, the plainer."""
    parts = [triples(rng)]
    parts += [part(rng, depth) for _ in range(rng.randrange(3))]
    if rng.random() < 0.15:
        parts.reverse()
    return "{ " + " ".join(parts) + " }"


def part(rng, depth: int) -> str:
    """Return one clause of a group."""
    if depth <= 0:
        return rng.choice([triples, condition])(rng)
    kind = rng.randrange(13)
    if kind == 0:
        return f"OPTIONAL {group(rng, depth - 1)}"
    if kind == 1:
        return f"{group(rng, depth - 1)} UNION {group(rng, depth - 1)}"
    if kind == 2:
        return f"MINUS {group(rng, depth - 1)}"
    if kind in {3, 4}:
        return f"GRAPH {rng.choice(GRAPHS)} {group(rng, depth - 1)}"
    if kind == 5:
        return f"FILTER {rng.choice(['NOT ', ''])}EXISTS {exists_group(rng, depth - 1)}"
    if kind == 6:
        names = rng.choice(["*", "?s", "?s ?o", "DISTINCT ?x", "?x (COUNT(*) AS ?z)"])
        by = " GROUP BY ?x" if "COUNT" in names else ""
        return f"{{ SELECT {names} {group(rng, depth - 1)}{by} }}"
    if kind == 7:
        return group(rng, depth - 1)
    if kind == 8:
        return f"VALUES {rng.choice(VARIABLES)} {{ e:a e:b 1 }}"
    if kind == 9:
        return f"BIND({rng.choice(['STR(?s)', '?x', '1 + 1', 'isBlank(?o)'])} AS ?{rng.choice('vw')}{rng.randrange(99)})"
    return rng.choice([triples, condition, condition])(rng)


def exists_group(rng, depth: int) -> str:
    """Return a group as it mostly stands in EXISTS."""
    if rng.random() < 0.3:
        return group(rng, depth)
    parts = [triples(rng)]
    if rng.random() < 0.4:
        parts.append(condition(rng))
    if rng.random() < 0.2:
        parts.append(f"FILTER NOT EXISTS {{ {triples(rng)} }}")
    return "{ " + " ".join(parts) + " }"


def condition(rng) -> str:
    """Return a filter."""
    one, other = rng.choice(VARIABLES), rng.choice([*VARIABLES, "e:a", "1", "'x'"])
    return rng.choice(
        [
            f"FILTER({one} = {other})",
            f"FILTER({one} != {other})",
            f"FILTER(BOUND({one}) || {one} = {other})",
            f"FILTER isBlank({one})",
            f"FILTER(!isIRI({one}))",
            f"FILTER({one} IN (e:a, e:b, 1))",
        ]
    )


def triples(rng) -> str:
    """Return a block of one to three patterns, abbreviated one way or another."""
    kind = rng.randrange(8)
    if kind == 0:
        return (
            f"{subject(rng)} {path(rng)} {value(rng)} ; {path(rng)} {value(rng)} , {value(rng)} ."
        )
    if kind == 1:
        return f"[ {path(rng)} {value(rng)} ] {path(rng)} {value(rng)} ."
    if kind == 2:
        return f"{subject(rng)} {path(rng)} [ {path(rng)} {value(rng)} ; ] ."
    if kind == 3:
        return (
            f"{subject(rng)} {path(rng)} {value(rng)} . {subject(rng)} {path(rng)} {value(rng)} ."
        )
    return f"{subject(rng)} {path(rng)} {value(rng)} ."


def subject(rng) -> str:
    """Return a subject."""
    return rng.choice(VARIABLES) if rng.random() < 0.8 else rng.choice(NODES)


def value(rng) -> str:
    """Return an object."""
    return rng.choice(VARIABLES) if rng.random() < 0.8 else rng.choice(OBJECTS)


def path(rng) -> str:
    """Return a predicate or path."""
    if rng.random() < 0.55:
        return rng.choice(STEPS)
    if rng.random() < 0.3:
        return rng.choice(["?q", "?t", "?x"])
    return walk(rng, 2)


def walk(rng, depth: int) -> str:
    """Return a path."""
    kind = rng.randrange(9) if depth else 0
    if kind == 1:
        return f"^({walk(rng, depth - 1)})"
    if kind in {2, 3}:
        return f"({walk(rng, depth - 1)}/{walk(rng, depth - 1)})"
    if kind in {4, 5}:
        return f"({walk(rng, depth - 1)}|{walk(rng, depth - 1)})"
    if kind == 6:
        return rng.choice(["!e:p", "!(e:p|e:q)", "!(^e:r)", "!(e:p|^e:q)", "!a"])
    if kind == 7 and rng.random() < 0.2:
        return f"{rng.choice(STEPS)}{rng.choice('*+?')}"
    return rng.choice(STEPS)
