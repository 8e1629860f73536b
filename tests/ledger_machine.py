"""
The machine of the laws: one real knowledge base and one oracle, told the same and asked the same.

Written once, run in memory and on disk.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
import strategies as given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from oracle import PAST, STILL, Oracle, Refused

from semantica_rdf import KnowledgeBase
from semantica_rdf.columns.columns import Columns
from semantica_rdf.errors import NotFound, QueryRefused, SemanticaError

EX = given.EX
DEFAULT_GRAPH = "SELECT ?s ?p ?o { ?s ?p ?o }"
USER_GRAPHS = "SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }"


TRANSACTIONS = st.tuples(
    given.namespaces,
    given.transactions(),
    given.references,
    st.sampled_from((False, False, False, False, True)),
)
"""Namespace, verbs, reference, whether it is aborted at its end."""


class Aborted(Exception):
    """Raised inside a transaction to discard it."""


def fact_in(namespace, triple):
    graph, subject, predicate, value = triple
    return (namespace, graph, subject, predicate, given.CANONICAL.get(value, value))


def spelled(value):
    return value.value if value in given.CANONICAL else None


def bound(instant):
    """Return an oracle's bound as the ledger gives it."""
    return None if instant in {PAST, STILL} else given.moment(instant)


class LedgerMachine(RuleBasedStateMachine):
    """Every rule tells both, then compares; `opened` says where the real base lives."""

    def __init__(self):
        super().__init__()
        self.clock_at = given.instant_at(2)
        self.oracle = Oracle()
        self.ids = {}
        self.recorded = []
        self.answers = {}
        self.batches = {}
        self.kb = self.opened()

    def opened(self):
        return KnowledgeBase.memory(agent=EX + "ann", clock=self.clock)

    def clock(self) -> datetime:
        return given.moment(self.clock_at)

    # Telling.

    @rule(said=TRANSACTIONS)
    def transact(self, said):
        self.tell(*said)

    @rule(said=TRANSACTIONS)
    def transact_again(self, said):
        """Tell as much as is asked: rules are drawn evenly."""
        self.tell(*said)

    def tell(self, namespace, verbs, reference, aborted):
        if (namespace, reference) in self.batches:
            self.repeat_other(namespace, verbs, reference)
            return
        before = self.kb.head()
        calls, outcomes = [], []
        known = dict(self.ids)
        self.oracle.begin(namespace, self.clock_at)
        try:
            with self.transaction(namespace, reference) as tx:
                for verb in verbs:
                    call = self.call_of(namespace, verb)
                    calls.append(call)
                    outcomes.append(self.both(tx, *call))
                if aborted:
                    raise Aborted  # noqa: TRY301 - the block must see it
        except Aborted:
            self.oracle.roll_back()
            self.ids = known
            assert self.kb.head() == before
            return
        written, closed = self.oracle.commit()
        recorded = {one["id"] for one in self.oracle.statements}
        self.ids = {number: name for number, name in self.ids.items() if number in recorded}
        receipt = tx.receipt
        assert (len(receipt.statements), len(receipt.superseded)) == (written, closed)
        assert receipt.is_empty == (written + closed == 0) == (self.kb.head() == before)
        if not receipt.is_empty:
            assert receipt.recorded_at == given.moment(self.oracle.now)
            self.recorded.append(self.oracle.now)
            if reference is not None:
                self.batches[namespace, reference] = (calls, outcomes, receipt)
        self.check_record()

    def transaction(self, namespace, reference):
        return self.kb.transaction(reason="law", namespace=namespace, reference=reference)

    def repeat_other(self, namespace, verbs, reference):
        """Say something else under a used reference: nothing of it is recorded."""
        before = self.kb.head()
        _, _, first = self.batches[namespace, reference]
        with self.transaction(namespace, reference) as tx:
            for verb in verbs:
                real, _, _ = self.call_of(namespace, verb)
                self.outcome(lambda call=real: call(tx))
        assert tx.receipt.repeated
        assert tx.receipt.sequence == first.sequence
        assert self.kb.head() == before

    @precondition(lambda self: self.batches)
    @rule(data=st.data())
    def repeat(self, data):
        """Say the same under the same reference: same ids, same refusals, first receipt."""
        namespace, reference = data.draw(st.sampled_from(sorted(self.batches)))
        calls, outcomes, first = self.batches[namespace, reference]
        before = self.kb.head()
        with self.transaction(namespace, reference) as tx:
            again = [self.outcome(lambda call=real: call(tx)) for real, _, _ in calls]
        assert again == outcomes
        assert tx.receipt.repeated
        assert tx.receipt.recorded_at == first.recorded_at
        assert sorted(tx.receipt.statements) == sorted(first.statements)
        assert sorted(tx.receipt.superseded) == sorted(first.superseded)
        assert self.kb.head() == before

    @rule(hours=st.integers(-60, 60))
    def move_clock(self, hours):
        self.clock_at += hours * given.DAY // 24

    # Verbs: each as a call of the real transaction and one of the oracle.

    def call_of(self, namespace, verb):
        """Return (real call, oracle call, whether ids match one to one)."""
        name, *rest = verb
        if name in {"assert_", "propose"}:
            return self.claim_call(namespace, name, rest[0], {}, {})
        if name == "replace":
            within = {"within": rest[1]}
            return self.claim_call(namespace, name, rest[0], within, within)
        real, plain = self.target_of(namespace, rest[0])
        if name == "retract":
            until = None if rest[1] is None else given.text_at(rest[1])
            return (
                lambda tx: tx.retract(**real, valid_until=until),
                lambda told: told.retract(plain, rest[1]),
                True,
            )
        if name == "withdraw":
            return lambda tx: tx.withdraw(**real), lambda told: told.withdraw(plain), False
        if name == "judge":
            verb_of = {"believed": "believe", "disputed": "dispute", "rejected": "reject"}
            return (
                lambda tx: getattr(tx, verb_of[rest[1]])(real["target"]),
                lambda told: told.judge(plain, rest[1]),
                True,
            )
        return self.revise_call(real["target"], plain, rest[1])

    def claim_call(self, namespace, name, claim, real_extra, plain_extra):
        graph, subject, predicate, value = claim["fact"]
        start, end = claim["window"]
        said = {"support": claim["support"], "confidence": claim["confidence"]}
        real = {
            "graph": graph,
            "source": claim["source"],
            "valid_from": given.text_at(start),
            "valid_until": given.text_at(end),
            "support_id": claim["support"],
            "confidence": claim["confidence"],
            **real_extra,
        }
        fact = fact_in(namespace, claim["fact"])
        said |= {"spelled": spelled(value), **plain_extra}
        return (
            lambda tx: getattr(tx, name)(subject, predicate, value, **real),
            lambda told: getattr(told, name)(fact, claim["source"], start, end, **said),
            True,
        )

    def revise_call(self, target, plain, changes):
        names = {"start": "valid_from", "end": "valid_until", "support": "support_id"}
        real = {names.get(name, name): value for name, value in changes.items()}
        for name in {"valid_from", "valid_until"} & real.keys():
            real[name] = given.text_at(real[name])
        parts = ("graph", "subject", "predicate", "object")

        def told_to_oracle(told):
            said = {name: value for name, value in changes.items() if name not in parts}
            if parts_given := {name: changes[name] for name in parts if name in changes}:
                old = told._one(plain)
                fact = dict(zip(("namespace", *parts), old["fact"], strict=True)) | parts_given
                if "object" in changes:
                    said["spelled"] = spelled(changes["object"])
                    fact["object"] = given.CANONICAL.get(fact["object"], fact["object"])
                said["fact"] = tuple(fact.values())
            return told.revise(plain, **said)

        return lambda tx: tx.revise(target, **real), told_to_oracle, True

    def target_of(self, namespace, target):
        kind, value = target
        if kind in {"id", "recent", "fact of recent"}:
            numbers = sorted(self.ids)
            if not numbers:
                return {"target": "99-1"}, ("id", -1)
            order = value if kind == "id" else -1 - value
            number = numbers[order % len(numbers)]
            known = self.oracle._by_id(number)
            if kind != "fact of recent" or known is None:
                return {"target": self.ids[number]}, ("id", number)
            _, *parts = known["fact"]
            return self.target_of(namespace, ("fact", tuple(parts)))
        if kind == "support":
            return {"target": value}, target
        if kind == "source":
            return {"source": value}, target
        graph, subject, predicate, value = value
        parts = (subject, predicate, value) if graph is None else (subject, predicate, value, graph)
        return {"target": parts}, ("fact", fact_in(namespace, target[1]))

    def outcome(self, call):
        try:
            return call()
        except SemanticaError as error:
            return ("refused", error.code)

    def both(self, tx, real, plain, matched):
        """Tell both; return the real outcome after checking that the oracle's is the same."""
        got = self.outcome(lambda: real(tx))
        try:
            wanted = plain(self.oracle)
        except Refused as error:
            wanted = ("refused", error.code)
        if isinstance(wanted, tuple) or isinstance(got, tuple):
            assert got == wanted
            return got
        if matched:
            numbers, names = (wanted, got) if isinstance(wanted, list) else ([wanted], [got])
            assert len(numbers) == len(names)
            self.ids.update(zip(numbers, names, strict=True))
        else:
            assert len(wanted) == len(got)
        return got

    # Asking.

    @rule(where=given.coordinates)
    def ask(self, where):
        valid, number, namespace = where
        known = self.known_of(number)
        key = (valid, min(known, self.basis()), namespace)
        self.check_answer(*key)

    def basis(self):
        return self.recorded[-1] if self.recorded else given.instant_at(-1000)

    def known_of(self, number):
        if number is None or not self.recorded:
            return self.basis()
        if number < 0:
            return self.recorded[0] - 1
        return self.recorded[number % len(self.recorded)]

    def check_answer(self, valid, known, namespace):
        wanted = {
            (graph, subject, predicate, value): (bound(start), bound(end), sources, len(ids))
            for (_, graph, subject, predicate, value), (start, end, sources, ids) in (
                self.oracle.facts_at(valid, known, namespace).items()
            )
        }
        view = self.kb.at(
            valid_at=given.moment(valid), known_at=given.moment(known), namespace=namespace
        )
        alice = view.facts(subject=given.SUBJECTS[0])
        got = view.facts()
        assert {self.key(fact): self.what(fact) for fact in got} == wanted
        assert len(got) == len(wanted) == view.count()
        plain = Counter((s, p, o) for graph, s, p, o in wanted if graph is None)
        assert Counter(self.row(row, "spo") for row in view.query(DEFAULT_GRAPH)) == plain
        for strategy in ("rewrite", "present"):
            rows = self.answered_by(view, strategy)
            assert rows is None or Counter(self.row(row, "spo") for row in rows) == plain
            assert rows is not None or strategy == "present"
        named = Counter(key for key in wanted if key[0] is not None)
        assert Counter(self.row(row, "gspo") for row in view.query(USER_GRAPHS)) == named
        assert {self.key(fact) for fact in alice} == {
            k for k in wanted if k[1] == given.SUBJECTS[0]
        }
        answer = [(self.key(fact), self.what(fact), fact.statements) for fact in got]
        assert self.answers.setdefault((valid, known, namespace), answer) == answer

    @rule(before=given.coordinates, after=given.coordinates)
    def compare(self, before, after):
        """What changes between two coordinates is what the oracle has at one and not at the other."""
        views, wanted = [], []
        for valid, number, namespace in (before, after):
            known = min(self.known_of(number), self.basis())
            views.append(
                self.kb.at(
                    valid_at=given.moment(valid), known_at=given.moment(known), namespace=namespace
                )
            )
            found = self.oracle.facts_at(valid, known, namespace)
            wanted.append({fact[1:] for fact in found})
        difference = views[0].diff(views[1])
        assert Counter(map(self.key, difference.added)) == Counter(wanted[1] - wanted[0])
        assert Counter(map(self.key, difference.removed)) == Counter(wanted[0] - wanted[1])
        for view, facts in zip(views, (difference.removed, difference.added), strict=True):
            there = {fact.key: fact for fact in view.facts()}
            assert all(there[fact.key] == fact for fact in facts)

    @rule(where=given.coordinates, subject=st.sampled_from(given.SUBJECTS))
    def bound_belief(self, where, subject):
        """Belief about a subject begins and ends where the oracle's windows do, put together."""
        _, number, namespace = where
        known = min(self.known_of(number), self.basis())
        windows = {}
        for one in self.oracle.statements:
            seen = one["recorded"] <= known < one["superseded"]
            believed = seen and one["standing"] == "believed"
            if believed and (one["fact"][0], one["fact"][2]) == (namespace, subject):
                windows.setdefault(one["fact"], []).append((one["start"], one["end"]))
        wanted = set()
        for spans in windows.values():
            points = {point for span in spans for point in span} - {PAST, STILL}
            for point in points:
                before = any(start < point <= end for start, end in spans)
                after = any(start <= point < end for start, end in spans)
                wanted |= {given.moment(point)} if before != after else set()
        got = self.kb.boundaries(subject, known_at=given.moment(known), namespace=namespace)
        assert got == tuple(sorted(wanted))

    def check_timelines(self):
        """A timeline has every version of the claims about a subject, and no other."""
        for namespace in ("default", "other"):
            for subject in given.SUBJECTS:
                got = self.kb.timeline(subject, namespace=namespace)
                if not got:
                    with pytest.raises(NotFound):
                        self.kb.history((subject, None, None), namespace=namespace)
                    continue
                versions = self.kb.history((subject, None, None), namespace=namespace)
                assert Counter(
                    (one.statement, one.key, one.window, one.recorded, one.superseded, one.standing)
                    for one in got
                ) == Counter(
                    (one.id, one.fact, one.window, one.recorded, one.superseded, one.standing)
                    for one in versions
                )

    def check_columns(self):
        """Columns that followed are those read anew, and cells hold what has one answer."""
        followed = self.kb._base.columns.whole()
        ledger = self.kb._ledger
        anew = Columns(ledger.store, ledger.identity, lambda _: None).upto(ledger.sequence)
        assert told(followed) == told(anew)
        assert followed.touched == anew.touched

    @staticmethod
    def answered_by(view, strategy):
        """Return the rows of a view by one strategy, None where it has no answer there."""
        if strategy in view.explain_plan(DEFAULT_GRAPH).obstacles:
            with pytest.raises(QueryRefused) as refused:
                view.query(DEFAULT_GRAPH, strategy=strategy)
            assert refused.value.code == "strategy_not_applicable"
            return None
        return view.query(DEFAULT_GRAPH, strategy=strategy)

    @rule()
    def refresh(self):
        """Bring the present to the clock's instant: it then answers for now, in every namespace."""
        self.kb.refresh_present()
        for namespace in ("default", "other"):
            now = self.kb.at(namespace=namespace)
            assert not self.recorded or self.answered_by(now, "present") is not None
        self.check_record()

    @staticmethod
    def key(fact):
        graph = None if fact.graph is None else str(fact.graph)
        return (graph, str(fact.subject), str(fact.predicate), fact.object)

    @staticmethod
    def what(fact):
        sources = [str(source) for source in fact.sources]
        return (fact.valid_from, fact.valid_until, sources, len(fact.statements))

    @staticmethod
    def row(row, names):
        terms = [row[name] for name in names]
        return (*(str(term) for term in terms[:-1]), terms[-1])

    def check_record(self):
        """Nothing answered changes, the present answers right, and the base verifies."""
        for key in list(self.answers)[-2:]:
            self.check_answer(*key)
        present = max(self.clock_at, self.basis())
        for namespace in ("default", "other"):
            self.check_answer(present, self.basis(), namespace)
        report = self.kb.verify()
        assert report.ok, report.problems
        assert report.statements == len(self.oracle.statements)

    def check_histories(self):
        """Every version of every claim is on record as the oracle has it."""
        wanted = {}
        for one in self.oracle.statements:
            wanted.setdefault(one["fact"], []).append(self.version_wanted(one))
        for fact, versions in wanted.items():
            namespace, graph, *triple = fact
            target = tuple(triple) if graph is None else (*triple, graph)
            got = [self.version_got(item) for item in self.kb.history(target, namespace=namespace)]
            assert sorted(got, key=repr) == sorted(versions, key=repr)

    def version_wanted(self, one):
        family = self.ids.get(one["family"], "of a part cut off")
        return (
            one["source"], bound(one["start"]), bound(one["end"]), one["support"],
            one["confidence"], one["standing"], one["spelled"], given.moment(one["recorded"]),
            bound(one["superseded"]), family,
        )  # fmt: skip

    def version_got(self, item):
        mapped = item.family in set(self.ids.values())
        return (
            item.source, item.valid_from, item.valid_until, item.support_id, item.confidence,
            item.standing, item.source_text, item.recorded, item.superseded,
            item.family if mapped else "of a part cut off",
        )  # fmt: skip

    def check_rows(self):
        """No two belief rows of a fact overlap on both axes: counts are right without DISTINCT."""
        rows = {}
        for row in self.kb.record.query(ROWS):
            fact = tuple(str(row[name]) for name in ("namespace", "graph", "s", "p", "o"))
            bounds = [row[name] for name in ("from", "until", "recorded", "superseded")]
            low, high = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
            texts = [
                (low if number == 0 else high) if term is None else term.to_python()
                for number, term in enumerate(bounds)
            ]
            rows.setdefault(fact, []).append(texts)
        for found in rows.values():
            for number, (start, end, made, gone) in enumerate(found):
                for other, until, later, closed in found[number + 1 :]:
                    assert not (start < until and other < end and made < closed and later < gone)
        return rows

    def teardown(self):
        try:
            for key in list(self.answers):
                self.check_answer(*key)
            self.check_histories()
            self.check_rows()
            self.check_columns()
            self.check_timelines()
        finally:
            self.kb.close()


def told(table):
    """Return a table's entries with their terms in place of numbers."""
    texts = table.dictionary.texts
    numbered = {"space", "graph", "subject", "predicate", "object", "source"}
    columns = [
        [texts[number] for number in column.tolist()] if name in numbered else column.tolist()
        for name, column in table.entries._asdict().items()
    ]
    return list(zip(*columns, strict=True))


ROWS = """
SELECT ?namespace ?graph ?s ?p ?o ?from ?until ?recorded ?superseded {
  GRAPH ?row { ?s ?p ?o }
  ?row srdf:recordedAt ?recorded .
  OPTIONAL { ?row srdf:namespace ?namespace } OPTIONAL { ?row srdf:inGraph ?graph }
  OPTIONAL { ?row srdf:validFrom ?from } OPTIONAL { ?row srdf:validUntil ?until }
  OPTIONAL { ?row srdf:supersededAt ?superseded }
}
"""
