"""A Follower alone with a dialogue that is over, until it stops or has used up its steps or failures (6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import Costs, costs_of, spent
from teach_agents.benchmarks.metrics import Status
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.runner import LateError, Runner
from teach_agents.core.session.context import SessionContext, Timeouts, TurnClock
from teach_agents.core.session.episode import Episode
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.policies import Seats, Turns, played
from teach_agents.core.session.record import Keeper
from teach_agents.core.session.result import TIMED_OUT, End
from teach_agents.core.session.seats import LocalSeats
from teach_agents.data.inference import Predicted
from teach_agents.household import Household, Limits
from teach_agents.observations import Observation
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.session.format import Done, TurnRecord

_PATIENT = Timeouts()

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
    def predicted(self) -> tuple[Predicted, ...]:
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


def _written(done: Done) -> Predicted:
    action = done.action
    if action is None or not action.allowed_for(Role.FOLLOWER):
        return "", None
    return action.name, None if action.x is None or action.y is None else (action.y, action.x)


def play_alone(  # noqa: PLR0913  # all that decides what becomes of it
    household: Household,
    follower: Agent,
    briefing: Briefing,
    limits: Limits,
    *,
    timeouts: Timeouts = _PATIENT,
    watch: Watch | None = None,
    past: Iterable[Observation] = (),
    hooks: Sequence[tuple[str, DialogueHook]] = (),
) -> Played:
    """Let the Follower act in a household that stands ready, once it has recalled the `past`.

    Whatever the Follower does there is a result: one that raises has crashed, one that takes longer over an answer than
    `timeouts` allow has timed out, an answer that is no action is a failed action. The step that broke down and a Stop
    count as steps. What hangs is left behind in a thread of its own, with the household in its hands: neither should be
    used again.
    """
    begun = perf_counter()
    environment = HouseholdEnvironment(household, limits, judged=False)
    context = SessionContext(
        session_id=briefing.session_id,
        environment=environment,
        instance=household.scenario,
        seed=briefing.seed,
        agents={Role.FOLLOWER: follower},
        timeouts=timeouts,
        clock=TurnClock(1),
        hooks=tuple(hooks),
    )
    runner = Runner(f"follower of {briefing.session_id}")
    steps = _Steps(household, watch)
    seats = LocalSeats(context, runner, "step")
    episode = Episode(context, heard=seats.heard, keeper=steps, digests=False)
    policy = _Alone(briefing, past, steps)
    try:
        end = runner.run(lambda: played(policy, episode, seats, steps.begin))
    except LateError as late:
        end = End(TIMED_OUT, str(late))
    finally:
        runner.stop()
    if runner.busy:
        runner.join()
    status = Status(end.reason) if end.broken else Status.DONE
    reason = (end.details or end.text) if end.broken else ""
    return Played(status, reason, steps.begun, tuple(steps.done), spent(follower), perf_counter() - begun)


class _Alone(Turns):
    """The Follower gets ready by its own briefing, and recalls what was before it."""

    def __init__(self, briefing: Briefing, past: Iterable[Observation], steps: _Steps) -> None:
        super().__init__()
        self._steps = steps
        self._briefing = briefing
        self._past = past

    def begin(self, episode: Episode, seats: Seats) -> None:
        """Have it get ready; the episode begins where the past has left the household."""
        assert isinstance(seats, LocalSeats)
        self._steps.watched()
        seats.brief(Role.FOLLOWER, self._briefing)
        seats.recall_all(Role.FOLLOWER, self._past)
        environment = episode.environment
        assert isinstance(environment, HouseholdEnvironment)
        environment.stands_ready()


@dataclass
class _Steps(Keeper):
    """Keeps what was done, and shows it to who watches."""

    household: Household
    watch: Watch | None
    begun: int = 0
    done: list[Done] = field(default_factory=list)

    def begin(self) -> None:
        """A step begins."""
        self.begun += 1

    def turn(self, record: TurnRecord) -> None:
        """A step is over."""
        self.done.append(record.done[Role.FOLLOWER])
        self.watched()

    def watched(self) -> None:
        """The household stands between two steps."""
        if self.watch is not None:
            self.watch(self.household, len(self.done))
