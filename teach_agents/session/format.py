"""Household sessions as records have them from the first: turns, results, and the lines that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from teach_agents.actions import ActionKind, ActionResult, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.messages import Payload, ProgressChanged, SessionBegan
from teach_agents.core.session.format import RecordFormat
from teach_agents.core.session.format import RecordHeader as CoreHeader
from teach_agents.core.session.record import first_line
from teach_agents.core.session.result import Done as CoreDone
from teach_agents.core.session.result import End, Outcome, Tally
from teach_agents.core.session.result import TurnRecord as CoreTurnRecord
from teach_agents.core.values import Event
from teach_agents.household import Scenario
from teach_agents.observations import Observation, Pose, Privilege
from teach_agents.session.codec import TEACH, pose_from_json, pose_to_json, scenario_from_json, scenario_to_json
from teach_agents.tasks import Progress

GOALS = "goals"
"""The kind of event that says that the task's goal conditions have changed."""


@dataclass(frozen=True, slots=True)
class Done(CoreDone):
    """What one role did in a turn; its trace holds the role's pose right after it."""

    @property
    def pose(self) -> Pose:
        """The role's own pose when it had acted: nobody else moves it."""
        return pose_from_json(self.trace["pose"])

    def to_json(self) -> JsonObject:
        """As a turn's line has it, without the thought."""
        return TEACH_FORMAT.done_to_json(self)

    @property
    def told(self) -> ActionResult:
        """The result as the role is told: with the hint."""
        result: ActionResult = self.result
        return result.hinted(self.hint) if self.hint else result


@dataclass(frozen=True, slots=True)
class Goals:
    """Goal conditions at one moment."""

    success: bool
    total: int
    satisfied: int

    def to_json(self) -> JsonObject:
        """The JSON form, by the names that results use."""
        return {
            "success": self.success,
            "goal_conditions_total": self.total,
            "goal_conditions_satisfied": self.satisfied,
        }

    @classmethod
    def from_json(cls, data: JsonMapping) -> Goals:
        """Read `to_json`'s form."""
        return cls(data["success"], data["goal_conditions_total"], data["goal_conditions_satisfied"])


@dataclass(frozen=True, slots=True)
class TurnRecord(CoreTurnRecord):
    """A turn that both roles have carried out."""

    def to_json(self) -> JsonObject:
        """The record's line."""
        return TEACH_FORMAT.turn_to_json(self)

    @property
    def goals(self) -> Goals | None:
        """The goal conditions, where they changed."""
        return next((Goals.from_json(one.data) for one in self.events if one.kind == GOALS), None)


def traced(pose: Pose) -> JsonObject:
    """The trace of what a role did that stands at a pose now."""
    return {"pose": pose_to_json(pose)}


class EndReason(StrEnum):
    """Why a session ended."""

    FINISHED = "finished"
    """The Commander chose Finish."""
    STOPPED = "stopped"
    """The Follower chose Stop."""
    ENDED = "ended"
    """Whoever keeps a live session ended it."""
    TURN_LIMIT = "turn_limit"
    FAILURE_LIMIT = "failure_limit"
    TIMED_OUT = "timed_out"
    """An agent gave no answer in time."""
    CRASHED = "crashed"
    """An agent, a dialogue hook or the simulator raised."""

    @property
    def broken(self) -> bool:
        """Whether the session fails whatever state it left."""
        return self in (EndReason.TIMED_OUT, EndReason.CRASHED)


