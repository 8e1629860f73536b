"""
Bug reports whose answer must be the same on every surface: each value and bound by every way in.

Beside `test_reports_of_*`, which hold each report to its right result: here the same thing enters
by Python, pyoxigraph, rdflib, Turtle, N-Quads, JSON-LD, CSV and the command line, and what is on
record must not tell by which. Reports B020 and B024 are asked of the real program.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
import rdflib.compare

from semantica_rdf import Draft, KnowledgeBase, errors, iri, literal
from semantica_rdf.cli.run import run
from semantica_rdf.model import vocab

ROOT = Path(__file__).resolve().parents[2]
EX = "https://example.org/"
ALICE, NOTE, HR = EX + "alice", EX + "note", EX + "hr"
WHO = {"agent": EX + "ann", "source": HR}
WORDS = ["--agent", WHO["agent"], "--source", HR, "--reason", "test"]

VALUES = {
    "B009 a minute's offset": ("2000-01-01T00:00:00-00:01", vocab.XSD_DATETIME),
    "B009 no zone": ("2000-01-01T00:00:00", vocab.XSD_DATETIME),
    "B013 a year": ("2002", vocab.XSD + "gYear"),
    "B013 a month": ("2002-01", vocab.XSD + "gYearMonth"),
    "B015 a day before Christ": ("-0012-11-29", vocab.XSD + "date"),
    "B015 year 0": ("0000", vocab.XSD + "gYear"),
    "B015 a far year": ("12024", vocab.XSD + "gYear"),
    "B016 a century": ("-0400", vocab.XSD + "gYear"),
    "B017 a day elsewhere": ("2015-09-24-06:00", vocab.XSD + "date"),
    "B018 trailing zeros": ("2023-06-04T20:36:33.100000", vocab.XSD_DATETIME),
    "B023 the hour 24": ("2026-01-01T24:00:00Z", vocab.XSD_DATETIME),
    "B024 no such day": ("2026-02-30", vocab.XSD + "date"),
    "B071 01": ("01", vocab.XSD + "integer"),
    "B071 1.10": ("1.10", vocab.XSD + "decimal"),
    "B071 an int": ("+7", vocab.XSD + "int"),
    "B088 what is escaped": ('He said "hi"\nand \\ left\t\r', vocab.XSD_STRING),
}


def _by_python(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, NOTE, literal(text, datatype=datatype))


def _by_pyoxigraph(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    value = ox.Literal(text, datatype=ox.NamedNode(datatype))
    with kb.transaction(reason="test") as tx:
        tx.extend([ox.Triple(ox.NamedNode(ALICE), ox.NamedNode(NOTE), value)])


def _by_rdflib(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    value = rdflib.Literal(text, datatype=rdflib.URIRef(datatype), normalize=False)
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef(ALICE), rdflib.URIRef(NOTE), value))
    kb.load(graph, reason="test")


def _by_nquads(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    value = ox.Literal(text, datatype=ox.NamedNode(datatype))
    kb.load(f"<{ALICE}> <{NOTE}> {value} .".encode(), format="nquads", reason="test")


def _by_turtle(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    value = ox.Literal(text, datatype=ox.NamedNode(datatype))
    kb.load(f"<{ALICE}> <{NOTE}> {value} .".encode(), format="turtle", reason="test")


def _by_jsonld(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    content = {"@id": ALICE, NOTE: {"@value": text, "@type": datatype}}
    kb.load(json.dumps(content).encode(), format="jsonld", reason="test")


def _by_csv(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    mapping = {
        "format": {"kind": "csv"},
        "subject": {"iri": ALICE},
        "predicate": {"iri": NOTE},
        "object": {"column": "note", "datatype": datatype},
    }
    cell = text.replace('"', '""')
    kb.load(f'note\r\n"{cell}"\r\n'.encode(), mapping=mapping, reason="test")


def _by_jsonl(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    mapping = {
        "format": {"kind": "jsonl"},
        "subject": {"iri": ALICE},
        "predicate": {"iri": NOTE},
        "object": {"column": "note", "datatype": datatype},
    }
    kb.load(json.dumps({"note": text}).encode(), mapping=mapping, reason="test")


def _by_own_export(kb: KnowledgeBase, text: str, datatype: str, folder: Path) -> None:
    with KnowledgeBase.memory(**WHO) as other:
        _by_python(other, text, datatype, folder)
        kb.load(other.export(format="turtle"), format="turtle", reason="test")


WAYS_IN = {
    "pyoxigraph": _by_pyoxigraph,
    "rdflib": _by_rdflib,
    "N-Quads": _by_nquads,
    "Turtle": _by_turtle,
    "JSON-LD": _by_jsonld,
    "CSV": _by_csv,
    "JSON Lines": _by_jsonl,
    "an export of ours": _by_own_export,
}


@pytest.mark.quick
@pytest.mark.parametrize("name", VALUES)
def test_what_a_value_becomes_does_not_depend_on_how_it_came(name: str, tmp_path: Path) -> None:
    text, datatype = VALUES[name]

    def recorded(way: Callable[..., None]) -> tuple[Any, ...]:
        with KnowledgeBase.memory(**WHO) as kb:
            way(kb, text, datatype, tmp_path)
            (statement,) = kb.history((ALICE, NOTE, literal(text, datatype=datatype)))
            assert kb.at().count() == 1
            assert kb.verify().ok
            return statement.fact, statement.source_text, statement.window

    wanted = recorded(_by_python)
    assert {way: recorded(act) for way, act in WAYS_IN.items()} == dict.fromkeys(WAYS_IN, wanted)


@pytest.mark.quick
@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_came_one_way_is_there_already_by_every_other(
    name: str, tmp_path: Path
) -> None:
    """B036, B042."""
    text, datatype = VALUES[name]
    with KnowledgeBase.memory(**WHO) as kb:
        _by_python(kb, text, datatype, tmp_path)
        before = kb.head(), kb.stats()
        for way, act in WAYS_IN.items():
            act(kb, text, datatype, tmp_path)
            assert (kb.head(), kb.stats()) == before, way
        _by_csv(kb, text, vocab.RDF + "HTML", tmp_path)
        assert kb.stats().statements == 2


@pytest.mark.quick
@pytest.mark.parametrize("name", [name for name in VALUES if "escaped" not in name])
def test_a_value_typed_on_the_command_line_is_the_same(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, datatype = VALUES[name]
    path = tmp_path / "kb"
    with KnowledgeBase.open(path, **WHO) as kb:
        _by_python(kb, text, datatype, tmp_path)
    typed = f'"{text}"^^<{datatype}>'
    assert run(["assert", ALICE, NOTE, typed, "--kb", str(path), *WORDS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["already_there"] == 1
    as_text = f'"{text}"'
    assert run(["assert", ALICE, NOTE, as_text, "--kb", str(path), *WORDS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["already_there"] == 0
    with KnowledgeBase.open(path) as kb:
        assert kb.stats().statements == 2


@pytest.mark.quick
def test_a_language_tag_is_the_same_by_every_way_in_and_for_every_reader(tmp_path: Path) -> None:
    """B073."""
    document = f'<{ALICE}> <{NOTE}> "chat"@EN-us .'.encode()
    graph = rdflib.Graph().parse(data=document, format="turtle")
    jsonld = {"@id": ALICE, NOTE: {"@value": "chat", "@language": "En-Us"}}
    with KnowledgeBase.memory(**WHO) as kb:
        with kb.transaction(reason="test") as tx:
            made = tx.assert_(ALICE, NOTE, literal("chat", lang="en-US"))
            assert tx.assert_(ALICE, NOTE, rdflib.Literal("chat", lang="en-us")) == made
            assert tx.assert_(ALICE, NOTE, ox.Literal("chat", language="EN-US")) == made
            assert tx.extend(graph) == [made]
        kb.load(document, format="turtle", reason="test")
        kb.load(json.dumps(jsonld).encode(), format="jsonld", reason="test")
        assert kb.stats().statements == 1
        view = kb.at()
        for tag in ("en-us", "en-US", "EN-US"):
            assert len(view.facts(object=literal("chat", lang=tag))) == 1
            assert len(kb.history((ALICE, NOTE, literal("chat", lang=tag)))) == 1
            bound = {"o": literal("chat", lang=tag)}
            assert view.query("ASK { ?s ?p ?o }", bindings=bound)
        assert not view.facts(object=literal("chat", lang="en"))
        with kb.transaction(reason="test") as tx:
            assert tx.withdraw((ALICE, NOTE, literal("chat", lang="eN-uS"))) == [made]


BOUNDS: dict[str, tuple[Any, ...]] = {
    "B020 a day": ("2025-12-31", date(2025, 12, 31), ("2025-12-31", "date")),
    "B013 a month": ("2025-12", ("2025-12", "gYearMonth")),
    "B014 a year": ("2025", ("2025", "gYear")),
    "B017 a day elsewhere": ("2025-12-31-06:00", ("2025-12-31-06:00", "date")),
    "B023 the hour 24": ("2025-12-31T24:00:00Z", ("2025-12-31T24:00:00Z", "dateTime")),
    "B007 an offset": (
        "2025-12-31T14:00:00+02:00",
        datetime.fromisoformat("2025-12-31T14:00:00+02:00"),
        ("2025-12-31T14:00:00+02:00", "dateTime"),
    ),
    "B018 trailing zeros": (
        "2025-12-31T14:00:00.100000Z",
        ("2025-12-31T14:00:00.100000Z", "dateTime"),
    ),
}


def _terms_of(value: Any) -> list[Any]:
    if not isinstance(value, tuple):
        return [value]
    text, name = value
    datatype = vocab.XSD + name
    return [
        literal(text, datatype=datatype),
        ox.Literal(text, datatype=ox.NamedNode(datatype)),
        rdflib.Literal(text, datatype=rdflib.URIRef(datatype), normalize=False),
    ]


def _windows(spelled: list[Any], date_end: str, path: Path) -> dict[str, tuple[Any, ...]]:
    """Return the window a bound makes as an end, by the way it came."""
    found: dict[str, tuple[Any, ...]] = {}

    def note(way: str, kb: KnowledgeBase, value: Any) -> None:
        (statement,) = kb.history((ALICE, NOTE, value))
        found[way] = statement.window, statement.valid_until_text

    with KnowledgeBase.open(path, **WHO) as kb:
        with kb.transaction(reason="test") as tx:
            for number, bound in enumerate(spelled):
                said = {"valid_until": bound, "date_end": date_end}
                tx.assert_(ALICE, NOTE, f"assert {number}", **said)
                tx.extend([Draft(ALICE, NOTE, f"extend {number}", None, **said)])
                tx.revise(tx.assert_(ALICE, NOTE, f"revise {number}"), **said)
                tx.replace(ALICE, f"{EX}replaced{number}", f"replace {number}", **said)
        for number, bound in enumerate(spelled):
            for way in ("assert", "extend", "revise"):
                note(f"{way} {bound!r}", kb, f"{way} {number}")
            (replaced,) = kb.history((ALICE, f"{EX}replaced{number}", f"replace {number}"))
            found[f"replace {bound!r}"] = replaced.window, replaced.valid_until_text
        mapping = {
            "format": {"kind": "csv"},
            "subject": {"iri": ALICE},
            "predicate": {"iri": NOTE},
            "object": {"column": "note"},
            "window": {"until": "until", "date_end": date_end},
        }
        kb.load(f"note,until\ntable,{spelled[0]}\n".encode(), mapping=mapping, reason="test")
        note("a table", kb, "table")
    words = ["--kb", str(path), *WORDS, "--date-end", date_end]
    assert run(["assert", ALICE, NOTE, "shell", "--valid-until", str(spelled[0]), *words]) == 0
    with KnowledgeBase.open(path, **WHO) as kb:
        note("the command line", kb, "shell")
        exported = kb.export(format="nquads")
    with KnowledgeBase.memory(**WHO) as kb:
        kb.load(exported, format="nquads", reason="test")
        (statement,) = kb.history((ALICE, NOTE, "table"))
        found["an export of ours"] = statement.window, found["a table"][1]
    return found


@pytest.mark.quick
@pytest.mark.parametrize("date_end", ["exclusive", "inclusive"])
@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_means_the_same_instant_by_every_way_in(
    name: str, date_end: str, tmp_path: Path
) -> None:
    """B007, B013, B014, B017, B018, B020, B023."""
    spelled = [term for value in BOUNDS[name] for term in _terms_of(value)]
    found = _windows(spelled, date_end, tmp_path / "kb")
    assert len(set(found.values())) == 1, found


class Program:
    """Runs the real program on one base."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "semantica_rdf", *words, "--kb", str(self.path), "--json"],
            env=self.environment,
            cwd=self.path.parent,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )


