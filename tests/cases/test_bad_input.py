"""Bad input of every kind is refused with its class and code, and changes nothing."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
import rdflib
from cases.bad_claims import (
    ACME,
    ALICE,
    BAD_TIMES,
    BOB,
    BOLT,
    CASES,
    EX,
    HR,
    NOTE,
    WORKS_FOR,
    Case,
    seed,
)
from cases.bad_documents import DOCUMENTS, GOOD_TURTLE, HEADER, MAPPING, ROWS, BadDocument

from semantica_rdf import KnowledgeBase, errors, iri, literal

ERRORS_PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
SEVERAL_STEPS = {
    "retract twice",
    "withdraw twice",
    "revise into another statement",
    "extend by good and bad",
}


def refused(kind, code):
    """Expect exactly this class and code, from intake or from a shape, with a printable message."""

    def fits(error):
        by_shape = type(error) is errors.ShapeViolation and error.report.results
        found = errors.ValidationError if by_shape else type(error)
        assert (found, error.code) == (kind, code)
        return bool(str(error).encode())

    return pytest.raises(kind, check=fits)


def state(kb: KnowledgeBase):
    return kb.head(), kb.stats(), dict(kb.prefixes)


@pytest.fixture
def seeded(kb: KnowledgeBase) -> KnowledgeBase:
    seed(kb)
    return kb


@pytest.mark.quick
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_is_refused_and_changes_nothing_and_its_neighbour_is_taken(
    seeded: KnowledgeBase, case: Case
) -> None:
    before = state(seeded)
    with refused(case.kind, case.code), seeded.transaction(reason="test") as tx:
        case.bad(tx)
    assert state(seeded) == before
    with seeded.transaction(reason="test") as tx:
        case.good(tx)
    assert seeded.head() != before[0]
    assert seeded.verify().ok


@pytest.mark.quick
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name not in SEVERAL_STEPS], ids=lambda case: case.name
)
def test_what_is_refused_inside_a_transaction_leaves_the_rest_of_it_alone(
    seeded: KnowledgeBase, case: Case
) -> None:
    with seeded.transaction(reason="test") as tx:
        kept = tx.assert_(BOB, NOTE, "kept")
        with refused(case.kind, case.code):
            case.bad(tx)
    assert (tx.receipt.statements, tx.receipt.superseded) == ((kept,), ())
    assert seeded.verify().ok


@pytest.mark.quick
def test_every_code_met_here_is_documented() -> None:
    page = ERRORS_PAGE.read_text(encoding="utf-8")
    codes = {case.code for case in CASES} | {document.code for document in DOCUMENTS}
    assert {code for code in codes if f"`{code}`" not in page} == set()
    assert "`made_up_code`" not in page


@pytest.mark.quick
@pytest.mark.parametrize("name", BAD_TIMES)
def test_a_bad_time_is_refused_alike_wherever_a_time_may_stand(
    seeded: KnowledgeBase, name: str
) -> None:
    bad, code, good = BAD_TIMES[name]
    before = state(seeded)
    kind = errors.TemporalValidationError
    for axis in ("valid_at", "known_at"):
        with refused(kind, code):
            seeded.at(**{axis: bad})
        assert seeded.at(**{axis: good}).count() >= 0
    with seeded.transaction(reason="test") as tx:
        for act in (
            lambda: tx.assert_(BOB, NOTE, "x", valid_from=bad),
            lambda: tx.assert_(BOB, NOTE, "x", valid_until=bad, date_end="inclusive"),
            lambda: tx.assert_(BOB, NOTE, "x", valid_during=bad),
            lambda: tx.propose(BOB, NOTE, "x", source_recorded_at=bad),
            lambda: tx.replace(ALICE, WORKS_FOR, BOLT, valid_from=bad),
            lambda: tx.extend([(BOB, NOTE, "x")], valid_until=bad),
            lambda: tx.revise("open", valid_until=bad),
            lambda: tx.retract("open", valid_until=bad),
        ):
            with refused(kind, code):
                act()
    report = seeded.load(GOOD_TURTLE, format="turtle", reason="test", valid_from=bad)
    assert report.rejected_by_code == {code: 1}
    assert state(seeded) == before


TRANSACTIONS = {
    "no reason": ({"reason": ""}, errors.ValidationError, "missing_reason"),
    "a blank reason": ({"reason": "  "}, errors.ValidationError, "missing_reason"),
    "a reason that is no text": ({"reason": 7}, errors.ValidationError, "missing_reason"),
    "a reason nobody can write down": ({"reason": "\ud800"}, errors.ValidationError, "bad_reason"),
    "an endless reason": ({"reason": "x" * 70_000}, errors.ValidationError, "bad_reason"),
    "another reason code": (
        {"reason_code": "because"},
        errors.UnknownFilter,
        "unknown_reason_code",
    ),
    "another operation": ({"operation": "purge"}, errors.UnknownFilter, "unknown_operation"),
    "an empty namespace": ({"namespace": ""}, errors.ValidationError, "bad_namespace"),
    "a namespace in capitals": ({"namespace": "HR"}, errors.ValidationError, "bad_namespace"),
    "a namespace with a slash": ({"namespace": "../hr"}, errors.ValidationError, "bad_namespace"),
    "a namespace of two words": ({"namespace": "h r"}, errors.ValidationError, "bad_namespace"),
    "an endless namespace": ({"namespace": "x" * 65}, errors.ValidationError, "bad_namespace"),
    "a namespace that is no text": ({"namespace": 7}, errors.ValidationError, "bad_namespace"),
    "an empty reference": ({"reference": ""}, errors.ValidationError, "bad_reference"),
    "a reference that is no text": ({"reference": 7}, errors.ValidationError, "bad_reference"),
    "an endless reference": ({"reference": "x" * 1025}, errors.ValidationError, "bad_reference"),
    "an agent that is a name": ({"agent": "Ann"}, errors.UnknownPrefix, "unknown_prefix"),
    "an agent that is a literal": (
        {"agent": literal("Ann")},
        errors.ValidationError,
        "not_an_iri",
    ),
    "an agent that is blank": ({"agent": rdflib.BNode()}, errors.ValidationError, "blank_node"),
    "a source with a blank": ({"source": EX + "h r"}, errors.ValidationError, "bad_iri"),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", TRANSACTIONS)
def test_a_transaction_that_says_who_or_why_badly_is_not_opened(
    seeded: KnowledgeBase, name: str
) -> None:
    given, kind, code = TRANSACTIONS[name]
    before = state(seeded)
    with refused(kind, code):
        seeded.transaction(**({"reason": "test"} | given))
    assert state(seeded) == before
    good = {
        "reason": "x" * 60_000,
        "reason_code": "correction",
        "namespace": "hr-2",
        "reference": "batch 7",
        "agent": iri(EX + "ann"),
        "source": "ex:hr",
    }
    with seeded.transaction(**good) as tx:
        tx.assert_(BOB, NOTE, "x")
    assert tx.receipt.reference == "batch 7"
    assert seeded.verify().ok


@pytest.mark.quick
def test_who_and_whence_are_asked_for_when_nobody_gave_them() -> None:
    with KnowledgeBase.memory() as kb:
        with refused(errors.ValidationError, "missing_agent"):
            kb.transaction(reason="test")
        with (
            refused(errors.ValidationError, "missing_source"),
            kb.transaction(reason="test", agent=EX + "ann") as tx,
        ):
            tx.assert_(BOB, NOTE, "x")
        assert kb.stats().statements == 0
        with kb.transaction(reason="test", agent=EX + "ann") as tx:
            tx.assert_(BOB, NOTE, "x", source=HR)
        assert kb.stats().statements == 1


@pytest.mark.quick
def test_a_transaction_is_not_opened_inside_another(seeded: KnowledgeBase) -> None:
    with seeded.transaction(reason="outer") as outer:
        outer.assert_(BOB, NOTE, "outer")
        with (
            refused(errors.ValidationError, "nested_transaction"),
            seeded.transaction(reason="inner") as inner,
        ):
            inner.assert_(BOB, NOTE, "inner")
        with refused(errors.ValidationError, "nested_transaction"):
            seeded.load(GOOD_TURTLE, format="turtle", reason="inner")
        with refused(errors.ValidationError, "transaction_open"):
            seeded.close()
    assert {str(fact.object) for fact in seeded.at().facts(BOB)} == {"outer"}
    with seeded.transaction(reason="after") as after:
        after.assert_(BOB, NOTE, "inner")
    assert {str(fact.object) for fact in seeded.at().facts(BOB)} == {"inner", "outer"}


@pytest.mark.quick
def test_a_transaction_is_not_used_outside_its_block(seeded: KnowledgeBase) -> None:
    tx = seeded.transaction(reason="test")
    before = state(seeded)

    def used() -> list:
        return [
            lambda: tx.assert_(BOB, NOTE, "x"),
            lambda: tx.propose(BOB, NOTE, "x"),
            lambda: tx.retract("open"),
            lambda: tx.withdraw("open"),
            lambda: tx.revise("open", object=BOLT),
            lambda: tx.replace(ALICE, WORKS_FOR, BOLT),
            lambda: tx.dispute("open"),
            lambda: tx.extend([(BOB, NOTE, "x")]),
            lambda: tx.statements(ALICE, WORKS_FOR, ACME),
        ]

    for act in used():
        with refused(errors.ValidationError, "transaction_closed"):
            act()
    with refused(errors.NotFound, "no_receipt"):
        _ = tx.receipt
    assert state(seeded) == before
    with tx:
        tx.assert_(BOB, NOTE, "x")
    after = state(seeded)
    for act in used():
        with refused(errors.ValidationError, "transaction_closed"):
            act()
    with refused(errors.ValidationError, "transaction_closed"), tx:
        pass
    assert state(seeded) == after != before


@pytest.mark.quick
def test_a_misspelt_keyword_is_an_error_and_never_means_absent(seeded: KnowledgeBase) -> None:
    before = state(seeded)
    with seeded.transaction(reason="test") as tx:
        for act in (
            lambda: tx.assert_(BOB, NOTE, "x", valid_form="2026"),
            lambda: tx.retract(sorce=HR),
            lambda: tx.withdraw(user="u1"),
            lambda: tx.revise("open", valid_untill="2026"),
        ):
            with pytest.raises(TypeError, match="unexpected keyword"):
                act()
    with pytest.raises(TypeError, match="unexpected keyword"):
        seeded.at(valid="2026")
    assert state(seeded) == before


@pytest.mark.quick
@pytest.mark.parametrize(
    ("target", "kind", "code"),
    [
        (None, errors.ValidationError, "bad_target"),
        (7, errors.ValidationError, "bad_target"),
        ((), errors.ValidationError, "bad_target"),
        ({}, errors.ValidationError, "bad_target"),
        ((ALICE, "nope:x", ACME), errors.UnknownPrefix, "unknown_prefix"),
        ((ALICE, WORKS_FOR, EX + "acme"), errors.AmbiguousTerm, "ambiguous_term"),
        ("", errors.NotFound, "not_found"),
        ("nope", errors.NotFound, "not_found"),
        ("99-1", errors.NotFound, "not_found"),
    ],
)
def test_a_history_of_nothing_is_an_error_and_no_empty_list(
    seeded: KnowledgeBase, target: object, kind: type[errors.SemanticaError], code: str
) -> None:
    with refused(kind, code):
        seeded.history(target)
    assert seeded.history("gone")


@pytest.mark.quick
def test_a_superseded_id_means_the_open_version_of_its_family(seeded: KnowledgeBase) -> None:
    first = seeded.history("open")[0].id
    with seeded.transaction(reason="test") as tx:
        second = tx.revise("open", valid_from="2021")
    with seeded.transaction(reason="test") as tx:
        third = tx.revise(first, valid_from="2022")
    assert [item.id for item in seeded.history(first)] == [first, second, third]
    assert [item.is_open for item in seeded.history(second)] == [False, False, True]


@pytest.mark.quick
def test_a_statement_of_another_namespace_is_out_of_reach(seeded: KnowledgeBase) -> None:
    statement = seeded.history("open")[0].id
    before = state(seeded)
    with (
        refused(errors.NotFound, "other_namespace"),
        seeded.transaction(reason="test", namespace="other") as tx,
    ):
        tx.withdraw(statement)
    assert state(seeded) == before
    with seeded.transaction(reason="test") as tx:
        assert tx.withdraw(statement) == [statement]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("prefix", "namespace", "code"),
    [
        ("e x", EX, "bad_prefix"),
        ("1x", EX, "bad_prefix"),
        ("ex:", EX, "bad_prefix"),
        ("srdf", EX, "reserved_prefix"),
        ("new", "example.org", "bad_iri"),
        ("new", EX + "a b/", "bad_iri"),
    ],
)
def test_a_bad_prefix_is_not_bound(
    seeded: KnowledgeBase, prefix: str, namespace: str, code: str
) -> None:
    before = state(seeded)
    with refused(errors.ValidationError, code):
        seeded.prefixes.bind(prefix, namespace)
    assert state(seeded) == before
    seeded.prefixes.bind("new", EX)
    assert seeded.at().facts("new:alice", "new:worksFor")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list:
    """Note every attempt to connect anywhere, and refuse it."""
    attempts: list = []

    def connect(self, address):
        attempts.append(address)
        raise OSError(address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    return attempts


@pytest.mark.quick
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_bad_document_is_refused_whole_and_its_neighbour_loads(
    seeded: KnowledgeBase, no_network: list, document: BadDocument
) -> None:
    before = state(seeded)
    with refused(document.kind, document.code):
        seeded.load(document.bad, format=document.format, reason="test")
    assert state(seeded) == before
    format_ = "turtle" if document.code in {"unknown_format", "mapping_required"} else None
    report = seeded.load(document.good, format=format_ or document.format, reason="test")
    assert (report.stored, report.rejected) == (report.read, ())
    assert report.stored > 0
    assert no_network == []
    assert seeded.verify().ok


@pytest.mark.quick
@pytest.mark.parametrize(
    ("format_", "content"),
    [
        ("turtle", b""),
        ("turtle", b" \n# only a comment\n"),
        ("turtle", b"\xef\xbb\xbf"),
        ("trig", b"# only a comment"),
        ("ntriples", b"\n\n"),
        ("nquads", b"# only a comment\r\n"),
        ("jsonld", b"  "),
    ],
)
def test_an_empty_document_is_no_error_and_no_transaction(
    seeded: KnowledgeBase, format_: str, content: bytes
) -> None:
    before = state(seeded)
    report = seeded.load(content, format=format_, reason="test")
    assert (report.read, report.stored, report.receipts) == (0, 0, ())
    assert report.ok
    assert state(seeded) == before


@pytest.mark.quick
def test_files_that_are_none_are_refused(seeded: KnowledgeBase, tmp_path: Path) -> None:
    before = state(seeded)
    with refused(errors.NotFound, "no_file"):
        seeded.load(tmp_path / "nothing.ttl", reason="test")
    with refused(errors.NotFound, "no_file"):
        seeded.load(GOOD_TURTLE.decode(), format="turtle", reason="test")
    with refused(errors.ValidationError, "not_a_file"):
        seeded.load(tmp_path, reason="test")
    with refused(errors.ValidationError, "not_a_file"):
        seeded.load("a\0b.ttl", reason="test")
    with refused(errors.ValidationError, "unsupported_document"):
        seeded.load(7, format="turtle", reason="test")
    path = tmp_path / "facts.data"
    path.write_bytes(GOOD_TURTLE)
    with refused(errors.ValidationError, "unknown_format"):
        seeded.load(path, reason="test")
    for chunk in (0, -1, 1.5, True):
        with refused(errors.ValidationError, "bad_chunk"):
            seeded.load(path, format="turtle", reason="test", chunk=chunk)
    assert state(seeded) == before
    assert seeded.load(path, format="turtle", reason="test").stored == 1


@pytest.mark.quick
def test_statements_the_ledger_refuses_are_rejected_with_their_place_and_the_rest_is_stored(
    seeded: KnowledgeBase,
) -> None:
    content = (
        b"@prefix srdf: <https://w3id.org/semantica-rdf/ns#> .\n"
        b'<http://e/a> <http://e/p> "one" ;\n srdf:validFrom "2026" ;\n'
        b' <http://e/p> "three"@ar--rtl, "four"@ar .\n'
    )
    report = seeded.load(content, format="turtle", reason="test")
    assert (report.read, report.stored) == (4, 2)
    assert [(item.line, item.code) for item in report.rejected] == [
        (2, "reserved_term"),
        (3, "unsupported_term"),
    ]
    only_bad = b'<http://e/a> <https://w3id.org/semantica-rdf/ns#validFrom> "2026" .'
    before = state(seeded)
    report = seeded.load(only_bad, format="turtle", reason="test")
    assert not report.ok
    assert state(seeded) == before


@pytest.mark.quick
def test_each_bad_row_of_a_table_is_rejected_with_its_line_and_the_others_are_stored(
    seeded: KnowledgeBase,
) -> None:
    table = "\n".join([HEADER, *(row for row, _ in ROWS)]).encode()
    report = seeded.load(table, mapping=MAPPING, reason="test")
    expected = [(line, code) for line, (_, code) in enumerate(ROWS, 2) if code is not None]
    assert [(item.line, item.code) for item in report.rejected] == expected
    assert report.read == len(ROWS)
    assert report.stored == len(ROWS) - len(expected)
    assert len(seeded.at(valid_at="2020-06-01").facts(predicate="http://e/likes")) == report.stored
    assert seeded.verify().ok


MAPPINGS = {
    "no mapping": (EX, errors.NotFound, "no_file"),
    "no TOML": (b"[format", errors.ValidationError, "bad_mapping"),
    "an unknown section": ({"windows": {}}, errors.UnknownFilter, "unknown_filter"),
    "an unknown key": (
        {"window": {"form": "since"}},
        errors.UnknownFilter,
        "unknown_filter",
    ),
    "a column the table lacks": (
        {"object": {"column": "whta"}},
        errors.ValidationError,
        "unknown_column",
    ),
    "a base that is no IRI": (
        {"subject": {"column": "who", "base": "people/"}},
        errors.ValidationError,
        "bad_mapping",
    ),
    "another kind of end": (
        {"window": {"until": "until", "date_end": "last"}},
        errors.ValidationError,
        "bad_mapping",
    ),
    "a language with an underscore": (
        {"object": {"column": "what", "language": "en_US"}},
        errors.ValidationError,
        "bad_mapping",
    ),
    "an encoding nobody knows": (
        {"format": {"kind": "csv", "encoding": "utf-9"}},
        errors.ValidationError,
        "bad_mapping",
    ),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", MAPPINGS)
def test_a_bad_mapping_is_refused_before_anything_is_read(seeded: KnowledgeBase, name: str) -> None:
    changed, kind, code = MAPPINGS[name]
    mapping = MAPPING | changed if isinstance(changed, dict) else changed
    table = f"{HEADER}\n{ROWS[0][0]}\n".encode()
    before = state(seeded)
    with refused(kind, code):
        seeded.load(table, mapping=mapping, reason="test")
    assert state(seeded) == before
    assert seeded.load(table, mapping=MAPPING, reason="test").stored == 1


TABLES = {
    "latin-1": (f"{HEADER}\nann,likes,caf\xe9\n".encode("latin-1"), "bad_encoding"),
    "UTF-16": (f"{HEADER}\nann,likes,tea\n".encode("utf-16"), "bad_encoding"),
    "an open quote": (f'{HEADER}\nann,likes,"tea\n'.encode(), "syntax_error"),
    "a stray quote": (f'{HEADER}\nann,likes,"tea" time\n'.encode(), "syntax_error"),
    "only a header": (f"{HEADER}\n".encode(), "nothing_read"),
    "another header": (b"who,does\nann,likes\n", "unknown_column"),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_cannot_be_trusted_is_refused_whole(seeded: KnowledgeBase, name: str) -> None:
    content, code = TABLES[name]
    before = state(seeded)
    with refused(errors.ValidationError, code):
        seeded.load(content, mapping=MAPPING, reason="test")
    assert state(seeded) == before
    good = f'{HEADER}\nann,likes,"caf\xe9, ""tea"" time"\n'.encode()
    assert seeded.load(good, mapping=MAPPING, reason="test").stored == 1
    assert seeded.at().facts(object='caf\xe9, "tea" time')
