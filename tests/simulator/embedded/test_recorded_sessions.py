"""Recorded human sessions, replayed by their recorded targets, end in the recorded states.

Targets and successes come from the files; what the world makes of them is ours. Geometry plays no part: actions are
forced, and where the placement search finds no room, the object is put where the record says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from teach_agents.actions import Role
from teach_agents.data import Game, iter_games
from teach_agents.data.interactions import ObjectInteraction
from teach_agents.simulator.contract import ObjectState, SimulatorAction, StoredState
from teach_agents.simulator.embedded.handlers import Setting, carry_out
from teach_agents.simulator.embedded.loading import load_stored
from teach_agents.simulator.embedded.rules import Rules
from teach_agents.simulator.embedded.world import World
from tests.simulator.embedded.worlds import FreeSenses

_NAMES = {
    "Pickup": "PickupObject",
    "Place": "PutObject",
    "Open": "OpenObject",
    "Close": "CloseObject",
    "ToggleOn": "ToggleObjectOn",
    "ToggleOff": "ToggleObjectOff",
    "Slice": "SliceObject",
}
_EVERY = 6


class _Replay:
    """One session's world, driven by the record."""

    def __init__(self, game: Game) -> None:
        initial = game.episode.initial_state
        self.world = load_stored(StoredState(game.episode.room, initial.objects, initial.follower))
        self.setting = Setting(self.world, FreeSenses())
        self.rules = Rules(self.world)
        self.accepted: Counter[bool] = Counter()

    def step(self, interaction: ObjectInteraction) -> None:
        """A recorded success by its target."""
        target = interaction.object_id
        if interaction.action == "Pour":
            self._pour(target or "")
        elif interaction.action in _NAMES and target in self.world.objects:
            held = self.world.held
            outcome = carry_out(self.setting, SimulatorAction(_NAMES[interaction.action], target or "", force=True))
            self.accepted[outcome.success] += 1
            if interaction.action == "Place" and not outcome.success and held is not None:
                self._put_anyway(held, target or "")
        self.rules.settle()

    def _pour(self, target: str) -> None:
        if "Sink" not in target and "Bathtub" not in target:
            fill = SimulatorAction("FillObjectWithLiquid", target, force=True, liquid="water")
            carry_out(self.setting, fill)
        if self.world.held is not None:
            empty = SimulatorAction("EmptyLiquidFromObject", self.world.held, force=True)
            self.accepted[carry_out(self.setting, empty).success] += 1

    def _put_anyway(self, held: str, target: str) -> None:
        self.world.release()
        carried = target == held or target in self.world.cargo(held)
        self.world.place(held, None if carried else target)


def _successes(game: Game) -> Iterator[ObjectInteraction]:
    for interaction in game.episode.interactions:
        if isinstance(interaction, ObjectInteraction) and interaction.role is Role.FOLLOWER and interaction.success:
            yield interaction


def _states(obj: ObjectState) -> dict[str, bool]:
    return {
        "isToggled": obj.is_toggled,
        "isOpen": obj.is_open,
        "isSliced": obj.is_sliced,
        "isDirty": obj.is_dirty,
        "isFilledWithLiquid": obj.is_filled,
        "isCooked": obj.is_cooked,
    }


def _compare(world: World, game: Game, agreement: Counter[tuple[str, bool]]) -> bool:
    final = {str(raw["objectId"]): raw for raw in game.episode.final_state.objects}
    flawless = final.keys() == world.objects.keys()
    for object_id, raw in final.items():
        obj = world.objects.get(object_id)
        if obj is None or not obj.exists:
            continue
        for key, value in _states(obj).items():
            agreement[key, raw[key] is value] += 1
            flawless &= raw[key] is value
        if raw.get("simbotPickedUp") and not obj.is_picked_up and obj.parents:
            agreement["parent", obj.parents[0] in (raw["parentReceptacles"] or ())] += 1
    return flawless


@pytest.mark.data
def test_recorded_targets_lead_to_the_recorded_final_states(teach_data: Path) -> None:
    agreement: Counter[tuple[str, bool]] = Counter()
    accepted: Counter[bool] = Counter()
    flawless: list[bool] = []
    for number, game in enumerate(iter_games([teach_data / "games" / "valid_seen"])):
        if number % _EVERY:
            continue
        replay = _Replay(game)
        for interaction in _successes(game):
            replay.step(interaction)
        accepted += replay.accepted
        flawless.append(_compare(replay.world, game, agreement))
    assert accepted[True] / accepted.total() > 0.99
    for key in ("isToggled", "isOpen", "isSliced", "isDirty", "isFilledWithLiquid", "isCooked"):
        assert agreement[key, True] / (agreement[key, True] + agreement[key, False]) > 0.995, key
    assert agreement["parent", True] / (agreement["parent", True] + agreement["parent", False]) > 0.97
    assert sum(flawless) / len(flawless) > 0.8
