"""The Follower's loop: look, answer, act, until it stops or has used up its steps or failures (specification 6.2)."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from time import monotonic, perf_counter

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.benchmarks.costs import Costs, costs_of, spent
from teach_agents.benchmarks.metrics import Status
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.thoughts import thought_of
from teach_agents.errors import ActionError
from teach_agents.household import Household, Limits
from teach_agents.observations import Observation
from teach_agents.session.thread import AgentThread
from teach_agents.session.timing import Timeouts
from teach_agents.session.turns import Done

__all__ = ["Played", "Watch", "play_alone"]

_PATIENT = Timeouts()
_BETWEEN_S = 0.01
"""How soon to look again when the Follower is asked for nothing just then."""

Watch = Callable[[Household, int], None]
"""Told how many steps were taken, 0 at first; the household stands between two steps then."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a Follower did.

    `done` holds what was carried out, one entry a step; the step that broke down has none, but counts among `steps`.
    `usage` is what the Follower says its models cost, `wall_s` the seconds that all of it took.
    """

    status: Status
    reason: str
    steps: int
    done: tuple[Done, ...]
    usage: Costs
    wall_s: float = 0.0

    @property
    def predicted(self) -> tuple[tuple[str, tuple[float, float] | None], ...]:
        """Every step as the reference writes it: the action and its click, fractions (row, column).

        The name is "" for an answer that was no action of the Follower's, and for the step that broke down.
        """
        return (*map(_written, self.done), *[("", None)] * (self.steps - len(self.done)))

    @property
    def stopped(self) -> bool:
        """Whether the Follower ended it."""
        return bool(self.steps) and self.predicted[-1][0] == "Stop"

    @property
    def failed_actions(self) -> int:
        """How many actions failed."""
        return sum(not one.result.success for one in self.done)

    @property
    def refused(self) -> tuple[tuple[int, str, str], ...]:
        """What failed actions met with: step, action and the household's message."""
        named = zip(self.done, self.predicted, strict=False)
        failed = [(step, name, one) for step, (one, (name, _)) in enumerate(named) if not one.result.success]
        return tuple((step, name, one.result.message) for step, name, one in failed)

    @property
    def costs(self) -> Costs:
        """What it cost in talk, answers that were no action, decisions, models and time."""
        return costs_of(self.done, Role.FOLLOWER) + Costs(wall_s=self.wall_s) + self.usage


def _written(done: Done) -> tuple[str, tuple[float, float] | None]:
    action = done.action
    if action is None or not action.allowed_for(Role.FOLLOWER):
        return "", None
    return action.name, None if action.x is None or action.y is None else (action.y, action.x)


def play_alone(
    household: Household,
    follower: Agent,
    briefing: Briefing,
    limits: Limits,
    *,
    timeouts: Timeouts = _PATIENT,
    watch: Watch | None = None,
    past: Iterable[Observation] = (),
) -> Played:
    """Let the Follower act in a household that stands ready, once it has recalled the `past`.

    Whatever the Follower does there is a result: one that raises has crashed, one that takes longer over an answer than
    `timeouts` allow has timed out, an answer that is no action is a failed action. The step that broke down and a Stop
    count as steps. What hangs is left behind in a thread of its own, with the household in its hands: neither should be
    used again.
    """
    return _Loop(household, follower, limits, timeouts, watch or (lambda household, steps: None), past).run(briefing)


class _GivenUp(Exception):
    """Nobody waits for the Follower any longer."""


class _Wait:
    """Waiting for the Follower; `what` it did not do is said of one that took longer than `limit_s` seconds.

    `until` is by `time.monotonic`; `None` is for ever.
    """

    __slots__ = ("_limit_s", "_what", "until")

    def __init__(self, limit_s: float | None, what: str) -> None:
        self._limit_s = limit_s
        self._what = what
        self.until = None if limit_s is None else monotonic() + limit_s

    @property
    def late(self) -> str:
        """What is said of a Follower that took longer."""
        return f"the follower {self._what} within {self._limit_s:g} s"


