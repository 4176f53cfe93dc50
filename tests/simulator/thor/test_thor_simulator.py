"""`ThorSimulator` on the real package, which drives the double."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from teach_agents.simulator import Scene, Simulator
from teach_agents.simulator.conformance import KitchenContract
from teach_agents.simulator.thor import ThorSimulator
from tests.simulator.thor.support import QUIET, children

pytest.importorskip("ai2thor")
pytestmark = QUIET


def _thor() -> ThorSimulator:
    return ThorSimulator(executable="double", start_time=120.0, step_time=60.0)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThorSimulator]:
    """One process for the whole contract, with a home of its own."""
    before = children()
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setattr("tempfile.tempdir", str(home))
        made = _thor()
        made.reset(Scene("FloorPlan1"))
    yield made
    made.close()
    assert children() == before


class TestThorSimulator(KitchenContract):
    """The contract."""

    @pytest.fixture(autouse=True)
    def _process(self, running: ThorSimulator) -> None:
        self._made = running

    def make_simulator(self) -> Simulator:
        """The one that runs; every test resets it."""
        return self._made

    def test_closing_is_possible_at_any_time(self) -> None:
        """Of one that never began, and of one that is closed."""
        simulator = _thor()
        simulator.close()
        simulator.close()
