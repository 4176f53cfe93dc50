"""A server that is killed in the middle of a session loses nothing of it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from teach_agents.data import iter_games, read_game
from tests.serve.live import PATIENCE_S, Client, Made, live_server, made, sse
from tests.serve.serving import Answer, request


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def _process(store: Path, port: int, log: Path) -> Iterator[None]:
    """`teach-agents serve`, killed at the end without a word of warning; what it says goes into a file."""
    run = "from teach_agents.cli.main import main; main()"
    command = [sys.executable, "-c", run, "serve", "--port", str(port), "--store", str(store)]
    environment = {key: value for key, value in os.environ.items() if key != "TEACH_AGENTS_TOKEN"}
    with log.open("ab") as said:
        server = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not _answers(port):
            assert server.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        yield
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait(PATIENCE_S)


def _answers(port: int) -> bool:
    try:
        return request(f"http://127.0.0.1:{port}", "GET", "/health").status == 200
    except OSError:
        return False


def test_a_session_goes_on_behind_the_last_turn_that_anybody_heard_of(tmp_path: Path) -> None:
    port, log = _free_port(), tmp_path / "log"
    url = f"http://127.0.0.1:{port}"

    async def a_while(client: Client) -> list[int]:
        await client.act("first", "Text", utterance="Pick up the mug.")
        await client.hear("event", lambda event: event["kind"] == "action" and event["role"] == "follower")
        return client.events

    with _process(tmp_path / "store", port, log):
        session = made(url, task="Coffee", room="FloorPlan1", commander="human", follower="planner", pace_s=0.05)
        heard = session.play("commander", a_while)
        checked = session.act("commander", "OpenProgressCheck", key="check")
        assert checked.status == 200
    with _process(tmp_path / "store", port, log):
        assert session.told()["status"] == "asleep"
        again = session.act("commander", "OpenProgressCheck", key="check")
        assert again.body == checked.body

        async def the_rest(client: Client) -> list[int]:
            answer = await client.act("first", "Text", utterance="Pick up the mug.")
            assert answer["event"]["seq"] in heard
            await client.act("second", "Text", utterance="Put the mug in the coffee machine.")
            await client.hear("event", lambda event: event.get("data", {}).get("action", {}).get("name") == "Place")
            return client.events

        later = session.play("commander", the_rest, after=heard[-1])
        assert later == list(range(heard[-1] + 1, later[-1] + 1))
        session.act("commander", "Finish")
        told = session.until(lambda told: told["status"] == "ended")
        events = sse(session.ask("GET", "/events").text)
        assert [event["seq"] for event in events] == list(range(told["last"] + 1))
        said = [
            event["data"]["text"] for event in events if event["kind"] == "utterance" and event["role"] == "commander"
        ]
        assert said == ["Pick up the mug.", "Put the mug in the coffee machine."]
        assert session.ask("GET", "/game").status == 200
    games = list(iter_games(tmp_path / "store"))
    assert [game.game_id for game in games] == [session.id]
    assert not any(key in log.read_text() for key in session.keys.values())


def test_games_that_were_not_written_yet_are_written_at_the_next_start(tmp_path: Path) -> None:
    with live_server(tmp_path) as url:
        session = made(url, room="FloorPlan1")
        session.act("follower", "Turn Left")
        session.ask("POST", "/end", "commander")
        session.ask("GET", "/game")
        session.ask("POST", "/pause")
    path = tmp_path / "games" / "live" / f"{session.id}.game.json"
    assert read_game(path).game_id == session.id
    import sqlite3

    path.unlink()
    with sqlite3.connect(tmp_path / "live.sqlite") as database:
        database.execute("UPDATE sessions SET filed = 0")
    database.close()
    with live_server(tmp_path):
        deadline = time.monotonic() + PATIENCE_S
        while not path.exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_a_paused_session_is_paused_after_a_restart(tmp_path: Path) -> None:
    with live_server(tmp_path) as url:
        session = made(url, room="FloorPlan1")
        session.ask("POST", "/pause", "commander")
    with live_server(tmp_path) as url:
        session = Made(url, session.id, session.keys)
        assert session.told()["status"] == "asleep"
        assert session.act("follower", "Turn Left").status == 409
        session.ask("POST", "/resume", "commander")
        assert session.act("follower", "Turn Left").status == 200


def test_the_key_of_a_request_makes_one_session_behind_a_restart_too(tmp_path: Path) -> None:
    def asked(url: str, key: str, room: str = "FloorPlan1") -> Answer:
        body = json.dumps({"room": room}).encode()
        return request(url, "POST", "/v1/live", body, {"Content-Type": "application/json", "Idempotency-Key": key})

    with live_server(tmp_path) as url:
        assert asked(url, "mine", "FloorPlan999").status == 409
        first, other = asked(url, "mine"), asked(url, "another")
        assert first.status == 201 and first.body != other.body
    with live_server(tmp_path) as url:
        assert asked(url, "mine").body == first.body
        told = json.loads(first.body)
        assert Made(url, told["id"], told["keys"]).act("follower", "Turn Left").status == 200
        assert len(json.loads(request(url, "GET", "/v1/live").body)["sessions"]) == 2
    kept = (tmp_path / "live.sqlite").read_bytes()
    assert not any(key.encode() in kept for key in told["keys"].values())
