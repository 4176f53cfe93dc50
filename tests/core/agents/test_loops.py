"""Agents that own their loops: what they do, hear and find, how they end, and how they take up a session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.agents.contract import Agent, Body
from teach_agents.core.environment import Environment
from teach_agents.core.errors import ActionError
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.session import Session
from teach_agents.core.values import Result, Say, Stop, Utterance, Wait
from tests.core.session.worlds import Bench, Pair, Put, Script, read, replayed


class Running(Agent):
    """Runs what it is given, and keeps what that notes down."""

    def __init__(self, play: Callable[[Body, list[Any]], Awaitable[None]]) -> None:
        self.play = play
        self.notes: list[Any] = []

    async def run(self, body: Body) -> None:
        self.notes.clear()
        await self.play(body, self.notes)


async def _helper(body: Body, notes: list[Any]) -> None:
    """Puts what it hears of until it hears that it is enough."""
    result = await body.say("what shall I put?")
    notes.append(result.success)
    while True:
        for said in await body.heard():
            notes.append((said.speaker, said.text))
            if said.text == "enough":
                return
            result = await body.do(Put(said.text))
            notes.append((result.message, body.observation.here))


LEAD = (Say("a cup"), Wait(), Say("a fork"), Wait(), Wait(), Wait(), Say("enough"))
worlds = pytest.mark.parametrize("world", [Pair, Bench])


@worlds
def test_it_speaks_hears_does_and_finds_what_came_of_it(world: type[Environment[Any, Any, Any]]) -> None:
    left = Running(_helper)
    result = Session(world(), {"lead": Script(*LEAD), "left": left}).play("x")
    assert (result.end_reason, result.reason, result.details) == ("stopped", "the left stopped", "")
    assert left.notes == [
        True,
        ("lead", "a cup"),
        ("left put a cup", ("a cup",)),
        ("lead", "a fork"),
        ("left put a fork", ("a cup", "a fork")),
        ("lead", "enough"),
    ]


@worlds
def test_wherever_a_session_is_cut_off_it_goes_on_to_the_same_bytes(
    world: type[Environment[Any, Any, Any]], tmp_path: Path
) -> None:
    whole, left = tmp_path / "whole.jsonl", Running(_helper)

    class Lead(Script):
        """Relives too, as it counts its answers."""

        relives = True

    def session(path: Path) -> Session:
        return Session(world(), {"lead": Lead(*LEAD), "left": left}, record=path)

    session(whole).play("x")
    notes, lines = tuple(left.notes), whole.read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(b"".join(lines[:kept]))
        result = session(cut).play_on() if kept % 2 else asyncio.run(session(cut).resume())
        assert cut.read_bytes() == whole.read_bytes(), f"{kept} lines: {result.reason}"
        assert tuple(left.notes) == notes, "it lived through all of it"
    assert replayed(whole, world()).identical


def test_who_does_something_else_than_then_has_crashed_and_it_is_said_where(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    words = iter(["one", "two"])

    async def moody(body: Body, notes: list[Any]) -> None:
        await body.wait()
        await body.say(next(words))
        await body.do(Stop())

    def session() -> Session:
        return Session(Pair(), {"lead": Script(), "left": Running(moody)}, record=path)

    session().play("x")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    result = session().play_on()
    assert (result.end_reason, result.turns) == ("crashed", 2)
    assert "in turn 1 it did Say(text='two') where Say(text='one') was recorded" in result.reason
    assert read(path, Pair()).result is not None


def test_time_counts_between_one_deed_and_the_next(tmp_path: Path) -> None:
    async def slow(body: Body, notes: list[Any]) -> None:
        for _ in range(4):
            await asyncio.sleep(0.1)
            await body.wait()
        await asyncio.sleep(1000)

    session = Session(Pair(), {"lead": Script(), "left": Running(slow)}, timeouts=Timeouts(act_s=0.3))
    result = session.play("x")
    assert (result.end_reason, result.turns) == ("timed_out", 4)
    assert result.reason == "the left gave no answer in turn 4 within 0.3 s"


def test_what_it_raises_is_its_crash_and_an_action_that_cannot_be_made_too() -> None:
    async def wrong(body: Body, notes: list[Any]) -> None:
        await body.wait()
        raise ActionError("action", "there is no such thing", value="Fly")

    result = Session(Pair(), {"lead": Script(), "left": Running(wrong)}).play("x")
    assert (result.end_reason, result.turns) == ("crashed", 1)
    assert "the left raised RuntimeError: run was ended by action: there is no such thing" in result.reason


def test_the_end_cancels_it_and_it_may_clean_up(tmp_path: Path) -> None:
    async def tidy(body: Body, notes: list[Any]) -> None:
        try:
            while True:
                await body.wait()
        finally:
            await asyncio.sleep(0.01)
            notes.append("tidied")

    for in_a_loop in (False, True):
        left = Running(tidy)
        session = Session(Pair(), {"lead": Script(Wait(), Stop()), "left": left})
        result = asyncio.run(session.run("x")) if in_a_loop else session.play("x")
        assert (result.end_reason, result.turns, left.notes) == ("stopped", 2, ["tidied"])


def test_cleaning_up_cannot_hang_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teach_agents.core.agents.runner._PARTING_S", 0.2)

    async def stubborn(body: Body, notes: list[Any]) -> None:
        try:
            while True:
                await body.wait()
        finally:
            await asyncio.sleep(1000)

    began = time.monotonic()
    result = Session(Pair(), {"lead": Script(Wait(), Stop()), "left": Running(stubborn)}).play("x")
    assert result.end_reason == "stopped" and time.monotonic() - began < 10


def test_several_at_once_are_done_one_after_the_other() -> None:
    async def both(body: Body, notes: list[Any]) -> None:
        notes += await asyncio.gather(body.do(Put("a")), body.do(Put("b")), body.say("c"))

    left = Running(both)
    result = Session(Pair(), {"lead": Script(), "left": left}).play("x")
    assert [one.message for one in left.notes] == ["left put a", "left put b", ""] and result.turns == 4


def test_a_deed_that_was_given_up_is_done_all_the_same_and_the_next_comes_behind_it() -> None:
    async def hasty(body: Body, notes: list[Any]) -> None:
        deed = asyncio.ensure_future(body.do(Put("a")))
        await asyncio.sleep(0)
        deed.cancel()
        notes.append(await body.do(Put("b")))

    left = Running(hasty)
    session = Session(Pair(), {"lead": Script(), "left": left})
    result = session.play("x")
    assert left.notes == [Result(True, "left put b")] and result.turns == 3
    assert session.environment.observe("left").here == ("a", "b")


def test_what_was_done_in_its_place_is_what_its_deeds_come_to() -> None:
    from teach_agents.core.agents.contract import Briefing
    from teach_agents.core.agents.runner import Runner
    from teach_agents.core.session.seats import Seated
    from tests.core.session.worlds import Heard

    async def talks(body: Body, notes: list[Any]) -> None:
        for _ in range(3):
            result = await body.say("me")
            notes.append((result.message, [one.text for one in body.observation.dialogue]))

    agent, runner, said = Running(talks), Runner("under test"), Utterance("lead", "go")
    seated = Seated(agent, "left", runner, Pair.codec)

    def play() -> Any:
        seated.begin(Briefing("x", "left"), 5.0)
        seated.recall(Heard(0, ()), 5.0)
        seated.recall(Heard(1, (), (said,), Result(True, "they did this")), 5.0)
        return seated.answer(Heard(2, (), (said, said), Result(False, "and that")), 5.0).action

    assert runner.run(play) == Say("me")
    assert agent.notes == [("they did this", ["go"]), ("and that", ["go", "go"])]
    runner.stop()


def test_the_same_agent_plays_again_from_the_beginning() -> None:
    left = Running(_helper)
    for _ in range(2):
        assert Session(Pair(), {"lead": Script(*LEAD), "left": left}).play("x").end_reason == "stopped"
        assert len(left.notes) == 6


def test_a_body_that_is_kept_is_moved_no_more() -> None:
    kept: list[Body] = []

    async def keep(body: Body, notes: list[Any]) -> None:
        kept.append(body)
        await body.do(Put("a cup"))

    Session(Bench(), {"left": Running(keep)}).play("x")
    with pytest.raises(RuntimeError, match="not once that is over"):
        asyncio.run(asyncio.wait_for(kept[0].do(Put("a fork")), 20))
