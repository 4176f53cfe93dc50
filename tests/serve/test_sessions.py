"""Sessions of served agents: what a client can rely on, and what it cannot do."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image
from teach_agents_serve import Limits, create_app

from teach_agents.actions import Role
from teach_agents.conventions.remote_agent import RemoteAgent
from teach_agents.core.agents.contract import Briefing
from teach_agents.errors import InputError, TeachAgentsError
from tests.serve.serving import Answer, request, serving

POSE = {"position": [0, 0.9, 0], "yaw": 0, "horizon": 30}


def _app(follower: str, **more: Any) -> Any:
    return create_app(follower, allow_import=True, **more)


def _asked(url: str, method: str, route: str, body: Any = None, key: str = "", **headers: str) -> Answer:
    sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    known = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {}), **headers}
    return request(url, method, f"/v1{route}", sent, known)


def _opened(url: str, key: str = "", **more: Any) -> str:
    answer = _asked(url, "POST", "/sessions", {"role": "follower", "seed": 3, **more}, key)
    assert answer.status == 200, answer.text
    return str(json.loads(answer.body)["id"])


def _act(url: str, session: str, turn: int = 0, key: str = "", **more: Any) -> Answer:
    return _asked(url, "POST", f"/sessions/{session}/act", {"turn": turn, "pose": POSE, **more}, key)


def _action(answer: Answer) -> dict[str, Any]:
    assert answer.status == 200, answer.text
    return dict(json.loads(answer.body)["action"])


def _refused(answer: Answer, status: int, kind: str) -> str:
    told = json.loads(answer.body)
    assert (answer.status, told["error"], list(told)) == (status, kind, ["error", "message"]), answer.text
    return str(told["message"])


def _metric(url: str, line: str) -> float:
    text = request(url, "GET", "/metrics").text
    return sum(float(one.rpartition(" ")[2]) for one in text.splitlines() if one.startswith(line))


@pytest.fixture(scope="module")
def sayer() -> Iterator[str]:
    with serving(_app("tests.serve.agents:Sayer", limits=Limits(picture_pixels=200, acts=70))) as url:
        yield url


def test_sessions_have_agents_of_their_own(sayer: str) -> None:
    one, other = _opened(sayer), _opened(sayer)
    turns = [_action(_act(sayer, session, turn))["x"] for turn, session in enumerate((one, one, other, one))]
    assert turns == [0.01, 0.02, 0.01, 0.03]


def test_the_same_key_is_answered_from_memory_and_acts_once(sayer: str) -> None:
    session = _opened(sayer, "open me")
    assert _opened(sayer, "open me") == session
    before = _metric(sayer, "teach_agents_repeats_total")
    assert [_action(_act(sayer, session, 0, "first"))["x"] for _ in range(3)] == [0.01] * 3
    assert _action(_act(sayer, session, 1, "second"))["x"] == 0.02
    assert _action(_act(sayer, session, 0, "first"))["x"] == 0.01
    assert _metric(sayer, "teach_agents_repeats_total") == before + 3


def test_a_key_that_is_too_old_to_be_remembered_is_refused_and_not_acted_on(sayer: str) -> None:
    session = _opened(sayer)
    for turn in range(66):
        assert _action(_act(sayer, session, turn, f"k{turn}"))
    assert "earlier in the session" in _refused(_act(sayer, session, 0, "k0"), 409, "answered_long_ago")
    assert _action(_act(sayer, session, 65, "k65"))["name"] == "Stop"


def test_a_retry_while_the_first_is_under_way_hears_the_same_answer() -> None:
    with serving(_app("tests.serve.agents:late")) as url:
        session = _opened(url)
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(_act, url, session, 1, "slow") for _ in range(3)]
            answers = [one.result(30).text for one in asked]
        assert len(set(answers)) == 1 and "Turn Left" in answers[0]
        assert _metric(url, "teach_agents_acts_total") == 1
        with ThreadPoolExecutor(6) as pool:
            others = [pool.submit(_act, url, session, 2, f"key {number}") for number in range(6)]
            assert {one.result(30).status for one in others} == {200, 409}


def test_dialogue_comes_whole_or_as_it_grows(sayer: str) -> None:
    session = _opened(sayer)
    said = [{"speaker": "commander", "text": f"mug {number}", "time_ms": number} for number in range(3)]
    assert _action(_act(sayer, session, 0, dialogue=said))["y"] == 0.03
    assert _action(_act(sayer, session, 1, dialogue=said[:2], dialogue_from=3))["y"] == 0.05
    message = _refused(_act(sayer, session, 2, dialogue_from=9), 422, "bad_observation")
    assert "at most 5" in message
    assert _action(_act(sayer, session, 2, dialogue=said))["y"] == 0.03, "a refused one changed nothing"


def _picture(kind: str = "PNG", size: int = 8, shade: int = 250) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (size, size), (shade,) * 3).save(file, kind)
    return file.getvalue()


def test_pictures_come_in_base64_or_as_parts() -> None:
    with serving(_app("tests.serve.agents:Looker")) as url:
        session = _opened(url)
        for kind in ("PNG", "JPEG"):
            for shade, name in ((250, "Turn Right"), (5, "Turn Left")):
                content = _picture(kind, shade=shade)
                assert _action(_act(url, session, view=base64.b64encode(content).decode()))["name"] == name
                parts = [
                    b'--b\r\nContent-Disposition: form-data; name="observation"\r\n\r\n',
                    json.dumps({"turn": 0, "pose": POSE}).encode(),
                    b'\r\n--b\r\nContent-Disposition: form-data; name="view"; filename="v"\r\n\r\n',
                    content,
                    b"\r\n--b--\r\n",
                ]
                form = {"Content-Type": "multipart/form-data; boundary=b"}
                answer = request(url, "POST", f"/v1/sessions/{session}/act", b"".join(parts), form)
                assert _action(answer)["name"] == name


def _bomb(side: int) -> bytes:
    """A PNG of many pixels that takes few bytes."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1000))
    chunks = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    written = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


