"""Whatever comes in, what goes out is the protocol's: an answer, or one line of plain text."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from starlette.testclient import TestClient
from teach_agents_serve import Limits, create_app

from teach_agents.conventions.remote_model import FilePart, form_body

KEYS = ("edh_name", "edh_instance", "img", "img_name", "prev_action", "edh_history_images")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
INSTANCES = st.dictionaries(
    st.sampled_from(
        ("dialog_history", "driver_action_history", "interactions", "pred_start_idx", "instance_id", "game_id")
    ),
    JSON,
)
TYPES = st.sampled_from(
    ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "", ";;")
)
ROUTES = st.sampled_from(("/start_new_edh_instance", "/get_next_action"))


@cache
def _app() -> Any:
    return create_app("random", limits=Limits(instances=4, body_bytes=50_000))


def _asked(route: str, content_type: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
    """One request to the application itself, without a network."""
    sent: list[Any] = []
    headers = [(b"content-type", content_type.encode("latin1", "replace")), (b"content-length", b"%d" % len(body))]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": route,
        "raw_path": route.encode(),
        "query_string": b"",
        "headers": headers,
        "server": ("localhost", 80),
        "client": ("localhost", 1),
    }
    come = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Any:
        return next(come, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(_app()(scope, receive, send))
    kept = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], kept, b"".join(one.get("body", b"") for one in sent[1:])


def _is_of_the_protocol(answer: tuple[int, dict[str, str], bytes]) -> None:
    status, headers, body = answer
    assert status in (200, 400, 404, 413, 422)
    if headers["content-type"].startswith("application/json"):
        assert list(json.loads(body)) == ["action", "obj_relative_coord"] and status == 200
    else:
        assert headers["content-type"].startswith("text/plain")
        assert b"Traceback" not in body and b".py" not in body and len(body) < 2000


@settings(max_examples=80, deadline=None)
@given(ROUTES, TYPES, st.binary(max_size=300))
def test_any_bytes(route: str, content_type: str, body: bytes) -> None:
    _is_of_the_protocol(_asked(route, content_type, body))


@settings(max_examples=60, deadline=None)
@given(ROUTES, st.dictionaries(st.sampled_from(KEYS), JSON | INSTANCES))
def test_any_json(route: str, value: Any) -> None:
    _is_of_the_protocol(_asked(route, "application/json", json.dumps(value).encode()))


@cache
def _sessions() -> tuple[Any, str]:
    """A served agent that reads every part of an observation, and the route at which a session of it acts."""
    app = create_app("tests.serve.agents:Reader", allow_import=True, limits=Limits(picture_pixels=5_000))
    client = TestClient(app)
    opened = client.post("/v1/sessions", json={"role": "follower"})
    return client, f"/v1/sessions/{opened.json()['id']}/act"


def _is_an_answer(answer: Any) -> None:
    told = answer.json()
    assert answer.status_code in (200, 400, 413, 415, 422), answer.text
    assert "action" in told if answer.status_code == 200 else list(told) == ["error", "message"]
    assert "Traceback" not in answer.text and ".py" not in answer.text and len(answer.text) < 3000


PARTS = st.fixed_dictionaries(
    {"turn": st.integers(-1, 3) | JSON, "pose": st.just({"position": [0, 0, 0], "yaw": 0, "horizon": 0}) | JSON},
    optional={
        "view": JSON,
        "dialogue": st.lists(st.fixed_dictionaries({"speaker": st.just("commander"), "text": JSON})) | JSON,
        "dialogue_from": JSON,
        "last_action": st.fixed_dictionaries({"name": st.just("Pickup") | JSON}, optional={"x": JSON, "y": JSON})
        | JSON,
        "last_result": st.fixed_dictionaries({"success": st.booleans()}, optional={"message": JSON, "reply": JSON}),
        "reachable": st.lists(st.tuples(st.floats(), st.floats())) | JSON,
        "objects": st.fixed_dictionaries({"rows": st.lists(st.fixed_dictionaries({"objectId": JSON}))}) | JSON,
    },
)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(("/v1/sessions", "")), PARTS | JSON)
def test_whatever_is_asked_of_a_session_is_answered_or_refused(route: str, value: Any) -> None:
    client, act = _sessions()
    body = json.dumps(value).encode()
    answer = client.post(route or act, content=body, headers={"content-type": "application/json"})
    if route and answer.status_code == 200:
        client.delete(f"{route}/{answer.json()['id']}")
    else:
        _is_an_answer(answer)


@settings(max_examples=60, deadline=None)
@given(TYPES, st.binary(max_size=300))
def test_any_bytes_to_a_session(content_type: str, body: bytes) -> None:
    client, act = _sessions()
    _is_an_answer(client.post(act, content=body, headers={"content-type": content_type}))


def _text(most: int) -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=most)


@settings(max_examples=60, deadline=None)
@given(_text(40), st.lists(st.binary(max_size=60), min_size=1, max_size=4), _text(10))
def test_forms_of_our_client_are_read_as_they_were_meant(value: str, contents: list[bytes], name: str) -> None:
    files = [FilePart("img", name or "i", content) for content in contents]
    content_type, body = form_body([("edh_name", value)], files)

    async def read() -> tuple[list[Any], list[bytes]]:
        async def stream() -> Any:
            yield body

        form = await MultiPartParser(Headers({"content-type": content_type}), stream()).parse()
        uploads = [one for one in form.getlist("img") if isinstance(one, UploadFile)]
        found = form.getlist("edh_name"), [await one.read() for one in uploads]
        await form.close()
        return found

    assert asyncio.run(read()) == ([value], contents)
