"""The sessions of served agents: each with an agent of its own, each request acted on once."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from teach_agents.benchmarks.costs import Metered
from teach_agents.conventions.agent_wire import (
    ActReply,
    AgentDescription,
    OpenReply,
    OpenRequest,
    ReadReply,
    RecallReply,
)
from teach_agents.core.agents.contract import Agent, Briefing, distributes, provenance_of, relives, wants
from teach_agents.core.agents.runner import LateError, RaisedError, Runner
from teach_agents.core.session.seats import Seated
from teach_agents.core.specs import build
from teach_agents.core.wire import Seen, SeenReader, Wire, wire_of
from teach_agents.core.world import World
from teach_agents.errors import InputError, MissingParameterError, SpecError, TeachAgentsError, trace_of
from teach_agents.kinds import AGENT
from teach_agents_serve.limits import Limits, public_spec
from teach_agents_serve.metrics import Metrics
from teach_agents_serve.sharing_time import GivenUp

_LOG = logging.getLogger(__name__)
_REMEMBERED = 64
_LATE = "gave no answer"
"""Answers that a session keeps word for word; of older ones it knows that they were given."""


_Read = Callable[[SeenReader], Seen]


class Refusal(TeachAgentsError):
    """A request that is not acted on, and why; `status` is HTTP's."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.error = error


@dataclass(frozen=True, slots=True)
class Served:
    """An agent that sessions may have: made by its SPEC for every session anew, and what clients are told of it."""

    role: str
    spec: str
    description: AgentDescription
    allow_import: bool
    world: World

    def make(self) -> Agent:
        """A fresh agent. Raises what `specs.build` raises."""
        return build(AGENT, self.spec, role=self.role, allow_import=self.allow_import, world=self.world)


def served(role: str, spec: str, views: tuple[str, ...], *, allow_import: bool, world: World) -> Served:
    """What is served for a seat of a world. Raises `SpecError` for an agent that is none, or needs what is not sent."""
    description = AgentDescription(spec=public_spec(spec), privileges=[], views=list(views))
    unknown = Served(role, spec, description, allow_import, world)
    try:
        agent = unknown.make()
    except MissingParameterError as error:
        raise SpecError(f"--{role}", f"cannot be served: {error}; agents are sent observations only") from error
    known = {
        "privileges": sorted(agent.privileges),
        "recalls": wants(agent, "recall"),
        "relives": relives(agent),
        "distributes": distributes(agent),
    }
    return replace(unknown, description=description.model_copy(update=known))


@dataclass(slots=True)
class _Session:
    """One session: its agent, in a thread, and what was answered, by key."""

    owner: str
    seated: Seated
    runner: Runner
    reader: SeenReader
    began: float = field(default_factory=monotonic)
    used: float = field(default_factory=monotonic)
    busy: bool = False
    replies: OrderedDict[str, asyncio.Future[bytes]] = field(default_factory=OrderedDict)
    forgotten: set[str] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None


