"""Answers to whether there is anything to drink: what is in vessels, and what can be made."""

from __future__ import annotations

from teach_agents.agents.acting.body import Body
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.noun_text import listed
from teach_agents.agents.dialogue.referring_expressions import describe_thing

_VESSELS = ("Bottle", "Cup", "Mug", "WineBottle")
"""What one drinks from."""


def drinks(body: Body) -> str:
    """The drinks that are there, and those that can be had."""
    full = [one for one in body.things.of(*_VESSELS) if liquid_in(one)]
    there = [f"{liquid_in(one)} in {describe_thing(one, body)}" for one in full]
    makes = [
        words
        for words, needed in (("water", ("Faucet",)), ("coffee", ("CoffeeMachine", "Mug")))
        if all(body.things.of(one) for one in needed) and (words == "coffee" or body.things.of("Cup", "Mug"))
    ]
    can = f"I can bring you {listed(makes, last='or')}" if makes else ""
    if there:
        return f"Yes, there is {listed(there)}.{f' {can}, too.' if can else ''}"
    return f"Yes, {can}." if can else "No, I know of nothing to drink here."
