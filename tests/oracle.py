"""
A bitemporal ledger in plain lists, written from the design's sections 2, 3 and 6: slow, obvious.

Instants are integers, `PAST` and `STILL` open bounds. A statement is a dict; a fact is the tuple
(namespace, graph or None, subject, predicate, object). Verbs work on a pending copy of the list;
`commit` fixes the time. A refused verb raises `Refused` with the code the ledger must give, and
changes nothing.
"""

from __future__ import annotations

import copy

PAST, STILL = float("-inf"), float("inf")
PENDING = "pending"
SAID = ("fact", "source", "start", "end", "support", "confidence", "standing", "spelled")


class Refused(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Oracle:
    def __init__(self):
        self.statements = []
        self.last = PAST
        self.made = 0

    def facts_at(self, valid, known, namespace):
        """Return {fact: (start, end, sources, ids)} of what was believed at valid, as known."""
        found = {}
        for one in self.statements:
            seen = one["recorded"] <= known < one["superseded"]
            if seen and one["standing"] == "believed" and one["fact"][0] == namespace:
                found.setdefault(one["fact"], []).append(one)
        answer = {}
        for fact, group in found.items():
            here = [one for one in group if one["start"] <= valid < one["end"]]
            if here:
                start, end = span_around(valid, [(one["start"], one["end"]) for one in group])
                sources = sorted({one["source"] for one in here})
                answer[fact] = (start, end, sources, sorted(one["id"] for one in here))
        return answer

    # A transaction: begin, verbs, then commit or roll back.

    def begin(self, namespace, clock):
        self.namespace = namespace
        self.now = max(clock, self.last + 1)
        self.before = copy.deepcopy(self.statements), self.made

    def roll_back(self):
        self.statements, self.made = self.before

    def commit(self):
        """Record the net effect; return how many statements it wrote and closed, (0, 0) for none."""
        for one in [one for one in self.statements if one["recorded"] == PENDING]:
            old = self._by_id(one["after"])
            same_family = old is not None and old["family"] == one["family"]
            if same_family and old["superseded"] == PENDING and says(old) == says(one):
                self.statements.remove(one)
                old["superseded"] = STILL
        new = [one for one in self.statements if one["recorded"] == PENDING]
        closed = [one for one in self.statements if one["superseded"] == PENDING]
        for one in new:
            one["recorded"] = self.now
        for one in closed:
            one["superseded"] = self.now
        if new or closed:
            self.last = self.now
        return len(new), len(closed)

    # The verbs.

    def assert_(self, fact, source, start, end, **said):
        return self._put_on_record(claim(fact, source, start, end, standing="believed", **said))

    def propose(self, fact, source, start, end, **said):
        return self._put_on_record(claim(fact, source, start, end, standing="proposed", **said))

    def _put_on_record(self, new):
        check_window(new["start"], new["end"])
        for one in self._open(new["fact"]):
            if identity(one) == identity(new):
                if one["confidence"] != new["confidence"]:
                    raise Refused("confidence_differs")
                return one["id"]
        self._check_support(new, family=None)
        return self._add(new)

    def retract(self, target, until):
        until = self.now if until is None else until
        chosen = self._many(target)
        shortening = [one for one in chosen if until < one["end"]]
        if not shortening:
            raise Refused("nothing_to_retract")
        if any(until <= one["start"] for one in shortening):
            raise Refused("retract_before_start")
        return [self._succeed(one, end=until) for one in shortening]

    def withdraw(self, target):
        chosen = self._many(target)
        for one in chosen:
            self._close(one)
        return [one["id"] for one in chosen]

    def revise(self, target, **changes):
        old = self._one(target)
        new = {**old, **changes}
        if "fact" in changes and changes["fact"] != old["fact"] and "support" not in changes:
            new["support"] = None
        if not changes:
            raise Refused("nothing_to_revise")
        check_window(new["start"], new["end"])
        if says(new) == says(old):
            raise Refused("nothing_to_revise")
        self._check_version(old, new)
        return self._succeed(old, **{name: new[name] for name in SAID})

    def replace(self, fact, source, start, end, *, within, **said):
        new = claim(fact, source, start, end, standing="believed", **said)
        check_window(start, end)
        rivals = [
            one
            for one in self._open()
            if one["fact"][:4] == fact[:4]
            and one["fact"] != fact
            and one["standing"] == "believed"
            and one["start"] < end
            and start < one["end"]
            and (within == "namespace" or one["source"] == source)
        ]
        made = self._put_on_record(new)
        for one in rivals:
            had = dict(one)
            if had["start"] < start:
                self._succeed(one, end=start)
            else:
                self._close(one)
            if end < had["end"]:
                kept = None if had["start"] < start else had["support"]
                self._add({**had, "start": end, "support": kept, "after": had["id"]})
        return made

    def judge(self, target, standing):
        old = self._one(target)
        if old["standing"] == standing:
            return old["id"]
        self._check_version(old, {**old, "standing": standing})
        return self._succeed(old, standing=standing)

    # Targets: ("id", n), ("support", text), ("fact", fact), ("source", source).

    def _one(self, target):
        found = self._open_for(target)
        if len(found) > 1:
            raise Refused("ambiguous_target")
        return found[0]

    def _many(self, target):
        kind, _ = target
        if kind not in {"fact", "source"}:
            return [self._one(target)]
        try:
            found = [one for one in self._open_for(target) if one["standing"] == "believed"]
        except Refused:
            found = []
        if not found:
            raise Refused("not_found")
        return found

    def _open_for(self, target):
        kind, value = target
        if kind == "id":
            named = self._by_id(value)
            if named is None:
                raise Refused("not_found")
            if named["fact"][0] != self.namespace:
                raise Refused("other_namespace")
            found = [one for one in self._open() if one["family"] == named["family"]]
            if not found:
                raise Refused("no_open_version")
            return found
        name = {"fact": "fact", "support": "support", "source": "source"}[kind]
        found = [one for one in self._open() if one[name] == value]
        if not found:
            raise Refused("not_found")
        return found

    # The list.

    def _open(self, fact=None):
        return [
            one
            for one in self.statements
            if one["superseded"] == STILL
            and one["fact"][0] == self.namespace
            and fact in {None, one["fact"]}
        ]

    def _by_id(self, number):
        return next((one for one in self.statements if one["id"] == number), None)

    def _add(self, said, family=None):
        self.made += 1
        one = {name: said[name] for name in SAID}
        one |= {"id": self.made, "family": family or self.made, "after": said.get("after")}
        one |= {"recorded": PENDING, "superseded": STILL}
        self.statements.append(one)
        return one["id"]

    def _close(self, one):
        if one["recorded"] == PENDING:
            self.statements.remove(one)
        else:
            one["superseded"] = PENDING

    def _succeed(self, one, **changes):
        if one["recorded"] == PENDING:
            self.statements.remove(one)
            one.update(changes)
            self.statements.append(one)
            return one["id"]
        one["superseded"] = PENDING
        return self._add({**one, **changes, "after": one["id"]}, family=one["family"])

    def _check_support(self, new, family):
        """A support id belongs to one fact for ever, and to one open statement of the namespace."""
        if new["support"] is None:
            return
        for one in self.statements:
            if one["fact"][0] == self.namespace and one["support"] == new["support"]:
                open_elsewhere = one["superseded"] == STILL and one["family"] != family
                if one["fact"] != new["fact"] or open_elsewhere:
                    raise Refused("support_id_taken")

    def _check_version(self, old, new):
        self._check_support(new, old["family"])
        for one in self._open(new["fact"]):
            if one["family"] != old["family"] and identity(one) == identity(new):
                raise Refused("duplicate_statement")


def claim(fact, source, start, end, *, standing, support=None, confidence=None, spelled=None):
    values = (fact, source, start, end, support, confidence, standing, spelled)
    return dict(zip(SAID, values, strict=True))


def says(one):
    return [one[name] for name in SAID]


def identity(one):
    return [one[name] for name in ("fact", "source", "start", "end", "standing", "support")]


def check_window(start, end):
    if start == end:
        raise Refused("empty_window")
    if start > end:
        raise Refused("inverted_window")


def union_of(windows):
    """Return the disjoint windows that cover what these cover; touching ones are one."""
    merged = []
    for start, end in sorted(window for window in windows if window[0] < window[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def span_around(instant, windows):
    return next((start, end) for start, end in union_of(windows) if start <= instant < end)
