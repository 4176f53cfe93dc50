"""The household: TEACh on any simulator. Two roles, one room, one task."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from teach_agents.actions import DONE, Action, ActionKind, ActionResult, Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import NoAction
from teach_agents.data import StateRecord
from teach_agents.errors import ActionError, InputError, SimulatorError
from teach_agents.household import messages, state
from teach_agents.household.clicks import AFFORDANCES, ClickResolver
from teach_agents.household.commander import CommanderActions
from teach_agents.household.custom_properties import CustomProperties, Records
from teach_agents.household.follower import FollowerActions
from teach_agents.household.frames import Frames, Moment
from teach_agents.household.geometry import Click
from teach_agents.household.map import RoomMap
from teach_agents.household.objects import FOLLOWING, ObjectTable
from teach_agents.household.observing import Queries, Screens
from teach_agents.household.scenario import Scenario
from teach_agents.household.search import ObjectSearch, reachable
from teach_agents.observations import ObjectRows, Observation, Pose, Privilege, Utterance, Vec3
from teach_agents.simulator.contract import Channel, Simulator, SimulatorAction
from teach_agents.tasks import Progress, Task, TaskLibrary

_ABOVE = 1.0
_START_HORIZON = 30.0
LARGEST = 4096
"""Pixels a side of the largest picture."""
_GLANCE = 16
"""Pixels a side of a picture that nobody sees."""


class Household:
    """TEACh's world as both roles know it: reset it, observe it, act in it, check its task.

    `view_size` is the width and height of every picture in pixels, `click_size` of the pictures that clicks are
    resolved in (default: the same; at 900 resolution is exactly TEACh's). Beyond the four members of the contract a
    simulator must answer the queries `GetReachablePositions`, `GetMapViewCameraProperties` and `GetVisibleObjects`.

    `failures` counts each role's failed actions. A failed action is one whose result is not a success, except
    progress checks and searches, which always count as successes (specification 7.2).
    """

    def __init__(
        self,
        simulator: Simulator,
        library: TaskLibrary | None = None,
        *,
        view_size: int = 300,
        click_size: int | None = None,
    ) -> None:
        self.simulator = simulator
        self.library = library if library is not None else TaskLibrary.builtin()
        self.view_size = checked_size("view_size", view_size)
        self.click_size = checked_size("click_size", view_size if click_size is None else click_size, largest=900)
        self._frames = Frames(simulator)
        self._clicks = ClickResolver(simulator, self._frames, self.click_size)
        self._custom = CustomProperties(simulator)
        self._table = ObjectTable()
        self._seen: tuple[Moment, frozenset[str]] | None = None
        self._started: _Started | None = None
        self._looked = False
        self._forget()

    def _forget(self) -> None:
        """Nothing has been said or done."""
        self.failures: dict[Role, int] = dict.fromkeys(Role, 0)
        self.dialogue: tuple[Utterance, ...] = ()
        self._last: dict[Role, tuple[Action | None, ActionResult | None]] = dict.fromkeys(Role, (None, None))

    def reset(self, scenario: Scenario) -> None:
        """Load a scenario's scene and task.

        Raises `DefinitionError` for an unknown task or wrong parameters, `SceneError` for a scene that cannot be
        loaded; after either the household must be reset again before it is used.
        """
        self._started = None
        task = self.library.task(scenario.task_name, list(scenario.task_params))
        self.simulator.reset(scenario.scene, seed=scenario.seed)
        self._frames.reset()
        body = self.simulator.state.agent
        if scenario.scene.stored is None and body.horizon < _START_HORIZON:
            self.simulator.step(SimulatorAction("LookDown", magnitude=_START_HORIZON - body.horizon, force=True))
        self._custom.begin()
        self._forget()
        self._started = _Started(self, scenario, task)
        if not self._looked:  # what is loaded or compiled for a first look takes none of an agent's time to answer
            self._frames.follower(frozenset(Channel), _GLANCE)
            self.simulator.step(SimulatorAction("GetVisibleObjects"))
            self._looked = True

    @property
    def _now(self) -> _Started:
        if self._started is None:
            raise SimulatorError("the household has no scenario yet: call reset(scenario) first")
        return self._started

    @property
    def scenario(self) -> Scenario:
        """What the household was reset to."""
        return self._now.scenario

    @property
    def task(self) -> Task:
        """The task that `progress` checks."""
        return self._now.task

    @property
    def commander(self) -> Pose:
        """The Commander's free camera."""
        return self._now.commander.pose

    def observe(
        self, role: Role, privileges: Collection[Privilege] = (), *, turn: int = 0, size: int | None = None
    ) -> Observation:
        """What `role` sees now, in pictures of `size` pixels (default: `view_size`).

        They are drawn when looked at, which must be before the world changes: a picture first looked at later raises
        `StaleViewError`.
        """
        now = self._now
        memory = (turn, self.dialogue, *self._last[role])
        pixels = self.view_size if size is None else checked_size("size", size)
        queries = self._queries if privileges else {}
        return now.screens.of(role, now.commander.pose, memory, privileges, queries, size=pixels)

    def act(self, role: Role, action: Action, time_ms: int = 0) -> ActionResult:
        """Carry out one action of `role`; `time_ms` is when, in milliseconds since the session began.

        Whatever an agent did is answered by a result: an action of the other role, a click outside the frame, a value
        that is no action at all are failed actions. Only a broken simulator raises.
        """
        now = self._now
        known = action if isinstance(action, Action) else None
        result = _no_action(action) if known is None else self._carry_out(now, role, known, time_ms)
        shown = result if result.reply is None else replace(result, reply=state.unshared(result.reply))
        self._last[role] = (known, shown)  # what an agent does to its reply is seen by nobody else
        query = known is not None and known.type.kind is ActionKind.PROGRESS and known.allowed_for(role)
        self.failures[role] += not (result.success or query)
        return result

    def _carry_out(self, now: _Started, role: Role, action: Action, time_ms: int) -> ActionResult:
        if not action.allowed_for(role):
            return ActionResult(False, messages.not_allowed(role, action.name))
        kind = action.type.kind
        if kind is ActionKind.KEYBOARD:
            self.dialogue = (*self.dialogue, Utterance(role, action.utterance, time_ms))
        elif kind is not ActionKind.CONTROL and action.name != "Stop":
            return now.commander.act(action) if role is Role.COMMANDER else now.follower.act(action)
        return DONE[action.name]

    def progress(self) -> Progress:
        """The task checked on the present state."""
        task = self._now.task
        return task.check(self.objects_for(task), agent_position=self.simulator.state.agent.position)

    def objects_for(self, task: Task) -> Sequence[JsonMapping]:
        """What a task is judged on: `objects` where it asks for what depends on the Follower, else `unseen_objects`."""
        return self.objects if task.properties & FOLLOWING else self._rows()

    def _rows(self) -> list[JsonObject]:
        return self._table.current(self.simulator.state.objects, self._custom.records, self._custom.changed)

    @property
    def objects(self) -> Sequence[JsonMapping]:
        """Every object's AI2-THOR metadata merged with TEACh's custom properties, in the simulator's order.

        Read-only. A dictionary stays as it is when its object changes (the next reading has another), except for
        `visible`, `obstructed` and `distance`, which follow the Follower at every reading.
        """
        rows = self._rows()
        self._table.seen_from(self.simulator.state.agent.position, self._visible())
        return tuple(rows)

    @property
    def unseen_objects(self) -> Sequence[JsonMapping]:
        """`objects` for whoever judges: `visible`, `obstructed` and `distance` are those of some earlier moment.

        To bring them up to date costs a look around.
        """
        return tuple(self._rows())

    def _visible(self) -> frozenset[str]:
        """The ids of what the Follower sees now; asked once a moment."""
        moment = self._frames.moment
        if self._seen is None or self._seen[0] != moment:
            value = self.simulator.step(SimulatorAction("GetVisibleObjects")).value
            self._seen = moment, frozenset(value if isinstance(value, Collection) else ())
        return self._seen[1]

    @property
    def custom_properties(self) -> Records:
        """TEACh's custom properties by objectId; read-only."""
        return self._custom.records

    def snapshot(self, time: float) -> JsonObject:
        """The present state as a TEACh state object that shares nothing; `time` is its `time_start`."""
        copied: JsonObject = state.unshared(self.state_record(time).to_json())
        return copied

    def state_record(self, time: float) -> StateRecord:
        """What `snapshot` holds, to be read and written, not to be changed."""
        follower = self.simulator.state.agent
        return state.state_record(time, self.commander, follower, self.objects, self._custom.records)

    def click_for(self, object_id: str, action_name: str) -> Click | None:
        """Fractions (x, y) of a click that makes the Follower's `action_name` choose `object_id` now, or `None`.

        A door for oracles, tests and recovery in replays. Raises `InputError` for a name that takes no click.
        """
        _check_interaction("click_for", action_name)
        return self._clicks.click_for(object_id, action_name)

    def aimed_at(self, action: Action) -> str | None:
        """The object that a click of the Follower would choose now, or `None` where it would choose none.

        Raises `InputError` for an action that takes no click.
        """
        _check_interaction("aimed_at", action.name)
        hit = self._clicks.resolve(action)
        return None if isinstance(hit, str) else hit.object_id

    def force(self, action_name: str, object_id: str, *, near: Vec3 | None = None) -> ActionResult:
        """Carry out one of the Follower's interactions on an object by id, overriding visibility and reach.

        The last resort of replays, where a recorded object shows no pixel to click on (specification 6.4); no agent
        gets here, and neither `failures` nor the roles' last actions change. `near` is the world point that a placed
        object should land close to, by default the middle of the receptacle's top. Raises `InputError` for another
        action.
        """
        _check_interaction("force", action_name)
        return self._now.follower.force(action_name, object_id, near)

    def enforced(self, role: Role, action: Action | None, result: ActionResult) -> None:
        """Let a role's last action be this one, as `force` or the simulator brought it about in place of `act`."""
        self._last[role] = (action, result)

    def hint(self, role: Role, text: str) -> None:
        """A role finds this in its last result's help."""
        action, result = self._last[role]
        if result is not None:
            self._last[role] = action, result.hinted(text)

    def hear(self, said: Utterance) -> None:
        """Somebody from neither chair has spoken: both roles find it in their dialogue."""
        self.dialogue = (*self.dialogue, said)

    def recall_custom_properties(self, records: Records) -> None:
        """Set every custom property back to a copy of `custom_properties` made earlier in the episode.

        For dry runs on a simulator that can go back to an earlier moment itself; the values are taken over as they are.
        """
        self._custom.recall(records)

    @property
    def _queries(self) -> Queries:
        return {
            Privilege.OBJECTS: self._object_rows,
            Privilege.REACHABLE: lambda: frozenset(reachable(self.simulator)),
        }

    def _object_rows(self) -> ObjectRows:
        """The objects for an observation: whether they are visible is found out when asked for, while it is now."""
        moment = self._frames.moment
        self._rows()

        def see() -> frozenset[str]:
            self._frames.check(moment)
            return self._visible()

        def look() -> Sequence[JsonMapping]:
            self._frames.check(moment)
            return tuple(dict(row) for row in self.objects)

        return ObjectRows(self._table.read_only(), look, see)


class _Started:
    """What belongs to one scenario: its task, its map, what either role can do."""

    def __init__(self, household: Household, scenario: Scenario, task: Task) -> None:
        simulator, frames, size = household.simulator, household._frames, household.view_size
        self.scenario = scenario
        self.task = task
        room_map = RoomMap.of(simulator)
        search = ObjectSearch(simulator, frames, size, room_map)
        pose = _first_pose(scenario, simulator.state.agent)
        self.commander = CommanderActions(pose, search, household._custom, lambda: household.progress().to_reply())
        self.follower = FollowerActions(simulator, household._clicks, household._custom)
        self.screens = Screens(simulator, frames, room_map, search)


def _first_pose(scenario: Scenario, follower: Pose) -> Pose:
    """Where the free camera starts: as stored, or 1 m above the Follower, looking down 30 degrees (5.1)."""
    stored = scenario.scene.stored
    if stored is not None and stored.commander is not None:
        return stored.commander
    x, y, z = follower.position
    return Pose(Vec3(x, y + _ABOVE, z), follower.yaw, _START_HORIZON)


def _check_interaction(where: str, name: str) -> None:
    if name not in AFFORDANCES:
        raise InputError(where, "takes an object interaction", value=name, valid=AFFORDANCES)


def _no_action(value: object) -> ActionResult:
    problem = f"an agent must answer with an Action, not {type(value).__name__}"
    if isinstance(value, NoAction):
        problem = value.problem
    elif isinstance(value, ActionError):
        problem = f"the agent made no valid action: {value}"
    return ActionResult(False, problem)


def checked_size(name: str, value: int, largest: int = LARGEST) -> int:
    """A picture's width and height in pixels. Raises `InputError` for what is none."""
    if not isinstance(value, int) or isinstance(value, bool) or not 16 <= value <= largest:
        raise InputError("household", f"{name} must be a whole number of pixels from 16 to {largest}", value=value)
    return value
