"""A world's scaffold: how its observations read, what may be chosen on seeing one, what a choice does; who plays by it.

With it language models, lots and people play in a world without knowing it. A world registers its own
(`World.scaffold`); one that says what can be done (`Valid`, or `valid_actions` of observations) needs none.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.codec import Codec, plain
from teach_agents.core.registry import load_target
from teach_agents.core.values import Result, Say, Stop, Utterance, Wait
from teach_agents.core.world import World
from teach_agents.errors import PluginError, SpecError

_PAST = 40
"""Lines of what was said and done that are remembered."""

ObservationT = TypeVar("ObservationT")

_OFFER = "valid_actions"
"""The part of an observation that says what can be done."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be chosen: `text` is what a model or a person reads, and no two of one moment are the same.

    `action` is what it stands for: an action, or several to be done one after another. With `words` it is to say
    something instead, and whoever chooses it finds the words.
    """

    text: str
    action: Any = None
    words: bool = False


class Scaffold(Generic[ObservationT]):
    """How one world is played by whoever does not know it. A subclass overrides what its world has otherwise.

    It keeps no state: the same observation reads the same and offers the same, in the same order. Who plays by it
    states its `privileges`. `tells_past` says that the text tells what was said and done before; where it does not,
    agents remember that by themselves. `ScaffoldContract` in `teach_agents.models.scaffold_conformance` tries it.
    """

    privileges: frozenset[str] = frozenset()
    tells_past: bool = False

    def __init__(self, codec: Codec[Any, Any, Any]) -> None:
        self.codec = codec

    def about(self, seat: str) -> str:
        """What a seat has to know of the world besides what it sees: what it is there for, how things go."""
        return ""

    def text(self, observation: ObservationT) -> str:
        """What an observation says: its `text`, or its parts by their names, but for pictures and what can be done."""
        said = getattr(observation, "text", None)
        if isinstance(said, str):
            return said
        told = _parts(observation)
        told.pop(_OFFER, None)
        return "\n".join(
            f"{name}: {_written(value)}" for name, value in told.items() if not isinstance(value, bytes | None)
        )

    def pictures(self, observation: ObservationT) -> Sequence[bytes]:
        """What an observation shows, as PNG or JPEG files: its parts that are bytes."""
        return [one for one in _parts(observation).values() if isinstance(one, bytes) and one]

    def candidates(self, observation: ObservationT, seat: str) -> Sequence[Candidate]:
        """What a seat may choose on seeing this: the `valid_actions` of the observation."""
        return [Candidate(in_words(action), action) for action in getattr(observation, _OFFER, ())]

    def offered(self, observation: ObservationT, seat: str, valid: Sequence[Any]) -> Sequence[Candidate]:
        """The `candidates`; where there are none, what the world says can be done (`valid`), as it reads."""
        return self.candidates(observation, seat) or [Candidate(in_words(action), action) for action in valid]

    def choose(self, candidate: Candidate, observation: ObservationT) -> Any:
        """What a choice does: an action, or a list of several."""
        return candidate.action

    @property
    def offers(self) -> bool:
        """Whether there are candidates in this world."""
        seen = self.codec.observation
        return (
            type(self).candidates is not Scaffold.candidates
            or hasattr(seen, _OFFER)
            or (is_dataclass(seen) and any(one.name == _OFFER for one in fields(seen)))
        )


def in_words(action: Any) -> str:
    """An action as it reads where nobody has put it better: `Go north`."""
    if isinstance(action, Say):
        return f'say "{action.text}"'
    if isinstance(action, Wait | Stop) or not is_dataclass(action):
        return str(action) if isinstance(action, str) else type(action).__name__.lower()
    return " ".join((type(action).__name__, *filter(None, map(_written, _parts(action).values()))))


def _parts(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by their names; nothing of anything else."""
    return {one.name: getattr(value, one.name) for one in fields(value)} if is_dataclass(value) else {}


def _written(value: Any) -> str:
    known = plain(value)
    return known if isinstance(known, str) else json.dumps(known, ensure_ascii=False)


def scaffold_of(world: World, *, offering: str = "") -> Scaffold[Any]:
    """The scaffold of a world, made with its codec: its own, or that of any world.

    Raises `PluginError` where its own cannot be made, and `SpecError`, saying for whom (`offering`), where it is needed
    to offer candidates and offers none.
    """
    target = Scaffold if world.scaffold is None else world.scaffold
    where = f"the scaffold of the world {world.codec.world!r}"
    factory = load_target(target, where) if isinstance(target, str) else target
    try:
        made: object = factory(world.codec)
    except Exception as error:
        raise PluginError(f"{where}: could not be made: {type(error).__name__}: {error}") from error
    if not isinstance(made, Scaffold):
        raise PluginError(f"{where}: must be a Scaffold, is {made!r}")
    if offering and not (world.knows_valid or made.offers):
        problem = (
            f"cannot play there: observations hold no {_OFFER}, the world says no knows_valid=True, "
            "and no scaffold says what may be chosen"
        )
        raise SpecError(f"{offering} in the world {world.codec.world!r}", problem)
    return made


class ScaffoldAgent(Agent):
    """Plays a seat by a world's scaffold: chooses a candidate (`_choose`), then does what that comes to.

    A choice of several actions is dropped where one of them fails. What was said and done is remembered in lines
    (`past`).
    """

    def __init__(self, scaffold: Scaffold[Any], seat: str) -> None:
        self.scaffold = scaffold
        self.seat = seat
        self.privileges = scaffold.privileges
        self._forget()

    def _forget(self) -> None:
        self.thought = None
        self.past: deque[str] = deque(maxlen=_PAST)
        self._plan: deque[Any] = deque()
        self._doing = ""

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget()

    def hear(self, utterance: Utterance) -> None:
        """Remember it."""
        self.past.append(f"{utterance.speaker}: {utterance.text}")

    def told(self, result: Result) -> None:
        """Remember it; what was to follow an action that failed is not done."""
        self.past.append(f"({self._doing}: {result.message or ('done' if result.success else 'failed')})")
        if not result.success:
            self._plan.clear()

    def act(self, observation: Any) -> Any:
        """The next action of what was chosen, or of a new choice."""
        self.thought = None
        if not self._plan:
            offered = self._offered(observation)
            chosen = self._choose(observation, offered)
            self._doing = chosen.text
            self._plan.extend(self._actions(chosen, observation))
        return self._plan.popleft()

    def _actions(self, chosen: Candidate, observation: Any) -> list[Any]:
        """What a choice does, at least one action."""
        done = self.scaffold.choose(chosen, observation)
        actions = [*done] if isinstance(done, list | tuple) else [done]
        return actions or [self.scaffold.codec.wait()]

    def _offered(self, observation: Any) -> dict[str, Candidate]:
        """The candidates by their texts; to wait, where there are none."""
        found = {one.text: one for one in self.scaffold.offered(observation, self.seat, self.valid_actions)}
        return found or {"wait": self._waiting()}

    @abstractmethod
    def _choose(self, observation: Any, offered: Mapping[str, Candidate]) -> Candidate:
        """Choose one; where that is to say something, a candidate with the action that says it."""

    def _waiting(self) -> Candidate:
        return Candidate("wait", self.scaffold.codec.wait())

    def _saying(self, words: str) -> Candidate:
        return Candidate(f"say: {words}", self.scaffold.codec.say(words))
