"""One attempt to act on a thing: what is wanted, and what came of it so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.looking import Pixels
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.acting.screens import Screens
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.observations import Vec3

Score = Callable[[Pixels], "NDArray[np.float64]"]
"""Higher is a better click; minus infinity is none."""

FAILURES = 4
"""Clicks in vain after which an attempt is given up, unless told otherwise."""
MADE: Mapping[str, tuple[str, bool]] = {
    "Open": ("isOpen", True),
    "Close": ("isOpen", False),
    "ToggleOn": ("isToggled", True),
    "ToggleOff": ("isToggled", False),
}
"""What an action makes of its target."""


@dataclass
class Touch:
    """One attempt to act on a thing: the action's name, the target, what counts as a hit, and where best to click.

    `ids` are the objects whose pixels may be clicked (the target itself unless told). `extra` are further points of the
    target to look at; `then` is what should be in reach from there afterwards, `shun` where not to come from. Clicks
    that score less than `sure` are put off until no place to stand offers a better one (never made on what was seen
    unless it is `insistent`), and so are `glimpses`: how many pixels were seen, and from where. After `patience` failed
    clicks it gives up. `screens` is what hid the target, `screened` how many places were tried in spite of it.
    """

    name: str
    target: Thing
    ids: frozenset[str] = frozenset()
    score: Score | None = None
    sure: float = -math.inf
    insistent: bool = True
    extra: tuple[Vec3, ...] = ()
    then: Thing | None = None
    shun: tuple[Stand, ...] = ()
    patience: int = FAILURES
    tried: list[Stand] = field(default_factory=list)
    missed: list[tuple[float, float, float]] = field(default_factory=list)
    glimpses: list[tuple[int, Vantage]] = field(default_factory=list)
    screens: Screens = field(default_factory=Screens)
    screened: int = 0
    squinting: bool = False
    seen: bool = False
    failures: int = 0
    done: bool = False

    def __post_init__(self) -> None:
        self.ids = self.ids or frozenset({self.target.object_id})

    def is_gone(self, body: Body) -> bool:
        """Whether the target is known of no more: it was not where it was taken to be, or nothing of the kind."""
        return body.things.get(self.target.object_id) is None

    def is_so(self, body: Body) -> bool:
        """Whether what is known says by now that the target is as it should be made: a refusal may tell."""
        target = body.things.get(self.target.object_id)
        if target is None or self.name not in MADE:
            return False
        state, value = MADE[self.name]
        return target.has(state) == value
