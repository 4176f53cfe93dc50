"""What a session is held with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from teach_agents.core.agents.contract import Agent, name_of
from teach_agents.core.environment import Environment, Forced
from teach_agents.core.session.format import RecordFormat, RecordHeader
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.timing import Clock, Timeouts


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a session is held with; `agents` are those of the seats that are asked, `prefix` what the world forces."""

    session_id: str
    environment: Environment[Any, Any, Any]
    form: RecordFormat
    instance: Any
    seed: int
    agents: Mapping[Any, Agent]
    timeouts: Timeouts
    clock: Clock
    hooks: tuple[tuple[str, DialogueHook], ...] = ()
    prefix: tuple[Forced, ...] = ()

    def header(self) -> RecordHeader:
        """The record's first line."""
        return RecordHeader(
            self.session_id,
            self.instance,
            self.seed,
            self.environment.about(),
            {seat: name_of(agent) for seat, agent in self.agents.items()},
            {seat: tuple(sorted(agent.privileges)) for seat, agent in self.agents.items()},
            tuple(name for name, hook in self.hooks if hook.stamped),
        )


def agent_seed(seed: int, seat: Any) -> int:
    """The agent's own seed, from the session's: 32 bits, different for every seat."""
    return int.from_bytes(blake2b(f"{seed} {seat}".encode(), digest_size=4).digest(), "big")


class Unfinished(Exception):
    """What the session cannot do without is away for now: it has not ended, and its record can be gone on with."""
