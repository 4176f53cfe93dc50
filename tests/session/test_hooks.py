from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.bus import MemoryBus
from teach_agents.core.messages import EVERYONE, ActionExecuted
from teach_agents.errors import RecordError
from teach_agents.observations import Observation, Privilege, Utterance
from teach_agents.session import DialogueHook, EndReason, SessionResult, TurnRecord, read_record, replay
from tests.session.support import FORWARD, WAIT, Recall, scenario, session, small_household


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

    def before_action(self, observation: Observation, action: Action) -> Action:
        self._fail("before_action")
        return action

    def after_result(self, turn: int, role: Role, action: Action | None, result: ActionResult) -> None:
        self._fail("after_result")

    def turn_executed(self, record: TurnRecord) -> None:
        self._fail("turn_executed")

    def ended(self, result: SessionResult) -> None:
        self._fail("ended")

    def _fail(self, where: str) -> None:
        if where == self.where:
            raise RuntimeError("broken")


@pytest.mark.parametrize("where", ["begin", "before_action", "say", "heard", "after_result", "turn_executed", "ended"])
def test_a_hook_that_raises_ends_the_session_by_its_name(where: str) -> None:
    result = asyncio.run(session([Action.say("hi")], [WAIT]).with_hook(Faulty(where), "faulty").run(scenario()))
    assert result.end_reason is EndReason.CRASHED
    assert result.reason == "dialogue hook 'faulty' raised RuntimeError: broken"
    assert "in _fail" in result.details
    assert not result.success and result.hooks == (("faulty", {}),)


def test_a_hook_that_returns_no_text_ends_the_session() -> None:
    result = asyncio.run(session([Action.say("hi")]).with_hook(Faulty("nonsense"), "faulty").run(scenario()))
    assert result.reason == "dialogue hook 'faulty' must return the text that is said, not None"


class Reserved(DialogueHook):
    """Lets the Follower do nothing but turn, and nobody shout."""

    def before_action(self, observation: Observation, action: Action) -> Action:
        return Action("Turn Left") if observation.role is Role.FOLLOWER and action == FORWARD else action

    def say(self, turn: int, speaker: Role, text: str) -> str:
        return "" if text.isupper() else text


def test_a_hook_replaces_actions_and_keeps_words_back(tmp_path: Path) -> None:
    follower = Recall(FORWARD, Action.stop())
    held = session([Action.say("HEY"), Action.say("go")], follower, record=tmp_path / "r").with_hook(Reserved())
    result = asyncio.run(held.run(scenario()))
    record = read_record(tmp_path / "r")
    first = record.turns[0].done
    assert first[Role.COMMANDER].action == WAIT and first[Role.COMMANDER].chosen == Action.say("HEY")
    assert first[Role.FOLLOWER].action == Action("Turn Left") and first[Role.FOLLOWER].chosen == FORWARD
    assert record.turns[1].done[Role.COMMANDER].chosen is None
    assert follower.seen[1].last_action == Action("Turn Left") and follower.seen[1].heard() is None
    assert result.utterances[Role.COMMANDER] == 1
    assert record.header.hooks == ("Reserved",) and result.hooks == (("Reserved", {}),)
    assert replay(record, small_household()).identical


