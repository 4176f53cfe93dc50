"""Perceptions come through the plugin door, and of one's own by `module:Class`, on the command line too."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from teach_agents import builtins
from teach_agents.actions import Role
from teach_agents.agents.lm.commander_knowledge import CommanderEyes, CommanderHearsay
from teach_agents.agents.perceiving.conformance import PerceptionContract
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.detector import DetectorPerception
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.cli.main import app
from teach_agents.core.plugins import CORE_KINDS, hookimpl
from teach_agents.core.registry import Registry
from teach_agents.core.specs import build
from teach_agents.errors import SpecError
from teach_agents.kinds import PERCEPTION

SIGHT = "tests.agents.perceiving.own_sight"


class TestOracle(PerceptionContract):
    def make_perception(self) -> Perception:
        return OraclePerception()


class TestDetector(PerceptionContract):
    def make_perception(self) -> Perception:
        return perception_of("detector:detector=true-boxes,depth=true")


class TestByColour(PerceptionContract):
    def make_perception(self) -> Perception:
        return perception_of(f"detector:detector={SIGHT}:Colour,depth=floor", allow_import=True)


class TestBlindfold(PerceptionContract):
    def make_perception(self) -> Perception:
        return perception_of(f"{SIGHT}:Blindfold", allow_import=True)


class TestCommandersEyes(PerceptionContract):
    role = Role.COMMANDER

    def make_perception(self) -> Perception:
        return CommanderEyes()


class TestHearsay(PerceptionContract):
    role = Role.COMMANDER

    def make_perception(self) -> Perception:
        return CommanderHearsay()


@pytest.mark.parametrize(
    ("tier", "seat", "made"),
    [
        ("oracle", Role.COMMANDER, CommanderEyes),
        ("oracle", Role.FOLLOWER, OraclePerception),
        ("detector", Role.COMMANDER, CommanderHearsay),
        ("detector", Role.FOLLOWER, DetectorPerception),
        ("none", Role.COMMANDER, CommanderHearsay),
    ],
)
def test_each_chair_has_its_tiers(tier: str, seat: Role, made: type) -> None:
    eyes = perception_of(tier, seat=seat)
    assert type(eyes) is made and eyes.name == tier


def test_a_tier_of_the_other_chair_is_refused_with_its_chairs() -> None:
    with pytest.raises(SpecError, match="'none' needs a seat it can take; got .*follower.*; valid: commander"):
        perception_of("none")


def test_a_plugin_registers_a_perception_with_parameters() -> None:
    registry = Registry(CORE_KINDS)
    registry.register(builtins, "built-in")
    registry.register(SimpleNamespace(perceptions=hookimpl(lambda: {"blindfold": f"{SIGHT}:Blindfold"})), "theirs")
    made: Any = build(PERCEPTION, "blindfold:colour=red", registry=registry, seat="follower")
    assert dict(made.provenance) == {"perception": "blindfold", "colour": "red"}


@pytest.mark.parametrize(
    "spec",
    [
        f"planner:perception={SIGHT}:Blindfold",
        f"lm:model=uniform,perception={SIGHT}:Blindfold",
        f"planner:perception='detector:detector={SIGHT}:Colour,depth=floor'",
        f"lm:model=uniform,perception='detector:detector={SIGHT}:Colour,depth=floor'",
    ],
)
def test_what_is_typed_on_the_command_line_may_be_imported_in_specs_within_specs(spec: str, tmp_path: Path) -> None:
    options = ["--generate", "1", "--task", "Coffee", "--max-turns", "6", "--workers", "1", "--view-size", "64"]
    done = CliRunner().invoke(app, ["tatc", "--follower", spec, *options, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    (line,) = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()
    told = json.loads(line)
    assert told["status"] == "done", told["reason"]
    assert told["provenance"]["follower"]["perception"] in ("blindfold", "detector")
    assert "objects" not in told["privileges"]["follower"]


@pytest.mark.parametrize("name", ["planner:", "lm:model=uniform,"])
def test_a_server_imports_nothing_for_a_spec_within_a_spec(name: str) -> None:
    for inner in (f"{SIGHT}:Blindfold", f"'detector:detector={SIGHT}:Colour'"):
        with pytest.raises(SpecError, match="module:Class is only allowed on the command line"):
            build("agent", f"{name}perception={inner}", role=Role.FOLLOWER)
