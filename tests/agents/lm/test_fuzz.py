"""Whatever a model answers, the agents act validly or count a failure; `benchmarks/lm_fuzz.py` does it 10,000 times."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.agents.lm.following import Whole
from tests.scripts import benchmark


@pytest.fixture
def lm_fuzz(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("lm_fuzz", monkeypatch)


def test_nonsense_ends_in_a_valid_action_or_a_counted_failure(lm_fuzz: ModuleType) -> None:
    found = lm_fuzz.fuzz(500, eyes=Whole)
    assert found.problems == []
    assert found.count >= 500 and {*lm_fuzz.SAYINGS, *lm_fuzz.DOINGS} <= found.outputs.keys()
    assert found.decisions > found.failed > 50
    assert found.slowest_s < 30, "nothing hangs"
