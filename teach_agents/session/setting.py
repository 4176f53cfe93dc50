"""What a session is held with, what it counts, and why it is over."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from teach_agents.actions import Role
from teach_agents.core.agents.contract import Agent, FunctionAgent, provenance_of
from teach_agents.household import Household, Limits
from teach_agents.observations import Privilege
from teach_agents.session.hooks import DialogueHook
from teach_agents.session.record import RecordHeader
from teach_agents.session.result import EndReason, SessionResult
from teach_agents.session.timing import Clock, Timeouts
from teach_agents.session.turns import TurnRecord
from teach_agents.tasks import Progress

__all__ = ["End", "Over", "Setting", "Tally", "Unfinished", "agent_seed", "crash", "result_of"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a session is held with."""

    session_id: str
    household: Household
    agents: Mapping[Role, Agent]
    limits: Limits
    timeouts: Timeouts
    clock: Clock
    hooks: tuple[tuple[str, DialogueHook], ...]

    def header(self) -> RecordHeader:
        """The record's first line."""
        return RecordHeader(
            self.session_id,
            self.household.scenario,
            self.household.simulator.name,
            self.household.view_size,
            self.household.click_size,
            {role: agent.spec or _name(agent) for role, agent in self.agents.items()},
            {role: tuple(sorted(agent.privileges)) for role, agent in self.agents.items()},
            tuple(name for name, hook in self.hooks if hook.stamped),
        )


def _name(agent: Agent) -> str:
    made_of = agent.function if isinstance(agent, FunctionAgent) else type(agent)
    return str(getattr(made_of, "__name__", type(made_of).__name__))


def agent_seed(seed: int, role: Role) -> int:
    """The agent's own seed, from the session's: 32 bits, different for the two chairs."""
    return int.from_bytes(blake2b(f"{seed} {role}".encode(), digest_size=4).digest(), "big")


@dataclass(frozen=True, slots=True)
class End:
    """Why a session is over: the kind of end, in words, and a traceback where something raised."""

    reason: EndReason
    text: str
    details: str = ""


class Over(Exception):
    """An agent or a hook ended the session."""

    def __init__(self, reason: EndReason, text: str, details: str = "") -> None:
        super().__init__(text)
        self.end = End(reason, text, details)


class Unfinished(Exception):
    """What the session cannot do without is away for now: it has not ended, and its record can be gone on with."""


def crash(error: Exception) -> End:
    """The end that an unforeseen exception makes."""
    return End(EndReason.CRASHED, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


@dataclass(slots=True)
class Tally:
    """What a session counts. `refused` are answers that were no action, which the household never saw."""

    turns: int = 0
    actions: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(Role, 0))
    utterances: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(Role, 0))
    refused: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(Role, 0))
    dialogue_acts: dict[Role, Counter[str]] = field(default_factory=lambda: {role: Counter() for role in Role})

    def add(self, record: TurnRecord) -> None:
        """Count a turn."""
        self.turns += 1
        for role, done in record.done.items():
            name = "" if done.action is None else done.action.name
            self.refused[role] += done.action is None
            self.actions[role] += name not in ("", "NoOp")
            self.utterances[role] += name == "Text"
            self.dialogue_acts[role].update(done.dialogue_acts)


def result_of(
    header: RecordHeader,
    agents: Mapping[Role, Agent],
    tally: Tally,
    end: End,
    *,
    checks: tuple[Progress, Progress],
    failures: Mapping[Role, int],
) -> SessionResult:
    """How a session that began like `header` ended, judged on the first and the final of `checks`.

    `agents` are those of the chairs that have one; `failures` are each role's, answers that were no action included.
    """
    scenario, (initial, progress) = header.scenario, checks
    return SessionResult(
        session_id=header.session_id,
        scenario_id=scenario.scenario_id,
        task=scenario.task_name,
        task_params=scenario.task_params,
        seed=scenario.seed,
        simulator=header.simulator,
        agents=header.agents,
        privileges={role: frozenset(map(Privilege, header.privileges[role])) for role in Role},
        success=progress.success and not end.reason.broken,
        end_reason=end.reason,
        reason=end.text,
        initial_progress=initial,
        progress=progress,
        turns=tally.turns,
        actions=dict(tally.actions),
        utterances=dict(tally.utterances),
        failures=failures,
        provenance={role: provenance_of(agents[role]) if role in agents else {} for role in Role},
        dialogue_acts={role: dict(sorted(found.items())) for role, found in tally.dialogue_acts.items()},
        details=end.details,
    )
