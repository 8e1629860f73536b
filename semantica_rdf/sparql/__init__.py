"""
SPARQL as text: scanned and parsed once, for binding, refusing and rewriting.

Nothing here knows an engine or a store; the engine stays the judge of what is SPARQL.
"""
