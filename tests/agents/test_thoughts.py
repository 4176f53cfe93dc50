"""What agents say of their thinking, made fit to be kept."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest

from teach_agents.actions import Action
from teach_agents.agents import Agent
from teach_agents.core.agents.thoughts import is_decision, kept, state_told, thought_of
from teach_agents.core.sizes import LARGEST_THOUGHT
from teach_agents.observations import Observation


class _Thinks(Agent):
    def __init__(self, thought: Any) -> None:
        self.thought = thought

    def act(self, observation: Observation) -> Action:
        return Action.wait()


class _Breaks(_Thinks):
    def __init__(self) -> None:
        pass

    @property
    def thought(self) -> Mapping[str, Any]:  # type: ignore[override]  # as an agent may have it
        raise RuntimeError("boom")


def _nested(depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for _ in range(depth):
        made = {"in": made}
    return made


def test_a_thought_is_copied_as_it_is() -> None:
    thought = {"prompt": "Höre.", "candidates": ["a", "b"], "distribution": {"a": 0.5}, "n": 3, "none": None, "t": True}
    found = thought_of(_Thinks(thought))
    assert found == thought
    thought["candidates"].append("c")  # type: ignore[attr-defined]  # the agent goes on with its own
    assert found is not None and found["candidates"] == ["a", "b"]


def test_an_agent_without_a_thought_has_none() -> None:
    assert thought_of(_Thinks(None)) is None


@pytest.mark.parametrize(
    ("thought", "problem"),
    [
        ("words", "thought must be a JSON object, not a str"),
        ([1], "thought must be a JSON object, not a list"),
        ({"a": {1: 2}}, "thought.a has a key that is no text: 1"),
        ({"a": [0, object()]}, "thought.a[1] is no JSON value: a object"),
        ({"p": math.nan}, "thought.p is no JSON value: nan"),
        ({"p": -math.inf}, "thought.p is no JSON value: -inf"),
        ({"b": b"bytes"}, "thought.b is no JSON value: a bytes"),
        (_nested(100_000), "nested too deeply"),
        ({"n": 10**5000}, "the thought cannot be read: ValueError"),
        ({f"k{n}": "v" * 2000 for n in range(60)}, f"at most {LARGEST_THOUGHT} are kept"),
    ],
)
def test_what_is_no_json_is_refused_by_name(thought: Any, problem: str) -> None:
    found = kept(thought)
    assert found.keys() == {"error"} and problem in found["error"] and len(found["error"]) < 250


def test_a_thought_that_cannot_be_read_says_so() -> None:
    assert thought_of(_Breaks()) == {"error": "the thought cannot be read: RuntimeError: boom"}


def test_enormous_texts_are_cut_short_and_the_rest_stays() -> None:
    found = kept({"prompt": "p" * 1_000_000, "candidates": ["a", "b"], "choice": "b"})
    assert (found["candidates"], found["choice"]) == (["a", "b"], "b") and is_decision(found)
    assert found["prompt"].endswith("... (1000000 characters)") and len(found["prompt"]) < 3000


def test_what_no_file_can_hold_is_escaped() -> None:
    found = kept({"reply": "\ud800 and \x00", "\udfff": 1})
    assert found == {"reply": "\\ud800 and \x00", "\\udfff": 1}
    assert json.loads(json.dumps(found, ensure_ascii=False).encode("utf8")) == found


def test_a_state_is_the_latest_of_each_of_its_parts() -> None:
    told = [{"state": {"a": 1, "b": [1]}}, None, {"choice": "x"}, {"state": {"a": 2}}, {"state": "no object"}]
    assert state_told(told) == {"a": 2, "b": [1]}
    assert state_told([None, {"choice": "x"}]) is None


def test_a_decision_is_what_a_model_was_asked() -> None:
    assert is_decision({"prompt": {"user": "x"}, "candidates": ["a"]}) and is_decision({"prompt": "where to?"})
    assert not is_decision({"candidates": ["only one"]}) and not is_decision({"prompt": ""}) and not is_decision(None)
