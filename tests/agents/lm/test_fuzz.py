"""Whatever a model answers, the agents act validly or count a failure; `benchmarks/lm_fuzz.py` does it 10,000 times."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.agents.lm.following import Whole

_SCRIPT = Path(__file__).parents[3] / "benchmarks" / "lm_fuzz.py"


@pytest.fixture
def lm_fuzz(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("lm_fuzz", _SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "lm_fuzz", module)
    spec.loader.exec_module(module)
    return module


def test_nonsense_ends_in_a_valid_action_or_a_counted_failure(lm_fuzz: ModuleType) -> None:
    found = lm_fuzz.fuzz(500, eyes=Whole)
    assert found.problems == []
    assert found.count >= 500 and {*lm_fuzz.SAYINGS, *lm_fuzz.DOINGS} <= found.outputs.keys()
    assert found.decisions > found.failed > 50
    assert found.slowest_s < 30, "nothing hangs"
