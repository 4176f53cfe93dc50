"""What steps are done with, besides what they are done to."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.understanding.english.values import Verb

TOOLS: Mapping[Verb, tuple[str, ...]] = {
    Verb.SLICE: ("Knife", "ButterKnife"),
    Verb.CLEAN: ("Sink",),
    Verb.FILL: ("Sink",),
    Verb.COFFEE: ("CoffeeMachine",),
    Verb.TOAST: ("Toaster",),
    Verb.COOK: ("Microwave", "StoveBurner"),
    Verb.BOIL: ("Pot", "Bowl"),
    Verb.WATER: ("Mug", "Cup", "Bowl", "Pot"),
}
"""Types by the step's verb, any of which will do."""
