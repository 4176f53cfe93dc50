from __future__ import annotations

import math

import pytest

from teach_agents.errors import InputError
from teach_agents.models import ScriptedModel


def test_it_answers_in_order_and_repeats_its_last_answer() -> None:
    model = ScriptedModel(["a", "b"])
    assert model.generate(["1", "2", "3"]) == ["a", "b", "b"]
    assert model.prompts == ["1", "2", "3"]
    assert ScriptedModel("x|y").generate(["1", "2"]) == ["x", "y"]


def test_scores_are_log_probabilities() -> None:
    model = ScriptedModel(["b", "elsewhere"])
    assert model.score(["1"], ["a", "b"]) == [[-math.inf, 0.0]]
    assert sum(math.exp(one) for one in model.score(["2"], ["a", "b"])[0]) == pytest.approx(1.0)


def test_choices_bind_the_script_too() -> None:
    assert ScriptedModel(["b"]).generate(["1"], choices=["a", "b"]) == ["b"]
    with pytest.raises(InputError, match="none of the choices.*'c'"):
        ScriptedModel(["c"]).generate(["1"], choices=["a", "b"])


def test_contradictory_constraints_are_refused() -> None:
    model = ScriptedModel(["a"])
    with pytest.raises(InputError, match="not both"):
        model.generate(["1"], choices=["a"], schema={})
    with pytest.raises(InputError, match="not be empty"):
        model.generate(["1"], choices=[])
    with pytest.raises(InputError, match="at least one answer"):
        ScriptedModel([])
