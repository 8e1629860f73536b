"""Reading at a coordinate: statements as they stood, rows that held, answers to SPARQL."""
