"""Two people in one room: what they do and say at the same time, and what each is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.live import LiveError, LiveEvent, LiveSession
from tests.live.support import FORWARD, LEFT, Memory, held, kinds, run, setting

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER


async def _chatter(live: LiveSession, role: Role, number: int) -> None:
    for count in range(number):
        await live.say(role, f"{role} {count}")
        await asyncio.sleep(0)


def test_crossing_talk_is_kept_whole_and_in_order() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(), journal) as live:
            await asyncio.gather(*(_chatter(live, role, 20) for role in Role), live.act(FOLLOWER, LEFT))
            said = [event for event in live.events if event.kind == "utterance"]
            for role in Role:
                assert [one.data["text"] for one in said if one.role is role] == [f"{role} {n}" for n in range(20)]
            assert said != sorted(said, key=lambda one: str(one.role)), "they crossed"
            times = [event.time_ms for event in live.events]
            assert times == sorted(set(times)), "strictly growing"
            dialogue = (await live.screen(COMMANDER))["dialogue"]
            assert [(one["speaker"], one["text"]) for one in dialogue] == [
                (one.role.value, one.data["text"]) for one in said if one.role is not None
            ]
            turns = live.record().turns
            assert [turn.turn for turn in turns] == list(range(41))
            assert sum(event["kind"] == "utterance" for line in journal.lines for event in line["events"]) == 40

    run(play)


def test_the_same_key_is_done_once() -> None:
    async def play() -> None:
        async with held(setting()) as live:
            same = await asyncio.gather(*(live.act(FOLLOWER, LEFT, key="a") for _ in range(5)))
            again = await live.act(FOLLOWER, FORWARD, key="a")
            other = await live.act(FOLLOWER, LEFT, key="b")
            theirs = await live.say(COMMANDER, "hello", key="a")
            assert all(one is same[0] for one in [*same, again]) and other is not same[0]
            assert theirs.role is COMMANDER and len(live.record().turns) == 3

    run(play)


def test_a_client_that_gives_up_loses_nothing() -> None:
    async def play() -> None:
        async with held(setting()) as live:
            asked = asyncio.ensure_future(live.act(FOLLOWER, LEFT, key="a"))
            await asyncio.sleep(0)
            asked.cancel()
            done = await live.act(FOLLOWER, LEFT, key="a")
            assert asked.cancelled() or not asked.done()
            assert len(live.record().turns) == 1 and done.data["result"]["success"]

    run(play)


@pytest.mark.parametrize(
    ("role", "action", "kind"),
    [
        (FOLLOWER, Action.search("mug"), "bad_action"),
        (COMMANDER, Action.click("Pickup", 0.5, 0.5), "bad_action"),
        (FOLLOWER, Action.wait(), "bad_action"),
        (FOLLOWER, Action.say("  "), "bad_action"),
        (FOLLOWER, "Forward", "bad_action"),
        (COMMANDER, LEFT, "not_yours"),
    ],
)
def test_what_nobody_in_the_chair_can_do_is_refused(role: Role, action: Any, kind: str) -> None:
    async def play() -> None:
        chairs = {"commander": "planner"} if kind == "not_yours" else {}
        async with held(setting(**chairs)) as live:
            with pytest.raises(LiveError) as refused:
                await live.act(role, action, key="k")
            assert refused.value.kind == kind

    run(play)


def _heard_by(live: LiveSession, role: Role | None) -> list[dict[str, Any]]:
    return [told for event in live.events if (told := event.to_json(role)) is not None]


def test_nobody_hears_what_their_screen_would_not_show() -> None:
    async def play() -> None:
        async with held(setting()) as live:
            await live.act(COMMANDER, Action.progress_check())
            await live.act(COMMANDER, Action.search("Mug"))
            await live.act(COMMANDER, FORWARD)
            await live.say(COMMANDER, "turn left")
            await live.act(FOLLOWER, LEFT)
            await live.act(FOLLOWER, Action.click("Pickup", 0.01, 0.01))
            await live.end("time")
            follower, commander, watcher = (_heard_by(live, role) for role in (FOLLOWER, COMMANDER, None))
            assert [event["kind"] for event in follower] == ["began", "utterance", "action", "action", "ended"]
            assert "task" not in follower[0]["data"] and "Coffee" not in str(follower)
            assert "goal" not in str(follower) and follower[-1]["data"]["reason"] == "ended"
            assert follower[-2]["data"]["result"]["message"]
            assert [event["kind"] for event in watcher] == kinds(live)
            (turned, clicked) = (event["data"] for event in commander if event["role"] == "follower")
            assert turned["action"] == {"name": "Turn Left"} and turned["pose"]["yaw"] != clicked["pose"]["yaw"] + 1
            assert clicked["result"] == {"success": False} and clicked["action"] == {"name": "Pickup"}
            assert commander[0]["data"]["task"] == {"name": "Coffee", "params": []}
            assert [LiveEvent.from_json(event) for event in watcher] == list(live.events)

    run(play)


def test_readers_get_everything_however_slow_they_are() -> None:
    async def play() -> None:
        async with held(setting()) as live:

            async def read(after: int, nap_s: float) -> list[int]:
                seen = []
                async for event in live.follow(after):
                    seen.append(event.seq)
                    await asyncio.sleep(nap_s)
                return seen

            readers = [asyncio.ensure_future(read(after, nap)) for after, nap in ((-1, 0.0), (-1, 0.003), (7, 0.0))]
            await asyncio.gather(*(_chatter(live, role, 20) for role in Role))
            await live.end()
            quick, slow, late = await asyncio.gather(*readers)
            number = len(live.events)
            assert quick == slow == list(range(number)) and late == list(range(8, number))
            assert [event.seq async for event in live.follow(number - 2)] == [number - 1], "and after the end"

    run(play)


def test_people_come_and_go() -> None:
    async def play() -> None:
        async with held(setting()) as live:
            await live.join(FOLLOWER)
            await live.join(None)
            await live.leave(None)
            told = [(event.kind.value, event.role, event.data["present"]) for event in live.events[1:]]
            assert told == [("joined", FOLLOWER, 1), ("joined", None, 1), ("left", None, 0)]
            assert (await live.screen(COMMANDER))["present"] == {"watching": 0, "commander": 0, "follower": 1}

    run(play)
