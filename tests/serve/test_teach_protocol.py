"""TEACh's remote-model protocol, asked as the reference's client asks."""

from __future__ import annotations

import base64
import io
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image
from teach_agents_serve import Limits, create_app
from teach_agents_serve.posted import Stored

from teach_agents.conventions.remote_model import FilePart, RemoteModel, form_body
from teach_agents.errors import InputError, SpecError, TeachAgentsError
from tests.serve.serving import Answer, post, request, serving

MULTIPART = "multipart/form-data; boundary=5af1"
URLENCODED = "application/x-www-form-urlencoded"
INSTANCE: dict[str, Any] = {
    "dialog_history": [["Commander", "a mug, please"], ["Driver", "which one?"]],
    "driver_action_history": [],
    "driver_image_history": [],
    "interactions": [{"agent_id": 1, "action_id": 2, "pose": [1, 0, 0.9, 0, 30, 0]}],
    "pred_start_idx": 1,
    "game_id": "game",
    "instance_id": "game.edh1",
}


def _jpeg(shade: int = 0, size: int = 8) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (size, size), (shade,) * 3).save(file, "JPEG")
    return file.getvalue()


def _multipart(fields: dict[str, str], *files: tuple[str, str, bytes]) -> bytes:
    """A form as the reference's client library writes it."""
    lines = []
    for name, value in fields.items():
        lines += [b"--5af1", f'Content-Disposition: form-data; name="{name}"'.encode(), b"", value.encode()]
    for field, name, content in files:
        head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"'.encode()
        lines += [b"--5af1", head, b"Content-Type: image/jpeg", b"", content]
    return b"\r\n".join([*lines, b"--5af1--", b""])


def _start(url: str, name: str = "/data/game.edh1.json", instance: dict[str, Any] = INSTANCE) -> Answer:
    """As the client sends it where there is no history: url-encoded, without files."""
    body = urlencode({"edh_name": name, "edh_instance": json.dumps(instance)}).encode()
    return post(url, "/start_new_edh_instance", URLENCODED, body)


def _act(url: str, name: str = "/data/game.edh1.json", shade: int = 0, previous: str | None = None) -> Answer:
    fields = {"img_name": "img__game.edh1_1.jpeg", "edh_name": name, "edh_instance": json.dumps(INSTANCE)}
    if previous is not None:
        fields["prev_action"] = previous
    body = _multipart(fields, ("img", "img__game.edh1_1.jpeg", _jpeg(shade)))
    return post(url, "/get_next_action", MULTIPART, body)


def _answer(answer: Answer) -> tuple[str, Any]:
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json"), answer.text
    reply = json.loads(answer.body)
    assert list(reply) == ["action", "obj_relative_coord"]
    return reply["action"], reply["obj_relative_coord"]


def _app(follower: str, **more: Any) -> Any:
    return create_app(follower, allow_import=True, **more)


@pytest.fixture(scope="module")
def sayer() -> Iterator[str]:
    with serving(_app("tests.serve.agents:Sayer", limits=Limits(instances=3))) as url:
        yield url


def test_an_instance_without_pictures_comes_url_encoded_and_clicks_are_row_and_column(sayer: str) -> None:
    started = _start(sayer)
    assert (started.status, started.body) == (200, b"success")
    assert _answer(_act(sayer)) == ("Pickup", [0.02, 0.01]), "y is the row and comes first"
    second = _act(sayer, previous='{"action": "Pickup", "obj_relative_coord": [0.02, 0.01]}')
    assert _answer(second) == ("Pickup", [0.02, 0.02])
    _act(sayer)
    assert _answer(_act(sayer)) == ("Stop", None)


def test_a_start_begins_anew(sayer: str) -> None:
    for _ in range(2):
        _start(sayer)
        assert _answer(_act(sayer))[1] == [0.02, 0.01]


