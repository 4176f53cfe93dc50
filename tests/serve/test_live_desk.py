"""What becomes of live sessions that nobody uses, that grow old, that are too many; and agents from elsewhere."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from teach_agents_serve import Limits, create_app
from teach_agents_serve.live_serving import LiveServing
from teach_agents_serve.live_wire import NewSession

from teach_agents.actions import Role
from teach_agents.errors import InputError, SpecError, TeachAgentsError
from teach_agents.live import HUMAN
from tests.serve.live import AGENTS, PATIENCE_S, Made, live_server, made
from tests.serve.serving import request, serving

ROOM = {"room": "FloorPlan1"}


def _eventually(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _create(url: str, **asked: Any) -> tuple[int, dict[str, Any]]:
    answer = request(url, "POST", "/v1/live", json.dumps(asked).encode(), {"Content-Type": "application/json"})
    return answer.status, json.loads(answer.body)


def test_a_session_that_nobody_uses_sleeps_until_somebody_does(tmp_path: Path) -> None:
    with live_server(tmp_path, limits=Limits(idle_s=0.3)) as url:
        session = made(url, **ROOM)
        first = json.loads(session.act("follower", "Turn Left", key="a").body)
        _eventually(lambda: session.told()["status"] == "asleep")
        assert "live_sessions_slept_total" in request(url, "GET", "/metrics").text
        again = json.loads(session.act("follower", "Turn Left", key="a").body)
        assert again == first
        later = json.loads(session.act("follower", "Turn Left", key="b").body)
        assert later["seq"] > first["seq"] and session.told()["turns"] == 2


def test_a_session_ends_when_it_was_played_for_too_long(tmp_path: Path) -> None:
    with live_server(tmp_path, limits=Limits(total_s=0.5)) as url:
        session = made(url, **ROOM)
        session.act("follower", "Turn Left")
        told = session.until(lambda told: told["status"] == "ended" and told["ended"] is not None)
        assert told["success"] is False and session.ask("GET", "/game").status == 200


def test_an_owner_has_only_so_many_sessions_in_memory(tmp_path: Path) -> None:
    with live_server(tmp_path, limits=Limits(sessions_per_token=2)) as url:
        one, _ = made(url, **ROOM), made(url, **ROOM)
        status, told = _create(url, **ROOM)
        assert (status, told["error"]) == (429, "too_many_sessions")
        one.ask("POST", "/end", "commander")
        assert _create(url, **ROOM)[0] == 201


def test_there_are_only_so_many_sessions_at_all(tmp_path: Path) -> None:
    with live_server(tmp_path, limits=Limits(sessions=1)) as url:
        made(url, **ROOM)
        assert _create(url, **ROOM)[0] == 429
        assert request(url, "GET", "/ready").status == 503


def test_what_an_owner_left_behind_the_longest_is_given_up(tmp_path: Path) -> None:
    with live_server(tmp_path, limits=Limits(idle_s=0.2, unfinished=1)) as url:
        old = made(url, **ROOM)
        old.act("follower", "Turn Left")
        _eventually(lambda: old.told()["status"] == "asleep")
        made(url, **ROOM)
        _eventually(lambda: old.told()["status"] == "ended")
        assert old.told()["reason"] == "abandoned" and old.ask("GET", "/game").status == 200


def test_agents_from_hosts_that_were_allowed_may_take_a_chair(tmp_path: Path) -> None:
    elsewhere = create_app("planner", commander="planner", limits=Limits(views=()))
    with serving(elsewhere) as agents, live_server(tmp_path, hosts=("127.0.0.1",)) as url:
        session = made(url, task="Coffee", room="FloorPlan1", commander=agents, follower=agents)
        told = session.until(lambda told: told["status"] == "ended")
        assert told["success"] and told["chairs"] == {"commander": agents, "follower": agents}


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.2:8000",
        "http://allowed.example.evil.example",
        "http://evil.example@allowed.example",
        "http://evil.example/?allowed.example",
        "http://allowed.example:99999999",
        "http://port.example:81",
        "ftp://allowed.example",
        "file:///etc/passwd",
        "allowed.example",
        "http://allowed.example/?a=b",
        "http://[::1",
        "remote:url=http://allowed.example",
        "x" * 5000,
    ],
)
def test_no_other_address_is_asked(tmp_path: Path, address: str) -> None:
    serving = LiveServing(tmp_path, hosts=("allowed.example", "port.example:80"))
    with pytest.raises(SpecError):
        serving.check_chair(Role.FOLLOWER, address)
    serving.check_chair(Role.FOLLOWER, "http://Allowed.example:1234/agents")
    serving.check_chair(Role.FOLLOWER, "https://port.example:80")


def test_an_agent_that_cannot_be_made_fails_in_its_chair_and_can_be_tried_again(tmp_path: Path) -> None:
    with live_server(tmp_path, hosts=("127.0.0.1",)) as url:
        session = made(url, follower="http://127.0.0.1:1", **ROOM)
        _eventually(lambda: session.told("/screen")["failed"].get("follower"))
        assert session.ask("POST", "/retry", "commander").status == 200
        assert session.told()["status"] == "running"


def test_games_are_named_and_lie_in_the_folder(tmp_path: Path) -> None:
    with live_server(tmp_path / "one") as url:
        session = made(url, task="Coffee", room="FloorPlan1")
        session.act("follower", "Turn Left")
        session.ask("POST", "/end", "commander")
        session.ask("GET", "/game")
    games = tmp_path / "one" / "games"
    with live_server(tmp_path / "two", games=games) as url:
        assert json.loads(request(url, "GET", "/v1/live/options").body)["games"] == [{"name": session.id}]
        again = made(url, game=session.id)
        assert again.told()["task_name"] == "Coffee" and again.told(place="follower")["game"] is None
    with pytest.raises(InputError, match="no such file or folder"):
        create_app(live=LiveServing(tmp_path / "three", games=tmp_path / "none"))
    (games / "live" / f"{session.id}.game.json").write_text("{")
    with pytest.raises(InputError) as refused:
        LiveServing(tmp_path, games=games).setting("x", NewSession(game=session.id))
    assert str(tmp_path) not in str(refused.value)


def test_a_store_that_fails_costs_no_session(tmp_path: Path) -> None:
    with live_server(tmp_path) as url:
        session = made(url, **ROOM)
        session.act("follower", "Turn Left")
        with sqlite3.connect(tmp_path / "live.sqlite") as meddler:
            meddler.execute("ALTER TABLE lines RENAME TO gone")
        assert session.act("follower", "Turn Left", key="lost").status == 409
        with meddler:
            meddler.execute("ALTER TABLE gone RENAME TO lines")
        meddler.close()
        _eventually(lambda: session.act("follower", "Turn Left", key="lost").status == 200)
        assert Made(url, session.id, session.keys).told()["turns"] == 2


def test_sessions_have_the_servers_hooks_and_people_are_told_of_them_without_its_folders(tmp_path: Path) -> None:
    hooks = ("noisy_speech:loss=0.5", "dialogue_acts:weights=/srv/secret/acts.json")
    made_of = LiveServing(tmp_path, AGENTS, hooks=hooks)
    told = made_of.setting("s", NewSession(commander=HUMAN, follower=HUMAN)).hooks
    assert told == (hooks[0], "dialogue_acts:weights=.../acts.json")
    assert type(made_of.hook(told[0])).__name__ == "NoisySpeech"
    with pytest.raises(TeachAgentsError, match="/srv/secret/acts.json"):
        made_of.hook(told[1])


def test_hooks_come_back_with_a_session_that_slept(tmp_path: Path) -> None:
    with live_server(tmp_path, limits=Limits(idle_s=0.3), hooks=("noisy_speech:loss=1.0",)) as url:
        session = made(url, **ROOM)
        for key in ("a", "b"):
            told = json.loads(session.act("commander", "Text", key=key, utterance="the mug").body)
            assert told["data"]["text"] == "... ..."
            _eventually(lambda: session.told()["status"] == "asleep")