def test_a_date_as_end_means_the_same_in_the_real_program(tmp_path: Path) -> None:
    """B020: asserted and loaded, shown and queried; the day is outside unless said otherwise."""
    program = Program(tmp_path / "kb")
    for text, end in (("outside", "exclusive"), ("inside", "inclusive")):
        said = ["--valid-until", "2025-12-31", "--date-end", end]
        assert program("assert", ALICE, NOTE, text, *said, *WORDS).returncode == 0
    document = tmp_path / "notes.nt"
    document.write_text(f'<{ALICE}> <{NOTE}> "loaded" .\n', encoding="utf-8")
    assert program("load", str(document), "--valid-until", "2025-12-31", *WORDS).returncode == 0

    def seen(at: str) -> tuple[set[str], set[str]]:
        shown = json.loads(program("show", ALICE, "--valid-at", at).stdout)["facts"]
        answer = json.loads(program("query", "SELECT ?o { ?s ?p ?o }", "--valid-at", at).stdout)
        rows = answer["results"]["bindings"]
        return (
            {fact["object"]["value"] for fact in shown},
            {row["o"]["value"] for row in rows},
        )

    assert seen("2025-12-31T14:00:00Z") == ({"inside"}, {"inside"})
    everything = {"inside", "outside", "loaded"}
    assert seen("2025-12-30T14:00:00Z") == (everything, everything)
    with KnowledgeBase.open(program.path) as kb:
        facts = kb.at(valid_at="2025-12-31T14:00:00Z").facts()
        assert {str(fact.object) for fact in facts} == {"inside"}
        bounds = kb.record.query("SELECT ?o ?end { ?s rdf:object ?o ; srdf:validUntil ?end }")
        ends = {row["o"].value: row["end"].value for row in bounds}
    assert ends == {
        "outside": "2025-12-31T00:00:00Z",
        "loaded": "2025-12-31T00:00:00Z",
        "inside": "2026-01-01T00:00:00Z",
    }