class Odd(DialogueHook):
    """Answers what it was made with, whatever it is asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def before_action(self, observation: Observation, action: Action) -> Any:
        return self.answer.get("before_action", action)

    def say(self, turn: int, speaker: Role, text: str) -> Any:
        return self.answer.get("say", text)

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> Any:
        return self.answer.get("heard")

    def after_result(self, turn: int, role: Role, action: Action | None, result: ActionResult) -> Any:
        return self.answer.get("after_result")

    def ended(self, result: SessionResult) -> Any:
        return self.answer.get("ended")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"before_action": "Forward"}, "must return an action of the commander, not 'Forward'"),
        ({"before_action": Action("Pickup", 0.5, 0.5)}, "must return an action of the commander"),
        ({"say": 5}, "must return the text that is said, not 5"),
        ({"say": "\ud800"}, "must return text that can be said"),
        ({"heard": "Instruction"}, "must return dialogue acts as a list of names, or None, not 'Instruction'"),
        ({"heard": ["Instruction", 3]}, "must return dialogue acts as a list"),
        ({"after_result": 7}, "must return a hint as text, or None, not 7"),
        ({"ended": [1]}, "must return notes as a JSON object, or None, not [1]"),
        ({"ended": {"role": {1, 2}}}, "must return notes as a JSON object"),
        ({"ended": {"share": float("nan")}}, "must return notes as a JSON object"),
    ],
)
def test_nonsense_of_a_hook_ends_the_session_by_its_name(answer: dict[str, Any], said: str) -> None:
    result = asyncio.run(session([Action.say("hi")], [WAIT]).with_hook(Odd(answer), "odd").run(scenario()))
    assert result.end_reason is EndReason.CRASHED and result.reason.startswith("dialogue hook 'odd' " + said)


class Advice(DialogueHook):
    """Hints at failures of either role, names acts and takes notes."""

    def begin(self, session_id: str, seed: int) -> None:
        self.turns = 0

    def after_result(self, turn: int, role: Role, action: Action | None, result: ActionResult) -> str | None:
        return None if result.success else f"{role}, try again"

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> list[str]:
        return ["Instruction", "Greetings/Salutations"] if utterance.text == "hello, go" else ["MiscOther"]

    def turn_executed(self, record: TurnRecord) -> None:
        self.turns += 1

    def ended(self, result: SessionResult) -> dict[str, Any]:
        return {"turns": self.turns, "end": result.end_reason.value}


_MISSED = Action("Pickup", 0.99, 0.01)


def test_hints_reach_the_role_and_acts_and_notes_the_result(tmp_path: Path) -> None:
    follower = Recall(_MISSED, Action.say("oops"), Action.stop())
    held = session([Action.say("hello, go")], follower, record=tmp_path / "r").with_hook(Advice(), "advice")
    result = asyncio.run(held.run(scenario()))
    told = follower.seen[1].last_result
    record = read_record(tmp_path / "r")
    done = record.turns[0].done[Role.FOLLOWER]
    assert told is not None and told.help is not None and told.help.endswith("follower, try again")
    assert done.hint == "follower, try again" and done.result.help != told.help and done.told == told
    assert follower.seen[2].last_result == ActionResult(True, "Text")
    assert result.dialogue_acts == {
        Role.COMMANDER: {"Greetings/Salutations": 1, "Instruction": 1},
        Role.FOLLOWER: {"MiscOther": 1},
    }
    assert result.hooks == (("advice", {"turns": 3, "end": "stopped"}),)
    assert record.result is not None and record.result["hooks"] == [
        {"name": "advice", "notes": dict(result.hooks[0][1])}
    ]
    assert record.turns[0].done[Role.COMMANDER].dialogue_acts == ("Instruction", "Greetings/Salutations")
    assert replay(record, small_household()).identical


def test_an_answer_that_is_no_action_gets_its_hint_too() -> None:
    class Mumbling(Recall):
        def act(self, observation: Observation) -> Any:
            self.seen.append(observation)
            return "hm" if len(self.seen) == 1 else Action.stop()

    follower = Mumbling()
    asyncio.run(session([], follower).with_hook(Advice()).run(scenario()))
    told = follower.seen[1].last_result
    assert follower.seen[1].last_action is None and told is not None
    assert "no Action" in told.message and told.help == "follower, try again"


def test_a_session_taken_up_again_gives_hooks_their_past_and_agents_their_hint(tmp_path: Path) -> None:
    def held(follower: Recall, **options: Any) -> Any:
        made = session([Action.say("hello, go")], follower, record=tmp_path / "r", **options)
        return made.with_hook(Advice(), "advice")

    script = (_MISSED, _MISSED, Action.stop())
    whole = asyncio.run(held(Recall(*script)).run(scenario()))
    lines = (tmp_path / "r").read_bytes().splitlines(keepends=True)
    (tmp_path / "r").write_bytes(b"".join(lines[:2]))
    late = Recall(*script)
    taken_up = asyncio.run(held(late).resume())
    assert late.seen[0].last_result is not None and "try again" in (late.seen[0].last_result.help or "")
    assert taken_up.hooks == whole.hooks == (("advice", {"turns": 3, "end": "stopped"}),)
    assert taken_up.dialogue_acts == whole.dialogue_acts
    assert (tmp_path / "r").read_bytes() == b"".join(lines)


def test_a_session_is_not_taken_up_again_with_other_hooks(tmp_path: Path) -> None:
    asyncio.run(session([], [WAIT, Action.stop()], record=tmp_path / "r").with_hook(Advice()).run(scenario()))
    lines = (tmp_path / "r").read_bytes().splitlines(keepends=True)
    (tmp_path / "r").write_bytes(b"".join(lines[:2]))
    with pytest.raises(RecordError, match="another list of dialogue hooks; got 'none'"):
        asyncio.run(session([], [Action.stop()], record=tmp_path / "r").resume())


class Looking(DialogueHook):
    """Keeps what it is shown before actions."""

    stamped = False

    def begin(self, session_id: str, seed: int) -> None:
        self.shown: list[Observation] = []

    def before_action(self, observation: Observation, action: Action) -> Action:
        self.shown.append(observation)
        return action


def test_a_hook_sees_what_the_role_sees_through_its_perception_and_may_go_unnamed() -> None:
    class Dreaming(Recall):
        privileges = frozenset({Privilege.OBJECTS})

        def act(self, observation: Observation) -> Action:
            self.perceived = Observation(observation.role, observation.turn, observation.pose, observation.view)
            return super().act(observation)

    hook = Looking()
    result = asyncio.run(session([], Dreaming(Action.stop())).with_hook(hook).run(scenario()))
    assert [seen.role for seen in hook.shown] == [Role.COMMANDER, Role.FOLLOWER]
    assert not hook.shown[1].privileged.granted
    assert result.hooks == ()


async def test_the_bus_tells_results_as_the_role_is_told() -> None:
    bus = MemoryBus()
    inbox = bus.subscribe(EVERYONE, session="s1")
    await session([], [_MISSED, Action.stop()], bus=bus).with_hook(Advice()).run(scenario())
    await bus.close()
    heard = [message.payload async for message in inbox]
    (told,) = [one.result.help for one in heard if isinstance(one, ActionExecuted) and one.action == _MISSED]
    assert told is not None and told.endswith("follower, try again")
