"""What talk and models cost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.benchmarks.costs import Costs, costs_of, spent, talk
from teach_agents.models import Counted, ScriptedModel
from teach_agents.observations import Pose, Vec3
from teach_agents.session import Done
from teach_agents.session.format import traced


def test_talk_is_counted_in_utterances_tokens_and_labelled_acts() -> None:
    cost = talk(["put the mug away, please!", "ok"], ["Instruction", "Acknowledge", "Instruction"])
    assert (cost.utterances, cost.tokens) == (2, 8)
    assert cost.dialogue_acts == {"Acknowledge": 1, "Instruction": 2}


def test_costs_add_up() -> None:
    one = Costs(1, 2, {"Affirm": 1}, invalid_actions=3, wall_s=0.5, model_calls=4, prompt_tokens=5, generated_tokens=6)
    assert one + Costs() == one
    decided = Costs(decisions=5, failed_decisions=2, candidates={"12": 2, "3": 3})
    both = sum([one, one, Costs(dialogue_acts={"Deny": 2}), decided], Costs())
    assert both.to_json() == {
        "utterances": 2,
        "tokens": 4,
        "invalid_actions": 6,
        "wall_s": 1.0,
        "model_calls": 8,
        "prompt_tokens": 10,
        "generated_tokens": 12,
        "decisions": 5,
        "failed_decisions": 2,
        "clarifications": 0,
        "repairs": 0,
        "candidates": {"12": 2, "3": 3},
        "dialogue_acts": {"Affirm": 2, "Deny": 2},
    }


def test_an_agent_may_say_what_it_spent_as_costs_or_as_its_models_count_it() -> None:
    counted = Counted(ScriptedModel("three words here"))
    counted.generate(["Hello there."])
    assert spent(SimpleNamespace(usage=counted.usage)) == Costs(model_calls=1, prompt_tokens=2, generated_tokens=3)
    assert spent(SimpleNamespace(usage=Costs(model_calls=7))) == Costs(model_calls=7)
    assert spent(object()) == Costs()


def _done(action: Action | None, thought: Any = None) -> Done:
    return Done(action, ActionResult(True), 0, traced(Pose(Vec3(0.0, 0.0, 0.0), 0.0, 0.0)), thought)


def test_steps_cost_talk_answers_that_were_no_action_and_decisions() -> None:
    asked = {"prompt": {"user": "x"}, "candidates": ["a", "b", "c"], "seconds": 1.0}
    steps = [
        _done(Action.say("Here you are."), asked),
        _done(None, {**asked, "candidates": ["a"] * 5, "error": "TimeoutError"}),
        _done(Action.finish(), {"candidates": ["the only one"], "choice": "the only one"}),
        _done(Action.wait(), {"error": "the thought cannot be read"}),
        _done(Action.wait(), {**asked, "seconds": 2.0}),
        _done(Action.wait(), {"prompt": "What now, and where?", "choice": {"name": "Pickup", "x": 0.5, "y": 0.5}}),
    ]
    costs = costs_of(steps, Role.FOLLOWER)
    assert (costs.utterances, costs.tokens, costs.invalid_actions) == (1, 4, 2), "Finish is the Commander's"
    assert (costs.decisions, costs.failed_decisions, costs.candidates) == (4, 1, {"3": 2, "5": 1})
    assert costs.median_candidates == 3.0 and Costs().median_candidates is None
    assert Costs(**costs.to_json()) == costs
    assert costs_of(steps, Role.COMMANDER).invalid_actions == 1
