"""Preparing a scene: random spawns and unbreakable types (AI2-THOR specification 2.5)."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.errors import ActionError
from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded.handlers.setting import DONE, Handler, Setting


def _make_unbreakable(setting: Setting, action: SimulatorAction) -> Outcome:
    """`object_id` holds the objectType, AI2-THOR's only parameter of this action."""
    if not action.object_id:
        raise ActionError(f"simulator action {action.name}", "needs the object type in object_id")
    setting.world.unbreakable.add(action.object_id)
    return DONE


def _random_spawn(setting: Setting, action: SimulatorAction) -> Outcome:
    """`magnitude` holds the seed, a whole number; objects move within the room, none are added."""
    from teach_agents.simulator.embedded.spawn import shuffle_places

    shuffle_places(setting.world, setting.senses, seed=int(action.magnitude or 0))
    return DONE


HANDLERS: Mapping[str, Handler] = {
    "InitialRandomSpawn": _random_spawn,
    "MakeObjectsOfTypeUnbreakable": _make_unbreakable,
}
