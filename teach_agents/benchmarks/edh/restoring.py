"""A recorded session carried out again up to some point: where the simulator disagrees, the record wins (6.4).

Only what succeeded is repeated. Each action is first tried as the person took it; where that leads elsewhere, the
recorded pose, object and success are brought about, and it counts as an override.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.demonstration import recorded_as_action
from teach_agents.agents.history import History
from teach_agents.benchmarks.fidelity.record import Insisting, bring_about, point_under
from teach_agents.core.json_types import JsonObject
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.data.games import Game
from teach_agents.data.interactions import Interaction, Keyboard, Motion, ObjectInteraction
from teach_agents.household import Household, Scenario
from teach_agents.observations import Observation, Pose, Privilege, View, same_pose
from teach_agents.simulator.contract import Channel, SimulatorAction, follower_camera
from teach_agents.simulator.embedded.simulator import Album


class Why(StrEnum):
    """What went another way than recorded."""

    POSE = "pose"
    """A motion was refused or led elsewhere: the body was put where it was recorded."""
    CLICK = "click"
    """The click chose another object, or none: the recorded one was acted upon by its id."""
    REFUSED = "refused"
    """The right object was chosen and the action refused: it was forced."""
    LOST = "lost"
    """Nothing could bring about what was recorded; the restored state differs from the recorded one."""


@dataclass(frozen=True, slots=True)
class Override:
    """One action whose recorded outcome had to be enforced; `index` is its place in the session."""

    index: int
    action: str
    object_id: str
    why: Why
    message: str = ""

    def to_json(self) -> JsonObject:
        """The override as JSON."""
        return asdict(self)


class Restorer:
    """Carries a session out again, interaction by interaction, in a household that was reset to its beginning.

    `overrides` is what had to be enforced so far, `followed` how many of the Follower's motions and interactions were
    carried out. On the embedded simulator behind `Insisting` a placement for which there is no room is made all the
    same.
    """

    def __init__(self, household: Household) -> None:
        self.overrides: list[Override] = []
        self.followed = 0
        self._household = household
        self._simulator = household.simulator

    def follow(self, interactions: Iterable[Interaction], *, first: int = 0) -> None:
        """Carry out some interactions; `first` is the index of the first one in the session."""
        for index, one in enumerate(interactions, first):
            if not one.success:
                continue
            if isinstance(one, Keyboard):
                self._household.act(one.role, Action.say(one.utterance), time_ms=round(1000 * one.time_start))
            elif isinstance(one, Motion) and one.role is Role.COMMANDER:
                self._household.act(Role.COMMANDER, Action(one.action))
            elif isinstance(one, Motion) and one.pose is not None:
                self._move(index, one, one.pose)
            elif isinstance(one, ObjectInteraction) and one.object_id is not None:
                self._interact(index, one, one.object_id)

    def _move(self, index: int, one: Motion, pose: Pose) -> None:
        self.followed += 1
        result = self._household.act(Role.FOLLOWER, Action(one.action))
        if not same_pose(self._simulator.state.agent, pose):
            self._override(index, one, Why.POSE, result.message)
            self._household.enforced(Role.FOLLOWER, Action(one.action), ActionResult(True, one.action))
            self._simulator.step(SimulatorAction("TeleportFull", pose=pose, force=True))

    def _interact(self, index: int, one: ObjectInteraction, wanted: str) -> None:
        self.followed += 1
        action = recorded_as_action(one)
        if action is None:
            return
        near = point_under(self._simulator, action) if one.action == "Place" else None
        if self._household.aimed_at(action) == wanted:
            result = self._household.act(Role.FOLLOWER, action)
            if result.success:
                return
            why, message = Why.REFUSED, result.message
        else:
            why, message = Why.CLICK, ""
        forced = bring_about(self._household, one.action, wanted, near)
        self._override(index, one, why if forced.success else Why.LOST, message or forced.message)
        if forced.success:
            self._household.enforced(Role.FOLLOWER, action, ActionResult(True, one.action, object_id=wanted))

    def _override(self, index: int, one: Interaction, why: Why, message: str) -> None:
        object_id = one.object_id or "" if isinstance(one, ObjectInteraction) else ""
        self.overrides.append(Override(index, one.action, object_id, why, message))


def remember(
    household: Household, restorer: Restorer, interactions: Iterable[Interaction], actions: tuple[FollowerAction, ...]
) -> History:
    """Carry out a session's beginning with `restorer`; the history holds what its Follower saw on the way.

    `actions` are the Follower's successful ones among `interactions`. On the embedded simulator a moment costs next to
    nothing to keep, and its picture is drawn when somebody looks; any other simulator has to draw all of them at once.
    """
    album = Album(household.view_size)
    views = []
    for index, one in enumerate(interactions):
        if one.role is Role.FOLLOWER and one.success:
            views.append(_view(household, album))
        restorer.follow((one,), first=index)
    return History(actions, tuple(views))


def _view(household: Household, album: Album) -> View:
    """What the Follower sees now, to be looked at later."""
    simulator = household.simulator
    if isinstance(simulator, Insisting):
        return View(album.keep(simulator.inner))
    frame = simulator.view(follower_camera(simulator.state.agent), frozenset({Channel.RGB}), size=household.view_size)
    assert frame.rgb is not None
    return View.of(frame.rgb)


def relived(
    household: Household, game: Game, interactions: Sequence[Interaction], privileges: Collection[Privilege]
) -> Iterator[Observation]:
    """What a session's Follower observed right before each of its successful actions, oldest first.

    The session is carried out again meanwhile, from the beginning: each observation must be looked at before the next
    is asked for, and behind the last one the household stands as `interactions` left it. Turns count up to -1.
    """
    household.reset(Scenario.from_game(game))
    restorer = Restorer(household)
    own = [one.role is Role.FOLLOWER and bool(one.success) for one in interactions]
    turn = -sum(own)
    for index, (one, is_own) in enumerate(zip(interactions, own, strict=True)):
        if is_own:
            yield household.observe(Role.FOLLOWER, privileges, turn=turn)
            turn += 1
        restorer.follow((one,), first=index)
