"""Observations: what each role's screen shows, and the privileged parts it asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.household.commander import commander_camera
from teach_agents.household.frames import SHAPES, Frames, Moment
from teach_agents.household.map import COMMANDER_COLOUR, SEARCH_COLOUR, Mark, RoomMap
from teach_agents.household.search import ObjectSearch, Shown
from teach_agents.observations import Observation, Pose, Privilege, Privileged, Segmentation, Utterance, View
from teach_agents.simulator.contract import Camera, Channel, Simulator, follower_camera

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


Queries = Mapping[Privilege, Callable[[], object]]
"""What makes the privileged parts of an observation that are no pictures."""
_RGB = frozenset({Channel.RGB})


@dataclass(frozen=True, slots=True)
class Memory:
    """What a role has said and done so far: the turn, all dialogue, its last action and that action's result."""

    turn: int
    dialogue: tuple[Utterance, ...]
    last_action: Action | None
    last_result: ActionResult | None


class Screens:
    """Makes observations of the present moment. Nothing is drawn until somebody looks at it."""

    def __init__(self, simulator: Simulator, frames: Frames, room_map: RoomMap, search: ObjectSearch) -> None:
        self._simulator = simulator
        self._frames = frames
        self._map = room_map
        self._search = search
        standing = simulator.state.agent
        self._body = standing, follower_camera(standing)

    def of(
        self,
        role: Role,
        commander: Pose,
        memory: Memory,
        privileges: Collection[Privilege],
        queries: Queries,
        *,
        size: int,
    ) -> Observation:
        """What `role` sees, `size` pixels a side. `queries` make the privileged parts that are no pictures."""
        follower = self._simulator.state.agent
        if follower is not self._body[0]:
            self._body = follower, follower_camera(follower)
        body = self._body[1]
        mine = commander_camera(commander) if role is Role.COMMANDER else body
        shown = self._search.shown if role is Role.COMMANDER else None
        return Observation(
            role=role,
            turn=memory.turn,
            pose=commander if role is Role.COMMANDER else follower,
            view=self._frames.view(mine, size),
            dialogue=memory.dialogue,
            last_action=memory.last_action,
            last_result=memory.last_result,
            follower_view=self._frames.view(body, size) if role is Role.COMMANDER else None,
            target_view=None if shown is None else self._target(shown, size),
            target_lit=None if shown is None else self._target(shown, size, lit=True),
            overhead=self._overhead(size, follower, commander if role is Role.COMMANDER else None, shown),
            privileged=self._privileged(mine, size, privileges, queries),
        )

    def _target(self, shown: Shown, size: int, *, lit: bool = False) -> View:
        moment = self._frames.moment

        def picture() -> ByteArray:
            self._frames.check(moment)
            return self._search.picture(shown, size, lit=lit)

        return View(picture)

    def _overhead(self, size: int, follower: Pose, commander: Pose | None, shown: Shown | None) -> View:
        moment = self._frames.moment

        def picture() -> ByteArray:
            rgb = self._frames.at(moment, self._map.camera, _RGB, size).rgb
            assert rgb is not None
            marks = [Mark.follower(follower)]
            if commander is not None:
                marks.append(Mark(commander.position, commander.yaw, COMMANDER_COLOUR))
            if shown is not None:
                marks.append(Mark(shown.camera.position, shown.camera.yaw, SEARCH_COLOUR))
            return self._map.drawn(rgb, marks)

        return View(picture)

    def _privileged(
        self,
        camera: Camera,
        size: int,
        privileges: Collection[Privilege],
        queries: Queries,
    ) -> Privileged:
        if not privileges:
            return Privileged()
        moment = self._frames.moment
        made: dict[Privilege, Callable[[], object]] = {}
        for privilege in privileges:
            if privilege == Privilege.SEGMENTATION:
                made[privilege] = partial(self._segmentation, moment, camera, size)
            elif privilege == Privilege.DEPTH:
                made[privilege] = partial(self._depth, moment, camera, size)
            elif privilege == Privilege.GROUND_TRUTH:
                made[privilege] = _nothing
            else:
                made[privilege] = partial(self._answer, moment, queries[privilege])
        return Privileged(made)

    def _answer(self, moment: Moment, ask: Callable[[], object]) -> object:
        self._frames.check(moment)
        return ask()

    def _depth(self, moment: Moment, camera: Camera, size: int) -> object:
        depth = self._frames.at(moment, camera, SHAPES, size).depth
        assert depth is not None
        return depth.copy()

    def _segmentation(self, moment: Moment, camera: Camera, size: int) -> Segmentation:
        frame = self._frames.at(moment, camera, SHAPES, size)
        assert frame.ids is not None
        return Segmentation(frame.ids.copy(), tuple(frame.object_ids))


def _nothing() -> None:
    """What an observation holds of the ground truth."""
