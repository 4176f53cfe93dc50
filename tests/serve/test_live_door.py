"""Who comes in to live sessions, and what browsers are told to keep to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from teach_agents_serve import create_app
from teach_agents_serve.door import Tokens
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.serve.live import AGENTS, Made, live_server, made, running
from tests.serve.serving import Answer, request

JSON = {"Content-Type": "application/json"}
TOKEN = "correct horse"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
ROOM = json.dumps({"room": "FloorPlan1"}).encode()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_server(tmp_path_factory.mktemp("guarded"), token=f"another, {TOKEN}") as url:
        yield url


@pytest.fixture(scope="module")
def session(guarded: str) -> Made:
    told = json.loads(request(guarded, "POST", "/v1/live", ROOM, {**JSON, **BEARER}).body)
    return Made(guarded, told["id"], told["keys"])


def _close_code(url: str, **headers: str) -> int:
    with connect(url.replace("http", "ws"), additional_headers=headers, open_timeout=20) as socket:
        try:
            while True:
                socket.recv(timeout=20)
        except ConnectionClosed:
            return int(socket.close_code or 0)


def test_who_has_no_token_sees_the_page_and_nothing_else(guarded: str) -> None:
    page = request(guarded, "GET", "/", headers={"Accept": "text/html"})
    assert page.status == 200 and page.text.lstrip().lower().startswith("<!doctype html")
    for method, route in (("GET", "/v1/live"), ("POST", "/v1/live"), ("GET", "/v1/live/options"), ("GET", "/metrics")):
        answer = request(guarded, method, route, ROOM, JSON)
        assert answer.status == 401 and TOKEN not in answer.text
    assert request(guarded, "GET", "/page/../limits.py").status in (401, 404)
    assert request(guarded, "GET", "/page/%2e%2e/limits.py").status == 404


def test_a_key_or_the_token_opens_a_session_and_nothing_else_does(guarded: str, session: Made) -> None:
    route = f"/v1/live/{session.id}"
    assert request(guarded, "GET", route).status == 401
    assert request(guarded, "GET", f"{route}?key=guessed").status == 401
    assert request(guarded, "GET", f"{route}?key={session.keys['follower']}").status == 200
    assert json.loads(request(guarded, "GET", route, headers=BEARER).body)["you"] is None
    assert session.told(place="commander")["you"] == "commander"
    assert _close_code(f"{guarded}{route}/socket?key=guessed") == 4401
    assert _close_code(f"{guarded}/v1/live/none/socket", **BEARER) == 4404


def test_a_browser_that_shows_the_token_gets_a_cookie_for_it(guarded: str, session: Made) -> None:
    assert request(guarded, "POST", "/v1/login", headers={"Authorization": "Bearer wrong"}).status == 401
    login = request(guarded, "POST", "/v1/login", headers=BEARER)
    assert json.loads(login.body) == {"needed": True}
    said = login.headers["set-cookie"]
    assert "HttpOnly" in said and "SameSite=strict" in said and TOKEN not in said
    (name, cookie), *_ = SimpleCookie(said).items()
    held = {"Cookie": f"{name}={cookie.value}"}
    assert [one["id"] for one in json.loads(request(guarded, "GET", "/v1/live", headers=held).body)["sessions"]]
    assert request(guarded, "GET", "/v1/live", headers={"Cookie": f"{name}={cookie.value}x"}).status == 401
    other = {**held, **JSON, "Origin": "http://elsewhere.example"}
    assert request(guarded, "POST", "/v1/live", ROOM, other).status == 403


def test_a_cookie_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = Tokens(["a", "b"])
    header = {b"cookie": f"{tokens.cookie_name}={tokens.cookie('token 2')}".encode()}
    assert tokens.owner(header) == "token 2" and Tokens(["a", "c"]).owner(header) is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + tokens.lasts_s + 1)
    assert tokens.owner(header) is None


@pytest.mark.parametrize("value", ["", "1", "1.2", "1.99999999999.x", "0.9.9", "3.99999999999.0", "-1.1.1", 'a;b=c,"'])
def test_what_is_no_cookie_of_ours_opens_nothing(value: str) -> None:
    tokens = Tokens(["a", "b"])
    assert tokens.owner({b"cookie": f"{tokens.cookie_name}={value}".encode()}) is None


def _is_strict(answer: Answer) -> bool:
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    return (
        policy["default-src"] == "'none'"
        and policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        and policy["frame-ancestors"] == "'none'"
        and answer.headers["x-content-type-options"] == "nosniff"
        and answer.headers["referrer-policy"] == "no-referrer"
        and "camera=()" in answer.headers["permissions-policy"]
        and "access-control-allow-origin" not in answer.headers
    )


def test_browsers_are_told_to_load_and_run_nothing_else(guarded: str, session: Made) -> None:
    routes = ("/", "/page/index.html", "/v1/live", "/nowhere", f"/v1/live/{session.id}/views/view.jpg")
    assert all(_is_strict(request(guarded, "GET", route, headers={"Accept": "text/html"})) for route in routes)


def test_pages_of_other_origins_get_no_socket(guarded: str, session: Made) -> None:
    with pytest.raises(InvalidStatus):
        _close_code(
            f"{guarded}/v1/live/{session.id}/socket?key={session.keys['watch']}", Origin="http://elsewhere.example"
        )


def test_teachs_client_still_hears_a_sign_of_life_at_the_root(guarded: str) -> None:
    assert json.loads(request(guarded, "GET", "/", headers=BEARER).body)["action"] == "Look Up"


def test_a_name_that_leads_here_from_the_web_is_refused(tmp_path: Path) -> None:
    from teach_agents_serve.live_serving import LiveServing

    with running(create_app(live=LiveServing(tmp_path, AGENTS), hosts=["mine.example"])) as url:
        port = url.rpartition(":")[2]
        for name, status in (
            (f"127.0.0.1:{port}", 200),
            (f"localhost:{port}", 200),
            ("[::1]:80", 200),
            ("mine.example", 200),
            (f"rebound.example:{port}", 403),
        ):
            assert request(url, "GET", "/v1/live", headers={"Host": name}).status == status, name


def test_a_machine_elsewhere_sees_no_list_where_no_token_is_asked_for(tmp_path: Path) -> None:
    with live_server(tmp_path, uvicorn={"forwarded_allow_ips": "*"}) as url:
        elsewhere = {"X-Forwarded-For": "203.0.113.9"}
        session = made(url, room="FloorPlan1")
        assert request(url, "GET", "/v1/live").status == 200
        assert request(url, "GET", "/v1/live", headers=elsewhere).status == 401
        assert request(url, "GET", f"/v1/live/{session.id}", headers=elsewhere).status == 401
        assert session.told()["you"] is None
