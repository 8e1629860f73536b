"""
What all views of one base share: its store, what is derived from it, and the words in scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from semantica_rdf.columns.on_demand import ColumnsOnDemand
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.kept_views import KeptViews
from semantica_rdf.view.present import Present


class Base(NamedTuple):
    """A base as views read it; thread-safe in all its parts."""

    store: RdfStore
    identity: Identity
    prefixes: Mapping[str, str]
    kept: KeptViews
    present: Present
    columns: ColumnsOnDemand


__all__ = ["Base"]
