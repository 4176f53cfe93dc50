"""What a talk has come to so far: the dialogue state, to be recorded, shown and resumed.

Acts are kept as they are written in the notation of meanings (`teach_agents.understanding.notation`); things by their
ids, which nobody is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple

from teach_agents.agents.dialogue.purpose_rules import serves
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_meaning
from teach_agents.understanding.reader import LONGEST

_KEPT_DEEDS = 30
_FACTS_SIZE, _FACT_SIZE = 16_384, 64
"""Bytes that all facts take at most, of which each takes some besides its texts: a thought has room for the state."""
_RECENT = 8
"""Lines of the talk that readers are shown at most."""

MY_NAME = "my_name"
"""The noun of what somebody told of their name."""
TOGETHER, IN_TURN = "those", "them"
"""What mentions of several things are called: that one utterance named; to which the same was done in turn."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Things spoken of or acted upon: what they were called, and which they are as far as that was found out."""

    noun: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was asked for and is over: the act, whether it was done, what was said of it, and with what.

    `changed` is whether anything was acted upon for it: what was so already is done as well.
    """

    act: str
    done: bool
    said: str
    ids: tuple[str, ...] = ()
    turn: int = 0
    changed: bool = True


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
    """Something forbidden: an order's verb ("" for any), the nouns and ids it is about (none: all), how it was said.

    `but` are ids of what was allowed all the same; `places` and `place_ids` are nouns and ids of where it holds, if not
    everywhere: "do not put anything in the fridge". `unless` are words with which an order is free all the same: "only
    move if I say please". `looks` is what they have to be like: "nothing hot in the fridge".
    `whom` is the one of whom alone it is: "don't switch it on for Leo", `but_for` the one of whom it is
    not: "only Mum may move it". One that is `passing` holds for the orders of the same utterance alone: "turn
    everything off except the TV".
    """

    verb: str
    nouns: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    said: str = ""
    but: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    place_ids: tuple[str, ...] = ()
    unless: str = ""
    whom: str = ""
    but_for: str = ""
    looks: tuple[str, ...] = ()
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that a person told, in their words, and when.

    `noun` is what it is about, `place` where it says that is, `state` what it says of it; `what` is its description, in
    the notation of meanings; `ids` are the things that it was about, where these were known.
    """

    said: str
    turn: int = 0
    noun: str = ""
    place: str = ""
    state: str = ""
    what: str = ""
    ids: tuple[str, ...] = ()


class Task(NamedTuple):
    """An order that is still to be done, as an act, and the utterance that asked for it."""

    act: str
    said: str = ""


