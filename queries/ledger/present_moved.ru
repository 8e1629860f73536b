#+ summary: Moves one graph forward: what it no longer holds goes, what it holds now comes, at once.
#+ takes: a graph IRI in both places, and N-Triples in place of each remark
#+ reason: the store removes and adds in one atomic step by an update alone
DELETE DATA { GRAPH <graph:here> {
  # what goes
} } ;
INSERT DATA { GRAPH <graph:here> {
  # what comes
} }
