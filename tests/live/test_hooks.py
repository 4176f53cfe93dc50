"""Dialogue hooks in live sessions: what they change, hear and end, and that they come back with the session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.errors import SpecError
from teach_agents.live import LiveError, LiveSession, LiveSetting, household_for, make_scenario, record_of
from teach_agents.observations import Observation, Privilege
from teach_agents.session import read_record, replay
from tests.live.support import LEFT, Memory, heard, held, run, setting, until

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER


class Loud(DialogueHook):
    """Shouts, swallows secrets, keeps the Follower from turning left, hints, and counts."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def begin(self, session_id: str, seed: int) -> None:
        self.calls = []

    def before_action(self, observation: Observation, action: Action) -> Action:
        assert observation.view.rgb.shape[2] == 3, "it may look"
        return Action("Turn Right") if action == LEFT else action

    def say(self, turn: int, speaker: Role, text: str) -> str:
        return "" if "secret" in text else text.upper()

    def heard(self, turn: int, listener: Role, utterance: Any) -> list[str]:
        return ["Shout"]

    def after_result(self, turn: int, role: Role, action: Any, result: Any) -> str | None:
        return None if result.success else "try something else"

    def turn_executed(self, record: Any) -> None:
        self.calls.append(f"turn {record.turn}")

    def ended(self, result: Any) -> Mapping[str, Any]:
        return {"turns": len(self.calls)}


class Turner(Agent):
    """Turns left once, then waits."""

    def act(self, observation: Observation) -> Action:
        return LEFT if observation.last_action is None else Action.wait()


def _loud(spec: str) -> DialogueHook:
    assert spec == "loud"
    return Loud()


def _hooked(**chairs: str) -> LiveSetting:
    return setting(**chairs, view_size=64, hooks=("loud",))


def test_hooks_change_what_agents_do_and_what_anybody_says_and_the_record_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        options: dict[str, Any] = {"build_agent": lambda role, spec: Turner(), "build_hook": _loud}
        async with held(_hooked(follower="turner"), **options) as live:
            done = await heard(live, "action")
            assert done.data["action"]["name"] == "Turn Right" and done.role is FOLLOWER
            said = await live.say(COMMANDER, "please")
            assert said.data["text"] == "PLEASE"
            swallowed = await live.say(COMMANDER, "a secret")
            assert (swallowed.role, swallowed.data["action"]["name"]) == (COMMANDER, "NoOp")
            missed = await live.act(COMMANDER, Action("SelectOid", query="Unicorn|1"))
            assert "try something else" in missed.data["result"]["help"]
            await live.end("enough")
            live.write_record(tmp_path / "loud.jsonl")

    run(play)
    record = read_record(tmp_path / "loud.jsonl")
    turned, spoken, *_ = (turn.done for turn in record.turns)
    assert record.header.hooks == ("loud",) and record.result is not None
    assert record.result["hooks"] == [{"name": "loud", "notes": {"turns": 4}}]
    assert turned[FOLLOWER].chosen == LEFT and spoken[COMMANDER].chosen == Action.say("please")
    assert spoken[COMMANDER].dialogue_acts == ("Shout",)
    assert replay(record, household_for(_hooked())).identical


def test_a_persons_own_act_is_theirs() -> None:
    async def play() -> None:
        async with held(_hooked(), build_hook=_loud) as live:
            assert (await live.act(FOLLOWER, LEFT)).data["action"]["name"] == "Turn Left"

    run(play)


def test_hooks_come_back_with_the_session_and_are_told_of_its_past() -> None:
    journal, made = Memory(), []

    def build(spec: str) -> DialogueHook:
        made.append(Loud())
        return made[-1]

    async def play() -> None:
        kept = LiveSetting.from_json(_hooked().to_json())
        async with held(kept, journal, build_hook=build) as live:
            await live.act(FOLLOWER, LEFT)
        async with held(kept, journal, build_hook=build) as live:
            await live.act(FOLLOWER, LEFT)
            await live.end("enough")
            result = live.record().result
        async with held(kept, journal, build_hook=build) as live:
            assert live.record().result == result, "what is over is told as it was"

    run(play)
    assert [one.calls for one in made] == [["turn 0"], ["turn 0", "turn 1"], []]
    assert record_of(_hooked(), journal.lines).header.hooks == ("loud",)


class Breaks(Loud):
    """Raises, where it is told to."""

    def __init__(self, where: str) -> None:
        super().__init__()
        setattr(self, where, self._break)

    def _break(self, *_: object) -> Any:
        raise ValueError("no more")


@pytest.mark.parametrize("where", ["say", "heard", "after_result", "turn_executed", "ended", "begin", "before_action"])
def test_a_hook_that_raises_ends_the_session_by_its_name(where: str) -> None:
    async def play() -> None:
        chairs = {"follower": "turner"} if where == "before_action" else {}
        options: dict[str, Any] = {"build_agent": lambda role, spec: Turner()}
        async with held(_hooked(**chairs), build_hook=lambda spec: Breaks(where), **options) as live:
            await _speaks(live, where)
            await until(lambda: live.status == "ended")
            told, result = live.events[-1], live.record().result
        assert result is not None and result["end_reason"] == "crashed" and not result["success"]
        assert told.data["text"] == result["reason"] == "dialogue hook 'loud' raised ValueError: no more"
        assert told.data["reason"] == "crashed"

    run(play)


async def _speaks(live: LiveSession, where: str) -> None:
    if where in ("say", "heard", "after_result"):
        with pytest.raises(LiveError, match="'loud' raised ValueError") as refused:
            await live.say(COMMANDER, "hello")
        assert refused.value.kind == "broken"
    elif where in ("turn_executed", "ended"):
        await live.say(COMMANDER, "hello")
        if where == "ended":
            await live.end("enough")


def test_settings_and_journals_without_hooks_are_as_they_were() -> None:
    told = setting().to_json()
    assert "hooks" not in told and LiveSetting.from_json(told).hooks == ()


def test_a_hook_that_there_is_not_is_refused_at_the_start() -> None:
    async def play() -> None:
        with pytest.raises(SpecError, match="loud"):
            async with held(_hooked()):
                pass

    run(play)


def test_words_get_lost_in_a_live_session_too() -> None:
    async def play() -> None:
        async with held(setting(hooks=("noisy_speech:loss=1.0",))) as live:
            assert (await live.say(COMMANDER, "make some coffee")).data["text"] == "... ... ..."

    run(play)


class Knowing(Agent):
    """Goes straight ahead when it was told something, knowing what there is."""

    privileges = frozenset({Privilege.OBJECTS})

    def act(self, observation: Observation) -> Action:
        return Action("Turn Left") if len(observation.dialogue) == 1 else Action.wait()


def test_the_follower_asks_which_one_is_meant() -> None:
    statues = make_scenario(room="FloorPlan208")

    async def play() -> None:
        made_of = setting(follower="knowing", scenario=statues, hooks=("clarify:wait=1",), reply_s=0.0)
        async with held(made_of, None, lambda role, spec: Knowing()) as live:
            await live.say(COMMANDER, "Pick up the statue.")
            await until(lambda: len([one for one in live.events if one.kind == "utterance"]) == 2)
            asked = next(one for one in live.events if one.kind == "utterance" and one.role is FOLLOWER)
            assert asked.data["text"].startswith("Do you mean the statue on")
            await live.end("enough")
            result = live.record().result
            assert result is not None and result["hooks"][0]["notes"] == {"questions": 1}

    run(play)
