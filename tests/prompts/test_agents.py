"""Agents that are given prompts of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from teach_agents_prompts import load_prompts

from teach_agents import SessionResult, play, read_record
from teach_agents.actions import Role
from teach_agents.core.session.record import SessionRecord
from teach_agents.errors import TeachAgentsError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the Follower is told once, with a word of one's own."""
    source = Path(load_prompts()["lm_follower_system"].where).read_text(encoding="utf8")
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "lm_follower_system.jinja").write_text(source.replace("You are the Follower", "You are my Follower"))
    return own


def _played(tmp_path: Path, follower: str) -> tuple[SessionResult, SessionRecord]:
    path = tmp_path / "record.jsonl"
    path.unlink(missing_ok=True)
    commander = "lm:model=uniform,max_decisions=2"
    result = play("Coffee", room="FloorPlan7", commander=commander, follower=follower, record=path)
    return result, read_record(path)


def test_a_folder_of_prompts_is_what_the_model_reads_and_results_tell(folder: Path, tmp_path: Path) -> None:
    own, record = _played(tmp_path, f'lm:model=uniform,max_decisions=2,prompts="{folder}"')
    thoughts = [turn.thoughts[Role.FOLLOWER] for turn in record.turns if Role.FOLLOWER in turn.thoughts]
    told = [thought["prompt"]["system"] for thought in thoughts]
    assert told and all(text.startswith("You are my Follower, a robot") for text in told)
    ours, _ = _played(tmp_path, "lm:model=uniform,max_decisions=2")
    hashes = [[result.provenance[role]["prompt_hash"] for role in Role] for result in (own, ours)]
    assert hashes[0][0] == hashes[1][0] and hashes[0][1] != hashes[1][1]


def test_a_folder_that_does_not_fit_is_refused_before_anything_is_played(folder: Path, tmp_path: Path) -> None:
    (folder / "lm_folower.jinja").write_text("")
    with pytest.raises(TeachAgentsError, match=r"got 'lm_folower\.jinja'; did you mean 'lm_follower\.jinja'"):
        _played(tmp_path, f'lm:model=uniform,prompts="{folder}"')
    assert not (tmp_path / "record.jsonl").exists()
