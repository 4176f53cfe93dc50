"""A Commander whose Follower takes long."""

from __future__ import annotations

from collections.abc import Iterator

from teach_agents.actions import Action, Role
from teach_agents.agents.planner import planner_commander
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation
from tests.agents.planner.playing import play, scenario


class _Slow(Agent):
    """Reports on the first step only when the Commander has given up waiting for it, then on the second."""

    def begin(self, briefing: Briefing) -> None:
        self._life = self._live()

    def act(self, observation: Observation) -> Action:
        return next(self._life)

    def _live(self) -> Iterator[Action]:
        yield Action.say("What should I do today?")
        for _ in range(260):
            yield Action.wait()
        yield Action.say("I can not reach the mug.")
        for _ in range(20):
            yield Action.wait()
        yield Action.say("Done.")
        for _ in range(20):
            yield Action.wait()
        yield Action("Stop")


def test_a_late_report_is_not_taken_for_one_on_the_next_step() -> None:
    played = play(scenario("Coffee", room="FloorPlan7"), planner_commander(style="plain"), _Slow())
    steps = [said for role, said in played.utterances if role is Role.COMMANDER]
    assert len(steps) == 3, "one step at first, one when it took too long, one more when that was reported on"
