"""What Initialize sets, with AI2-THOR's defaults and limits (AI2-THOR specification 2.5 and 3)."""

from __future__ import annotations

from typing import NamedTuple

from teach_agents.core.json_types import JsonMapping
from teach_agents.simulator.controller.requests import Parameters, Refusal
from teach_agents.simulator.embedded.facts import Gaze
from teach_agents.simulator.embedded.handlers import Manner

NEAR, FAR = 0.01, 20.0
"""Planes of the agent's camera, metres."""

_RIGHT_ANGLES = (90.0, 180.0, 270.0, 360.0)


class Settings(NamedTuple):
    """How the scene is played and shown. Lengths in metres, angles in degrees; `field_of_view` is the vertical one."""

    grid: float = 0.25
    snaps: bool = True
    turn: float = 90.0
    reach: float = 1.5
    field_of_view: float = 90.0
    answers_queries_fast: bool = True
    depth: bool = False
    instances: bool = False
    classes: bool = False

    def manner(self, square_field_of_view: float) -> Manner:
        """The same for the simulator, whose view is the square around the picture."""
        return Manner(self.grid, self.snaps, Gaze(self.reach, square_field_of_view))


def initialized(given: Parameters, raw: JsonMapping) -> Settings:
    """The settings of a new Initialize; what is not given has its default. Raises `Refusal` with AI2-THOR's text.

    `raw` is the request itself: the switches of pictures are parameters of every action.
    """
    settings = Settings(
        grid=given.number("gridSize", 0.25),
        snaps=given.flag("snapToGrid", True),
        turn=given.number("rotateStepDegrees", 90.0),
        reach=given.number("visibilityDistance", 1.5),
        field_of_view=given.number("fieldOfView", 90.0),
        answers_queries_fast=given.flag("fastActionEmit", True),
        depth=given.flag("renderDepthImage"),
        instances=bool(raw.get("renderInstanceSegmentation") or raw.get("renderObjectImage")),
        classes=bool(raw.get("renderSemanticSegmentation") or raw.get("renderClassImage")),
    )
    mode, count = given.text("agentMode", "default").lower(), given.number("agentCount", 1)
    if mode != "default":
        raise Refusal(f"agentMode '{mode}' is not available in the embedded simulator; it has the default agent only")
    if count != 1:
        raise Refusal(f"agentCount {count:g} is not available in the embedded simulator; it has one agent")
    if not 0.0 < settings.grid <= 5.0:
        raise Refusal("grid size must be in the range (0,5]")
    if settings.turn <= 0.0:
        raise Refusal("rotateStepDegrees must be a non-zero, non-negative float")
    if settings.snaps and settings.turn not in _RIGHT_ANGLES:
        raise Refusal(
            f"Invalid values 'rotateStepDegrees': {settings.turn:g} and 'snapToGrid':True. 'snapToGrid': 'True' "
            "is not supported when 'rotateStepDegrees' is different from grid rotation steps of 0, 90, 180, "
            "270 or 360."
        )
    if given.number("timeScale", 1.0) <= 0.0:
        raise Refusal("Time scale must be > 0")
    check_field_of_view(settings.field_of_view)
    return settings


def check_field_of_view(degrees: float) -> None:
    """Raise `Refusal` for an angle that no camera has."""
    if not 0.0 < degrees < 180.0:
        raise Refusal("fov must be set to (0, 180) noninclusive.")
