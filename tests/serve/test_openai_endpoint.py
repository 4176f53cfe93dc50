"""OpenAI's clients talk to a live Follower: a chat is a session, said once, answered in words and pictures."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image
from teach_agents_serve.app import create_app
from teach_agents_serve.limits import Limits
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.live_serving import LiveServing
from teach_agents_serve.live_wire import NewSession
from teach_agents_serve.metrics import Metrics
from teach_agents_serve.openai_answers import Answer, Talking
from teach_agents_serve.openai_chats import Asked, Chats
from teach_agents_serve.openai_wire import Chosen

from teach_agents.actions import Role
from teach_agents.live import HUMAN, LiveSession, LiveSetting, make_scenario
from tests.serve.serving import post, request, serving

openai = pytest.importorskip("openai")

COFFEE = "teach-follower/FloorPlan5/Coffee"


def made(store: Path, **more: Any) -> FastAPI:
    """A server with the planner as its Follower."""
    agents = {Role.COMMANDER: {}, Role.FOLLOWER: {"planner": "planner"}}
    return create_app(live=LiveServing(store, agents), **more)


@contextmanager
def client_of(app: FastAPI, api_key: str = "none") -> Iterator[tuple[Any, str]]:
    """OpenAI's own client, and the server's address."""
    with serving(app, lifespan="on") as url, openai.OpenAI(base_url=f"{url}/v1", api_key=api_key) as client:
        yield client, url


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """One server for tests that need none of their own."""
    with client_of(made(tmp_path_factory.mktemp("store"))) as both:
        yield both


def said(*texts: str) -> list[dict[str, str]]:
    """Messages, the user's and the assistant's in turns."""
    return [{"role": "assistant" if number % 2 else "user", "content": text} for number, text in enumerate(texts)]


def sessions(url: str) -> list[dict[str, Any]]:
    """The server's live sessions."""
    listed: list[dict[str, Any]] = json.loads(request(url, "GET", "/v1/live").text)["sessions"]
    return listed


def test_a_chat_makes_coffee_whole_and_streamed_and_is_one_session(tmp_path: Path) -> None:
    with client_of(made(tmp_path)) as (client, url):
        first = client.chat.completions.create(model=COFFEE, messages=said("Hello! Please wash the mug."))
        washed = first.choices[0].message.content
        assert "- Turned on the faucet\n- Turned off the faucet" in washed and washed.endswith("?")
        assert first.choices[0].finish_reason == "stop" and first.usage.completion_tokens > 10
        history = said("Hello! Please wash the mug.", washed, "make coffee in the mug")
        pieces = [
            piece
            for piece in client.chat.completions.create(
                model=COFFEE, messages=history, stream=True, stream_options={"include_usage": True}
            )
        ]
        brewed = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
        assert "- Put the mug in the coffee machine" in brewed
        assert pieces[-2].choices[0].finish_reason == "stop" and pieces[-1].usage.total_tokens > 20
        before = sessions(url)[0]["turns"]
        again = client.chat.completions.create(model=COFFEE, messages=history)
        assert again.choices[0].message.content == brewed
        assert [(one["turns"], one["task_name"]) for one in sessions(url)] == [(before, "Coffee")]
        done = client.chat.completions.create(
            model=COFFEE, messages=[*history, *said("", brewed)[1:], *said("/finish")]
        )
        assert "the task is complete" in done.choices[0].message.content
        assert sessions(url)[0]["success"] is True


def test_the_same_opening_is_a_retry_or_another_chat(tmp_path: Path) -> None:
    model = "teach-follower/FloorPlan2"
    body = json.dumps({"model": model, "messages": said("open the fridge")}).encode()
    with client_of(made(tmp_path)) as (client, url):
        retried = [post(url, "/v1/chat/completions", "application/json", body).text for _ in range(2)]
        answers = [json.loads(text)["choices"][0]["message"]["content"] for text in retried]
        assert answers[0] == answers[1] and len(sessions(url)) == 1
        client.chat.completions.create(model=model, messages=said("open the fridge"))
        assert len(sessions(url)) == 2
        for _ in range(2):
            client.chat.completions.create(
                model=model, messages=said("open the fridge"), extra_headers={"Idempotency-Key": "mine"}
            )
        assert len(sessions(url)) == 3


def test_a_named_session_needs_no_history_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    named = {"metadata": {"session": "kitchen", "room": "FloorPlan2"}, "model": "teach-follower"}
    with client_of(made(tmp_path)) as (client, _):
        client.chat.completions.create(messages=said("pick up the bread"), **named)
        unnamed = client.chat.completions.create(model="teach-follower/FloorPlan2", messages=said("open the fridge"))
    with client_of(made(tmp_path)) as (client, url):
        told = client.chat.completions.create(messages=said("put the bread in the fridge"), **named)
        assert "- Put the bread in the fridge" in told.choices[0].message.content
        history = said("open the fridge", unnamed.choices[0].message.content, "close the fridge")
        told = client.chat.completions.create(model="teach-follower/FloorPlan2", messages=history)
        assert "- Closed the fridge" in told.choices[0].message.content
        assert len(sessions(url)) == 2