_KEYS = (
    *("session_id", "scenario_id", "task", "task_params", "seed", "simulator", "agents", "privileges", "success"),
    *("end_reason", "reason", "initial_progress", "progress", "turns", "actions", "utterances", "failures"),
    *("provenance", "hooks", "dialogue_acts", "details"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult(Outcome[Role]):
    """The outcome of a session: `progress` is the check of the final state, `initial_progress` of the first."""

    privileges: Mapping[Role, frozenset[Privilege]]
    end_reason: EndReason
    scenario_id: str
    task: str
    task_params: tuple[str, ...]
    simulator: str
    initial_progress: Progress
    progress: Progress

    def keys(self) -> Iterable[str]:
        """As records have them from the first; strangers, clarifications and repairs only where there were any."""
        counts = (name for name in ("clarifications", "repairs") if any(getattr(self, name).values()))
        return (*_KEYS, *counts, *(("strangers",) if self.strangers else ()))

    def part_to_json(self, name: str) -> Any:
        """The same; progress as goal-condition counts."""
        value = getattr(self, name)
        return counts_of(value) if isinstance(value, Progress) else super(SessionResult, self).part_to_json(name)


def counts_of(progress: Progress) -> JsonObject:
    """Goal conditions by the names that results use."""
    return Goals(progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied).to_json()


@dataclass(frozen=True, slots=True)
class RecordHeader(CoreHeader):
    """How a session began. The sizes of pictures and clicks decide what a click chooses and what a search shows."""

    def to_json(self) -> JsonObject:
        """The record's first line."""
        return first_line(TEACH_FORMAT, self)

    @property
    def scenario(self) -> Scenario:
        """What was played."""
        found: Scenario = self.instance
        return found

    @property
    def simulator(self) -> str:
        """The simulator by its own name."""
        return str(self.about["simulator"])

    @property
    def view_size(self) -> int:
        """Width and height of pictures, in pixels."""
        return int(self.about["view_size"])

    @property
    def click_size(self) -> int:
        """Width and height of the pictures that clicks are resolved in, in pixels."""
        return int(self.about["click_size"])


class TeachFormat(RecordFormat):
    """Lines with the scenario in the header, poses beside results, and goal conditions where they changed."""

    decisive = ("view_size", "click_size")
    done, turn = Done, TurnRecord

    def seat(self, name: str) -> Role:
        """The role."""
        return Role(name)

    def header_to_json(self, header: CoreHeader) -> JsonObject:
        """World and version are not stated: it is TEACh's first."""
        return {
            "session_id": header.session_id,
            **{name: header.about[name] for name in ("simulator", "view_size", "click_size")},
            "agents": {str(role): spec for role, spec in header.agents.items()},
            "privileges": {str(role): list(found) for role, found in header.privileges.items()},
            "hooks": list(header.hooks),
            "scenario": scenario_to_json(header.instance),
        }

    def header_from_json(self, data: JsonMapping) -> RecordHeader:
        """Read `header_to_json`'s form; both roles are there."""
        self.codec.check("record", data.get("world"), data.get("world_version"))
        scenario = scenario_from_json(data["scenario"])
        return RecordHeader(
            data["session_id"],
            scenario,
            scenario.seed,
            {name: data[name] for name in ("simulator", "view_size", "click_size")},
            {role: data["agents"][role] for role in Role},
            {role: tuple(data["privileges"][role]) for role in Role},
            tuple(data.get("hooks", ())),
        )

    def all_done_to_json(self, done: JsonObject) -> JsonObject:
        """The roles stand beside the turn's number."""
        return done

    def all_done_from_json(self, data: JsonMapping) -> JsonMapping:
        """Both roles did something, unless one of them was forced or read."""
        some = "events" in data or any("forced" in data.get(role, ()) for role in Role)
        return {role.value: data[role] for role in Role if not some or role in data}

    def trace_to_json(self, trace: JsonMapping) -> JsonObject:
        """The pose stands beside the result."""
        return {"pose": trace["pose"]}

    def trace_from_json(self, data: JsonMapping) -> JsonMapping:
        """Read `trace_to_json`'s form."""
        return {"pose": pose_to_json(pose_from_json(data["pose"]))}

    def events_to_json(self, events: Sequence[Event]) -> JsonObject:
        """The last goal conditions."""
        found = [dict(one.data) for one in events if one.kind == GOALS]
        others = super().events_to_json([one for one in events if one.kind != GOALS])
        return others | ({"goals": found[-1]} if found else {})

    def events_from_json(self, data: JsonMapping) -> tuple[Event, ...]:
        """Read `events_to_json`'s form."""
        return (*super().events_from_json(data), *((Event(GOALS, data["goals"]),) if "goals" in data else ()))

    def is_of(self, perceived: Observation, observation: Observation) -> bool:
        """Whether role and turn are the same."""
        return (perceived.role, perceived.turn) == (observation.role, observation.turn)

    def failed(self, seat: Any, done: Any) -> bool:
        """Progress checks and searches never fail (specification 7.2)."""
        action = done.action
        if done.result.success or action is None:
            return not done.result.success
        return not (action.type.kind is ActionKind.PROGRESS and action.allowed_for(seat))

    def began(self, header: CoreHeader, *, resumed: bool) -> Payload:
        """The scenario and its task."""
        scenario = header.instance
        return SessionBegan(
            scenario_id=scenario.scenario_id, task=scenario.task_name, seed=scenario.seed, resumed=resumed
        )

    def happened(self, event: Event, turn: int) -> Payload:
        """Goal conditions have a message of their own."""
        return ProgressChanged(turn=turn, **event.data) if event.kind == GOALS else super().happened(event, turn)

    def result(
        self, header: CoreHeader, agents: Mapping[Any, Agent], tally: Tally, end: End, verdicts: tuple[Any, Any]
    ) -> SessionResult:
        """Judged on the first and the final progress check. Limits count answers that were no action as failed."""
        scenario, (initial, progress) = header.instance, verdicts
        counted = self.counted(header, agents, tally, end, progress)
        counted |= {
            "seed": scenario.seed,
            "privileges": {role: frozenset(map(Privilege, header.privileges[role])) for role in Role},
            "end_reason": EndReason(end.reason),
        }
        return SessionResult(
            scenario_id=scenario.scenario_id,
            task=scenario.task_name,
            task_params=scenario.task_params,
            simulator=header.about["simulator"],
            initial_progress=initial,
            progress=progress,
            **counted,
        )

    def claims(self, turns: int, initial: Progress, final: Progress, *, broken: bool) -> JsonObject:
        """Goal conditions by the names that results use."""
        found = {"turns": turns, "initial_progress": counts_of(initial), "success": final.success and not broken}
        return found if broken else {**found, "progress": counts_of(final)}


TEACH_FORMAT = TeachFormat(TEACH)
