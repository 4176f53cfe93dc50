"""The Agent contract: be told of a session's beginning, then answer each observation, or act by a body in a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from teach_agents.core.context import GROUND_TRUTH
from teach_agents.core.errors import ActionError, InputError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.values import Result, Say, Stop, Utterance, Wait


@dataclass(frozen=True, slots=True)
class Briefing:
    """What an agent is told when a session begins.

    What there is to do is not in it: it is observed, or said. `role` is the agent's seat. `seed` is the agent's own,
    derived from the session's. `resumed` is true when the session continues from a record; `state` is then what the
    agent told of its state until then (`state` in its `thought`, see `thoughts`), where it told any and is not asked
    on the turns so far. `person` is whether a person sits in another seat.
    """

    session_id: str
    role: Any
    seed: int = 0
    resumed: bool = False
    state: JsonMapping | None = None
    person: bool = False

    @property
    def seat(self) -> str:
        """The agent's seat."""
        return str(self.role)


class Agent:
    """Whoever acts in a seat. A subclass has `act`, or `run`, a coroutine; every other method may be plain or one.

    All of them but `load` are called in one thread, one call at a time (coroutines in an event loop of that thread),
    each within its time limit and with texts no longer than `core.sizes` has it; what an observation makes when it is
    looked at may be read from there while the call lasts.

    `privileges` names the privileged information that the agent reads, by the names that the world gives it:
    observations hold just these, and every result states them. `seats` says for which seats the agent is made; `None`
    is any.
    """

    privileges: frozenset[Any] = frozenset()
    seats: Collection[str] | None = None
    spec: str = ""
    """The SPEC it was made from, stamped on results; empty for an agent made in Python, which goes by its class."""
    provenance: Mapping[str, str] = MappingProxyType({})
    """What its answers depend on beyond its SPEC, stamped on results: names, versions and hashes, such as `model`,
    `model_hash` and `prompt_hash`. Read when a session is over, so that it may be known by then only."""
    thought: JsonMapping | None = None
    """The thinking behind the last answer, as JSON values, or `None` where there was none (an answer that follows from
    an earlier decision). Read right after each answer, in the thread that answered, and kept in the record; see
    `thoughts` for the keys that have a meaning to others."""

    handed: Collection[str] = ()
    """What of the context that is not open it was made with (see `core.context`); noted by whoever made it."""

    relives: bool = False
    """Whether it takes up a session that goes on from a record by being begun and asked on all its turns once more: it
    then has to answer what was recorded. Every agent that owns its loop does."""

    distributes: bool | None = None
    """Whether its `action_distribution` is to be asked; `None` is whether its class has one."""

    valid_actions: tuple[Any, ...] = ()
    """What its world says can be done on seeing the observation that comes next, where the world knows that."""

    perceived: Any = None
    """The observation last answered as its perception made it, of an agent that looks through one: hooks that come
    before its action read this in place of the observation."""

    timed: bool = True
    """Whether there is a time limit for its answers; a person has none."""

    _loop: Loop | None = None

    def load(self) -> None:
        """Load what answers would otherwise wait for once it is needed, such as weights; optional.

        May be called at any time, or never, also while other methods are called in the agent's own thread (see
        `loading`): what is loaded belongs to the process.
        """

    def begin(self, briefing: Briefing) -> Awaitable[None] | None:
        """A session begins; forget the last one."""

    def recall(self, observation: Any) -> Awaitable[Any] | None:
        """What somebody observed whose place the agent takes, before its own first turn; nothing is to be answered.

        The observations come oldest first and hold the agent's `privileges`; the first to be answered comes behind
        them. For one that owns its loop what was done is what its `do` comes to, whatever it would have done itself.
        """
        return None if self._loop is None else self._loop.next_action(observation)

    def hear(self, utterance: Utterance) -> Awaitable[None] | None:
        """Somebody else said something; it comes before the next observation, in order.

        For agents of worlds whose observations do not hold what was said.
        """
        if self._loop is not None:
            self._loop.heard(utterance)
        return None

    def told(self, result: Result) -> Awaitable[None] | None:
        """What became of its last action; it comes before the next observation.

        For agents of worlds whose observations do not hold it.
        """
        if self._loop is not None:
            self._loop.told(result)
        return None

    def act(self, observation: Any) -> Any:
        """Answer one observation with one action of the world, or the core's `Say`, `Wait`, `Stop`.

        An agent that owns its loop (`run`) is asked through this too: what it does next is the answer.
        """
        if self._loop is None:
            raise NotImplementedError(f"{type(self).__name__} must have act(observation), or run(body) and begin first")
        return self._loop.next_action(observation)

    async def run(self, body: Body) -> None:
        """Play a whole session: `await body.do(action)`, `await body.say(text)`, `await body.heard()`.

        In place of `act`. Time limits hold between one `do` and the next; the session's end cancels this. Where a
        session goes on from a record it is run from the beginning, with what was recorded for results: doing something
        else than then is an error. Returning is to stop.
        """
        raise NotImplementedError

    def action_distribution(self, observation: Any) -> Any:
        """How probable it is to do what: a mapping, or pairs, from action to probability; optional.

        Nothing of it is carried out. See `agents.distribution`.
        """
        raise NotImplementedError


