"""The Follower's body: what it observes now, what it remembers, and how it gets about.

Skills are generators that yield one action a turn; between two yields the body has seen what became of it. A skill
that cannot be done raises `SkillError`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from operator import is_not

import numpy as np

from teach_agents.actions import Action, ActionResult
from teach_agents.agents.acting.knowledge import Knowledge, knowledge_of
from teach_agents.agents.acting.looking import REACH, Pixels, pixels_of
from teach_agents.agents.acting.navigation import GRID, Cell, Paths, Stand, cells_of, neighbour, stand_of
from teach_agents.agents.acting.things import Test, Thing, Things
from teach_agents.agents.acting.vantages import Sights, Vantage, Vantages, sights, weighed
from teach_agents.core.control import NOT_DONE
from teach_agents.errors import TeachAgentsError
from teach_agents.observations import Observation, Pose, Vec3
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.values import Reference, ReportKind

Steps = Generator[Action, None, None]
"""A skill under way."""

Finding = Generator[Action, None, Thing]
"""A skill under way that ends with a thing."""

_NO_RESULT = ActionResult(False)
_REPLANS = 5
_LOOK = 30.0


class SkillError(TeachAgentsError):
    """A step could not be done: why, and with which thing or kind of thing."""

    def __init__(self, kind: ReportKind, thing: Thing | None = None, noun: str = "") -> None:
        self.kind = kind
        self.thing = thing
        self.noun = thing.object_type if thing else noun
        super().__init__(f"{kind.value}: {self.noun}")


def not_found(noun: str) -> SkillError:
    """What a step lacks where nothing is known that is called so."""
    return SkillError(ReportKind.NOT_FOUND, noun=noun)


@dataclass
class Memory:
    """What the Follower learnt by acting in this session."""

    blocked: set[tuple[Cell, Cell]] = field(default_factory=set)
    good_stands: dict[str, Stand] = field(default_factory=dict)
    poor_stands: dict[str, set[Stand]] = field(default_factory=dict)
    in_vain: set[tuple[str, Vec3, Stand, int]] = field(default_factory=set)
    """Action and object, its position, and from which stand and pitch it was refused for being the wrong one."""
    troubles: Counter[str] = field(default_factory=Counter)
    margins: dict[str, float] = field(default_factory=dict)
    """By id of what refused a thing although its box had room there: how much more room to look for, metres."""
    refused: dict[tuple[str, str, int], list[tuple[float, float, float]]] = field(default_factory=dict)
    """By ids of holder and thing, and by how much the holder held: points where the thing found no room."""
    knobs: dict[str, str] = field(default_factory=dict)
    handled: list[str] = field(default_factory=list)
    """Ids of what was acted upon, latest last."""
    used: list[str] = field(default_factory=list)
    """Ids of what things were put on or in, latest last."""
    taken_from: dict[str, str] = field(default_factory=dict)
    """By id of what was taken: the id of the furniture on or in which it was."""
    stood_at: dict[str, Vec3] = field(default_factory=dict)
    """By id of what was taken: where its middle was."""
    kept: set[str] = field(default_factory=set)
    """Ids of what was put where it is because it was asked for."""
    off_limits: frozenset[str] = frozenset()
    """Ids of what nothing is to be set aside on, as it was forbidden."""
    may_open: Test = lambda thing: True
    """Whether a search may open a thing, which may be forbidden."""
    hints: list[tuple[str, Reference]] = field(default_factory=list)
    """What a thing is called and where it was said to be."""
    sought: str = ""
    """What was looked for last."""
    looked_into: Counter[str] = field(default_factory=Counter)
    """By id: how often it was looked at or into to find something."""
    unseen_inside: dict[str, float] = field(default_factory=dict)
    """By id of what was looked into: the share of its inside that did not show."""
    unopened: Counter[str] = field(default_factory=Counter)
    """By id: how often it could not be opened to be looked into."""
    looked_over: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    """By id of what things lie on: the columns of it that a view should have shown."""


class Ground:
    """What one can stand on: points in metres, cells, and the cells as N x 2 numbers."""

    def __init__(self, points: frozenset[tuple[float, float]]) -> None:
        self.points = points
        self.cells: frozenset[Cell] = cells_of(
            np.rint(np.array([*points], np.float64).reshape(-1, 2) / GRID).astype(np.int64)
        )
        self.grid = np.array([*self.cells], np.int64).reshape(-1, 2)


class Body:
    """The latest observation, with what follows from it worked out when first asked for."""

    observation: Observation

    def __init__(self) -> None:
        self.memory = Memory()
        self.failures = 0
        self.home: Stand | None = None
        """Where it stood when it first saw: whoever speaks to it is taken to be there."""
        self._things: Things | None = None
        self._known: Things | None = None
        self._known_paths: tuple[tuple[Stand, frozenset[Cell], int], Paths] | None = None
        self._ground = Ground(frozenset())
        self._layout: tuple[object, object] | None = None
        self._sights: dict[tuple[Thing, tuple[Vec3, ...]], Sights] = {}
        self._vantages: dict[tuple[Thing, tuple[Vec3, ...]], Vantages] = {}
        self._pixels: dict[frozenset[str], Pixels] = {}

    def see(self, observation: Observation) -> None:
        """A new turn: the last action was carried out."""
        self.observation = observation
        if self.home is None:
            self.home = self.stand
        self.failures += not self.succeeded and observation.last_result is not None
        self._things = None
        self._pixels = {}

    @property
    def _result(self) -> ActionResult:
        return self.observation.last_result or _NO_RESULT

    @property
    def succeeded(self) -> bool:
        """Whether the last action worked."""
        return self._result.success

    @property
    def message(self) -> str:
        """What the simulator said about the last action."""
        return self._result.message

    @property
    def acted_on(self) -> str | None:
        """The type of what the last action was done to, as its result says; `None` where it says nothing of it."""
        target = self._result.object_id
        return None if target is None else type_from_id(target)

    @property
    def hint(self) -> str:
        """What people are told to do about a failed action, with what dialogue hooks add; or nothing."""
        return self._result.help or ""

    @property
    def pose(self) -> Pose:
        """Where the body is."""
        return self.observation.pose

    @property
    def stand(self) -> Stand:
        """The body's cell and heading."""
        return stand_of(self.pose)

    @property
    def things(self) -> Things:
        """Everything in the room."""
        if self._things is None:
            self._things = self._known = Things.now(self.observation.privileged.lasting_objects, self._known)
        return self._things

    @property
    def has_seen(self) -> bool:
        """Whether anything was observed yet."""
        return "observation" in vars(self)

    @property
    def knowledge(self) -> Knowledge | None:
        """What is known of one's own map; `None` for a body that knows the whole room."""
        return knowledge_of(self.observation)

    @property
    def known_ground(self) -> object:
        """What is known of the ground (`Knowledge.ground`); `None` for a body that is told where it can stand."""
        return None if self.knowledge is None else self.knowledge.ground

    @property
    def held(self) -> Thing | None:
        """What is in the hand."""
        return self.things.held

    def holds(self, thing: Thing) -> bool:
        """Whether this is in the hand."""
        return self.held is not None and self.held.object_id == thing.object_id

    @property
    def last_handled(self) -> Thing | None:
        """What was acted upon last, unless it is gone."""
        return self.things.get(self.memory.handled[-1]) if self.memory.handled else None

    def holders(self, thing: Thing) -> list[Thing]:
        """What a thing is in or on now, nearest first. Raises `SkillError` when it is gone."""
        return self.things.holders(self.now(thing))

    def is_now(self, thing: Thing, flag: str) -> bool:
        """Whether a metadata property of a thing is true now. Raises `SkillError` when it is gone."""
        return self.now(thing).has(flag)

    def is_gone(self, thing: Thing) -> bool:
        """Whether a thing is known of no more: it is not where it was taken to be, or nothing of the kind."""
        return self.things.get(thing.object_id) is None

    def now(self, thing: Thing) -> Thing:
        """The thing as it is now. Raises `SkillError` when it is gone."""
        found = self.things.get(thing.object_id)
        if found is None:
            raise SkillError(ReportKind.NOT_FOUND, thing)
        return found

    @property
    def ground(self) -> Ground:
        """Cells one can stand on.

        They are asked for again only when something was moved, opened or closed, or when more is known of the ground.
        """
        layout = self.things.layout, self.known_ground
        if self._layout is None or any(map(is_not, layout, self._layout)):
            self._layout = layout
            points = self.observation.privileged.reachable
            self._vantages = {}
            if self._ground.points != points:
                self._ground = Ground(points)
                self._sights = {}
        return self._ground

    @property
    def paths(self) -> Paths:
        """Ways from here to everywhere, around what was found to be blocked."""
        start = self.stand, self.ground.cells, len(self.memory.blocked)
        if self._known_paths is None or self._known_paths[0] != start:
            self._known_paths = start, Paths(*start[:2], self.memory.blocked)
        return self._known_paths[1]

    @property
    def reach(self) -> float:
        """How far away what is clicked on may be by one's own map, metres: less where places may be wrong."""
        known = self.knowledge
        return REACH * (1 - (known.doubt if known is not None else 0.0))

    def vantages(self, target: Thing, extra: tuple[Vec3, ...] = ()) -> Vantages:
        """From where a thing should be in reach and in view, see `sights` and `weighed`."""
        grid = self.ground.grid
        found = self._vantages.get((target, extra))
        if found is None:
            seen = self._sights.get((target, extra))
            if seen is None:
                seen = self._sights[target, extra] = sights(target, grid, self.pose.position.y, extra, self.reach)
            found = self._vantages[target, extra] = weighed(target, self.things, seen)
        return found

    def pixels(self, ids: frozenset[str]) -> Pixels:
        """Where the view shows any of these objects, or what may be one of them, within reach."""
        known = self.knowledge
        if known is not None and known.covered:
            ids = ids.union(*(known.covered.get(name, ()) for name in ids))
        if ids not in self._pixels:
            privileged = self.observation.privileged
            self._pixels[ids] = pixels_of(ids, privileged.segmentation, privileged.depth, self.pose, self.reach)
        return self._pixels[ids]

    def distance(self, point: Vec3) -> float:
        """On the map, metres."""
        here = self.pose.position
        return float(((here.x - point.x) ** 2 + (here.z - point.z) ** 2) ** 0.5)


