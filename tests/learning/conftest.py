"""A tiny model, and decisions for it to learn: which thing to pick up is what was said last."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.actions import Role
from teach_agents.learning.demonstrations import Demonstration, write_demonstrations
from tests.models import tiny

THINGS = ("mug", "fork", "sink")


def decisions(session: str, said: list[str]) -> list[Demonstration]:
    """One session: each decision's prompt begins with those before it."""
    choices = tuple(f"pick up the {one}" for one in THINGS)
    made = []
    for at, thing in enumerate(said):
        log = "\n".join(f"Commander: the {one}" for one in said[: at + 1])
        user = f"{log}\nYou see: {', '.join(THINGS)}.\nWhat next?"
        made.append(
            Demonstration(
                session, "self-play", Role.FOLLOWER, "Obey.", user, (*choices, "wait"), f"pick up the {thing}"
            )
        )
    return made


def sessions(count: int) -> list[Demonstration]:
    """Sessions of three decisions."""
    return [
        one for at in range(count) for one in decisions(f"s{at}", [THINGS[(at + k * (at % 5)) % 3] for k in range(3)])
    ]


@pytest.fixture(scope="session")
def base_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama."""
    pytest.importorskip("transformers")
    return tiny.build_chat(tmp_path_factory.mktemp("base"))


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    """A file of demonstrations."""
    write_demonstrations(tmp_path / "play.jsonl", sessions(24))
    return tmp_path / "play.jsonl"
