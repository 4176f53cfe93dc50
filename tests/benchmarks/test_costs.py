"""What talk and models cost."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import Costs, recorded_talk, spent, talk
from teach_agents.data import keyboard
from teach_agents.models import Counted, ScriptedModel
from tests.data.samples import sample_interactions


def test_talk_is_counted_in_utterances_tokens_and_labelled_acts() -> None:
    cost = talk(["put the mug away, please!", "ok"], ["Instruction", "Acknowledge", "Instruction"])
    assert (cost.utterances, cost.tokens) == (2, 8)
    assert cost.dialogue_acts == {"Acknowledge": 1, "Instruction": 2}


def test_recorded_talk_has_the_annotators_acts() -> None:
    metadata = {"text_segments": ["hi", "", ""], "das": ["feedbackPositive", "", ""]}
    said = replace(keyboard(Role.COMMANDER, "hi", time_start=0.0), da_metadata=metadata)
    assert recorded_talk([*sample_interactions(), said]) == Costs(3, 5, {"FeedbackPositive": 1})


def test_costs_add_up() -> None:
    one = Costs(1, 2, {"Affirm": 1}, invalid_actions=3, wall_s=0.5, model_calls=4, prompt_tokens=5, generated_tokens=6)
    assert one + Costs() == one
    both = sum([one, one, Costs(dialogue_acts={"Deny": 2})], Costs())
    assert both.to_json() == {
        "utterances": 2,
        "tokens": 4,
        "invalid_actions": 6,
        "wall_s": 1.0,
        "model_calls": 8,
        "prompt_tokens": 10,
        "generated_tokens": 12,
        "dialogue_acts": {"Affirm": 2, "Deny": 2},
    }


def test_an_agent_may_say_what_it_spent_as_costs_or_as_its_models_count_it() -> None:
    counted = Counted(ScriptedModel("three words here"))
    counted.generate(["Hello there."])
    assert spent(SimpleNamespace(usage=counted.usage)) == Costs(model_calls=1, prompt_tokens=2, generated_tokens=3)
    assert spent(SimpleNamespace(usage=Costs(model_calls=7))) == Costs(model_calls=7)
    assert spent(object()) == Costs()
