"""What the Commander says around a step: a person greets, thanks, hints where things are and says how many.

Two styles of one contract: `PlainConversation` says each step in the controlled English and nothing else,
`NaturalConversation` talks as human Commanders do (`benchmarks/utterances.py` compares them).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator

from teach_agents.agents.acting.grounding import hint_about
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.instructing.tools import TOOLS
from teach_agents.understanding.english.natural import NaturalSpeaker
from teach_agents.understanding.english.speaking import say_instruction
from teach_agents.understanding.english.values import Instruction, Reference, Verb


class Conversation(ABC):
    """One session's talk from the Commander's side. Every utterance is one turn."""

    @abstractmethod
    def step(self, instruction: Instruction, things: Things, *, failed: bool, confirmed: bool = True) -> Iterator[str]:
        """Ask for the next step; `failed` says that the last one did not work, `confirmed` that a check
        showed it done.
        """

    @abstractmethod
    def ending(self, *, complete: bool) -> Iterator[str]:
        """Nothing more is asked for."""

    def meanwhile(self) -> str | None:
        """Something to say while the Follower is at work, or nothing."""
        return None


class PlainConversation(Conversation):
    """The step, and nothing else."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def step(self, instruction: Instruction, things: Things, *, failed: bool, confirmed: bool = True) -> Iterator[str]:
        """The instruction in words."""
        yield say_instruction(instruction, self._rng)

    def ending(self, *, complete: bool) -> Iterator[str]:
        """That it was all, or that there is no more to be done."""
        yield say_instruction(Instruction(Verb.FINISH if complete else Verb.GIVE_UP), self._rng)


_SHARES = {
    "greeting": 0.5,
    "topic": 0.12,
    "praise": 0.33,
    "result": 0.09,
    "comfort": 0.3,
    "more": 0.06,
    "onward": 0.06,
    "number": 0.3,
    "meanwhile": 0.04,
    "parting": 0.35,
    "regret": 0.35,
}
_HINT, _PRONOUN, _TOOL_HINT = 0.6, 0.68, 0.44
"""How often each is said where there is an occasion."""

_ABOUT = frozenset({"topic", "result", "onward"})
"""What is said about a thing."""


class NaturalConversation(Conversation):
    """Talk as between people, drawn from the generator given."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._speaker = NaturalSpeaker(rng)
        self._steps = 0
        self._last: Reference | None = None
        self._told: set[str] = set()

    def step(self, instruction: Instruction, things: Things, *, failed: bool, confirmed: bool = True) -> Iterator[str]:
        """A word on the last step, the next one, and where what it takes is to be found."""
        yield from self._before(instruction, failed=failed, confirmed=confirmed)
        self._steps += 1
        yield self._speaker.request(instruction)
        if instruction.verb is Verb.LOOK:
            return
        what = instruction.what
        if what is not None and what.count is None and self._chance(_SHARES["number"]):
            number = len(things.of(what.noun))
            if number > 1:
                yield self._speaker.aside("number", number=number)
        if self._chance(_HINT):
            yield from self._hint(things.of(what.noun) if what else [], things, pronoun=self._chance(_PRONOUN))
        if self._chance(_TOOL_HINT):
            yield from self._hint(things.of(*TOOLS.get(instruction.verb, ())), things)

    def ending(self, *, complete: bool) -> Iterator[str]:
        """Thanks, that it was all, and a farewell."""
        yield self._speaker.request(Instruction(Verb.FINISH if complete else Verb.GIVE_UP))
        yield from self._aside("parting" if complete else "regret")

    def meanwhile(self) -> str | None:
        """Encouragement, now and then."""
        return self._speaker.aside("meanwhile") if self._chance(_SHARES["meanwhile"]) else None

    def _before(self, instruction: Instruction, *, failed: bool, confirmed: bool) -> Iterator[str]:
        """A greeting at first, then a word on how the last step went."""
        what, last = instruction.what, self._last
        about = self._last = None if what is None else Reference(what.noun, what.count, True)
        if not self._steps:
            yield from self._aside("greeting")
            yield from self._aside("topic", about)
        elif failed:
            yield from self._aside("comfort")
        else:
            if confirmed:
                yield from self._aside("praise")
                yield from self._aside("result", last)
            yield from self._aside("more")
            yield from self._aside("onward", about)

    def _aside(self, occasion: str, about: Reference | None = None) -> Iterator[str]:
        if self._chance(_SHARES[occasion]) and (about is not None or occasion not in _ABOUT):
            yield self._speaker.aside(occasion, about)

    def _hint(self, about: list[Thing], things: Things, *, pronoun: bool = False) -> Iterator[str]:
        new = [thing for thing in about if thing.object_id not in self._told and not thing.has("isPickedUp")]
        if not new:
            return
        thing = self._rng.choice(new)
        hint = hint_about(thing, things, self._rng)
        if hint is not None:
            self._told.add(thing.object_id)
            yield self._speaker.hint(hint, pronoun=pronoun)

    def _chance(self, share: float) -> bool:
        return self._rng.random() < share
