"""
What JSON-LD drops without a word is named: held against the parser itself, and against pyld.

Every text of a generated document is a word of its own; a word that stands in no statement must be
part of a named loss, and the other way round.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import count
from typing import Any

import pyld.jsonld
import pyoxigraph as ox
import pytest
from hypothesis import assume, example, given, target
from hypothesis import strategies as st
from loading.recording import Recorder

from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.json_ld_losses import MAX_NAMED, Loss, losses

BASE = "http://base.example/d/e"
WORD = re.compile(r"w\d+w")


def warnings(document: Any, **options: Any) -> tuple[str, ...]:
    """Return the warnings of loading a document beside one statement that is good."""
    good = {"@context": None, "@id": "http://good/", "http://good/p": "good"}
    whole = [good, document]
    base = Recorder()
    report = base.load(json.dumps(whole).encode(), format="jsonld", **options)
    assert ("http://good/", "http://good/p", "good") in base.triples
    return report.warnings


NAMED = {
    "unmapped": ({"@id": "http://e/a", "nam": "x"}, "the key 'nam' is mapped by no context"),
    "null term": ({"@context": {"z": None}, "@id": "http://e/a", "z": 1}, "'z' is mapped to null"),
    "null in spite of a vocabulary": (
        {"@context": {"@vocab": "http://v/", "z": None}, "@id": "http://e/a", "z": 1},
        "'z' is mapped to null",
    ),
    "a blank as predicate": ({"@id": "http://e/a", "_:p": 1}, "the key '_:p' makes no IRI"),
    "a bad predicate": ({"@id": "http://e/a", "http://e/a b": 1}, "'http://e/a b' makes no IRI"),
    "no keyword": ({"@id": "http://e/a", "@foo": 1}, "'@foo' is no keyword"),
    "free values": ({"@graph": ["x", {"@value": "y"}]}, "outside of any node are dropped (2 times)"),
    "a free list": ({"@list": ["x"]}, "outside of any node"),
    "a relative node": ({"@id": "rel", "http://e/p": 1}, "the node 'rel' has no valid IRI"),
    "a bad node": ({"@id": "http://e/a b", "http://e/p": 1}, "the node 'http://e/a b'"),
    "a relative reference": (
        {"@context": {"m": {"@id": "http://e/m", "@type": "@id"}}, "@id": "http://e/a", "m": "rel"},
        "the reference 'rel' makes no valid IRI",
    ),
    "a relative type": ({"@id": "http://e/a", "@type": "T"}, "the type 'T' makes no valid IRI"),
    "a bad language": (
        {"@id": "http://e/a", "http://e/p": {"@value": "x", "@language": "en_US"}},
        "the language 'en_US' is no language tag",
    ),
    "a bad default language": (
        {"@context": {"@language": "e_e"}, "@id": "http://e/a", "http://e/p": "x"},
        "the language 'e_e'",
    ),
    "an index": ({"@id": "http://e/a", "@index": "i", "http://e/p": 1}, "the index 'i' says nothing"),
    "an index map": (
        {"@context": {"m": {"@id": "http://e/m", "@container": "@index"}}, "@id": "http://e/a",
         "m": {"k": "x"}},
        "the index 'k'",
    ),
    "a direction": (
        {"@id": "http://e/a", "http://e/p": {"@value": "x", "@direction": "rtl"}},
        "the direction 'rtl'",
    ),
    "inside a reverse": (
        {"@id": "http://e/a", "@reverse": {"q": {"@id": "http://e/b"}}},
        "the key 'q' is mapped by no context",
    ),
    "out of the scope of a type": (
        {"@context": {"T": {"@id": "http://e/T", "@context": {"q": "http://e/q"}}},
         "@id": "http://e/a", "@type": "T", "q": {"http://e/p": {"q": 1}}},
        "the key 'q' is mapped by no context and is dropped (1 times)",
    ),
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("name", NAMED)
def test_what_vanishes_is_named_and_counted(name: str) -> None:
    document, wanted = NAMED[name]
    found = warnings(document)
    assert len(found) == 1, found
    assert wanted in found[0]
    assert re.search(r"\(\d+ times\)$", found[0])


KEPT = {
    "mapped": {"@context": {"n": "http://e/n"}, "@id": "http://e/a", "n": "x"},
    "by vocabulary": {"@context": {"@vocab": "http://v/"}, "@id": "http://e/a", "n": "x"},
    "nulls and empty lists": {"@id": "http://e/a", "q": None, "r": [], "http://e/p": [None, 1]},
    "aliases": {"@context": {"id": "@id", "is": "@type"}, "id": "http://e/a", "is": "http://e/T"},
    "JSON": {"@id": "http://e/a", "http://e/p": {"@type": "@json", "@value": {"q": {"r": 1}}}},
    "JSON by its term": {
        "@context": {"j": {"@id": "http://e/j", "@type": "@json"}}, "@id": "http://e/a", "j": {"q": 1},
    },
    "languages": {
        "@context": {"l": {"@id": "http://e/l", "@container": "@language"}}, "@id": "http://e/a",
        "l": {"en": ["x", None], "@none": "y", "de": None},
    },
    "ids as keys": {
        "@context": {"i": {"@id": "http://e/i", "@container": "@id"}}, "@id": "http://e/a",
        "i": {"http://e/b": {"http://e/p": 1}},
    },
    "an index that is a property": {
        "@context": {"i": {"@id": "http://e/i", "@container": "@index", "@index": "http://e/x"}},
        "@id": "http://e/a", "i": {"k": {"@id": "http://e/b"}},
    },
    "nests": {"@context": {"n": "@nest", "p": "http://e/p"}, "@id": "http://e/a", "n": {"p": 1}},
    "scoped by a property": {
        "@context": {"p": {"@id": "http://e/p", "@context": {"q": "http://e/q"}}},
        "@id": "http://e/a", "p": {"q": {"q": 1}},
    },
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_is_not_warned_of(name: str) -> None:
    assert warnings(KEPT[name]) == ()


def test_a_source_is_the_base_of_what_is_relative() -> None:
    document = {"@id": "rel", "@type": "T", "http://e/p": {"@id": "other"}}
    assert len(warnings(document)) == 2
    assert warnings(document, source=BASE) == ()


def test_very_many_names_are_counted_not_listed() -> None:
    found = warnings({"@id": "http://e/a", **{f"k{n}": n for n in range(MAX_NAMED + 50)}})
    assert len(found) == MAX_NAMED + 1
    assert found[-1] == "50 more names are dropped (50 times)"


def test_a_property_that_stands_twice_keeps_both_values_beside_our_context() -> None:
    address = '"@context": "https://w3id.org/semantica-rdf/context.jsonld"'
    text = '{%s, "@id": "http://e/a", "http://e/p": "x", "http://e/p": ["y", "z"]%s}'
    base = Recorder()
    assert base.load((text % (address, "")).encode(), format="jsonld").stored == 3
    with pytest.raises(ValidationError, match="'@id' stands twice"):
        base.load((text % (address, ', "@id": "http://e/b"')).encode(), format="jsonld")


def test_a_syntax_error_names_line_and_column() -> None:
    with pytest.raises(ValidationError, match=r"line 2, column 7: Expecting"):
        Recorder().load(b'{"@id":\n  "a",,}', format="jsonld")


KILLERS = [
    ({"g": {"@id": "http://e/g", "@container": "@graph"}}, {"g": {"@list": ["x"]}}),
    ({"g": {"@id": "http://e/g", "@container": ["@graph", "@id"]}}, {"g": {"http://e/k": {"@set": []}}}),
    ({"g": {"@id": "http://e/g", "@container": "@graph"}, "l": "@list"}, {"g": [{"l": []}]}),
    ({"g": {"@id": "http://e/g", "@container": ["@graph", "@set"]}, "l": {"@id": "@set"}},
     {"g": {"l": [{"@id": "http://e/b"}]}}),
    ({"h": {"@id": "http://e/h", "@context": {"g": {"@id": "http://e/g", "@container": ["@index", "@graph"]}}}},
     {"h": {"g": {"k": {"@list": []}}}}),
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(("context", "node"), KILLERS)
def test_what_would_end_the_process_is_refused_before_it_is_parsed(context: Any, node: Any) -> None:
    base = Recorder()
    document = {"@context": context, "@id": "http://e/a", **node}
    with pytest.raises(ValidationError) as refused:
        base.load(json.dumps(document).encode(), format="jsonld")
    assert refused.value.code == "parser_limit"
    for text in (json.dumps(document) + "x", json.dumps([document])[:-1]):
        with pytest.raises(ValidationError) as broken:
            base.load(text.encode(), format="jsonld")
        assert broken.value.code == "syntax_error"
    good = {name: term for name, term in context.items() if name != "l"}
    graph = {"@context": good, "@id": "http://e/a", "g": {"http://e/p": "x"}, "http://e/p": "x"}
    assert base.load(json.dumps(graph).encode(), format="jsonld").stored >= 1


OF_A_TYPE = {"T": {"@id": "http://e/T", "@context": {"q": "http://e/q"}}}
FORGETTERS = [
    ({**OF_A_TYPE, "n": "@nest"}, {"@type": "T", "n": {"q": "w1w"}}),
    (OF_A_TYPE, {"@type": "T", "@nest": {"q": "w1w"}}),
    ({"n": {"@id": "@nest"}, "q": "http://e/q", "@propagate": False}, {"n": {"q": "w1w"}}),
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(("context", "node"), FORGETTERS)
def test_what_the_parser_would_forget_in_a_nest_is_refused(context: Any, node: Any) -> None:
    document = json.dumps({"@context": context, "@id": "http://e/a", **node}).encode()
    expanded = pyld.jsonld.expand(json.loads(document), {"processingMode": "json-ld-1.1"})
    parsed = " ".join(map(str, ox.parse(document, format=ox.RdfFormat.JSON_LD)))
    assert words(expanded) == {"w1w"}, "the algorithm keeps it"
    assert not WORD.findall(parsed), "once the parser keeps it, the refusal can go"
    with pytest.raises(ValidationError) as refused:
        Recorder().load(document, format="jsonld")
    assert refused.value.code == "parser_limit"
    plain = {"@context": {"q": "http://e/q", "n": "@nest"}, "@id": "http://e/a", "n": {"q": "w1w"}}
    base = Recorder()
    assert base.load(json.dumps(plain).encode(), format="jsonld").stored == 1
    assert ("http://e/a", "http://e/q", "w1w") in base.triples


TERMS = ["a", "b", "c", "d"]
DEFINITIONS: list[Any] = [
    "http://e/x", "e:y", "b", None, {"@id": None}, "@type", "_:x",
    {"@id": "http://e/i", "@type": "@id"},
    {"@id": "e:v", "@type": "@vocab"},
    {"@id": "http://e/d", "@type": "http://e/datatype"},
    {"@id": "http://e/n", "@type": "@none"},
    {"@id": "http://e/j", "@type": "@json"},
    *({"@id": f"http://e/{at}", "@container": kind} for at, kind in enumerate(
        ["@set", "@list", "@language", "@index", "@id", "@type", "@graph", ["@graph", "@id"],
         ["@graph", "@index"], ["@index", "@set"]])),
    {"@reverse": "http://e/r"},
]  # fmt: skip


def contexts(scoped: st.SearchStrategy[Any] | None) -> st.SearchStrategy[Any]:
    """Return contexts, whose terms scope contexts where `scoped` is given."""
    definition = st.sampled_from(DEFINITIONS)
    if scoped is not None:
        scoping = st.builds(lambda scope: {"@id": "http://e/s", "@context": scope}, scoped)
        definition = st.one_of(definition, scoping)
    return st.builds(
        lambda terms, vocabulary, extra: {"e": "http://e/", **terms, **vocabulary, **extra},
        st.dictionaries(st.sampled_from(TERMS), definition, max_size=4),
        st.sampled_from([{}, {}, {"@vocab": "http://v/"}, {"@vocab": None}, {"@vocab": "e:v/"}]),
        st.sampled_from(
            [{}, {}, {}, {"@propagate": False}, {"@base": "http://b/"}, {"@base": None}]
        ),
    )


FLAT = contexts(None)
SCOPED = contexts(st.one_of(st.none(), FLAT))
DEEP = contexts(st.one_of(st.none(), SCOPED))
KEYS = st.sampled_from([*TERMS, *TERMS, "e:k", "u:k", "http://e/k", "rel/k", "@foo", "k", "_:k"])
IDS = st.sampled_from(["http://e/1", "http://e/2", "_:n", "rel", "e:3", "a", "http://e/a b"])
LEAVES = st.one_of(
    st.just("WORD"),
    st.just("WORD"),
    st.none(),
    st.just({"@value": "WORD"}),
    st.sampled_from(
        [{"@value": "WORD", "@language": "en"}, {"@value": "WORD", "@language": "e_n"}]
    ),
)


def nodes(values: st.SearchStrategy[Any], inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return nodes, lists and sets of values; some nodes have a context of their own."""
    plain = st.dictionaries(KEYS, values, max_size=3)
    keywords = st.fixed_dictionaries(
        {},
        optional={
            "@id": IDS,
            "@type": st.sampled_from(["WORD", "a", ["b", "WORD"], "http://e/T"]),
            "@context": st.one_of(st.none(), inner),
            "@graph": st.lists(values, max_size=2),
            "@reverse": plain,
            "@index": st.just("index"),
        },
    )
    return st.one_of(
        st.builds(lambda one, other: {**one, **other}, keywords, plain),
        plain,
        st.lists(values, max_size=2),
        st.builds(lambda items: {"@list": items}, st.lists(values, max_size=2)),
        st.builds(lambda items: {"@set": items}, st.lists(values, max_size=2)),
    )


