"""What tests of the language-model Commander share: observations made up, models that answer as they are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.lm.commander import LanguageCommander, lm_commander
from teach_agents.agents.lm.oracle_commander import commander_choice
from teach_agents.models import LanguageModel, Prompt, ScriptedModel
from teach_agents.observations import (
    ObjectRows,
    Observation,
    Pose,
    Privilege,
    Privileged,
    Segmentation,
    Utterance,
    Vec3,
    View,
)
from teach_agents.tasks import TaskLibrary
from tests.agents.acting.making import Row

CHECK, LOOK, WAIT = "check the progress", "look around", "wait"
FINISH = "end the session"


def seen(
    rows: Sequence[Row],
    in_view: Sequence[str] = (),
    reply: dict[str, object] | None = None,
    dialogue: Sequence[tuple[Role, str]] = (),
    turn: int = 0,
) -> Observation:
    """A Commander's observation of a room: `in_view` fill its picture, `reply` is of its last action."""
    ids = np.full((20, 20), -1, dtype=np.int32)
    for number in range(len(in_view)):
        ids[:, number] = number
    blank = View.of(np.zeros((20, 20, 3), dtype=np.uint8))
    return Observation(
        Role.COMMANDER,
        turn,
        Pose(Vec3(0, 1.9, 0), 0, 30),
        blank,
        tuple(Utterance(speaker, text) for speaker, text in dialogue),
        None if reply is None else Action.progress_check(),
        None if reply is None else ActionResult(True, reply=reply),
        privileged=Privileged(
            {
                Privilege.OBJECTS: lambda: ObjectRows.of(tuple(rows)),
                Privilege.SEGMENTATION: lambda: Segmentation(ids, list(in_view)),
            }
        ),
    )


def check(rows: Sequence[Row], task: str, *params: str) -> dict[str, object]:
    """A progress check's reply."""
    return TaskLibrary.builtin().task(task, list(params)).check(rows).to_reply()


def planning_model() -> LanguageModel:
    """A model that answers as a planner would, from the text of its prompt."""
    return ScriptedModel(lambda prompt: commander_choice(_text(prompt), prompt.choices))


def commander(model: LanguageModel | str, **options: object) -> LanguageCommander:
    """A Commander played by a model."""
    made = lm_commander(model, **options)  # type: ignore[arg-type]  # wrong ones too
    assert isinstance(made, LanguageCommander)
    return made


def _text(prompt: Prompt) -> str:
    return prompt.messages[-1].text
