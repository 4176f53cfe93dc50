"""Live sessions over HTTP: what each place may do and know, and that nobody misses anything."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from teach_agents_serve import Limits
from typer.testing import CliRunner
from websockets.asyncio.client import connect

from teach_agents.cli.main import app
from teach_agents.data import read_game
from teach_agents.session import read_record
from tests.serve.live import Client, Made, live_server, made, sse
from tests.serve.serving import Answer, request

_CHAIRS = ("commander", "follower")
HUMANS = {"task": "Coffee", "room": "FloorPlan1", "commander": "human", "follower": "human"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_server(tmp_path_factory.mktemp("live"), limits=Limits(sockets=3)) as address:
        yield address


@pytest.fixture(scope="module")
def played(url: str) -> Made:
    """A session that the planners have played to its end."""
    session = made(url, task="Coffee", room="FloorPlan1", commander="planner", follower="planner")
    session.until(lambda told: told["status"] == "ended")
    return session


def _kind(answer: Answer) -> tuple[int, str]:
    told = json.loads(answer.body)
    assert list(told) == ["error", "message"] and "Traceback" not in answer.text
    return answer.status, told["error"]


def _size(file: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(file)).size


def test_the_planners_make_coffee_and_anybody_can_look_through_it(played: Made) -> None:
    told = played.told()
    assert told["success"] and told["reason"] == "finished" and told["turns"] > 20 and told["utterances"] > 5
    replay = played.told("/replay")
    assert len(replay["turns"]) == told["turns"] and replay["success"]
    assert all(0 <= mark["x"] <= 1 and 0 <= mark["y"] <= 1 for turn in replay["turns"] for mark in turn["marks"])
    assert [event["seq"] for event in replay["events"]] == list(range(told["last"] + 1))
    pictures = [played.ask("GET", f"/replay/{turn}/view.jpg?size=200").body for turn in (0, 30, 5)]
    assert [_size(file) for file in pictures] == [(200, 200)] * 3 and len(set(pictures)) == 3
    assert played.ask("GET", "/replay/30/view.jpg?size=200").body == pictures[1]
    assert _kind(played.ask("GET", f"/replay/{told['turns'] + 1}/view.jpg")) == (404, "no_picture")


def test_a_session_is_a_teach_game_and_a_record(played: Made, tmp_path: Path) -> None:
    (tmp_path / "a.game.json").write_bytes(played.ask("GET", "/game").body)
    game = read_game(tmp_path / "a.game.json")
    assert game.task.task_name == "Coffee" and game.episode.interactions
    (tmp_path / "a.jsonl").write_bytes(played.ask("GET", "/record").body)
    record = read_record(tmp_path / "a.jsonl")
    assert record.result is not None and record.result["success"]
    assert dict(record.header.privileges) and record.header.privileges[next(iter(record.header.privileges))]


def test_events_of_a_session_that_is_over_end_and_are_not_asked_for_again(played: Made) -> None:
    last = played.told()["last"]
    events = sse(played.ask("GET", "/events").text)
    assert [event["seq"] for event in events] == list(range(last + 1)) and events[-1]["kind"] == "ended"
    rest = sse(played.ask("GET", "/events", **{"Last-Event-ID": "5"}).text)
    assert rest == events[6:] and sse(played.ask("GET", "/events?after=5").text) == rest
    assert played.ask("GET", f"/events?after={last}").status == 204


def test_a_follower_is_told_nothing_of_the_task(url: str) -> None:
    session = made(url, **HUMANS)
    follower = session.told(place="follower")
    assert follower["you"] == "follower" and follower["room"] == "FloorPlan1"
    assert {follower[name] for name in ("task", "task_name", "title", "seed", "game")} == {None}
    assert session.told(place="commander")["task_name"] == "Coffee"
    assert session.act("commander", "OpenProgressCheck").status == 200
    session.act("commander", "SearchObject", query="Mug")
    assert "progress" in session.told("/screen", "commander") and "progress" not in session.told("/screen", "follower")
    assert _kind(session.ask("GET", "/views/target_view.jpg", "follower")) == (404, "no_picture")
    assert session.ask("GET", "/views/target_view.jpg", "commander").status == 200
    for route in ("/game", "/record", "/replay"):
        assert _kind(session.ask("GET", route, "follower")) == (409, "not_over")

    async def listen(client: Client) -> str:
        await client.hear("screen")
        return json.dumps(client.heard)

    heard = session.play("follower", listen)
    assert "Coffee" not in heard and "OpenProgressCheck" not in heard and "SearchObject" not in heard
    session.ask("POST", "/end", "commander")
    assert session.told(place="follower")["task_name"] == "Coffee"


def test_a_key_opens_one_chair_of_one_session(url: str) -> None:
    one, other = made(url, **HUMANS), made(url, **HUMANS)
    assert _kind(one.act("watch", "Forward")) == (409, "not_yours")
    assert _kind(one.act("commander", "Pickup", x=0.5, y=0.5)) == (409, "bad_action")
    mixed = Made(url, one.id, other.keys)
    assert _kind(mixed.act("follower", "Forward")) == (401, "wrong_key")
    told = json.loads(request(url, "GET", f"/v1/live/{one.id}").body)
    assert told["you"] is None  # this machine's users look on where no token is asked for
    assert _kind(Made(url, "nobody", one.keys).ask("GET", "/events")) == (404, "no_such_session")


def test_an_act_under_the_same_key_is_done_once(url: str) -> None:
    session = made(url, **HUMANS)
    first = session.act("follower", "Turn Left", key="a")
    assert first.status == 200 and session.act("follower", "Turn Left", key="a").body == first.body

    async def again(client: Client) -> list[Any]:
        return [await client.act("a", "Turn Left"), await client.act("b", "Turn Left"), await client.act("b", "Stop")]

    known, new, same = session.play("follower", again)
    assert known["event"] == json.loads(first.body)
    assert new["event"]["seq"] > known["event"]["seq"] and same == new
    assert session.told()["turns"] == 2


def test_a_session_that_is_paused_waits(url: str) -> None:
    session = made(url, **HUMANS)
    assert json.loads(session.ask("POST", "/pause", "commander").body)["status"] == "paused"
    assert _kind(session.act("follower", "Turn Left")) == (409, "paused")
    session.ask("POST", "/resume", "follower")
    assert session.act("follower", "Turn Left").status == 200
    assert session.ask("POST", "/end", "commander").status == 200
    assert _kind(session.act("follower", "Turn Left")) == (409, "ended")
    assert session.told()["reason"] == "ended"


def test_what_is_said_and_done_is_heard_by_all_in_order_with_pictures(url: str) -> None:
    session = made(url, **HUMANS)

    async def play(client: Client) -> Client:
        await client.send(type="views", views={"view": 96, "overhead": 64})
        first = await client.hear("frame", lambda frame: frame["view"] == "view")
        await client.act("1", "Text", utterance="What should I do today?")
        await client.act("2", "Turn Left")
        after = await client.hear("frame", lambda frame: frame["view"] == "view")
        await client.hear("frame", lambda frame: frame["view"] == "overhead" and frame["seq"] >= after["seq"])
        assert _size(first["file"]) == (96, 96) and first["file"] != after["file"]
        assert after["bytes"] == len(after["file"])
        screen = [message for message in client.heard if message["type"] == "screen"][-1]
        assert screen["dialogue"][0]["text"] == "What should I do today?"
        await client.send(type="ping")
        await client.hear("pong")
        await client.send(type="nonsense")
        assert (await client.hear("refused"))["error"] == "bad_request"
        return client

    session.play("follower", play)
    events = _all_events(session)
    assert [event["seq"] for event in events] == list(range(len(events)))
    kinds = [event["kind"] for event in events]
    assert kinds.index("utterance") < kinds.index("action") and kinds.count("joined") == kinds.count("left")


def _all_events(session: Made) -> list[dict[str, Any]]:
    session.ask("POST", "/end", "commander")
    session.until(lambda told: told["status"] == "ended")
    return sse(session.ask("GET", "/events").text)


def test_two_people_talk_across_each_other_and_hear_the_same(url: str) -> None:
    session = made(url, **HUMANS)

    async def talk(client: Client, place: str) -> list[tuple[int, int, str]]:
        for number in range(10):
            await client.act(f"{number}", "Text", utterance=f"{place} {number}")
        await client.hear("event", lambda event: _said(event) == "commander 9")
        return [(one["seq"], one["time_ms"], one["data"]["text"]) for one in client.heard if _said(one)]

    async def both() -> list[list[tuple[int, int, str]]]:
        return await asyncio.gather(*(session.playing(place, partial(talk, place=place)) for place in _CHAIRS))

    heard = asyncio.run(both())
    texts = {place: [text for _, _, text in heard[0] if text.startswith(place)] for place in _CHAIRS}
    assert texts["commander"] == [f"commander {number}" for number in range(10)]
    assert texts["follower"] == [f"follower {number}" for number in range(len(texts["follower"]))]
    shorter = min(map(len, heard))
    assert heard[0][:shorter] == heard[1][:shorter] and shorter >= 10
    times = [time_ms for _, time_ms, _ in max(heard, key=len)]
    assert all(one < other for one, other in pairwise(times))


def _said(message: dict[str, Any]) -> str:
    return str(message["data"]["text"]) if message.get("kind") == "utterance" else ""


def test_a_socket_goes_on_where_it_was(url: str) -> None:
    session = made(url, **HUMANS)
    for turn in range(6):
        session.act("follower", "Turn Left", key=str(turn))

    async def some(client: Client) -> list[int]:
        await client.hear("screen")
        return client.events

    heard = session.play("watch", some)
    rest = session.play("watch", some, after=heard[3])
    assert rest[: len(heard) - 4] == heard[4:] and rest == list(range(heard[4], rest[-1] + 1))


def test_a_session_has_only_so_many_sockets(url: str) -> None:
    session = made(url, **HUMANS)

    async def more(client: Client, others: int) -> int:
        await client.hear("screen")
        if others == 0:
            return 0
        route = f"/v1/live/{session.id}/socket?key={session.keys['watch']}"
        async with connect(url.replace("http", "ws") + route) as socket:
            if others == 1:
                await socket.wait_closed()
                return int(socket.close_code or 0)
            return await more(Client(socket), others - 1)

    assert session.play("watch", lambda client: more(client, 3)) == 4429


def test_targets_are_where_a_click_acts(url: str) -> None:
    session = made(url, **HUMANS)
    found = session.told("/targets", "follower")["targets"]
    assert found and all(0 <= target["x"] <= 1 and target["actions"] for target in found)
    picked = [one for one in found if "Open" in one["actions"]]
    for target in picked[:1]:
        event = json.loads(session.act("follower", "Open", x=target["x"], y=target["y"]).body)
        assert event["data"]["result"].get("object_id") in (None, target["object_id"])
    assert _kind(session.ask("GET", "/targets?action=Fly", "follower"))[0] == 409


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"task": "Make Tea"}, "Make Tea"),
        ({"room": "FloorPlan999"}, "FloorPlan999"),
        ({"task": "Coffee", "params": ["x"]}, "parameters"),
        ({"params": ["x"]}, "belong to a task"),
        ({"room": "FloorPlan1", "follower": "lm:model=/etc/passwd"}, "no agent that this server offers"),
        ({"room": "FloorPlan1", "follower": "os:system"}, "no agent that this server offers"),
        ({"room": "FloorPlan1", "follower": "http://169.254.169.254/"}, "nor an address that it allows"),
        ({"room": "FloorPlan1", "simulator": "thor"}, "thor"),
        ({"game": "../../etc/passwd"}, "none of this server's"),
        ({"game": "a", "task": "Coffee"}, "brings its task"),
    ],
)
def test_a_session_that_cannot_be_made_is_refused_in_words(url: str, asked: dict[str, Any], words: str) -> None:
    answer = _asked(url, asked)
    assert _kind(answer) == (409, "cannot_be_made") and words in answer.text


def test_nothing_is_at_an_address_that_there_is_not(url: str) -> None:
    assert _kind(request(url, "GET", "/v1/nothing")) == (404, "no_such_address")
    assert _kind(request(url, "GET", "/page/../app.py")) == (404, "no_such_address")


@pytest.mark.parametrize(
    "asked", [{"view_size": 1}, {"code": "1"}, {"seed": "1"}, {"pace_s": -1}, [], "x", {"params": [1]}, {"room": 1}]
)
def test_what_is_no_session_is_refused(url: str, asked: Any) -> None:
    assert _kind(_asked(url, asked)) == (422, "bad_request")


def _asked(url: str, asked: Any) -> Answer:
    return request(url, "POST", "/v1/live", json.dumps(asked).encode(), {"Content-Type": "application/json"})


def test_the_same_key_makes_one_session(url: str) -> None:
    body = json.dumps({"room": "FloorPlan1"}).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": "one"}
    answers = [request(url, "POST", "/v1/live", body, headers).body for _ in range(2)]
    assert answers[0] == answers[1]


def test_options_hold_what_sessions_can_be_made_of(url: str) -> None:
    told = json.loads(request(url, "GET", "/v1/live/options").body)
    assert [agent["name"] for agent in told["agents"]["follower"]] == ["human", "planner"]
    assert len(told["rooms"]) == 120 and not told["token_needed"]
    tasks = {task["name"]: task for task in told["tasks"]}
    assert "Free Play" not in tasks and len(tasks["Salad"]["params"]) == 3
    example = tasks["Clean X"]["examples"][0]
    session = made(url, task="Clean X", params=example["params"], room="FloorPlan2")
    assert session.told()["task"] == example["words"]


def test_free_play_has_no_task(url: str) -> None:
    session = made(url, room="FloorPlan201")
    assert session.told()["task"] is None and session.told()["title"] == "Just explore"
    assert session.act("follower", "Turn Left").status == 200


def test_recorded_sessions_are_a_teach_data_set(played: Made, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / f"{played.id}.game.json").write_bytes(played.ask("GET", "/game").body)
    out = tmp_path / "edh"
    for command in (
        ["data", "stats", str(tmp_path)],
        ["data", "instances", "edh", str(tmp_path), str(out)],
        ["fidelity", "--games", str(tmp_path)],
    ):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
    assert list(out.glob("*.json"))
