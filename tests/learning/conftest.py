"""A tiny model, decisions for it to learn (which thing to pick up is what was said last), and a training of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from teach_agents.actions import Role
from teach_agents.learning.demonstrations import Demonstration, write_demonstrations
from teach_agents.learning.settings import TrainingSettings
from tests.models import tiny

if TYPE_CHECKING:
    from teach_agents.learning.loop import Progress
    from teach_agents.learning.packing import Plan
    from teach_agents.learning.training import Stepped

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


class Watching:
    """Notes what it is told; after step `until` it does `what`."""

    def __init__(self, until: int = -1, what: Any = None) -> None:
        self.until, self.what = until, what
        self.plan: Plan | None = None
        self.verdicts: list[Mapping[str, Any]] = []
        self.steps: list[int] = []

    def stage(self, words: str) -> None:
        """Words are not noted."""

    def planned(self, plan: Plan, progress: Progress) -> None:
        """Note the plan."""
        self.plan = plan

    def stepped(self, step: Stepped, progress: Progress) -> None:
        """Note the step."""
        self.steps.append(progress.step)
        if progress.step == self.until:
            self.what()

    def checked(self, verdict: Mapping[str, Any]) -> None:
        """Note the verdict."""
        self.verdicts.append(verdict)


@pytest.fixture(scope="session")
def base_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama."""
    pytest.importorskip("transformers")
    return tiny.build_chat(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="session")
def settings(base_folder: Path) -> TrainingSettings:
    """A training of a second or two."""
    return TrainingSettings(
        Role.FOLLOWER,
        base=f"hf:{base_folder}",
        rank=4,
        learning_rate=0.01,
        epochs=2,
        row=192,
        batch=384,
        held_out=0.2,
        check=4,
        checks=2,
        device="cpu",
    )


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    """A file of demonstrations."""
    write_demonstrations(tmp_path / "play.jsonl", sessions(24))
    return tmp_path / "play.jsonl"
