"""`scripts/learn_crowding.py` finds the limits beyond which refusals prevail."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "learn_crowding.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_crowding", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_limits_lie_between_what_went_well_and_what_was_refused(script: ModuleType) -> None:
    near, far = (0.05,) * len(script.MARGINS), (0.4,) * len(script.MARGINS)
    attempts = [script.Attempt("FloorPlan1", "Sink", went, near if went else far) for went in (True, False) * 50]
    _, distance = script.learnt(attempts)["Sink"]
    assert 0.05 <= distance < 0.4


def test_a_type_on_which_nothing_was_refused_gets_no_limit(script: ModuleType) -> None:
    far = (0.4,) * len(script.MARGINS)
    assert script.learnt([script.Attempt("FloorPlan1", "Bed", True, far)] * 50) == {}


def test_folds_judge_every_attempt_once_by_other_rooms(script: ModuleType) -> None:
    attempts = [script.Attempt(f"FloorPlan{n}", "Sink", True, ()) for n in range(1, 8)]
    judged = []
    for others, held_out in script.folds(attempts):
        assert not {one.room for one in others} & {one.room for one in held_out}
        judged.extend(held_out)
    assert sorted(judged) == sorted(attempts)