def owns_loop(agent: Agent) -> bool:
    """Whether an agent plays by `run`."""
    return type(agent).run is not Agent.run


def wants(agent: Agent, method: str) -> bool:
    """Whether an agent makes anything of what `recall`, `hear` or `told` tell: one that does not is spared it."""
    return owns_loop(agent) or getattr(type(agent), method) is not getattr(Agent, method)


def relives(agent: Agent) -> bool:
    """Whether an agent takes up a session by living through it once more."""
    return agent.relives or owns_loop(agent)


def distributes(agent: Agent) -> bool:
    """Whether an agent says by itself how probable it is to do what."""
    own = type(agent).action_distribution is not Agent.action_distribution
    return own if agent.distributes is None else agent.distributes


@dataclass
class FunctionAgent(Agent):
    """An agent made of one function, plain or async."""

    function: Callable[[Any], Any]
    privileges: frozenset[Any] = frozenset()

    def act(self, observation: Any) -> Any:
        """Call the function."""
        return self.function(observation)


AgentLike = Agent | Callable[[Any], Any]
"""What can take a seat: an agent, or a plain or async function from observation to action."""


def as_agent(agent: AgentLike, *, seat: str = "", privileges: Collection[str] | None = None) -> Agent:
    """Accept an `Agent` or a plain function wherever an agent is wanted.

    Raises `InputError` for what is neither (a class in place of its instance, say), for an agent that is not made for
    the `seat`, and for one that reads other than the `privileges` that the world has.
    """
    if not isinstance(agent, Agent):
        if not callable(agent) or isinstance(agent, type):
            raise InputError("agent", "must be an Agent or a function from Observation to Action", value=agent)
        return FunctionAgent(agent)
    where = f"agent {type(agent).__name__}"
    if type(agent).act is Agent.act and not owns_loop(agent):
        raise InputError(where, "must have act(observation), or run(body)")
    if seat and agent.seats is not None and seat not in agent.seats:
        raise InputError(where, "is not made for this seat", value=str(seat), valid=agent.seats)
    for privilege in agent.privileges:
        if privileges is not None and privilege not in privileges:
            raise InputError(f"{where}, privileges", "no such privilege", value=str(privilege), valid=privileges)
    return agent


def name_of(agent: Agent) -> str:
    """What results call an agent: its SPEC, or the name of its class or function."""
    made_of = agent.function if isinstance(agent, FunctionAgent) else type(agent)
    return agent.spec or str(getattr(made_of, "__name__", type(made_of).__name__))


def privileges_of(agent: Agent) -> frozenset[Any]:
    """What an agent reads: what it says now, and the truth where it was handed any when it was made."""
    return frozenset(agent.privileges) | ({GROUND_TRUTH} if agent.handed else frozenset())


def provenance_of(agent: Agent) -> dict[str, str]:
    """What results say of an agent's provenance: texts, by name."""
    return {str(name): str(agent.provenance[name]) for name in sorted(agent.provenance)}


