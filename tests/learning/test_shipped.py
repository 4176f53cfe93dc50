"""The adapters that ship: small, accounted for, and good at their job."""

from __future__ import annotations

import json

import pytest

from teach_agents import Role, play
from teach_agents.models.local.smollm2 import SMOLLM2, adapter_folder

real = pytest.mark.skipif(SMOLLM2.find() is None, reason=f"real weights are missing; get them with: {SMOLLM2.command}")
ROLES = ("commander", "follower")


@pytest.mark.parametrize("role", ROLES)
def test_an_adapter_is_small_and_says_what_it_learnt_from(role: str) -> None:
    folder = adapter_folder(role)
    assert (folder / "adapter_model.safetensors").stat().st_size <= 10_000_000
    told = json.loads((folder / "training.json").read_text("utf8"))
    assert (told["role"], told["ended"], told["base"]["model"]) == (role, "finished", "smollm2")
    assert told["data"]["files"] and told["decisions"] and told["tokens"]["read"] and told["hours"]
    assert {one.name for one in folder.iterdir()} == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "training.json",
    }


@real
def test_the_commander_that_ships_leads_a_follower_through_a_task() -> None:
    pytest.importorskip("peft")
    result = play("Coffee", room="FloorPlan7", commander="lm:model=default", follower="planner")
    assert result.success and result.provenance[Role.COMMANDER]["model"] == "default:commander"


@real
def test_the_follower_that_ships_does_what_a_commander_says() -> None:
    pytest.importorskip("peft")
    result = play("Coffee", room="FloorPlan7", commander="planner", follower="lm:model=default")
    assert result.success and result.provenance[Role.FOLLOWER]["model"] == "default:follower"
