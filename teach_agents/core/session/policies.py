"""Who is asked when: the policies by which an episode is played, and how agents of this process are asked."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from teach_agents.core.agents.body import Loop
from teach_agents.core.agents.contract import Agent, Briefing, listens, owns_loop, recalls
from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.agents.thoughts import thought_of
from teach_agents.core.codec import Codec
from teach_agents.core.environment.contract import Environment
from teach_agents.core.errors import ActionError
from teach_agents.core.messages import ActionAnswered, BeginAsked, BeginDone, ObservationAsked
from teach_agents.core.session.context import SessionContext, agent_seed
from teach_agents.core.session.episode import Answer, Episode
from teach_agents.core.session.hook_runner import Over
from teach_agents.core.session.line import BusLine
from teach_agents.core.session.result import CRASHED, End, crash
from teach_agents.core.values import Utterance

__all__ = ["LocalSeats", "Policy", "Seats", "Turns", "acting", "answer_of", "begin_agent", "guarded", "inform"]

_LONGEST = 20_000
"""Characters that are kept of what an agent raised."""


class Seats(Protocol):
    """Who answers for the seats. Methods raise `Over` where an agent ends the session by raising."""

    def begin(self, seat: Any, turn: int, *, resumed: bool) -> None:
        """Have a seat's agent get ready."""

    def answer(self, seat: Any, observation: Any, turn: int) -> Answer:
        """What a seat's agent does on seeing this."""

    def told(self, seat: Any, done: Any) -> None:
        """What became of it."""

    def heard(self, said: Utterance) -> None:
        """Somebody spoke."""


def begin_agent(runner: Runner, agent: Agent, briefing: Briefing, limit_s: float | None, what: str) -> None:
    """Have an agent get ready; from within a runner's work. Raises `RaisedError` with what it raises."""
    if owns_loop(agent):
        agent._loop = Loop(agent, briefing)
    runner.call(lambda: agent.begin(briefing), limit_s, what)


def inform(runner: Runner, agent: Agent, news: Any, limit_s: float | None, who: str = "the agent") -> None:
    """Tell an agent what became of its action, or what somebody said, if it wants to know; from within a runner's work.

    Raises `RaisedError` with what it raises.
    """
    said, loop = isinstance(news, Utterance), agent._loop
    if loop is not None:
        (loop.heard if said else loop.told)(news)
    if said and type(agent).hear is not Agent.hear:
        runner.call(lambda: agent.hear(news), limit_s, f"{who} did not listen")
    elif not said and type(agent).told is not Agent.told:
        runner.call(lambda: agent.told(news), limit_s, f"{who} did not take in a result")


def answer_of(  # who, what, and within which time
    runner: Runner, agent: Agent, observation: Any, limit_s: float | None, what: str, codec: Codec[Any, Any, Any]
) -> Answer:
    """An agent's answer: an action, or why it is none, with the thinking behind it; from within a runner's work.

    Raises `RaisedError` with what the agent raises, except `ActionError`: an action that cannot be made is an answer
    that is none.
    """
    action, problem = None, ""
    try:
        answer = runner.call(lambda: agent.act(observation), limit_s, what)
    except RaisedError as raised:
        if not isinstance(raised.error, ActionError):
            raise
        problem = f"the agent made no valid action: {raised.error}"
    else:
        problem = codec.problem_of(answer)
        action = None if problem else answer
    return Answer(action, action, problem, thought_of(agent))


