"""
The words of the record, as `ontology/semantica.ttl` declares them.

Each constant is an IRI as text. A test holds this module,
the ontology and what is ever written to the same list. A user's predicate may be none of
`RESERVED_PREDICATES`.
"""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PROV = "http://www.w3.org/ns/prov#"
DCTERMS = "http://purl.org/dc/terms/"
SRDF = "https://w3id.org/semantica-rdf/ns#"
ID_BASE = "https://w3id.org/semantica-rdf/id/"
"""Every id the ledger mints begins with this, then the store's id, then `sequence-ordinal`."""
SHAPES_BASE = "https://w3id.org/semantica-rdf/shapes/"
"""A named shapes graph of a namespace is `SHAPES_BASE + namespace + "/" + name`."""
SKOLEM_BASE = "https://w3id.org/semantica-rdf/.well-known/genid/"
"""Blank nodes of incoming documents become IRIs that begin with this."""

RDF_TYPE = RDF + "type"
RDF_STATEMENT = RDF + "Statement"
RDF_SUBJECT = RDF + "subject"
RDF_PREDICATE = RDF + "predicate"
RDF_OBJECT = RDF + "object"
RDFS_LABEL = RDFS + "label"

XSD_STRING = XSD + "string"
XSD_DATETIME = XSD + "dateTime"
RDF_LANGSTRING = RDF + "langString"

IDENTIFIER = DCTERMS + "identifier"
WAS_REVISION_OF = PROV + "wasRevisionOf"
WAS_ASSOCIATED_WITH = PROV + "wasAssociatedWith"

TRANSACTION_CLASS = SRDF + "Transaction"
BELIEF_ROW = SRDF + "BeliefRow"
TOMBSTONE = SRDF + "Tombstone"
CURSOR = SRDF + "Cursor"

SOURCE = SRDF + "source"
NAMESPACE = SRDF + "namespace"
IN_GRAPH = SRDF + "inGraph"
VALID_FROM = SRDF + "validFrom"
VALID_UNTIL = SRDF + "validUntil"
VALID_FROM_TEXT = SRDF + "validFromText"
VALID_UNTIL_TEXT = SRDF + "validUntilText"
RECORDED_AT = SRDF + "recordedAt"
SUPERSEDED_AT = SRDF + "supersededAt"
SUPERSEDED_BY = SRDF + "supersededBy"
TRANSACTION = SRDF + "transaction"
IN_FAMILY = SRDF + "inFamily"
STANDING = SRDF + "standing"
CONFIDENCE = SRDF + "confidence"
SOURCE_TEXT = SRDF + "sourceText"
SOURCE_RECORDED_AT = SRDF + "sourceRecordedAt"
FACT_KEY = SRDF + "factKey"

SEQUENCE = SRDF + "sequence"
BASIS = SRDF + "basis"
OPERATION = SRDF + "operation"
REASON = SRDF + "reason"
REASON_CODE = SRDF + "reasonCode"
REFERENCE = SRDF + "reference"

SHAPES_TEXT = SRDF + "shapesText"
ERROR_CODE = SRDF + "errorCode"

REMOVED = SRDF + "removed"
REMOVED_KIND = SRDF + "removedKind"
FINGERPRINT = SRDF + "fingerprint"

AT_SEQUENCE = SRDF + "atSequence"
REFRESHED_FOR = SRDF + "refreshedFor"
NEXT_BOUNDARY = SRDF + "nextBoundary"

JOURNAL_GRAPH = SRDF + "journal"
PRESENT_GRAPH = SRDF + "present"
"""The graph of what holds now in the default namespace; others append `/` and their token."""

BELIEVED = SRDF + "believed"
PROPOSED = SRDF + "proposed"
DISPUTED = SRDF + "disputed"
REJECTED = SRDF + "rejected"

STANDINGS = ("believed", "proposed", "disputed", "rejected")

REASON_CODES = (
    "new-information",
    "import",
    "ended",
    "withdrawn-by-source",
    "correction",
    "replacement",
    "review",
    "other",
)
"""The closed list of reason codes; free text goes into the reason."""

OPERATIONS = (
    "assert",
    "propose",
    "retract",
    "withdraw",
    "revise",
    "replace",
    "believe",
    "dispute",
    "reject",
    "load",
    "mixed",
)
"""The closed list of operation codes of a transaction."""

RESERVED_PREDICATES = frozenset(
    {
        SOURCE,
        NAMESPACE,
        IN_GRAPH,
        VALID_FROM,
        VALID_UNTIL,
        VALID_FROM_TEXT,
        VALID_UNTIL_TEXT,
        RECORDED_AT,
        SUPERSEDED_AT,
        SUPERSEDED_BY,
        TRANSACTION,
        IN_FAMILY,
        STANDING,
        CONFIDENCE,
        SOURCE_TEXT,
        SOURCE_RECORDED_AT,
        FACT_KEY,
        SEQUENCE,
        BASIS,
        OPERATION,
        REASON,
        REASON_CODE,
        REFERENCE,
        SHAPES_TEXT,
        REMOVED,
        REMOVED_KIND,
        FINGERPRINT,
        AT_SEQUENCE,
        REFRESHED_FOR,
        NEXT_BOUNDARY,
    }
)
"""Predicates that only the ledger writes; everything else in the `srdf:` namespace is refused too."""

BUILT_IN_PREFIXES: dict[str, str] = {
    "dcterms": DCTERMS,
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": PROV,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "srdf": SRDF,
    "time": "http://www.w3.org/2006/time#",
    "xsd": XSD,
}
"""Prefixes every base knows without being told."""
