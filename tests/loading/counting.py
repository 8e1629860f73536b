"""
What loading each temporal-KG file must count, worked out without any of the loader's code.

Plain Python over the lines: years and days as text compare as they should once padded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

KEPT = set("-._~!$&'()*+,;=:@")
Fact = tuple[str, str, str]


def needs_label(name: str) -> bool:
    """Tell whether a name cannot be the tail of an IRI as it is."""
    return any(not (c.isalnum() or c in KEPT or (ord(c) > 0xA0 and not c.isspace())) for c in name)


def count(path: Path) -> Counter[str]:
    """Return read, joined, stored, duplicates, rejected and labels for one file."""
    kind = path.parent.name
    lines = path.read_text(encoding="utf-8").splitlines()
    counts: Counter[str] = Counter(read=len(lines))
    seen: set[str] = set()
    minted: set[tuple[str, str]] = set()
    bounds: defaultdict[Fact, list[tuple[int, str]]] = defaultdict(list)
    for line in lines:
        cells = line.split("\t")
        subject, predicate, object_ = (
            cell.removeprefix("<").removesuffix(">") for cell in cells[:3]
        )
        if kind != "icews14" and line in seen:
            counts["duplicates"] += 1
            continue
        seen.add(line)
        if object_ == "null":
            counts["rejected"] += 1
            continue
        minted |= {("n", subject), ("p", predicate)}
        minted |= set() if kind == "wikidata" else {("n", object_)}
        if len(cells) == 5:
            year = int(cells[4].strip('"').split("-")[0])
            bounds[subject, predicate, object_].append((year, cells[3].strip("<>")[-5:]))
        else:
            counts["stored"] += 1
    for events in bounds.values():
        counts["joined"] += pairs(events)
    counts["stored"] += sum(map(len, bounds.values())) - counts["joined"]
    counts["labels"] = labels(minted, split=kind == "icews14")
    return counts


def pairs(events: list[tuple[int, str]]) -> int:
    """Count the starts that find an end: the year of an end may be its start's."""
    starts = sorted(year for year, role in events if role == "Since")
    ends = sorted(year for year, role in events if role == "Until")
    found = 0
    for start, following in zip(starts, [*starts[1:], 10_000], strict=False):
        fitting = [end for end in ends if start <= end < following]
        if fitting:
            ends.remove(fitting[0])
            found += 1
    return found


def labels(minted: set[tuple[str, str]], *, split: bool) -> int:
    """Count distinct minted IRIs with a label; actors and events of ICEWS have bases apart."""
    named = {(space if split else "", name) for space, name in minted if needs_label(name)}
    return len(named)
