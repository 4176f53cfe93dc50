"""What the replies to a Commander's progress checks and searches say (TEACh specification 5.5, 5.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from teach_agents.agents.perceiving.known import Known, Row
from teach_agents.tasks import object_classes, type_from_id

_GOALS, _MISSING = 8, 3
"""Sub-goals that are shown at most, and what each lacks."""
_MAP_M = 10.0
"""Replies give places on the map; about so many metres are a map's width."""
_PORTABLE = frozenset(
    {
        *("Tableware", "Dishware", "Drinkware", "Cookware", "Silverware", "KitchenUtensils", "Food", "Condiments"),
        *("CleaningProducts", "SmallHandheldObjects", "MediaEntertainment", "SportsEquipment"),
    }
)
"""Classes of what one can carry."""


def ids_in_check(reply: Mapping[str, object]) -> Iterator[str]:
    """The ids of the objects that a progress check names, in its order; some several times."""
    for goal in _mappings(reply.get("subgoals")):
        yield from (str(step["objectId"]) for step in _mappings(goal.get("steps")) if step.get("objectId"))
        keys = goal.get("problem_keys")
        yield from map(str, keys) if isinstance(keys, Mapping) else ()


def goals_in(reply: Mapping[str, object]) -> list[dict[str, object]]:
    """The sub-goals of a progress check in its words: `done`, `text`, what is `missing` (`text`, how many `times`)."""
    found: list[dict[str, object]] = []
    for goal in _mappings(reply.get("subgoals")):
        missing = Counter(str(one.get("desc")) for one in _mappings(goal.get("steps")) if not one.get("success"))
        text = str(goal.get("description") or "")
        if text or missing:
            lacks = [{"text": one, "times": times} for one, times in list(missing.items())[:_MISSING]]
            found.append({"done": bool(goal.get("success")), "text": text, "missing": lacks})
    return found[:_GOALS]


def rows_told(reply: Mapping[str, object], known: Known) -> Iterator[Row]:
    """Rows as a reply makes them: of what a check finds wrong, and of what a search found and showed."""
    yield from _told_by_check(reply, known)
    yield from _told_by_search(reply)


def _told_by_check(reply: Mapping[str, object], known: Known) -> Iterator[Row]:
    for goal in _mappings(reply.get("subgoals")):
        keys = goal.get("problem_keys")
        for name, entries in keys.items() if isinstance(keys, Mapping) else ():
            wrong: dict[str, object] = {}
            for entry in _mappings(entries):
                wanted = entry.get("desired_property_value")
                if wanted in (0, 1):
                    wrong[str(entry.get("property_name"))] = not wanted
            yield _told(str(name), {**(known.row(str(name)) or {}), **wrong})


def _told_by_search(reply: Mapping[str, object]) -> Iterator[Row]:
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
    portable = bool(_PORTABLE & set(classes))
    common = {"objectId": name, "objectType": kind, "simbotObjectClass": classes, "pickupable": portable}
    return {**common, "receptacle": True, "parentReceptacles": None, **facts}


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []
