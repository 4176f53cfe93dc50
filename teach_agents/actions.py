"""What agents do: the 36 actions TEACh defines, the typed `Action` an agent returns, and the result it gets back.

Names, ids, dense indices and pose deltas are those of TEACh's released definitions, so that files and published
agents fit. TEACh's files call the Follower "Driver"; this package says Follower everywhere and translates at the
file's border (`teach_agents.data`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from numbers import Real

from teach_agents.core.values import Result
from teach_agents.errors import ActionError


class Role(StrEnum):
    """The two chairs of a session. The Commander knows the task; the Follower can act."""

    COMMANDER = "commander"
    FOLLOWER = "follower"

    @property
    def agent_id(self) -> int:
        """TEACh's `agent_id`: 0 for the Commander, 1 for the Follower."""
        return 0 if self is Role.COMMANDER else 1

    @property
    def partner(self) -> Role:
        """The other chair."""
        return Role.FOLLOWER if self is Role.COMMANDER else Role.COMMANDER


class ActionKind(StrEnum):
    """TEACh's `action_type` names."""

    MOTION = "Motion"
    MAP_GOAL = "MapGoal"
    OBJECT = "ObjectInteraction"
    CAMERA = "ChangeCamera"
    PROGRESS = "ProgressCheck"
    KEYBOARD = "Keyboard"
    AUDIO = "Audio"
    CONTROL = "Control"
    """Ours: `NoOp` and `Finish`, which TEACh's files cannot hold."""


@dataclass(frozen=True, slots=True)
class ActionType:
    """One row of TEACh's action table.

    `action_id` is the number in game files, `index` the dense one in EDH and TfD instances (-1 for our own
    control actions). `pose_delta` is [forward m, left m, up m, roll deg, pitch deg, yaw-left deg] of a motion.
    """

    action_id: int
    index: int
    name: str
    kind: ActionKind
    pose_delta: tuple[float, ...] = ()


_POSE_DELTAS: Mapping[str, tuple[float, ...]] = {
    "Stop": (0, 0, 0, 0, 0, 0),
    "Move to": (),
    "Forward": (0.25, 0, 0, 0, 0, 0),
    "Backward": (-0.25, 0, 0, 0, 0, 0),
    "Turn Left": (0, 0, 0, 0, 0, 90),
    "Turn Right": (0, 0, 0, 0, 0, -90),
    "Look Up": (0, 0, 0, 0, -30, 0),
    "Look Down": (0, 0, 0, 0, 30, 0),
    "Pan Left": (0, 0.25, 0, 0, 0, 0),
    "Pan Right": (0, -0.25, 0, 0, 0, 0),
    "Move Up": (0, 0, 0.25, 0, 0, 0),
    "Move Down": (0, 0, -0.25, 0, 0, 0),
    "Double Forward": (0.5, 0, 0, 0, 0, 0),
    "Double Backward": (-0.5, 0, 0, 0, 0, 0),
}
_INTERACTIONS = "Pickup Place Open Close ToggleOn ToggleOff Slice Dirty Clean Fill Empty Pour Break".split()
_TABLE: tuple[tuple[ActionKind, int, Iterable[str]], ...] = (
    (ActionKind.MOTION, 0, _POSE_DELTAS),
    (ActionKind.MAP_GOAL, 300, ("Navigation",)),
    (ActionKind.OBJECT, 200, _INTERACTIONS),
    (ActionKind.CAMERA, 400, ("BehindAboveOn", "BehindAboveOff")),
    (ActionKind.PROGRESS, 500, ("OpenProgressCheck", "SelectOid", "SearchObject")),
    (ActionKind.KEYBOARD, 100, ("Text",)),
    (ActionKind.AUDIO, 101, ("Speech", "Beep")),
)
"""TEACh's actions in their stored order of index: of each kind the first id, and the names."""


