"""One instance carried through: its state is made to stand, the Follower acts, what became of it is judged."""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from teach_agents.actions import Role
from teach_agents.agents.history import History
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.solo.assignment import Assignment
from teach_agents.benchmarks.solo.judging import Rows, judging_task, slim_rows, unmet_of
from teach_agents.benchmarks.solo.log import Beginning, EpisodeLog, bare_record
from teach_agents.benchmarks.solo.playing import Watch, play_alone
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.run import Settings
from teach_agents.core.agents.contract import Agent, Briefing, privileges_of, provenance_of, wants
from teach_agents.core.benchmark.playing import made_hooks
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.context import Timeouts
from teach_agents.core.specs import build
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.data.games import Game, read_game
from teach_agents.household import Household, Limits
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT, SIMULATOR
from teach_agents.observations import Observation, Pose, Privilege
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.tasks import Task

__all__ = ["Carried", "Player", "Prepared", "Settings", "bare_record", "household_for"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """An instance whose state stands in the household: what it is judged by, and the ground truth.

    `judge` is JSON, see `judging`; `stated` the first goal counts where the instance's file states them. `future` is
    `None` where the instance comes without it. `overrides` says what restoring had to enforce. `assignment` and
    `history` are for agents that ask for them. `past` shows, with the privileges that it is given, what the session's
    Follower observed before; afterwards the state stands in the household again.
    """

    judge: JsonMapping
    future: tuple[FollowerAction, ...] | None
    assignment: Assignment
    stated: GoalCounts | None = None
    overrides: tuple[JsonMapping, ...] = ()
    history: History = History()
    past: Callable[[Collection[Privilege]], Iterable[Observation]] = lambda privileges: ()


@dataclass(frozen=True, slots=True)
class Carried:
    """An instance carried through: the line about it, and its whole log and what it was unless it never began."""

    line: JsonMapping
    log: EpisodeLog | None = None
    assignment: Assignment | None = None


def household_for(simulator: str, view_size: int = 300) -> Household:
    """A household on the simulator of a SPEC; on the embedded one recorded placements can be insisted on."""
    made = build(SIMULATOR, simulator, allow_import=True)
    inner = Insisting(made) if isinstance(made, EmbeddedSimulator) else made
    return Household(inner, installed_tasks(()), view_size=view_size)


class Player(ABC):
    """Carries instances through, one at a time, in a household that it keeps.

    A line holds `outcome`, which `metrics.Outcome.from_json` reads, and its `status`; `overrides`, what restoring had
    to enforce; `refused`, the Follower's failed actions as [step, action, message]; `unmet`, in words what the final
    state lacks; `privileges`, what the Follower read beyond TEACh's screen; `provenance`, what else its answers depend
    on; `simulator`, by the name that the simulator has for itself. Whatever goes wrong is in it.
    """

    kind: ClassVar[str]
    """The benchmark's name."""

    def __init__(self, settings: Settings, hooks: Sequence[str] = ()) -> None:
        self.settings = settings
        self._hooks = tuple(hooks)
        self._limits = Limits(settings.max_steps, settings.max_failures)
        self._timeouts = Timeouts(act_s=settings.call_time_limit_s)
        self.household = household_for(settings.simulator, settings.view_size)
        self._spoilt = False

    @abstractmethod
    def prepare(self, reference: Reference, game: Game, household: Household) -> Prepared:
        """Set the household up as the instance begins."""

    @staticmethod
    @abstractmethod
    def foreknown(reference: Reference, game: Game) -> tuple[int, GoalCounts | None]:
        """The ground truth's length, and the first goal counts if no simulator is needed to know them."""

    def play(self, reference: Reference) -> JsonMapping:
        """Carry one instance through and tell its line."""
        return self.carry(reference).line

    def carry(self, reference: Reference, watch: Watch | None = None) -> Carried:
        """Restore one instance's state, let the Follower act in it, and judge what it leaves."""
        known = Outcome.blank(reference.instance_id, Status.NOT_STARTED)
        if self._spoilt:  # what hung in the last instance still holds the household
            self.household = household_for(self.settings.simulator, self.settings.view_size)
        try:
            game = read_game(reference.game)
            known = replace(known, task_name=game.task.task_name, cluster=game.episode.room)
            prepared = self.prepare(reference, game, self.household)
            agent = self._agent(prepared)
            begun = self._beginning(known, game, prepared, agent)
        except Exception:  # noqa: BLE001  # a broken game or SPEC is a failed instance, never a lost one
            return Carried(bare_record(replace(known, reason=traceback.format_exc())))
        briefing = Briefing(known.instance_id, Role.FOLLOWER, begun.agent["seed"])
        played = play_alone(
            self.household,
            agent,
            briefing,
            self._limits,
            timeouts=self._timeouts,
            watch=watch,
            past=prepared.past(agent.privileges) if wants(agent, "recall") else (),
            hooks=made_hooks(self._hooks),
        )
        begun = replace(begun, agent={**begun.agent, "provenance": provenance_of(agent)})
        log = EpisodeLog(begun, played, self._pose, self._objects(judging_task(begun.judge)))
        self._spoilt = played.status is Status.TIMED_OUT
        return Carried(_line(log), log, prepared.assignment)

    @property
    def _pose(self) -> Pose:
        return self.household.simulator.state.agent

    def _objects(self, task: Task) -> Rows:
        return slim_rows(self.household.objects_for(task), task)

    def _beginning(self, known: Outcome, game: Game, prepared: Prepared, agent: Agent) -> Beginning:
        task = judging_task(prepared.judge)
        return Beginning(
            known=known,
            setting={
                "benchmark": self.kind,
                "settings": {**self.settings.to_json(), **({"hooks": list(self._hooks)} if self._hooks else {})},
                "simulator": self.household.simulator.name,
                "task_params": list(game.task.task_params),
            },
            agent={
                "spec": agent.spec,
                "seed": instance_seed(self.settings.seed, known.instance_id),
                "privileges": sorted(privileges_of(agent)),
            },
            judge=prepared.judge,
            stated=prepared.stated,
            reference_length=len(prepared.future or ()),
            dialogue=self.household.dialogue,
            pose=self._pose,
            objects=self._objects(task),
            overrides=prepared.overrides,
        )

    def _agent(self, prepared: Prepared) -> Agent:
        return build(
            AGENT,
            self.settings.follower,
            allow_import=True,
            role=Role.FOLLOWER,
            household=self.household,
            future=prepared.future or (),
            task=judging_task(prepared.judge),
            history=prepared.history,
            assignment=prepared.assignment,
            instance=prepared.assignment.shown(),
        )


def _line(log: EpisodeLog) -> JsonObject:
    outcome, final = log.judged()
    begun = log.beginning
    return {
        **bare_record(outcome),
        "overrides": [dict(one) for one in begun.overrides],
        "refused": [list(one) for one in log.played.refused],
        "unmet": unmet_of(final),
        "privileges": list(begun.agent["privileges"]),
        "provenance": dict(begun.agent["provenance"]),
        "simulator": begun.setting["simulator"],
    }
