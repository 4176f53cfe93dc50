"""The control that hears no words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from teach_agents.actions import Role
from teach_agents.agents.perceiving.perceived import Wordless
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.core.agents.contract import Agent
from teach_agents.core.specs import build
from teach_agents.errors import SpecError
from teach_agents.observations import Utterance
from tests.benchmarks.edh.sessions import household
from tests.session.support import scenario


def _agent(spec: str, role: Role) -> Agent:
    return build("agent", spec, role=role)


def test_who_hears_no_words_sees_what_others_see_and_hears_that_somebody_spoke() -> None:
    home = household()
    home.reset(scenario())
    eyes = Wordless(perception_of("oracle"))
    eyes.begin(0)
    shown = home.observe(Role.FOLLOWER, eyes.privileges)
    seen = eyes.perceive(replace(shown, dialogue=(Utterance(Role.COMMANDER, "a mug, please", 5),)))
    assert seen.dialogue == (Utterance(Role.COMMANDER, " ", 5),)
    assert seen.privileged is not None and seen.privileged.objects and seen.pose == shown.pose


@pytest.mark.parametrize("role", list(Role))
def test_either_chair_of_a_language_model_can_go_without_words_and_results_say_so(role: Role) -> None:
    deaf = _agent("lm:model=oracle,words=false", role)
    assert deaf.provenance["dialogue"] == "blanked"
    assert "dialogue" not in _agent("lm:model=oracle", role).provenance


def test_words_are_true_or_false() -> None:
    with pytest.raises(SpecError, match="must be true or false"):
        _agent("lm:model=oracle,words=some", Role.FOLLOWER)