def test_several_instances_are_played_side_by_side(sayer: str) -> None:
    names = [f"/data/{number}.json" for number in range(3)]
    with ThreadPoolExecutor(3) as pool:
        assert {one.status for one in pool.map(lambda name: _start(sayer, name), names)} == {200}
        for turn in (1, 2, 3):
            answers = pool.map(lambda name: _answer(_act(sayer, name)), names)
            assert list(answers) == [("Pickup", [0.02, turn / 100])] * 3


def test_only_so_many_instances_are_kept(sayer: str) -> None:
    for number in range(4):
        _start(sayer, f"/data/{number}.json")
    lost = _act(sayer, "/data/0.json")
    assert lost.status == 404 and "was not begun, or is none of the last 3 in use" in lost.text
    assert _answer(_act(sayer, "/data/1.json"))[0] == "Pickup"


def test_one_that_was_never_begun_is_an_error_in_plain_text(sayer: str) -> None:
    answer = _act(sayer, "/data/never.json")
    assert answer.status == 404 and answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize("route", ["/", "/ping", "/test"])
def test_it_shows_that_it_is_there(sayer: str, route: str) -> None:
    answer = request(sayer, "GET", route)
    assert _answer(answer) == ("Look Up", [0.1, 0.2])


def test_json_bodies_are_taken_with_the_instance_as_object_or_text(sayer: str) -> None:
    picture = base64.b64encode(_jpeg()).decode()
    for instance in (INSTANCE, json.dumps(INSTANCE)):
        body = json.dumps({"edh_name": "j", "edh_instance": instance}).encode()
        assert post(sayer, "/start_new_edh_instance", "application/json; charset=utf-8", body).body == b"success"
    for sent in (picture, f"data:image/jpeg;base64,{picture}"):
        body = json.dumps({"edh_name": "j", "img": sent, "prev_action": None}).encode()
        assert _answer(post(sayer, "/get_next_action", "application/json", body))[0] == "Pickup"


def test_fields_may_be_absent(sayer: str) -> None:
    body = urlencode({"edh_instance": json.dumps(INSTANCE)}).encode()
    assert post(sayer, "/start_new_edh_instance", URLENCODED, body).body == b"success"
    alone = _multipart({}, ("img", "img", _jpeg()))
    assert _answer(post(sayer, "/get_next_action", MULTIPART, alone)) == ("Pickup", [0.02, 0.01])
    bare = _multipart({"edh_instance": "{}", "edh_name": "bare"})
    assert post(sayer, "/start_new_edh_instance", MULTIPART, bare).body == b"success", "any key may be absent too"
    assert _answer(post(sayer, "/get_next_action", MULTIPART, _multipart({"edh_name": "bare"}, ("img", "i", _jpeg()))))


@pytest.mark.parametrize(
    ("route", "content_type", "body", "words"),
    [
        ("/start_new_edh_instance", URLENCODED, b"edh_name=x", "edh_instance: is missing"),
        ("/start_new_edh_instance", URLENCODED, b"", "edh_instance: is missing"),
        ("/start_new_edh_instance", URLENCODED, b"edh_instance=%7B", "edh_instance: is no JSON text"),
        ("/start_new_edh_instance", URLENCODED, b"edh_instance=[]", "edh_instance: must be a JSON object"),
        ("/start_new_edh_instance", URLENCODED, b"edh_instance=" + b"[" * 100_000, "edh_instance: is no JSON text"),
        ("/start_new_edh_instance", "application/json", b"[" * 100_000, "body: is no JSON"),
        ("/start_new_edh_instance", "application/json", b"\xff{", "body: is no JSON"),
        ("/start_new_edh_instance", "application/json", b"7", "body: must be a JSON object"),
        ("/start_new_edh_instance", "text/plain", b"hello", "edh_instance: is missing"),
        ("/start_new_edh_instance", MULTIPART, b"no form at all", "body cannot be read: Invalid multipart data"),
        ("/start_new_edh_instance", "multipart/form-data", b"x", "body cannot be read: Missing boundary"),
        (
            "/start_new_edh_instance",
            URLENCODED,
            urlencode({"edh_instance": '{"dialog_history": 3, "driver_action_history": [7]}'}).encode(),
            "driver_action_history",
        ),
        ("/get_next_action", MULTIPART, _multipart({"edh_name": "x"}), "img: is missing"),
        (
            "/get_next_action",
            MULTIPART,
            _multipart({}, ("img", "i", b"GIF89a")),
            "image: is no picture that can be read",
        ),
        ("/get_next_action", "application/json", b'{"img": "%%%"}', "img: must be a picture in base64"),
        ("/get_next_action", "application/json", b'{"img": 3}', "img: must be a picture in base64"),
        ("/get_next_action", "application/json", b'{"img": "", "edh_name": 3}', "img: is missing"),
    ],
)
def test_what_cannot_be_read_is_a_line_of_plain_text(
    sayer: str, route: str, content_type: str, body: bytes, words: str
) -> None:
    answer = post(sayer, route, content_type, body)
    assert answer.status == (400 if words.startswith("body cannot be read") else 422)
    assert answer.headers["content-type"].startswith("text/plain")
    assert words in answer.text
    assert "Traceback" not in answer.text and ".py" not in answer.text and "\n" not in answer.text


