"""Playing a world for its conformance suite: what the suite says of it, and episodes played to their end."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar

from teach_agents.core.codec import plain
from teach_agents.core.environment import Clocked, Environment, Prefixed, valid_actions
from teach_agents.core.json_types import JsonObject
from teach_agents.core.values import Event, Result, Say, Stop, Wait

_SEED = 3
_LATER_MS = 250


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done in an episode: its reset, an action of a seat, or time that passed (neither has a seat)."""

    events: tuple[Event, ...] = ()
    seat: str = ""
    action: Any = None
    result: Result | None = None
    forced: bool = False
    """Whether it belongs to a stated prefix."""


class Playthrough(ABC):
    """How a world is made and played. Environments are used one after the other, each is closed."""

    longest: ClassVar[int] = 60
    """Actions after which who plays does nothing but stop; within as many the episode must then be over."""
    tick: ClassVar[float] = 0.5
    """Seconds between two actions where the world has a clock."""

    @abstractmethod
    def make_environment(self) -> Environment[Any, Any, Any]:
        """A fresh environment."""

    @abstractmethod
    def instances(self) -> Sequence[Any]:
        """Instances to play, two at best; episodes that are short and show much."""

    def choose(self, environment: Any, seat: str, dice: random.Random) -> Any:
        """What a seat does next, drawn by `dice`: by default a valid action, or where none is known a word."""
        return dice.choice(valid_actions(environment, seat) or (Say("hello"), Wait()))

    def episode(self, environment: Any, instance: Any, *, seed: int = _SEED, acts: int | None = None) -> Iterator[Step]:
        """Play an episode to its end; pauses behind the reset and behind whatever is done.

        Behind `acts` actions (default `longest`) whoever may act stops.
        """
        yield Step(tuple(environment.reset(instance, seed)))
        dice, clocked = random.Random(seed), isinstance(environment, Clocked)
        acts = self.longest if acts is None else acts
        forced = tuple(environment.prefix()) if isinstance(environment, Prefixed) else ()
        for number, one in enumerate(forced):
            yield replace(self.do(environment, number, one.seat, one.action), forced=True)
        for number in count():
            if clocked and not environment.status().over:
                yield self.do(environment, 0, "", None)
            if environment.status().over:
                return
            assert number < acts + self.longest, f"the episode is not over after {number} actions"
            if seats := may_act(environment):
                seat = seats[number % len(seats)]
                action = self.choose(environment, seat, dice) if number < acts else Stop()
                yield self.do(environment, len(forced) + number, seat, action)

    def do(self, environment: Any, number: int, seat: str, action: Any) -> Step:
        """Carry out the `number`-th action of an episode, or let time pass."""
        if not seat:
            assert isinstance(environment, Clocked)
            return Step(tuple(environment.advance(self.tick)))
        environment.stamp(number * _LATER_MS)
        result = environment.act(seat, action)
        assert isinstance(result, Result), f"{seat} did {action!r}, and the answer is no Result but {result!r}"
        return Step(result.events, seat, action, result)

    def replay(self, environment: Any, instance: Any, steps: Sequence[Step]) -> None:
        """Reset, and do again what `steps` did, a reset at their head."""
        environment.reset(instance, _SEED)
        if isinstance(environment, Prefixed):
            environment.prefix()
        self.redo(environment, steps[1:])

    def redo(self, environment: Any, steps: Sequence[Step], number: int = 0) -> list[Any]:
        """Do again what `steps` did, `number` actions into the episode; the account of each."""
        accounts = []
        for step in steps:
            accounts.append(account(environment, self.do(environment, number, step.seat, step.action)))
            number += bool(step.seat)
        return accounts

    def fresh(self, ability: Any = object) -> Iterator[tuple[Any, Any]]:
        """Every instance, with an environment of its own; none where the world has not that ability."""
        for instance in self.instances():
            with closing(self.make_environment()) as environment:
                if isinstance(environment, ability):
                    yield environment, instance

    def moments(self, ability: Any = object) -> Iterator[tuple[Any, Step]]:
        """Every moment of an episode of every instance, where the world has that ability."""
        for environment, instance in self.fresh(ability):
            for step in self.episode(environment, instance):
                yield environment, step

    def begun(self) -> Iterator[Any]:
        """Every instance at the moment when agents are asked first."""
        for environment, instance in self.fresh():
            environment.reset(instance, _SEED)
            for number, one in enumerate(environment.prefix() if isinstance(environment, Prefixed) else ()):
                self.do(environment, number, one.seat, one.action)
            yield environment


def may_act(environment: Any) -> tuple[str, ...]:
    """The seats that may act now. Somebody may, unless the episode is over or time has to pass."""
    status = environment.status()
    seats: tuple[str, ...] = environment.seats if status.may_act is None else status.may_act
    assert seats or status.over or isinstance(environment, Clocked), "nobody may act, and no time passes"
    return seats


def seen(environment: Any) -> JsonObject:
    """What every seat sees, as JSON: without privileges, with each, with all, and again without."""
    each = {name: (name,) for name in environment.privileges}
    asked: Mapping[str, tuple[str, ...]] = {"nothing": (), **each, "everything": tuple(each), "nothing again": ()}
    return {
        f"{seat}, granted {granted}": environment.codec.observation_to_json(environment.observe(seat, privileges))
        for seat in environment.seats
        for granted, privileges in asked.items()
    }


def account(environment: Any, step: Step) -> JsonObject:
    """A moment as JSON: what was done, what came of it, and what is the case now."""
    return {
        "action": None if step.result is None else environment.codec.action_to_json(step.action),
        "result": plain(step.result),
        "events": plain(step.events),
        "status": plain(environment.status()),
        "digest": environment.digest(),
        **seen(environment),
    }


def as_json(value: Any) -> Any:
    """What comes back of a value that is JSON; a tuple in it comes back as a list."""
    return json.loads(json.dumps(dict(value), allow_nan=False))
