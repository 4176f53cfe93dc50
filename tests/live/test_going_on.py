"""Pauses, ends, restarts: a session is as it was kept, and goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.errors import InputError, RecordError
from teach_agents.household import Household
from teach_agents.live import REPLY_S, LiveError, LiveSession, LiveSetting, household_for, make_scenario, record_of
from teach_agents.session import replay
from tests.live.support import FORWARD, LEFT, Memory, coffee, heard, held, kinds, run, setting, until

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER


async def _screens(live: LiveSession) -> dict[str, Any]:
    """What both screens show, apart from how often it was begun."""
    shown = {role.value: await live.screen(role) for role in Role}
    for screen in shown.values():
        del screen["seq"], screen["ready"]
    return shown


def test_nobody_acts_while_the_session_is_paused() -> None:
    async def play() -> None:
        async with held(setting(follower="planner")) as live:
            await until(lambda: live.idle(FOLLOWER))
            live.pause()
            live.pause()
            with pytest.raises(LiveError) as refused:
                await live.say(COMMANDER, "clean the mug", key="a")
            assert refused.value.kind == "paused" and live.status == "paused"
            before = len(live.record().turns)
            await asyncio.sleep(0.2)
            assert len(live.record().turns) == before, "the agent waits, too"
            live.resume()
            await live.say(COMMANDER, "clean the mug", key="a")
            await until(lambda: live.idle(FOLLOWER))
            assert len(live.record().turns) > before + 1, "the agent has answered"
            await live.end("enough")
            assert kinds(live).count("paused") == kinds(live).count("resumed") == 1
            for late in (live.pause, live.resume):
                with pytest.raises(LiveError, match="has ended"):
                    late()

    run(play)


def test_a_closed_session_goes_on_where_it_was() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(follower="planner"), journal) as live:
            await live.say(COMMANDER, "Please clean the mug", key="first")
            await until(lambda: live.idle(FOLLOWER))
            await live.act(COMMANDER, Action.search("Knife"))
            await live.act(COMMANDER, Action.progress_check())
            before, events, turns = await _screens(live), list(live.events), live.record().turns
        with pytest.raises(LiveError, match="not held here"):
            await live.say(COMMANDER, "still there?")
        kept = len(journal.lines)
        async with held(setting(follower="planner"), journal) as again:
            after = await _screens(again)
            told = list(again.events)
            assert told[: len(events)] == events and told[len(events)].kind == "resumed"
            assert again.record().turns[: len(turns)] == turns
            if len(again.record().turns) == len(turns):  # the agent has said nothing yet
                assert after == before
            same = await again.say(COMMANDER, "Please clean the mug", key="first")
            assert same == next(event for event in events if event.kind == "utterance" and event.role is COMMANDER)
            await until(lambda: again.idle(FOLLOWER))
            await again.say(COMMANDER, "Make coffee in the mug")
            await until(lambda: again.idle(FOLLOWER))
            await again.act(COMMANDER, Action.finish())
            assert again.events[-1].data["success"]
            times = [event.time_ms for event in again.events if event.kind in ("action", "utterance")]
            assert times == sorted(set(times)) and len(journal.lines) > kept
            assert [event.seq for event in again.events] == list(range(len(again.events)))
            report = replay(record_of(again.setting, journal.lines), household_for(again.setting))
            assert report.identical, report.differences

    run(play)


def test_a_restart_leads_to_the_identical_state() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(), journal) as live:
            for name in ("Forward", "Turn Left", "Forward", "Look Up"):
                await live.act(FOLLOWER, Action(name))
            for target in (await live.targets())[:2]:
                await live.act(FOLLOWER, Action.click(target["actions"][0], target["x"], target["y"]))
            await live.act(COMMANDER, Action.search("Mug"))
            await live.act(COMMANDER, FORWARD)
            before = await _screens(live)
            views = [await live.picture(name, COMMANDER, 96) for name in ("view", "follower_view", "target_lit", "map")]
            done = await live.act(FOLLOWER, LEFT, key="last")
        del journal.lines[-1]  # the server died before that was kept
        assert done.data["result"]["success"]
        async with held(setting(), journal) as again:
            assert await _screens(again) == before
            for name, view in zip(("view", "follower_view", "target_lit", "map"), views, strict=True):
                assert (await again.picture(name, COMMANDER, 96) == view).all()
            redone = await again.act(FOLLOWER, LEFT, key="last")
            assert redone.data == done.data and redone.time_ms > again.events[-3].time_ms

    run(play)


def test_a_session_that_had_finished_has_finished() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(), journal) as live:
            await live.act(COMMANDER, Action.finish())
            with pytest.raises(LiveError) as refused:
                await live.act(FOLLOWER, LEFT)
            assert refused.value.kind == "ended"
        ended = journal.lines.pop()
        assert ended["result"]["end_reason"] == "finished"
        async with held(setting(), journal) as again:
            assert again.status == "ended" and kinds(again)[-2:] == ["resumed", "ended"]
            assert record_of(again.setting, journal.lines).result == ended["result"]

    run(play)


def test_a_session_that_was_ended_stays_so() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(), journal) as live:
            await live.act(FOLLOWER, LEFT)
            await live.end("time is up")
            record, events = live.record(), list(live.events)
        lines = list(journal.lines)
        async with held(setting(), journal) as again:
            assert again.status == "ended" and again.record() == record
            assert [event async for event in again.follow()] == events
            with pytest.raises(LiveError, match="has ended"):
                await again.act(FOLLOWER, LEFT)
        assert journal.lines == lines

    run(play)


def test_turns_that_lead_elsewhere_are_refused() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(), journal):
            pass
        async with held(setting(), journal) as live:
            await live.act(FOLLOWER, LEFT)
        other = LiveSetting("live1", make_scenario(room="FloorPlan3"), setting().chairs)
        for lines, there in (
            ([{"events": 3}], setting()),
            ([*journal.lines[:-1], _without_success(journal.lines[-1])], setting()),
            (journal.lines, other),
        ):
            again = LiveSession(there)
            with pytest.raises(RecordError, match="journal"):
                await again.start(past=lines)
            await again.close()

    run(play)


def _without_success(line: Mapping[str, Any]) -> Mapping[str, Any]:
    turn = dict(line["turn"])
    turn["follower"] = turn["follower"] | {"result": {"success": False, "message": "no"}}
    return {**line, "turn": turn}


class Full(Memory):
    """A journal whose disk is full after a while."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._most = lines

    async def append(self, line: Mapping[str, Any]) -> None:
        if len(self.lines) >= self._most:
            raise OSError(28, "No space left on device")
        await super().append(line)


