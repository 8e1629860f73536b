"""
What views are asked in SPARQL: by a user, and by hand over the record for raw pyoxigraph.

`$who` is the IRI of a person with its brackets. The hand-written form is the one an expert would
write for this engine: belief rows as graphs, conditions on the four instants, namespace and graph.
"""

from __future__ import annotations

from string import Template

from people_history import EX, KNOWN_AT

SRDF = "https://w3id.org/semantica-rdf/ns#"
DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"

WORKS_FOR, KNOWS, LOCATED_IN = f"<{EX}worksFor>", f"<{EX}knows>", f"<{EX}locatedIn>"

POINT = f"SELECT ?o WHERE {{ $who {WORKS_FOR} ?o }}"
ENTITY = "SELECT ?p ?o WHERE { $who ?p ?o }"
TWO_HOPS = f"SELECT ?friend ?o WHERE {{ $who {KNOWS} ?friend . ?friend {WORKS_FOR} ?o }}"
SELECTIVE = {"point": POINT, "entity": ENTITY, "two hops": TWO_HOPS}
"""Queries that begin with a person, by name."""

SCAN = f"SELECT ?s ?o WHERE {{ ?s {WORKS_FOR} ?o }}"
COUNT = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
ALL = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"
BY_GROUP = f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ ?s {WORKS_FOR} ?c }} GROUP BY ?c"
TWO_HOP_AGGREGATE = (
    f"SELECT ?city (COUNT(*) AS ?n) WHERE {{ ?s {WORKS_FOR} ?c . ?c {LOCATED_IN} ?city }}"
    " GROUP BY ?city"
)
ANALYTIC = {"count by group": BY_GROUP, "two-hop aggregate": TWO_HOP_AGGREGATE, "whole scan": ALL}
"""Queries that read a great part of a view, by name."""

_HELD = Template(
    "GRAPH ?row$n { $pattern } "
    f"?row$n <{SRDF}recordedAt> ?r$n . FILTER(?r$n <= $known) "
    f"FILTER NOT EXISTS {{ ?row$n <{SRDF}validFrom> ?f$n FILTER(?f$n > $valid) }} "
    f"FILTER NOT EXISTS {{ ?row$n <{SRDF}validUntil> ?u$n FILTER(?u$n <= $valid) }} "
    f"FILTER NOT EXISTS {{ ?row$n <{SRDF}supersededAt> ?x$n FILTER(?x$n <= $known) }} "
    f"FILTER NOT EXISTS {{ ?row$n <{SRDF}namespace> ?n$n }} "
    f"FILTER NOT EXISTS {{ ?row$n <{SRDF}inGraph> ?g$n }}"
)


def about(text: str, who: str) -> str:
    """Return a query about a person, given by its IRI."""
    return text.replace("$who", f"<{who}>")


def by_hand(name: str, day: str) -> str:
    """Return a selective query over the record at a coordinate; `$who` is still open."""
    patterns = {
        "point": ("?o", [f"$who {WORKS_FOR} ?o"]),
        "entity": ("?p ?o", ["$who ?p ?o"]),
        "two hops": ("?friend ?o", [f"$who {KNOWS} ?friend", f"?friend {WORKS_FOR} ?o"]),
    }
    names, steps = patterns[name]
    held = [
        _HELD.substitute(n=number, pattern=step, known=_moment(KNOWN_AT), valid=_moment(day))
        for number, step in enumerate(steps)
    ]
    return f"SELECT {names} WHERE {{ {' '.join(held)} }}"


def _moment(day: str) -> str:
    return f'"{day}T00:00:00Z"^^<{DATE_TIME}>'
