"""Who the Follower is where nobody says: the language model that ships, where it can be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from teach_agents_serve.live_serving import offered

from teach_agents.actions import Role
from teach_agents.live import default_follower
from teach_agents.live.followers import DefaultFollower
from teach_agents.models.local import smollm2


def test_it_is_the_model_that_ships_where_its_weights_are_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEACH_AGENTS_CACHE", str(tmp_path))
    monkeypatch.setattr(smollm2, "_FOLDER", tmp_path / "adapters")
    monkeypatch.setattr("teach_agents.live.followers.find_spec", lambda name: object())
    assert default_follower().spec == "planner" and "without its adapter" in default_follower().note
    (tmp_path / "adapters" / "follower").mkdir(parents=True)
    (tmp_path / "adapters" / "follower" / "adapter_config.json").touch()
    assert "teach-agents models get smollm2" in default_follower().note
    (tmp_path / "models" / smollm2.SMOLLM2.folder).mkdir(parents=True)
    assert default_follower() == DefaultFollower("lm:model=default")
    assert list(offered([])[Role.FOLLOWER].items()) == [("lm", "lm:model=default"), ("planner", "planner")]
    monkeypatch.setattr("teach_agents.live.followers.find_spec", lambda name: None)
    assert "teach-agents[models]" in default_follower().note
    assert offered([]) == {role: {"planner": "planner"} for role in Role}
