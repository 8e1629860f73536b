"""
An order of entries by one column, so that all with one value are found without a scan.

It covers the entries there were when it was made; those added since are looked through.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semantica_rdf.columns.entries import Numbers


class Order(NamedTuple):
    """`places` sorted by the column's values, which `values` repeats; shape (n,) both."""

    places: Numbers
    values: Numbers

    def worn(self, length: int) -> bool:
        """Tell whether so much was added since that it should be made anew."""
        return length - len(self.places) > max(4096, len(self.places) // 8)

    def places_of(self, value: int, column: Numbers) -> Numbers:
        """Return the places at which a column, perhaps longer or shorter by now, has the value."""
        wanted = self.values.dtype.type(value)
        first = int(self.values.searchsorted(wanted, "left"))
        last = int(self.values.searchsorted(wanted, "right"))
        found = self.places[first:last]
        made_for = len(self.places)
        if len(column) == made_for:
            return found
        if len(column) < made_for:
            return found[found < len(column)]
        added = np.flatnonzero(column[made_for:] == wanted) + made_for
        return np.concatenate([found, added]) if len(added) else found


def order_of(column: Numbers) -> Order:
    """Return the order of a column; places with equal values ascend."""
    places = np.argsort(column, kind="stable")
    return Order(places, column[places])


__all__ = ["Order", "order_of"]