class AgentSessions:
    """Opens, uses and closes sessions; all methods belong to one event loop.

    `owner` is who asks: nobody reaches another's sessions, and each has a quota. Raises `Refusal` for what is not done.
    """

    def __init__(self, agents: Mapping[str, Served], world: World, limits: Limits, metrics: Metrics) -> None:
        self._agents = agents
        self._wire = wire_of(world)
        self._limits = limits
        self._metrics = metrics
        self._given_up = GivenUp()
        self._sessions: dict[str, _Session] = {}
        self._opening: OrderedDict[tuple[str, str], asyncio.Future[OpenReply]] = OrderedDict()
        self._under_way = 0
        metrics.gauge("sessions_open", lambda: len(self))

    def __len__(self) -> int:
        """How many sessions there are, those that are being opened included."""
        return len(self._sessions) + self._under_way

    @property
    def full(self) -> bool:
        """Whether no more sessions can be opened."""
        return len(self) >= self._limits.sessions

    async def open(self, asked: OpenRequest, owner: str, key: str) -> OpenReply:
        """Make an agent for a chair and have it begin; the same key again is the same session."""
        known = self._opening.get((owner, key)) if key else None
        if known is None:
            known = asyncio.ensure_future(self._opened(asked, owner))
            if key:
                self._opening[owner, key] = known
                while len(self._opening) > 4 * self._limits.sessions:
                    self._opening.popitem(last=False)
        else:
            self._metrics.count("repeats")
        try:
            return await asyncio.shield(known)
        except Refusal:
            self._opening.pop((owner, key), None)  # what was refused may be asked for again
            raise

    def _check(self, asked: OpenRequest) -> None:
        """Refuse a client of another world, and one whose values are not read here."""
        wire = self._wire
        if asked.world != wire.stated.get("world"):
            there = "another, which is not stated" if asked.world is None else repr(asked.world)
            words = f"the world {wire.codec.world!r} is served here, not {there}"
            raise Refusal(409, "other_world", words)
        wire.check("world_version", asked.world, asked.world_version)

    async def _opened(self, asked: OpenRequest, owner: str) -> OpenReply:
        self._check(asked)
        limits, agent = self._limits, self._agents.get(asked.role)
        if agent is None:
            there = ", ".join(self._agents) or "none"
            raise Refusal(404, "no_such_agent", f"no {asked.role} is served here; there is: {there}")
        mine = sum(one.owner == owner for one in self._sessions.values())
        most = limits.sessions if self.full else limits.sessions_per_token
        if self.full or mine >= most:
            raise Refusal(429, "too_many_sessions", f"{most} sessions are open; close one")
        runner = Runner(f"{asked.role} of {asked.session_id or 'a session'}")
        person = bool(asked.person)
        briefing = Briefing(asked.session_id, asked.role, asked.seed, asked.resumed, asked.state, person)

        def begin() -> Seated:
            made = runner.call(agent.make, limits.ready_s, "was not ready")
            seated = Seated(made, asked.role, runner, self._wire.codec)
            seated.begin(briefing, limits.ready_s)
            return seated

        self._under_way += 1
        try:
            seated = await runner.arun(begin)
        except (RaisedError, LateError) as error:
            runner.stop()
            why = told_of(error.error) if isinstance(error, RaisedError) else str(error)
            raise Refusal(424, "agent_failed", f"the agent {why}") from error
        finally:
            self._under_way -= 1
        made = seated.agent
        reader = self._wire.reader(asked.role, made.privileges, limits.picture_pixels)
        name = secrets.token_urlsafe(16)
        self._sessions[name] = _Session(owner, seated, runner, reader)
        self._watch(name)
        self._metrics.count("sessions_opened", role=asked.role)
        told = agent.description
        return OpenReply(
            id=name, role=asked.role, privileges=told.privileges, views=told.views, provenance=provenance_of(made)
        )

    async def ask(self, what: str, name: str, owner: str, key: str, read: _Read) -> bytes:
        """The answer to an observation, as JSON; the same key again is the same answer, and nothing is done twice.

        Asked is to "act", to "recall" what somebody observed before (that it was taken in), or to "read" out how
        probable the agent is to do what. `read` makes the observation, in the agent's thread. What it raises as
        `InputError` is refused and not kept.
        """
        session = self._session(name, owner)
        key = key or secrets.token_hex(8)
        known = session.replies.get(key)
        if known is not None:
            self._metrics.count("repeats")
            return await _heard(known)
        if key in session.forgotten:
            raise Refusal(409, "answered_long_ago", "this key was used earlier in the session")
        if session.busy:
            raise Refusal(409, "busy", "the agent is at another observation of this session")
        if len(session.forgotten) >= self._limits.acts:
            raise Refusal(409, "too_long", f"a session has at most {self._limits.acts} acts")
        session.busy = True
        found = session.replies[key] = asyncio.ensure_future(self._acted(name, key, read, _WAYS[what]))
        return await _heard(found)

    async def _acted(self, name: str, key: str, read: _Read, how: _How) -> bytes:
        session, began, late, limit_s = self._sessions[name], monotonic(), False, self._limits.answer_s

        def work() -> RecallReply:
            seen = read(session.reader)
            for news in seen.news:
                session.seated.inform(news, limit_s)
            session.seated.agent.valid_actions = seen.valid
            return how(self._wire, session.seated, seen.observation, limit_s)

        try:
            reply = await session.runner.arun(work, limit_s, _LATE)
        except InputError:
            session.replies.pop(key, None)
            raise
        except RaisedError as raised:
            reply = ActReply(failed=f"the agent {told_of(raised.error)}")
        except LateError as error:
            late = True
            reply = ActReply(failed=f"the agent {error}; open another session", timed_out=True)
        finally:
            session.busy, session.used = late, monotonic()
        while len(session.replies) > _REMEMBERED:
            session.forgotten.add(session.replies.popitem(last=False)[0])
        self._metrics.count("acts", role=session.seated.seat, outcome=_outcome(reply))
        self._metrics.took(session.used - began)
        if late:
            # Kept for a moment, so that a client that lost the answer can still hear it.
            asyncio.get_running_loop().call_later(5.0, self._end, name, "late")
        return reply.model_dump_json(exclude_defaults=True).encode()

    def close(self, name: str, owner: str) -> bool:
        """End a session; whether there was one."""
        try:
            self._session(name, owner)
        except Refusal:
            return False
        self._end(name, "closed")
        return True

    def close_all(self) -> None:
        """End all sessions."""
        for name in list(self._sessions):
            self._end(name, "shutdown")

    def _session(self, name: str, owner: str) -> _Session:
        session = self._sessions.get(name)
        if session is None or session.owner != owner:
            words = "no such session: it was closed, was not used for too long, or never was"
            raise Refusal(404, "no_such_session", words)
        return session

    def _end(self, name: str, why: str) -> None:
        session = self._sessions.pop(name, None)
        if session is None:
            return
        if session.timer:
            session.timer.cancel()
        session.runner.stop()
        self._given_up.add()
        self._metrics.count("sessions_ended", reason=why)

    def _watch(self, name: str) -> None:
        """End a session that is not used for too long, or is too old; look again when that can be."""
        session = self._sessions.get(name)
        if session is None:
            return
        now, limits = monotonic(), self._limits
        idle = limits.idle_s if session.busy else session.used + limits.idle_s - now
        left = session.began + limits.total_s - now
        if left <= 0 or idle <= 0:
            self._end(name, "idle" if left > 0 else "age")
            return
        session.timer = asyncio.get_running_loop().call_later(min(idle, left) + 0.01, self._watch, name)


