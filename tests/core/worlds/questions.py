"""Questions that are charged: whoever asks is answered by the world, and pays; 40 moves, questions among them."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Status
from teach_agents.core.values import Event, Result, Say, Stop, Wait

PRICES = {"colour": 10.0, "size": 10.0, "clearly": 30.0}
THINGS = tuple((colour, size) for colour in ("red", "blue", "green") for size in ("large", "small"))


@dataclass(frozen=True)
class Wish:
    """The thing that is meant, by its number."""

    instance_id: str
    meant: int


@dataclass(frozen=True)
class Ask:
    about: str


@dataclass(frozen=True)
class Bring:
    thing: int


@dataclass(frozen=True)
class Room:
    things: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]
    moves: int


class Errand(Environment[Wish, Ask | Bring, Room]):
    """One seat: somebody wants one of six things, and says which when asked."""

    codec = Codec("errand", instance=Wish, actions=(Ask, Bring), observation=Room)
    seats = ("robot",)

    def reset(self, instance: Wish, seed: int) -> Sequence[Event]:
        self.wish, self.moves, self.over, self.success = instance, 0, "", False
        self.polite = random.Random(seed).choice(("", "Please: "))
        self.answers: tuple[str, ...] = ()
        return (Event("request", {"text": "Bring me that."}),)

    def status(self) -> Status:
        return Status(self.over, "brought" if self.success else "failed")

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Room:
        return Room(THINGS, self.answers, self.moves)

    def act(self, seat: str, action: Any) -> Result:
        if self.over:
            return Result(False, "it is over")
        self.moves += 1
        result = self.done(action)
        self.over = self.over or ("the 40 moves are spent" if self.moves == 40 else "")
        return result

    def done(self, action: Any) -> Result:
        if isinstance(action, Ask):
            colour, size = THINGS[self.wish.meant]
            known = {"colour": colour, "size": size, "clearly": f"{size} {colour}"}.get(action.about, "I cannot say")
            self.answers += (f"{self.polite}{known}.",)
            told = Event("answered", {"about": action.about, "text": known})
            return Result(True, self.answers[-1], cost=PRICES.get(action.about, 10.0), events=(told,))
        if isinstance(action, Bring):
            self.success = action.thing == self.wish.meant
            self.over = "it is the one" if self.success else ""
            return Result(self.success, "" if self.success else "not this one", cost=1, trace={"thing": action.thing})
        self.over = "the robot stopped" if isinstance(action, Stop) else ""
        return Result(isinstance(action, Say | Wait | Stop), "I cannot understand.", cost=1)
