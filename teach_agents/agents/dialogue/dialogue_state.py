"""What a talk has come to so far: the dialogue state, to be recorded, shown and resumed.

Acts are kept as they are written in the notation of meanings (`teach_agents.understanding.notation`); things by their
ids, which nobody is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from teach_agents.errors import InputError

_KEPT_DEEDS = 30
_RECENT = 8
"""Lines of the talk that readers are shown at most."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Things spoken of or acted upon: what they were called, and which they are as far as that was found out."""

    noun: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was asked for and is over: the act, whether it was done, what was said of it, and with what."""

    act: str
    done: bool
    said: str
    ids: tuple[str, ...] = ()
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the Follower's that waits for an answer.

    `about` is "which" (one of `options`), "what" (a thing that was not named), "where" (a place), "confirm" (whether it
    was meant) or "permit" (whether to do what is forbidden all the same). `order` is the act that waits for it, `slot`
    the number of its slot that is open.
    """

    about: str
    order: str
    slot: int = 0
    options: tuple[str, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """Something forbidden: an order's verb ("" for any), the nouns and ids it is about (none: all), how it was said;
    `but` are ids of what was allowed all the same."""

    verb: str
    nouns: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    said: str = ""
    but: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that a person told, in their words, and when; `noun` and `place` where it says where something is."""

    said: str
    turn: int = 0
    noun: str = ""
    place: str = ""


@dataclass
class DialogueState:
    """All of a talk that the Follower goes by; `recent` are its last lines, as readers are shown them."""

    recent: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    """The latest first."""
    question: Asked | None = None
    queue: list[str] = field(default_factory=list)
    """Acts that are still to be done, in order."""
    doing: str = ""
    deeds: list[Deed] = field(default_factory=list)
    """The latest last."""
    rules: list[Rule] = field(default_factory=list)
    facts: list[Told] = field(default_factory=list)
    last_said: str = ""
    origins: dict[str, str] = field(default_factory=dict)
    """By id of what an order moved: the id of what it was in or on before."""

    def note(self, line: str) -> None:
        """A line of the talk: "person: ...", "robot: ..." or "did: ..."."""
        self.recent = [*self.recent, line][-_RECENT:]

    def keep(self, deed: Deed) -> None:
        """An order is over."""
        self.deeds = [*self.deeds, deed][-_KEPT_DEEDS:]

    def mention(self, noun: str, ids: Iterable[str] = ()) -> None:
        """Something was spoken of, or acted upon, and is what "it" means next."""
        made = Mention(noun, tuple(ids))
        self.mentions = [made, *(one for one in self.mentions if one != made)][:_RECENT]

    def to_json(self) -> dict[str, Any]:
        """For records; `from_json` reads it."""
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> DialogueState:
        """A state as it was kept. Raises `InputError` for what is none."""
        try:
            return cls(
                recent=[str(line) for line in told["recent"]],
                mentions=[Mention(one["noun"], tuple(one["ids"])) for one in told["mentions"]],
                question=_asked(told["question"]),
                queue=[str(act) for act in told["queue"]],
                doing=str(told["doing"]),
                deeds=[
                    Deed(one["act"], one["done"], one["said"], tuple(one["ids"]), one["turn"]) for one in told["deeds"]
                ],
                rules=[
                    Rule(one["verb"], tuple(one["nouns"]), tuple(one["ids"]), one["said"], tuple(one.get("but", ())))
                    for one in told["rules"]
                ],
                facts=[Told(one["said"], one["turn"], one["noun"], one["place"]) for one in told["facts"]],
                last_said=str(told["last_said"]),
                origins={str(thing): str(place) for thing, place in told.get("origins", {}).items()},
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError("dialogue state", f"cannot be read: {error!r}") from error


def _asked(told: Mapping[str, Any] | None) -> Asked | None:
    if told is None:
        return None
    return Asked(told["about"], told["order"], told["slot"], tuple(told["options"]), told["said"])