def test_an_impossible_date_ends_the_real_program_with_3_and_changes_nothing(
    tmp_path: Path,
) -> None:
    """B024."""
    program = Program(tmp_path / "kb")
    assert program("assert", ALICE, NOTE, "a text", *WORDS).returncode == 0
    with KnowledgeBase.open(program.path) as kb:
        head = kb.head()
    attempts = {
        "2024-15-04": ["show", ALICE, "--valid-at", "2024-15-04"],
        "2026-02-29": ["query", "ASK { ?s ?p ?o }", "--known-at", "2026-02-29"],
        "2026-02-30": ["assert", ALICE, NOTE, "b", "--valid-from", "2026-02-30", *WORDS],
        "2026-13-01": ["export", "--format", "nquads", "--valid-at", "2026-13-01"],
    }
    for value, words in attempts.items():
        answer = program(*words)
        assert (answer.returncode, answer.stdout) == (3, "")
        error = json.loads(answer.stderr)["error"]
        assert error["code"] == "bad_time"
        assert value in error["message"]
        assert "Traceback" not in answer.stderr
    with KnowledgeBase.open(program.path) as kb:
        assert kb.head() == head
    assert json.loads(program("show", ALICE, "--valid-at", "2024-04-15").stdout)["facts"]


def test_a_large_literal_goes_through_every_format_uncut(tmp_path: Path) -> None:
    """B076."""
    big = "ä" * 2_400_000 + 'x,"\n' * 50_000
    with KnowledgeBase.memory(**WHO) as kb:
        _by_python(kb, big, vocab.XSD_STRING, tmp_path)
        head = kb.head()
        _by_csv(kb, big, vocab.XSD_STRING, tmp_path)
        _by_jsonl(kb, big, vocab.XSD_STRING, tmp_path)
        for format_ in ("turtle", "nquads", "jsonld"):
            kb.load(kb.export(view=kb.at(), format=format_), format=format_, reason="test")
        assert kb.head() == head
        assert [fact.object.value for fact in kb.at().facts()] == [big]