def documents(context: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return documents whose contexts are of one kind."""
    values = st.recursive(LEAVES, lambda inner: nodes(inner, context), max_leaves=8)
    return st.builds(
        lambda outer, node: (
            {"@context": outer, "@graph": node}
            if isinstance(node, list)
            else {"@context": outer, **node}
        ),
        context,
        values.filter(lambda value: isinstance(value, dict | list)),
    )


def is_read_well(document: Any) -> bool:
    """
    Tell whether the parser can be held to a document.

    Lists beside graph containers end the process, and are refused before. (Nests are not generated:
    the parser forgets the context of their node's types, and loses some under `@propagate`.)
    """
    text = json.dumps(document)
    kills = re.search(r'"@container": (\["@graph"|"@graph")', text) and re.search(
        '"@(list|set)":', text
    )
    return not kills


def worded(value: Any, numbers: Any) -> Any:
    """Return the document with every word made one of its own."""
    if isinstance(value, str):
        return value.replace("WORD", f"w{next(numbers)}w")
    if isinstance(value, list):
        return [worded(item, numbers) for item in value]
    if isinstance(value, dict):
        return {key: worded(item, numbers) for key, item in value.items()}
    return value


def words(value: Any) -> set[str]:
    return set(WORD.findall(json.dumps(value)))


def lost_words(found: list[Loss]) -> set[str]:
    return set().union(*(words(loss.content) for loss in found)) if found else set()


def has_list(value: Any) -> bool:
    """Tell whether there is a list: the parser keeps those of what is dropped, hanging on nothing."""
    return "@list" in json.dumps(value)


TURNED_TWICE = {"@context": {"a": {"@reverse": "http://e/r"}}, "@id": "http://e/1"}


REFERENCE = {"@id": "http://e/i", "@type": "@id"}
INDEXED = {"@id": "http://e/3", "@container": "@index"}
LANGUAGES = {"@id": "http://e/l", "@container": "@language"}
TYPES = {"@id": "http://e/5", "@container": "@type"}
SCOPED_BY_B = {
    "a": "http://e/x",
    "b": {"@id": "http://e/s", "@context": {"c": "http://e/c"}},
    "@propagate": False,
}


@given(documents(DEEP), st.sampled_from([None, BASE]))
@example({**TURNED_TWICE, "@reverse": {"a": "WORD"}}, None)
@example({**TURNED_TWICE, "@reverse": {"a": [{"@value": "WORD"}, {"@set": ["WORD"]}]}}, None)
@example({**TURNED_TWICE, "@reverse": {"a": {"http://e/p": "WORD"}}}, BASE)
@example({**TURNED_TWICE, "@reverse": {"http://e/p": {"@set": ["WORD"]}}}, None)
@example({**TURNED_TWICE, "a": {"@set": ["WORD"]}}, None)
@example({"@context": {"b": REFERENCE}, "@id": "rel", "@reverse": {"b": "WORD"}}, None)
@example({"@context": {"a": INDEXED}, "@reverse": {"a": {"a": "WORD"}}}, None)
@example({"@context": {"a": LANGUAGES}, "@reverse": {"a": {"en": ["WORD"]}}}, None)
@example({"@context": {"a": TYPES}, "@reverse": {"a": {"a": {"@value": "WORD"}}}}, None)
@example({"@context": SCOPED_BY_B, "b": {"a": "WORD", "c": {"a": "WORD", "c": "WORD"}}}, None)
def test_a_word_in_no_statement_is_named_and_no_other_is(document: Any, base: str | None) -> None:
    document = worded(document, count())
    assume(is_read_well(document))
    try:
        quads = list(
            ox.parse(json.dumps(document).encode(), format=ox.RdfFormat.JSON_LD, base_iri=base)
        )
    except SyntaxError:
        assume(False)
    found = list(losses(document, base))
    assume(not any(loss.why == "node" and has_list(document) for loss in found))
    missing = words(document) - set(WORD.findall(" ".join(map(str, quads))))
    target(float(len(found)))
    assert missing <= lost_words(found), (found, quads)
    if not has_list(document):
        assert lost_words(found) - missing <= strays(found), (found, quads)


def strays(found: list[Loss]) -> set[str]:
    """Return words that the parser may keep of a dropped key: types of nodes that hang on nothing."""
    return set().union(
        *(words(loss.content) for loss in found if re.search("@type", json.dumps(loss.content)))
    )


@given(documents(FLAT))
def test_a_word_that_pyld_drops_is_named_and_no_other_is(document: Any) -> None:
    document = worded(document, count())
    assume(is_read_well(document))
    try:
        expanded = pyld.jsonld.expand(document, {"base": BASE, "processingMode": "json-ld-1.1"})
        list(ox.parse(json.dumps(document).encode(), format=ox.RdfFormat.JSON_LD, base_iri=BASE))
    except (pyld.jsonld.JsonLdError, SyntaxError, TypeError, AttributeError, KeyError):
        assume(False)
    found = list(losses(document, BASE))
    assume(not re.search("@graph|@propagate", json.dumps(document["@context"])))
    kept = {"node", "no IRI", "type", "reference"}
    assume(not any(loss.why in kept for loss in found))
    found = [loss for loss in found if loss.why != "language"]
    assert lost_words(found) == words(document) - words(expanded), (found, expanded)


@pytest.mark.long
@pytest.mark.parametrize(("context", "node"), KILLERS[:1])
def test_the_parser_still_ends_the_process(context: Any, node: Any) -> None:
    """Once this fails, `parser_limit` can go. By hand: `pytest -m long -k still_ends`."""
    text = json.dumps({"@context": context, **node})
    code = f"import pyoxigraph as ox; list(ox.parse({text!r}, format=ox.RdfFormat.JSON_LD))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode < 0