def _action_types() -> Iterator[ActionType]:
    numbered = ((kind, row) for kind, first, names in _TABLE for row in enumerate(names, first))
    for index, (kind, (action_id, name)) in enumerate(numbered):
        yield ActionType(action_id, index, name, kind, _POSE_DELTAS.get(name, ()))
    for action_id, name in ((-1, "NoOp"), (-2, "Finish")):
        yield ActionType(action_id, -1, name, ActionKind.CONTROL)


ACTION_TYPES: Mapping[str, ActionType] = {row.name: row for row in _action_types()}
"""Every action by name: TEACh's 36 in their stored order of index, then our two control actions."""

MOTIONS: tuple[str, ...] = (
    "Forward",
    "Backward",
    "Turn Left",
    "Turn Right",
    "Look Up",
    "Look Down",
    "Pan Left",
    "Pan Right",
)
"""The eight motions either role has (the Commander moves its camera with them)."""

STEPS = frozenset({"Forward", "Backward", "Pan Left", "Pan Right"})
"""The motions that take a body to another place, and that something can block."""

OBJECT_ACTIONS: tuple[str, ...] = ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour")
"""The Follower's eight object interactions; each takes a click."""

FOLLOWER_ACTIONS: tuple[str, ...] = (*MOTIONS, *OBJECT_ACTIONS, "Text", "Stop", "NoOp")
"""What a Follower may do in a session: TEACh's 16 actions, and Text, Stop, NoOp."""

COMMANDER_ACTIONS: tuple[str, ...] = (
    *MOTIONS,
    "OpenProgressCheck",
    "SelectOid",
    "SearchObject",
    "Text",
    "NoOp",
    "Finish",
)
"""What a Commander may do in a session."""

