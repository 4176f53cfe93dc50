"""A session's record as a TEACh game file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.record import ReplayReport, SessionRecord
from teach_agents.data import Episode, Game, GameTask, Interaction, StateRecord, draft_game, new_game, recorded_action
from teach_agents.household import Household
from teach_agents.session.format import Done, TurnRecord
from teach_agents.session.record import reenact
from teach_agents.tasks import Task
from teach_agents.tasks.definitions import AtomicComponent, Relation
from teach_agents.tasks.substitution import ResolvedComponent, ResolvedTask

_UNWRITTEN = frozenset({"NoOp", "Finish", "Stop"})


def to_game(record: SessionRecord, household: Household, *, comments: str | None = None) -> tuple[Game, ReplayReport]:
    """A TEACh game of a record, made by carrying it out again, and the report of doing so.

    What the format has no place for is left out: NoOp, Finish, Stop, answers that were no action, and actions that
    are none of the role's. Utterances become Keyboard records; the success of OpenProgressCheck says whether the task
    was complete; the Follower's motions carry its pose when the turn was over. `comments` is the file's date text, the
    present by default. Raises what `replay` raises.
    """
    household.reset(record.header.scenario)
    initial = household.state_record(0.0)
    differences = reenact(household, record)
    episode = _episode(record.header.session_id, record.turns, household, initial)
    game = new_game(game_task(household.task), episode, comments=comments)
    return game, ReplayReport(len(record.turns), differences, household.progress())


def game_of(
    session_id: str,
    turns: Sequence[TurnRecord],
    household: Household,
    initial: StateRecord,
    *,
    comments: str | None = None,
) -> Game:
    """`to_game`'s game of turns at whose end the household stands; `initial` is its state from the beginning.

    For `write_game`, which checks it.
    """
    return draft_game(game_task(household.task), _episode(session_id, turns, household, initial), comments=comments)


def _episode(session_id: str, turns: Sequence[TurnRecord], household: Household, initial: StateRecord) -> Episode:
    interactions = [made for turn in turns for made in _interactions(turn)]
    end_ms = 1 + max(done.time_ms for done in turns[-1].done.values()) if turns else 0
    final = household.state_record(end_ms / 1000)
    return Episode.create(session_id, household.scenario.room, initial, interactions, final)


def _interactions(turn: TurnRecord) -> Iterator[Interaction]:
    for role, done in turn.done.items():
        action = done.action
        if action is None or action.name in _UNWRITTEN or not action.allowed_for(role):
            continue
        yield recorded_action(
            role,
            action,
            time_start=done.time_ms / 1000,
            success=_success(done),
            pose=done.pose if role is Role.FOLLOWER else None,
            object_id=done.result.object_id,
        )


def _success(done: Done) -> bool:
    reply = done.result.reply
    if done.action is not None and done.action.name == "OpenProgressCheck" and reply is not None:
        return bool(reply.get("success"))
    return bool(done.result.success)


def game_task(task: Task) -> GameTask:
    """The task as a game file holds it: every parameter in place, sub-tasks nested."""
    return GameTask.from_json(_task_json(task.resolved), f"task {task.name!r}")


def _task_json(resolved: ResolvedTask) -> JsonObject:
    return {
        "task_id": resolved.task_id,
        "task_name": resolved.name,
        "task_params": list(resolved.params),
        "task_nparams": len(resolved.params),
        "task_anchor_object": resolved.anchor,
        "desc": resolved.desc,
        "components": {key: _component_json(component) for key, component in resolved.components},
        "relations": [_relation_json(relation) for relation in resolved.relations],
        "comments": "",
        "episodes": [],
    }


def _component_json(component: AtomicComponent | ResolvedComponent) -> JsonMapping:
    if isinstance(component, ResolvedComponent):
        return {
            "determiner": component.determiner,
            "task_name": component.task.name,
            "task_params": list(component.task.params),
            "task": _task_json(component.task),
        }
    return {
        "determiner": component.determiner,
        "primary_condition": component.primary,
        "instance_shareable": component.shareable,
        "conditions": {**component.conditions},
        "condition_failure_descs": {**component.failure_descs},
    }


def _relation_json(relation: Relation) -> JsonMapping:
    return {
        "property": relation.property,
        "tail_entity_list": [relation.tail],
        "tail_determiner_list": [relation.tail_determiner],
        "head_entity_list": [head.entity for head in relation.heads],
        "head_determiner_list": [head.determiner for head in relation.heads],
        "failure_desc": relation.failure_desc,
    }
