"""`benchmarks/spoken_claims.py`: what a Follower says to be done, judged as it says it."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import pytest

from teach_agents.actions import Action, Role
from teach_agents.household import Household, Scenario
from teach_agents.installed import installed_tasks
from teach_agents.simulator.contract import Scene, SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.scripts import benchmark


@pytest.fixture
def spoken_claims(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("spoken_claims", monkeypatch)


def _turn(follower: Action, commander: Action | None = None) -> SimpleNamespace:
    done = {Role.FOLLOWER: follower, Role.COMMANDER: commander or Action.wait()}
    return SimpleNamespace(done={role: SimpleNamespace(action=action) for role, action in done.items()})


def test_claims_are_judged_when_they_are_made(spoken_claims: ModuleType) -> None:
    household = Household(EmbeddedSimulator(), installed_tasks())
    household.reset(Scenario("x", "Coffee", (), Scene("FloorPlan1"), 0))
    listening = spoken_claims.Listening(household)
    listening.begin("x", 0)
    fridge = next(one for one in household.simulator.state.objects if one.startswith("Fridge"))
    said = Action.say("The fridge is open now. Done.")
    listening.turn_executed(_turn(said))
    household.simulator.step(SimulatorAction("OpenObject", fridge, magnitude=1.0, force=True))
    listening.turn_executed(_turn(said))
    listening.turn_executed(_turn(Action.say("What next?"), Action.say("Close it.")))
    found = listening.found
    assert (found.spoken, found.claimed, found.judged) == (3, 4, 2)
    assert found.false == ["x, turn 1: The fridge is open now. Done."]
    told = spoken_claims.figures([found], 1)
    assert (told["claims"], told["false"]["count"], told["false"]["share"]) == (4, 1, 0.5)


def test_what_is_asked_for_at_work_does_not_narrow_what_the_report_is_about(spoken_claims: ModuleType) -> None:
    household = Household(EmbeddedSimulator(), installed_tasks())
    household.reset(Scenario("x", "Coffee", (), Scene("FloorPlan1"), 0))
    listening = spoken_claims.Listening(household)
    listening.begin("x", 0)
    drawers = [one for one in household.simulator.state.objects if one.startswith("Drawer")][:2]
    at_work, said = Action("Forward"), Action.say("The two drawers are open now.")
    listening.turn_executed(_turn(Action.wait(), Action.say("Open two drawers.")))
    for drawer, asked in zip(drawers, (Action.say("Then close one."), None), strict=True):
        household.simulator.step(SimulatorAction("OpenObject", drawer, magnitude=1.0, force=True))
        listening.turn_executed(_turn(at_work, asked))
    listening.turn_executed(_turn(said))
    assert (listening.found.judged, listening.found.false) == (1, [])
    listening.turn_executed(_turn(Action.wait(), Action.say("Close both.")))
    household.simulator.step(SimulatorAction("CloseObject", drawers[0], force=True))
    listening.turn_executed(_turn(at_work))
    listening.turn_executed(_turn(said))
    assert len(listening.found.false) == 1
