"""An agent's answer to one observation: an action, or why it is none, and the thinking behind it."""

from __future__ import annotations

from collections.abc import Callable

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent
from teach_agents.core.agents.thoughts import thought_of
from teach_agents.core.messages import ActionAnswered
from teach_agents.errors import ActionError
from teach_agents.observations import Observation

__all__ = ["answer_of"]

_SHOWN = 80


def answer_of(
    agent: Agent, observation: Observation, settled: Callable[[Callable[[], object]], object]
) -> ActionAnswered:
    """Ask an agent, in its own thread; `settled` makes a call there and awaits what it returns.

    Raises what the agent raises, except `ActionError`: an action that cannot be made is an answer that is none.
    """
    action, problem = None, ""
    try:
        answer = settled(lambda: agent.act(observation))
    except ActionError as error:
        problem = f"the agent made no valid action: {error}"
    else:
        if isinstance(answer, Action):
            action = answer
        else:
            problem = f"the agent answered {_short(answer)}, which is no Action"
    return ActionAnswered(
        turn=observation.turn, role=observation.role, action=action, problem=problem, thought=thought_of(agent)
    )


def _short(value: object) -> str:
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001  # a repr can raise anything
        shown = f"a {type(value).__name__} without a repr"
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."
