"""Agents in their seats, as sessions, servers, workers and live play call them: one, and those of a session."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from teach_agents.core.agents.contract import Agent, Briefing, Loop, owns_loop, relives, wants
from teach_agents.core.agents.distribution import Reading, distribution_of
from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.agents.thoughts import state_told, thought_of
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Valid, valid_actions
from teach_agents.core.errors import ActionError
from teach_agents.core.json_types import JsonObject
from teach_agents.core.messages import ActionAnswered, BeginAsked, BeginDone, ObservationAsked
from teach_agents.core.session.bus_client import BusLine
from teach_agents.core.session.context import SessionContext, agent_seed
from teach_agents.core.session.episode import Answer
from teach_agents.core.session.hooks import Over
from teach_agents.core.session.record import begun_again, chosen_in, past_observations, said_in
from teach_agents.core.session.result import CRASHED
from teach_agents.core.sizes import LONGEST_ERROR
from teach_agents.core.values import NoAction, Result, Utterance

_T = TypeVar("_T")


class Seated:
    """Calls `agent`, in the seat of a world with `codec`, from within work of the `runner`.

    `limit_s` is how long a call may take, `what` says what was not done if it takes longer. Methods raise
    `RaisedError` with what the agent raises.
    """

    def __init__(self, agent: Agent, seat: Any, runner: Runner, codec: Codec[Any, Any, Any]) -> None:
        self.agent = agent
        self.seat = seat
        self.recalls = wants(agent, "recall")
        self.listens = wants(agent, "hear")
        self.asks_back = wants(agent, "told")
        self._codec = codec
        self._call = runner.call

    def begin(self, briefing: Briefing, limit_s: float | None, what: str = "was not ready") -> None:
        """Have it get ready."""
        agent = self.agent
        self._call(self._anew(briefing) if owns_loop(agent) else lambda: agent.begin(briefing), limit_s, what)

    def _anew(self, briefing: Briefing) -> Callable[[], Awaitable[None]]:
        async def begin() -> None:
            agent = self.agent
            if agent._loop is not None:
                agent._loop.cancel()
            agent._loop = Loop(agent, briefing)
            begun = agent.begin(briefing)
            if begun is not None:
                await begun

        return begin

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


def state_in(turns: Iterable[Any], seat: Any) -> JsonObject | None:
    """What the agent in a seat told of its state in the turns of a record; see `Briefing`."""
    return state_told(turn.done[seat].thought for turn in turns if seat in turn.done)


def raised(seat: Any, error: BaseException) -> Over:
    """The end that an agent makes by raising."""
    details = "".join(traceback.format_exception(error))
    return Over(CRASHED, f"the {seat} raised {type(error).__name__}: {error}"[:LONGEST_ERROR], details[-LONGEST_ERROR:])


def answered(turn: int, seat: Any, answer: Answer) -> ActionAnswered:
    """An answer as a message."""
    return ActionAnswered(
        turn=turn,
        role=seat,
        action=answer.action,
        problem=answer.problem,
        thought=None if answer.thought is None else dict(answer.thought),
    )


class LocalSeats:
    """Agents of this process, called in the thread in which the episode is played; `runner` is that thread's.

    `unit` is what a turn is called. What they are asked and answer is made known on `line`, but for what they see.
    `past` are the turns of a session that goes on.
    """

    def __init__(
        self,
        context: SessionContext,
        runner: Runner,
        unit: str = "turn",
        *,
        line: BusLine | None = None,
        past: Sequence[Any] = (),
    ) -> None:
        self._context = context
        self._unit = unit
        self._line = line
        self._past = past
        self._act_s = context.timeouts.act_s
        self._knows_valid = isinstance(context.environment, Valid)
        codec = context.environment.codec
        self._seated: Mapping[Any, Seated] = {
            seat: Seated(agent, seat, runner, codec) for seat, agent in context.agents.items()
        }
        self._asking_back = frozenset(seat for seat, one in self._seated.items() if one.asks_back)

    def begin(self, seat: Any, turn: int, *, resumed: bool) -> None:
        """Have a seat's agent get ready; one that relives the past of a session that goes on does. Raises `Over`."""
        context, seed = self._context, agent_seed(self._context.seed, seat)
        state = state_in(self._past, seat) if resumed and not relives(context.agents[seat]) else None
        others = (agent for other, agent in context.agents.items() if other != seat)
        person = any(not getattr(agent, "timed", True) for agent in others)
        self.brief(seat, Briefing(context.session_id, seat, seed, resumed, state, person=person))
        if self._line is not None:
            self._line.asked(
                seat,
                BeginAsked(role=seat, seed=seed, resumed=resumed, state=state),
                BeginDone(role=seat),
                self._now_ms(seat, turn),
            )
        if self._past and relives(context.agents[seat]):
            self._relive(seat)

    def brief(self, seat: Any, briefing: Briefing) -> None:
        """Have it get ready by a briefing of one's own. Raises `Over`."""
        one, limit_s = self._seated[seat], self._context.timeouts.begin_s
        _called(seat, lambda: one.begin(briefing, limit_s, f"the {seat} was not ready"))

    def _relive(self, seat: Any) -> None:
        """Ask an agent on all turns so far. Raises `Over` where it does not do what was recorded."""
        context, one, wrong = self._context, self._seated[seat], ""
        begun_again(context.environment, context.instance, context.seed)
        for turn, seen in past_observations(context.environment, self._past, seat, context.privileges[seat]):
            if not wrong:  # in any case the world is taken to where the session stands
                wrong = _called(seat, lambda turn=turn, seen=seen: self._relived(one, turn, seen))  # type: ignore[misc]  # bound at once
        if wrong:
            raise Over(CRASHED, wrong)

    def _relived(self, one: Seated, turn: Any, seen: Any) -> str:
        """Have an agent live through a turn; where it does something else than then, that."""
        seat, done = one.seat, turn.done.get(one.seat)
        for said in turn.before:
            one.inform(said, self._act_s)
        what = f"the {seat} gave no answer in {self._unit} {turn.turn}, asked once more"
        if done is None or done.forced:
            if any(found.forced for found in turn.done.values()):
                one.recall(seen, self._act_s, what)
        else:
            one.agent.valid_actions = valid_actions(self._context.environment, seat)
            answer = one.answer(seen, self._act_s, what)
            if answer.action != chosen_in(done):
                problem = answer.problem or repr(answer.action)
                return (
                    f"the {seat} cannot be taken up where it stood: in {self._unit} {turn.turn} it did {problem} where "
                    f"{chosen_in(done)!r} was recorded"
                )
        if done is not None:
            one.inform(done.told, self._act_s)
        for said in said_in(self._context.environment.codec, turn):
            if said.speaker != seat:
                one.inform(said, self._act_s)
        return ""

    def _now_ms(self, seat: Any, turn: int) -> int:
        seats = self._context.environment.seats
        return self._context.clock.now_ms(turn, seats.index(seat), len(seats))

    def recall(self, seat: Any, observation: Any, turn: int) -> None:
        """An agent sees this while something is done whatever it would do. Raises `Over`."""
        one, what = self._seated[seat], f"the {seat} did not recall the past"
        _called(seat, lambda: one.recall(observation, self._act_s, what))

    def recall_all(self, seat: Any, observations: Iterable[Any]) -> None:
        """Show an agent what somebody observed before it, if it makes anything of that. Raises `Over`."""
        for number, seen in enumerate(observations if self._seated[seat].recalls else ()):
            self.recall(seat, seen, number)

    def answer(self, seat: Any, observation: Any, turn: int) -> Answer:
        """What a seat's agent does on seeing this. Raises `Over`."""
        one = self._seated[seat]
        limit_s = self._act_s if one.agent.timed else None
        if self._knows_valid:
            one.agent.valid_actions = valid_actions(self._context.environment, seat)
        try:
            answer = one.answer(observation, limit_s, f"the {seat} gave no answer in {self._unit} {turn}")
        except RaisedError as raising:
            raise raised(seat, raising.error) from None
        if self._line is not None:
            self._line.asked(
                seat, ObservationAsked(turn=turn, role=seat), answered(turn, seat, answer), self._now_ms(seat, turn)
            )
        return answer

    def read(self, seat: Any, observation: Any, turn: int, samples: int | None) -> Reading:
        """How probable a seat's agent is to do what on seeing this. Raises `Over`."""
        one, limit_s = self._seated[seat], None if self._act_s is None else self._act_s * (samples or 1)
        valid = one.agent.valid_actions = valid_actions(self._context.environment, seat)
        what = f"the {seat} gave no distribution in {self._unit} {turn}"
        return _called(seat, lambda: one.read(observation, valid, samples, limit_s, what))

    def told(self, seat: Any, done: Any) -> None:
        """What became of it, for agents that want to be told. Raises `Over`."""
        if seat in self._asking_back:
            self._informed(seat, done.told)

    def heard(self, said: Utterance) -> None:
        """Somebody spoke: all others that listen hear it. Raises `Over`."""
        for seat, one in self._seated.items():
            if one.listens and seat != said.speaker:
                self._informed(seat, said)

    def _informed(self, seat: Any, news: Any) -> None:
        _called(seat, lambda: self._seated[seat].inform(news, self._act_s, f"the {seat}"))


def _called(seat: Any, call: Callable[[], _T]) -> _T:
    try:
        return call()
    except RaisedError as raising:
        raise raised(seat, raising.error) from None
