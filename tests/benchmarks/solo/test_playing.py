"""The Follower's loop and what it counts."""

from __future__ import annotations

import sys
import threading
from collections.abc import Awaitable, Callable, Iterator

import pytest

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import Status
from teach_agents.benchmarks.solo.playing import Played, play_alone
from teach_agents.core.agents.contract import Agent, Briefing, as_agent
from teach_agents.core.session.context import Timeouts
from teach_agents.household import Household, Limits, Scenario
from teach_agents.observations import Observation
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded import EmbeddedSimulator

Acts = Callable[[Observation], Action | Awaitable[Action]]


@pytest.fixture(scope="module")
def world() -> Household:
    made = Household(EmbeddedSimulator())
    made.reset(Scenario("solo", "Coffee", (), Scene("FloorPlan1")))
    return made


def _played(world: Household, agent: Agent | Acts, limits: Limits | None = None) -> Played:
    return play_alone(world, as_agent(agent), Briefing("solo", Role.FOLLOWER), limits or Limits())


def test_a_stop_is_a_step_and_ends_it(world: Household) -> None:
    actions = (Action("Turn Left"), Action.say("one mug, then"), Action("Turn Right"), Action.stop())
    played = _played(world, lambda seen: actions[seen.turn])
    assert (played.status, played.steps, played.stopped, played.failed_actions) == (Status.DONE, 4, True, 0)
    assert played.predicted == (("Turn Left", None), ("Text", None), ("Turn Right", None), ("Stop", None))
    assert (played.costs.utterances, played.costs.tokens, played.costs.invalid_actions) == (1, 4, 0)
    assert played.costs.wall_s > 0


def test_clicks_are_written_down_as_row_and_column_and_failures_end_it(world: Household) -> None:
    played = _played(world, lambda _: Action.click("Slice", 0.75, 0.25), Limits(max_failures=3))
    assert played.predicted == (("Slice", (0.25, 0.75)),) * 3
    assert (played.failed_actions, played.stopped) == (3, False)
    assert [(step, action) for step, action, _ in played.refused] == [(0, "Slice"), (1, "Slice"), (2, "Slice")]
    assert all(message for _, _, message in played.refused)


def test_failures_of_earlier_are_not_counted(world: Household) -> None:
    _played(world, lambda _: Action.click("Slice", 0.75, 0.25), Limits(max_failures=3))
    assert world.failures[Role.FOLLOWER] >= 3
    assert _played(world, lambda _: Action.stop()).failed_actions == 0


def test_steps_run_out(world: Household) -> None:
    played = _played(world, lambda _: Action.wait(), Limits(max_turns=5))
    assert (played.steps, played.stopped, played.failed_actions) == (5, False, 0)


def test_answers_that_are_no_action_of_the_follower_fail(world: Household) -> None:
    answers: tuple[object, ...] = ("Forward", None, Action.finish(), Action.stop())
    played = _played(world, lambda seen: answers[seen.turn])  # type: ignore[arg-type,return-value]  # wrong on purpose
    assert (played.steps, played.failed_actions, played.costs.invalid_actions) == (4, 3, 3)
    assert played.predicted[0] == ("", None)
    assert [name for name, _ in played.predicted] == ["", "", "", "Stop"]


def test_an_action_that_cannot_be_made_is_a_failed_one(world: Household) -> None:
    played = _played(world, lambda seen: Action("Fly") if seen.turn == 0 else Action.stop())
    assert (played.status, played.steps, played.failed_actions, played.costs.invalid_actions) == (Status.DONE, 2, 1, 1)
    assert "made no valid action" in played.refused[0][2] and "'Fly'" in played.refused[0][2]


def test_an_agent_that_raises_has_crashed_and_its_last_step_counts(world: Household) -> None:
    def breaks(seen: Observation) -> Action:
        if seen.turn == 2:
            raise RuntimeError("no such plan")
        return Action("Turn Left")

    played = _played(world, breaks)
    assert (played.status, played.steps, played.stopped) == (Status.CRASHED, 3, False)
    assert "no such plan" in played.reason


def test_agents_may_be_coroutines_and_are_briefed(world: Household) -> None:
    class Waits(Agent):
        async def begin(self, briefing: Briefing) -> None:
            self.turns = briefing.seed

        async def act(self, observation: Observation) -> Action:
            return Action.stop() if observation.turn == self.turns else Action.wait()

    played = play_alone(world, Waits(), Briefing("solo", Role.FOLLOWER, seed=2), Limits())
    assert played.steps == 3