@dataclass
class DialogueState:
    """All of a talk that the Follower goes by; `recent` are its last lines, as readers are shown them."""

    recent: list[str] = field(default_factory=list)
    heard: int = 0
    """So many utterances of the session's dialogue are taken in."""
    taken: list[int] = field(default_factory=list)
    """The numbers of those that are the talk's, and not for the agent's own way."""
    waiting: list[str] = field(default_factory=list)
    """What was said and not attended to yet."""
    mentions: list[Mention] = field(default_factory=list)
    """The latest first."""
    question: Asked | None = None
    queue: list[Task] = field(default_factory=list)
    """What is still to be done, in order."""
    doing: str = ""
    """The order under way, as an act."""
    doing_said: str = ""
    """The utterance that asked for it."""
    paused: bool = False
    """Whether it was told to wait until it may go on."""
    left: list[Task] = field(default_factory=list)
    """What it was told to stop, and would take up again at "go on"."""
    last: str = ""
    """The order that "again" and "the other one" are about."""
    deeds: list[Deed] = field(default_factory=list)
    """The latest last."""
    rules: list[Rule] = field(default_factory=list)
    suspended: list[Rule] = field(default_factory=list)
    """Rules that are out of force for the order under way, which was permitted."""
    facts: list[Told] = field(default_factory=list)
    """The latest last; of more than are kept the oldest are forgotten."""
    last_said: str = ""
    opened: list[str] = field(default_factory=list)
    """Ids of what was opened on the way to something else."""
    origins: dict[str, str] = field(default_factory=dict)
    """By id of what an order moved: the id of what it was in or on before."""

    def note(self, line: str) -> None:
        """A line of the talk: "person: ...", "robot: ..." or "did: ..."."""
        self.recent = [*self.recent, line][-_RECENT:]

    def keep(self, deed: Deed) -> None:
        """An order is over. Of more than are kept the first stays, and the latest."""
        self.deeds = [*self.deeds[:1], *[*self.deeds[1:], deed][1 - _KEPT_DEEDS :]] if self.deeds else [deed]

    def know(self, facts: Iterable[Told]) -> None:
        """Facts were told; what was told before in the same words is told anew."""
        new = [replace(one, said=one.said[:LONGEST]) for one in facts]
        known = [one for one in self.facts if all(replace(one, turn=other.turn) != other for other in new)]
        self.facts = _latest([*known, *new])

    def forbid(self, rules: Iterable[Rule]) -> None:
        """Something was forbidden; what was forbidden before already is so in the latest words."""
        new = [replace(one, said=one.said[:LONGEST]) for one in rules]
        known = [one for one in self.rules if all(replace(one, said=other.said) != other for other in new)]
        self.rules = [*known, *new]

    def mention(self, noun: str, ids: Iterable[str] = ()) -> None:
        """Something was spoken of, or acted upon, and is what "it" means next."""
        made = Mention(noun, tuple(ids))
        self.mentions = [made, *(one for one in self.mentions if one != made)][:_RECENT]

    def mention_several(self, noun: str, groups: Iterable[Iterable[str]]) -> None:
        """Things of several mentions are what "them" means next; "it" is still the last one of them."""
        ids = tuple(dict.fromkeys(name for group in groups for name in group))
        if len(ids) > 1:
            self.mention(noun, ids)

    @property
    def speaker(self) -> str:
        """The name of whoever speaks; "" where nobody told theirs."""
        return next((fact.state for fact in reversed(self.facts) if fact.noun == MY_NAME), "")

    @property
    def in_force(self) -> list[Rule]:
        """The rules that hold for whoever speaks, and for the order under way."""
        speaker = self.speaker.lower()
        held = [rule for rule in self.rules if not rule.whom or not speaker or rule.whom.lower() == speaker]
        held = [rule for rule in held if not rule.but_for or rule.but_for != speaker]
        orders = read_meaning(self.doing) if self.doing and held else ()
        return [rule for rule in held if not any(serves(order, rule.said) for order in orders)]

    @property
    def single(self) -> Sequence[Mention]:
        """The mentions but for those of several things together, the latest first."""
        return [one for one in self.mentions if one.noun not in (TOGETHER, IN_TURN)]

    def to_json(self) -> dict[str, Any]:
        """For records; `from_json` reads it."""
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> DialogueState:
        """A state as it was kept. Raises `InputError` for what is none."""
        try:
            return cls(
                recent=[str(line) for line in told["recent"]],
                heard=int(told["heard"]),
                taken=[int(number) for number in told["taken"]],
                waiting=[str(text) for text in told["waiting"]],
                mentions=[Mention(one["noun"], tuple(one["ids"])) for one in told["mentions"]],
                question=_asked(told["question"]),
                queue=_tasks(told["queue"]),
                doing=str(told["doing"]),
                doing_said=str(told["doing_said"]),
                paused=bool(told["paused"]),
                left=_tasks(told["left"]),
                last=str(told["last"]),
                deeds=[
                    Deed(
                        *(one["act"], one["done"], one["said"], tuple(one["ids"]), one["turn"]),
                        changed=one.get("changed", True),
                    )
                    for one in told["deeds"]
                ],
                rules=_rules(told["rules"]),
                suspended=_rules(told["suspended"]),
                facts=[Told(**{**one, "ids": tuple(one.get("ids", ()))}) for one in told["facts"]],
                last_said=str(told["last_said"]),
                opened=[str(one) for one in told.get("opened", [])],
                origins={str(thing): str(place) for thing, place in told.get("origins", {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError("dialogue state", f"cannot be read: {error!r}") from error

    @classmethod
    def taken_up(cls, told: Mapping[str, Any]) -> DialogueState:
        """A talk that goes on from what `Changes` told of it: every rule is in force again. Raises `InputError`."""
        state = cls.from_json({**cls().to_json(), **told})
        state.rules, state.suspended = [*state.suspended, *state.rules], []
        return state

    def forget_ids(self, noun_of: Callable[[str], str]) -> None:
        """Ids mean other things now: a rule about one thing becomes one about its kind, a question of which one is left
        open. `noun_of` names the kind of what had an id."""
        self.mentions = [replace(one, ids=()) for one in self.mentions]
        self.deeds = [replace(one, ids=()) for one in self.deeds]
        self.facts = [replace(one, ids=()) for one in self.facts]
        self.origins = {}
        self.rules = [
            replace(
                one,
                nouns=(*one.nouns, *map(noun_of, one.ids)),
                places=(*one.places, *map(noun_of, one.place_ids)),
                ids=(),
                but=(),
                place_ids=(),
            )
            for one in self.rules
        ]
        if self.question is not None and self.question.options:
            self.question = replace(self.question, about="what", options=())


class Changes:
    """What of a dialogue state changed since that was last told. Lines of the talk alone make no news."""

    _LINES = frozenset({"recent", "last_said", "heard"})

    def __init__(self, state: DialogueState) -> None:
        self._state = state
        self._told = self._now()

    def take(self, *, anyway: bool = False) -> dict[str, Any]:
        """The parts that changed, as JSON; where no more than lines did, nothing, unless they are wanted `anyway`."""
        now = self._now()
        changed = {name for name, value in now.items() if value != self._told[name]}
        if not anyway and changed <= self._LINES:
            return {}
        self._told = now
        return {name: value for name, value in self._state.to_json().items() if name in changed}

    def _now(self) -> dict[str, Any]:
        values = {one.name: getattr(self._state, one.name) for one in fields(self._state)}
        return {name: [*value] if isinstance(value, list) else value for name, value in values.items()}


def _latest(facts: Sequence[Told]) -> list[Told]:
    """As many of the latest facts as are kept, one at least."""
    size, first = 0, len(facts)
    for number, fact in reversed([*enumerate(facts)]):
        texts = (fact.said, fact.noun, fact.place, fact.state, fact.what, *fact.ids)
        size += _FACT_SIZE + sum(len(text.encode(errors="replace")) for text in texts)
        if size > _FACTS_SIZE and first < len(facts):
            break
        first = number
    return list(facts[first:])


def _tasks(told: Iterable[Iterable[str]]) -> list[Task]:
    return [Task(str(act), str(said)) for act, said in told]


def _rules(told: Iterable[Mapping[str, Any]]) -> list[Rule]:
    return [
        Rule(
            one["verb"],
            tuple(one["nouns"]),
            tuple(one["ids"]),
            one["said"],
            tuple(one.get("but", ())),
            tuple(one.get("places", ())),
            tuple(one.get("place_ids", ())),
            str(one.get("unless", "")),
            str(one.get("whom", "")),
            str(one.get("but_for", "")),
            tuple(one.get("looks", ())),
            passing=bool(one.get("passing", False)),
        )
        for one in told
    ]


def _asked(told: Mapping[str, Any] | None) -> Asked | None:
    if told is None:
        return None
    return Asked(told["about"], told["order"], told["slot"], tuple(told["options"]), told["said"])
