"""Readers and models load before they are asked, where somebody tells them to."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from teach_agents.actions import Role
from teach_agents.agents.lm.commander import lm_commander
from teach_agents.agents.lm.follower import lm_follower
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.agents.perceiving.perceived import Perceived
from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.cli.live_options import maker_of
from teach_agents.core.agents.contract import Agent
from teach_agents.core.dialogue import Reading
from teach_agents.models import LanguageModel
from teach_agents.models.prompts import Completion, Prompt
from teach_agents.understanding.hybrid_reader import HybridReader
from teach_agents.understanding.lm_reader import ModelReader
from teach_agents.understanding.reader import load_weights_of
from teach_agents.understanding.rules_reader import RulesReader

LIMIT_S = 20.0
LOADED: list[str] = []
READ = threading.Event()


class Heads:
    """Reads nothing, and notes when it is loaded."""

    def load(self) -> None:
        LOADED.append("reader")
        READ.set()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        return Reading((), 0.0, "")


class Model(LanguageModel):
    """Notes when it is loaded; gathers prompts, as models with weights do."""

    gathers = True

    def load(self) -> None:
        LOADED.append("model")

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        raise AssertionError("it is not asked")


class Follower(PlannerFollower):
    """A planner that notes it, for a SPEC."""

    def __init__(self) -> None:
        super().__init__(understanding=Heads())


@pytest.fixture(autouse=True)
def _nothing_loaded() -> None:
    LOADED.clear()
    READ.clear()


@pytest.mark.parametrize(
    ("agent", "loaded"),
    [
        (PlannerFollower(understanding=Heads()), ["reader"]),
        (Perceived(PlannerFollower(understanding=Heads()), OraclePerception()), ["reader"]),
        (lm_follower(Model(), understanding=Heads()), ["reader", "model"]),
        (lm_follower(Model(), understanding=ModelReader(Model())), ["model", "model"]),
        (lm_commander(Model()), ["model"]),
        (PlannerFollower(understanding="rules"), []),
    ],
)
def test_agents_load_what_they_need_first_first(agent: Agent, loaded: list[str]) -> None:
    agent.load()
    assert loaded == LOADED


def test_what_has_no_weights_has_nothing_to_load() -> None:
    load_weights_of(RulesReader())
    assert not LOADED


def test_a_hybrid_loads_its_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teach_agents.understanding.hybrid_reader._heads", Heads)
    load_weights_of(HybridReader())
    assert LOADED == ["reader"]


def test_the_agent_of_a_command_loads_as_soon_as_it_is_named() -> None:
    make = maker_of(Role.FOLLOWER, f"{__name__}:Follower")
    made = make(Role.FOLLOWER, "")
    assert isinstance(made, Follower)
    assert READ.wait(LIMIT_S)
