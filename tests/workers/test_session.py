from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Briefing
from teach_agents.core.session.context import Unfinished
from teach_agents.observations import Observation
from teach_agents.session import DialogueHook, Timeouts, read_record, replay
from tests.bus.redis_server import RedisServer, redis_server
from tests.session.support import small_household
from tests.workers.stage import WORKERS, Commander, Counting, Stage, plan, played, undisturbed


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


async def _nothing(stage: Stage) -> None:
    """Nobody is disturbed."""


class Shouting(DialogueHook):
    def say(self, turn: int, speaker: Role, text: str) -> str:
        return text.upper() + "!"

    def after_result(self, turn: int, role: Role, action: object, result: object) -> str | None:
        return "mind the step" if turn % 3 == 0 else None


def test_a_session_over_four_workers_has_the_record_of_one_in_a_process(server: RedisServer, tmp_path: Path) -> None:
    result = played(Stage(server.url, tmp_path / "far.jsonl", plan()), _nothing)
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl")
    assert (result["end_reason"], result["turns"]) == ("finished", 9)
    assert replay(read_record(tmp_path / "far.jsonl"), small_household()).identical


@pytest.mark.parametrize("name", WORKERS)
def test_a_worker_that_ends_is_replaced_and_the_record_is_the_same(
    server: RedisServer, tmp_path: Path, name: str
) -> None:
    async def scene(stage: Stage) -> None:
        for count in (3, 6):
            await stage.lines(count)
            await stage.end(name)
            stage.start(name)

    hooked = plan(make_hooks=lambda: [("shouting", Shouting())])
    result = played(Stage(server.url, tmp_path / "far.jsonl", hooked), scene)
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl", shouting=Shouting())
    assert result["end_reason"] == "finished"


def test_all_end_at_once_and_the_session_goes_on(server: RedisServer, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await stage.lines(6)
        for name in WORKERS:
            await stage.end(name)
        stage.start(*reversed(WORKERS))

    stage = Stage(server.url, tmp_path / "far.jsonl", plan())
    played(stage, scene)
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl")
    assert [agent.briefings[-1].resumed for agent in stage.agents if isinstance(agent, Counting)] == [False] * 4


class Moody(Counting):
    """Answers otherwise each time it is made."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        Moody.made += 1
        self.number = Moody.made
        self.thought = {"state": {"number": self.number}}

    def act(self, observation: Observation) -> Action:
        super().act(observation)
        return Action.say(f"I am {self.number}")


@pytest.mark.parametrize("remind", [True, False])
def test_an_agent_that_cannot_be_reminded_is_begun_as_resumed(
    server: RedisServer, tmp_path: Path, remind: bool
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.lines(5)
        await stage.end("follower")
        stage.start("follower")

    make = {Role.COMMANDER: Commander, Role.FOLLOWER: Moody}
    stage = Stage(server.url, tmp_path / "far.jsonl", plan(remind=remind), make)
    result = played(stage, scene)
    assert (result["end_reason"], result["turns"]) == ("finished", 9)
    begun = [[one.resumed for one in agent.briefings] for agent in stage.agents if isinstance(agent, Moody)]
    assert begun == [[False], [False, True] if remind else [True]]
    first, last = (agent for agent in stage.agents if isinstance(agent, Moody))
    assert last.briefings[-1].state == {"number": first.number} and first.briefings[0].state is None
    assert replay(read_record(tmp_path / "far.jsonl"), small_household()).identical


def test_another_agent_in_the_chair_leaves_the_session_unfinished(server: RedisServer, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await stage.lines(5)
        await stage.end("follower")
        stage._make = {Role.FOLLOWER: Moody}
        stage.start("follower")
        with pytest.raises(Unfinished, match="'Counting', was replaced by another agent, 'Moody'"):
            await stage.tasks["environment"]
        assert read_record(tmp_path / "far.jsonl").result is None
        await stage.end("follower")
        stage._make = {Role.FOLLOWER: Counting}
        stage.start("follower", "environment")

    played(Stage(server.url, tmp_path / "far.jsonl", plan()), scene)
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl")


def test_an_environment_that_another_replaced_is_told(server: RedisServer, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await stage.lines(4)
        first = stage.tasks["environment"]
        stage.start("environment")
        with pytest.raises(Unfinished, match="another process is worker"):
            await asyncio.wait_for(first, 30)

    played(Stage(server.url, tmp_path / "far.jsonl", plan()), scene)
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl")


def test_a_session_that_has_ended_is_not_played_again(server: RedisServer, tmp_path: Path) -> None:
    first = played(Stage(server.url, tmp_path / "far.jsonl", plan()), _nothing)
    before = (tmp_path / "far.jsonl").read_bytes()
    stage = Stage(server.url, tmp_path / "far.jsonl", plan())
    assert played(stage, _nothing) == first
    assert (tmp_path / "far.jsonl").read_bytes() == before
    assert not any(agent.briefings for agent in stage.agents if isinstance(agent, Counting))


class Silent(Counting):
    def act(self, observation: Observation) -> Action:
        if observation.turn == 2:
            raise RuntimeError("no idea")
        return super().act(observation)


def test_an_agent_that_raises_ends_the_session_as_in_one_process(server: RedisServer, tmp_path: Path) -> None:
    make = {Role.COMMANDER: Commander, Role.FOLLOWER: Silent}
    result = played(Stage(server.url, tmp_path / "far.jsonl", plan(), make), _nothing)
    assert result["end_reason"] == "crashed"
    assert result["reason"] == "the follower raised RuntimeError: no idea"
    assert "no idea" in result["details"]


def test_a_chair_that_stays_empty_ends_the_session_in_time(server: RedisServer, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await stage.lines(4)
        await stage.end("follower")
        assert (await stage.tasks["environment"])["end_reason"] == "timed_out"
        stage.start("follower")

    brief = plan(timeouts=Timeouts(begin_s=10, act_s=0.5))
    result = played(Stage(server.url, tmp_path / "far.jsonl", brief), scene)
    assert result["reason"].startswith("the follower gave no answer in turn")


@pytest.mark.parametrize("durable", [True, False])
def test_redis_restarts_in_the_middle_of_a_session(tmp_path: Path, durable: bool) -> None:
    async def scene(stage: Stage) -> None:
        for count in (3, 6):
            await stage.lines(count)
            own.kill()
            await asyncio.sleep(0.05)
            await asyncio.to_thread(own.start)

    with redis_server(durable=durable) as own:
        result = played(Stage(own.url, tmp_path / "far.jsonl", plan()), scene)
    assert result["end_reason"] == "finished"
    assert (tmp_path / "far.jsonl").read_bytes() == undisturbed(tmp_path / "near.jsonl")


def test_briefings_are_those_of_one_process(server: RedisServer, tmp_path: Path) -> None:
    stage = Stage(server.url, tmp_path / "far.jsonl", plan())
    played(stage, _nothing)
    near = Counting()
    far = next(agent for agent in stage.agents if type(agent) is Counting)
    from teach_agents.session import Session
    from tests.session.support import scenario

    asyncio.run(Session(small_household(), Commander(), near).run(scenario(), session_id="s"))
    assert far.briefings == near.briefings == [Briefing("s", Role.FOLLOWER, near.briefings[0].seed)]
