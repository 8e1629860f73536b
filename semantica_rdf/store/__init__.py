"""The RDF store, its lock, its query texts. The only place that opens a `pyoxigraph.Store`."""
