from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from teach_agents.errors import InputError, ModelError, ModelReplyError, ModelTimeoutError
from teach_agents.models import Choices, LanguageModel, Prompt, Regex, Settings, load_model
from teach_agents.models.conformance import LanguageModelContract
from teach_agents.models.remote import OpenAIModel
from teach_agents.models.servers import PassingError, Patience, RateLimit
from tests.models.server import FakeServer, chat, serving

MOVES = Choices(["Pickup Mug", "Place Sink"])


def _obedient(body: Mapping[str, Any]) -> tuple[int, Any]:
    """What a server that knows `response_format` says."""
    if "response_format" not in body:
        return 200, chat("ab")
    schema = body["response_format"]["json_schema"]["schema"]
    made = {key: one["enum"][0] if "enum" in one else "x" for key, one in schema["properties"].items()}
    return 200, chat(json.dumps(made))


@pytest.fixture(scope="module")
def obedient() -> Iterator[FakeServer]:
    with serving(_obedient) as server:
        yield server


class TestOpenAIModel(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def _server(self, obedient: FakeServer) -> None:
        self.url = obedient.url

    def make_model(self) -> LanguageModel:
        return load_model(f"{self.url}#small")


def _ask(answer: Any, prompt: Prompt | str = "Hello.", **options: Any) -> tuple[Any, FakeServer]:
    with serving(answer) as server, OpenAIModel(f"{server.url}#small", **options) as model:
        (done,) = model.generate([prompt])
    return done, server


def test_a_prompt_becomes_a_chat_request() -> None:
    image = np.zeros((2, 3, 3), np.uint8)
    settings = Settings(max_tokens=9, temperature=0.5, top_p=0.9, seed=4, stop=("\n",))
    prompt = Prompt.of("What next?", MOVES, settings, system="You are a robot.", images=[image])
    done, server = _ask(_obedient, prompt)
    assert done.value == "Pickup Mug"
    assert (done.usage.prompt_tokens, done.usage.generated_tokens, done.usage.model_calls) == (11, 3, 1)
    (body,) = server.bodies
    assert body["messages"][0] == {"role": "system", "content": "You are a robot."}
    picture, words = body["messages"][1]["content"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,") and words["text"] == "What next?"
    assert {key: body[key] for key in ("model", "max_tokens", "temperature", "top_p", "seed", "stop")} == {
        "model": "small",
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 4,
        "stop": ["\n"],
    }
    assert "Authorization" not in server.headers[0]


def test_a_key_is_sent_only_when_its_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "secret")
    _, server = _ask(_obedient, key_env="MY_KEY")
    assert server.headers[0]["Authorization"] == "Bearer secret"
    with pytest.raises(InputError, match="is not set.*NO_KEY"):
        OpenAIModel("http://127.0.0.1:1/v1#small", key_env="NO_KEY")


@pytest.mark.parametrize("refusal", [(400, {"error": "unknown field"}), (500, b"Traceback")])
def test_a_server_that_knows_no_schema_is_asked_in_words(refusal: tuple[int, Any]) -> None:
    said = iter(["I would pick up the mug.", "Pickup Mug", "Place Sink"])

    def answer(body: Mapping[str, Any]) -> tuple[int, Any]:
        return refusal if "response_format" in body else (200, chat(next(said)))

    with serving(answer) as server, OpenAIModel(f"{server.url}#small") as model:
        done = [model.generate([Prompt.of("What next?", MOVES)])[0] for _ in range(2)]
    assert [one.value for one in done] == ["Pickup Mug", "Place Sink"]
    assert [one.usage.repairs for one in done] == [1, 0]
    assert ["response_format" in body for body in server.bodies] == [True, False, False, False]
    assert "word for word" in server.bodies[2]["messages"][-1]["content"]


def test_what_schemas_cannot_say_is_read_and_repaired() -> None:
    said = iter(["hm", "abba"])
    done, server = _ask(lambda body: (200, chat(next(said))), Prompt.of("Which?", Regex("[ab]+")))
    assert done.value == "abba" and not any("response_format" in body for body in server.bodies)


def test_a_busy_server_is_asked_again() -> None:
    replies: Iterator[Any] = iter(
        [(503, b""), (429, {"error": "slow down"}, {"Retry-After": "0.01"}), (200, chat("done"))]
    )
    with serving(lambda body: next(replies)) as server, OpenAIModel(f"{server.url}#small") as model:
        model._patience = Patience(3, wait_s=0.01)
        (done,) = model.generate(["Hello."])
    assert done.text == "done" and len(server.bodies) == 3


def test_patience_ends() -> None:
    with serving(lambda body: (503, b"busy")) as server, OpenAIModel(f"{server.url}#small") as model:
        model._patience = Patience(2, wait_s=0.01)
        (done,) = model.generate(["Hello."])
        assert "503 busy; gave up after 2 attempts" in str(done.error) and len(server.bodies) == 2
        model._patience = Patience(9, wait_s=5)
        (late,) = model.generate([Prompt.of("Hello.", settings=Settings(timeout_s=1))])
        assert isinstance(late.error, ModelTimeoutError) and late.usage.failures == 1


def test_a_server_that_is_not_there_is_an_error_that_names_it() -> None:
    with OpenAIModel("http://127.0.0.1:9/v1#small", attempts=1) as model:
        (done,) = model.generate(["Hello."])
    assert isinstance(done.error, ModelError) and "127.0.0.1:9" in str(done.error)


def test_a_server_that_says_nothing_is_left() -> None:
    free = threading.Event()

    def silent(body: Mapping[str, Any]) -> tuple[int, Any]:
        free.wait(20)
        return 200, chat("too late")

    with serving(silent) as server, OpenAIModel(f"{server.url}#small") as model:
        (done,) = model.generate([Prompt.of("Hello.", settings=Settings(timeout_s=0.2))])
        free.set()
    assert isinstance(done.error, ModelTimeoutError)


@pytest.mark.parametrize(
    ("reply", "error", "says"),
    [
        ((200, b"<html>"), ModelReplyError, "no chat completion: 200 <html>"),
        ((200, {"choices": []}), ModelReplyError, "no chat completion"),
        ((200, [1]), ModelReplyError, "no chat completion"),
        ((200, b'{"choices":' + b"[" * 100_000), ModelReplyError, "no chat completion"),
        ((200, b"\xff\xfe\x00"), ModelReplyError, "no chat completion"),
        ((200, b"x" * (5 << 20)), ModelReplyError, "larger than"),
        ((401, {"error": {"message": "bad key"}}), ModelError, "refuses: 401.*bad key"),
        ((307, b"", {"Location": "http://127.0.0.1:9/"}), ModelError, "refuses: 307"),
        ((200, chat(None, message={"refusal": "I will not."})), ModelReplyError, "I will not"),
    ],
)
def test_a_reply_that_is_no_answer_is_an_error(reply: Any, error: type[ModelError], says: str) -> None:
    done, _ = _ask(lambda body: reply, attempts=1)
    assert done.value is None and isinstance(done.error, error)
    with pytest.raises(error, match=says):
        done.checked()


@pytest.mark.parametrize(
    "usage", [None, 3, {"prompt_tokens": "many"}, {"prompt_tokens": -1, "completion_tokens": 1e99}]
)
def test_a_server_that_counts_badly_is_not_believed(usage: object) -> None:
    done, _ = _ask(lambda body: (200, {**chat("hi"), "usage": usage}))
    assert (done.text, done.usage.prompt_tokens, done.usage.generated_tokens) == ("hi", 0, 0)


def test_content_in_parts_and_odd_finishes_are_taken_as_they_come() -> None:
    done, _ = _ask(lambda body: (200, chat([{"type": "text"}], finish_reason="length", logprobs={"content": "x"})))
    assert (done.text, done.finish, done.log_probability) == ('[{"type": "text"}]', "length", None)


def test_log_probabilities_are_told_where_the_server_tells_them() -> None:
    tokens = {"content": [{"logprob": -0.5}, {"logprob": -0.25}]}
    done, server = _ask(lambda body: (200, chat("hi", logprobs=tokens)), logprobs=True, price="2/10.5")
    assert done.usage.cost_usd == pytest.approx((11 * 2 + 3 * 10.5) / 1e6)
    with pytest.raises(InputError, match="per million tokens"):
        OpenAIModel("http://localhost/v1#small", price="cheap")
    assert done.log_probability == -0.75 and server.bodies[0]["logprobs"] is True


def test_prompts_are_asked_at_once() -> None:
    together = threading.Barrier(3, timeout=20)

    def answer(body: Mapping[str, Any]) -> tuple[int, Any]:
        together.wait()
        return 200, chat(body["messages"][0]["content"])

    with serving(answer) as server, OpenAIModel(f"{server.url}#small", parallel=3) as model:
        assert [one.text for one in model.generate(["a", "b", "c"])] == ["a", "b", "c"]


def test_turns_are_a_rate_apart() -> None:
    rate = RateLimit(per_second=10)
    waits = [rate.turn() for _ in range(3)]
    assert waits[0] == 0 and 0.15 < waits[2] <= 0.2
    assert [RateLimit(0).turn() for _ in range(2)] == [0, 0]
    with pytest.raises(InputError, match="calls per second"):
        RateLimit(-1)
    with pytest.raises(ModelTimeoutError):
        Patience().keep_trying(lambda left: left, 0.1, rate)


def test_waits_grow_and_are_bounded() -> None:
    tries: list[float] = []

    def call(left: float) -> str:
        tries.append(left)
        raise PassingError("busy", wait_s=60.0 if len(tries) == 1 else None)

    with pytest.raises(ModelError, match="busy; gave up after 3 attempts"):
        Patience(3, wait_s=0.01, longest_s=0.02).keep_trying(call, 20.0, RateLimit(0))
    assert len(tries) == 3 and tries[0] > tries[1] > tries[2]


@pytest.mark.parametrize("url", ["localhost/v1#small", "http://localhost/v1", "http://localhost/v1#"])
def test_an_address_needs_a_model(url: str) -> None:
    with pytest.raises(InputError, match="needs an address and a model"):
        OpenAIModel(url)
