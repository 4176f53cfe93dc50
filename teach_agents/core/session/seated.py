"""An agent of this process in its seat: the one way in which sessions, servers and live play call agents."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from teach_agents.core.agents.body import Loop
from teach_agents.core.agents.contract import Agent, Briefing, asks_back, listens, owns_loop, recalls
from teach_agents.core.agents.distribution import Reading, distribution_of
from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.agents.thoughts import thought_of
from teach_agents.core.codec import Codec
from teach_agents.core.errors import ActionError
from teach_agents.core.session.episode import Answer
from teach_agents.core.session.hook_runner import Over
from teach_agents.core.session.result import CRASHED
from teach_agents.core.sizes import LONGEST_ERROR
from teach_agents.core.values import NoAction, Result, Utterance


class Seated:
    """Calls `agent`, in the seat of a world with `codec`, from within work of the `runner`.

    `limit_s` is how long a call may take, `what` says what was not done if it takes longer. Methods raise
    `RaisedError` with what the agent raises.
    """

    def __init__(self, agent: Agent, seat: Any, runner: Runner, codec: Codec[Any, Any, Any]) -> None:
        self.agent = agent
        self.seat = seat
        self.recalls = recalls(agent)
        self.listens = listens(agent)
        self.asks_back = asks_back(agent)
        self._codec = codec
        self._call = runner.call

    def begin(self, briefing: Briefing, limit_s: float | None, what: str = "was not ready") -> None:
        """Have it get ready."""
        agent = self.agent
        self._call(self._anew(briefing) if owns_loop(agent) else lambda: agent.begin(briefing), limit_s, what)

    def _anew(self, briefing: Briefing) -> Callable[[], Awaitable[None]]:
        async def begin() -> None:
            if self.agent._loop is not None:
                self.agent._loop.cancel()
            self.agent._loop = Loop(self.agent, briefing)
            begun = self.agent.begin(briefing)
            if begun is not None:
                await begun

        return begin

    def offer(self, valid: tuple[Any, ...]) -> None:
        """What the world says can be done on seeing what it is asked about next."""
        self.agent.valid_actions = valid

    def answer(self, observation: Any, limit_s: float | None, what: str = "gave no answer") -> Answer:
        """What it does on seeing this, with the thinking behind it, or why that is no action.

        An action that cannot be made, `ActionError`, is an answer that is none.
        """
        agent, action, problem = self.agent, None, ""
        try:
            found = self._call(lambda: agent.act(observation), limit_s, what)
            problem = self._codec.problem_of(found) or (found.problem if type(found) is NoAction else "")
            action = None if problem else self._codec.own(self.seat, found)
        except RaisedError as raising:
            if not isinstance(raising.error, ActionError):
                raise
            problem = f"the agent made no valid action: {raising.error}"
        except ActionError as error:
            problem = f"the agent made no valid action: {error}"
        return Answer(action, action, problem, None if agent.thought is None else thought_of(agent))

    def recall(self, observation: Any, limit_s: float | None, what: str = "did not recall the past") -> None:
        """Show it what is seen where something else is done in its place, if it makes anything of that."""
        if self.recalls:
            self._call(lambda: self.agent.recall(observation), limit_s, what)

    def inform(self, news: Utterance | Result, limit_s: float | None, who: str = "the agent") -> None:
        """What became of its last action, or what somebody else said, if it wants to know."""
        if isinstance(news, Utterance):
            if self.listens:
                self._call(lambda: self.agent.hear(news), limit_s, f"{who} did not listen")
        elif self.asks_back:
            self._call(lambda: self.agent.told(news), limit_s, f"{who} did not take in a result")

    def read(
        self, observation: Any, valid: Sequence[Any], samples: int | None, limit_s: float | None, what: str
    ) -> Reading:
        """How probable it is to do what; its call takes as long as all samples may."""
        reading: Reading = self._call(
            lambda: distribution_of(self.agent, observation, valid, samples=samples), limit_s, what
        )
        return reading


def raised(seat: Any, error: BaseException) -> Over:
    """The end that an agent makes by raising."""
    details = "".join(traceback.format_exception(error))
    return Over(CRASHED, f"the {seat} raised {type(error).__name__}: {error}"[:LONGEST_ERROR], details[-LONGEST_ERROR:])