def test_an_agent_that_fails_tells_no_more_than_that() -> None:
    with serving(_app("tests.serve.agents:broken")) as url:
        _start(url)
        answer = _act(url)
    assert (answer.status, answer.text) == (424, "the agent raised RuntimeError")


def test_an_agent_that_cannot_begin_a_session_is_no_failure_of_the_server() -> None:
    with serving(create_app("random", commander="tests.serve.agents:Unready", allow_import=True)) as url:
        opened = post(url, "/v1/sessions", "application/json", b'{"role": "commander"}')
    assert opened.status == 424 and json.loads(opened.body)["error"] == "agent_failed"


@pytest.mark.parametrize("agent", ["unwell", "clumsy"])
def test_an_answer_that_is_no_action_goes_without_a_name(agent: str) -> None:
    with serving(_app(f"tests.serve.agents:{agent}")) as url:
        _start(url)
        assert _answer(_act(url)) == ("", None)


def test_picture_last_action_and_reckoned_pose_reach_the_agent() -> None:
    with serving(_app("tests.serve.agents:Looker")) as url:
        _start(url)
        assert _answer(_act(url, shade=250))[0] == "Turn Right"
        assert _answer(_act(url, shade=5))[0] == "Turn Left"
        opened = json.dumps({"action": "Open", "obj_relative_coord": [0.2, 0.8]})
        assert _answer(_act(url, previous=opened))[0] == "Forward"
        forward = json.dumps({"action": "Forward", "obj_relative_coord": None})
        assert _answer(_act(url, previous=forward))[0] == "Look Up", "the history ended at z = 1"


def test_a_picture_that_breaks_off_is_the_clients_mistake() -> None:
    whole = _jpeg(size=64)
    with serving(_app("tests.serve.agents:Looker")) as url:
        _start(url)
        broken = _multipart({}, ("img", "i", whole[: len(whole) - 40]))
        answer = post(url, "/get_next_action", MULTIPART, broken)
        assert (answer.status, answer.text) == (422, "image: is damaged")
        assert _answer(_act(url, shade=250))[0] == "Turn Right", "the instance goes on"


def test_pictures_of_the_history_come_in_their_order() -> None:
    action = {"action_name": "Forward", "time_start": 1.5, "oid": None, "x": None, "y": None}
    instance = {**INSTANCE, "driver_action_history": [action, action], "driver_image_history": ["a", "b"]}
    files = [("edh_history_images", f"history{n}", _jpeg(shade)) for n, shade in enumerate((10, 128))]
    body = _multipart({"edh_name": "h", "edh_instance": json.dumps(instance)}, *files)
    with serving(_app("tests.serve.agents:Historian")) as url:
        assert post(url, "/start_new_edh_instance", MULTIPART, body).body == b"success"
        name, (row, column) = _answer(_act(url, "h"))
    assert (name, column) == ("Open", 0.02) and abs(row - 0.5) < 0.02