@pytest.mark.quick
def test_a_bad_iri_is_refused_and_an_encoded_one_kept_by_every_way_in(tmp_path: Path) -> None:
    """B077, B079."""
    table = {
        "format": {"kind": "csv"},
        "subject": {"column": "who", "base": EX},
        "predicate": {"iri": NOTE},
        "object": {"column": "note"},
    }

    def by_python(kb: KnowledgeBase, text: str) -> None:
        with kb.transaction(reason="test") as tx:
            tx.assert_(text, NOTE, "x")

    def by_rdflib(kb: KnowledgeBase, text: str) -> None:
        with kb.transaction(reason="test") as tx:
            tx.assert_(rdflib.URIRef(text), NOTE, "x")

    def by_document(kb: KnowledgeBase, text: str) -> None:
        kb.load(f'<{text}> <{NOTE}> "x" .'.encode(), format="turtle", reason="test")

    def by_table(kb: KnowledgeBase, text: str) -> None:
        report = kb.load(f"who,note\n{text},x\n".encode(), mapping=table, reason="test")
        for rejection in report.rejected:
            raise errors.ValidationError(rejection.reason, code=rejection.code)

    with KnowledgeBase.memory(**WHO) as kb:
        for way in (by_python, by_rdflib, by_document, by_table):
            with pytest.raises(errors.ValidationError) as caught:
                way(kb, EX + "%zz")
            assert caught.value.code in {"bad_iri", "syntax_error"}
            assert kb.stats().statements == (way is not by_python)
            way(kb, EX + "a%20b")
            assert [str(fact.subject) for fact in kb.at().facts()] == [EX + "a%20b"]
        assert kb.stats().statements == 1


