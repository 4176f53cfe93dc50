from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from teach_agents.cli.plugins import app
from teach_agents.errors import SpecError


def test_everything_registered_is_listed() -> None:
    done = CliRunner().invoke(app, ["list", "--json"])
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    agent = {"kind": "agent", "plugin": "built-in"}
    both = ["commander", "follower"]
    assert {**agent, "name": "silent", "roles": ["commander"], "world": "teach"} in rows
    assert {**agent, "name": "demonstration", "roles": both, "world": "teach"} in rows
    assert {**agent, "name": "scripted", "roles": both} in rows
    assert {"kind": "simulator", "name": "embedded", "plugin": "built-in", "roles": []} in rows
    assert "planner" in CliRunner().invoke(app, ["list"]).stdout


def test_a_name_is_shown_with_its_parameters() -> None:
    text = CliRunner().invoke(app, ["show", "random"]).stdout
    assert "agent random (plugin: built-in)" in text
    assert "as follower: teach_agents.agents.random_agents.RandomFollower" in text
    assert "stops: bool = True" in text


def test_every_registered_name_can_be_shown() -> None:
    names = {json.loads(line)["name"] for line in CliRunner().invoke(app, ["list", "--json"]).stdout.splitlines()}
    for name in sorted(names):
        done = CliRunner().invoke(app, ["show", name])
        assert done.exit_code == 0, (name, done.exception)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    done = CliRunner().invoke(app, ["show", "radnom"])
    assert isinstance(done.exception, SpecError)
    with pytest.raises(SpecError, match="did you mean 'random'"):
        raise done.exception
