"""RDF/XML in: the same statements as another parser reads, and nothing that could harm or hide."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from loading.recording import Recorder

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.rdf_xml import MAX_DEPTH

HEAD = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">\n'
TAIL = "</rdf:RDF>\n"
NODE = '<rdf:Description rdf:about="http://e/a"><e:p>{}</e:p></rdf:Description>\n'
GOOD = HEAD + NODE.format("x") + TAIL
BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.memory(agent="urn:test:agent", source="urn:test:source") as base:
        yield base


def refusal(content: str | bytes, **options: Any) -> ValidationError:
    """Return the refusal of a document; nothing of it is recorded, and the good one still loads."""
    base = Recorder()
    data = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(ValidationError) as refused:
        base.load(data, format="rdfxml", **options)
    assert base.drafts == []
    assert base.load(GOOD.encode(), format="rdfxml").stored == 1
    return refused.value


@pytest.mark.quick
@pytest.mark.parametrize("name", ["rdfxml", "rdf/xml", "xml", "RDF", "owl"])
def test_every_name_and_suffix_is_known(tmp_path: Path, name: str) -> None:
    base = Recorder()
    assert base.load(GOOD.encode(), format=name).stored == 1
    if "/" not in name:
        path = tmp_path / f"onto.{name}"
        path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
        assert base.load(path).already_there == 1


DOCTYPES = {
    "external": '<!DOCTYPE rdf:RDF SYSTEM "http://127.0.0.1:9/x.dtd">\n' + GOOD,
    "file entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + HEAD + NODE.format("&x;") + TAIL,
    "bomb": f'<!DOCTYPE r [<!ENTITY e0 "aaaaaaaaaa">{BOMB}]>' + HEAD + NODE.format("&e8;") + TAIL,
    "html": "<!DOCTYPE html><html><body>Not found</body></html>",
    "empty": "<?xml version='1.0'?><!-- x --><!DOCTYPE r>" + GOOD,
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("name", DOCTYPES)
def test_a_document_type_is_refused_before_parsing(name: str) -> None:
    assert refusal(DOCTYPES[name]).code == "doctype_refused"


@pytest.mark.quick
@pytest.mark.parametrize(
    "content",
    [
        "<!-- <!DOCTYPE r [<!ENTITY x 'y'>]> -->" + GOOD,
        HEAD + NODE.format("<![CDATA[<!DOCTYPE r><!ENTITY>]]>") + TAIL,
        HEAD + NODE.format("&lt;!DOCTYPE r&gt;") + TAIL,
        "<?note <!DOCTYPE r> ?>" + GOOD,
    ],
    ids=["comment", "cdata", "text", "instruction"],
)
def test_the_word_inside_a_comment_or_a_text_is_data(content: str) -> None:
    assert Recorder().load(content.encode(), format="rdfxml").stored == 1


def nested(depth: int) -> str:
    """Return a document whose elements nest to a depth, the root counted."""
    pairs = (depth - 1) // 2
    inner = "<rdf:Description><e:p>" * pairs + "</e:p></rdf:Description>" * pairs
    return HEAD + inner + TAIL


@pytest.mark.quick
def test_nesting_has_a_limit_and_a_line() -> None:
    depth = MAX_DEPTH - 1
    assert Recorder().load(nested(depth).encode(), format="rdfxml").read == (depth - 1) // 2
    too_deep = refusal(nested(MAX_DEPTH + 2))
    assert too_deep.code == "too_deep"
    assert "line 2" in str(too_deep)
    assert refusal(nested(200_001)).code == "too_deep"


WRONG = {
    "mismatched": (HEAD + "<e:a>\n</e:b>" + TAIL, "line 3, column 3"),
    "cut": (GOOD[:-8], "line 3"),
    "unbound prefix": (HEAD + "<f:a/>" + TAIL, "line 2"),
    "undefined entity": (HEAD + NODE.format("&x;") + TAIL, "line 2, column 46"),
    "iri with a blank": (GOOD.replace("/a", "/a b"), "line 2"),
    "late iri": (HEAD + NODE.format("x") * 5000 + NODE.replace("/a", "/a b") + TAIL, "line 5002"),
    "bad name": (HEAD + '\n\n<rdf:Description rdf:nodeID="1 2"/>' + TAIL, "line 4"),
    "relative without a source": (GOOD.replace("http://e/a", "a"), "line 2"),
    "xml without rdf": ("<a xmlns='http://e/'>\ntext</a>", "line 2"),
    "html": ("<html><body>x</body></html>", "line 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_syntax_error_names_its_line(name: str) -> None:
    content, place = WRONG[name]
    error = refusal(content)
    assert error.code == "syntax_error"
    assert place in str(error)


@pytest.mark.parametrize(
    "content",
    [
        HEAD.encode() + NODE.encode().replace(b"{}", b"caf\xe9") + TAIL.encode(),
        b'<?xml version="1.0" encoding="iso-8859-1"?>' + GOOD.encode(),
        b'<?xml version="1.0" encoding="x-none"?>' + GOOD.encode(),
        GOOD.encode("utf-16"),
    ],
    ids=["latin-1", "declared", "unknown", "utf-16"],
)
def test_only_utf_8_is_read(content: bytes) -> None:
    assert refusal(content).code == "bad_encoding"
    declared = b'<?xml version="1.0" encoding="UTF-8"?>' + GOOD.replace("x<", "é<").encode()
    assert Recorder().load(declared, format="rdfxml").stored == 1


def test_another_xml_of_rdf_is_named() -> None:
    trix = '<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph/></TriX>'
    assert refusal(trix).code == "unknown_format"
    assert refusal(HEAD + TAIL).code == "nothing_read"


@pytest.mark.quick
def test_bases_stand_in_the_document_else_the_source_is_the_base() -> None:
    base = Recorder()
    node = '<rdf:Description {} rdf:about="b"><e:p rdf:resource="../c"/></rdf:Description>'
    own = HEAD + node.format('xml:base="http://base/d/e/"') + node.format("") + TAIL
    assert refusal(own).code == "syntax_error"
    base.load(own.encode(), format="rdfxml", source="http://source/x/y/")
    assert [(s, o) for s, _, o in base.triples] == [
        ("http://base/d/e/b", "http://base/d/c"),
        ("http://source/x/y/b", "http://source/x/c"),
    ]


def test_prefixes_are_reported_and_blank_nodes_named_as_from_turtle(kb: KnowledgeBase) -> None:
    content = HEAD + '<e:T rdf:nodeID="n"><e:p><rdf:Description e:q="1"/></e:p></e:T>' + TAIL
    report = kb.load(content.encode(), format="rdfxml", reason="test")
    assert report.prefixes == {
        "e": "http://e/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    }
    turtle = b'@prefix e: <http://e/> . [] a e:T ; e:p [ e:q "1" ] .'
    again = kb.load(turtle, format="turtle", reason="test")
    assert (report.stored, again.stored, again.already_there) == (3, 0, 3)


def test_no_socket_and_no_file_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: Any, **__: Any) -> None:
        raise AssertionError("opened")

    monkeypatch.setattr(socket.socket, "connect", opened)
    monkeypatch.setattr("builtins.open", opened)
    content = GOOD.replace("<rdf:RDF", '<rdf:RDF xsi:schemaLocation="http://127.0.0.1/ x" '
                           'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"')  # fmt: skip
    base = Recorder()
    for text in (GOOD, content, *DOCTYPES.values()):
        try:
            base.load(text.encode(), format="rdfxml")
        except ValidationError as error:
            assert error.code in {"doctype_refused", "syntax_error"}  # noqa: PT017
    assert len(base.drafts) == 1


NODES = st.sampled_from(
    [rdflib.URIRef("http://e/a"), rdflib.URIRef("urn:x:é&"), rdflib.BNode("b1")]
)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
VALUES = st.one_of(
    NODES,
    TEXTS.map(rdflib.Literal),
    TEXTS.map(lambda text: rdflib.Literal(text, lang="de")),
    st.integers().map(rdflib.Literal),
    st.just(rdflib.Literal("<b/> & ]]> <!DOCTYPE x>", datatype=rdflib.XSD.string)),
)
GRAPHS = st.lists(
    st.tuples(
        NODES, st.sampled_from([rdflib.URIRef("http://e/p"), rdflib.URIRef("http://e/q-é")]), VALUES
    ),
    max_size=8,
)


@given(GRAPHS, st.sampled_from(["xml", "pretty-xml"]))
def test_what_rdflib_writes_is_read_as_rdflib_reads_it(triples: list[Any], form: str) -> None:
    graph = rdflib.Graph()
    for triple in triples:
        graph.add(triple)
    text = graph.serialize(format=form, encoding="utf-8")
    if not graph:
        return
    wanted = rdflib.Graph().parse(data=text, format="xml").serialize(format="nt", encoding="utf-8")
    with KnowledgeBase.memory(agent="urn:a", source="urn:s") as one:
        report = one.load(text, format="rdfxml", reason="test")
        same = one.load(wanted, format="nt", reason="test")
        assert (report.rejected, same.stored) == ((), 0)
        assert (
            report.read == same.read == len(list(ox.parse(wanted, format=ox.RdfFormat.N_TRIPLES)))
        )