def test_large_bodies_and_pictures_are_refused() -> None:
    limits = Limits(body_bytes=20_000, picture_pixels=99, history_pictures=2)
    with serving(_app("tests.serve.agents:Sayer", limits=limits)) as url:
        announced = post(url, "/start_new_edh_instance", URLENCODED, b"edh_instance=" + b"x" * 20_000)
        assert announced.status == 413 and "20000 bytes" in announced.text
        chunked = {"Transfer-Encoding": "chunked", "Content-Type": URLENCODED}
        piece = b"1000\r\n" + b"x" * 4096 + b"\r\n"
        assert request(url, "POST", "/start_new_edh_instance", piece * 6 + b"0\r\n\r\n", chunked).status == 413
        _start(url)
        assert _answer(_act(url))[0] == "Pickup"
        large = _multipart({}, ("img", "i", _jpeg(size=10)))
        answer = post(url, "/get_next_action", MULTIPART, large)
        assert answer.status == 422 and "at most 99 pixels" in answer.text
        many = _multipart({"edh_instance": "{}"}, *[("edh_history_images", "h", _jpeg())] * 3)
        assert post(url, "/start_new_edh_instance", MULTIPART, many).status == 400


def test_a_token_is_required_where_there_is_one() -> None:
    with serving(_app("tests.serve.agents:Sayer", token="geheim")) as url:
        for headers in ({}, {"Authorization": "Bearer falsch"}, {"Authorization": "geheim"}):
            answer = request(url, "GET", "/test", headers=headers)
            assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert request(url, "GET", "/test", headers={"Authorization": "Bearer geheim"}).status == 200
        assert RemoteModel(url, token="geheim").start_new_edh_instance(INSTANCE, [])
        with pytest.raises(TeachAgentsError, match="answered 401"):
            RemoteModel(url).start_new_edh_instance(INSTANCE, [])


def test_what_the_protocol_cannot_carry_is_refused_before_anything_is_served() -> None:
    with pytest.raises(SpecError, match="needs the parameter 'household'"):
        create_app("recorded")
    with pytest.raises(SpecError, match="only allowed on the command line"):
        create_app("tests.serve.agents:Sayer")


def test_teachs_routes_say_that_an_agent_needs_more_than_they_carry() -> None:
    for app, words in (
        (_app("tests.serve.agents:Mapper"), "reads what the protocol cannot carry (reachable)"),
        (_app("", commander="random"), "no Follower is served here"),
    ):
        with serving(app) as url:
            for answer in (_start(url), _act(url)):
                assert answer.status == 404 and words in answer.text
            assert request(url, "GET", "/ping").status == 200


def test_limits_are_numbers() -> None:
    with pytest.raises(InputError, match="body_bytes must be a whole number"):
        Limits(body_bytes=0)
    for seconds in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="answer_s must be a number of seconds above 0"):
            Limits(answer_s=seconds)


def test_an_agent_that_hangs_loses_its_instance_and_holds_up_nobody() -> None:
    with serving(_app("tests.serve.agents:Hangs", limits=Limits(answer_s=0.5))) as url:
        for _ in range(2):
            assert _start(url, "hung").body == b"success" and _start(url, "quick").body == b"success"
            assert _answer(_act(url, "hung"))[0] == "Turn Left"
            late = _act(url, "hung")
            words = "the agent gave no answer within 0.5 s; begin the instance again"
            assert (late.status, late.text) == (424, words)
            again = _act(url, "hung")
            assert again.status == 404 and "was not begun" in again.text
            assert _answer(_act(url, "quick"))[0] == "Turn Left"


