"""One instance carried through: its state is made to stand, the Follower acts, what became of it is judged."""

from __future__ import annotations

import hashlib
import traceback
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from teach_agents.actions import Role
from teach_agents.agents.contract import Agent, Briefing
from teach_agents.benchmarks.fidelity.insisting import Insisting
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.solo.playing import Played, play_alone
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.data.games import Game, read_game
from teach_agents.household import Household, Limits
from teach_agents.installed import installed_tasks
from teach_agents.simulator.contract import Simulator
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.specs import build
from teach_agents.tasks import Progress, Task

__all__ = ["Player", "Prepared", "Settings", "bare_record", "counts", "household_for"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the outcomes, apart from the instances. Follower and simulator are SPECs."""

    follower: str = "recorded"
    simulator: str = "embedded"
    seed: int = 0
    max_steps: int = 1000
    max_failures: int = 30
    view_size: int = 300

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON; `Settings(**...)` reads them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An instance whose state stands in the household: what is judged, from what counts on, and the ground truth.

    `future` is `None` where the instance comes without it. `overrides` says what restoring had to enforce.
    """

    task: Task
    initial: GoalCounts
    future: tuple[FollowerAction, ...] | None
    overrides: tuple[Mapping[str, Any], ...] = ()


def counts(task: Task, household: Household) -> GoalCounts:
    """Goal conditions of a task in the household's present state."""
    progress = task.check(household.objects, agent_position=household.simulator.state.agent.position)
    return GoalCounts(progress.goal_conditions_total, progress.goal_conditions_satisfied)


def household_for(simulator: str, view_size: int = 300) -> Household:
    """A household on the simulator of a SPEC; on the embedded one recorded placements can be insisted on."""
    made = build("simulator", simulator, allow_import=True)
    assert isinstance(made, Simulator)
    inner = Insisting(made) if isinstance(made, EmbeddedSimulator) else made
    return Household(inner, installed_tasks(()), view_size=view_size)


class Player(ABC):
    """Carries instances through, one at a time, in a household that it keeps.

    A record holds `outcome`, which `metrics.Outcome.from_json` reads; `overrides`, what restoring had to enforce;
    `refused`, the Follower's failed actions as [step, action, message]; `unmet`, in words what the final state lacks;
    `privileges`, what the Follower read beyond TEACh's screen. Whatever goes wrong is in it.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._limits = Limits(settings.max_steps, settings.max_failures)
        self._household = household_for(settings.simulator, settings.view_size)

    @abstractmethod
    def prepare(self, reference: Reference, game: Game, household: Household) -> Prepared:
        """Set the household up as the instance begins."""

    @staticmethod
    @abstractmethod
    def foreknown(reference: Reference, game: Game) -> tuple[int, GoalCounts | None]:
        """The ground truth's length, and the first goal counts if no simulator is needed to know them."""

    def play(self, reference: Reference) -> dict[str, Any]:
        """Restore one instance's state, let the Follower act in it, and judge what it leaves."""
        known = Outcome.blank(reference.instance_id, Status.NOT_STARTED)
        try:
            game = read_game(reference.game)
            known = replace(known, task_name=game.task.task_name, cluster=game.episode.room)
            prepared = self.prepare(reference, game, self._household)
            agent = self._agent(prepared)
        except Exception:  # noqa: BLE001  # a broken game or SPEC is a failed instance, never a lost one
            return bare_record(replace(known, reason=traceback.format_exc()))
        briefing = Briefing(known.instance_id, Role.FOLLOWER, _seed_of(self.settings.seed, known.instance_id))
        played = play_alone(self._household, agent, briefing, self._limits)
        final = self._progress(prepared)
        return {
            **bare_record(_judged(known, prepared, played, final)),
            "overrides": [dict(one) for one in prepared.overrides],
            "refused": [list(one) for one in played.refused],
            "unmet": sorted({step.desc for goal in final.subgoals for step in goal.steps if not step.success}),
            "privileges": sorted(agent.privileges),
        }

    def _progress(self, prepared: Prepared) -> Progress:
        household = self._household
        return prepared.task.check(household.objects, agent_position=household.simulator.state.agent.position)

    def _agent(self, prepared: Prepared) -> Agent:
        made = build(
            "agent",
            self.settings.follower,
            allow_import=True,
            role=Role.FOLLOWER,
            household=self._household,
            future=prepared.future or (),
        )
        assert isinstance(made, Agent)
        return made


def _judged(known: Outcome, prepared: Prepared, played: Played, final: Progress) -> Outcome:
    return replace(
        known,
        status=played.status,
        reason=played.reason,
        success=final.success and played.status is Status.DONE,
        initial=prepared.initial,
        final=GoalCounts(final.goal_conditions_total, final.goal_conditions_satisfied),
        reference_length=len(prepared.future or ()),
        steps=played.steps,
        predicted_stop=played.stopped,
        failed_actions=played.failed_actions,
        predicted=played.predicted,
        costs=played.costs,
    )


def bare_record(outcome: Outcome) -> dict[str, Any]:
    """A record with no more than the outcome."""
    return {"outcome": outcome.to_json(), "overrides": [], "refused": [], "unmet": [], "privileges": []}


def _seed_of(seed: int, instance_id: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {instance_id}".encode()).digest()[:4], "big")