LARGE, BOMB = (base64.b64encode(one).decode() for one in (_picture(size=20), _bomb(30_000)))


@pytest.mark.parametrize(
    ("body", "status", "kind", "words"),
    [
        (b"", 422, "bad_observation", "Invalid JSON"),
        (b"\xff\xfe", 422, "bad_observation", "Invalid JSON"),
        (b"[" * 100_000, 422, "bad_observation", "JSON"),
        ({"turn": -1, "pose": POSE}, 422, "bad_observation", "turn"),
        ({"turn": 0}, 422, "bad_observation", "pose"),
        ({"turn": 0, "pose": POSE, "veiw": ""}, 422, "bad_observation", "veiw"),
        ({"turn": 0, "pose": POSE, "last_action": {"name": "Fly"}}, 422, "bad_observation", "unknown name"),
        ({"turn": 0, "pose": POSE, "view": "%%"}, 422, "bad_observation", "base64"),
        ({"turn": 0, "pose": POSE, "view": "R0lGODlh"}, 422, "bad_observation", "no picture"),
        ({"turn": 0, "pose": POSE, "view": LARGE}, 422, "bad_observation", "200 pixels"),
        ({"turn": 0, "pose": POSE, "view": BOMB}, 422, "bad_observation", "no picture"),
    ],
)  # fmt: skip
def test_what_is_no_observation_is_refused_in_words(sayer: str, body: Any, status: int, kind: str, words: str) -> None:
    session = _opened(sayer)
    message = _refused(_asked(sayer, "POST", f"/sessions/{session}/act", body, "again"), status, kind)
    assert words in message and "Traceback" not in message and len(message) < 1000
    assert _action(_act(sayer, session, 0, "again"))["x"] == 0.01, "the key was not used up"


def test_requests_of_another_kind_are_refused(sayer: str) -> None:
    session = _opened(sayer)
    plain = {"Content-Type": "text/plain"}
    for route in ("/sessions", f"/sessions/{session}/act"):
        _refused(request(sayer, "POST", f"/v1{route}", b"{}", plain), 415, "unsupported_media_type")
    _refused(_asked(sayer, "POST", "/sessions", {"role": "cook"}), 422, "bad_request")
    _refused(_asked(sayer, "POST", "/sessions", {"role": "commander"}), 404, "no_such_agent")
    _refused(_act(sayer, "nothing"), 404, "no_such_session")
    _refused(_act(sayer, session, 0, "k" * 200), 400, "bad_key")
    _refused(_asked(sayer, "GET", "/agents", Origin="https://evil.example"), 403, "other_origin")


def test_privileged_parts_are_wanted_and_checked() -> None:
    with serving(_app("tests.serve.agents:Mapper")) as url:
        assert json.loads(_asked(url, "GET", "/agents").body)["agents"]["follower"]["privileges"] == ["reachable"]
        session = _opened(url)
        assert "lacks what this agent reads" in _refused(_act(url, session), 422, "bad_observation")
        assert _action(_act(url, session, reachable=[[0.25, 1.0]]))["name"] == "Stop"