ROLE_ACTIONS: Mapping[Role, tuple[str, ...]] = {Role.COMMANDER: COMMANDER_ACTIONS, Role.FOLLOWER: FOLLOWER_ACTIONS}
"""What each role may do, in order."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _finite(value: object) -> float | None:
    """A real number of any type (numpy's included) as a float; `None` for anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


_BY_ROLE: Mapping[Role, frozenset[str]] = {role: frozenset(names) for role, names in ROLE_ACTIONS.items()}


@dataclass(frozen=True, slots=True)
class Action:
    """One action of either role.

    `x`, `y` are the click of an object interaction: fractions of the frame's width and height, x to the right, y
    down, origin top left. A click outside [0, 1) is a legal value that the household refuses as a failed action.
    `x` and `y` may be numbers of any real type and are kept as floats. `utterance` belongs to Text; `query` is the
    objectId of SelectOid or the words of SearchObject.

    Raises `ActionError` when the name is unknown or a parameter is missing, not finite, no proper text, or does not
    belong.
    """

    name: str
    x: float | None = None
    y: float | None = None
    utterance: str = ""
    query: str = ""

    def __post_init__(self) -> None:
        kind = self.type.kind
        for text in (self.utterance, self.query):
            if not isinstance(text, str):
                raise ActionError(f"action {self.name!r}", "utterance and query must be text", value=text)
            if not text.isascii() and _LONE_SURROGATE.search(text):
                problem = "utterance and query must be text that UTF-8 can hold (it has half a surrogate pair)"
                raise ActionError(f"action {self.name!r}", problem, value=text)
        if kind is ActionKind.OBJECT:
            self._check_click()
        elif self.x is not None or self.y is not None:
            raise ActionError(f"action {self.name!r}", "takes no click", value=(self.x, self.y))
        if self.utterance and kind not in (ActionKind.KEYBOARD, ActionKind.AUDIO):
            raise ActionError(f"action {self.name!r}", "takes no utterance", value=self.utterance)
        if self.query and kind is not ActionKind.PROGRESS:
            raise ActionError(f"action {self.name!r}", "takes no query", value=self.query)

    def _check_click(self) -> None:
        for axis, value in (("x", self.x), ("y", self.y)):
            number = _finite(value)
            if number is None:
                raise ActionError(
                    f"action {self.name!r}",
                    f"needs a finite click {axis}, got {value!r}",
                    valid=("a fraction of the frame in [0, 1)",),
                )
            object.__setattr__(self, axis, number)

    @property
    def type(self) -> ActionType:
        """The row of the action table; raises `ActionError` for an unknown name."""
        row = ACTION_TYPES.get(self.name) if isinstance(self.name, str) else None
        if row is None:
            raise ActionError("action", "unknown name", value=self.name, valid=ACTION_TYPES)
        return row

    def allowed_for(self, role: Role) -> bool:
        """Whether `role` may take this action in a session."""
        return self.name in _BY_ROLE[role]

    @classmethod
    def say(cls, utterance: str) -> Action:
        """Speak to the partner."""
        return cls("Text", utterance=utterance)

    @classmethod
    def click(cls, name: str, x: float, y: float) -> Action:
        """An object interaction at a point of the frame (fractions, x right, y down)."""
        return cls(name, x=x, y=y)

    @classmethod
    def progress_check(cls) -> Action:
        """Commander: open the progress check."""
        return cls("OpenProgressCheck")

    @classmethod
    def search(cls, words: str) -> Action:
        """Commander: search for an object by its type in words."""
        return cls("SearchObject", query=words)

    @classmethod
    def select(cls, object_id: str) -> Action:
        """Commander: show one object by its id."""
        return cls("SelectOid", query=object_id)

    @classmethod
    def stop(cls) -> Action:
        """Follower: end the session."""
        return cls("Stop")

    @classmethod
    def finish(cls) -> Action:
        """Commander: end the session."""
        return cls("Finish")

    @classmethod
    def wait(cls) -> Action:
        """Either role: let this turn pass."""
        return _WAIT

    def to_json(self) -> dict[str, object]:
        """The action as JSON, without absent fields."""
        full = {"name": self.name, "x": self.x, "y": self.y, "utterance": self.utterance, "query": self.query}
        return {key: value for key, value in full.items() if value not in (None, "")}

    @classmethod
    def from_json(cls, data: object) -> Action:
        """Read `to_json`'s form; raises `ActionError` naming an unknown or missing key or a wrong type."""
        if not isinstance(data, Mapping):
            raise ActionError("action", "must be a JSON object", value=data)
        known = ("name", "x", "y", "utterance", "query")
        for key in data:
            if key not in known:
                raise ActionError("action", "unknown key", value=key, valid=known)
        for key in ("utterance", "query"):
            if not isinstance(data.get(key, ""), str):
                raise ActionError("action", f"{key} must be text", value=data[key])
        if "name" not in data:
            raise ActionError("action", "lacks the key 'name'", value=dict(data))
        return cls(**data)


_WAIT = Action("NoOp")


@dataclass(frozen=True, slots=True)
class ActionResult(Result):
    """What became of an action in a household.

    `message` is the simulator's or the household's own line, `help` a hint for people or `None`, `object_id` the
    object acted upon when an interaction succeeded, `reply` the answer of a progress check or search as JSON in
    TEACh's format (specification 5.5 and 5.8).
    """

    help: str | None = None
    object_id: str | None = None
    reply: Mapping[str, object] | None = None

    def to_json(self) -> dict[str, object]:
        """The result as JSON, without absent fields."""
        full: dict[str, object] = {
            "success": self.success,
            "message": self.message,
            "help": self.help,
            "object_id": self.object_id,
            "reply": self.reply,
        }
        return {key: value for key, value in full.items() if value not in (None, "")}

    def hinted(self, hint: str) -> ActionResult:
        """The same with one more hint in its help."""
        return replace(self, help=" ".join(filter(None, (self.help, hint))))


DONE: Mapping[str, ActionResult] = {name: ActionResult(True, name) for name in ACTION_TYPES}
"""What becomes of an action that nothing more is to be said of."""