def test_requests_that_wait_for_a_hanging_agent_wait_no_longer_than_one() -> None:
    with serving(_app("tests.serve.agents:Hangs", limits=Limits(answer_s=0.5))) as url:
        _start(url, "hung")
        assert _act(url, "hung").status == 200
        with ThreadPoolExecutor(12) as pool:
            begun = time.monotonic()
            found = list(pool.map(lambda _: _act(url, "hung").status, range(12)))
        assert set(found) <= {424, 404} and time.monotonic() - begun < 20


def test_an_agent_that_wants_to_end_the_server_only_fails() -> None:
    for name in ("exits", "stops"):
        with serving(_app(f"tests.serve.agents:{name}")) as url:
            _start(url)
            answer = _act(url)
            assert answer.status == 424 and answer.text in (
                "the agent raised SystemExit",
                "the agent raised StopIteration",
            )
            assert request(url, "GET", "/ping").status == 200


def test_our_client_writes_forms_as_the_references_library_does() -> None:
    fields = [("edh_name", "/a/b.json"), ("edh_instance", '{"a": "ü"}')]
    content_type, body = form_body(fields, [FilePart("img", 'x".jpeg', b"J")])
    boundary = content_type.partition("boundary=")[2].encode()
    assert body.replace(boundary, b"5af1") == _multipart(dict(fields), ("img", "x%22.jpeg", b"J"))
    assert form_body(fields, ()) == (URLENCODED, urlencode(fields).encode())


def test_our_client_and_our_server_understand_each_other() -> None:
    image = Image.new("RGB", (8, 8), (200, 200, 200))
    with serving(_app("tests.serve.agents:Sayer")) as url:
        model = RemoteModel(url)
        assert model.start_new_edh_instance(INSTANCE, [image], "name") is True
        assert model.get_next_action(image, INSTANCE, None, "i.jpeg", "name") == ("Pickup", [0.02, 0.01])
        previous = {"action": "Pickup", "obj_relative_coord": [0.02, 0.01]}
        assert model.get_next_action(image, INSTANCE, previous, "i.jpeg", "name") == ("Pickup", [0.02, 0.02])
        with pytest.raises(TeachAgentsError, match="answered 404: edh_name: was not begun"):
            model.get_next_action(image, INSTANCE, None, "i.jpeg", "another")
    with pytest.raises(TeachAgentsError, match="no answer"):
        model.get_next_action(image, INSTANCE, None)
    with pytest.raises(InputError, match="needs url=http"):
        RemoteModel("localhost:5000")


def test_what_is_only_named_is_looked_for_in_the_servers_folders(tmp_path: Path) -> None:
    instances, images = tmp_path / "edh", tmp_path / "seen"
    for folder in (instances, images):
        folder.mkdir()
    (instances / "one.json").write_text(json.dumps(INSTANCE))
    (instances / "list.json").write_text("[]")
    (images / "img__1.jpeg").write_bytes(_jpeg())
    (tmp_path / "secret.json").write_text("{}")
    named = [("edh_name", "one.json"), ("edh_name", str(instances / "one.json"))]
    with serving(_app("tests.serve.agents:Sayer", stored=Stored(instances, images))) as url:
        for field in named:
            body = json.dumps(dict([field])).encode()
            assert post(url, "/start_new_edh_instance", "application/json", body).body == b"success"
            asked = json.dumps({**dict([field]), "img_name": "img__1.jpeg", "prev_action": None}).encode()
            assert _answer(post(url, "/get_next_action", "application/json", asked)) == ("Pickup", [0.02, 0.01])
        for name in (
            "../secret.json",
            str(tmp_path / "secret.json"),
            "two.json",
            "",
            ".",
            "a\0b",
            "list.json",
            "a" * 5000,
            "\ud800",
        ):
            answer = post(url, "/start_new_edh_instance", "application/json", json.dumps({"edh_name": name}).encode())
            assert answer.status == 422 and "edh_" in answer.text
        asked = json.dumps({"img_name": "../edh/one.json"}).encode()
        assert "names no file in the server's folder" in post(url, "/get_next_action", "application/json", asked).text
