"""
The one canonical form: what is compared and committed to is what the store gives back.

And what intake accepts, the store can read: a journaled line it cannot read would keep the base
from ever opening again.
"""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase, errors
from semantica_rdf.model import vocab
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.terms import Iri, Literal, iri, literal, term_of_ntriples
from semantica_rdf.store.canonical import canonical_text
from semantica_rdf.store.embedded import RdfStore

XSD_TYPES = (  # noqa: SIM905
    "string boolean decimal integer double float date time dateTime dateTimeStamp gYear gMonth gDay"
    " gYearMonth gMonthDay duration yearMonthDuration dayTimeDuration byte short int long"
    " unsignedByte unsignedShort unsignedInt unsignedLong positiveInteger nonNegativeInteger"
    " negativeInteger nonPositiveInteger hexBinary base64Binary anyURI language normalizedString"
    " token NMTOKEN Name NCName untypedAtomic"
).split()
OTHER_TYPES = (
    vocab.RDF + "HTML",
    vocab.RDF + "JSON",
    vocab.RDF + "XMLLiteral",
    "http://www.opengis.net/ont/geosparql#wktLiteral",
    "https://example.org/type",
    vocab.XSD + "nonesuch",
)
FORMS = (
    "", "0", "1", "01", "+1", "-0", "-1", "1.0", "1.10", ".5", "1.", "1e400", "1E5", "NaN", "INF",
    "-INF", "true", "1 ", " 1", "300", "9223372036854775808", "123456789012345678901234567890.5",
    "0.1234567890123456789", "2026-02-30", "2026-09-01", "2026-09-01Z", "2026-09-01+00:00",
    "2015-09-24-06:00", "-0012-11-29", "0000", "12024", "-0444", "2002", "2002-01", "--02-29",
    "---31", "--12", "12:00:00.000", "24:00:00", "12:00:00Z", "2026-09-01T00:00:00",
    "2026-09-01T00:00:00.100000Z", "2026-09-01T00:00:00+00:00", "2026-09-01T24:00:00Z",
    "2026-09-01T00:00:00-00:01", "2000-01-01T00:00:00+14:00", "2026-09-01T23:59:60Z", "P1Y13M",
    "PT60S", "P1D", "-P1M", "POINT(1 2)", "<b>x</b>", '{"a":1}', "0A", "0a", "YQ==", "a b", "\t",
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(FORMS),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.integers().map(str),
    st.floats().map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str),
    st.datetimes().map(lambda value: value.isoformat() + "Z"),
    st.dates().map(str),
)
datatypes = st.one_of(
    st.sampled_from([vocab.XSD + name for name in XSD_TYPES]), st.sampled_from(OTHER_TYPES)
)
literals = st.one_of(
    st.builds(lambda text, datatype: literal(text, datatype=datatype), texts, datatypes),
    st.builds(
        lambda text, tag: literal(text, lang=tag),
        texts,
        st.sampled_from(["en", "en-US", "de-ch-1996", "zh-Hant-TW", "x-private"]),
    ),
)


def canonical_or_none(term):
    """Return the canonical text, None for a term in the one zone that is refused."""
    try:
        return canonical_text(term)
    except errors.ValidationError as error:
        assert error.code == "zone_not_kept"  # noqa: PT017
        assert term.value.endswith("-00:01")
        return None


def round_trip(term):
    """Return the text of a term after being written as a line, read by a store, and dumped."""
    store = RdfStore.memory()
    node = "<urn:n>"
    store.add(f"{node} {node} {canonical_text(term)} .\n".encode())
    (line,) = store.lines()
    (quad,) = store
    assert line == f"{node} {node} {quad.object} .\n"
    return str(quad.object)


@pytest.mark.quick
@pytest.mark.parametrize("name", XSD_TYPES)
def test_the_canonical_text_of_every_type_is_what_the_store_reads_back(name):
    for form in FORMS:
        term = literal(form, datatype=vocab.XSD + name)
        text = canonical_or_none(term)
        if text is None:
            continue
        assert round_trip(term) == text
        again = term_of_ntriples(text)
        assert canonical_text(again) == text
        assert again.ntriples == text


@given(literals)
def test_the_canonical_text_of_any_literal_is_what_the_store_reads_back(term):
    text = canonical_or_none(term)
    if text is None:
        return
    assert round_trip(term) == text
    assert canonical_text(term_of_ntriples(text)) == text


def check_on_disk(terms, directory):
    """Check that a store on disk gives back the canonical texts of all these terms."""
    store = RdfStore.open(directory)
    wanted = {text for term in terms if (text := canonical_or_none(term)) is not None}
    store.add("".join(f"<urn:n> <urn:n> {text} .\n" for text in wanted).encode())
    assert {str(quad.object) for quad in store} == wanted
    assert set(store.lines()) == {f"<urn:n> <urn:n> {text} .\n" for text in wanted}
    store.close()


