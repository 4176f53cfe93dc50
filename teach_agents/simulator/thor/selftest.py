"""Every point of the simulator contract on a real AI2-THOR, for its user to run and send the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from teach_agents.simulator.conformance import KitchenContract
from teach_agents.simulator.contract import Simulator
from teach_agents.simulator.thor.checks import Finding


class _Points(KitchenContract):
    """The contract's tests, one simulator for all of them."""

    def __init__(self, simulator: Simulator, room: str) -> None:
        self._simulator = simulator
        self.room = room  # type: ignore[misc]  # told per run, not per class

    def make_simulator(self) -> Simulator:
        """The one under test; a reset makes it as good as new."""
        return self._simulator


def selftest(make: Callable[[], Simulator], room: str = "FloorPlan1") -> Iterator[Finding]:
    """Start what `make` makes and try every point in `room`, a kitchen; one that fails says why."""
    simulator = make()
    try:
        points = _Points(simulator, room)
        for name in (name for name in dir(points) if name.startswith("test_")):
            yield _tried(name, getattr(points, name))
    finally:
        simulator.close()


def _tried(name: str, point: Callable[[], None]) -> Finding:
    told = name.removeprefix("test_").replace("_", " ")
    try:
        point()
    except Exception as error:  # noqa: BLE001  # whatever goes wrong is what the user is asked to report
        return Finding(told, False, f"{type(error).__name__}: {error}"[:500])
    return Finding(told, True, "")
