"""
Taking data out: the record with its provenance, or one view, in the formats RDF tools read.

`record_quads` says what an export of the record holds, a view's own `quads` what one of a view
does; `export_quads` writes either. What is written depends only on the set of quads: two runs
give the same bytes.
"""
