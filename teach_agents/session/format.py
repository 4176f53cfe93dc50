"""Household sessions as records have them from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.actions import ActionKind, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.messages import Payload, ProgressChanged, SessionBegan
from teach_agents.core.session.format import RecordFormat
from teach_agents.core.session.format import RecordHeader as CoreHeader
from teach_agents.core.session.record import first_line
from teach_agents.core.session.result import End, Tally
from teach_agents.core.values import Event
from teach_agents.household import Scenario
from teach_agents.observations import Observation, Privilege
from teach_agents.session.codec import TEACH, scenario_from_json, scenario_to_json
from teach_agents.session.result import (
    GOALS,
    Done,
    EndReason,
    SessionResult,
    TurnRecord,
    counts_of,
    pose_from_json,
    pose_to_json,
)
from teach_agents.tasks import Progress


@dataclass(frozen=True, slots=True)
class RecordHeader(CoreHeader):
    """How a session began. The sizes of pictures and clicks decide what a click chooses and what a search shows."""

    def to_json(self) -> dict[str, Any]:
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

    def header_to_json(self, header: CoreHeader) -> dict[str, Any]:
        """World and version are not stated: it is TEACh's first."""
        return {
            "session_id": header.session_id,
            **{name: header.about[name] for name in ("simulator", "view_size", "click_size")},
            "agents": {str(role): spec for role, spec in header.agents.items()},
            "privileges": {str(role): list(found) for role, found in header.privileges.items()},
            "hooks": list(header.hooks),
            "scenario": scenario_to_json(header.instance),
        }

    def header_from_json(self, data: Mapping[str, Any]) -> RecordHeader:
        """Read `header_to_json`'s form; both roles are there."""
        self.codec.check("record", data.get("world"), data.get("world_version"))
        scenario = scenario_from_json(data["scenario"])
        return RecordHeader(
            data["session_id"],
            scenario,
            scenario.seed,
            {name: data[name] for name in ("simulator", "view_size", "click_size")},
            {role: data["agents"][role.value] for role in Role},
            {role: tuple(data["privileges"][role.value]) for role in Role},
            tuple(data.get("hooks", ())),
        )

    def all_done_to_json(self, done: dict[str, Any]) -> dict[str, Any]:
        """The roles stand beside the turn's number."""
        return done

    def all_done_from_json(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Both roles did something, unless one of them was forced or read."""
        some = "events" in data or any("forced" in data.get(role.value, ()) for role in Role)
        return {role.value: data[role.value] for role in Role if not some or role.value in data}

    def trace_to_json(self, trace: Mapping[str, Any]) -> dict[str, Any]:
        """The pose stands beside the result."""
        return {"pose": trace["pose"]}

    def trace_from_json(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read `trace_to_json`'s form."""
        return {"pose": pose_to_json(pose_from_json(data["pose"]))}

    def events_to_json(self, events: Sequence[Event]) -> dict[str, Any]:
        """The last goal conditions."""
        found = [dict(one.data) for one in events if one.kind == GOALS]
        others = super().events_to_json([one for one in events if one.kind != GOALS])
        return others | ({"goals": found[-1]} if found else {})

    def events_from_json(self, data: Mapping[str, Any]) -> tuple[Event, ...]:
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

    def claims(self, turns: int, initial: Progress, final: Progress, *, broken: bool) -> dict[str, Any]:
        """Goal conditions by the names that results use."""
        found = {"turns": turns, "initial_progress": counts_of(initial), "success": final.success and not broken}
        return found if broken else {**found, "progress": counts_of(final)}


TEACH_FORMAT = TeachFormat(TEACH)
