"""
Taking data out: the record with its provenance, or one view, as RDF or as a table.

`export.export` takes either. `record_quads` says what an export of the record holds, a view's own
`quads` what one of a view does; `export_quads` writes quads. What is written depends only on what
is exported: two runs give the same bytes. `hashing.canonical_hash` is the same for all formats.
"""