class LocalSeats:
    """Agents of this process, called in the thread in which the episode is played; `runner` is that thread's.

    `unit` is what a turn is called. What they are asked and answer is made known on `line`, but for what they see.
    """

    def __init__(
        self, context: SessionContext, runner: Runner, unit: str = "turn", *, line: BusLine | None = None
    ) -> None:
        self._context = context
        self._runner = runner
        self._unit = unit
        self._line = line
        self._codec = context.environment.codec
        self._loops: dict[Any, Loop] = {}
        self._listening = [seat for seat, agent in context.agents.items() if listens(agent)]

    def begin(self, seat: Any, turn: int, *, resumed: bool) -> None:
        """Have a seat's agent get ready. Raises `Over`."""
        context, seed = self._context, agent_seed(self._context.seed, seat)
        self.brief(seat, Briefing(context.session_id, seat, seed, resumed))
        if self._line is not None:
            asked = BeginAsked(role=seat, seed=seed, resumed=resumed)
            self._line.asked(seat, asked, BeginDone(role=seat), self._now_ms(seat, turn))

    def _now_ms(self, seat: Any, turn: int) -> int:
        seats = self._context.environment.seats
        return self._context.clock.now_ms(turn, seats.index(seat), len(seats))

    def brief(self, seat: Any, briefing: Briefing) -> None:
        """The same with a briefing of one's own."""
        agent, limit_s = self._context.agents[seat], self._context.timeouts.begin_s
        try:
            begin_agent(self._runner, agent, briefing, limit_s, f"the {seat} was not ready")
        except RaisedError as raised:
            raise _raised(seat, raised.error) from None
        if agent._loop is not None:
            self._loops[seat] = agent._loop

    def recall(self, seat: Any, observations: Iterable[Any]) -> None:
        """Show an agent what somebody observed before it, if it makes anything of that. Raises `Over`."""
        agent, limit_s = self._context.agents[seat], self._context.timeouts.act_s
        for seen in observations if recalls(agent) else ():
            self._called(seat, lambda seen=seen: agent.recall(seen), limit_s, f"the {seat} did not recall the past")  # type: ignore[misc]  # bound at once

    def answer(self, seat: Any, observation: Any, turn: int) -> Answer:
        """What a seat's agent does on seeing this. Raises `Over`."""
        agent = self._context.agents[seat]
        limit_s = self._context.timeouts.act_s if agent.timed else None
        what = f"the {seat} gave no answer in {self._unit} {turn}"
        try:
            answer = answer_of(self._runner, agent, observation, limit_s, what, self._codec)
        except RaisedError as raised:
            raise _raised(seat, raised.error) from None
        if self._line is not None:
            said = ActionAnswered(
                turn=turn,
                role=seat,
                action=answer.action,
                problem=answer.problem,
                thought=None if answer.thought is None else dict(answer.thought),
            )
            self._line.asked(seat, ObservationAsked(turn=turn, role=seat), said, self._now_ms(seat, turn))
        return answer

    def told(self, seat: Any, done: Any) -> None:
        """What became of it, for agents that want to be told."""
        self._informed(seat, done.told)

    def heard(self, said: Utterance) -> None:
        """Somebody spoke: all others that listen hear it."""
        for seat in self._listening:
            if seat != said.speaker:
                self._informed(seat, said)

    def _informed(self, seat: Any, news: Any) -> None:
        try:
            inform(self._runner, self._context.agents[seat], news, self._context.timeouts.act_s, f"the {seat}")
        except RaisedError as raised:
            raise _raised(seat, raised.error) from None

    def close(self) -> None:
        """The session is over: agents that own their loops are cancelled."""
        for seat, loop in self._loops.items():
            self._called(seat, loop.over, self._context.timeouts.act_s, f"the {seat} did not end")

    def _called(self, seat: Any, call: Callable[[], Any], limit_s: float | None, what: str) -> None:
        try:
            self._runner.call(call, limit_s, what)
        except RaisedError as raised:
            raise _raised(seat, raised.error) from None


def _raised(seat: Any, error: BaseException) -> Over:
    details = "".join(traceback.format_exception(error))
    return Over(CRASHED, f"the {seat} raised {type(error).__name__}: {error}"[:_LONGEST], details[-_LONGEST:])


class Policy(Protocol):
    """How an episode is played, from its beginning to its end."""

    def play(self, episode: Episode, seats: Seats, before_turn: Callable[[], None]) -> End:
        """Play; `before_turn` is called between turns. Raises `Over`."""


class Turns:
    """Turn by turn: all who may act are asked on the same moment, then all of it is carried out, in the seats' order.

    Asked are all seats that have an agent; the others are not there. After `most` turns a world that should end by
    itself is taken not to.
    """

    def __init__(self, most: int = 100_000) -> None:
        self._most = most

    def play(self, episode: Episode, seats: Seats, before_turn: Callable[[], None]) -> End:
        """Play to the end."""
        asked = tuple(episode.context.agents)
        self.begin(episode, seats)
        while (end := episode.end()) is None:
            if episode.turn >= self._most:
                return End("turn_limit", f"{episode.turn} turns were taken")
            before_turn()
            self.turn(episode, seats, acting(episode.environment, asked))
        return end

    def begin(self, episode: Episode, seats: Seats) -> None:
        """Have the agents get ready."""
        for seat in episode.context.agents:
            seats.begin(seat, episode.turn, resumed=episode.turn > 0)

    def turn(self, episode: Episode, seats: Seats, acting: Sequence[Any]) -> None:
        """One turn, of those who are acting."""
        seen = {seat: episode.observe(seat) for seat in acting}
        answers = {
            seat: episode.chosen(seat, observed, seats.answer(seat, observed, episode.turn))
            for seat, observed in seen.items()
        }
        done: dict[Any, Any] = {}
        for seat, answer in answers.items():
            done[seat] = episode.execute(seat, answer)
            seats.told(seat, done[seat])
        episode.close_turn(done)


def acting(environment: Environment[Any, Any, Any], asked: Sequence[Any]) -> Sequence[Any]:
    """Who of those that are asked may act now. Raises `RuntimeError` for a world that waits for nobody who is there."""
    may = environment.status().may_act
    found = asked if may is None else [seat for seat in may if seat in asked]
    if not found:
        raise RuntimeError(f"the world waits for {', '.join(map(str, may or ()))}, and nobody is there")
    return found


def guarded(play: Callable[[], End], unfinished: tuple[type[BaseException], ...] = ()) -> End:
    """What playing comes to; whatever is raised on the way is an end, but for what leaves a session unfinished."""
    try:
        return play()
    except Over as over:
        return over.end
    except unfinished:
        raise
    except Exception as error:  # noqa: BLE001  # a broken world, bus or disk ends a session, it never loses it
        return crash(error)
