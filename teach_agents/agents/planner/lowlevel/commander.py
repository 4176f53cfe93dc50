"""The low-level Commander: plans every motion and click itself and dictates them.

Where to click it works out from what the Follower should see, if everything were its box.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.looking import EYE_HEIGHT, camera_axes
from teach_agents.agents.acting.navigation import GRID, neighbour, stand_of
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.instructing.goals import is_complete, reply_of, state_of
from teach_agents.agents.instructing.strategy import Strategist
from teach_agents.agents.planner.lowlevel.protocol import Status, read_status, write_actions
from teach_agents.arrays import Float32Array, FloatArray
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Pose, Privilege, Privileged, Segmentation, Vec3, View
from teach_agents.understanding.english.values import ABOUT_A_THING, Instruction, Reference, Report, ReportKind

_TILTS = {"Look Up": -30.0, "Look Down": 30.0}


class LowLevelCommander(Agent):
    """Takes the steps of the natural-language Commander and the Follower's skills, and says the actions one by one.

    Its privileges are the state of every object and the cells to stand on; where to click it works out from boxes, as
    it does not see what the Follower sees.
    """

    privileges = frozenset({Privilege.OBJECTS, Privilege.REACHABLE})
    _now: Observation

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._strategist = Strategist()
        self._body = Body()
        self._batch: list[Action] = []
        self._names: list[str] = []
        self._pose = Pose(Vec3(0.0, 0.0, 0.0), 0.0, 0.0)
        self._heard = 0
        self._life = self._live()

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget()

    def act(self, observation: Observation) -> Action:
        """One turn: check the progress, dictate actions, or wait for the Follower."""
        self._now = observation
        return next(self._life)

    def _live(self) -> Steps:
        yield from self._until_told()
        while True:
            yield Action.progress_check()
            reply = reply_of(self._now)
            things = Things(self._now.privileged.lasting_objects)
            step = None if is_complete(reply) else self._strategist.next_step(*state_of(reply), things)
            if step is None:
                break
            yield from self._carry_out(step)
        while True:
            yield Action.finish()

    def _carry_out(self, step: Instruction) -> Steps:
        """Run the Follower's skill for a step: motions are gathered, each click ends a string that is then said."""
        self._imagine(ActionResult(True))
        skill = perform(self._body, step)
        report = Report(ReportKind.DONE)
        try:
            for action in skill:
                self._batch.append(action)
                self._names.append(self._aimed_at(action))
                if action.x is None:
                    self._pose = _moved(self._pose, action.name)
                    self._imagine(ActionResult(True), action)
                else:
                    yield from self._dictate()
        except SkillError as error:
            report = Report(error.kind, Reference(error.noun, 1, True) if error.kind in ABOUT_A_THING else None)
        if self._batch:
            yield from self._dictate()
        self._strategist.report(report, Things(self._now.privileged.lasting_objects))

    def _dictate(self) -> Steps:
        batch, names = self._batch, self._names
        self._batch, self._names = [], []
        yield Action.say(write_actions(batch, names))
        status = yield from self._until_told()
        if status.failed is not None and status.failed < len(batch) - 1:
            self._remember_block(batch[status.failed])
        self._imagine(ActionResult(status.failed is None, status.why), batch[-1])

    def _until_told(self) -> Generator[Action, None, Status]:
        while True:
            dialogue = self._now.dialogue
            for said in dialogue[self._heard :]:
                self._heard += 1
                status = read_status(said.text) if said.speaker is Role.FOLLOWER else None
                if status is not None:
                    self._pose = status.pose
                    return status
            yield Action.wait()

    def _remember_block(self, action: Action) -> None:
        stand = stand_of(self._pose)
        self._body.memory.blocked.add((stand[0], neighbour(stand, action.name)[0]))

    def _aimed_at(self, action: Action) -> str:
        if action.x is None or action.y is None:
            return ""
        segmentation = self._body.observation.privileged.segmentation
        height, width = segmentation.ids.shape
        index = int(segmentation.ids[int(action.y * height), int(action.x * width)])
        return segmentation.object_ids[index].split("|")[0] if index >= 0 else "Floor"

    def _imagine(self, result: ActionResult, action: Action | None = None) -> None:
        """Let the skills see the world as the Follower would, from where it should stand now."""
        now, pose = self._now, self._pose
        privileged = now.privileged

        @lru_cache(maxsize=1)
        def view() -> tuple[Segmentation, Float32Array]:
            return imagined_view(Things(privileged.lasting_objects), pose)

        self._body.see(
            replace(
                now,
                role=Role.FOLLOWER,
                pose=pose,
                view=View(lambda: now.view.rgb),
                last_action=action,
                last_result=result,
                privileged=Privileged(
                    {
                        Privilege.OBJECTS: lambda: privileged.objects,
                        Privilege.REACHABLE: lambda: privileged.reachable,
                        Privilege.SEGMENTATION: lambda: view()[0],
                        Privilege.DEPTH: lambda: view()[1],
                    }
                ),
            )
        )


