"""The low-level language: action strings one way, where the Follower stands and how it went the other way; a queue of
primitive actions is all that its Follower is.

The Commander says `Forward Forward TurnRight LookUp Pickup Mug at 0.57 0.25`: motions as one word each, interactions
with an object's name and a click (fractions of the frame, x to the right, y down). The Follower says what became of
it and where it stands, for nobody else can know: `Done. At 1.50 0.90 -0.50 facing 180 looking 30. What should I do
next?`
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Pose, Vec3

_QUESTION = "What should I do next?"
_WORDS = {name.replace(" ", ""): name for name in MOTIONS}
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_STATUS = re.compile(
    rf"(?:Failed (?P<index>\d+)(?: (?P<why>.*?))?\. |Done\. )?At {_NUMBER} {_NUMBER} {_NUMBER} facing {_NUMBER} "
    rf"looking {_NUMBER}\.",
    re.DOTALL,
)
_CLICK = re.compile(rf"({'|'.join(OBJECT_ACTIONS)}) (?:(\S+) )?at {_NUMBER} {_NUMBER}(?: |$)")


@dataclass(frozen=True, slots=True)
class Status:
    """Where the Follower stands, and which action of the last string failed (`None`: all worked) and why."""

    pose: Pose
    failed: int | None = None
    why: str = ""


def write_actions(actions: Sequence[Action], names: Sequence[str]) -> str:
    """Actions as one string; `names` gives the object's type for each interaction and is ignored for motions."""
    words = []
    for action, name in zip(actions, names, strict=True):
        if action.x is None or action.y is None:
            words.append(action.name.replace(" ", ""))
        else:
            words.append(f"{action.name} {name} at {action.x:.4f} {action.y:.4f}")
    return " ".join(words)


def read_actions(utterance: str) -> list[Action]:
    """The actions of a string, in order; reading stops at the first word that is none."""
    found: list[Action] = []
    rest = utterance.strip()
    while rest:
        click = _CLICK.match(rest)
        if click:
            found.append(Action.click(click[1], float(click[3]), float(click[4])))
            rest = rest[click.end() :].lstrip()
            continue
        word, _, rest = rest.partition(" ")
        if word not in _WORDS:
            break
        found.append(Action(_WORDS[word]))
        rest = rest.lstrip()
    return found


def write_status(status: Status, first: bool = False) -> str:
    """What the Follower says when it has nothing left to do; nothing went before it when `first`."""
    (x, y, z), yaw, horizon = status.pose.position, status.pose.yaw, status.pose.horizon
    place = f"At {x:.2f} {y:.3f} {z:.2f} facing {yaw:.0f} looking {horizon:.0f}. {_QUESTION}"
    if first:
        return place
    if status.failed is None:
        return f"Done. {place}"
    return f"Failed {status.failed} {status.why.replace('.', ',').strip()}. {place}"


def read_status(utterance: str) -> Status | None:
    """What the Follower said, or `None` when it is something else."""
    match = _STATUS.match(utterance.strip())
    if match is None:
        return None
    numbers = [float(number) for number in match.groups()[2:]]
    pose = Pose(Vec3(*numbers[:3]), numbers[3], numbers[4])
    return Status(pose, int(match["index"]) if match["index"] else None, match["why"] or "")


class LowLevelFollower(Agent):
    """Carries out the actions it is told, stops at the first that fails, and says where it stands. No privileges."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._queue: deque[Action] = deque()
        self._done = 0
        self._heard = 0
        self._asked = False

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget()

    def act(self, observation: Observation) -> Action:
        """The next action of the queue, a report when it is empty, or listening."""
        if not self._asked:
            self._asked = True
            self._heard = len(observation.dialogue)
            return Action.say(write_status(Status(observation.pose), first=True))
        if self._done:
            result = observation.last_result
            if result is not None and not result.success:
                return self._report(Status(observation.pose, self._done - 1, result.message))
            if not self._queue:
                return self._report(Status(observation.pose))
        self._listen(observation)
        if not self._queue:
            return Action.wait()
        self._done += 1
        return self._queue.popleft()

    def _listen(self, observation: Observation) -> None:
        for said in observation.dialogue[self._heard :]:
            if said.speaker is Role.COMMANDER:
                self._queue.extend(read_actions(said.text))
        self._heard = len(observation.dialogue)

    def _report(self, status: Status) -> Action:
        self._queue.clear()
        self._done = 0
        return Action.say(write_status(status))
