"""The vision-language Follower: whatever the model says, it acts, and what failed is counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents import EmbeddedSimulator, Household, Limits, Scenario, Scene, build, run_session
from teach_agents.actions import FOLLOWER_ACTIONS, Action, Role
from teach_agents.agents.lm.follower import lm_follower
from teach_agents.agents.lm.vlm_follower import VisionFollower
from teach_agents.agents.scripted import ScriptedAgent
from teach_agents.core.agents.contract import Briefing, provenance_of
from teach_agents.errors import ModelMissingError, SpecError
from teach_agents.models import Prompt, ScriptedModel
from teach_agents.session import EndReason
from tests.session import support

TURN = Action("Turn Right")


def follower(model: ScriptedModel | str, **settings: object) -> VisionFollower:
    """A Follower of pictures alone."""
    made = lm_follower(model, "vlm", **settings)  # type: ignore[arg-type]  # tests give wrong ones too
    assert isinstance(made, VisionFollower)
    made.begin(Briefing("s1", Role.FOLLOWER))
    return made


def said(action: str, point: Sequence[float] | None = None, say: str = "") -> str:
    return json.dumps({"action": action, "point": point, "say": say})


def played(model: ScriptedModel | str, *says: Action, turns: int = 12, **settings: object) -> tuple[Any, list[Action]]:
    """The Follower after a session with a Commander who says these things, and what it did."""
    made = follower(model, **settings)
    held = support.session(says, made, limits=Limits(max_turns=turns))
    done: list[Action] = []
    act = made.act

    def noted(observation: Any) -> Action:
        done.append(act(observation))
        return done[-1]

    made.act = noted  # type: ignore[method-assign]  # to look on
    asyncio.run(held.run(support.scenario()))
    return made, done


def test_the_model_is_shown_the_picture_and_what_was_said_and_done() -> None:
    model = ScriptedModel([said("Look Down"), said("Pickup", [0.01, 0.01]), said("Stop")])
    made, done = played(model, Action.say("Pick up the mug."))
    assert done == [Action("Look Down"), Action.click("Pickup", 0.01, 0.01), Action.stop()]
    assert all(len(prompt.images) == 1 and prompt.images[0].shape == (64, 64, 3) for prompt in model.prompts)
    last = model.prompts[-1].messages[-1].text
    assert "Commander: Pick up the mug." in last and "(Look Down: done)" in last and "(Pickup at 0.01, 0.01: " in last
    assert made.failed_decisions == 0 and made.usage.model_calls == 3


def test_large_pictures_are_made_smaller() -> None:
    model = ScriptedModel(said("Stop"))
    played(model, picture=32)
    assert model.prompts[0].images[0].shape == (32, 32, 3)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(said("Pickup", [1.4, 0.2]), id="outside"),
        pytest.param("I'm sorry, I can't assist with that.", id="refusal"),
        pytest.param("A kitchen with a table and two chairs.", id="caption"),
        pytest.param("", id="empty"),
        pytest.param("a" * 200_000, id="enormous"),
        pytest.param("抱歉,我不能这样做。\ud800", id="another language"),
        pytest.param(said("Teleport", [0.5, 0.5]), id="unknown action"),
    ],
)
def test_an_answer_that_is_no_action_is_a_counted_failure_and_the_follower_looks_around(answer: str) -> None:
    made, done = played(ScriptedModel(answer), turns=8)
    assert done[:4] == [TURN] * 4 and done[4].name == "Text" and done[5:] == [Action.wait()] * 3
    assert made.failed_decisions == 5 and made.usage.repairs == 5 and made.usage.failures == 5


def test_why_a_decision_failed_is_in_the_record() -> None:
    made, _ = played(ScriptedModel(said("Pickup", [1.4, 0.2])), turns=1)
    thought = json.loads(json.dumps(dict(made.thought)))
    assert "the point [1.4, 0.2] (fraction) lies outside the picture" in thought["error"]
    assert thought["choice"] == "Turn Right" and thought["prompt"]["images"] == 1
    assert thought["counts"] == {"decisions": 1, "failed_decisions": 1, "median_candidates": len(FOLLOWER_ACTIONS)}


def test_a_wrong_answer_is_told_what_is_wrong_with_it_and_asked_once_more() -> None:
    model = ScriptedModel([said("Pickup", [1.4, 0.2]), said("Forward"), said("Stop")])
    made, done = played(model)
    assert done == [Action("Forward"), Action.stop()] and made.failed_decisions == 0 and made.usage.repairs == 1
    assert "lies outside the picture" in model.prompts[1].messages[-1].text


def test_after_speaking_it_waits_for_the_commander() -> None:
    model = ScriptedModel([said("Text", None, "What now?"), said("Forward"), said("Stop")])
    _, done = played(model, Action.wait(), Action.wait(), Action.say("Go ahead."))
    assert done == [Action.say("What now?"), Action.wait(), Action.wait(), Action("Forward"), Action.stop()]


def test_when_decisions_run_out_it_stops() -> None:
    made, done = played(ScriptedModel(said("Turn Left")), max_decisions=3)
    assert done == [Action("Turn Left")] * 3 + [Action.stop()] and made.usage.model_calls == 3


def test_it_knows_that_it_holds_something_by_what_it_did() -> None:
    point = support.click(support.small_household(), "Mug")
    assert point.x is not None and point.y is not None
    model = ScriptedModel([said("Pickup", [point.x, point.y]), said("Stop")])
    played(model)
    held = ["You hold something" in prompt.messages[-1].text for prompt in model.prompts]
    assert held == [False, True]


def test_the_scale_that_is_asked_for_is_the_one_that_is_read() -> None:
    model = ScriptedModel([said("Pickup", [500, 250]), said("Stop")])
    made, done = played(model, points="thousandths")
    assert done[0] == Action.click("Pickup", 0.5, 0.25)
    assert "from 0 to 1000" in model.prompts[0].messages[0].text
    assert provenance_of(made)["points"] == "thousandths" and provenance_of(made)["perception"] == "vlm"


def test_probes_get_a_distribution_over_actions() -> None:
    model = ScriptedModel(lambda prompt: "Forward")
    made = follower(model)
    household = support.small_household()
    household.reset(support.scenario())
    seen = household.observe(Role.FOLLOWER)
    found = made.action_distribution(seen)
    assert list(found) == list(FOLLOWER_ACTIONS) and found["Forward"] == pytest.approx(1.0)
    assert made.act(seen) == Action("Forward")


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(SpecError, match="there is no such scale"):
        follower("scripted:no", points="inches")
    with pytest.raises(SpecError, match="whole number of pixels from 16 on"):
        follower("scripted:no", picture=4)
    with pytest.raises(SpecError, match="cannot be chosen with perception=vlm"):
        follower("scripted:no", talk="model")


def test_it_is_named_by_a_spec() -> None:
    made = build("agent", "lm:model='scripted:no',perception=vlm,points=pixels,picture=320", role="follower")
    assert isinstance(made, VisionFollower) and not made.privileges


def test_it_is_among_the_tiers_that_a_wrong_one_is_told() -> None:
    with pytest.raises(SpecError, match="did you mean 'vlm'"):
        build("agent", "lm:model=uniform,perception=vllm", role="follower")


def test_a_model_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError):
        follower("hf:/nowhere/at/all")
    made = follower(f"hf:{tmp_path}")
    household = support.small_household()
    household.reset(support.scenario())
    with pytest.raises(ModelMissingError):
        made.act(household.observe(Role.FOLLOWER))


def test_fuzz_every_answer_ends_in_an_action() -> None:
    """Random cuts, repeats and mixtures of answers, and bytes: 300 decisions, an action each."""
    dice = np.random.default_rng(0)
    stock = [
        said("Pickup", [0.5, 0.5]),
        said("Text", None, "hi"),
        '{"action": ["Stop"]}',
        "Stop!",
        '{"action": "x"',
        "🤖",
    ]

    def answer(prompt: Prompt) -> str:
        text = "".join(stock[place] for place in dice.integers(0, len(stock), dice.integers(1, 4)))
        cut = text[: dice.integers(0, len(text) + 1)]
        return cut + bytes(dice.integers(0, 256, dice.integers(0, 9)).astype(np.uint8)).decode("latin1")

    made = follower(ScriptedModel(answer), max_decisions=300)
    household = support.small_household()
    household.reset(support.scenario())
    made._look(household.observe(Role.FOLLOWER))
    for _ in range(300):
        action = made._decide()
        assert action.allowed_for(Role.FOLLOWER)
    assert 0 < made.failed_decisions < 300


@pytest.fixture
def one_thread() -> Iterator[None]:
    """A network this small is slower on several threads, beside other work by far."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_a_tiny_model_that_sees_plays_a_session(tmp_path: Path, one_thread: None) -> None:
    """A LLaVA of random weights, built on the spot, in a real room."""
    pytest.importorskip("transformers")
    from tests.models import tiny

    spec = f'lm:model="hf:{tiny.build_seeing(tmp_path, 4096)},dtype=float32",perception=vlm,max_decisions=3'
    agent = build("agent", spec, role="follower")
    assert isinstance(agent, VisionFollower)
    scenario = Scenario("s1", "Coffee", (), Scene("FloorPlan7"), 1)
    commander = ScriptedAgent([Action.say("Please make a coffee.")])
    result = run_session(Household(EmbeddedSimulator()), commander, agent, scenario, limits=Limits(max_turns=10))
    assert result.end_reason in (EndReason.STOPPED, EndReason.TURN_LIMIT)
    assert agent.usage.generated_tokens > 0 and agent.usage.failures == agent.failed_decisions
    assert not result.privileges[Role.FOLLOWER]
