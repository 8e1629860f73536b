"""
Sets of disjoint valid intervals: the values truth maintenance computes with.

An interval set is a sorted tuple of windows that neither overlap nor touch. All functions are
pure and take any iterable of windows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from semantica_rdf.model.time import Window

IntervalSet: TypeAlias = tuple[Window, ...]


def union(windows: Iterable[Window]) -> IntervalSet:
    """
    Return the disjoint windows that cover exactly what the given ones cover; touching ones merge.

    >>> union([Window(1, 3), Window(3, 5), Window(8, 9)])
    (Window(start=1, end=5), Window(start=8, end=9))
    """
    merged: list[Window] = []
    for window in sorted(windows):
        if window.start >= window.end:
            continue
        if merged and window.start <= merged[-1].end:
            merged[-1] = Window(merged[-1].start, max(merged[-1].end, window.end))
        else:
            merged.append(window)
    return tuple(merged)


def difference(wanted: Iterable[Window], covered: Iterable[Window]) -> IntervalSet:
    """
    Return what `wanted` covers and `covered` does not.

    >>> difference([Window(0, 10)], [Window(2, 3), Window(5, 20)])
    (Window(start=0, end=2), Window(start=3, end=5))
    """
    taken = union(covered)
    left: list[Window] = []
    for window in union(wanted):
        start = window.start
        for hole in taken:
            if hole.end <= start or hole.start >= window.end:
                continue
            if hole.start > start:
                left.append(Window(start, hole.start))
            start = max(start, hole.end)
        if start < window.end:
            left.append(Window(start, window.end))
    return tuple(left)


def covers(outer: Iterable[Window], inner: Window) -> bool:
    """Tell whether `outer` covers the whole of `inner`."""
    return not difference([inner], outer)
