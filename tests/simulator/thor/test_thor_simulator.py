"""`ThorSimulator` on the real package, which drives the double."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from teach_agents.simulator import Simulator
from teach_agents.simulator.conformance import SimulatorContract
from teach_agents.simulator.thor import ThorSimulator
from tests.simulator.thor.support import QUIET, children

pytest.importorskip("ai2thor")
pytestmark = QUIET


class TestThorSimulator(SimulatorContract):
    """The contract, in one process for all of it."""

    @pytest.fixture(autouse=True)
    def _process(self) -> Iterator[None]:
        before = children()
        self._made = ThorSimulator(executable="double", start_time=120.0, step_time=60.0)
        yield
        self._made.close()
        assert children() == before

    def make_simulator(self) -> Simulator:
        """The only one of a test."""
        return self._made