def attempted(steps: Steps, only: ReportKind | None = None) -> Generator[Action, None, SkillError | None]:
    """Take these steps; what kept them from being done, `None` where nothing did.

    Raises `SkillError` of another kind than `only`, where that is given.
    """
    try:
        yield from steps
    except SkillError as error:
        if only not in (None, error.kind):
            raise
        return error
    return None


def go_to(body: Body, vantage: Vantage) -> Steps:
    """Walk to a vantage and look as it says; a blocked move is remembered and walked around, one not done made anew."""
    for _ in range(_REPLANS):
        if body.paths.cost(vantage.stand) == math.inf:
            raise SkillError(ReportKind.NOT_REACHED)
        for action in body.paths.way(vantage.stand):
            before = body.stand
            yield Action(action)
            if body.message == NOT_DONE:
                break
            if body.stand != neighbour(before, action):
                body.memory.blocked.add((before[0], neighbour(before, action)[0]))
                break
        if body.stand == vantage.stand:
            yield from tilt(body, vantage.horizon)
            return
    raise SkillError(ReportKind.NOT_REACHED)


def tilt(body: Body, horizon: float) -> Steps:
    """Look up or down until the pitch is the wanted one, or moves no more."""
    while abs(body.pose.horizon - horizon) >= _LOOK / 2:
        before = body.pose.horizon
        yield Action("Look Down" if horizon > before else "Look Up")
        if abs(body.pose.horizon - before) < 1.0:
            return


