"""Bad documents and their good neighbours, as a table; see `bad_claims`."""

from __future__ import annotations

import gzip
from typing import NamedTuple

from semantica_rdf import errors

GOOD_TURTLE = b'<http://e/a> <http://e/p> "x" .\n'
GOOD_XML = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
    b'<rdf:Description rdf:about="http://e/a"><e:p>x</e:p></rdf:Description></rdf:RDF>'
)
GOOD_JSON = b'{"@id": "http://e/a", "http://e/p": "x"}'


class BadDocument(NamedTuple):
    """A document that is refused whole, the code, and one in the same format that loads."""

    name: str
    format: str
    bad: bytes
    code: str
    good: bytes = GOOD_TURTLE
    kind: type[errors.SemanticaError] = errors.ValidationError


def _json(name: str, bad: bytes, code: str, good: bytes = GOOD_JSON) -> BadDocument:
    return BadDocument(name, "jsonld", bad, code, good)


def _nested(depth: int) -> bytes:
    return b'{"http://e/p":' * depth + b'"x"' + b"}" * depth


def _triple_terms(depth: int) -> bytes:
    return (
        b"<http://e/a> <http://e/p> "
        + b"<<( <http://e/a> <http://e/p> " * depth
        + b'"x"'
        + b" )>>" * depth
        + b" .\n"
    )


DOCUMENTS = [
    BadDocument("latin-1", "turtle", '<http://e/a> <http://e/p> "é" .'.encode("latin-1"),
                "bad_encoding", '<http://e/a> <http://e/p> "é" .'.encode()),
    BadDocument("UTF-16", "turtle", GOOD_TURTLE.decode().encode("utf-16"), "bad_encoding",
                b"\xef\xbb\xbf" + GOOD_TURTLE),
    BadDocument("gzip in gzip", "turtle", gzip.compress(gzip.compress(GOOD_TURTLE)), "bad_archive",
                gzip.compress(GOOD_TURTLE)),
    BadDocument("truncated gzip", "nquads", gzip.compress(GOOD_TURTLE)[:12], "bad_archive",
                gzip.compress(GOOD_TURTLE)),
    BadDocument("a zip archive in gzip", "turtle", gzip.compress(b"PK\x03\x04rest"), "bad_encoding"),
    BadDocument("zip", "turtle", b"PK\x03\x04rest", "bad_encoding"),
    BadDocument("half a line", "turtle", GOOD_TURTLE + b"<http://e/a> <http://e/p>", "syntax_error",
                GOOD_TURTLE + b"<http://e/a> <http://e/p> 1 ."),
    BadDocument("no final dot", "ntriples", GOOD_TURTLE[:-3], "syntax_error"),
    BadDocument("an open string", "turtle", b'<http://e/a> <http://e/p> "x .', "syntax_error"),
    BadDocument("a literal subject", "turtle", b'"a" <http://e/p> "x" .', "syntax_error"),
    BadDocument("a literal predicate", "turtle", b'<http://e/a> "p" "x" .', "syntax_error"),
    BadDocument("a blank predicate", "turtle", b'<http://e/a> _:p "x" .', "syntax_error"),
    BadDocument("quads as triples", "ntriples", b'<http://e/a> <http://e/p> "x" <http://e/g> .',
                "syntax_error"),
    BadDocument("Turtle as N-Triples", "ntriples", b'@prefix e: <http://e/> . e:a e:p "x" .',
                "syntax_error"),
    BadDocument("graphs as Turtle", "turtle", b'<http://e/g> { <http://e/a> <http://e/p> "x" }',
                "syntax_error"),
    BadDocument("HTML as Turtle", "turtle", b"<!DOCTYPE html><html><body>Not found</body></html>",
                "syntax_error"),
    BadDocument("JSON as Turtle", "turtle", GOOD_JSON, "syntax_error"),
    BadDocument("an undeclared prefix", "turtle", b'e:a <http://e/p> "x" .', "syntax_error",
                b'@prefix e: <http://e/> . e:a <http://e/p> "x" .'),
    BadDocument("an IRI with a blank", "turtle", b'<http://e/a b> <http://e/p> "x" .',
                "syntax_error", b'<http://e/a%20b> <http://e/p> "x" .'),
    BadDocument("an IRI with an escaped blank", "turtle",
                b'<http://e/a\\u0020b> <http://e/p> "x" .', "syntax_error",
                b'<http://e/a\\u00E9b> <http://e/p> "x" .'),
    BadDocument("an IRI with an escaped bracket", "turtle",
                b'<http://e/a\\u003Eb> <http://e/p> "x" .', "syntax_error"),
    BadDocument("an IRI with a broken percent", "ntriples",
                b'<http://e/%zz> <http://e/p> "x" .', "syntax_error"),
    BadDocument("a relative IRI in N-Triples", "ntriples", b'<a> <http://e/p> "x" .',
                "syntax_error"),
    BadDocument("an escaped surrogate", "turtle", b'<http://e/a> <http://e/p> "\\uD83D" .',
                "syntax_error", b'<http://e/a> <http://e/p> "\\U0001F600" .'),
    BadDocument("an encoded surrogate", "turtle", b'<http://e/a> <http://e/p> "\xed\xa0\x80" .',
                "bad_encoding", b'<http://e/a> <http://e/p> "\xf0\x9f\x98\x80" .'),
    BadDocument("a language with an underscore", "turtle",
                b'<http://e/a> <http://e/p> "x"@en_US .', "syntax_error",
                b'<http://e/a> <http://e/p> "x"@en-US .'),
    BadDocument("a triple term", "turtle", _triple_terms(1), "unsupported_term",
                b'<http://e/a> <http://e/p> "<<( text )>>" .'),
    BadDocument("twenty thousand triple terms in each other", "ntriples", _triple_terms(20_000),
                "unsupported_term"),
    BadDocument("an annotation", "turtle",
                b'<http://e/a> <http://e/p> "x" {| <http://e/q> "y" |} .', "unsupported_term"),
    BadDocument("RDF/XML without its namespace", "rdfxml", b"<rdf:RDF/>", "syntax_error", GOOD_XML),
    BadDocument("a document type", "rdfxml", b"<!DOCTYPE r>" + GOOD_XML, "doctype_refused", GOOD_XML),
    BadDocument("a table without a mapping", "csv", b"a,b\n1,2\n", "mapping_required"),
    _json("half an object", GOOD_JSON[:-1], "syntax_error"),
    _json("JSON that is none", b"{'@id': 'http://e/a'}", "syntax_error"),
    _json("a number that is none", b'{"@id": "http://e/a", "http://e/p": NaN}', "syntax_error",
          b'{"@id": "http://e/a", "http://e/p": 1.5}'),
    _json("two ids", b'{"@id": "http://e/a", "@id": "http://e/b", "http://e/p": "x"}',
          "syntax_error"),
    _json("JSON in latin-1", '{"@id": "http://e/a", "http://e/p": "é"}'.encode("latin-1"),
          "bad_encoding", b"\xef\xbb\xbf" + GOOD_JSON),
    _json("deep JSON", _nested(101), "too_deep", _nested(100)),
    _json("very deep JSON", _nested(100_000), "too_deep"),
    _json("a remote context", b'{"@context": "http://schema.org/", "name": "x"}', "remote_context",
          b'{"@context": {"@vocab": "http://schema.org/"}, "name": "x"}'),
    _json("a remote context among others",
          b'{"@context": [{"@vocab": "http://e/"}, "http://127.0.0.1:9/c"], "name": "x"}',
          "remote_context", b'{"@context": [{"@vocab": "http://e/"}], "name": "x"}'),
    _json("an imported context",
          b'{"@context": {"@version": 1.1, "@import": "http://127.0.0.1:9/c"}, "name": "x"}',
          "remote_context", b'{"@context": {"@version": 1.1, "name": "http://e/n"}, "name": "x"}'),
    _json("a file as context", b'{"@context": "file:///etc/passwd", "name": "x"}',
          "remote_context"),
    _json("a remote context of one term",
          b'{"@context": {"p": {"@id": "http://e/p", "@context": "http://127.0.0.1:9/c"}},'
          b' "p": {"name": "x"}}', "remote_context"),
    _json("an answer that says no", b'{"error": "not found"}', "nothing_read"),
    _json("an empty object", b"{}", "nothing_read"),
    _json("a relative id", b'{"@id": "a b", "http://e/p": null}', "nothing_read"),
]  # fmt: skip

