"""A body in a real room that knows what it has seen, without a session around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.household import Household
from teach_agents.household.scenario import Scenario
from teach_agents.observations import Observation
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded import EmbeddedSimulator

MOST = 400


class Explorer:
    """One Follower: `true` is what could be read, `seen` what its perception makes of it.

    With a `seed` the room's objects are moved by it.
    """

    def __init__(self, room: str, perception: Perception | None = None, seed: int | None = None) -> None:
        self.household = Household(EmbeddedSimulator())
        scene = Scene(room=room, randomize=seed is not None)
        self.household.reset(Scenario("looking around", "Coffee", (), scene, seed or 0))
        self.perception = perception or OraclePerception()
        self.perception.begin(0)
        self.body = Body()
        self.turn = 0
        self.failures = 0
        self._look()

    def _look(self) -> None:
        self.true: Observation = self.household.observe(Role.FOLLOWER, self.perception.privileges, turn=self.turn)
        self.seen = self.perception.perceive(self.true)
        self.body.see(self.seen)

    @property
    def rows(self) -> Mapping[str, Mapping[str, object]]:
        """What there is, by id, for a perception that reads it."""
        return {str(row["objectId"]): row for row in self.true.privileged.lasting_objects}

    @property
    def known(self) -> Mapping[str, Mapping[str, object]]:
        """What is known, by id."""
        return {str(row["objectId"]): row for row in self.seen.privileged.lasting_objects}

    def do(self, action: Action) -> bool:
        """Carry out one action and look; whether it succeeded."""
        result = self.household.act(Role.FOLLOWER, action)
        self.failures += not result.success
        self.turn += 1
        self._look()
        return result.success

    def carry_out(self, steps: Iterable[Action]) -> int:
        """Carry out a skill; the number of its actions."""
        begun = self.turn
        for action in steps:
            assert self.turn - begun < MOST, "the skill does not end"
            self.do(action)
        return self.turn - begun

    def click(self, name: str, object_id: str) -> bool:
        """Act on an object that is in view; whether it succeeded."""
        click = self.household.click_for(object_id, name)
        return click is not None and self.do(Action.click(name, *click))
