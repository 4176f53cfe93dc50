"""The packages in the source roots beside `teach_agents`."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

import pytest
import teach_agents_noisy_speech
import teach_agents_prompts
import teach_agents_serve
from teach_agents_noisy_speech import NoisySpeech

from teach_agents.actions import Action, Role
from teach_agents.core.registry import Registry
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from tests.session.support import Recall, scenario, session


def test_noisy_speech_loses_words_and_the_same_ones_every_time() -> None:
    def heard(seed: int, loss: float) -> list[str]:
        follower = Recall(Action.wait(), Action.stop())
        words = "please put the clean mug on the white plate beside the sink"
        held = session([Action.say(words)], follower).with_hook(NoisySpeech(loss), "noisy")
        asyncio.run(held.run(scenario(seed=seed)))
        return follower.seen[1].dialogue[0].text.split()

    assert heard(1, 0.5) == heard(1, 0.5)
    assert heard(1, 0.5) != heard(2, 0.5)
    assert "..." in heard(1, 0.5)
    assert "..." not in heard(1, 0.0)
    assert set(heard(1, 1.0)) == {"..."}


def test_noisy_speech_comes_through_the_door() -> None:
    registry = Registry()
    registry.register(teach_agents_noisy_speech)
    assert isinstance(build("dialogue_hook", "noisy_speech:loss=0.2", registry=registry), NoisySpeech)
    with pytest.raises(InputError, match="probability"):
        build("dialogue_hook", "noisy_speech:loss=2", registry=registry)


def test_prompts_are_rendered_from_their_files() -> None:
    assert teach_agents_prompts.template_names() == [
        "commander_system",
        "follower_system",
        "lm_choices",
        "lm_commander",
        "lm_commander_system",
        "lm_commander_wording",
        "lm_follower",
        "lm_follower_say",
        "lm_follower_system",
        "lm_reading",
        "lm_reading_system",
        "lm_vlm",
        "lm_vlm_lost",
        "lm_vlm_system",
        "lm_world",
        "lm_world_say",
        "lm_world_system",
        "repair",
        "step",
        "tools",
        "translate",
    ]
    text = teach_agents_prompts.render("follower_system", actions=["Forward", "Pickup <x>"])
    assert "- Forward\n- Pickup <x>" in text


def test_the_serving_package_has_the_version_it_came_with() -> None:
    assert teach_agents_serve.__version__ == version("teach-agents")


def test_roles_are_known_to_plugins() -> None:
    assert NoisySpeech(0.0).say(0, Role.COMMANDER, "a b") == "a b"
