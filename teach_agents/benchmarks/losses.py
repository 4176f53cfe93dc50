"""Why a demonstration is lost: where carrying out again what a person did first parts from the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from teach_agents.actions import MOTIONS, ActionResult, Role
from teach_agents.agents.demonstration import Deed, aimed, demonstrated_turns
from teach_agents.benchmarks.base import TeachBenchmark, kind_of
from teach_agents.benchmarks.fidelity.record import equivalent
from teach_agents.benchmarks.solo.judging import unmet_of
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonObject
from teach_agents.data import Interaction, Motion, read_game
from teach_agents.household import Household
from teach_agents.observations import same_pose


class Cause(StrEnum):
    """In what an action parts from the record."""

    BLOCKED = "the way is blocked"
    ELSEWHERE = "the body stands elsewhere"
    UNSEEN = "the object is not in sight"
    FAR = "the object is out of reach"
    NO_ROOM = "no room for it there"
    REFUSED = "refused for another reason"
    JUDGED = "all went as recorded, the state is judged otherwise"


@dataclass(frozen=True, slots=True)
class Parting:
    """One action that goes another way; `index` is its place in the session, `message` what the household said."""

    index: int
    action: str
    object_id: str
    cause: Cause
    message: str


@dataclass(frozen=True, slots=True)
class Loss:
    """A demonstration that was lost: its first parting, how many there were, and what its end state lacks.

    `index` is `None` where nothing parted.
    """

    instance_id: str
    task: str
    room: str
    index: int | None
    action: str
    object_id: str
    cause: Cause
    message: str
    partings: int
    unmet: str


def partings(
    household: Household, interactions: Sequence[Interaction], deeds: Iterable[Deed], *, max_failures: int = 30
) -> Iterator[Parting]:
    """Carry deeds out, from the state that stands, as the demonstration agents do, and tell where one goes otherwise.

    Ends with the last deed, or the failure that ends a session.
    """
    failures = 0
    for deed in deeds:
        action = aimed(household, deed.action, deed.object_id)
        aim = household.aimed_at(action) if deed.object_id else None
        result = household.act(Role.FOLLOWER, action)
        cause = _cause(deed, aim, result) or _drift(household, interactions[deed.index])
        if cause is not None:
            yield Parting(deed.index, action.name, deed.object_id or "", cause, result.message)
        failures += not result.success
        if failures >= max_failures:
            return


def _cause(deed: Deed, aim: str | None, result: ActionResult) -> Cause | None:
    """Why an action was refused, or another object than the recorded one was acted upon."""
    if deed.object_id and (aim is None or not equivalent(deed.object_id, aim)):
        return Cause.FAR if "too far away" in result.message else Cause.UNSEEN
    if result.success:
        return None
    if deed.action.name in MOTIONS:
        return Cause.BLOCKED
    return Cause.NO_ROOM if "No valid positions" in result.message else Cause.REFUSED


def _drift(household: Household, recorded: Interaction) -> Cause | None:
    """Whether a motion led elsewhere than recorded."""
    if not isinstance(recorded, Motion) or recorded.pose is None:
        return None
    return None if same_pose(household.simulator.state.agent, recorded.pose) else Cause.ELSEWHERE


def losses(run: StoredRun, references: Mapping[str, Reference]) -> Iterator[Loss]:
    """Every instance that a run of `recorded`, or of TATC's demonstration pair, lost, carried out once more.

    `references` says where the instances' files lie.
    """
    kind = kind_of(run)
    for outcome in run.outcomes:
        if not outcome.success:
            yield _loss(kind, references[outcome.instance_id])


def _loss(kind: TeachBenchmark[Any], reference: Reference) -> Loss:
    """Set one instance up, and carry out what a person did in it."""
    game = read_game(reference.game)
    interactions = game.episode.interactions
    household, task, times = kind.set_up(reference, game)
    deeds = [deed for _, deed in demonstrated_turns(interactions) if deed and deed.action.name != "Text"]
    deeds = [deed for deed in deeds if times is None or interactions[deed.index].time_start in times]
    found = list(partings(household, interactions, deeds))
    end = task.check(household.objects, agent_position=household.simulator.state.agent.position)
    nothing = {"index": None, "action": "", "object_id": "", "cause": Cause.JUDGED, "message": ""}
    first: JsonObject = asdict(found[0]) if found else nothing
    return Loss(
        instance_id=reference.instance_id,
        task=game.task.task_name,
        room=game.episode.room,
        **first,
        partings=len(found),
        unmet=" ".join(islice(unmet_of(end), 3)),
    )
