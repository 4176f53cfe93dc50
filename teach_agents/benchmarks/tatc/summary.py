"""From a run's episodes to its summary: what `summary.json` holds.

Rules: TEACh's metrics (specification 6.6 and 6.7) with TATC's path length (7.2). A session that crashed, timed out or
never started is a failed session in every denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status, path_weight
from teach_agents.benchmarks.published import rule_based_overall, rule_based_pair
from teach_agents.benchmarks.tatc.parameters import SESSION_TASKS
from teach_agents.core.benchmark.outcomes import UNKNOWN
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, bootstrap_ratio
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.benchmark.summary import common, shared
from teach_agents.core.json_types import JsonMapping, JsonObject


def outcome_of(line: JsonMapping) -> Outcome:
    """A line of `episodes.jsonl` as an outcome; steps, failed actions and utterances are those of both agents."""
    initial, final = (GoalCounts(**line[name]) if line.get(name) else None for name in ("initial", "final"))
    talked = Costs(utterances=sum(line.get("utterances", {}).values()))
    costs = sum((Costs(**found) for found in line["costs"].values()), Costs()) if "costs" in line else talked
    return Outcome(
        instance_id=line["instance_id"],
        game_id=line["instance_id"],
        task_name=line.get("task_name", UNKNOWN),
        cluster=line.get("room") or UNKNOWN,
        status=Status(line["status"]),
        reason=line.get("reason", ""),
        success=line["status"] == Status.DONE and bool(line.get("success")),
        initial=initial,
        final=final,
        reference_length=line.get("reference_length") or 0,
        steps=line.get("length", 0),
        failed_actions=sum(line.get("failures", {}).values()),
        costs=costs + Costs(wall_s=line.get("wall_s", 0.0)),
    )


def goals_to_do(one: Outcome) -> int:
    """Goal conditions that did not hold at the start."""
    return one.initial.unmet if one.initial else 0


def goals_done(one: Outcome) -> int:
    """Of these, how many hold at the end; negative when the agents undid more than they did."""
    return goals_to_do(one) - one.final.unmet if one.final else 0


def goal_success(one: Outcome) -> float:
    """Goal-condition success of a session; 1 when nothing was left to do, 0 when it never started."""
    if one.initial is None or one.final is None:
        return 0.0
    return goals_done(one) / goals_to_do(one) if goals_to_do(one) else 1.0


def weight_of(one: Outcome) -> float:
    """min(1, reference length / length); 0 without a demonstration."""
    return path_weight(one.reference_length, one.steps)


def summarize(outcomes: Sequence[Outcome]) -> JsonObject:
    """The aggregate over all sessions, as JSON; every rate with its 95 % interval over rooms, by `interval_rule`.

    Path-weighted rates are over the sessions that have a demonstration: weights are the demonstrations' lengths.
    """
    shown = [one for one in outcomes if one.reference_length]
    lengths = [one.reference_length for one in shown]
    status = Counter(one.status for one in outcomes)
    weighted = {
        "path_weighted_success_rate": lambda one: one.success * weight_of(one) * one.reference_length,
        "path_weighted_goal_condition_success": lambda one: goal_success(one) * weight_of(one) * one.reference_length,
    }
    return {
        "n": len(outcomes),
        **_rate("success_rate", outcomes, lambda one: one.success),
        **_rate("goal_condition_success_macro", outcomes, goal_success),
        **_rate("goal_condition_success_micro", outcomes, goals_done, list(map(goals_to_do, outcomes))),
        **{key: found for name, top in weighted.items() for key, found in _rate(name, shown, top, lengths).items()},
        "path_weighted_n": len(shown),
        "interval_rule": INTERVAL_RULE,
        "crashed": status[Status.CRASHED],
        "timed_out": status[Status.TIMED_OUT],
    }


def _rate(
    name: str, outcomes: Sequence[Outcome], top: Callable[[Outcome], float], bottoms: Sequence[float] = ()
) -> JsonObject:
    """Sum of tops over sum of bottoms, by default the number of sessions, with its interval."""
    tops, rooms = [float(top(one)) for one in outcomes], [one.unit for one in outcomes]
    value, interval = bootstrap_ratio(tops, bottoms or [1.0] * len(tops), clusters=rooms)
    return {name: value, f"{name}_ci": interval}


def _by_task(outcomes: Sequence[Outcome]) -> JsonObject:
    present = {one.task_name for one in outcomes}
    names = [name for name in SESSION_TASKS if name in present] + sorted(present - set(SESSION_TASKS))
    table = {}
    for name in names:
        own = [one for one in outcomes if one.task_name == name]
        macro = "goal_condition_success_macro"
        table[name] = {
            "n": len(own),
            **_rate("success_rate", own, lambda one: one.success),
            macro: _rate(macro, own, goal_success)[macro],
            "mean_length": sum(one.steps for one in own) / len(own),
            "rule_based_pair_success_rate": rule_based_pair().get(name),
        }
    return table


def _hook_notes(episodes: Sequence[JsonMapping]) -> dict[str, JsonObject]:
    """What each dialogue hook noted at the sessions' ends: numbers are summed, of anything else the first is kept."""
    total: dict[str, JsonObject] = {}
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


def summary_of(run: StoredRun) -> JsonObject:
    """The summary of a run as JSON.

    Rates are fractions over the list of instances. `simulator` is the simulator's stamp (`embedded` or `ai2thor`),
    `privileges` what each role's agent read beyond TEACh's screens, `provenance` what else its answers depend on;
    `model`, `prompt_hash` and `perception` (the tier) of these are null for agents that have none. `costs` are sums by
    role, without times, `hook_notes` what dialogue hooks noted. `path_length` states what the path weights count.
    """
    episodes, settings = list(run.lines.values()), run.settings
    outcomes = sorted(map(_named, run.outcomes), key=lambda one: one.status is Status.MISSING)
    missing = len(outcomes) - len(episodes)
    by_task = _by_task(outcomes)
    provenance = common(episodes, "provenance") or {role: {} for role in Role}
    costs = [episode["costs"] for episode in episodes if "costs" in episode]
    rejections = sum((Counter[str](episode.get("rejections", {})) for episode in episodes), Counter[str]())
    ends = Counter(str(episode.get("end_reason", episode["status"])) for episode in episodes)
    return {
        "simulator": common(episodes, "simulator") or settings["simulator"],
        "commander": settings["commander"],
        "follower": settings["follower"],
        "dialogue_hooks": list(settings["hooks"]),
        "hook_notes": _hook_notes(episodes),
        "privileges": common(episodes, "privileges"),
        "provenance": provenance,
        **{name: shared(provenance, name) for name in ("model", "prompt_hash", "perception")},
        "seed": settings["seed"],
        "limits": {name: settings[name] for name in ("max_turns", "max_failures")},
        **summarize(outcomes),
        "missing": missing,
        "complete": not missing,
        "path_length": "actions of both agents, NoOp left out, against all recorded interactions of both people",
        "costs": {role: sum((Costs(**one[role]) for one in costs), Costs()).total_json(timed=False) for role in Role},
        "by_task": by_task,
        "end_reasons": dict(sorted(ends.items())),
        "rejected_initial_states": dict(sorted(rejections.items())),
        "rule_based_pair_success_rate": rule_based_overall() if set(by_task) == set(SESSION_TASKS) else None,
        "teach_agents": version("teach-agents"),
    }


def _named(one: Outcome) -> Outcome:
    """A session that was never played is told apart from one of a task that is not known."""
    unplayed = one.status is Status.MISSING and one.task_name == UNKNOWN
    return replace(one, task_name="not played") if unplayed else one
