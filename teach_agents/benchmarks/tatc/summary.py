"""From a run's episodes to its summary: what `summary.json` holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import UNKNOWN, Outcome, Status
from teach_agents.benchmarks.published import rule_based_overall, rule_based_pair
from teach_agents.benchmarks.tatc.instances import TatcInstance
from teach_agents.benchmarks.tatc.parameters import SESSION_TASKS
from teach_agents.benchmarks.tatc.scores import EpisodeScore, GoalCounts, summarize
from teach_agents.benchmarks.tatc.settings import TatcSettings
from teach_agents.core.benchmark.statistics import bootstrap_mean


class _Run(Protocol):
    """A run that is played, or one that is read from its folder."""

    @property
    def settings(self) -> TatcSettings: ...

    @property
    def instances(self) -> Sequence[TatcInstance]: ...

    def episodes(self) -> Mapping[str, Mapping[str, Any]]: ...


def _goals(counts: Mapping[str, int] | None) -> GoalCounts | None:
    return GoalCounts(counts["total"], counts["satisfied"]) if counts else None


def score_of(episode: Mapping[str, Any]) -> EpisodeScore:
    """One line of `episodes.jsonl` as a score. Success counts only where the episode ended in order."""
    done = episode["status"] == "done"
    return EpisodeScore(
        episode["instance_id"],
        episode["task_name"],
        episode["status"],
        success=done and bool(episode["success"]),
        initial=_goals(episode.get("initial")),
        final=_goals(episode.get("final")),
        length=episode.get("length", 0),
        reference_length=episode.get("reference_length"),
        room=episode.get("room", ""),
    )


def outcome_of(episode: Mapping[str, Any]) -> Outcome:
    """The same line as an outcome; steps, failed actions and utterances are those of both agents."""
    initial, final = (GoalCounts(**episode[name]) if episode.get(name) else None for name in ("initial", "final"))
    talked = Costs(utterances=sum(episode.get("utterances", {}).values()))
    costs = sum((Costs(**found) for found in episode["costs"].values()), Costs()) if "costs" in episode else talked
    return Outcome(
        instance_id=episode["instance_id"],
        game_id=episode["instance_id"],
        task_name=episode.get("task_name", UNKNOWN),
        cluster=episode.get("room") or UNKNOWN,
        status=Status(episode["status"]),
        reason=episode.get("reason", ""),
        success=bool(episode.get("success")),
        initial=initial,
        final=final,
        reference_length=episode.get("reference_length") or 0,
        steps=episode.get("length", 0),
        failed_actions=sum(episode.get("failures", {}).values()),
        costs=costs + Costs(wall_s=episode.get("wall_s", 0.0)),
    )


def _missing(run: _Run, episodes: Mapping[str, Any]) -> list[EpisodeScore]:
    """Instances that were never played fail too; the denominator is the list of instances."""
    return [
        EpisodeScore(one.instance_id, one.task_name or "not played", "missing")
        for one in run.instances
        if one.instance_id not in episodes
    ]


def _by_task(scores: Sequence[EpisodeScore]) -> dict[str, Any]:
    present = {score.task_name for score in scores}
    names = [name for name in SESSION_TASKS if name in present] + sorted(present - set(SESSION_TASKS))
    table = {}
    for name in names:
        own = [score for score in scores if score.task_name == name]
        rooms = [score.cluster for score in own]
        rate, interval = bootstrap_mean([float(score.success) for score in own], clusters=rooms)
        macro, _ = bootstrap_mean([score.goal_success for score in own])
        table[name] = {
            "n": len(own),
            "success_rate": rate,
            "success_rate_ci": interval,
            "goal_condition_success_macro": macro,
            "mean_length": sum(score.length for score in own) / len(own),
            "rule_based_pair_success_rate": rule_based_pair().get(name),
        }
    return table


def _common(episodes: Sequence[Mapping[str, Any]], key: str) -> Any:
    """The value that the episodes share; episodes of one run have one simulator and one pair of agents."""
    return next((episode[key] for episode in episodes if key in episode), None)


def _of_roles(provenance: Mapping[str, Mapping[str, str]], name: str) -> dict[str, str] | None:
    """One thing that agents say of themselves, by role; null where neither says it."""
    return {role: found[name] for role, found in provenance.items() if name in found} or None


def _costs(episodes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What each role spent in all, with the median number of candidates of its decisions."""
    spent = [episode["costs"] for episode in episodes if "costs" in episode]
    total = {role: sum((Costs(**one[role.value]) for one in spent), Costs()) for role in Role}
    return {
        role.value: {
            **{name: count for name, count in found.to_json().items() if name != "wall_s"},
            "median_candidates": found.median_candidates,
        }
        for role, found in total.items()
    }


def _hook_notes(episodes: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What each dialogue hook noted at the sessions' ends: numbers are summed, of anything else the first is kept."""
    total: dict[str, dict[str, Any]] = {}
    for episode in episodes:
        for hook in episode.get("hooks", ()):
            total[hook["name"]] = _summed(total.get(hook["name"], {}), hook["notes"])
    return total


def _summed(before: Any, new: Any) -> Any:
    if isinstance(before, dict) and isinstance(new, dict):
        return {
            **before,
            **{key: _summed(before[key], value) if key in before else value for key, value in new.items()},
        }
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (before, new))
    return before + new if numbers else before


def _rejections(episodes: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for episode in episodes:
        total.update(episode.get("rejections", {}))
    return dict(sorted(total.items()))


def summary_of(run: _Run) -> dict[str, Any]:
    """The summary of a run as JSON.

    Rates are fractions over the list of instances. `simulator` is the simulator's stamp (`embedded` or `ai2thor`),
    `privileges` what each role's agent read beyond TEACh's screens, `provenance` what else its answers depend on;
    `model`, `prompt_hash` and `perception` (the tier) of these are null for agents that have none. `costs` are sums by
    role, without times, `hook_notes` what dialogue hooks noted. `path_length` states what the path weights count.
    """
    by_id = run.episodes()
    episodes = list(by_id.values())
    missing = _missing(run, by_id)
    scores = [score_of(episode) for episode in episodes] + missing
    by_task = _by_task(scores)
    settings = run.settings
    provenance = _common(episodes, "provenance") or {role.value: {} for role in Role}
    return {
        "simulator": _common(episodes, "simulator") or settings.simulator,
        "commander": settings.commander,
        "follower": settings.follower,
        "dialogue_hooks": list(settings.hooks),
        "hook_notes": _hook_notes(episodes),
        "privileges": _common(episodes, "privileges"),
        "provenance": provenance,
        "model": _of_roles(provenance, "model"),
        "prompt_hash": _of_roles(provenance, "prompt_hash"),
        "perception": _of_roles(provenance, "perception"),
        "seed": settings.seed,
        "limits": {"max_turns": settings.max_turns, "max_failures": settings.max_failures},
        **summarize(scores),
        "missing": len(missing),
        "complete": not missing,
        "path_length": "actions of both agents, NoOp left out, against all recorded interactions of both people",
        "costs": _costs(episodes),
        "by_task": by_task,
        "end_reasons": dict(
            sorted(Counter(str(episode.get("end_reason", episode["status"])) for episode in episodes).items())
        ),
        "rejected_initial_states": _rejections(episodes),
        "rule_based_pair_success_rate": rule_based_overall() if set(by_task) == set(SESSION_TASKS) else None,
        "teach_agents": _version(),
    }


def _version() -> str:
    from importlib.metadata import version

    return version("teach-agents")
