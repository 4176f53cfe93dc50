"""A trained adapter at its job: a few sessions on generated instances, with the planner in the other chair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.benchmarks.tatc.benchmark import TatcBenchmark
from teach_agents.core.benchmark.run import Run
from teach_agents.core.json_types import JsonObject
from teach_agents.core.registry import default_registry
from teach_agents.core.specs import Spec, SpecForm, parse
from teach_agents.learning.settings import TrainingSettings


def model_of(base: str, adapter: Path) -> str:
    """The SPEC of a base model with the adapter in a folder."""
    parsed = parse(base, where="--base", valued=default_registry().entries("model"))
    return str(Spec(parsed.form, parsed.name, {**parsed.parameters, "adapter": str(adapter)}, parsed.value))


def agent_of(base: str, adapter: Path) -> str:
    """The SPEC of the agent that decides with it."""
    return str(Spec(SpecForm.REGISTERED, "lm", {"model": model_of(base, adapter)}))


def play_games(
    settings: TrainingSettings, adapter: Path, count: int, told: Callable[[JsonObject], None] = lambda one: None
) -> JsonObject:
    """Play `count` generated TATC instances into the folder `tatc` beside the adapter's files, and say how it went.

    Played as `teach-agents tatc` plays; `told` each episode as it ends.
    """
    mine = agent_of(settings.base, adapter.resolve())
    commander, follower = (mine if role is settings.role else "planner" for role in (Role.COMMANDER, Role.FOLLOWER))
    benchmark = TatcBenchmark(commander, follower, count=count, seed=settings.seed)
    run = Run(adapter / benchmark.name, benchmark, benchmark.setup(), benchmark.instances("generated"))
    run.play(time_limit_s=1800.0, on_line=told)
    summary = run.summary()
    kept = ("n", "success_rate", "success_rate_ci", "goal_condition_success_macro")
    return {**{name: summary.get(name) for name in kept}, "partner": "planner"}
