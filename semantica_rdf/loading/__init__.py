"""
Documents in: RDF and mapped tables become claims, admitted one by one, with exact counts.

`load` is the one entry, `load_snapshot` the one for full extracts; `LoadReport` says what became of everything read.
"""

from semantica_rdf.loading.inference import infer_mapping
from semantica_rdf.loading.load import (
    Admitting,
    LoadOptions,
    OpenTransaction,
    Progress,
    load,
)
from semantica_rdf.loading.mapping import Mapping, read_mapping
from semantica_rdf.loading.report import LoadReport, Rejection
from semantica_rdf.loading.snapshot import load_as, load_snapshot

__all__ = [
    "Admitting",
    "LoadOptions",
    "LoadReport",
    "Mapping",
    "OpenTransaction",
    "Progress",
    "Rejection",
    "infer_mapping",
    "load",
    "load_as",
    "load_snapshot",
    "read_mapping",
]
