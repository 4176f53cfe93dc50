"""A session's beginning, once more: what its Follower observed, before an agent takes over."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.actions import Action, Role
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.agents.perceiving.perceived import Perceived
from teach_agents.benchmarks.edh.restoring import Restorer, relived
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.benchmarks.solo.playing import play_alone
from teach_agents.core.agents.contract import Agent, Body, Briefing, FunctionAgent, wants
from teach_agents.data.interactions import Motion, ObjectInteraction, pose_to_values
from teach_agents.household import Household, Limits, Scenario
from teach_agents.observations import Observation, Privilege
from teach_agents.simulator.embedded.world import digest
from tests.benchmarks.edh.sessions import PLACE, errand, household

LAST = PLACE + 2
"""The first interactions of the errand: the mug is taken, carried about and put down; then somebody says something."""


def _restored() -> Household:
    made = household()
    made.reset(Scenario.from_game(errand()))
    Restorer(made).follow(errand().episode.interactions[:LAST])
    return made


def _state(world: Household) -> object:
    assert isinstance(world.simulator, Insisting)
    return digest(world.simulator.state), world.dialogue


def test_each_observation_is_that_before_an_action_and_then_the_state_stands() -> None:
    world, before = household(), errand().episode.interactions[:LAST]
    own = [one for one in before if one.role is Role.FOLLOWER]
    seen = []
    for one in relived(world, errand(), before, {Privilege.OBJECTS}):
        held = [row["objectType"] for row in one.privileged.objects if row["isPickedUp"]]
        seen.append((one.turn, one.last_action and one.last_action.name, held))
    names = [None, *(one.action for one in own[:-1])]
    assert [(turn, name) for turn, name, _ in seen] == list(zip(range(-len(own), 0), names, strict=True))
    assert [held for _, _, held in seen] == [[], [], *[["Mug"]] * 5, []]
    assert _state(world) == _state(_restored())


def test_what_had_to_be_enforced_succeeded() -> None:
    """A pose that the simulator does not come to, a click beside its object: the record wins in what is observed."""
    before = [*errand().episode.interactions[: PLACE + 1]]
    place, motion = before[PLACE], before[PLACE - 1]
    assert isinstance(place, ObjectInteraction) and isinstance(motion, Motion) and motion.pose is not None
    before[PLACE] = replace(place, x=0.0, y=0.0)
    up = motion.pose.horizon - 30
    before[PLACE - 1] = replace(motion, values=pose_to_values(replace(motion.pose, horizon=up)))
    world = household()
    last = [*relived(world, errand(), before, ())][-1]
    assert last.last_result is not None and last.last_result.success and last.pose.horizon == up
    now = world.observe(Role.FOLLOWER)
    assert now.last_action is not None and now.last_action.name == "Place"
    assert now.last_result is not None and now.last_result.success and now.last_result.object_id == place.object_id


class Recalling(Agent):
    """Remembers what it was shown."""

    privileges = frozenset({Privilege.OBJECTS})

    def __init__(self) -> None:
        self.turns: list[int] = []

    def recall(self, observation: Observation) -> None:
        assert observation.privileged.objects
        self.turns.append(observation.turn)

    def act(self, observation: Observation) -> Action:
        return Action.stop()


def test_who_makes_nothing_of_it_is_spared() -> None:
    assert wants(Recalling(), "recall") and not wants(FunctionAgent(lambda seen: Action.stop()), "recall")


def test_what_was_seen_before_is_known() -> None:
    """The mug is behind its back by the end; eyes that recall know it, others do not."""
    world = household()
    agent = Recalling()
    for recalls_it in (True, False):
        eyes = Perceived(agent, OraclePerception())
        for one in relived(world, errand(), errand().episode.interactions[:LAST], eyes.privileges):
            if recalls_it:
                eyes.recall(one)
        for name in ("Turn Left", "Turn Left"):
            world.act(Role.FOLLOWER, Action(name))
        eyes.act(world.observe(Role.FOLLOWER, eyes.privileges))
        assert eyes.perceived is not None
        types = [row["objectType"] for row in eyes.perceived.privileged.objects]
        assert ("Mug" in types) is recalls_it
    assert agent.turns == list(range(-8, 0))


class Owner(Agent):
    """Owns its loop, and notes what its deeds come to."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, bool, tuple[str, ...]]] = []
        self.began = -1

    async def run(self, body: Body) -> None:
        self.began = body.observation.turn
        while True:
            result = await body.say("I begin at the beginning")
            seen = body.observation
            self.notes.append((seen.last_action.name, result.success, tuple(one.text for one in seen.dialogue)))
            if seen.turn == 1:
                return


def test_an_agent_that_owns_its_loop_lives_through_the_history_and_then_acts() -> None:
    """What the session's Follower did is what its own deeds come to; from then on it is its own master."""
    world, before, agent = _restored(), errand().episode.interactions[:LAST], Owner()
    past = relived(world, errand(), before, ())
    played = play_alone(world, agent, Briefing("one", Role.FOLLOWER), Limits(9, 9), past=past)
    own = [one.action for one in before if one.role is Role.FOLLOWER]
    assert agent.began == -len(own) < 0
    assert [name for name, _, _ in agent.notes] == [*own, "Text"]
    assert all(success for _, success, _ in agent.notes)
    assert agent.notes[-1][2] == ("a mug, please", "not there", "I begin at the beginning")
    assert (played.status, played.steps, played.stopped) == ("done", 2, True)
    assert [one.action.utterance for one in played.done if one.action] == ["I begin at the beginning", ""]
