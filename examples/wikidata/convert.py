"""
Entities of Wikidata (the JSON of `wbgetentities` and of the dumps) as claims with windows.

Each statement becomes a direct fact, `wd:Q42 wdt:P26 wd:Q14623681`, that holds from its *start time*
(P580) until its *end time* (P582) or during its *point in time* (P585), under its Wikidata id as
support id; and a node with everything said about it, as in Wikidata's own RDF: rank, qualifiers,
references, and every date with its precision, calendar and zone. What is left out is counted by name.

Dates keep their precision: `1952-03-11`, `1952-03`, `1952`, years before 1 written `-0400`, never
`-400`. Wikidata has no year 0, as XSD 1.0; a gYear says so too.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from semantica_rdf import Draft, Iri, KnowledgeBase, Literal

WD = "http://www.wikidata.org/"
ENTITY, PROP = WD + "entity/", WD + "prop/"
WIKIBASE = "http://wikiba.se/ontology#"
PROV = "http://www.w3.org/ns/prov#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TEXTS = {
    "labels": "http://www.w3.org/2000/01/rdf-schema#label",
    "aliases": "http://www.w3.org/2004/02/skos/core#altLabel",
    "descriptions": "http://schema.org/description",
}
START, END, DURING = "P580", "P582", "P585"
JULIAN = ENTITY + "Q1985786"
DAY, MONTH, YEAR, DECADE, CENTURY, MILLENNIUM = 11, 10, 9, 8, 7, 6
SPANS = {DECADE: 10, CENTURY: 100, MILLENNIUM: 1000}
_TIME = re.compile(r"(?P<sign>[+-])0*(?P<year>\d+)-(?P<month>\d\d)-(?P<day>\d\d)T\S*\Z")

Snak = Mapping[str, Any]


class Date(NamedTuple):
    """A Wikidata date: the year before 1 negative and without a year 0, the precision code."""

    year: int
    month: int
    day: int
    precision: int

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Date:
        """Read a time value (`ValueError` for a text that is none)."""
        match = _TIME.match(value["time"])
        if match is None:
            message = f"{value['time']!r} is no Wikidata time"
            raise ValueError(message)
        year = int(match["sign"] + match["year"])
        return cls(year, int(match["month"]), int(match["day"]), min(value["precision"], DAY))

    @property
    def literal(self) -> Literal:
        """The date as a literal of its precision: a day, a month, else the year alone."""
        year = f"{'-' * (self.year < 0)}{abs(self.year):04}"
        if self.precision >= DAY:
            return Literal(f"{year}-{self.month:02}-{self.day:02}", XSD + "date")
        if self.precision == MONTH:
            return Literal(f"{year}-{self.month:02}", XSD + "gYearMonth")
        return Literal(year, XSD + "gYear")

    @property
    def bounds(self) -> tuple[str, str] | None:
        """The first and last day, month or year it may mean, None where the years 1 to 9999 end."""
        first = last = self.year
        if self.precision in SPANS:
            span = SPANS[self.precision]
            first = self.year // span * span if span == 10 else (self.year - 1) // span * span + 1
            last = first + span - 1
        if self.precision < MILLENNIUM or first < 1 or last > 9999:
            return None
        if self.precision >= MONTH:
            return self.literal.value, self.literal.value
        return f"{first:04}", f"{last:04}"


def drafts(entities: Iterable[Mapping[str, Any]], left_out: Counter[str]) -> Iterator[Draft]:
    """Yield the claims of entities; what has no place in them is counted in `left_out`."""
    for entity in entities:
        name = ENTITY + entity["id"]
        for kind, predicate in TEXTS.items():
            for texts in entity.get(kind, {}).values():
                for text in texts if isinstance(texts, list) else [texts]:
                    yield _fact(name, predicate, _text(text["value"], text["language"]))
        for statements in entity.get("claims", {}).values():
            for statement in statements:
                yield from _statement(name, statement, left_out)
        left_out["sitelinks"] += len(entity.get("sitelinks", {}))


def _statement(name: str, statement: Snak, left_out: Counter[str]) -> Iterator[Draft]:
    main = statement["mainsnak"]
    key = main["property"]
    node = ENTITY + "statement/" + statement["id"].replace("$", "-")
    yield _fact(name, f"{PROP}{key}", Iri(node))
    yield _fact(node, WIKIBASE + "rank", Iri(f"{WIKIBASE}{statement['rank'].capitalize()}Rank"))
    yield from _said(node, "statement", [main], left_out)
    qualifiers = statement.get("qualifiers", {})
    yield from _said(node, "qualifier", _flat(qualifiers), left_out)
    for reference in statement.get("references", []):
        source = f"{WD}reference/{reference['hash']}"
        yield _fact(node, PROV + "wasDerivedFrom", Iri(source))
        yield from _said(source, "reference", _flat(reference["snaks"]), left_out)
    if statement["rank"] == "deprecated":
        left_out["direct facts of deprecated statements"] += 1
    elif main["snaktype"] == "value":
        yield from _direct(name, statement, left_out)


def _direct(name: str, statement: Snak, left_out: Counter[str]) -> Iterator[Draft]:
    """Yield the direct fact of a statement, with its window."""
    main, qualifiers = statement["mainsnak"], statement.get("qualifiers", {})
    value = _value(main["datavalue"])
    draft = _fact(name, f"{PROP}direct/{main['property']}", value)
    draft = draft._replace(support_id=statement["id"], date_end="inclusive")
    starts, ends, points = (
        _bounds(qualifiers.get(key, []), left_out) for key in (START, END, DURING)
    )
    if ends is None:
        left_out["direct facts that ended before year 1"] += 1
    elif starts or ends:
        first = min((bound[0] for bound in starts or []), default=None)
        last = max((bound[1] for bound in ends), default=None)
        yield draft._replace(valid_from=first, valid_until=last)
    elif points:
        first, last = min(points)[0], max(points)[1]
        yield draft._replace(valid_from=first, valid_until=last)
    else:
        yield draft


def _bounds(snaks: list[Snak], left_out: Counter[str]) -> list[tuple[str, str]] | None:
    """Return the bounds of dates, None when all lie outside the years a window can have."""
    found, outside = [], False
    for snak in snaks:
        if snak["snaktype"] == "value":
            value = snak["datavalue"]["value"]
            bounds = Date.of(value).bounds
            if value["calendarmodel"] == JULIAN:
                left_out["bounds in the Julian calendar"] += 1
            elif bounds is None:
                left_out["bounds outside the years 1 to 9999"] += 1
                outside = outside or Date.of(value).year < 0
            else:
                found.append(bounds)
        elif snak["snaktype"] == "somevalue":
            left_out["bounds at an unknown date"] += 1
    return None if outside and not found else found


def _said(node: str, kind: str, snaks: Iterable[Snak], left_out: Counter[str]) -> Iterator[Draft]:
    """Yield what snaks say about a statement or reference, dates with a node of their own."""
    for snak in snaks:
        key = snak["property"]
        if snak["snaktype"] != "value":
            left_out[f"{snak['snaktype']} snaks"] += 1
            continue
        data = snak["datavalue"]
        yield _fact(node, f"{PROP}{kind}/{key}", _value(data))
        if data["type"] == "time":
            time, date = data["value"], Date.of(data["value"])
            spelled = f"{time['time']}/{time['precision']}/{time['timezone']}"
            calendar = time["calendarmodel"].rpartition("/")[2]
            place = f"{WD}value/time/{spelled.replace('+', '')}/{calendar}"
            yield _fact(node, f"{PROP}{kind}/value/{key}", Iri(place))
            yield _fact(place, WIKIBASE + "timeValue", date.literal)
            yield _fact(
                place, WIKIBASE + "timePrecision", Literal(str(time["precision"]), XSD + "integer")
            )
            yield _fact(
                place, WIKIBASE + "timeTimezone", Literal(str(time["timezone"]), XSD + "integer")
            )
            yield _fact(place, WIKIBASE + "timeCalendarModel", Iri(time["calendarmodel"]))


def _value(data: Mapping[str, Any]) -> Iri | Literal:
    value = data["value"]
    match data["type"]:
        case "wikibase-entityid":
            letter = {"item": "Q", "property": "P", "lexeme": "L"}[value["entity-type"]]
            return Iri(ENTITY + value.get("id", f"{letter}{value.get('numeric-id')}"))
        case "time":
            return Date.of(value).literal
        case "monolingualtext":
            return _text(value["text"], value["language"])
        case "quantity":
            return Literal(value["amount"], XSD + "decimal")
        case "globecoordinate":
            wkt = "http://www.opengis.net/ont/geosparql#wktLiteral"
            return Literal(f"Point({value['longitude']} {value['latitude']})", wkt)
        case _:
            return Literal(value)


def _text(text: str, language: str) -> Literal:
    return Literal(text, "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", language)


def _fact(subject: str, predicate: str, value: Iri | Literal) -> Draft:
    return Draft(Iri(subject), Iri(predicate), value)


def _flat(snaks: Mapping[str, list[Snak]]) -> Iterator[Snak]:
    for several in snaks.values():
        yield from several


def load(base: KnowledgeBase, path: Path, *, source: str = WD) -> tuple[int, Counter[str]]:
    """Load a file in one transaction; return how many claims it makes, and what is left out."""
    left_out: Counter[str] = Counter()
    document = json.loads(path.read_text(encoding="utf-8"))
    with base.transaction(reason=f"import of {path.name}", source=source) as tx:
        ids = tx.extend(drafts(document["entities"].values(), left_out))
    return len(set(ids)), +left_out


if __name__ == "__main__":
    with KnowledgeBase.open(sys.argv[2], agent=sys.argv[3]) as opened:
        count, missing = load(opened, Path(sys.argv[1]))
    print(f"{count:,} claims; left out: {dict(missing) or 'nothing'}")
