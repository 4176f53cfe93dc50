"""An agent behind a server is an agent like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from teach_agents_serve import Limits as ServerLimits
from teach_agents_serve import create_app

from teach_agents.actions import Action, Role
from teach_agents.agents import ScriptedAgent
from teach_agents.agents.conformance import AgentContract, blank_observation
from teach_agents.conventions.remote_agent import RemoteAgent
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.specs import build
from teach_agents.errors import TeachAgentsError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.session import read_record, resume_session, run_session
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from tests.serve.agents import Loops
from tests.serve.serving import request, serving

ROOM, TASK = "FloorPlan7", "Coffee"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    with serving(create_app(commander="planner")) as first, serving(create_app("planner")) as second:
        yield first, second


@pytest.fixture(scope="module")
def random_pair() -> Iterator[str]:
    with serving(create_app("random", commander="random")) as url:
        yield url


class _Remote(AgentContract):
    @pytest.fixture(autouse=True)
    def _served(self, random_pair: str) -> None:
        self.url = random_pair

    def make_agent(self) -> Agent:
        return build("agent", self.url, role=self.role)


class TestRemoteFollower(_Remote):
    role = Role.FOLLOWER


class TestRemoteCommander(_Remote):
    role = Role.COMMANDER


def _played(agents: list[Any], record: Path) -> Any:
    household = Household(EmbeddedSimulator(), view_size=60)
    scenario = Scenario("one", TASK, (), Scene(room=ROOM, randomize=True), 5)
    result = run_session(household, agents[0], agents[1], scenario, limits=Limits(max_turns=120), record=record)
    return result, [turn.to_json() for turn in read_record(record).turns]


def test_the_planner_pair_plays_over_http_as_it_does_here(servers: tuple[str, str], tmp_path: Path) -> None:
    here = [build("agent", "planner", role=role) for role in Role]
    there = [build("agent", url, role=role) for role, url in zip(Role, servers, strict=True)]
    for mine, other in zip(here, there, strict=True):
        assert mine.privileges == other.privileges and other.provenance["remote_spec"] == "planner"
    (local, turns), (remote, same) = _played(here, tmp_path / "a"), _played(there, tmp_path / "b")
    assert local.success and remote.success and len(turns) > 10
    assert same == turns


def test_what_was_observed_before_goes_to_agents_that_recall() -> None:
    async def told(url: str) -> tuple[float | None, str]:
        agent = RemoteAgent(url, Role.FOLLOWER)
        await agent.begin(Briefing("one", Role.FOLLOWER))
        seen = blank_observation(Role.FOLLOWER)
        for turn in range(3):
            await agent.recall(replace(seen, turn=turn))
        try:
            await agent.recall(replace(seen, turn=99))
        except TeachAgentsError as error:
            return (await agent.act(seen)).x, str(error)
        return (await agent.act(seen)).x, ""

    with serving(create_app("tests.serve.agents:Recaller", allow_import=True)) as url:
        counted, failed = asyncio.run(told(url))
        assert counted == 0.03 and failed.endswith("the agent raised ValueError")
    with serving(create_app("tests.serve.agents:Looker", allow_import=True)) as url:
        assert asyncio.run(told(url)) == (None, "")


@pytest.mark.parametrize(
    ("briefing", "words"),
    [
        (Briefing("one", Role.FOLLOWER), "False False None"),
        (Briefing("one", Role.FOLLOWER, 0, True, {"facts": ["a"]}, person=True), "True True {'facts': ['a']}"),
    ],
)
def test_it_is_told_that_a_person_sits_there_and_its_state_until_then(briefing: Briefing, words: str) -> None:
    async def said(url: str) -> str | None:
        agent = RemoteAgent(url, Role.FOLLOWER)
        await agent.begin(briefing)
        action: Action = await agent.act(blank_observation(Role.FOLLOWER))
        return action.utterance

    with serving(create_app("tests.serve.agents:Briefed", allow_import=True)) as url:
        assert asyncio.run(said(url)) == words


class _Losing:
    """Lets every request through and loses its answer the first time."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._seen: set[bytes] = set()
        self.lost = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        key = dict(scope["headers"]).get(b"idempotency-key", b"")
        if not key or key in self._seen:
            await self._app(scope, receive, send)
            return
        self._seen.add(key)

        async def lose(message: Any) -> None:
            self.lost += 1

        await self._app(scope, receive, lose)
        await send({"type": "http.response.start", "status": 502, "headers": [(b"retry-after", b"0")]})
        await send({"type": "http.response.body", "body": b"lost"})


