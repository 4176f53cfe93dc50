"""The Agent contract: be told of a session's beginning, then answer each observation with an action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.core.errors import InputError
from teach_agents.observations import Observation, Privilege

__all__ = ["Agent", "Briefing", "FunctionAgent", "as_agent", "provenance_of", "recalls"]


@dataclass(frozen=True, slots=True)
class Briefing:
    """What an agent is told when a session begins.

    The task is not in it: a Commander learns it from the progress check, a Follower from the Commander. `seed` is
    the agent's own, derived from the session's. `resumed` is true when the session continues from a record; the
    dialogue so far is then in the first observation.
    """

    session_id: str
    role: Role
    seed: int = 0
    resumed: bool = False


class Agent(ABC):
    """A Commander or a Follower. `act` and `begin` may be plain methods or coroutines.

    Sessions and benchmarks call them in a thread of the agent's own (coroutines in an event loop of that thread), one
    call at a time, so that an agent that hangs can be timed out; pictures and privileged parts of an observation may be
    read from there while the call lasts.

    `privileges` names the privileged information the agent reads; observations hold just these, and every result
    states them.
    """

    privileges: frozenset[Privilege] = frozenset()
    spec: str = ""
    """The SPEC it was made from, stamped on results; empty for an agent made in Python, which goes by its class."""
    provenance: Mapping[str, str] = MappingProxyType({})
    """What its answers depend on beyond its SPEC, stamped on results: names, versions and hashes, such as `model`,
    `model_hash` and `prompt_hash`. Read when a session is over, so that it may be known by then only."""
    thought: Mapping[str, Any] | None = None
    """The thinking behind the last answer, as JSON values, or `None` where there was none (an answer that follows from
    an earlier decision). Read right after each answer, in the thread that answered, and kept in the record; see
    `thoughts` for the keys that have a meaning to others."""

    perceived: Observation | None = None
    """The observation last answered as its perception made it, of an agent that looks through one: dialogue hooks that
    come before its action read this in place of the observation."""

    def begin(self, briefing: Briefing) -> Awaitable[None] | None:  # noqa: B027  # optional: nothing to forget by default
        """A session begins; forget the last one."""

    def recall(self, observation: Observation) -> Awaitable[None] | None:  # noqa: B027  # optional, see `recalls`
        """What somebody observed whose place the agent takes, before its own first turn; nothing is to be answered.

        In EDH these are the observations of the session's Follower, right before each of its actions, oldest first;
        the first to be answered comes after the last of its actions. They hold the agent's `privileges`.
        """

    @abstractmethod
    def act(self, observation: Observation) -> Action | Awaitable[Action]:
        """Answer one observation with one action."""


def recalls(agent: Agent) -> bool:
    """Whether an agent makes anything of what others observed before it: one that does not is spared it."""
    return type(agent).recall is not Agent.recall


@dataclass
class FunctionAgent(Agent):
    """An agent made of one function, plain or async."""

    function: Callable[[Observation], Action | Awaitable[Action]]
    privileges: frozenset[Privilege] = field(default=frozenset())

    def act(self, observation: Observation) -> Action | Awaitable[Action]:
        """Call the function."""
        return self.function(observation)


def as_agent(agent: Agent | Callable[[Observation], Action | Awaitable[Action]]) -> Agent:
    """Accept an `Agent` or a plain function wherever an agent is wanted.

    Raises `InputError` for what is neither (a class in place of its instance, say) and for privileges nobody knows.
    """
    if not isinstance(agent, Agent):
        if not callable(agent) or isinstance(agent, type):
            raise InputError("agent", "must be an Agent or a function from Observation to Action", value=agent)
        return FunctionAgent(agent)
    for privilege in agent.privileges:
        if privilege not in list(Privilege):
            where = f"agent {type(agent).__name__}, privileges"
            raise InputError(where, "no such privilege", value=str(privilege), valid=[one.value for one in Privilege])
    return agent


def provenance_of(agent: Agent) -> dict[str, str]:
    """What results say of an agent's provenance: texts, by name."""
    return {str(name): str(agent.provenance[name]) for name in sorted(agent.provenance)}