class _Loop:
    """Plays in a thread of the Follower's own, while the caller's looks whether an answer is overdue.

    Nothing changes hands between the threads from step to step, so that watching costs next to nothing.
    """

    def __init__(  # what it plays with
        self,
        household: Household,
        follower: Agent,
        limits: Limits,
        timeouts: Timeouts,
        watch: Watch,
        past: Iterable[Observation],
    ) -> None:
        self._household = household
        self._follower = follower
        self._limits = limits
        self._timeouts = timeouts
        self._watch = watch
        self._past = past
        self._failed_before = 0
        self._steps = 0
        self._done: list[Done] = []
        self._lock = threading.Lock()
        self._wait: _Wait | None = None
        self._given_up = False

    def run(self, briefing: Briefing) -> Played:
        begun = perf_counter()
        thread = AgentThread(f"follower of {briefing.session_id}")
        over: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        thread.start(lambda: self._play(thread, briefing), lambda _, error: over.put(error))
        try:
            status, reason = self._watched(over)
        finally:
            self._given_up = True  # an interrupt, too, ends the loop at its next answer
            thread.stop()
        usage = spent(self._follower)
        return Played(status, reason, self._steps, tuple(self._done), usage, perf_counter() - begun)

    def _watched(self, over: queue.SimpleQueue[BaseException | None]) -> tuple[Status, str]:
        """Wait until the loop is over, or an answer overdue."""
        while True:
            wait = self._wait
            left = _BETWEEN_S if wait is None else None if wait.until is None else wait.until - monotonic()
            try:
                error = over.get(timeout=left if left is None else min(max(left, 0.0), threading.TIMEOUT_MAX))
            except queue.Empty:
                if wait is not None and self._overdue(wait):
                    return Status.TIMED_OUT, wait.late
                continue
            return (Status.CRASHED, "".join(traceback.format_exception(error))) if error else (Status.DONE, "")

    def _overdue(self, wait: _Wait) -> bool:
        """Give up on an answer that is still asked for."""
        with self._lock:
            self._given_up = self._wait is wait
            return self._given_up

    def _answer(self, thread: AgentThread, call: Callable[[], object], wait: _Wait) -> object:
        self._wait = wait
        try:
            return thread.settled(call)
        finally:
            with self._lock:
                self._wait = None
                given_up = self._given_up
            if given_up:
                raise _GivenUp

    def _play(self, thread: AgentThread, briefing: Briefing) -> None:
        self._watch(self._household, 0)
        self._answer(thread, lambda: self._follower.begin(briefing), _Wait(self._timeouts.begin_s, "was not ready"))
        for seen in self._past:
            wait = _Wait(self._timeouts.act_s, "did not recall the past")
            self._answer(thread, partial(self._follower.recall, seen), wait)
        self._failed_before = self._household.failures[Role.FOLLOWER]
        while not self._over():
            self._step(thread)
            self._watch(self._household, self._steps)

    def _over(self) -> bool:
        last = self._done[-1].action if self._done else None
        if last is not None and last.name == "Stop":
            return True
        failed = self._household.failures[Role.FOLLOWER] - self._failed_before
        return self._limits.out_of_turns(self._steps) or bool(self._limits.over_failed({Role.FOLLOWER: failed}))

    def _step(self, thread: AgentThread) -> None:
        turn = self._steps
        self._steps += 1
        seen = self._household.observe(Role.FOLLOWER, self._follower.privileges, turn=turn)
        try:
            wait = _Wait(self._timeouts.act_s, f"gave no answer in step {turn}")
            answer = self._answer(thread, lambda: self._follower.act(seen), wait)
        except ActionError as error:
            answer = error  # no action; the household says so
        thought = thought_of(self._follower)
        result: ActionResult = self._household.act(Role.FOLLOWER, answer, time_ms=turn)  # type: ignore[arg-type]  # it refuses what is no action
        action = answer if isinstance(answer, Action) else None
        self._done.append(Done(action, result, turn, self._household.simulator.state.agent, thought))
