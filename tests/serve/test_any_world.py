"""Agents of any world behind a server: what they do, and who is not understood."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from teach_agents_serve import create_app

from teach_agents.actions import Action, Role
from teach_agents.conventions.remote_agent import RemoteAgent
from teach_agents.core.agents.contract import Agent, Body, Briefing
from teach_agents.core.codec import Codec
from teach_agents.core.session.record import read_record
from teach_agents.core.session.session import Session
from teach_agents.core.specs import build
from teach_agents.core.values import Say
from teach_agents.core.world import World
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.kinds import AGENT
from tests.agents.treasure import CODEC, PLAIN, TOLD, Go, House, Hunt, Sight, deeds
from tests.serve.serving import request, serving

ENDED = threading.Event()
_JSON = {"Content-Type": "application/json"}


class Asker(Agent):
    """Owns its loop: goes where it is told, and says what came of it."""

    async def run(self, body: Body) -> None:
        """Until it is cancelled."""
        try:
            while True:
                heard = await body.heard()
                result = await body.do(Go(heard[-1].text))
                await body.say(f"{heard[-1].speaker} said {heard[-1].text}: {result.message}")
        finally:
            ENDED.set()


class Clumsy(Agent):
    """Gives what is no action."""

    def act(self, observation: Sight) -> Any:
        """A text."""
        return "go north"


def _played(path: Path, **agents: Any) -> list[tuple[str, Any]]:
    made = {
        seat: build(AGENT, one, world=PLAIN, seat=seat, allow_import=True) if isinstance(one, str) else one
        for seat, one in agents.items()
    }
    result = Session(House(), made, record=path).play(Hunt("kitchen"), seed=5)
    assert not result.broken, result.reason
    return deeds(read_record(path, House().form))


def _app(**agents: str) -> Any:
    return create_app(world=PLAIN, agents=agents, allow_import=True)


def test_agents_do_behind_a_server_what_they_do_here(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    rooms = ("attic", "moon", "cellar", "moon", "kitchen")
    script.write_text(json.dumps([{"type": "Say", "text": room} for room in rooms]))
    guide = f"scripted:file={script}"
    for spec in ("tests.serve.test_any_world:Asker", "lm:model=uniform", "random"):
        ENDED.clear()
        here = _played(tmp_path / "here.jsonl", guide=guide, seeker=spec)
        with serving(_app(seeker=spec)) as url:
            there = _played(tmp_path / "there.jsonl", guide=guide, seeker=url)
        assert here == there and len(here) > 2, spec
    played = _played(tmp_path / "said.jsonl", guide=guide, seeker="tests.serve.test_any_world:Asker")
    said = [action.text for seat, action in played if seat == "seeker" and isinstance(action, Say)]
    assert said[0] == "guide said attic: it is empty"


def test_an_agent_that_owns_its_loop_is_cancelled_when_its_session_is_closed() -> None:
    ENDED.clear()
    house = House()
    house.reset(Hunt("attic"), 0)
    with serving(_app(seeker="tests.serve.test_any_world:Asker")) as url:
        agent: Any = build(AGENT, url, world=PLAIN, seat="seeker")
        asyncio.run(agent.begin(Briefing("one", "seeker")))
        asyncio.run(agent.act(house.observe("seeker")))
        asyncio.run(agent.close())
        assert ENDED.wait(20)


def test_thoughts_usage_and_what_is_no_action_come_back(tmp_path: Path) -> None:
    with serving(_app(seeker="lm:model=uniform", guide="tests.serve.test_any_world:Clumsy")) as url:
        agents: dict[str, Any] = {seat: build(AGENT, url, world=PLAIN, seat=seat) for seat in ("guide", "seeker")}
        Session(House(), agents, record=tmp_path / "hunt.jsonl").play(Hunt("kitchen"))
    first = read_record(tmp_path / "hunt.jsonl", House().form).turns[0].done
    assert first["guide"].action is None and not first["guide"].result.success
    assert first["seeker"].thought["candidates"][-1] == "wait"
    assert agents["seeker"].usage.model_calls > 0 and agents["seeker"].provenance["model"] == "uniform"


def test_peers_of_other_worlds_and_versions_are_refused() -> None:
    newer = World(Codec[Hunt, Go, Sight]("treasure", instance=Hunt, actions=(Go,), observation=Sight, version=4))
    with serving(_app(seeker="random")) as url:
        told = json.loads(request(url, "GET", "/v1/agents").body)
        assert (told["world"], told["world_version"], list(told["agents"])) == ("treasure", 3, ["seeker"])
        with pytest.raises(InputError, match="the server at .* is of another world; got 'treasure'"):
            RemoteAgent(url, Role.FOLLOWER)
        with pytest.raises(InputError, match="a version of the world 'treasure' that is not read here; got 3"):
            RemoteAgent(url, "seeker", world=newer)
        with pytest.raises(InputError, match="has no guide"):
            RemoteAgent(url, "guide", world=TOLD)
        for stated, status, words in (
            ({}, 409, "the world 'treasure' is served here"),
            ({"world": "maze", "world_version": 3}, 409, "not 'maze'"),
            ({"world": "treasure", "world_version": 4}, 422, "not read here; got 4"),
            ({"world": "treasure"}, 422, "not read here"),
        ):
            role = "seeker" if stated else "follower"
            answer = request(url, "POST", "/v1/sessions", json.dumps({"role": role, **stated}).encode(), _JSON)
            assert answer.status == status and words in json.loads(answer.body)["message"], answer.text
    with serving(create_app("random")) as url:
        with pytest.raises(InputError, match="is of another world; got 'none stated'"):
            RemoteAgent(url, "seeker", world=PLAIN)


def test_a_body_that_is_none_is_refused_and_says_what_one_is() -> None:
    with serving(_app(seeker="random")) as url:
        asked = {"role": "seeker", "world": "treasure", "world_version": 3}
        session = json.loads(request(url, "POST", "/v1/sessions", json.dumps(asked).encode(), _JSON).body)["id"]
        seen = CODEC.observation_to_json(Sight("a room", b"\x89PNG", (Go("attic"),)))
        for body in (b"[]", b"{}", b'{"observation": 5}', b'{"observation": {}, "news": [{"speaker": "x"}]}', b"\xff"):
            answer = request(url, "POST", f"/v1/sessions/{session}/act", body, _JSON)
            assert answer.status == 422, answer.text
        done = request(url, "POST", f"/v1/sessions/{session}/act", json.dumps({"observation": seen}).encode(), _JSON)
        assert json.loads(done.body)["action"] == {"type": "Go", "room": "attic"}


class HouseholdAsker(Agent):
    """A Follower that owns its loop, and does with its words what TEACh's protocol can carry."""

    async def run(self, body: Body) -> None:
        """Say what was heard, and what came of it."""
        heard = await body.heard()
        result = await body.do(Action("Forward"))
        await body.say(f"{heard[0].text} {result.success}")


def test_an_agent_that_owns_its_loop_is_served_in_teachs_protocol_too() -> None:
    pose = {"position": [0, 0.9, 0], "yaw": 0, "horizon": 30}
    with serving(create_app("tests.serve.test_any_world:HouseholdAsker", allow_import=True)) as url:
        session = json.loads(request(url, "POST", "/v1/sessions", b'{"role": "follower"}', _JSON).body)["id"]

        def act(**seen: Any) -> Any:
            body = json.dumps({"turn": 0, "pose": pose, **seen}).encode()
            return json.loads(request(url, "POST", f"/v1/sessions/{session}/act", body, _JSON).body)["action"]

        said = [{"speaker": "commander", "text": "ahead", "time_ms": 1}]
        assert act() == {"name": "NoOp"}
        assert act(dialogue=said) == {"name": "Forward"}
        assert act(dialogue=said, last_result={"success": False}) == {"name": "Text", "utterance": "ahead False"}
        assert act(dialogue=said) == {"name": "Stop"}


def test_an_agent_that_is_served_in_no_seat_is_not_served() -> None:
    with pytest.raises(TeachAgentsError, match="needs an agent to serve"):
        create_app(world=PLAIN)
