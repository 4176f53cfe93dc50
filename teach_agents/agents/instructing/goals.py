"""What is left to do, read from a progress check's reply (TEACh specification 3.5 step 7, 5.8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from teach_agents.observations import Observation
from teach_agents.understanding.english.values import Verb

Reply = Mapping[str, object]
"""What a query was answered with, or an object in it."""
NEEDS = (
    *(Verb.COOK, Verb.SLICE, Verb.TOAST, Verb.BOIL, Verb.CLEAN, Verb.COFFEE, Verb.FILL, Verb.WATER, Verb.EMPTY),
    *(Verb.OPEN, Verb.CLOSE, Verb.PUT, Verb.TURN_ON, Verb.TURN_OFF, Verb.PICK_UP),
)
"""What a problem object can need, in the order in which steps do not undo each other.

Food is cooked whole before it is sliced, dishes are washed before food goes on them, and things are put in their places
last; there is one hand, and what it should hold in the end is taken when all else is done.
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """One property of one object that is not as the task wants it.

    `wanted` is the receptacle's type for PUT and the property's value otherwise; `every` tells "all of them" from "so
    many"; `goal` names the sub-goal, of which the task wants `instances`.
    """

    object_id: str
    object_type: str
    need: Verb
    wanted: str
    every: bool
    goal: str
    instances: int = 1


def reply_of(observation: Observation) -> Reply:
    """What the last action was answered with; nothing where it was no query."""
    result = observation.last_result
    return result.reply if result is not None and result.reply is not None else {}


def is_complete(reply: Reply) -> bool:
    """Whether the task is done."""
    return bool(reply.get("success"))


def satisfied_conditions(reply: Reply) -> int:
    """How many goal conditions hold, over all sub-goals."""
    return sum(int(str(goal.get("goal_conditions_satisfied", 0))) for goal in mappings(reply.get("subgoals")))


def problems_of(reply: Reply) -> tuple[Problem, ...]:
    """Every problem of the failing sub-goals, in the reply's order, each once."""
    failing = (goal for goal in mappings(reply.get("subgoals")) if not goal.get("success"))
    return tuple(dict.fromkeys(problem for goal in failing for problem in _in_goal(goal)))


def state_of(reply: Reply) -> tuple[tuple[Problem, ...], int]:
    """The problems, and how many conditions hold."""
    return problems_of(reply), satisfied_conditions(reply)


def mappings(value: object) -> list[Reply]:
    """The objects of a JSON list; none where it is no list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []


def _in_goal(goal: Reply) -> Iterator[Problem]:
    keys = goal.get("problem_keys")
    if not isinstance(keys, Mapping):
        return
    description = str(goal.get("description") or "")
    number = re.match(r"(\d+) x ", description)
    for object_id, entries in keys.items():
        for entry in entries:
            need = _need(entry)
            if need is not None:
                yield Problem(
                    str(object_id),
                    str(entry["objectType"]),
                    need,
                    str(entry["desired_property_value"]),
                    entry.get("determiner") == "all",
                    description,
                    int(number.group(1)) if number else 1,
                )


def _switched(on: Verb | None, off: Verb | None) -> Callable[[str, object], Verb | None]:
    return lambda _, wanted: on if _truth(wanted) else off


def _truth(wanted: object) -> bool:
    return wanted not in (0, "0", False, None, "")


_RULES: Mapping[str, Callable[[str, object], Verb | None]] = {
    "parentReceptacles": lambda _, __: Verb.PUT,
    "simbotLastParentReceptacle": lambda _, wanted: Verb.PICK_UP if wanted is None else Verb.PUT,
    **dict.fromkeys(("simbotPickedUp", "isPickedUp"), _switched(Verb.PICK_UP, None)),
    "simbotIsFilledWithWater": lambda _, __: Verb.FILL,
    "isDirty": _switched(None, Verb.CLEAN),
    "objectType": lambda _, wanted: Verb.SLICE if str(wanted).endswith(("Sliced", "Cracked")) else None,
    "simbotIsCooked": lambda _, __: Verb.COOK,
    "isCooked": lambda kind, _: Verb.TOAST if kind.startswith("Bread") else Verb.COOK,
    "simbotIsBoiled": lambda _, __: Verb.BOIL,
    "simbotIsFilledWithCoffee": lambda _, __: Verb.COFFEE,
    "isFilledWithLiquid": lambda kind, wanted: (
        Verb.EMPTY if not _truth(wanted) else Verb.WATER if kind == "HousePlant" else Verb.FILL
    ),
    "isToggled": _switched(Verb.TURN_ON, Verb.TURN_OFF),
    "isOpen": _switched(Verb.OPEN, Verb.CLOSE),
}
"""The paper's seven kinds of problem (appendix D), those of the other shipped tasks and of EDH's changes."""


def _need(entry: Reply) -> Verb | None:
    rule = _RULES.get(str(entry.get("property_name")))
    return rule(str(entry.get("objectType")), entry.get("desired_property_value")) if rule else None
