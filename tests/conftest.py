"""Fixtures every test may use: a clock that ticks by itself, a knowledge base in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings

from semantica_rdf import KnowledgeBase

_SLOW_START = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=_SLOW_START)
settings.register_profile("ci", max_examples=200, deadline=None, suppress_health_check=_SLOW_START)
settings.register_profile(
    "deep", max_examples=5000, deadline=None, suppress_health_check=_SLOW_START
)
settings.load_profile(os.environ.get("SEMANTICA_HYPOTHESIS_PROFILE", "dev"))


class TickingClock:
    """A clock that moves one second at every look, and can be set anywhere."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def set(self, text: str) -> None:
        """Set the clock to an ISO 8601 instant."""
        self.now = datetime.fromisoformat(text)


@pytest.fixture
def clock() -> TickingClock:
    """Return a clock that starts on 2026-10-01."""
    return TickingClock(datetime(2026, 10, 1, tzinfo=UTC))


@pytest.fixture
def kb(clock: TickingClock) -> Iterator[KnowledgeBase]:
    """Return an empty knowledge base in memory with an agent and a source."""
    with KnowledgeBase.memory(
        agent="https://example.org/people/ann", source="https://example.org/hr", clock=clock
    ) as base:
        yield base
