"""EDH instances with their state differences, made from a session by carrying it out again (specification 1.7)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from teach_agents.benchmarks.edh.restoring import Override, Restorer
from teach_agents.data.edh import EdhInstance, StateDifference, Stretch, edh_from_game, stretches
from teach_agents.data.games import Game
from teach_agents.household import Household, Scenario
from teach_agents.tasks import evaluation_task, object_classes, state_diff_changes, type_from_id
from teach_agents.tasks.definitions import AtomicComponent
from teach_agents.tasks.state_diff import ObjectsDiff, base_id
from teach_agents.tasks.substitution import ResolvedTask

IRRELEVANT = "nothing that has to do with the task changes"
ALREADY_SO = "what changes is already so when the stretch begins"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch of a session as an instance, and why it is none.

    `rejected` is `""` for an instance that TEACh's rules, with our filter, keep. `overrides` are those of the history.
    """

    instance: EdhInstance
    rejected: str
    overrides: tuple[Override, ...]


@dataclass(frozen=True, slots=True)
class _Moment:
    """The household at one index of the session."""

    difference: Mapping[str, Mapping[str, Any]]
    objects: tuple[Mapping[str, Any], ...]
    overrides: tuple[Override, ...]


def candidates(game: Game, household: Household, *, numbers: Container[int] | None = None) -> Iterator[Candidate]:
    """The candidates of a session, in order, with what they change; the session is carried out once.

    `numbers` chooses some of them, as far as which the session is carried out; by default it is all.

    What changes is what the simulator of `household` makes of the session where the record does not say (where a thing
    lands, what becomes clean); released instances say what AI2-THOR made of it. Raises `SceneError` or
    `DefinitionError` when the session cannot be set up.
    """
    found = [one for one in stretches(game.episode.interactions) if numbers is None or one.number in numbers]
    moments = _moments(game, household, sorted({index for one in found for index in (one.start, one.end)}))
    classes = relevant_classes(household.task.resolved)
    for one in found:
        yield _candidate(game, one, moments[one.start], moments[one.end], classes)


def _moments(game: Game, household: Household, indices: list[int]) -> dict[int, _Moment]:
    household.reset(Scenario.from_game(game))
    beginning = [dict(one) for one in household.objects]
    restorer = Restorer(household)
    moments, reached = {}, 0
    for index in indices:
        restorer.follow(game.episode.interactions[reached:index], first=reached)
        objects = tuple(dict(one) for one in household.objects)
        moments[index] = _Moment(state_difference(beginning, objects), objects, tuple(restorer.overrides))
        reached = index
    return moments


def _candidate(game: Game, stretch: Stretch, start: _Moment, end: _Moment, classes: frozenset[str]) -> Candidate:
    changes = relevant_changes(state_diff_changes(start.difference, end.difference), classes)
    progress = evaluation_task(changes).check(start.objects)
    instance = replace(
        edh_from_game(game, stretch),
        init_state_diff=StateDifference(start.difference),
        final_state_diff=StateDifference(end.difference),
        state_changes=StateDifference(changes),
        goal_conditions_total=progress.goal_conditions_total,
        goal_conditions_satisfied=progress.goal_conditions_satisfied,
    )
    rejected = IRRELEVANT if not changes else ALREADY_SO if progress.success else ""
    return Candidate(instance, rejected, start.overrides)


_PLACES = 4


def state_difference(
    before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """What of each object's metadata is other than it was: objectId to property to value, numbers to four places.

    Objects that came into being (slices) differ from what they were cut from. Properties that are gone are left out.
    """
    known = {str(one["objectId"]): one for one in before}
    differences = {}
    for one in after:
        object_id = str(one["objectId"])
        origin = known.get(object_id) or known.get(base_id(object_id), {})
        changed = {
            key: _rounded(value)
            for key, value in one.items()
            if key not in origin or _rounded(origin[key]) != _rounded(value)
        }
        if changed:
            differences[object_id] = changed
    return differences


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _PLACES)
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_rounded(inner) for inner in value]
    return value


_NAMED = ("objectType", "simbotObjectClass")
_SLICED = "Sliced"
_TOOLS: Mapping[str, str] = {
    "isDirty": "Faucet",
    "simbotIsFilledWithCoffee": "CoffeeMachine",
    "isCooked": "Toaster",
    "simbotIsCooked": "Microwave",
}
"""What brings about a property that a task wants."""


def relevant_classes(task: ResolvedTask) -> frozenset[str]:
    """The object types and classes that a task, or a task within it, has to do with."""
    found: set[str] = set()
    for _, component in task.components:
        if not isinstance(component, AtomicComponent):
            found |= relevant_classes(component.task)
            continue
        for key, value in component.conditions.items():
            name = str(value)
            if key in _TOOLS:
                found.add(_TOOLS[key])
            if key in _NAMED:
                found |= {name, name.removesuffix(_SLICED), "Knives"} if name.endswith(_SLICED) else {name}
    return frozenset(found)


def relevant_changes(changes: ObjectsDiff, classes: frozenset[str]) -> dict[str, Mapping[str, Any]]:
    """The changes of the objects of these types and classes, whole; the others are left out."""
    return {
        object_id: changed
        for object_id, changed in changes.items()
        if not classes.isdisjoint(object_classes(type_from_id(object_id)))
    }
