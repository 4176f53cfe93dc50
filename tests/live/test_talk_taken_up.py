"""A session that breaks off in the middle of a talk: the Follower goes on where it was, by what was recorded of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.chat.keeping import RecordFile, take_up
from teach_agents.core.agents.thoughts import state_told
from teach_agents.live import LiveSession, household_for, make_scenario, record_of
from teach_agents.session import replay
from tests.live.support import Memory, heard, held, run, setting, until

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER
MADE_OF = setting(follower="planner", scenario=make_scenario(room="FloorPlan7"), reply_s=0.0)
TALK = (
    "Don't open the fridge.",
    "The toaster belongs to Anna.",
    "slice it, then put the apple in the sink and open the microwave",
)


async def _until_at_work(live: LiveSession) -> None:
    """Say all of it, and wait until the Follower walks about the last of it, with a question and an order open."""
    await until(lambda: live.idle(FOLLOWER))
    for text in TALK[:-1]:
        await live.say(COMMANDER, text)
        await until(lambda: live.idle(FOLLOWER))
    asked = await live.say(COMMANDER, TALK[-1])
    for _ in range(3):
        asked = await heard(live, "action", asked.seq)


def _texts(live: LiveSession, after: int = 0) -> list[str]:
    """What the Follower said."""
    said = (one for one in live.events[after:] if one.kind == "utterance" and one.role is FOLLOWER)
    return [one.data["text"] for one in said]


async def _goes_on(lines: list[Mapping[str, Any]]) -> None:
    """Take a session up, and see that all that was told holds still."""
    journal = Memory()
    journal.lines = list(lines)
    async with held(MADE_OF, journal) as live:
        before = len(live.events)
        asked = "What should I slice?"
        await until(lambda: live.idle(FOLLOWER) and asked in _texts(live, before))
        gone_on, done, question = _texts(live, before)
        assert gone_on == "I am going on: I will put the apple in the sink."
        assert "microwave" in done and "apple" in done, "what was under way, and what was queued"
        assert question == asked
        before = len(live.events)
        await live.say(COMMANDER, "the bread")
        await until(lambda: live.idle(FOLLOWER))
        assert "slice" in " ".join(_texts(live, before)).lower(), "the answer completes the order that waited"
        for text, answer in (
            ("whose is the toaster?", "The toaster belongs to Anna."),
            ("look in the fridge", "Don't open the fridge."),
        ):
            before = len(live.events)
            await live.say(COMMANDER, text)
            await until(lambda: live.idle(FOLLOWER))
            assert answer in " ".join(_texts(live, before))
        assert not any("opened the fridge" in str(one.data.get("words")) for one in live.events)
        assert replay(record_of(MADE_OF, journal.lines), household_for(MADE_OF)).identical


@pytest.mark.parametrize("kept", ["journal", "record"])
def test_an_interrupted_talk_goes_on_with_what_was_asked_told_and_forbidden(kept: str, tmp_path: Path) -> None:
    journal, file = Memory(), RecordFile(tmp_path / "kept.jsonl")

    async def play() -> None:
        live = LiveSession(MADE_OF, journal if kept == "journal" else file, idle_s=0.05)
        if kept == "record":
            file.begin(live)
        await live.start()
        await _until_at_work(live)
        if kept == "journal":
            lines = list(journal.lines)  # as a process leaves it that is ended at once
        else:
            (tmp_path / "cut.jsonl").write_bytes(file.path.read_bytes() + b'{"turn": 9')
            lines = list(take_up(tmp_path / "cut.jsonl").lines)
        await live.close()
        file.close()
        await _goes_on(lines)

    run(play)


def test_what_was_stopped_is_not_taken_up_by_itself() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(MADE_OF, journal) as live:
            await _until_at_work(live)
            await live.say(COMMANDER, "stop")
            await until(lambda: live.idle(FOLLOWER))
        async with held(MADE_OF, journal) as live:
            before = len(live.events)
            await until(lambda: live.idle(FOLLOWER))
            await asyncio.sleep(0.2)
            assert not any("apple" in text for text in _texts(live, before))
            await live.say(COMMANDER, "go on")
            await until(lambda: live.idle(FOLLOWER))
            assert "microwave" in " ".join(_texts(live, before))

    run(play)


def test_what_was_said_and_not_yet_heard_is_answered_afterwards() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(MADE_OF, journal) as live:
            await until(lambda: live.idle(FOLLOWER))
            await live.say(COMMANDER, "hello")
            await until(lambda: live.idle(FOLLOWER))
            await live.say(COMMANDER, "open the microwave")
            said = next(number for number, line in enumerate(journal.lines) if "open the microwave" in str(line))
        del journal.lines[said + 1 :]
        async with held(MADE_OF, journal) as live:
            before = len(live.events)
            await until(lambda: live.idle(FOLLOWER) and len(_texts(live, before)) > 0)
            assert "microwave" in _texts(live, before)[-1]
            assert any("opened the microwave" in str(one.data.get("words")) for one in live.events[before:])

    run(play)


def test_nobody_in_a_chair_is_told_of_the_state() -> None:
    async def play() -> None:
        async with held(MADE_OF) as live:
            await live.say(COMMANDER, "don't touch the apple")
            await until(lambda: live.idle(FOLLOWER))
            thoughts = [one for one in live.events if one.kind == "thought"]
            kept = state_told(one.data["thought"] for one in thoughts)
            assert kept is not None and [rule["said"] for rule in kept["rules"]] == ["don't touch the apple"]
            for role in Role:
                told = [shown for one in thoughts if (shown := one.to_json(role)) is not None]
                assert any("heard" in one["data"]["thought"] for one in told)
                assert not any("state" in one["data"]["thought"] for one in told)

    run(play)