def test_an_agent_that_fails_says_so_without_a_trace() -> None:
    for agent, words in (
        ("broken", "the agent raised RuntimeError"),
        ("exits", "the agent raised SystemExit"),
        ("stops", "the agent raised StopIteration"),
    ):
        with serving(_app(f"tests.serve.agents:{agent}")) as url:
            answer = _act(url, _opened(url))
            assert (answer.status, json.loads(answer.body)) == (200, {"failed": words})


def test_an_agent_is_told_what_was_before_it_acts() -> None:
    """Bodies, keys and failures are as of `/act`; an agent without a memory lets it pass."""
    with serving(_app("tests.serve.agents:Recaller")) as url:
        assert json.loads(_asked(url, "GET", "/agents").body)["agents"]["follower"]["recalls"] is True
        session = _opened(url)
        seen = {"turn": 0, "pose": POSE, "view": base64.b64encode(_picture(shade=128)).decode()}
        for key in ("one", "one", "two"):
            answer = _asked(url, "POST", f"/sessions/{session}/recall", seen, key)
            assert (answer.status, json.loads(answer.body)) == (200, {})
        assert _action(_act(url, session)) == {"name": "Open", "x": 0.02, "y": 0.5}
        _refused(_asked(url, "POST", f"/sessions/{session}/recall", {"turn": 0}), 422, "bad_observation")
        failed = _asked(url, "POST", f"/sessions/{session}/recall", {"turn": 99, "pose": POSE})
        assert json.loads(failed.body) == {"failed": "the agent raised ValueError"}
        assert _metric(url, 'teach_agents_acts_total{role="follower",outcome="recalled"}') == 2
    with serving(_app("tests.serve.agents:Looker")) as url:
        assert json.loads(_asked(url, "GET", "/agents").body)["agents"]["follower"]["recalls"] is False
        session = _opened(url)
        assert _asked(url, "POST", f"/sessions/{session}/recall", {"turn": 0, "pose": POSE}).status == 200


def test_an_answer_that_is_no_action_is_named() -> None:
    with serving(_app("tests.serve.agents:unwell")) as url:
        told = json.loads(_act(url, _opened(url)).body)
    assert told == {"problem": "the agent answered 'Pick it up', which is no Action"}


def test_an_agent_that_hangs_ends_its_session_only() -> None:
    with serving(_app("tests.serve.agents:Hangs", limits=Limits(answer_s=0.5))) as url:
        hung, quick = _opened(url), _opened(url)
        assert _action(_act(url, hung))["name"] == "Turn Left"
        told = json.loads(_act(url, hung, 1, "late").body)
        assert told["timed_out"] and "within 0.5 s" in told["failed"]
        assert json.loads(_act(url, hung, 1, "late").body) == told
        _refused(_act(url, hung, 2), 409, "busy")
        assert _action(_act(url, quick))["name"] == "Turn Left"


def test_sessions_have_a_quota_and_end_when_nobody_uses_them() -> None:
    with serving(_app("random", limits=Limits(sessions=3, sessions_per_token=2, idle_s=1.5))) as url:
        first = _opened(url)
        _opened(url)
        full = _asked(url, "POST", "/sessions", {"role": "follower"})
        assert "2 sessions are open" in _refused(full, 429, "too_many_sessions") and full.headers["retry-after"] == "1"
        assert json.loads(_asked(url, "DELETE", f"/sessions/{first}").body) == {"closed": True}
        assert json.loads(_asked(url, "DELETE", f"/sessions/{first}").body) == {"closed": False}
        left = _opened(url)
        deadline = time.monotonic() + 20
        while _metric(url, "teach_agents_sessions_open ") and time.monotonic() < deadline:
            time.sleep(0.1)
        _refused(_act(url, left), 404, "no_such_session")
        assert _metric(url, 'teach_agents_sessions_ended_total{reason="idle"}') == 2


def test_a_session_grows_no_older_than_it_may() -> None:
    with serving(_app("random", limits=Limits(total_s=0.5))) as url:
        session = _opened(url)
        deadline = time.monotonic() + 20
        while _act(url, session).status == 200 and time.monotonic() < deadline:
            time.sleep(0.05)
        _refused(_act(url, session), 404, "no_such_session")


