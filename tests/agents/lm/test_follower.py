"""The language-model Follower from turn to turn, in rooms of the embedded simulator."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from teach_agents.actions import FOLLOWER_ACTIONS, Action, Role
from teach_agents.agents.conformance import AgentContract, blank_observation
from teach_agents.agents.history import History
from teach_agents.agents.lm.follower import LanguageFollower
from teach_agents.agents.planner import planner_commander
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.errors import SpecError
from teach_agents.household.household import Household
from teach_agents.models import LanguageModel, Prompt, ScriptedModel
from teach_agents.observations import Observation, Utterance
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from tests.agents.lm.following import follower, playing
from tests.agents.planner.playing import play, scenario

COFFEE = scenario("Coffee", room="FloorPlan1")


class TestLanguageFollower(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return follower("uniform")


class Stage:
    """A Follower in a kitchen, and a Commander who says what the test says."""

    def __init__(self, agent: LanguageFollower) -> None:
        self.agent = agent
        self.household = Household(EmbeddedSimulator())
        self.household.reset(COFFEE)
        self.agent.begin(Briefing("stage", Role.FOLLOWER, seed=1))
        self.turn = 0
        self.said: list[str] = []

    @property
    def observation(self) -> Observation:
        return self.household.observe(Role.FOLLOWER, self.agent.privileges, turn=self.turn)

    def decided(self) -> str | None:
        """What was decided in the last turn, if anything was."""
        return (self.agent.thought or {}).get("choice")

    def go(self, turns: int = 1, *, say: str = "") -> Action:
        """Some turns, in the first of which the Commander says something; the last action."""
        action = Action.wait()
        for number in range(turns):
            action = self.agent.act(self.observation)
            assert action.name in FOLLOWER_ACTIONS
            if say and not number:
                self.household.act(Role.COMMANDER, Action.say(say), time_ms=self.turn)
            self.household.act(Role.FOLLOWER, action, time_ms=self.turn)
            if action.name == "Text":
                self.said.append(action.utterance)
            self.turn += 1
        return action


def preferring(*wishes: str) -> ScriptedModel:
    """A model that chooses the first of its wishes that it may, each once, then waits or goes on."""
    left = [*wishes]

    def choose(choices: Sequence[str]) -> str:
        for wish in left:
            if wish in choices:
                left.remove(wish)
                return wish
        return "go on" if "go on" in choices else "wait"

    return playing(choose)


def test_it_makes_coffee_as_it_is_told() -> None:
    agent = follower("oracle")
    played = play(COFFEE, planner_commander(style="plain"), agent)
    assert played.success
    assert agent.usage.model_calls <= 20
    assert agent.failed_decisions == 0
    assert {"model", "prompt_hash", "perception"} <= set(agent.provenance)


def test_a_decision_is_kept_as_a_thought_and_there_is_none_in_between() -> None:
    stage = Stage(follower(preferring("ask what to do", "pick up the mug")))
    assert stage.go().name == "Text"
    assert stage.decided() == "ask what to do"
    stage.go(say="Grab the mug please")
    assert stage.decided() is None
    stage.go()
    assert stage.decided() == "pick up the mug"
    thought = dict(stage.agent.thought or {})
    assert "Commander: Grab the mug please" in thought["prompt"]["user"]
    assert thought["plan"]["request"] == ["Grab the mug please"]


def test_what_is_heard_at_work_is_decided_upon_and_may_call_the_work_off() -> None:
    stage = Stage(follower(preferring("ask what to do", "put the mug in the sink", "go on", "open the fridge")))
    stage.go(2, say="Put the mug in the sink")
    assert stage.decided() == "put the mug in the sink"
    stage.go(2, say="It is in the fridge")
    assert stage.decided() == "go on"
    stage.go(60, say="No, open the fridge")
    fridge = next(one for one in stage.household.objects if one["objectType"] == "Fridge")
    assert fridge["isOpen"], "a correction is the talk's"
    assert "(put the mug in the sink: called off)" in _prompt_now(stage)


def _prompt_now(stage: Stage) -> str:
    """What the model would be asked now."""
    asked: list[str] = []

    def note(prompt: Prompt) -> str:
        asked.append(prompt.messages[-1].text)
        return "wait"

    stage.agent._decider._model.model = ScriptedModel(note)
    stage.agent.action_distribution(stage.observation)
    return asked[0]


def test_a_failure_is_shown_in_the_next_prompt() -> None:
    stage = Stage(follower(preferring("ask what to do", "pick up the watch", "report that it did not work")))
    stage.go(say="Grab the watch")
    stage.go(3)
    assert "(pick up the watch: not found: watch)" in _prompt_now(stage)
    assert len(stage.said) == 2


def test_what_failed_without_an_action_is_not_chosen_again_until_something_is_said() -> None:
    chosen: list[str] = []

    def choose(choices: Sequence[str]) -> str:
        chosen.append("pick up the watch" if "pick up the watch" in choices else "wait")
        return chosen[-1]

    stage = Stage(follower(playing(choose)))
    stage.go(say="Grab the watch")
    stage.go(50)
    assert chosen.count("pick up the watch") == 1 and chosen[-1] == "wait"
    stage.go(20, say="Grab the watch, please")
    assert chosen.count("pick up the watch") == 2


def test_silence_is_broken_after_a_while() -> None:
    stage = Stage(follower(preferring("ask what to do", "ask what to do")))
    stage.go(25)
    assert len(stage.said) == 2


def test_without_decisions_left_it_stops() -> None:
    stage = Stage(follower(preferring("ask what to do"), max_decisions=2))
    assert stage.go(60).name == "Stop"


def test_alone_it_does_what_was_said_and_stops() -> None:
    stage = Stage(follower("oracle", history=History()))
    stage.household.act(Role.COMMANDER, Action.say("Open the fridge. That is all."))
    names = [stage.go().name for _ in range(60)]
    assert "Open" in names
    assert "Text" not in names
    assert names[-1] == "Stop"


def test_alone_it_stops_whatever_the_model_does() -> None:
    stage = Stage(follower(ScriptedModel(""), history=History(), max_decisions=5))
    names = [stage.go().name for _ in range(12)]
    assert names[-1] == "Stop"
    assert stage.agent.failed_decisions == 5


def _malformed(rng: random.Random) -> str:
    kinds = (
        "",
        "\ud800",
        "wait " * 3000,
        '{"choice": null}',
        "等等",
        "WAIT!!",
        "pick up the",
        "\x00",
        "[[[[",
        "go on\n" * 9,
    )
    return rng.choice(kinds) + "".join(chr(rng.randrange(32, 1500)) for _ in range(rng.randrange(6)))


def test_malformed_answers_end_in_valid_actions_and_are_counted() -> None:
    rng = random.Random(0)
    stage = Stage(follower(ScriptedModel(lambda prompt: _malformed(rng)), max_decisions=40))
    for number in range(150):
        stage.go(say="Grab the mug" if number % 3 == 0 else "")
    assert 30 < stage.agent.failed_decisions <= 40


def test_by_lot_it_plays_without_breaking_down() -> None:
    stage = Stage(follower("uniform"))
    for number in range(120):
        stage.go(say="Slice the bread, wash a mug and put it in the sink" if number % 9 == 1 else "")
    assert stage.agent.failed_decisions == 0


def test_it_may_move_by_itself() -> None:
    stage = Stage(follower(preferring("turn right", "forward", "ask what to do"), actions="primitive"))
    assert [stage.go().name for _ in range(3)] == ["Turn Right", "Forward", "Text"]
    stage = Stage(follower("uniform", actions="primitive"))
    offered = stage.agent.action_distribution(stage.observation)
    assert {"forward", "look down", "wait"} <= set(offered)
    assert any(text.startswith(("open", "pick up", "turn on")) for text in offered)
    stage.go(40)


def test_the_distribution_can_be_asked_for_without_acting() -> None:
    def played(ask: bool) -> list[Action]:
        stage = Stage(follower("uniform"))
        done = []
        for number in range(12):
            if ask:
                observation = stage.observation
                found = stage.agent.action_distribution(observation)
                assert sum(found.values()) == pytest.approx(1.0)
            done.append(stage.go(say="Wash the mug" if number == 2 else ""))
        return done

    assert played(True) == played(False)


def test_it_may_speak_in_words_of_its_own() -> None:
    def answer(prompt: Prompt) -> str:
        return "ask what to do" if prompt.answer is not None else "Hello there, what is up?"

    stage = Stage(follower(ScriptedModel(answer), talk="model"))
    assert stage.go().utterance == "Hello there, what is up?"


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Tests that compute side by side wait for one another if each has as many threads as there are cores."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_real_weights_decide_on_short_prompts(one_thread: None) -> None:
    pytest.importorskip("transformers")
    from teach_agents.models.local.smollm2 import SMOLLM2

    if SMOLLM2.find() is None:
        pytest.skip(f"real weights are missing; get them with: {SMOLLM2.command}")
    stage = Stage(follower("smollm2", max_decisions=2))
    stage.go(60, say="Please wash the mug that is on the counter top and put it in the coffee machine.")
    usage = stage.agent.usage
    assert stage.agent.failed_decisions == 0
    assert usage.model_calls == 2
    assert usage.prompt_tokens / usage.model_calls <= 400
    assert len(stage.agent.provenance["model_hash"]) == 12


def test_pictures_go_into_the_prompt_where_they_are_wanted() -> None:
    model = ScriptedModel("wait")
    agent = follower(model, pictures=True)
    agent.begin(Briefing("s", Role.FOLLOWER))
    observation = blank_observation(Role.FOLLOWER, 0, agent.privileges)
    agent.act(replace(observation, dialogue=(Utterance(Role.COMMANDER, "Grab the mug"),)))
    assert model.prompts[0].images[0].shape == (32, 32, 3)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"talk": "songs"}, "valid: phrases, model"),
        ({"actions": "magic"}, "valid: skills, primitive"),
        ({"pictures": "yes"}, "true or false"),
        ({"by": "luck"}, "valid: mean, sum, generate"),
        ({"max_decisions": -1}, "from 1 on"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], said: str) -> None:
    model: LanguageModel = ScriptedModel("wait")
    with pytest.raises(SpecError, match=said):
        follower(model, **settings)
