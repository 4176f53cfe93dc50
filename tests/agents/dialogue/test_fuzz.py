"""Whatever people type is answered, nothing is done unasked; `benchmarks/utterance_fuzz.py` does it 10,000 times."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import as_agent
from teach_agents.observations import Observation
from tests.scripts import benchmark


@pytest.fixture
def utterance_fuzz(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("utterance_fuzz", monkeypatch)


def test_whatever_is_said_is_answered_and_nothing_is_done_unasked(utterance_fuzz: ModuleType) -> None:
    found = utterance_fuzz.fuzz(200)
    assert found.problems == []
    assert found.said.keys() == {*utterance_fuzz.NOTHING_ASKED, *utterance_fuzz.ANYTHING_ASKED}
    assert found.said.total() == len(found.first_s) == 200


def _answering(action: Callable[[], Action]) -> Callable[[Observation], Action]:
    """Somebody who answers each thing that is said with one action."""
    heard = 0

    def act(observation: Observation) -> Action:
        nonlocal heard
        news, heard = len(observation.dialogue) > heard, len(observation.dialogue)
        return action() if news and observation.dialogue[-1].speaker is Role.COMMANDER else Action.wait()

    return act


def _broken() -> Action:
    raise RuntimeError("out of order")


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        (Action.wait, "silence"),
        (lambda: Action.say("..."), "silence"),
        (lambda: Action("Forward"), "it did Forward"),
        (_broken, "RuntimeError: out of order"),
    ],
)
def test_what_goes_wrong_is_told(
    utterance_fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch, action: Callable[[], Action], problem: str
) -> None:
    monkeypatch.setattr(utterance_fuzz, "build", lambda *_, **__: as_agent(_answering(action)))
    found = utterance_fuzz.fuzz(8)
    assert len(found.problems) >= 8 and any(problem in one for one in found.problems)


def test_words_of_prompts_are_known_where_they_are_told(utterance_fuzz: ModuleType) -> None:
    path = next(path for path in sorted(utterance_fuzz.templates_folder().glob("lm_follower_system*")))
    line = max((one for one in path.read_text().splitlines() if "{" not in one), key=len)
    assert utterance_fuzz.leaks(f"Of course! {line}")
    assert not utterance_fuzz.leaks("I do not know what you mean. I can get, put, wash, slice, cook and open things.")


def test_times_beyond_the_limits_are_problems(utterance_fuzz: ModuleType) -> None:
    waits = [0.1] * 99 + [utterance_fuzz.LIMIT_S + 1]
    found = utterance_fuzz.Found(first_s=waits, first_cpu_s=waits)
    found.judge_times()
    assert len(found.problems) == 1
    busy = utterance_fuzz.Found(first_s=waits, first_cpu_s=[0.1] * 100)
    busy.judge_times()
    assert busy.problems == []