@pytest.mark.quick
def test_old_data_without_a_date_is_not_from_today_by_any_way_in(tmp_path: Path) -> None:
    """B031."""
    for way in (_by_python, *WAYS_IN.values()):
        with KnowledgeBase.memory(**WHO) as kb:
            way(kb, "of no date", vocab.XSD_STRING, tmp_path)
            (statement,) = kb.history((ALICE, NOTE, "of no date"))
            assert (statement.valid_from, statement.valid_until) == (None, None)
            assert statement.recorded == kb.basis > datetime(2026, 1, 1, tzinfo=UTC)
            assert kb.at(valid_at="1066-10-14").count() == 1


@pytest.mark.quick
def test_a_reload_is_a_no_op_in_every_format_and_in_chunks(tmp_path: Path) -> None:
    """B042, B069: blank nodes included."""
    document = (
        f"<{ALICE}> <{NOTE}> [ <{EX}street> 'Mill Lane' ] , [ <{EX}street> 'Mill Lane' ] , _:b1 .\n"
        f"_:b1 <{EX}next> [] , <{EX}acme> ."
    ).encode()
    with KnowledgeBase.memory(**WHO) as kb:
        first = kb.load(document, format="turtle", reason="test")
        assert (first.read, first.stored) == (7, 7)
        before = kb.head(), kb.stats()
        graph = rdflib.Graph().parse(data=document, format="turtle")
        quads = ox.Dataset(ox.parse(document, ox.RdfFormat.TURTLE))
        again = [
            lambda: kb.load(document, format="turtle", reason="test"),
            lambda: kb.load(document, format="trig", reason="test", chunk=2),
            lambda: kb.load(graph, reason="test"),
            lambda: kb.load(
                graph.serialize(format="json-ld").encode(), format="jsonld", reason="x"
            ),
            lambda: kb.load(kb.export(view=kb.at(), format="nquads"), format="nquads", reason="x"),
            lambda: kb.load(kb.export(format="jsonld"), format="jsonld", reason="test"),
        ]
        for load in again:
            report = load()
            assert (report.stored, report.already_there) == (0, 7)
            assert (kb.head(), kb.stats()) == before
        with kb.transaction(reason="test") as tx:
            assert len(tx.extend(graph)) == len(tx.extend(quads)) == 7
        assert tx.receipt.is_empty
        restored = kb.export(view=kb.at(), format="turtle", blank_nodes="restore")
        assert rdflib.compare.isomorphic(
            graph, rdflib.Graph().parse(data=restored, format="turtle")
        )
        elsewhere = kb.load(document, format="turtle", source=iri(EX + "elsewhere"), reason="test")
        assert elsewhere.stored > 0
