"""
Trusty URIs (module RA) and signatures of nanopublications.

A trusty URI ends with `RA` and the SHA-256 of the nanopublication's statements, written in a normal
form with the hash itself left out (https://trustyuri.net/). A signature, RSA or DSA with SHA-256,
covers the same normal form without its own statement (https://nanopub.net/guidelines/working_draft/).
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable

import pyoxigraph as ox

NPX = "http://purl.org/nanopub/x/"
_CODE = re.compile(r"RA[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")
_SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
"""What stands before a SHA-256 digest in an RSA signature (RFC 8017, section 9.2, note 1)."""


def code_of(iri: str) -> str | None:
    """Return the hash that a trusty URI claims, None when it is none."""
    found = _CODE.search(iri)
    return None if found is None else found[0]


def content_code(quads: Iterable[ox.Quad], code: str) -> str:
    """Return the hash that fits the content, where `code` is the one written in it."""
    digest = hashlib.sha256(normal_form(quads, code)).digest()
    return "RA" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def normal_form(quads: Iterable[ox.Quad], code: str) -> bytes:
    """Return what is hashed: graph, subject, predicate, object by line, sorted, each quad once."""
    parts = {(quad.graph_name, quad.subject, quad.predicate, quad.object) for quad in quads}
    ordered = sorted(parts, key=lambda part: [_order(term, code) for term in part])
    return "".join(_line(term, code) for part in ordered for term in part).encode()


def _line(term: ox.NamedNode | ox.Literal, code: str) -> str:
    if isinstance(term, ox.NamedNode):
        return term.value.replace(code, " ") + "\n"
    text = term.value.replace("\\", "\\\\").replace("\n", "\\n")
    kind = f"@{term.language.lower()}" if term.language else f"^{term.datatype.value}"
    return f"{kind} {text}\n"


def _order(term: ox.NamedNode | ox.Literal, code: str) -> tuple[bool, bytes, str, str]:
    if isinstance(term, ox.NamedNode):
        return False, term.value.replace(code, " ").encode("utf-16-be"), "", ""
    language = term.language or ""
    return True, term.value.encode("utf-16-be"), "" if language else term.datatype.value, language


def has_valid_signature(quads: list[ox.Quad], signature: ox.Quad, code: str) -> bool:
    """
    Tell whether a signature fits the statements it stands among.

    `signature` is the quad with `npx:hasSignature`; key and algorithm stand beside it.
    """

    def beside(name: str) -> str:
        """Return the value of a property of the signature's node."""
        return next(
            quad.object.value
            for quad in quads
            if quad.subject == signature.subject and quad.predicate.value == NPX + name
        )

    try:
        key = base64.b64decode(beside("hasPublicKey"), validate=True)
        signed = base64.b64decode(signature.object.value, validate=True)
        digest = hashlib.sha256(normal_form([q for q in quads if q != signature], code)).digest()
        verify = {"RSA": _rsa_fits, "DSA": _dsa_fits}[beside("hasAlgorithm")]
        return verify(key, signed, digest)
    except (StopIteration, KeyError, ValueError, IndexError):
        return False


def _rsa_fits(key: bytes, signed: bytes, digest: bytes) -> bool:
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2)."""
    _, bits = _members(_members(key)[0])
    modulus, exponent = map(_number, _members(_members(bits[1:])[0]))
    size = (modulus.bit_length() + 7) // 8
    info = _SHA256_INFO + digest
    wanted = b"\0\1" + b"\xff" * (size - 3 - len(info)) + b"\0" + info
    return pow(_number(signed), exponent, modulus) == _number(wanted)


def _dsa_fits(key: bytes, signed: bytes, digest: bytes) -> bool:
    """DSA with SHA-256 (FIPS 186-4, section 4.7)."""
    about, bits = _members(_members(key)[0])
    prime, order, base = map(_number, _members(_members(about)[1]))
    public = _number(_members(bits[1:])[0])
    r, s = map(_number, _members(_members(signed)[0]))
    inverse = pow(s, -1, order)
    short = _number(digest[: order.bit_length() // 8])
    left = pow(base, short * inverse % order, prime) * pow(public, r * inverse % order, prime)
    return 0 < r < order and left % prime % order == r


def _members(der: bytes) -> list[bytes]:
    """Return the contents of the DER values that stand one after another."""
    found, at = [], 0
    while at < len(der):
        length, at = der[at + 1], at + 2
        if length & 0x80:
            wide = length & 0x7F
            length, at = _number(der[at : at + wide]), at + wide
        found.append(der[at : at + length])
        at += length
    return found


def _number(content: bytes) -> int:
    return int.from_bytes(content, "big")