_STRETCHES = 6
"""How often one goes on from where more ground shows."""
_APART = 2
"""How far from each other these places are at least, cells."""
_PITCH = 30
"""At which the floor ahead is in view, degrees."""


def approach(body: Body, target: Thing) -> Steps:
    """Go as near to a thing as the known ground leads, and on as long as that shows more of it, until there is a place
    to stand from which the thing is in reach.

    Nothing is done where one is told where one can stand.
    """
    if body.known_ground is None:
        return
    been: list[Cell] = []
    for _ in range(_STRETCHES):
        target = body.things.get(target.object_id) or target
        vantages = body.vantages(target)
        if np.isfinite(body.paths.costs(vantages.cells, vantages.headings)).any():
            return
        nearest = _nearest(body, target, been)
        if nearest is None:
            return
        been.append(nearest)
        yield from attempted(go_to(body, Vantage((nearest, _towards(nearest, target)), _PITCH, 0.0, target.center)))


def _nearest(body: Body, target: Thing, been: list[Cell]) -> Cell | None:
    """The cell with a way to it that is nearest to a thing, at some distance from where one has been."""
    cells = np.array([*body.paths.cells], np.int64).reshape(-1, 2)
    for cell in been:
        cells = cells[np.abs(cells - cell).sum(axis=1) >= _APART]
    if not len(cells):
        return None
    away = np.hypot(*(cells * GRID - (target.center.x, target.center.z)).T)
    x, z = cells[away.argmin()].tolist()
    return x, z


def _towards(cell: Cell, target: Thing) -> int:
    """The heading in which a thing lies from a cell."""
    return round(math.degrees(math.atan2(target.center.x - cell[0] * GRID, target.center.z - cell[1] * GRID)) / 90) % 4
