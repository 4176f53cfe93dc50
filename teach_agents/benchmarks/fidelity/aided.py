"""A session carried out again with the record winning: every action is tried, then made to be what it was."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from teach_agents.actions import STEPS, Action, ActionResult, Role
from teach_agents.agents.demonstration import recorded_as_action
from teach_agents.benchmarks.fidelity.agreement import agreement
from teach_agents.benchmarks.fidelity.enforcing import bring_about, point_under
from teach_agents.benchmarks.fidelity.equivalence import equivalent, type_of
from teach_agents.benchmarks.fidelity.insisting import Insisting
from teach_agents.benchmarks.fidelity.poses import same_pose
from teach_agents.benchmarks.fidelity.rows import (
    NOTHING,
    TOO_FAR,
    AidedReplay,
    CheckRow,
    ClickRow,
    MoveRow,
    OutcomeRow,
    Unfollowed,
)
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction
from teach_agents.household import Household, Scenario
from teach_agents.household.clicks import REACH
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.embedded.simulator import Memory

_MOVERS = frozenset({"Pickup", "Slice"})


class Camera(Protocol):
    """Takes pictures of misses while the world is as it was when the action was taken; returns their names."""

    def click(self, index: int, action: Action, wanted: str, found: str) -> str:
        """A click that chose `found` (`""` for nothing) instead of `wanted`."""

    def step(self, index: int, action: str) -> str:
        """A step that is allowed where the record's was blocked, or the other way round."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A moment of the household to go back to."""

    simulator: Memory
    custom: Mapping[str, Mapping[str, Any]]


@dataclass(slots=True)
class _Found:
    """What has been seen of a session so far."""

    moves: list[MoveRow] = field(default_factory=list)
    clicks: list[ClickRow] = field(default_factory=list)
    outcomes: list[OutcomeRow] = field(default_factory=list)
    checks: list[CheckRow] = field(default_factory=list)
    unfollowed: list[Unfollowed] = field(default_factory=list)


def replay_aided(game: Game, household: Household, simulator: Insisting, camera: Camera | None) -> AidedReplay:
    """Measure one session; `simulator` is the one behind `household`.

    Each action is first tried as the Follower would do it here, which is the prediction; where it went otherwise than
    recorded, it is undone and the recorded outcome is brought about. Raises `SceneError` or `DefinitionError` when the
    session cannot be set up.
    """
    household.reset(Scenario.from_game(game))
    follower = _Follower(household, simulator, camera)
    for index, interaction in enumerate(game.episode.interactions):
        follower.follow(index, interaction)
    found = follower.found
    states = game.episode.initial_state.objects, game.episode.final_state.objects, household.objects
    compared = agreement(*states)
    return AidedReplay(
        household.progress().success,
        tuple(found.moves),
        tuple(found.clicks),
        tuple(found.outcomes),
        tuple(found.checks),
        tuple(found.unfollowed),
        compared.properties,
        compared.misses,
    )