def _moved(pose: Pose, action: str) -> Pose:
    """Where a motion leads when nothing is in the way."""
    if action in _TILTS:
        return replace(pose, horizon=min(60.0, max(-30.0, pose.horizon + _TILTS[action])))
    (x, z), heading = neighbour(stand_of(pose), action)
    return replace(pose, position=Vec3(x * GRID, pose.position.y, z * GRID), yaw=heading * 90.0)


_SIZE = 60
_FAR = 20.0
_SLAB = 0.05
_SURFACES = frozenset("CounterTop DiningTable SideTable CoffeeTable Desk Shelf TVStand Dresser Plate Pan".split())
_SINKS = frozenset({"Sink", "SinkBasin"})
_UNSEEN = frozenset("Floor Curtains Window Mirror Painting Poster ShelvingUnit".split())


def imagined_view(things: Things, pose: Pose) -> tuple[Segmentation, Float32Array]:
    """Object ids (60 x 60) and depth along the optical axis, metres, as if everything were its box.

    A closed or solid thing shows its near faces; an open one shows its far faces, so that what it holds is seen;
    surfaces are slabs at the bottom of their box, with holes for sinks.
    """
    seen = [thing for thing in things if not thing.has("isPickedUp") and thing.object_type not in _UNSEEN]
    ids = [thing.object_id for thing in seen]
    eye = np.asarray(pose.position) + (0.0, EYE_HEIGHT, 0.0)
    rays, forward = _rays(pose)
    low = np.array([thing.low for thing in seen])
    high = np.array([_top(thing) for thing in seen])
    through = np.array(
        [thing.object_type not in _SURFACES and thing.has("receptacle") and not thing.is_shut for thing in seen]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = ((corner - eye) / rays[:, None] for corner in (low, high))
    enter = np.nanmax(np.minimum(first, second), axis=2)
    leave = np.nanmin(np.maximum(first, second), axis=2)
    met = (enter < leave) & (leave > 0.0)
    distance = np.where(met, np.where(through | (enter < 0.0), leave, enter), np.inf)
    sinks, counters = (np.array([thing.object_type in kinds for thing in seen]) for kinds in (_SINKS, {"CounterTop"}))
    distance = np.where(met[:, sinks].any(axis=1, keepdims=True) & counters, np.inf, distance)
    nearest = distance.argmin(axis=1)
    best = distance.min(axis=1)
    found = np.where(np.isfinite(best), nearest, -1).astype(np.int32).reshape(_SIZE, _SIZE)
    depth = np.where(np.isfinite(best), best * (rays @ forward), _FAR).astype(np.float32).reshape(_SIZE, _SIZE)
    return Segmentation(found, ids), depth


def _rays(pose: Pose) -> tuple[FloatArray, FloatArray]:
    right, up, forward = camera_axes(pose)
    at = (np.arange(_SIZE) + 0.5) / _SIZE * 2 - 1
    across, above = np.meshgrid(at, -at)
    rays = forward + np.outer(across, right) + np.outer(above, up)
    return rays / np.linalg.norm(rays, axis=1, keepdims=True), forward


def _top(thing: Thing) -> tuple[float, float, float]:
    x, y, z = thing.high
    if thing.object_type in _SINKS:
        return x, y + _SLAB, z
    return (x, min(y, thing.low.y + _SLAB), z) if thing.object_type in _SURFACES else (x, y, z)
