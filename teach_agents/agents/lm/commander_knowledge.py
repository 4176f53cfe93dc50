"""What a Commander knows of the room: what replies named and showed (TEACh specification 5.5, 5.8), and what its own
camera has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np

from teach_agents.actions import ActionResult
from teach_agents.agents.acting.looking import pixel_counts
from teach_agents.agents.instructing.goals import mappings
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.known import Known, Row, names_in
from teach_agents.observations import ObjectRows, Observation, Privilege, Privileged
from teach_agents.tasks import object_classes, type_from_id

_GOALS, _MISSING = 8, 3
"""Sub-goals that are shown at most, and what each lacks."""
_MAP_M = 10.0
"""Replies give places on the map; about so many metres are a map's width."""
_PORTABLE = frozenset(
    "Tableware Dishware Drinkware Cookware Silverware KitchenUtensils Food Condiments CleaningProducts "
    "SmallHandheldObjects MediaEntertainment SportsEquipment".split()
)
"""Classes of what one can carry."""


def ids_in_check(reply: Mapping[str, object]) -> Iterator[str]:
    """The ids of the objects that a progress check names, in its order; some several times."""
    for goal in mappings(reply.get("subgoals")):
        yield from (str(step["objectId"]) for step in mappings(goal.get("steps")) if step.get("objectId"))
        keys = goal.get("problem_keys")
        yield from map(str, keys) if isinstance(keys, Mapping) else ()


def goals_in(reply: Mapping[str, object]) -> list[dict[str, object]]:
    """The sub-goals of a progress check in its words: `done`, `text`, what is `missing` (`text`, how many `times`)."""
    found: list[dict[str, object]] = []
    for goal in mappings(reply.get("subgoals")):
        missing = Counter(str(one.get("desc")) for one in mappings(goal.get("steps")) if not one.get("success"))
        text = str(goal.get("description") or "")
        if text or missing:
            lacks = [{"text": one, "times": times} for one, times in list(missing.items())[:_MISSING]]
            found.append({"done": bool(goal.get("success")), "text": text, "missing": lacks})
    return found[:_GOALS]


def _told_by_check(reply: Mapping[str, object], known: Known) -> Iterator[Row]:
    """Rows of what a check finds wrong."""
    for goal in mappings(reply.get("subgoals")):
        keys = goal.get("problem_keys")
        for name, entries in keys.items() if isinstance(keys, Mapping) else ():
            wrong = {
                str(entry.get("property_name")): not wanted
                for entry in mappings(entries)
                if (wanted := entry.get("desired_property_value")) in (0, 1)
            }
            yield _told(str(name), {**(known.row(str(name)) or {}), **wrong})


def _told_by_search(reply: Mapping[str, object]) -> Iterator[Row]:
    """Rows of what a search found and showed."""
    name, shown, place = str(reply.get("oid") or ""), str(reply.get("shown_oid") or ""), reply.get("pos_norm")
    if not name:
        return
    known: dict[str, object] = {}
    if isinstance(place, list) and len(place) == 2:
        known["position"] = {"x": _MAP_M * float(place[0]), "y": 0.0, "z": _MAP_M * (1.0 - float(place[1]))}
    if shown and shown != name:
        known["parentReceptacles"] = [shown]
        yield _told(shown, dict(known, parentReceptacles=None))
    yield _told(name, known)


def _told(name: str, facts: Mapping[str, object]) -> Row:
    kind = type_from_id(name)
    classes = object_classes(kind)
    return {
        "objectId": name,
        "objectType": kind,
        "simbotObjectClass": classes,
        "pickupable": not _PORTABLE.isdisjoint(classes),
        "receptacle": True,
        "parentReceptacles": None,
        **facts,
    }


_GLIMPSE = 12
"""Pixels of a picture that must show a thing before it counts as seen."""


class _OwnMap(Perception):
    """Whose objects are those that it has taken note of."""

    def __init__(self) -> None:
        self._known = Known()

    def begin(self, seed: int) -> None:
        """A session begins; forget the last one."""
        self._known = Known()

    def _seen(self, observation: Observation) -> Observation:
        known = self._known
        return replace(observation, privileged=Privileged({Privilege.OBJECTS: lambda: ObjectRows.of(known.rows)}))


class CommanderEyes(_OwnMap):
    """Perfect recognition of what a Commander is shown, each thing as it was when it was last shown.

    Shown is: what a progress check names; what a search or a selection finds, with what holds it; what the free camera
    has in view. Of the true state of objects nothing else gets through.
    """

    name = "oracle"
    privileges = frozenset({Privilege.OBJECTS, Privilege.SEGMENTATION})

    def perceive(self, observation: Observation) -> Observation:
        """The observation, its objects those that were shown so far."""
        true = {str(row["objectId"]): row for row in observation.privileged.lasting_objects}
        shown = dict.fromkeys(_in_view(observation))
        if observation.last_result:
            shown |= dict.fromkeys(_shown_by(observation.last_result, true))
        shown |= dict.fromkeys(_wholes(shown))
        self._known.note([true[name] for name in shown if name in true])
        return self._seen(observation)


class CommanderHearsay(_OwnMap):
    """What replies say and nothing else: types, ids, what is wrong with a thing, what it was found in, about where.

    Needs no privileges. Rows hold what a reply told last: of an object that a progress check finds wrong, the property
    is as it should not be; of one that a search found, `parentReceptacles` is what had to be shown in its stead.

    No detector looks at a Commander's pictures, so this is both `none` and `detector`; results say so.
    """

    privileges = frozenset[Privilege]()

    name = "none"

    @classmethod
    def as_detector(cls) -> CommanderHearsay:
        """The same under the name of the tier in which a Follower's pictures are looked at."""
        made = cls()
        made.name = "detector"
        return made

    @property
    def provenance(self) -> Mapping[str, str]:
        """The tier as it was named, and what it comes to."""
        return {"perception": self.name, "looks_at": "replies only"}

    def perceive(self, observation: Observation) -> Observation:
        """The observation, its objects those that replies named so far."""
        result, known = observation.last_result, self._known
        if result and result.reply is not None:
            known.note(chain(_told_by_check(result.reply, known), _told_by_search(result.reply)))
        return self._seen(observation)


def _in_view(observation: Observation) -> Iterator[str]:
    """The ids of what the camera's picture shows."""
    seen = observation.privileged.segmentation
    for number in np.flatnonzero(pixel_counts(seen) >= _GLIMPSE).tolist():
        yield seen.object_ids[number]


def _shown_by(result: ActionResult, true: Mapping[str, Row]) -> Iterator[str]:
    """The ids of what a reply shows: what a check names, what a search found with all that holds it."""
    reply = result.reply or {}
    yield from ids_in_check(reply)
    waiting = [str(reply[key]) for key in ("oid", "shown_oid") if reply.get(key)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found and name in true:
            found.add(name)
            yield name
            waiting += names_in(true[name].get("parentReceptacles"))


def _wholes(shown: Mapping[str, None]) -> Iterator[str]:
    """The ids of what parts were cut from: who sees a slice knows that the whole is gone."""
    for name in shown:
        if type_from_id(name).endswith(("Sliced", "Cracked")):
            yield name.rpartition("|")[0]
