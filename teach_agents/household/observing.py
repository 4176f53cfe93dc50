"""Observations: what each role's screen shows, and the privileged parts it asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.handles import Handle
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


Memory = tuple[int, tuple[Utterance, ...], Action | None, ActionResult | None]
"""What a role has said and done so far: the turn, all dialogue, its last action and that action's result."""
_Shot = tuple[Moment, int, Pose | None, Shown | None]
"""What pictures show: the moment, pixels a side, where the Commander's camera is and what the search shows, if seen."""

_Draw = Handle["ByteArray"]
_Pictures = tuple[_Draw, _Draw | None, _Draw | None, _Draw | None, _Draw]
"""What draws an observation's pictures: the own view, the Follower's, the search's, the same lit, and from above."""


@dataclass
class Screens:
    """Makes observations of the present moment. Nothing is drawn until somebody looks at it."""

    _simulator: Simulator
    _frames: Frames
    _map: RoomMap
    _search: ObjectSearch
    _drawn: dict[Role, tuple[_Shot, Camera, _Pictures]] = field(default_factory=dict)

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
        free, shown = (commander, self._search.shown) if role is Role.COMMANDER else (None, None)
        shot = self._frames.moment, size, free, shown
        drawn = self._drawn.get(role)
        if drawn is None or drawn[0] != shot:
            drawn = self._drawn[role] = self._drawing(shot)
        _, camera, (view, small, target, lit, overhead) = drawn
        turn, dialogue, action, result = memory
        return Observation(
            role,
            turn,
            self._simulator.state.agent if free is None else free,
            View(view),
            dialogue,
            action,
            result,
            follower_view=None if small is None else View(small),
            target_view=None if target is None else View(target),
            target_lit=None if lit is None else View(lit),
            overhead=View(overhead),
            privileged=self._privileged(camera, size, privileges, queries),
        )

    def _drawing(self, shot: _Shot) -> tuple[_Shot, Camera, _Pictures]:
        """A role's own camera, and its pictures: each can be drawn as long as the world is as it is now."""
        moment, size, free, shown = shot
        body = follower_camera(self._simulator.state.agent)
        camera = body if free is None else commander_camera(free)
        rgb, target = partial(self._frames.rgb, moment), partial(self._target, moment, size, shown)
        pictures = (
            Handle(partial(rgb, camera, size)),
            None if free is None else Handle(partial(rgb, body, size)),
            None if shown is None else Handle(target),
            None if shown is None else Handle(partial(target, lit=True)),
            Handle(partial(self._overhead, shot, self._simulator.state.agent)),
        )
        return shot, camera, pictures

    def _target(self, moment: Moment, size: int, shown: Shown | None, *, lit: bool = False) -> ByteArray:
        assert shown is not None
        self._frames.check(moment)
        return self._search.picture(shown, size, lit=lit)

    def _overhead(self, shot: _Shot, follower: Pose) -> ByteArray:
        moment, size, commander, shown = shot
        rgb = self._frames.at(moment, self._map.camera, _RGB, size).rgb
        assert rgb is not None
        marks = [Mark.follower(follower)]
        if commander is not None:
            marks.append(Mark(commander.position, commander.yaw, COMMANDER_COLOUR))
        if shown is not None:
            marks.append(Mark(shown.camera.position, shown.camera.yaw, SEARCH_COLOUR))
        return self._map.drawn(rgb, marks)

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
