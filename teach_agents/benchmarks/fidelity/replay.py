"""A session carried out again: with the record winning, and without any help; and how far the final states agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from teach_agents.actions import STEPS, Action, ActionResult, Role
from teach_agents.agents.demonstration import recorded_as_action
from teach_agents.benchmarks.fidelity.pictures import MissCamera
from teach_agents.benchmarks.fidelity.record import Insisting, bring_about, equivalent, point_under
from teach_agents.benchmarks.fidelity.rows import (
    NOTHING,
    TOO_FAR,
    AidedReplay,
    CheckRow,
    ClickRow,
    Divergence,
    MoveRow,
    OutcomeRow,
    PropertyCount,
    PropertyMiss,
    ReplayMode,
    SessionRows,
    UnaidedReplay,
    Unfollowed,
)
from teach_agents.core.json_types import JsonMapping
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction, read_game
from teach_agents.household import Household, Scenario
from teach_agents.household.clicks import REACH
from teach_agents.installed import installed_tasks
from teach_agents.observations import Pose, same_pose
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.simulator.embedded.rooms import type_of
from teach_agents.tasks.state_diff import TRACKED_PROPERTIES, base_id

_MOVERS = frozenset({"Pickup", "Slice"})
_ABSENT = "absent"

Objects = Iterable[JsonMapping]


def measure(payload: JsonMapping) -> JsonMapping:
    """The job of a worker: `game` names the file, `pictures` a folder or null; `click_size` as in `measure_game`."""
    pictures = payload["pictures"]
    folder = None if pictures is None else Path(pictures)
    return {"rows": measure_game(Path(payload["game"]), click_size=payload["click_size"], pictures=folder)}


def measure_game(path: Path, *, click_size: int = 300, pictures: Path | None = None) -> SessionRows:
    """Replay one game aided and unaided.

    `click_size` is the size of the pictures that clicks are resolved in, pixels; pictures of misses go into `pictures`.
    Raises `GameFileError`, `SceneError` or `DefinitionError` for a game that cannot be replayed.
    """
    game = read_game(path)
    simulator = Insisting(EmbeddedSimulator())
    household = Household(simulator, installed_tasks(), click_size=click_size)
    camera = None if pictures is None else MissCamera(pictures, game.game_id, simulator)
    return SessionRows(
        game.game_id,
        game.episode.room,
        game.task.task_name,
        len(game.episode.interactions),
        replay_aided(game, household, simulator, camera),
        {mode: replay_unaided(game, household, mode) for mode in ReplayMode},
    )


def replay_aided(game: Game, household: Household, simulator: Insisting, camera: MissCamera | None) -> AidedReplay:
    """Measure one session; `simulator` is the one behind `household`.

    Each action is first tried as the Follower would do it here, which is the prediction; where it went otherwise than
    recorded, it is undone and the recorded outcome is brought about. Raises `SceneError` or `DefinitionError` when the
    session cannot be set up.
    """
    household.reset(Scenario.from_game(game))
    follower = _Follower(household, simulator, camera)
    for index, interaction in enumerate(game.episode.interactions):
        follower.follow(index, interaction)
    return AidedReplay(
        household.progress().success,
        tuple(follower.moves),
        tuple(follower.clicks),
        tuple(follower.outcomes),
        tuple(follower.checks),
        tuple(follower.unfollowed),
        *agreement(game.episode.initial_state.objects, game.episode.final_state.objects, household.objects),
    )


class _Follower:
    """Follows one record, interaction by interaction, and keeps what has been seen of it."""

    def __init__(self, household: Household, simulator: Insisting, camera: MissCamera | None) -> None:
        self.moves: list[MoveRow] = []
        self.clicks: list[ClickRow] = []
        self.outcomes: list[OutcomeRow] = []
        self.checks: list[CheckRow] = []
        self.unfollowed: list[Unfollowed] = []
        self._household = household
        self._simulator = simulator
        self._camera = camera
        self._untouched = True
        self._refused: tuple[str, Pose] | None = None

    def follow(self, index: int, interaction: Interaction) -> None:
        """Try an interaction, note what became of it, and make it what was recorded."""
        recorded = bool(interaction.success)
        if interaction.action == "OpenProgressCheck":
            self.checks.append(CheckRow(index, recorded, self._household.progress().success))
            return
        action = recorded_as_action(interaction) if interaction.role is Role.FOLLOWER else None
        if action is None:
            return
        if isinstance(interaction, Motion) and interaction.pose is not None:
            self._motion(index, recorded, action, interaction.pose)
        elif isinstance(interaction, ObjectInteraction):
            self._interact(index, recorded, action, interaction.object_id or "")

    def _motion(self, index: int, recorded: bool, action: Action, pose: Pose) -> None:
        memory = self._simulator.inner.remember()
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
        picture = self._camera.step(index, name) if self._camera and result.success != recorded else ""
        repeated = self._refused == (name, pose)
        self.moves.append(MoveRow(index, name, recorded, result.success, blocker, repeated, picture))

    def _blocker(self, message: str) -> str:
        name = message.partition(" is blocking")[0]
        objects = self._simulator.state.objects.values()
        return next((obj.object_type for obj in objects if obj.kind.name == name), name)

    def _interact(self, index: int, recorded: bool, action: Action, wanted: str) -> None:
        household, simulator, name = self._household, self._simulator, action.name
        self._refused = None
        custom = {object_id: dict(record) for object_id, record in household.custom_properties.items()}
        memory = simulator.inner.remember()
        found = household.aimed_at(action) or ""
        if recorded and wanted:
            self._click(index, action, wanted, found)
        near = point_under(simulator, action) if name == "Place" else None
        held = simulator.state.held
        result = household.act(Role.FOLLOWER, action)
        kind = wanted or found
        types = type_of(kind) if kind else NOTHING, type_of(held) if held else ""
        self.outcomes.append(OutcomeRow(index, name, recorded, result.success, *types, result.message))
        self._untouched &= not (recorded and name in _MOVERS)
        as_recorded = result.success and result.object_id == wanted if recorded else not result.success
        if as_recorded:
            return
        simulator.inner.recall(memory)
        household.recall_custom_properties(custom)
        if not recorded:
            simulator.step(SimulatorAction("Pass"))
        elif not (forced := bring_about(household, name, wanted, near)).success:
            self.unfollowed.append(Unfollowed(index, name, wanted, forced.message))

    def _click(self, index: int, action: Action, wanted: str, found: str) -> None:
        same = equivalent(wanted, found)
        self.clicks.append(
            ClickRow(
                index=index,
                action=action.name,
                wanted=wanted,
                found=found,
                equivalent=same,
                untouched=self._untouched,
                wanted_type=type_of(wanted),
                found_type=type_of(found) if found else self._why_nothing(action),
                apart=None if same else self._apart(action, wanted),
                picture=self._camera.click(index, action, wanted, found) if self._camera and not same else "",
            )
        )

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


class Agreement(NamedTuple):
    """Counts by property over all objects, and every miss."""

    properties: Mapping[str, PropertyCount]
    misses: tuple[PropertyMiss, ...]


def agreement(initial: Objects, recorded: Objects, ours: Objects) -> Agreement:
    """Compare the tracked properties (specification 3.9) of every object that the record or we have at the end.

    `true` equals 1 and `false` equals 0, as in TEACh's rules; a property that an object lacks is one of its values. An
    object that only one side has disagrees in every property. A property counts as changed where its recorded final
    value is not the initial one of the object, or of what it was cut from.
    """
    before, then, now = ({obj["objectId"]: obj for obj in objects} for objects in (initial, recorded, ours))
    counts = {name: [0, 0, 0, 0] for name in sorted(TRACKED_PROPERTIES)}
    misses = []
    for object_id in dict.fromkeys((*then, *now)):
        old = before.get(object_id) or before.get(base_id(object_id)) or {}
        left, right = then.get(object_id), now.get(object_id)
        for name, count in counts.items():
            wanted, found, was = ((one or {}).get(name, _ABSENT) for one in (left, right, old))
            equal = left is not None and right is not None and wanted == found
            changed = wanted != was
            for place, holds in enumerate((True, equal, changed, equal and changed)):
                count[place] += holds
            if not equal:
                kind = (left or right or {}).get("objectType", "")
                misses.append(PropertyMiss(object_id, kind, name, repr(wanted), repr(found)))
    return Agreement({name: PropertyCount(*count) for name, count in counts.items()}, tuple(misses))


def replay_unaided(game: Game, household: Household, mode: ReplayMode) -> UnaidedReplay:
    """Carry out a session's motions by name and its clicks at the recorded points (specification 6.4), unrepaired.

    In mode `successes` recorded failures are skipped, as TEACh's own replay does. Raises `SceneError` or
    `DefinitionError` when the session cannot be set up.
    """
    household.reset(Scenario.from_game(game))
    executed = followed = 0
    first: tuple[int, Divergence] | None = None
    pose_exact = True
    pose = household.simulator.state.agent
    for index, one in enumerate(game.episode.interactions):
        if one.role is not Role.FOLLOWER or not isinstance(one, Motion | ObjectInteraction):
            continue
        if isinstance(one, Motion):
            pose = one.pose or pose
        action = recorded_as_action(one) if one.success or mode is ReplayMode.ALL else None
        if action is None:
            continue
        executed += 1
        result = household.act(Role.FOLLOWER, action, int(one.time_start * 1000))
        here = same_pose(household.simulator.state.agent, pose)
        pose_exact &= here
        kind = _difference(one, result, here)
        if first is None and kind is not None:
            first = index, kind
        followed += first is None
    return UnaidedReplay(household.progress().success, executed, followed, pose_exact, *(first or (None, None)))


def _difference(interaction: Interaction, result: ActionResult, here: bool) -> Divergence | None:
    if result.success != bool(interaction.success):
        return Divergence.SUCCESS
    wanted = interaction.object_id if isinstance(interaction, ObjectInteraction) else None
    if wanted and result.object_id != wanted:
        return Divergence.OBJECT
    return None if here else Divergence.POSE