@pytest.mark.quick
def test_the_canonical_text_is_the_same_on_disk(tmp_path):
    forms = [*FORMS, "2015-00:01", "2015-02-03-00:01", "12:00:00-00:01", "--02-00:01"]
    terms = [literal(form, datatype=vocab.XSD + name) for name in XSD_TYPES for form in forms]
    check_on_disk(terms, tmp_path / "store")


@settings(max_examples=10)
@given(terms=st.lists(literals, min_size=50, max_size=200))
def test_the_canonical_text_of_any_literal_is_the_same_on_disk(terms, tmp_path_factory):
    check_on_disk(terms, tmp_path_factory.mktemp("canonical") / "store")


@pytest.mark.quick
def test_a_time_in_the_zone_the_store_loses_is_written_in_utc():
    minute = literal("2000-01-01T00:00:00-00:01", datatype="xsd:dateTime")
    naive = literal("2000-01-01T00:00:00", datatype="xsd:dateTime")
    assert term_of_ntriples(canonical_text(minute)).value == "2000-01-01T00:01:00Z"
    assert term_of_ntriples(canonical_text(naive)).value == "2000-01-01T00:00:00"
    assert canonical_or_none(literal("2000-01-01-00:01", datatype="xsd:date")) is None
    assert canonical_or_none(literal("2000-01-01-00:02", datatype="xsd:date")) is not None


@pytest.mark.quick
def test_spellings_of_one_value_are_one_term_and_other_values_are_not():
    def canonical(text, name):
        return canonical_text(literal(text, datatype=vocab.XSD + name))

    assert canonical("01", "integer") == canonical("1", "int") == canonical("+1", "byte")
    assert canonical("1.10", "decimal") == canonical("1.1", "decimal")
    assert canonical("1", "integer") != canonical("1.0", "decimal")
    zulu = "2026-09-01T00:00:00Z"
    assert canonical(zulu, "dateTime") == canonical("2026-09-01T00:00:00.000+00:00", "dateTime")
    assert canonical(zulu, "dateTime") != canonical(zulu[:-1], "dateTime")
    assert canonical(zulu[:-1], "dateTime") != canonical(zulu[:-1] + "-00:01", "dateTime")
    assert canonical_text(literal("chat", lang="en-US")) == canonical_text(
        literal("chat", lang="en-us")
    )


nasty = st.text(
    st.one_of(
        st.characters(max_codepoint=0x2FF),
        st.sampled_from(
            '\u2028\ufeff\ufffe\uffff\ue000\U000e0001\U0010ffff\ud800<>"{}|\\^`% #[]:/?@'
        ),
    ),
    max_size=10,
)


def accepted(build):
    try:
        return build()
    except errors.CallerError:
        return None


@given(nasty, nasty, nasty, nasty, nasty)
def test_whatever_intake_accepts_the_store_reads_back_and_verifies(one, two, three, four, five):
    kb = KnowledgeBase.memory(agent="https://example.org/ann", source="https://example.org/hr")
    values = {
        "subject": accepted(lambda: iri("urn:" + one)) or "urn:a",
        "predicate": accepted(lambda: iri("https://example.org/" + two)) or "urn:p",
        "graph": accepted(lambda: iri("tag:x" + three)),
        "object": accepted(lambda: literal(four)) or accepted(lambda: iri("a:" + four)) or 1,
    }
    draft = Draft(**values, support_id=five or None)
    reason = accepted(lambda: kb.transaction(reason=five)) and five
    with kb.transaction(reason=reason or "law") as tx:
        made = accepted(lambda: tx.admit(draft))
    if made is not None:
        (version,) = kb.history(made.id)
        assert version.support_id == (five or None)
        assert str(version.subject) == str(values["subject"])
        assert kb.at().count() == 1
    assert kb.verify().ok
    kb.close()


@pytest.mark.quick
@pytest.mark.parametrize("term", [Iri("https://example.org/a"), Literal('a"\n\\')])
def test_what_the_store_does_not_rewrite_keeps_its_text(term):
    assert canonical_text(term) == term.ntriples == round_trip(term)


@pytest.mark.quick
def test_the_store_gives_back_what_pyoxigraph_writes_for_every_character():
    text = "".join(chr(code) for code in (*range(0xD800), *range(0xE000, 0x11000, 7)))
    assert term_of_ntriples(round_trip(Literal(text))).value == text
    assert str(ox.Literal(text)) == Literal(text).ntriples
