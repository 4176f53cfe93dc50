from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from teach_agents.actions import Role
from teach_agents.cli.main import app
from teach_agents.errors import InputError, MissingExtraError, SpecError
from teach_agents.live import default_follower


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """The applications that would have been served, and how; nothing listens, stores are in the test's folder."""
    import uvicorn

    found: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr(uvicorn, "run", lambda app, **settings: found.append((app, settings)))
    monkeypatch.setattr("teach_agents.cli.serve.listening_on", lambda port, host: socket.socket())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("TEACH_AGENTS_TOKEN", raising=False)
    yield found
    for application, _ in found:
        asyncio.run(application.state.live.close())


def _serve(*options: str) -> Any:
    return CliRunner().invoke(app, ["serve", *options])


@pytest.mark.usefixtures("served")
def test_what_cannot_be_served_is_refused_before_anything_listens(tmp_path: Path) -> None:
    done = _serve("--follower", "recorded", "--port", "1")
    assert isinstance(done.exception, SpecError) and "needs the parameter 'household'" in str(done.exception)
    done = _serve("--commander", "random", "--views", "veiw")
    assert isinstance(done.exception, InputError) and "did you mean 'view'" in str(done.exception)
    for agent, problem in (("planner", "NAME=SPEC"), ("human=planner", "NAME=SPEC"), ("a=plannr", "'planner'")):
        done = _serve("--agent", agent)
        assert isinstance(done.exception, InputError) and problem in str(done.exception)
    done = _serve("--hook", "nothing")
    assert isinstance(done.exception, SpecError) and "nothing" in str(done.exception)
    done = _serve("--simulator", "unity")
    assert isinstance(done.exception, SpecError) and "unity" in str(done.exception)
    done = _serve("--games", str(tmp_path / "none"))
    assert isinstance(done.exception, InputError) and "no such file or folder" in str(done.exception)


def test_without_any_agent_the_planner_may_take_either_chair_and_the_default_follower_its_own(
    served: list[tuple[Any, dict[str, Any]]], tmp_path: Path
) -> None:
    assert _serve().exit_code == 0
    application, settings = served[0]
    agents = application.state.live.serving.agents
    assert agents[Role.COMMANDER] == {"planner": "planner"} and agents[Role.FOLLOWER]["planner"] == "planner"
    assert next(iter(agents[Role.FOLLOWER].values())) == default_follower().spec
    assert (tmp_path / "teach_agents" / "serve-8000" / "live.sqlite").is_file()
    assert settings["host"] == "127.0.0.1" and settings["http"].headers_s > 0


def test_agents_are_offered_by_name_for_the_chairs_that_they_fit(served: list[tuple[Any, dict[str, Any]]]) -> None:
    agents = ["--agent", "quiet=random:seed=3", "--commander", "planner", "--follower", "tests.serve.agents:Sayer"]
    assert _serve(*agents).exit_code == 0
    offered = served[0][0].state.live.serving.agents
    assert set(offered[Role.COMMANDER]) == {"planner", "quiet"}
    assert set(offered[Role.FOLLOWER]) == {"Sayer", "quiet"}


@pytest.mark.usefixtures("served")
def test_a_store_is_of_one_server_at_a_time(tmp_path: Path) -> None:
    kept = ["--store", str(tmp_path / "one")]
    assert _serve(*kept).exit_code == 0
    done = _serve(*kept)
    assert isinstance(done.exception, InputError) and "another server" in str(done.exception)


@pytest.mark.usefixtures("served")
def test_others_than_this_machine_need_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = iter(map(str, range(1, 100)))
    for host in ("0.0.0.0", "::", "192.168.1.7", "example.org"):
        done = _serve("--host", host, "--port", next(ports))
        assert isinstance(done.exception, InputError) and "set a token" in str(done.exception)
        assert _serve("--host", host, "--allow-anonymous", "--port", next(ports)).exit_code == 0
    for host in ("127.0.0.1", "localhost", "::1", "127.8.8.8"):
        assert _serve("--host", host, "--port", next(ports)).exit_code == 0
    monkeypatch.setenv("TEACH_AGENTS_TOKEN", "secret")
    assert _serve("--host", "0.0.0.0", "--port", next(ports)).exit_code == 0


@pytest.mark.parametrize(
    ("host", "problem"),
    [("127.0.0.1", "--port: cannot be listened on"), ("192.0.2.1", "--host: "), ("no.such.invalid", "--host: ")],
)
def test_an_address_that_cannot_be_listened_on_is_refused_before_the_store(
    host: str, problem: str, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = _serve("--host", host, "--allow-anonymous", "--port", str(port), "--store", str(tmp_path / "store"))
    assert isinstance(done.exception, InputError) and problem in str(done.exception)
    assert not (tmp_path / "store").exists()


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_multipart", None)
    done = CliRunner().invoke(app, ["serve", "--follower", "random"])
    assert isinstance(done.exception, MissingExtraError) and "teach-agents[serve]" in str(done.exception)


def test_the_application_names_its_extra_too() -> None:
    code = "import sys; sys.modules['fastapi'] = None; import teach_agents_serve as t; t.create_app"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert "MissingExtraError: fastapi is not installed" in done.stderr


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    "option",
    [("--hook", "clarify"), ("--games", "."), ("--simulator", "embedded"), ("--commander", "random")],
    ids=lambda option: option[0],
)
def test_what_is_the_households_is_refused_beside_another_world(option: tuple[str, str]) -> None:
    done = _serve("--world", "two_rooms", "--agent", "walker=random", *option)
    assert done.exit_code != 0
    assert f"{option[0]}: is for the household" in f"{done.output}{done.exception}"