def test_an_agent_that_meters_its_models_is_asked_in_the_end(world: Household) -> None:
    class Thinks(Agent):
        usage = Costs()

        def act(self, observation: Observation) -> Action:
            self.usage += Costs(model_calls=1, prompt_tokens=100, generated_tokens=3)
            return Action.stop() if observation.turn == 2 else Action.say("wait")

    costs = _played(world, Thinks()).costs
    assert (costs.model_calls, costs.prompt_tokens, costs.generated_tokens) == (3, 300, 9)
    assert (costs.utterances, costs.tokens) == (2, 2)


class Hangs(Agent):
    """Never answers, from one of its calls on."""

    def __init__(self, begins: bool = True) -> None:
        self.begins = begins
        self.over = threading.Event()

    def begin(self, briefing: Briefing) -> None:
        if not self.begins:
            self.over.wait(60)

    def act(self, observation: Observation) -> Action:
        if observation.turn == 2:
            self.over.wait(60)
        return Action.wait()


@pytest.mark.parametrize(
    ("begins", "steps", "reason"),
    [(True, 3, "gave no answer in step 2 within 0.2 s"), (False, 0, "was not ready within 0.1 s")],
)
def test_an_answer_that_does_not_come_in_time_ends_it(world: Household, begins: bool, steps: int, reason: str) -> None:
    agent = Hangs(begins)
    timeouts = Timeouts(begin_s=0.1, act_s=0.2)
    played = play_alone(world, agent, Briefing("solo", Role.FOLLOWER), Limits(), timeouts=timeouts)
    agent.over.set()
    assert (played.status, played.steps, played.reason) == (Status.TIMED_OUT, steps, f"the follower {reason}")
    assert len(played.done) == max(0, steps - 1) and not played.stopped


class Recalls(Agent):
    """Notes what it is shown and asked; may fail at, or hang over, what it is shown."""

    def __init__(self, does: Callable[[], object] = lambda: None) -> None:
        self.does = does
        self.noted: list[tuple[str, int]] = []

    def begin(self, briefing: Briefing) -> None:
        self.noted.append(("begin", 0))

    def recall(self, observation: Observation) -> None:
        self.noted.append(("recall", observation.turn))
        self.does()

    def act(self, observation: Observation) -> Action:
        self.noted.append(("act", observation.turn))
        return Action.stop()


def _past(world: Household) -> Iterator[Observation]:
    for turn in (-2, -1):
        yield world.observe(Role.FOLLOWER, turn=turn)
        world.act(Role.FOLLOWER, Action.click("Slice", 0.5, 0.5))


def test_the_past_is_recalled_first_and_costs_nothing(world: Household) -> None:
    agent = Recalls()
    played = play_alone(world, agent, Briefing("solo", Role.FOLLOWER), Limits(max_failures=1), past=_past(world))
    assert agent.noted == [("begin", 0), ("recall", -2), ("recall", -1), ("act", 0)]
    assert (played.status, played.steps, played.failed_actions) == (Status.DONE, 1, 0)


def test_whoever_fails_over_the_past_has_failed(world: Household) -> None:
    briefing, over = Briefing("solo", Role.FOLLOWER), threading.Event()
    crashed = play_alone(world, Recalls(lambda: 1 / 0), briefing, Limits(), past=_past(world))
    assert crashed.status is Status.CRASHED and "ZeroDivisionError" in crashed.reason and crashed.steps == 0
    slow, timeouts = Recalls(lambda: over.wait(60)), Timeouts(act_s=0.1)
    late = play_alone(world, slow, briefing, Limits(), timeouts=timeouts, past=_past(world))
    over.set()
    assert (late.status, late.reason) == (Status.TIMED_OUT, "the follower did not recall the past within 0.1 s")


def test_an_agent_that_leaves_the_interpreter_has_crashed(world: Household) -> None:
    played = _played(world, lambda _: sys.exit(3))
    assert played.status is Status.CRASHED and "SystemExit: 3" in played.reason


def test_whoever_watches_stands_between_the_steps(world: Household) -> None:
    seen: list[tuple[int, float]] = []

    def watch(household: Household, steps: int) -> None:
        seen.append((steps, household.simulator.state.agent.yaw))

    agent = as_agent(lambda seen: Action("Turn Left") if seen.turn < 2 else Action.stop())
    played = play_alone(world, agent, Briefing("solo", Role.FOLLOWER), Limits(), watch=watch)
    assert [steps for steps, _ in seen] == [0, 1, 2, 3]
    assert [one.pose.yaw for one in played.done] == [yaw for _, yaw in seen[1:]]
    assert len({yaw for _, yaw in seen}) == 3
