"""The household is an environment like any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teach_agents.core.environment import Environment
from teach_agents.core.environment.conformance import EnvironmentContract
from teach_agents.household import Household, Limits
from teach_agents.session.environment import HouseholdEnvironment
from tests.household.fake import FakeSimulator
from tests.session.support import scenario


class TestHousehold(EnvironmentContract):
    """In a room of boxes."""

    apart = frozenset({"ground_truth"})

    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh one, for a few turns."""
        return HouseholdEnvironment(Household(FakeSimulator(), view_size=32), Limits(max_turns=12))

    def instances(self) -> Sequence[Any]:
        """A task."""
        return [scenario()]
