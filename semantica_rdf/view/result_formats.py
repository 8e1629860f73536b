"""
Answers as files: the W3C result formats, and RDF for graphs.

Every lexical form survives; what a format cannot hold is refused before anything is written. The
engine's own writers are not used for tables, because they cannot write rows once read, leave IRIs
with commas unquoted in CSV and carriage returns bare in XML.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from semantica_rdf.errors import ProcessingError, ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import BlankNode, Iri, Literal, Term, TripleTerm, shortened
from semantica_rdf.view.rdf_xml import write_rdf_xml

Values: TypeAlias = Sequence[Term | None]
Triple: TypeAlias = tuple[Term, Term, Term]
Entry = TypeVar("Entry")

_RESULTS = "http://www.w3.org/2005/sparql-results#"
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BARE = {
    vocab.XSD + "integer": re.compile(r"[+-]?[0-9]+\Z"),
    vocab.XSD + "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+\Z"),
    vocab.XSD + "double": re.compile(r"[+-]?([0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+\Z"),
}
_RDF_FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "n-triples": ox.RdfFormat.N_TRIPLES,
    "json-ld": ox.RdfFormat.JSON_LD,
    "rdf-xml": ox.RdfFormat.RDF_XML,
}
_ALIASES = {"ttl": "turtle", "nt": "n-triples", "jsonld": "json-ld", "rdf": "rdf-xml"}


def table_text(variables: Sequence[str], rows: Iterable[Values], format: str) -> str:
    """
    Return a table of solutions in `json`, `csv`, `tsv` or `xml`.

    Raises `ValidationError`: `unknown_format`, `not_in_format` for a character XML cannot hold.
    """
    return chosen(_TABLES, format)(variables, rows)


def boolean_text(format: str, *, value: bool) -> str:
    """Return the answer of an ASK in `json` or `xml`. Raises `ValidationError` (`unknown_format`)."""
    word = "true" if value else "false"
    texts = {
        "json": f'{{"head":{{}},"boolean":{word}}}',
        "xml": f'<?xml version="1.0"?>\n<sparql xmlns="{_RESULTS}">'
        f"<head></head><boolean>{word}</boolean></sparql>\n",
    }
    return chosen(texts, format)


def graph_text(triples: Sequence[Triple], format: str, prefixes: Mapping[str, str]) -> str:
    """
    Return triples as `turtle`, `n-triples`, `json-ld` or `rdf-xml` (also `ttl`, `nt`, …).

    Raises `ValidationError`: `unknown_format`, `not_in_format` for what RDF/XML cannot hold.
    """
    name = _ALIASES.get(format, format)
    rdf_format = chosen(_RDF_FORMATS, name)
    used = _used_prefixes(triples, prefixes)
    engine_triples = [_engine_triple(triple) for triple in triples]
    if name == "rdf-xml":
        output = io.BytesIO()
        write_rdf_xml(_by_subject(engine_triples), output, used)
        return output.getvalue().decode()
    return (ox.serialize(engine_triples, format=rdf_format, prefixes=used) or b"").decode()


def chosen(formats: Mapping[str, Entry], format: str) -> Entry:
    """Return the entry of a format. Raises `ValidationError` (`unknown_format`) naming them all."""
    if format in formats:
        return formats[format]
    raise ValidationError(
        f"no format {shortened(str(format))!r} for this answer",
        code="unknown_format",
        hint=f"choose one of {', '.join(formats)}",
    )


def delivered(text: str, path: str | os.PathLike[str] | None) -> str | None:
    """
    Return the text, or write it to a file, whole or not at all, and return None.

    Raises `ProcessingError` (`cannot_write`).
    """
    if path is None:
        return text
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise _cannot_write(target, error) from None
    return None


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _cannot_write(target: Path, error: OSError) -> ProcessingError:
    return ProcessingError(
        f"cannot write {target}: {error.strerror}", code="cannot_write", hint="see the folder"
    )


def _json(variables: Sequence[str], rows: Iterable[Values]) -> str:
    bindings = [
        {
            name: _json_term(value)
            for name, value in zip(variables, row, strict=True)
            if value is not None
        }
        for row in rows
    ]
    document = {"head": {"vars": list(variables)}, "results": {"bindings": bindings}}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _json_term(term: Term) -> dict[str, Any]:
    if isinstance(term, Iri):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, TripleTerm):
        parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
        value = {name: _json_term(part) for name, part in parts.items()}
        return {"type": "triple", "value": value}
    written = {"type": "literal", "value": term.value}
    if term.language is not None:
        written["xml:lang"] = term.language
    elif term.datatype != vocab.XSD_STRING:
        written["datatype"] = term.datatype
    return written


def _csv(variables: Sequence[str], rows: Iterable[Values]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(variables)
    writer.writerows(["" if term is None else str(term) for term in row] for row in rows)
    return out.getvalue()


def _tsv(variables: Sequence[str], rows: Iterable[Values]) -> str:
    lines = ["\t".join(f"?{name}" for name in variables)]
    lines += ["\t".join("" if term is None else _tsv_term(term) for term in row) for row in rows]
    return "\n".join(lines) + "\n"


def _tsv_term(term: Term) -> str:
    if isinstance(term, Literal):
        bare = _BARE.get(term.datatype)
        if bare is not None and bare.match(term.value):
            return term.value
    return term.ntriples.replace("\t", "\\t").replace("\r", "\\r").replace("\n", "\\n")


def _xml(variables: Sequence[str], rows: Iterable[Values]) -> str:
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in variables)
    parts = [f'<?xml version="1.0"?>\n<sparql xmlns="{_RESULTS}"><head>{head}</head><results>\n']
    for row in rows:
        bindings = "".join(
            f"<binding name={quoteattr(name)}>{_xml_term(term)}</binding>"
            for name, term in zip(variables, row, strict=True)
            if term is not None
        )
        parts.append(f"<result>{bindings}</result>\n")
    parts.append("</results></sparql>\n")
    return "".join(parts)


def _xml_term(term: Term) -> str:
    if isinstance(term, TripleTerm):
        named = (("subject", term.subject), ("predicate", term.predicate), ("object", term.object))
        inner = "".join(f"<{name}>{_xml_term(part)}</{name}>" for name, part in named)
        return f"<triple>{inner}</triple>"
    text = escape(_xml_safe(term.value), {"\r": "&#13;"})
    if isinstance(term, Iri):
        return f"<uri>{text}</uri>"
    if isinstance(term, BlankNode):
        return f"<bnode>{text}</bnode>"
    if term.language is not None:
        return f"<literal xml:lang={quoteattr(term.language)}>{text}</literal>"
    if term.datatype != vocab.XSD_STRING:
        return f"<literal datatype={quoteattr(term.datatype)}>{text}</literal>"
    return f"<literal>{text}</literal>"


def _xml_safe(text: str) -> str:
    bad = _NOT_XML.search(text)
    if bad is None:
        return text
    raise ValidationError(
        f"XML cannot hold the character U+{ord(bad.group()):04X} of {shortened(text)!r}",
        code="not_in_format",
        hint="choose another format",
    )


def _by_subject(triples: Iterable[ox.Triple]) -> Iterable[ox.Triple]:
    """Return the triples with those of a subject together, subjects as they first come."""
    by_subject: dict[Any, list[ox.Triple]] = {}
    for triple in triples:
        by_subject.setdefault(triple.subject, []).append(triple)
    return chain.from_iterable(by_subject.values())


def _engine_triple(triple: Triple) -> ox.Triple:
    subject, predicate, object_ = (term.to_pyoxigraph() for term in triple)
    return ox.Triple(subject, predicate, object_)  # type: ignore[arg-type]


def _used_prefixes(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return the prefixes some IRI of the triples begins with, in order of their names."""
    iris = {term.value for triple in triples for term in triple if isinstance(term, Iri)}
    iris |= {triple[2].datatype for triple in triples if isinstance(triple[2], Literal)}
    return {
        prefix: namespace
        for prefix, namespace in sorted(prefixes.items())
        if any(text.startswith(namespace) for text in iris)
    }


_TABLES: dict[str, Callable[[Sequence[str], Iterable[Values]], str]] = {
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
    "xml": _xml,
}

__all__ = ["boolean_text", "chosen", "delivered", "graph_text", "table_text"]
