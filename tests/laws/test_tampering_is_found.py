"""
Law: every single change, deletion and swap of a stored value is found by `verify`.

One small base on disk that has every kind of node; each change is made beside the ledger, judged,
and undone, so that every refusal is paired with the same base found good.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pyoxigraph as ox
import pytest

from semantica_rdf import KnowledgeBase, iri, literal
from semantica_rdf.ledger.chain import Head
from semantica_rdf.model import vocab

EX = "https://example.org/"
ALICE, BOB, WORKS_FOR = EX + "alice", EX + "bob", EX + "worksFor"
TABLES = ("transactions", "commitments", "salts")


def write(kb, number, work):
    with kb.transaction(reason=f"reason {number}", source=EX + "hr") as tx:
        work(tx)


def fill(kb):
    """Write every kind of node: named and minted rows, closings, standings, graphs, namespaces."""
    write(kb, 1, lambda tx: tx.assert_(ALICE, WORKS_FOR, iri(EX + "acme"), support_id="hr-1"))
    write(kb, 2, lambda tx: tx.assert_(ALICE, WORKS_FOR, iri(EX + "acme"), source=EX + "badge"))
    write(kb, 3, lambda tx: tx.propose(BOB, WORKS_FOR, literal("01", datatype="xsd:integer")))
    write(kb, 4, lambda tx: tx.assert_(BOB, WORKS_FOR, "a b", graph=EX + "g", valid_from="2020"))
    write(kb, 5, lambda tx: tx.retract("hr-1", valid_until="2025"))
    write(kb, 6, lambda tx: tx.withdraw(source=EX + "badge"))
    with kb.transaction(reason="seven", source=EX + "hr", namespace="other", reference="r") as tx:
        tx.assert_(ALICE, WORKS_FOR, iri(EX + "acme"), confidence="0.5", valid_until="2030")
    write(kb, 8, lambda tx: tx.replace(BOB, WORKS_FOR, "c", graph=EX + "g", valid_from="2022"))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    where = tmp_path_factory.mktemp("tampering") / "kb"
    moments = iter(datetime(2026, 1, 1, second=number, tzinfo=UTC) for number in range(60))
    with KnowledgeBase.open(where, agent=EX + "ann", clock=lambda: next(moments)) as kb:
        fill(kb)
    return where


@pytest.fixture
def kb(path):
    with KnowledgeBase.open(path, agent=EX + "ann") as base:
        assert base.verify().ok
        yield base
        report = base.verify()
        assert report.ok, report.problems


@pytest.fixture
def journal(path):
    connection = sqlite3.connect(path / "journal.sqlite", isolation_level=None)
    yield connection
    connection.close()


def store_of(kb):
    return kb._ledger.store.raw


class Tampering:
    """Applies changes to rows of one table, has each judged, and restores the table."""

    def __init__(self, kb, journal, table):
        self.kb, self.journal, self.table = kb, journal, table
        self.rows = journal.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
        self.found, self.impossible, self.missed = Counter(), 0, []

    def put(self, rows):
        self.journal.execute(f"DELETE FROM {self.table}")
        marks = ",".join("?" * len(self.rows[0]))
        self.journal.executemany(f"INSERT INTO {self.table} VALUES ({marks})", rows)

    def judge(self, what, rows):
        self.journal.execute("BEGIN")
        try:
            self.put(rows)
        except sqlite3.IntegrityError:
            self.journal.execute("ROLLBACK")
            self.impossible += 1
            return
        self.journal.execute("COMMIT")
        report = self.kb.verify()
        if report.ok:
            self.missed.append(what)
        self.found.update(problem.code for problem in report.problems)
        self.put(self.rows)


def others(value):
    """Return values that a stored one may have been changed to."""
    if isinstance(value, int):
        return [value + 1, value - 1, -1, value + 2**40, "x", b"x"]
    if isinstance(value, str):
        return [value + "x", "", "import" if value != "import" else "other", b"x", 7]
    flipped = [bytes([value[0] ^ 1]) + value[1:], value[:-1] + bytes([value[-1] ^ 128])]
    return [*flipped, value[:-1], value + b"\x00", b"", "x", 7, value.hex()]


@pytest.mark.parametrize("table", TABLES)
def test_every_changed_value_of_the_journal_is_found(kb, journal, table):
    tampering = Tampering(kb, journal, table)
    for number, row in enumerate(tampering.rows):
        for column, value in enumerate(row):
            for other in others(value):
                changed = [*tampering.rows]
                changed[number] = (*row[:column], other, *row[column + 1 :])
                tampering.judge((number, column, other), changed)
    assert not tampering.missed
    assert tampering.found


@pytest.mark.quick
@pytest.mark.parametrize("table", TABLES)
def test_every_deleted_row_of_the_journal_is_found(kb, journal, table):
    tampering = Tampering(kb, journal, table)
    for number in range(len(tampering.rows)):
        tampering.judge(number, [*tampering.rows[:number], *tampering.rows[number + 1 :]])
    assert not tampering.missed
    assert tampering.found


@pytest.mark.parametrize("table", TABLES)
def test_every_swap_of_two_values_of_the_journal_is_found(kb, journal, table):
    tampering = Tampering(kb, journal, table)
    pairs = [(one, one + step) for step in (1, 3) for one in range(len(tampering.rows) - step)]
    for one, two in pairs:
        for column in range(len(tampering.rows[0])):
            first, second = list(tampering.rows[one]), list(tampering.rows[two])
            if first[column] == second[column]:
                continue
            first[column], second[column] = second[column], first[column]
            changed = [*tampering.rows]
            changed[one], changed[two] = tuple(first), tuple(second)
            if sorted(changed, key=repr) != sorted(tampering.rows, key=repr):
                tampering.judge((one, two, column), changed)
    assert not tampering.missed
    assert tampering.found


@pytest.mark.quick
def test_an_added_row_of_the_journal_is_found(kb, journal):
    for table in TABLES:
        tampering = Tampering(kb, journal, table)
        for key in (0, 4, 99):
            added = (key, 7_000, *tampering.rows[0][2:])
            tampering.judge(key, [*tampering.rows, added])
        assert not tampering.missed
        assert tampering.found


# The record.


def other_terms(term):
    """Return terms that a stored one may have been changed to."""
    if isinstance(term, ox.NamedNode):
        yield ox.NamedNode(term.value + "x")
        yield ox.NamedNode(term.value[:-1] or EX)
        yield ox.NamedNode(EX + "acme")
    elif isinstance(term, ox.Literal):
        yield ox.Literal(term.value + "x")
        yield ox.Literal(term.value, language="en")
        yield ox.Literal("2026-01-01T00:00:00Z", datatype=ox.NamedNode(vocab.XSD_DATETIME))


def changed_quads(quad):
    """Return quads that one may have been changed to, by one of its four terms."""
    for subject in other_terms(quad.subject):
        yield ox.Quad(subject, quad.predicate, quad.object, quad.graph_name)
    for predicate in other_terms(quad.predicate):
        yield ox.Quad(quad.subject, predicate, quad.object, quad.graph_name)
    for value in other_terms(quad.object):
        yield ox.Quad(quad.subject, quad.predicate, value, quad.graph_name)
    journal = ox.NamedNode(vocab.JOURNAL_GRAPH)
    for graph in (ox.DefaultGraph(), journal, ox.NamedNode(EX + "g"), quad.subject):
        yield ox.Quad(quad.subject, quad.predicate, quad.object, graph)


def judged(kb, store, removed, added):
    """Tell whether a change of the record is found; undo it."""
    store.remove(removed) if removed is not None else None
    store.add(added) if added is not None else None
    try:
        return not kb.verify().ok
    finally:
        store.remove(added) if added is not None else None
        store.add(removed) if removed is not None else None


@pytest.mark.quick
def test_every_removed_quad_of_the_record_is_found(kb):
    store = store_of(kb)
    quads = sorted(store, key=str)
    assert len(quads) > 100
    missed = [quad for quad in quads if not judged(kb, store, quad, None)]
    assert not missed


def test_every_changed_quad_of_the_record_is_found(kb):
    store = store_of(kb)
    quads = sorted(store, key=str)
    present = set(quads)
    missed = [
        (quad, other)
        for quad in quads
        for other in changed_quads(quad)
        if other not in present and not judged(kb, store, quad, other)
    ]
    assert not missed


def test_every_added_quad_of_the_record_is_found(kb):
    store = store_of(kb)
    quads = sorted(store, key=str)
    present = set(quads)
    added = {other for quad in quads for other in changed_quads(quad)} - present
    missed = [other for other in sorted(added, key=str) if not judged(kb, store, None, other)]
    assert not missed
    assert any(judged(kb, store, None, ox.Quad(*[ox.NamedNode(EX)] * number)) for number in (3, 4))


@pytest.mark.quick
def test_quads_swapped_between_nodes_are_found(kb):
    store = store_of(kb)
    by_predicate = {}
    for quad in sorted(store, key=str):
        if isinstance(quad.graph_name, ox.DefaultGraph):
            by_predicate.setdefault(quad.predicate, []).append(quad)
    swapped = 0
    for quads in by_predicate.values():
        for one, two in pairwise(quads):
            if one.object == two.object:
                continue
            added = [ox.Quad(one.subject, one.predicate, two.object)]
            added += [ox.Quad(two.subject, two.predicate, one.object)]
            for quad in (one, two):
                store.remove(quad)
            store.extend(added)
            assert not kb.verify().ok, (one, two)
            for quad in added:
                store.remove(quad)
            store.extend([one, two])
            swapped += 1
    assert swapped > 20


# Cut tails.


def quads_of_transaction(store, kb, sequence):
    """Return every quad a transaction added, closings of older nodes included."""
    prefix = kb._ledger.identity.iri(sequence, 0)[:-1]
    closed = {
        quad.subject
        for quad in store.quads_for_pattern(
            None, ox.NamedNode(vocab.SUPERSEDED_BY), ox.NamedNode(prefix + "0"), None
        )
    }
    closing = {vocab.SUPERSEDED_AT, vocab.SUPERSEDED_BY}
    for quad in store:
        own = str(quad.subject)[1:].startswith(prefix) or str(quad.graph_name)[1:].startswith(
            prefix
        )
        if own or (quad.subject in closed and quad.predicate.value in closing):
            yield quad


def cut_journal(journal, after):
    rows = {}
    for table in TABLES:
        chosen = f"FROM {table} WHERE sequence > ?"
        rows[table] = journal.execute(f"SELECT * {chosen}", (after,)).fetchall()
        journal.execute(f"DELETE {chosen}", (after,))
    return rows


def put_back(journal, rows):
    for table, cut in rows.items():
        marks = ",".join("?" * len(cut[0]))
        journal.executemany(f"INSERT INTO {table} VALUES ({marks})", cut)


@pytest.mark.quick
@pytest.mark.parametrize("after", range(8))
def test_a_cut_tail_is_found_against_a_kept_head_and_a_cut_journal_without(kb, journal, after):
    head = kb.head()
    store = store_of(kb)
    earlier = Head(after, journal.execute(
        "SELECT hash FROM transactions WHERE sequence = ?", (after,)
    ).fetchone()[0] if after else bytes(32))  # fmt: skip
    rows = cut_journal(journal, after)
    codes = {problem.code for problem in kb.verify().problems}
    assert "not_committed" in codes
    cut = [
        quad for number in range(after + 1, 9) for quad in quads_of_transaction(store, kb, number)
    ]
    for quad in cut:
        store.remove(quad)
    assert {problem.code for problem in kb.verify().problems} == {"present_differs"}
    derived = [quad for quad in store if vocab.PRESENT_GRAPH in f"{quad.subject}{quad.graph_name}"]
    for quad in derived:
        store.remove(quad)
    assert kb.verify().ok
    assert kb.verify(head=earlier).ok
    assert [problem.code for problem in kb.verify(head=head).problems] == ["tail_cut"]
    assert not kb.verify(head=str(head)).ok
    put_back(journal, rows)
    store.extend([*cut, *derived])
    assert kb.verify(head=head).ok
    assert kb.verify(head=earlier).ok


@pytest.mark.quick
def test_a_head_of_another_base_is_found(kb):
    head = kb.head()
    assert kb.verify(head=head).ok
    assert not kb.verify(head=Head(head.sequence, bytes(32))).ok
    assert not kb.verify(head=Head(head.sequence + 1, head.hash)).ok


def test_a_change_made_while_the_base_was_closed_is_found(path):
    connection = sqlite3.connect(path / "journal.sqlite", isolation_level=None)
    for change, undo in (
        ("UPDATE transactions SET operation = 'load' WHERE sequence = 2",
         "UPDATE transactions SET operation = 'assert' WHERE sequence = 2"),
        ("UPDATE salts SET salt = zeroblob(16) WHERE sequence = 2 AND position = 0", None),
    ):  # fmt: skip
        before = connection.execute("SELECT * FROM salts").fetchall()
        connection.execute(change)
        with KnowledgeBase.open(path, agent=EX + "ann") as kb:
            assert not kb.verify().ok
        if undo is None:
            connection.execute("DELETE FROM salts")
            connection.executemany("INSERT INTO salts VALUES (?, ?, ?)", before)
        else:
            connection.execute(undo)
        with KnowledgeBase.open(path, agent=EX + "ann") as kb:
            assert kb.verify().ok
    connection.close()
