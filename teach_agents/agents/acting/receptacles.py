"""What TEACh's train sessions say of receptacles: what is found in shut ones, and how much room a click in one needs.

AI2-THOR knows more than the boxes in its metadata: rims, handles, trigger boxes smaller than the receptacle. The
figures are those of `scripts/learn_haunts.py`, and of `scripts/learn_crowding.py`, which learns them from records of
AI2-THOR, so they say as much of any simulator that does as it does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from teach_agents.agents.acting.things import same_type
from teach_agents.tasks import object_classes

DEEP = frozenset("Bathtub BathtubBasin Box GarbageCan LaundryHamper Sink SinkBasin".split())
"""What hides its contents from afar although it is open."""
LIDDED = frozenset({"Toilet"})
"""What bears things openly on its lid: hardly anything is in it."""
_ANYTHING = 0.005
"""What a receptacle may hold of a type that was never found in one like it."""


class _Figures(NamedTuple):
    """By type of receptacle: how many things of each type one `held`, in hundredths, as the first states of sessions
    have it; by how much wider and deeper a box that still fits must be than what is held, metres.
    """

    held: Mapping[str, Mapping[str, float]]
    elbow_room: Mapping[str, float]


@cache
def _figures() -> _Figures:
    return _Figures(**json.loads(Path(__file__).with_suffix(".json").read_bytes()))


@cache
def likelihood(noun: str, receptacle: str) -> float:
    """How many things that `noun` names, a type or a class, one receptacle of a type holds before anybody looks."""
    held = _figures().held.get(receptacle, {})
    return _ANYTHING + sum(
        share / 100 for kind, share in held.items() if same_type(noun, kind) or noun in object_classes(kind)
    )


def elbow_room(object_type: str) -> float | None:
    """By how much a box must be wider and deeper than what is held to fit, metres; `None` where nothing is known."""
    return _figures().elbow_room.get(object_type)