ROWS = [
    # a row of the table, its fate: a code, or None when it is taken
    ("ann,likes,tea,2020,2021,0.5,r-1", None),
    (",likes,tea,2020,2021,0.5,r-2", "missing_value"),
    ("bob,,tea,2020,2021,0.5,r-3", "missing_value"),
    ("bob,likes,,2020,2021,0.5,r-4", "missing_value"),
    ("bob,likes,tea,2020-02-30,2021,0.5,r-5", "bad_time"),
    ("bob,likes,tea,2020-01-01T00:00:00,2021,0.5,r-6", "naive_datetime"),
    ("bob,likes,tea,-0044,2021,0.5,r-7", "year_out_of_range"),
    ("bob,likes,tea,2021,2020,0.5,r-8", "inverted_window"),
    ("bob,likes,tea,2021,2021,0.5,r-9", "empty_window"),
    ("bob,likes,tea,2020,2021,1.5,r-10", "bad_confidence"),
    ("bob,likes,tea,2020,2021,NaN,r-11", "bad_confidence"),
    ("bob,likes,tea,2020,2021,high,r-12", "bad_confidence"),
    ("bob,likes,tea,2020,2021,0.5, r-13", "bad_support_id"),
    ("bob,likes,tea,2020,2021,0.5,r-1", "support_id_taken"),
    ("ann,likes,tea,2020,2021,0.6,r-1", "confidence_differs"),
    ("bob,likes,tea,2020,2021,0.5,r-16,more", "bad_row"),
    ("bob,https://w3id.org/semantica-rdf/ns#source,tea,2020,2021,0.5,r-17", "reserved_term"),
    ("http://e/%zz,likes,tea,2020,2021,0.5,r-18", "bad_iri"),
    ("bob,likes,=1+1,2020,2021,0.5,r-19", None),
    ("bob,likes,http://e/tea,,,,", None),
    ("bob smith,likes,tea", None),
]
MAPPING = {
    "format": {"kind": "csv"},
    "subject": {"column": "who", "base": "http://e/"},
    "predicate": {"column": "does", "base": "http://e/"},
    "object": {"column": "what"},
    "window": {"from": "since", "until": "until"},
    "statement": {"confidence": "sure", "support_id": "row"},
}
HEADER = "who,does,what,since,until,sure,row"
