"""Requests with conditions, put together from plain orders: "check whether the mug is dirty. if so, wash it, if not,
put it in the cupboard". What people write in so many ways cannot be told by examples alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from teach_agents.core.dialogue import Condition, DialogueAct, Phrase
from teach_agents.learning.reading.alignment import Example
from teach_agents.understanding.tokens import tokens

_STATES = {
    "dirty": ("dirty", "filthy", "not clean"),
    "clean": ("clean", "already clean", "not dirty"),
    "open": ("open", "still open", "standing open"),
    "closed": ("closed", "shut", "already closed"),
    "on": ("on", "still on", "switched on"),
    "off": ("off", "already off", "switched off"),
    "empty": ("empty", "completely empty"),
    "full": ("full", "already full"),
    "broken": ("broken",),
    "cold": ("cold", "still cold"),
    "hot": ("hot", "still hot"),
    "cooked": ("cooked", "done"),
    "sliced": ("sliced", "cut already"),
}
_IF = ("if", "if", "if", "in case", "when", "should it be that", "provided")
_CHECK = (
    "check whether",
    "check if",
    "see if",
    "see whether",
    "have a look if",
    "look if",
    "find out whether",
    "can you check if",
    "could you see whether",
    "please check if",
    "go and see if",
)
_SO = ("if so", "if yes", "if it is", "then", "in that case", "if that is the case", "yes ?", "and if so", "when it is")
_NOT = (
    "if not",
    "otherwise",
    "or else",
    "else",
    "if no",
    "if it is not",
    "if that is not the case",
    "no ?",
    "and if not",
    "but if not",
    "when it is not",
)
_THEN = (
    "after that",
    "then",
    "and then",
    "when that is done",
    "either way",
    "in any case",
    "whatever happens",
    "finally",
)
_BEGINNINGS = frozenset(
    """can could would will i is are may you hey hi hello if when what where how do did have has there it that the my
    we let this so and or but no yes not never dont as while once after before unless""".split()
)
"""Orders that begin so stand badly behind "if it is"."""


_VAGUE = frozenset("thing nothing anything something everything whatever one stuff rest lot".split())


class _Test(NamedTuple):
    """A condition as it is said: as a statement, denied, asked; what stands for its thing afterwards."""

    statement: str
    denied: str
    asked: str
    condition: Condition


class Conditions:
    """Puts together requests with conditions. `orders` are single orders, `things` words and what they describe."""

    def __init__(
        self, orders: Sequence[Example], things: Sequence[tuple[Sequence[str], Phrase]], random: Random
    ) -> None:
        self._random = random
        self._orders = [
            one
            for one in orders
            if len(one.acts) == 1
            and one.acts[0].condition is None
            and not one.kept
            and one.words[0] not in _BEGINNINGS
            and "?" not in one.words
        ]
        self._things = [
            (words, phrase)
            for words, phrase in things
            if len(words) <= 4
            and not phrase.count
            and phrase.place is None
            and phrase.holds is None
            and phrase.noun not in _VAGUE
        ]

    def made(self) -> Example | None:
        """A request with a condition; `None` where there is nothing to make one of."""
        if not self._orders or not self._things:
            return None
        test = self._test()
        shape = self._random.choice((self._leading, self._leading, self._trailing, self._checked, self._asked))
        words, acts = shape(test)
        if self._random.random() < 0.25:
            first = self._random.choice(self._orders)
            words, acts = (
                [*_bare(first), *self._said(". then", ", then", ". and", "and then", "."), *words],
                [
                    *first.acts,
                    *acts,
                ],
            )
        if self._random.random() < 0.25:
            last = self._random.choice(self._orders)
            words, acts = [*words, ".", *self._said(*_THEN), *_bare(last)], [*acts, *last.acts]
        return Example(tuple(words), "", tuple(acts))

    def _leading(self, test: _Test) -> tuple[list[str], list[DialogueAct]]:
        """If so, this; if not, that."""
        denied = self._random.random() < 0.25
        words, acts = self._order(test, holds=not denied)
        said = [*self._said(*_IF), *tokens(test.denied if denied else test.statement), *self._said(",", ", then", "")]
        return self._with_other(test, [*said, *words], acts, holds=denied)

    def _trailing(self, test: _Test) -> tuple[list[str], list[DialogueAct]]:
        """This if it is so."""
        unless = self._random.random() < 0.3
        words, acts = self._order(test, holds=not unless)
        joint = self._said("unless") if unless else self._said("if", "but only if", "in case", ", if")
        return self._with_other(test, [*words, *joint, *tokens(test.statement)], acts, holds=unless)

    def _checked(self, test: _Test) -> tuple[list[str], list[DialogueAct]]:
        """Check whether; if so, this, if not, that."""
        words, acts = self._order(test, holds=True)
        said = [*self._said(*_CHECK), *tokens(test.statement), *self._said(".", ",", ".", "and")]
        return self._with_other(test, [*said, *self._said(*_SO), *self._said(",", ""), *words], acts, holds=False)

    def _asked(self, test: _Test) -> tuple[list[str], list[DialogueAct]]:
        """Is it so? If yes, this; if no, that."""
        words, acts = self._order(test, holds=True)
        said = [*tokens(test.asked), *self._said(*_SO), *self._said(",", ":", "")]
        return self._with_other(test, [*said, *words], acts, holds=False)

    def _with_other(
        self, test: _Test, words: list[str], acts: list[DialogueAct], *, holds: bool
    ) -> tuple[list[str], list[DialogueAct]]:
        """With what is to be done in the other case, mostly; `holds` is whether that is when the condition holds."""
        if self._random.random() < 0.3:
            return words, acts
        others, more = self._order(test, holds=holds)
        joint = self._said("if so", "otherwise", "else", "if it is") if holds else self._said(*_NOT)
        return [*words, *self._said(",", ".", ".", ";", ""), *joint, *self._said(",", ""), *others], [*acts, *more]

    def _order(self, test: _Test, *, holds: bool) -> tuple[list[str], list[DialogueAct]]:
        """One or two orders under a condition."""
        condition = test.condition._replace(holds=holds)
        words: list[str] = []
        acts: list[DialogueAct] = []
        for number in range(1 if self._random.random() < 0.75 else 2):
            one = self._random.choice(self._orders)
            one = self._of_it(one) if self._random.random() < 0.4 else one
            words += [*(self._said("and", "and then", ", then", ",") if number else ()), *_bare(one)]
            acts.append(one.acts[0]._replace(condition=condition))
        return words, acts

    def _of_it(self, one: Example) -> Example:
        """An order of "it", in place of what is named."""
        span = next((span for span in one.spans if not span.role and one.is_whole(span)), None)
        act = one.acts[0]
        if span is None or not act.slots or act.slots[0].role:
            return one
        words = (*one.words[: span.start], "it", *one.words[span.end :])
        slots = (act.slots[0]._replace(phrase=Phrase("it")), *act.slots[1:])
        return replace(one, words=words, acts=(act._replace(slots=slots),), spans=())

    def _test(self) -> _Test:
        words, thing = self._random.choice(self._things)
        name = " ".join(words)
        verb = "are" if thing.count == "all" else "is"
        kind = self._random.random()
        if kind < 0.55:
            state = self._random.choice([*_STATES])
            said = self._random.choice(_STATES[state])
            return _Test(
                f"{name} {verb} {said}", f"{name} {verb} not {said}", f"{verb} {name} {said} ?", Condition(thing, state)
            )
        holder_words, holder = self._random.choice(self._things)
        holder_name, relation = " ".join(holder_words), self._random.choice(("in", "on"))
        where = f"{relation} {holder_name}"
        if kind < 0.8:
            placed = Condition(replace(thing, place=(relation, holder)))
            return _Test(f"{name} {verb} {where}", f"{name} {verb} not {where}", f"{verb} {name} {where} ?", placed)
        what = self._random.choice(("something", "anything"))
        there = Condition(Phrase(what, place=(relation, holder)))
        return _Test(f"there is {what} {where}", f"there is not {what} {where}", f"is there {what} {where} ?", there)

    def _said(self, *ways: str) -> tuple[str, ...]:
        return tuple(self._random.choice(ways).split())


def _bare(one: Example) -> tuple[str, ...]:
    """An order's words without the sign at its end."""
    return one.words[:-1] if one.words[-1] in (".", "!", ",") else one.words
