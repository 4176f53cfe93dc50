"""A person in the Follower's seat, led by a Commander, without a session around the two."""

from __future__ import annotations

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.household.household import Household
from teach_agents.playing import furnished
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.tasks import TaskLibrary

_QUIET, _MOST = 3, 90


class Seat:
    """Somebody who says lines and hears what the Commander says to them. `names` are all of its actions so far."""

    def __init__(self, commander: Agent, task: str, *params: str, room: str, seed: int = 2) -> None:
        self.household = Household(EmbeddedSimulator())
        self.household.reset(furnished(task, params, room=room, seed=seed, library=TaskLibrary.builtin()))
        self.commander = commander
        self.names: list[str] = []
        self._turn = 0
        commander.begin(Briefing("s", Role.COMMANDER, seed, person=True))

    def hear(self) -> str:
        """What the Commander says until it waits, or ends the session."""
        said: list[str] = []
        quiet = 0
        for _ in range(_MOST):
            action = self._acts()
            if action.name == "Text":
                said.append(action.utterance)
            quiet = quiet + 1 if action == Action.wait() else 0
            if quiet == _QUIET or action.name == "Finish":
                return " ".join(said)
        raise AssertionError(f"it never waits: {self.names[-12:]}")

    def say(self, *lines: str) -> str:
        """What is answered to lines said at once."""
        for line in lines:
            self.household.act(Role.FOLLOWER, Action.say(line), time_ms=self._turn)
        return self.hear()

    def wait(self, turns: int) -> list[str]:
        """What the Commander does while nobody speaks."""
        return [self._acts().name for _ in range(turns)]

    def change(self, object_type: str, **properties: object) -> None:
        """Let every thing of a type be so from now on."""
        for row in self.household.objects:
            if row["objectType"] == object_type:
                row.update(properties)  # type: ignore[attr-defined]  # the simulator's own rows

    def _acts(self) -> Action:
        seen = self.household.observe(Role.COMMANDER, self.commander.privileges, turn=self._turn)
        action = self.commander.act(seen)
        assert isinstance(action, Action)
        self.household.act(Role.COMMANDER, action, time_ms=self._turn)
        self._turn += 1
        self.names.append(action.name)
        return action
