"""Touching things: what a refusal tells ends an attempt, and what is out of reach for sure is not clicked on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.knowledge import Remembered
from teach_agents.agents.acting.looking import EYE_HEIGHT, REACH, distances
from teach_agents.agents.acting.skills.hands import close, open_up
from teach_agents.agents.conformance import blank_observation
from teach_agents.agents.perceiving.oracle import RoomMap
from teach_agents.observations import ObjectRows, Observation, Pose, Privilege, Segmentation, Vec3
from tests.agents.acting.making import Row, row

_VAIN = "Could not find a target object at (0.50, 0.50)"
_RUNS = "Target must be OFF to open!"


class _Scene:
    """A thing straight ahead, so far away, on the map of a body that may be wrong by a share of the distance."""

    def __init__(self, kind: str, away: float = 1.0, doubt: float = 0.0, **flags: object) -> None:
        self.map = RoomMap(doubt)
        self.away = away
        place = row(kind, at=(0.0, 0.9 + EYE_HEIGHT, away), openable=True, receptacle=True)
        self.row: Row | None = {**place, **flags}
        self.body = Body()
        self.body.see(self.observation(None, ""))
        (self.thing,) = self.body.things

    def observation(self, action: Action | None, message: str) -> Observation:
        """What is observed after an action that failed with a message, or worked without one."""
        rows = () if self.row is None else (self.row,)
        ids = np.full((60, 60), -1, np.int32)
        ids[25:35, 25:35] = 0 if rows else -1
        segmentation = Segmentation(ids, tuple(str(one["objectId"]) for one in rows))
        visible = frozenset(segmentation.object_ids)
        objects = ObjectRows(rows, lambda: [dict(one) for one in rows], lambda: visible)
        made: dict[Privilege, Callable[[], object]] = {
            Privilege.OBJECTS: lambda: objects,
            Privilege.SEGMENTATION: lambda: segmentation,
            Privilege.DEPTH: lambda: np.full((60, 60), self.away, np.float32),
            Privilege.REACHABLE: lambda: frozenset({(0.0, 0.0)}),
        }
        blank = blank_observation(Role.FOLLOWER)
        return replace(
            blank,
            pose=Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0),
            last_action=action,
            last_result=None if action is None else ActionResult(not message, message),
            privileged=Remembered(made, self.map),
        )

    def carry_out(self, steps: Steps, answer: Callable[[Action], str]) -> list[str]:
        """Names of the actions that were taken, each answered with a message: none where it works."""
        taken = []
        for action in steps:
            taken.append(action.name)
            assert len(taken) < 20
            self.body.see(self.observation(action, answer(action)))
        return taken

    def make(self, **states: object) -> None:
        """The thing is known to be so from now on."""
        assert self.row is not None
        self.row = {**self.row, **states}


def test_a_refusal_that_tells_that_it_is_so_already_is_enough() -> None:
    scene = _Scene("Cabinet")

    def answer(action: Action) -> str:
        scene.make(isOpen=action.name == "Open")
        return _VAIN

    assert scene.carry_out(open_up(scene.body, scene.thing), answer) == ["Open"]
    assert scene.carry_out(close(scene.body, scene.thing), answer) == ["Close"]


def test_what_turns_out_to_be_nothing_is_left_alone() -> None:
    scene = _Scene("Cabinet")

    def answer(action: Action) -> str:
        scene.row = None
        return _VAIN

    with pytest.raises(SkillError):
        scene.carry_out(open_up(scene.body, scene.thing), answer)
    assert scene.body.failures == 1


def test_what_runs_is_switched_off_once_that_is_told() -> None:
    scene = _Scene("Microwave", toggleable=True)

    def answer(action: Action) -> str:
        if action.name == "Open" and scene.row is not None and not scene.row.get("wasOff"):
            scene.make(isToggled=True, wasOff=True)
            return _RUNS
        scene.make(isToggled=False)
        return ""

    assert scene.carry_out(open_up(scene.body, scene.thing), answer) == ["Open", "ToggleOff", "Open"]


@pytest.mark.parametrize(("doubt", "reach"), [(0.0, REACH), (0.1, 0.9 * REACH)])
def test_where_places_are_in_doubt_less_is_in_reach(doubt: float, reach: float) -> None:
    """A cabinet's pixels are from 1.2 to 1.5 m away from the body's middle."""
    scene = _Scene("Cabinet", 1.2, doubt)
    pixels = scene.body.pixels(frozenset({scene.thing.object_id}))
    away = distances(pixels.points, scene.body.pose.position)
    assert reach - 0.05 < away.max() <= reach == pytest.approx(scene.body.reach)
