"""The Follower's actions, carried out on a simulator (specification 2.3, 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from teach_agents.actions import DONE, Action, ActionResult
from teach_agents.household import messages
from teach_agents.household.clicks import SINKS, ClickResolver, Hit
from teach_agents.household.custom_properties import COFFEE, CustomProperties
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, Outcome, Simulator, SimulatorAction

MOTION_STEPS: Mapping[str, SimulatorAction] = {
    motion: SimulatorAction(name, magnitude=size, force=True)
    for motion, name, size in (
        ("Forward", "MoveAhead", 0.25),
        ("Backward", "MoveBack", 0.25),
        ("Turn Left", "RotateLeft", 90.0),
        ("Turn Right", "RotateRight", 90.0),
        ("Look Up", "LookUp", 30.0),
        ("Look Down", "LookDown", 30.0),
        ("Pan Left", "MoveLeft", 0.25),
        ("Pan Right", "MoveRight", 0.25),
    )
}
"""What a motion asks of the simulator."""

_BY_ID: Mapping[str, str] = {
    "Pickup": "PickupObject",
    "Open": "OpenObject",
    "Close": "CloseObject",
    "ToggleOn": "ToggleObjectOn",
    "ToggleOff": "ToggleObjectOff",
    "Slice": "SliceObject",
}
"""Interactions that are one simulator action on the object that the click chose."""


@dataclass
class FollowerActions:
    """The eight motions and eight object interactions, and what follows from them for the custom properties."""

    _simulator: Simulator
    _clicks: ClickResolver
    _custom: CustomProperties

    def act(self, action: Action) -> ActionResult:
        """Carry out a motion or an object interaction; the action is one of the sixteen."""
        return self._move(action) if action.name in MOTION_STEPS else self._interact(action)

    def _move(self, action: Action) -> ActionResult:
        outcome = self._simulator.step(MOTION_STEPS[action.name])
        return DONE[action.name] if outcome.success else _failed(outcome.error)

    def _interact(self, action: Action) -> ActionResult:
        """Look at the hand, resolve the click, act, then bring the custom properties up to date."""
        hit = lacking(action.name, self._held()) or self._clicks.resolve(action)
        return _failed(hit) if isinstance(hit, str) else self.act_on(action, hit)

    def act_on(self, action: Action, hit: Hit, *, force: bool = False) -> ActionResult:
        """Carry out an interaction on what a click chose; `force` overrides visibility and reach."""
        before = self._custom.before()
        held = self._simulator.state.held
        outcome = self._step(action, hit, held, force)
        message = self._note(action, hit.object_id, held) if outcome.success else outcome.error
        self._custom.after(before)
        return ActionResult(True, message, object_id=hit.object_id) if outcome.success else _failed(message)

    def force(self, name: str, object_id: str, near: Vec3 | None = None) -> ActionResult:
        """Carry out an interaction on an object by its id, wherever it is; `near` as in `Household.force`."""
        need = lacking(name, self._held())
        obj = self._simulator.state.objects.get(object_id)
        if need is not None or obj is None:
            return _failed(need or messages.unknown_object(name, object_id))
        (x, _, z), top = obj.box.center, obj.box.high.y
        return self.act_on(Action.click(name, 0.5, 0.5), Hit(object_id, near or Vec3(x, top, z)), force=True)

    def _step(self, action: Action, hit: Hit, held: str | None, force: bool) -> Outcome:
        if action.name == "Place":
            x, y = (None, None) if force else (action.x, action.y)
            put = SimulatorAction("PutObject", object_id=hit.object_id, x=x, y=y, near=hit.point, force=True)
            return self._simulator.step(put)
        if action.name == "Pour":
            return self._pour(hit.object_id, held, force)
        return self._simulator.step(SimulatorAction(_BY_ID[action.name], object_id=hit.object_id, force=force))

    def _pour(self, target: str, held: str | None, force: bool) -> Outcome:
        """Fill the target unless it is a sink, then empty the held object; the emptying decides (specification 5.3)."""
        state = self._simulator.state
        vessel = held or ""
        if state.objects[target].object_type not in SINKS:
            liquid = "coffee" if self._custom.records.get(vessel, {}).get(COFFEE) else "water"
            fill = SimulatorAction("FillObjectWithLiquid", object_id=target, liquid=liquid, force=force)
            filled = self._simulator.step(fill)
            if not filled.success:
                return filled
        return self._simulator.step(SimulatorAction("EmptyLiquidFromObject", object_id=vessel))

    def _note(self, action: Action, object_id: str, held: str | None) -> str:
        """Record a success in the custom properties; returns its message."""
        if action.name == "Pickup":
            self._custom.picked_up(object_id)
            return f"Picked up {self._simulator.state.objects[object_id].object_type}"
        if action.name == "Place" and held is not None:
            self._custom.placed(held, object_id)
            return f"Placed in {object_id}"
        if action.name == "Pour" and held is not None:
            self._custom.poured_out(held)
        return messages.done(action)

    def _held(self) -> ObjectState | None:
        state = self._simulator.state
        return state.objects.get(state.held or "")


def _failed(message: str) -> ActionResult:
    message = message or "the simulator refused the action and gave no reason"
    return ActionResult(False, message, help=messages.hint(message))


def lacking(name: str, held: ObjectState | None) -> str | None:
    """The message of an interaction that fails for want of something in the hand, or `None`."""
    ready = _READY.get(name)
    return None if ready is None or (held is not None and ready(held)) else messages.NEEDS[name]


_READY: Mapping[str, Callable[[ObjectState], bool]] = {
    "Place": lambda _held: True,
    "Slice": lambda held: "Knife" in held.object_type,
    "Pour": lambda held: held.is_filled,
}
"""By interaction what it takes of what is held."""
