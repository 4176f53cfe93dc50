"""From probabilities, and what of the classes that the network knows is in view, to one action that can be tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teach_agents.actions import OBJECT_ACTIONS, Action
from teach_agents.agents.perceiving.detector_sights import Source
from teach_agents.arrays import ByteArray
from teach_agents.household.geometry import click_at, deepest
from teach_agents.models.episodic.vocabulary import ACTION_NUMBER, ACTIONS, STOP
from teach_agents.models.vision import Detection, LabelMap
from teach_agents.observations import Observation

Point = tuple[float, float]
"""A click: fractions of the picture, x to the right, y down."""


class Targets:
    """Finds clicks by a detector, or by what stands in a detector's place.

    `labels` says which object type a label means; a basin counts as its sink, as it does for the network.
    """

    def __init__(self, source: Source, labels: LabelMap) -> None:
        self._source = source
        self._labels = labels
        self.privileges = source.privileges

    @property
    def provenance(self) -> Mapping[str, str]:
        """Who detects, for results."""
        return self._source.provenance

    def in_view(self, observation: Observation) -> dict[str, Point]:
        """Where to click on the best instance of each class in view: the surest, of equally sure ones the largest."""
        best: dict[str, Detection] = {}
        for one in self._source.detections(observation):
            known = (self._labels.object_type(one.label) or "").removesuffix("Basin")
            if known and (known not in best or _merit(one) > _merit(best[known])):
                best[known] = one
        return {name: _point(one, observation.view.rgb) for name, one in best.items()}


def _merit(one: Detection) -> tuple[float, float]:
    x0, y0, x1, y1 = one.box
    size = float(one.mask.sum()) if one.mask is not None else (x1 - x0) * (y1 - y0)
    return one.score, size


def _point(one: Detection, picture: ByteArray) -> Point:
    """A pixel deep inside the outline, or the middle of the box."""
    height, width = picture.shape[:2]
    inside = None if one.mask is None or height != width else deepest(one.mask)
    if inside:
        return click_at(*inside, height)
    x0, y0, x1, y1 = one.box
    return (x0 + x1) / 2 / width, (y0 + y1) / 2 / height


if TYPE_CHECKING:
    from teach_agents.models.episodic.reading import Likely


TRIES = 2
"""Classes on which an interaction is tried where it fails: an episode ends with 30 failures."""
REPEATS = 2
"""How often an interaction is done to a class from one place. Of people's (7,783, in every fourth training session of
TEACh's) 96 % are no third time; the likeliest action takes up and puts down one thing until the episode is over."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An action by its number, the class of what it acts upon ("" for none), and where to click."""

    number: int
    object_class: str = ""
    point: Point | None = None

    @property
    def action(self) -> Action:
        """What is done."""
        name = ACTIONS[self.number]
        return Action.click(name, *self.point) if self.point else Action(name)

    @property
    def deed(self) -> tuple[int, str]:
        """What is not tried again where it failed, and not repeated for ever where it succeeds."""
        return self.number, self.object_class


def chosen(
    likely: Likely,
    classes: Collection[str],
    in_view: Callable[[], Mapping[str, Point]],
    barred: Collection[tuple[int, str]],
    spent: Collection[tuple[int, str]] = (),
    *,
    temperature: float,
    dice: random.Random,
) -> Choice:
    """The likeliest action that can be tried, or one drawn by likelihood where `temperature` is above 0.

    An interaction needs something in view of a class that the network knows (`classes`, in its order): the likeliest
    of these. What is `barred` failed just now; an interaction is not tried on more than `TRIES` classes in a row. What
    is `spent` succeeded often enough where it stands. `Text` has no words and is never chosen; `Stop` always can be.
    """
    ruled_out = {*barred, *spent}
    left = {number: float(share) for number, share in enumerate(likely.actions) if ACTIONS[number] != "Text"}
    while len(left) > 1:
        number = _drawn(left, temperature, dice)
        if number == STOP:
            break
        if ACTIONS[number] not in OBJECT_ACTIONS:
            if (number, "") not in barred:
                return Choice(number)
        else:
            points = in_view()
            free = {
                name: float(share)
                for name, share in zip(classes, likely.objects, strict=True)
                if name in points and (number, name) not in ruled_out
            }
            if free and sum(failed == number for failed, _ in barred) < TRIES:
                name = max(free, key=lambda one: free[one])
                return Choice(number, name, points[name])
        del left[number]
    return Choice(ACTION_NUMBER["Stop"])


def _drawn(left: Mapping[int, float], temperature: float, dice: random.Random) -> int:
    best = max(left, key=lambda number: left[number])
    if temperature == 0:
        return best
    weights = [(share / max(left[best], 1e-12)) ** (1 / temperature) for share in left.values()]
    return dice.choices([*left], weights)[0]