def test_a_request_whose_answer_is_lost_is_sent_again_and_acted_on_once() -> None:
    losing = _Losing(create_app("tests.serve.agents:Sayer", allow_import=True))
    with serving(losing) as url:
        agent = RemoteAgent(url, Role.FOLLOWER)

        async def played() -> list[Action]:
            await agent.begin(Briefing("s", Role.FOLLOWER))
            answers = [await agent.act(blank_observation(Role.FOLLOWER, turn)) for turn in range(4)]
            await agent.close()
            return answers

        answers = asyncio.run(played())
    assert losing.lost >= 10, "description, opening and four acts were each lost once"
    assert answers == [*(Action.click("Pickup", turn / 100, 0.0) for turn in (1, 2, 3)), Action.stop()]


def test_an_agent_that_is_given_up_on_can_close_its_session() -> None:
    with serving(create_app("tests.serve.agents:Hangs", allow_import=True, limits=ServerLimits(answer_s=3.0))) as url:
        agent = RemoteAgent(url, Role.FOLLOWER)

        async def played() -> None:
            await agent.begin(Briefing("s", Role.FOLLOWER))
            await agent.act(blank_observation(Role.FOLLOWER, 0))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(agent.act(blank_observation(Role.FOLLOWER, 1)), 0.3)
            await agent.close()

        asyncio.run(played())
        assert 'sessions_ended_total{reason="closed"} 1' in request(url, "GET", "/metrics").text


def test_one_that_waits_for_its_server_can_be_given_up_on() -> None:
    with serving(create_app("tests.serve.agents:late", allow_import=True)) as url:
        agent = RemoteAgent(url, Role.FOLLOWER, timeout_s=0.3, retries=0)

        async def played() -> None:
            await agent.begin(Briefing("s", Role.FOLLOWER))
            await agent.act(blank_observation(Role.FOLLOWER, 1))

        with pytest.raises(TeachAgentsError, match="no answer: TimeoutError"):
            asyncio.run(played())
        with pytest.raises(TeachAgentsError, match="acts after begin"):
            asyncio.run(_acted(RemoteAgent(url, Role.FOLLOWER)))


async def _acted(agent: RemoteAgent) -> Action:
    answer: Action = await agent.act(blank_observation(Role.FOLLOWER))
    return answer


def test_an_agent_that_owns_its_loop_plays_and_goes_on_over_http_as_it_does_here(tmp_path: Path) -> None:
    boss_says = [Action.wait(), Action.say("come"), Action.wait(), Action.say("well?")]
    there, here, scenario = tmp_path / "there", tmp_path / "here", Scenario("one", TASK, (), Scene(ROOM), 5)
    with serving(create_app("tests.serve.agents:Loops", allow_import=True)) as url:
        sides: dict[Path, Callable[[], Any]] = {here: Loops, there: lambda: build("agent", url, role=Role.FOLLOWER)}
        for path, follower in sides.items():
            boss = ScriptedAgent(boss_says)
            result = run_session(Household(EmbeddedSimulator()), boss, follower(), scenario, record=path)
            assert (result.end_reason, result.turns, result.details) == ("stopped", 5, "")
            whole, turns = path.read_bytes(), [turn.to_json() for turn in read_record(path).turns]
            assert turns[2]["follower"]["action"]["utterance"] == "commander said come; 2, 1"
            for kept in (2, 4, 5):
                path.write_bytes(b"".join(whole.splitlines(keepends=True)[:kept]))
                left = ScriptedAgent(boss_says)
                result = resume_session(Household(EmbeddedSimulator()), left, follower(), path)
                assert (result.end_reason, result.turns) == ("stopped", 5), result.reason
                assert [turn.to_json() for turn in read_record(path).turns] == turns
    assert read_record(here).turns == read_record(there).turns