def test_a_history_that_never_was_is_refused(tmp_path: Path) -> None:
    with client_of(made(tmp_path)) as (client, url):
        first = client.chat.completions.create(model="teach-follower", messages=said("open the fridge"))
        answer = first.choices[0].message.content
        for history in (
            said("open the microwave", answer, "close it"),
            said("open the fridge", "I have done no such thing", "close it"),
        ):
            with pytest.raises(openai.BadRequestError) as refused:
                client.chat.completions.create(model="teach-follower", messages=history)
            assert refused.value.code == "unknown_conversation"
        cut = client.chat.completions.create(
            model="teach-follower", messages=said("open the fridge", answer[:12], "close the fridge")
        )
        assert "- Closed the fridge" in cut.choices[0].message.content, "an answer that was cut short is the same chat"
        assert len(sessions(url)) == 1


def test_pictures_come_as_parts_in_streams_and_in_markdown(shared: tuple[Any, str]) -> None:
    client = shared[0]
    asked: dict[str, Any] = {"model": "teach-follower", "modalities": ["text", "image"]}
    words, shown = client.chat.completions.create(messages=said("hello"), **asked).choices[0].message.content
    assert words["type"] == "text" and shown["type"] == "image_url"
    pieces = [*client.chat.completions.create(messages=said("/map"), stream=True, **asked)]
    images = [image for piece in pieces for image in getattr(piece.choices[0].delta, "images", None) or ()]
    assert len(images) == 2, "the map that was asked for, and what the Follower sees"
    told = client.chat.completions.create(model="teach-follower-pictures", messages=said("hello"))
    in_text = told.choices[0].message.content.partition("](")[2].rstrip(")")
    for uri in (shown["image_url"]["url"], images[-1]["image_url"]["url"], in_text):
        kind, _, data = uri.partition("base64,")
        assert kind == "data:image/jpeg;" and Image.open(BytesIO(base64.b64decode(data))).size == (400, 400)
    history = [*said("hello", told.choices[0].message.content, "open the fridge")]
    client.chat.completions.create(model="teach-follower-pictures", messages=history)


@pytest.mark.parametrize(
    ("fields", "code", "status"),
    [
        ({"model": "gpt-5"}, "model_not_found", 404),
        ({"model": "teach-follower:nobody"}, "model_not_found", 404),
        ({"model": "teach-follower/FloorPlan999"}, "cannot_be_made", 400),
        ({"metadata": {"colour": "red"}}, "bad_request", 400),
        ({"metadata": {"seed": "many"}}, "bad_request", 400),
        ({"metadata": {"task": "No Such Task"}}, "cannot_be_made", 400),
        ({"n": 2}, "bad_request", 400),
        ({"messages": said("hello", "hello")}, "nothing_said", 400),
        ({"messages": [{"role": "tool", "content": "7"}]}, "bad_request", 400),
        ({"messages": []}, "bad_request", 400),
    ],
)
def test_what_cannot_be_answered_is_told_in_openais_form(
    fields: dict[str, Any], code: str, status: int, shared: tuple[Any, str]
) -> None:
    body = {"model": "teach-follower", "messages": said("hello"), **fields}
    answer = post(shared[1], "/v1/chat/completions", "application/json", json.dumps(body).encode())
    error = json.loads(answer.text)["error"]
    assert (answer.status, error["code"]) == (status, code)
    assert error["message"] and error["type"] == "invalid_request_error"
    streamed = post(
        shared[1], "/v1/chat/completions", "application/json", json.dumps({**body, "stream": True}).encode()
    )
    assert (streamed.status, json.loads(streamed.text)["error"]["code"]) == (status, code)


def test_the_door_is_the_servers(tmp_path: Path) -> None:
    with client_of(made(tmp_path, token="secret", limits=Limits(sessions=1))) as (client, url):
        with pytest.raises(openai.AuthenticationError) as refused:
            client.models.list()
        assert (refused.value.code, refused.value.type) == ("no_token", "authentication_error")
        mine = openai.OpenAI(base_url=f"{url}/v1", api_key="secret", max_retries=0)
        names = [model.id for model in mine.models.list()]
        assert names == ["teach-follower", "teach-follower-pictures", "teach-follower:planner"]
        assert mine.models.retrieve("teach-follower/FloorPlan5").id == "teach-follower/FloorPlan5"
        mine.chat.completions.create(model="teach-follower", messages=said("hello"))
        with pytest.raises(openai.RateLimitError) as full:
            mine.chat.completions.create(model="teach-follower", messages=said("hello"))
        assert full.value.code == "too_many_sessions"


