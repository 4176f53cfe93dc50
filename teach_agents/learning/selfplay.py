"""Self-play: the language-model pair's own way through sessions, with the planners' choices in place of a model's.

Sessions are generated tasks in rooms of TEACh's training split, or begin as people's training sessions did.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.agents.lm.commander import lm_commander
from teach_agents.agents.lm.follower import lm_follower
from teach_agents.agents.lm.memory_building import training_files
from teach_agents.benchmarks.tatc.episode import scenario_of
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.core.agents.contract import Agent
from teach_agents.core.benchmark.engines import Job
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.household import Household, Limits
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT, SIMULATOR
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.gathering import stored
from teach_agents.learning.paraphrasing import Paraphraser
from teach_agents.learning.rooms import TRAINING_ROOMS
from teach_agents.learning.teaching import Teacher, Wording
from teach_agents.models import LanguageModel, load_model
from teach_agents.session import Session

WORKER = "teach_agents.learning.selfplay:work"

_PAIRS = (("teacher", "teacher"), ("teacher", "teacher"), ("teacher", "teacher"), ("planner", "teacher"))
"""Who plays: drawn for each session. The planner Commander talks as people do and is not taught from."""
_REWORDED = 0.6
"""In how many sessions people's words are put for the planners'."""
_EXPLORING = (0.0, 0.5, 1.0, 2.0)
"""Drawn for each session: how much of `SelfPlay.exploring` it is explored with."""


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """How sessions are played. `exploring` is how often, on average, something else is done than what is learnt;
    with a `student`, a model's SPEC, it is then what that model would do. `max_decisions` are each chair's."""

    exploring: float = 0.13
    student: str = ""
    max_decisions: int = 100
    max_turns: int = 1000
    max_failures: int = 60

    def __post_init__(self) -> None:
        if not 0.0 <= self.exploring <= 0.5:
            raise InputError("self-play, exploring", "must be from 0 to 0.5", value=self.exploring)

    def to_json(self) -> JsonObject:
        """The settings as JSON; `SelfPlay(**...)` reads them."""
        return asdict(self)


def instances(count: int, *, seed: int = 0, games: str | Path | None = None) -> list[TatcInstance]:
    """What is played: `count` generated tasks in training rooms; with `games`, as these sessions began.

    Generated ones are drawn by `seed`. Of a folder of games `count` are drawn, anew each time round. Raises
    `InputError` for games that agents are judged by, and a count below one.
    """
    if count < 1:
        raise InputError("self-play", "needs a count of at least 1", value=count)
    if games is None:
        return [
            replace(
                one,
                instance_id=f"self-play-{seed}-{number:05d}",
                rooms=tuple(room for room in one.rooms if room in TRAINING_ROOMS),
            )
            for number, one in enumerate(generated_instances(count, seed=seed))
        ]
    training_files(games)
    found = game_instances([Path(games)], seed=seed)
    rng = random.Random(f"self-play {seed}")
    drawn: list[TatcInstance] = []
    while len(drawn) < count:
        rng.shuffle(found)
        drawn += found[: count - len(drawn)]
    return [
        replace(one, instance_id=f"self-play-{seed}-{number:05d}-{one.instance_id}", seed=rng.randrange(2**31))
        for number, one in enumerate(drawn)
    ]


def self_play(instance: TatcInstance, how: SelfPlay) -> tuple[list[Demonstration], JsonObject]:
    """Play one session: its demonstrations, the Follower's first, and what is to be told of it as JSON.

    The same instance and settings make the same demonstrations. Raises `InputError` where there is no such state.
    """
    household = _household()
    scenario = scenario_of(instance, household.library)
    rng = random.Random(instance_seed(instance.seed, f"teacher {instance.instance_id}"))
    seats = dict(zip(Role, rng.choice(_PAIRS), strict=True))
    exploring = how.exploring * rng.choice(_EXPLORING) * len(_EXPLORING) / sum(_EXPLORING)
    wording = Wording(_ways(rng, seats))
    student = _model(how.student) if how.student else None
    teachers = {
        role: Teacher(instance.instance_id, wording, random.Random(rng.random()), exploring, student)
        for role, who in seats.items()
        if who == "teacher"
    }
    commander, follower = (_agent(role, teachers.get(role), how) for role in Role)
    limits = Limits(max_turns=how.max_turns, max_failures=how.max_failures)
    session = Session(household, commander, follower, limits=limits)
    result = asyncio.run(session.with_hook(wording).run(scenario))
    if result.end_reason.broken:
        raise InputError(f"session {instance.instance_id}", f"{result.end_reason.value}: {result.reason}")
    order = (teachers[role] for role in (Role.FOLLOWER, Role.COMMANDER) if role in teachers)
    return [one for teacher in order for one in teacher.demonstrations], {
        "task": result.task,
        "room": scenario.room,
        "success": result.success,
        "end_reason": result.end_reason.value,
        "turns": result.turns,
        "pair": " ".join(seats.values()),
        "notes": {
            "sessions in other words": int(wording.reworded),
            "explored": sum(one.explored for one in teachers.values()),
            "labels that are the nearest offered": sum(one.nearest for one in teachers.values()),
            "planner Commanders": int(len(teachers) == 1),
        },
        "dropped": dict(sum((one.dropped for one in teachers.values()), Counter[str]())),
        "labels": dict(sum((one.labels for one in teachers.values()), Counter[str]())),
    }


def _ways(rng: random.Random, seats: Mapping[Role, str]) -> dict[Role, Paraphraser]:
    """Ways of talking of those who are taught from; the planner talks as people do itself."""
    if rng.random() >= _REWORDED:
        return {}
    return {role: Paraphraser(random.Random(rng.random())) for role, who in seats.items() if who == "teacher"}


def _agent(role: Role, teacher: Teacher | None, how: SelfPlay) -> Agent:
    if teacher is None:
        return build(AGENT, "planner", role=role)
    make = lm_commander if role is Role.COMMANDER else lm_follower
    return make(teacher, max_decisions=how.max_decisions)


@cache
def _household() -> Household:
    """One household a process."""
    return Household(build(SIMULATOR, "embedded"), installed_tasks(()))


@lru_cache(maxsize=1)
def _model(spec: str) -> LanguageModel:
    return load_model(spec, allow_import=True)


def sources(found: Iterable[TatcInstance]) -> list[Job]:
    """The instances as work for a `Gathering` with `WORKER`."""
    return [Job(one.instance_id, one.to_json()) for one in found]


def work(payload: JsonMapping) -> JsonObject:
    """The job of a `Gathering`: play one session."""
    instance = TatcInstance.from_json(payload["source"])
    return stored(payload, lambda: self_play(instance, SelfPlay(**payload["how"])))