class Body:
    """An agent's body in a session. `observation` is what it sees now, `briefing` what it was told at the beginning."""

    def __init__(self, loop: Loop, briefing: Briefing) -> None:
        self._loop = loop
        self.briefing = briefing
        self.observation: Any = None

    @property
    def seat(self) -> str:
        """The agent's seat."""
        return self.briefing.seat

    async def do(self, action: Any) -> Result:
        """Do something; what came of it. `observation` is then what the agent sees afterwards.

        Where somebody else acts in the agent's place (a past that it takes over, a forced prefix), that is carried out
        instead, and what came of that is told. Of several at once one is done after the other.
        """
        return await self._loop.do(action)

    async def say(self, text: str) -> Result:
        """Say something."""
        return await self.do(Say(text))

    async def wait(self) -> Result:
        """Let a turn pass."""
        return await self.do(Wait())

    async def heard(self) -> tuple[Utterance, ...]:
        """What others have said since this was asked last, oldest first; lets turns pass until there is something."""
        while not (said := self._loop.news()):
            await self.wait()
        return said


class Loop:
    """Runs `agent.run` in steps: an observation goes in, the next action comes out.

    It belongs to the event loop in which the agent is called, and goes on only while an answer is asked for. What was
    said and what became of the last action is read from an observation's `dialogue` (all that was said so far) and
    `last_result` where it has them; else it is what `heard` and `told` told.
    """

    def __init__(self, agent: Agent, briefing: Briefing) -> None:
        self._agent = agent
        self._body = Body(self, briefing)
        self._running: asyncio.Task[None] | None = None
        self._chosen: asyncio.Future[Any] | None = None
        self._done: asyncio.Future[Result] | None = None
        self._one_by_one = asyncio.Lock()
        self._result = Result(True)
        self._heard: list[Utterance] = []
        self._told: list[Utterance] = []
        self._read = 0

    def heard(self, said: Utterance) -> None:
        """Somebody else spoke."""
        self._told.append(said)

    def told(self, result: Result) -> None:
        """What became of the last action."""
        self._result = result

    def news(self) -> tuple[Utterance, ...]:
        """What was heard since this was asked last."""
        said, self._heard = tuple(self._heard), []
        return said

    async def do(self, action: Any) -> Result:
        """From the agent's side: this is the next action; what came of it, once the agent is asked again."""
        async with self._one_by_one:
            if self._chosen is None or self._running is None or self._running.done():
                raise RuntimeError("a body is moved from within its agent's run, and not once that is over")
            if self._chosen.done():  # the last one was given up: its turn has to pass first
                await self._passed()
            self._chosen.set_result(action)
            return await self._passed()

    async def _passed(self) -> Result:
        self._done = asyncio.get_running_loop().create_future()
        return await self._done

    async def next_action(self, observation: Any) -> Any:
        """From the session's side: what the agent does on seeing this. Raises what the agent raises."""
        self._sees(observation)
        events = asyncio.get_running_loop()
        self._chosen = events.create_future()
        if self._running is None:
            self._running = events.create_task(self._agent.run(self._body))
        elif self._done is not None and not self._done.done():
            self._done.set_result(self._result)
        await asyncio.wait((self._chosen, self._running), return_when=asyncio.FIRST_COMPLETED)
        if self._chosen.done():
            return self._chosen.result()
        try:
            self._running.result()
        except ActionError as error:  # no answer that is none: nothing is left that could answer
            raise RuntimeError(f"run was ended by {error}") from error
        return Stop()

    def _sees(self, observation: Any) -> None:
        self._body.observation = observation
        if (result := getattr(observation, "last_result", None)) is not None:
            self._result = result
        dialogue = getattr(observation, "dialogue", None)
        if dialogue is None:
            self._heard += self._told
        else:
            self._heard += (one for one in dialogue[self._read :] if one.speaker != self._body.seat)
            self._read = len(dialogue)
        self._told.clear()

    def cancel(self) -> None:
        """The agent is begun anew in the same event loop: this `run` is not needed any more."""
        running = self._running
        if running is not None and running.get_loop() is asyncio.get_running_loop():
            running.cancel()
