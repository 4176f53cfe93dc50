from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import InputError, MissingExtraError, SpecError


def test_what_cannot_be_served_is_refused_before_anything_listens() -> None:
    done = CliRunner().invoke(app, ["serve", "--follower", "recorded"])
    assert isinstance(done.exception, SpecError) and "needs the parameter 'household'" in str(done.exception)
    done = CliRunner().invoke(app, ["serve"])
    assert isinstance(done.exception, InputError) and "needs an agent to serve" in str(done.exception)
    done = CliRunner().invoke(app, ["serve", "--commander", "random", "--views", "veiw"])
    assert isinstance(done.exception, InputError) and "did you mean 'view'" in str(done.exception)


def test_others_than_this_machine_need_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    monkeypatch.setattr(uvicorn, "run", lambda app, **settings: None)
    serve = ["serve", "--follower", "random"]
    monkeypatch.delenv("TEACH_AGENTS_TOKEN", raising=False)
    for host in ("0.0.0.0", "::", "192.168.1.7", "example.org"):
        done = CliRunner().invoke(app, [*serve, "--host", host])
        assert isinstance(done.exception, InputError) and "set a token" in str(done.exception)
        assert CliRunner().invoke(app, [*serve, "--host", host, "--allow-anonymous"]).exit_code == 0
    for host in ("127.0.0.1", "localhost", "::1", "127.8.8.8"):
        assert CliRunner().invoke(app, [*serve, "--host", host]).exit_code == 0
    monkeypatch.setenv("TEACH_AGENTS_TOKEN", "secret")
    assert CliRunner().invoke(app, [*serve, "--host", "0.0.0.0"]).exit_code == 0


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_multipart", None)
    done = CliRunner().invoke(app, ["serve", "--follower", "random"])
    assert isinstance(done.exception, MissingExtraError) and "teach-agents[serve]" in str(done.exception)


def test_the_application_names_its_extra_too() -> None:
    code = "import sys; sys.modules['fastapi'] = None; import teach_agents_serve as t; t.create_app"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert "MissingExtraError: fastapi is not installed" in done.stderr