def test_what_cannot_be_kept_is_told_to_nobody() -> None:
    journal = Full(3)

    async def play() -> None:
        async with held(setting(), journal) as live:
            await live.act(FOLLOWER, LEFT)
            await live.act(FOLLOWER, LEFT)
            with pytest.raises(LiveError) as refused:
                await live.act(FOLLOWER, LEFT)
            assert refused.value.kind == "broken" and kinds(live) == ["began", "action", "action"]
            with pytest.raises(LiveError) as closed:
                await live.act(FOLLOWER, LEFT)
            assert closed.value.kind == "closed" and len(live.record().turns) == 2
        roomy = Memory()
        roomy.lines = list(journal.lines)
        async with held(setting(), roomy) as again:
            await again.act(FOLLOWER, LEFT)
            assert len(again.record().turns) == 3

    run(play)


def test_a_broken_simulator_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("the floor is lava")

    async def play() -> None:
        async with held(setting()) as live:
            monkeypatch.setattr(Household, "act", broken)
            with pytest.raises(LiveError) as refused:
                await live.act(FOLLOWER, LEFT)
            assert refused.value.kind == "broken"
            ended = await heard(live, "ended")
            assert ended.data["reason"] == "crashed" and not ended.data["success"]
            assert "lava" not in str(ended.to_json(FOLLOWER)) or "Traceback" not in str(ended.to_json())

    run(play)


def test_settings_survive() -> None:
    there = replace(setting("planner:style=plain"), pace_s=0.5, reply_s=2.5, view_size=128)
    assert LiveSetting.from_json(there.to_json()) == there
    older = {key: value for key, value in there.to_json().items() if key != "reply_s"}
    assert LiveSetting.from_json(older) == replace(there, reply_s=REPLY_S)
    for fields in (
        {"pace_s": -1},
        {"pace_s": float("nan")},
        {"reply_s": -1},
        {"session_id": ""},
        {"chairs": {COMMANDER: "human"}},
    ):
        with pytest.raises(InputError, match="live session"):
            replace(there, **fields)
    with pytest.raises(InputError, match="damaged"):
        LiveSetting.from_json({"session_id": "x"})
    assert not setting("planner", "planner").attended and setting("planner").attended


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"room": "FloorPlan99"}, "FloorPlan99"),
        ({"task": "Cofee"}, "did you mean 'Coffee'"),
        ({"task": "Coffee", "params": ["1"]}, "parameters"),
        ({"params": ["1"]}, "free play takes no parameters"),
        ({"task": "Coffee", "game": Path("x.game.json")}, "a task or a game"),
        ({"game": Path("x.game.json")}, "no such file"),
        ({"task": "Coffee", "room": "FloorPlan401"}, "no such object"),
        ({"task": "Boil X", "params": ["Mug"]}, "can be boiled; got 'Mug'; valid: .*Potato"),
    ],
)
def test_scenarios_that_there_are_not_are_refused(arguments: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        make_scenario(**arguments)


def test_a_session_begins_once() -> None:
    async def play() -> None:
        live = LiveSession(setting())
        assert live.status == "paused" and not live.events
        with pytest.raises(LiveError, match="not begun"):
            await live.act(FOLLOWER, LEFT)
        await live.start()
        with pytest.raises(LiveError, match="begun already"):
            await live.start()
        await live.close()
        await live.close()
        assert coffee().task_name == "Coffee"

    run(play)