def _answered(wire: Wire, seated: Seated, seen: Any, limit_s: float) -> ActReply:
    """The agent's answer; in its thread. Raises `RaisedError`."""
    agent, answer = seated.agent, seated.answer(seen, limit_s)
    return ActReply(
        action=None if answer.action is None else wire.action_to_json(seated.seat, answer.action),
        problem=answer.problem,
        thought=None if answer.thought is None else dict(answer.thought),
        provenance=provenance_of(agent) or None,
        usage=agent.usage.to_json() if isinstance(agent, Metered) else None,
    )


def _recalled(wire: Wire, seated: Seated, seen: Any, limit_s: float) -> RecallReply:
    """Nothing, once the agent has taken it in; in its thread. Raises `RaisedError`."""
    seated.recall(seen, limit_s, _LATE)
    return RecallReply()


def _probed(wire: Wire, seated: Seated, seen: Any, limit_s: float) -> ReadReply:
    """The agent's distribution; in its thread. Raises `RaisedError`."""
    found = seated.read(seen, (), None, limit_s, "gave no distribution").chances
    return ReadReply(chances=[(wire.action_to_json(seated.seat, one), share) for one, share in found])


_How = Callable[[Wire, Seated, Any, float], RecallReply]
_WAYS: Mapping[str, _How] = {"act": _answered, "recall": _recalled, "read": _probed}


def _outcome(reply: RecallReply) -> str:
    """What is counted of a reply."""
    if reply.failed:
        return "failed"
    if not isinstance(reply, ActReply):
        return "recalled"
    return "no_action" if reply.action is None else "action"


def told_of(error: BaseException) -> str:
    """What clients hear of an agent's exception: errors of ours in words, of others the kind alone."""
    _LOG.warning("the agent failed: %s", trace_of(error))
    kind = f"raised {type(error).__name__}"
    return f"{kind}: {str(error)[:500]}" if isinstance(error, TeachAgentsError) else kind


async def _heard(reply: asyncio.Future[bytes]) -> bytes:
    """A reply that is made for anybody who asks for it, whoever of them goes away."""
    try:
        return await asyncio.shield(reply)
    except InputError as error:
        raise Refusal(422, "bad_observation", str(error)) from None
