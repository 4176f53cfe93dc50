"""The household by its scaffold: the agents of any world play TEACh."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from teach_agents import play, read_record
from teach_agents.actions import Role
from teach_agents.agents.lm.scaffold import HouseholdScaffold
from teach_agents.agents.person import Person
from teach_agents.models.agent import lm_agent
from teach_agents.observations import Observation
from teach_agents.session.codec import TEACH, teach_world


class Keeping(HouseholdScaffold):
    """Keeps how often it was looked at, and what was offered last."""

    texts: list[str]
    shown: Any = None

    def text(self, observation: Observation) -> str:
        """As it is."""
        self.texts.append(super().text(observation))
        self.shown = self.pictures(observation)[0], np.array(observation.view.rgb)
        return self.texts[-1]


def test_a_person_and_a_model_play_the_household_by_its_scaffold(tmp_path: Path) -> None:
    scaffold = Keeping(TEACH)
    scaffold.texts = []
    typed = "find a mug\n1\n2\nhurry\n"
    commander = Person(HouseholdScaffold(TEACH), Role.COMMANDER, reads=io.StringIO(typed), writes=io.StringIO())
    follower = lm_agent("uniform", teach_world(), Role.FOLLOWER)
    follower.scaffold = scaffold
    path = tmp_path / "session.jsonl"
    play("Coffee", commander=commander, follower=follower, record=path, seed=2)
    record = read_record(path)
    done = [[turn.done[role].action for turn in record.turns] for role in (Role.COMMANDER, Role.FOLLOWER)]
    assert [action.name for action in done[0]] == ["Text", "OpenProgressCheck", "Text", "Finish"]
    assert [done[0][0].utterance, done[0][2].utterance] == ["find a mug", "hurry"]
    assert (
        scaffold.texts[0].startswith("Nothing was said yet.\nYou see: ")
        and "Commander: find a mug" in scaffold.texts[-1]
    )
    offered = record.turns[0].thoughts[Role.FOLLOWER]["candidates"]
    assert {"forward", "say something", "wait", "stop"} <= set(offered) and len(offered) > 9
    assert all(action.allowed_for(Role.FOLLOWER) for action in done[1])
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(scaffold.shown[0]))), scaffold.shown[1])
