from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.observations import Utterance
from teach_agents.session import DialogueHook, EndReason, TurnRecord, read_record, replay
from tests.session.support import WAIT, Recall, scenario, session, small_household


class Shouting(DialogueHook):
    def say(self, turn: int, speaker: Role, text: str) -> str:
        return text.upper() if speaker is Role.COMMANDER else text


class Diary(DialogueHook):
    def __init__(self) -> None:
        self.lines: list[object] = []

    def begin(self, session_id: str, seed: int) -> None:
        self.lines = [(session_id, seed)]

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> None:
        self.lines.append((turn, listener, utterance.text))

    def turn_executed(self, record: TurnRecord) -> None:
        self.lines.append(record.turn)


def test_hooks_change_what_is_said_and_are_told_what_happens(tmp_path: Path) -> None:
    diary, follower = Diary(), Recall(Action.say("what now?"), Action.stop())
    held = session([Action.say("hello")], follower, record=tmp_path / "r").with_hook(Shouting()).with_hook(diary)
    asyncio.run(held.run(scenario(seed=4)))
    assert diary.lines == [
        ("s1", 4),
        (0, Role.FOLLOWER, "HELLO"),
        (0, Role.COMMANDER, "what now?"),
        0,
        1,
    ]
    assert follower.seen[1].heard() == "HELLO"
    record = read_record(tmp_path / "r")
    assert record.turns[0].done[Role.COMMANDER].action == Action.say("HELLO")
    assert replay(record, small_household()).identical


class Faulty(DialogueHook):
    def __init__(self, where: str) -> None:
        self.where = where

    def begin(self, session_id: str, seed: int) -> None:
        self._fail("begin")

    def say(self, turn: int, speaker: Role, text: str) -> Any:
        self._fail("say")
        return None if self.where == "nonsense" else text

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> None:
        self._fail("heard")

    def turn_executed(self, record: TurnRecord) -> None:
        self._fail("turn_executed")

    def _fail(self, where: str) -> None:
        if where == self.where:
            raise RuntimeError("broken")


@pytest.mark.parametrize("where", ["begin", "say", "heard", "turn_executed"])
def test_a_hook_that_raises_ends_the_session_by_its_name(where: str) -> None:
    result = asyncio.run(session([Action.say("hi")], [WAIT]).with_hook(Faulty(where), "faulty").run(scenario()))
    assert result.end_reason is EndReason.CRASHED
    assert result.reason == "dialogue hook 'faulty' raised RuntimeError: broken"
    assert "in _fail" in result.details


def test_a_hook_that_returns_no_text_ends_the_session() -> None:
    result = asyncio.run(session([Action.say("hi")]).with_hook(Faulty("nonsense"), "faulty").run(scenario()))
    assert result.reason == "dialogue hook 'faulty' must return the text that is said, not None"