class _Follower:
    """Follows one record, interaction by interaction."""

    def __init__(self, household: Household, simulator: Insisting, camera: Camera | None) -> None:
        self.found = _Found()
        self._household = household
        self._simulator = simulator
        self._camera = camera
        self._untouched = True
        self._refused: tuple[str, Pose] | None = None

    def follow(self, index: int, interaction: Interaction) -> None:
        """Try an interaction, note what became of it, and make it what was recorded."""
        if interaction.action == "OpenProgressCheck":
            complete = self._household.progress().success
            self.found.checks.append(CheckRow(index, bool(interaction.success), complete))
            return
        action = recorded_as_action(interaction) if interaction.role is Role.FOLLOWER else None
        if action is None:
            return
        if isinstance(interaction, Motion) and interaction.pose is not None:
            self._motion(index, interaction, action, interaction.pose)
        elif isinstance(interaction, ObjectInteraction):
            self._interact(index, interaction, action)

    def _motion(self, index: int, interaction: Motion, action: Action, pose: Pose) -> None:
        memory = self._simulator.inner.remember()
        recorded = bool(interaction.success)
        result = self._household.act(Role.FOLLOWER, action)
        other = result.success != recorded or not same_pose(self._simulator.state.agent, pose)
        if other:
            self._simulator.inner.recall(memory)
        if action.name in STEPS:
            self._step(index, action.name, pose, recorded, result)
        self._refused = None if recorded else (action.name, pose)
        if other:
            self._simulator.step(SimulatorAction("TeleportFull", pose=pose, force=True))

    def _step(self, index: int, name: str, pose: Pose, recorded: bool, result: ActionResult) -> None:
        blocker = "" if result.success else self._blocker(result.message)
        picture = ""
        if self._camera is not None and result.success != recorded:
            picture = self._camera.step(index, name)
        repeated = self._refused == (name, pose)
        self.found.moves.append(MoveRow(index, name, recorded, result.success, blocker, repeated, picture))

    def _blocker(self, message: str) -> str:
        name = message.partition(" is blocking")[0]
        objects = self._simulator.state.objects.values()
        return next((obj.object_type for obj in objects if obj.kind.name == name), name)

    def _interact(self, index: int, interaction: ObjectInteraction, action: Action) -> None:
        self._refused = None
        moment = self._remember()
        found = self._household.aimed_at(action) or ""
        wanted = interaction.object_id or ""
        recorded = bool(interaction.success)
        if recorded and wanted:
            self._click(index, action, wanted, found)
        near = point_under(self._simulator, action) if action.name == "Place" else None
        held = self._held_type()
        result = self._household.act(Role.FOLLOWER, action)
        kind = self._type_of(wanted or found)
        row = OutcomeRow(index, action.name, recorded, result.success, kind, held, result.message)
        self.found.outcomes.append(row)
        self._untouched &= not (recorded and action.name in _MOVERS)
        if recorded:
            if not (result.success and result.object_id == wanted):
                self._recall(moment)
                self._bring_about(index, action.name, wanted, near)
        elif result.success:
            self._recall(moment)
            self._simulator.step(SimulatorAction("Pass"))

    def _click(self, index: int, action: Action, wanted: str, found: str) -> None:
        same = equivalent(wanted, found)
        picture = ""
        if self._camera is not None and not same:
            picture = self._camera.click(index, action, wanted, found)
        row = ClickRow(
            index=index,
            action=action.name,
            wanted=wanted,
            found=found,
            equivalent=same,
            untouched=self._untouched,
            wanted_type=self._type_of(wanted),
            found_type=self._type_of(found) if found else self._why_nothing(action),
            apart=None if same else self._apart(action, wanted),
            picture=picture,
        )
        self.found.clicks.append(row)

    def _why_nothing(self, action: Action) -> str:
        point = point_under(self._simulator, action)
        far = point is not None and math.dist(point, self._simulator.state.agent.position) > REACH
        return TOO_FAR if far else NOTHING

    def _apart(self, action: Action, wanted: str) -> float | None:
        """Metres between the point under a click and the wanted object's box."""
        point, obj = point_under(self._simulator, action), self._simulator.state.objects.get(wanted)
        if point is None or obj is None:
            return None
        sides = zip(point, obj.box.low, obj.box.high, strict=True)
        return round(math.hypot(*(max(low - at, at - high, 0.0) for at, low, high in sides)), 3)

    def _bring_about(self, index: int, name: str, object_id: str, near: Vec3 | None) -> None:
        result = bring_about(self._household, name, object_id, near)
        if not result.success:
            self.found.unfollowed.append(Unfollowed(index, name, object_id, result.message))

    def _type_of(self, object_id: str) -> str:
        return type_of(object_id) if object_id else NOTHING

    def _held_type(self) -> str:
        held = self._simulator.state.held
        return type_of(held) if held else ""

    def _remember(self) -> _Moment:
        custom = {object_id: dict(record) for object_id, record in self._household.custom_properties.items()}
        return _Moment(self._simulator.inner.remember(), custom)

    def _recall(self, moment: _Moment) -> None:
        self._simulator.inner.recall(moment.simulator)
        self._household.recall_custom_properties(moment.custom)