def test_tokens_keep_sessions_apart() -> None:
    first, second = {"Authorization": "Bearer one"}, {"Authorization": "Bearer two"}
    with serving(_app("random", token="one, two", limits=Limits(sessions_per_token=1))) as url:
        assert request(url, "GET", "/health").status == request(url, "GET", "/ready").status == 200
        for route in ("/metrics", "/version", "/openapi.json"):
            assert request(url, "GET", route).status == 401
        _refused(_asked(url, "GET", "/agents"), 401, "no_token")
        opened = _asked(url, "POST", "/sessions", {"role": "follower"}, "key", **first)
        session = json.loads(opened.body)["id"]
        route, body = f"/sessions/{session}/act", {"turn": 0, "pose": POSE}
        _refused(_asked(url, "POST", route, body, **second), 404, "no_such_session")
        assert json.loads(_asked(url, "DELETE", f"/sessions/{session}", **second).body) == {"closed": False}
        assert json.loads(_asked(url, "POST", "/sessions", {"role": "follower"}, "key", **second).body)["id"] != session
        assert _asked(url, "POST", route, body, **first).status == 200


def test_who_asks_too_often_is_told_to_wait() -> None:
    with serving(_app("random", limits=Limits(requests_per_s=3))) as url:
        answers = [_asked(url, "GET", "/agents") for _ in range(12)]
        refused = [one for one in answers if one.status == 429]
        assert refused and refused[0].headers["retry-after"] == "1"
        _refused(refused[0], 429, "too_often")


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    with serving(_app("random", limits=Limits(body_s=0.3))) as url:
        session = _opened(url)
        for route, kind in ((f"/v1/sessions/{session}/act", "application/json"), ("/get_next_action", "text/plain")):
            with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=20) as slow:
                head = (
                    f"POST {route} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n"
                )
                slow.sendall(head.encode() + b"{")
                come = b""
                while piece := slow.recv(4096):
                    come += piece
            assert come.startswith(b"HTTP/1.1 408") and kind.encode() in come and b"within 0.3 s" in come
        assert _action(_act(url, session))


def test_a_server_that_is_full_is_not_ready() -> None:
    with serving(_app("random", limits=Limits(sessions=1))) as url:
        session = _opened(url)
        assert request(url, "GET", "/ready").status == 503 and request(url, "GET", "/health").status == 200
        _asked(url, "DELETE", f"/sessions/{session}")
        assert request(url, "GET", "/ready").status == 200


def test_the_schema_is_published_with_every_body(sayer: str) -> None:
    schema = json.loads(request(sayer, "GET", "/openapi.json").body)
    act = schema["paths"]["/v1/sessions/{session}/act"]["post"]
    assert set(act["requestBody"]["content"]) == {"application/json", "multipart/form-data"}
    for route in ("/start_new_edh_instance", "/get_next_action"):
        forms = schema["paths"][route]["post"]["requestBody"]["content"]
        assert set(forms) == {"multipart/form-data", "application/x-www-form-urlencoded", "application/json"}
    known = schema["components"]["schemas"]
    assert {"WireObservation", "OpenRequest", "ActReply", "OpenReply", "Problem", "Description"} <= set(known)
    answers = [status for path in schema["paths"].values() for one in path.values() for status in one["responses"]]
    assert {status for status in answers if status.startswith("5")} == {"503"}, "/ready's, where a server is full"
    text = json.dumps(schema)
    named = {one.split('"')[0] for one in text.split("#/components/schemas/")[1:]}
    assert named <= set(known)


def test_the_client_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(_app("random", token="geheim")) as url:
        with pytest.raises(TeachAgentsError, match="answered 401: this server wants a bearer token"):
            RemoteAgent(url, Role.FOLLOWER)
        monkeypatch.setenv("A_TOKEN", "geheim")
        assert RemoteAgent(url, Role.FOLLOWER, token_env="A_TOKEN").privileges == frozenset()
        with pytest.raises(InputError, match="has no commander; valid: follower"):
            RemoteAgent(url, Role.COMMANDER, token_env="A_TOKEN")
    for wrong in ({"token_env": "NOT_SET"}, {"pictures": "gif"}, {"timeout_s": 0}, {"retries": -1}):
        with pytest.raises(InputError):
            RemoteAgent(url, Role.FOLLOWER, **wrong)
    with pytest.raises(TeachAgentsError, match="no answer: ConnectionRefusedError"):
        RemoteAgent(url, Role.FOLLOWER, retries=1)
    with pytest.raises(InputError, match="needs an address"):
        RemoteAgent("localhost:8000", Role.FOLLOWER)


def test_a_client_that_is_let_go_closes_its_session() -> None:
    with serving(_app("random")) as url:
        agent = RemoteAgent(url, Role.FOLLOWER)
        asyncio.run(agent.begin(Briefing("s", Role.FOLLOWER)))
        assert _metric(url, "teach_agents_sessions_open ") == 1
        del agent
        assert _metric(url, 'teach_agents_sessions_ended_total{reason="closed"}') == 1