def test_langchain_talks_to_it(shared: tuple[Any, str]) -> None:
    langchain_openai = pytest.importorskip("langchain_openai")
    address = f"{shared[1]}/v1"
    model = langchain_openai.ChatOpenAI(base_url=address, api_key="none", model="teach-follower/FloorPlan2")
    first = model.invoke("pick up the bread")
    assert "- Picked up the bread" in first.content
    history = [("user", "pick up the bread"), first, ("user", "put it in the fridge")]
    streamed = "".join(piece.content for piece in model.stream(history))
    assert "- Put the bread in the fridge" in streamed


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"", {}),
        (b"[1, 2", {}),
        (b'{"model": "teach-follower", "messages": [{"role": "user", "content": "\\ud800"}]}', {}),
        (b'{"model": "teach-follower", "messages": [{"role": "user", "content": "\xff"}]}', {}),
        (json.dumps({"model": "m" * 300, "messages": said("hi")}).encode(), {}),
        (
            json.dumps({"model": "teach-follower", "messages": said("hi"), "metadata": {"params": "[" * 500}}).encode(),
            {},
        ),
        (json.dumps({"model": "teach-follower", "messages": said("hi")}).encode(), {"Idempotency-Key": "k" * 200}),
        (b'{"model": "teach-follower", "messages": []}', {"x-stainless-retry-count": "9" * 5000}),
    ],
)
def test_whatever_is_sent_is_refused_with_a_reason(
    body: bytes, headers: dict[str, str], shared: tuple[Any, str]
) -> None:
    answer = post(shared[1], "/v1/chat/completions", "application/json", body, **headers)
    assert 400 <= answer.status < 500 and json.loads(answer.text)["error"]["message"]


def test_an_answer_that_takes_long_ends_and_the_next_tells_the_rest() -> None:
    async def play() -> None:
        scenario = make_scenario("Coffee", room="FloorPlan5")
        chairs = {Role.COMMANDER: HUMAN, Role.FOLLOWER: "planner"}
        live = LiveSession(LiveSetting("slow", scenario, chairs, pace_s=0.1))
        await live.start()
        first, second = Answer(), Answer()
        await Talking(live, first, "none", 0.3).go(["wash the mug"], "0", first=True)
        assert first.finish == "length" and "Still at it" in first.text and "faucet" not in first.text
        await Talking(live, second, "none", 60.0).go(["..."], "1", first=False)
        assert second.finish == "stop" and "- Turned off the faucet" in second.text
        assert [event.role for event in live.events if event.data.get("text")].count(Role.COMMANDER) == 1
        again = Answer()
        await Talking(live, again, "none", 60.0).go(["wash the mug"], "0", first=False)
        assert "Turned on the faucet" in again.text, "what was said by this key before is only told again"
        await live.close()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_who_speaks_meanwhile_is_heard_and_ends_the_answer(tmp_path: Path) -> None:
    async def play() -> None:
        desk = LiveDesk(
            LiveServing(tmp_path, {Role.COMMANDER: {}, Role.FOLLOWER: {"planner": "planner"}}), Limits(), Metrics()
        )
        chats = Chats(desk, 60.0)
        choice = Chosen(NewSession(task="Coffee", room="FloorPlan5", follower="planner", pace_s=0.05), "none")
        _, first = chats.take(Asked(("me", "here"), (), ("wash the mug",), name="kitchen"), choice)
        async for _ in first.answer.follow(30.0):
            break
        _, second = chats.take(Asked(("me", "here"), (), ("make coffee in the mug",), name="kitchen"), choice)
        await first.answer.whole()
        await second.answer.whole()
        assert "coffee machine" not in first.answer.text
        assert "Turned off the faucet" in second.answer.text and "Turned on the coffee machine" in second.answer.text
        await desk.close()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_models_name_the_hosts_that_hear_what_is_said_before_anything_is(tmp_path: Path) -> None:
    remote = "lm:model=https://user:secret@models.example.org:9/v1#large"
    agents = {Role.COMMANDER: {}, Role.FOLLOWER: {"large": remote, "planner": "planner"}}
    with client_of(create_app(live=LiveServing(tmp_path, agents))) as (client, url):
        found = {one.id: getattr(one, "sends_to", None) for one in client.models.list()}
        assert found.pop("teach-follower:planner") is None
        assert set(found) == {"teach-follower", "teach-follower-pictures", "teach-follower:large"}
        assert set(found.values()) == {"models.example.org"}
        assert client.models.retrieve("teach-follower:large/FloorPlan5").sends_to == "models.example.org"
        assert "secret" not in request(url, "GET", "/v1/models").text
