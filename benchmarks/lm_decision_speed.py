"""How fast a small language model decides for the LM Follower, alone and for eight sessions at once.

    python benchmarks/lm_decision_speed.py [--model smollm2] [--decisions 24] [--repeats 5] [--json FILE]

Prompts and candidates are the shipped ones: those of the Follower's decisions in sessions that the model `oracle` plays.
Each repeat times every way of deciding on the same decisions, one after the other, so that ratios are of one moment.

| figure | what it is |
|---|---|
| alone_s | seconds for one decision of the fastest way that one session alone can decide, median of the repeats |
| ways | by way of deciding (`generate`, `mean`), of a model of its own: the same, and `together_per_s` by eight sessions that share one |
| prompt_tokens, candidates | of these decisions: median, least, most |
| together_per_s, alone_per_s, gain | decisions per second of eight sessions at once, by the fastest way, of one alone, and their ratio (median of the repeats) |
| gain_cpu, fixed_gain_cpu | the same by CPU time, which other programs disturb less |
| fixed_gain | 8 prompts of about 150 tokens with 20 tokens of answer each: tokens per second in one batch, over one after the other |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from teach_agents_prompts import load_prompts

from teach_agents import Role, play, read_record
from teach_agents.agents.lm.deciding import Asked, Decider
from teach_agents.agents.thoughts import is_decision
from teach_agents.models import Batched, LanguageModel, Prompt, Settings, load_model
from teach_agents.models.prompts import total

SESSIONS = 8
WAYS = ("generate", "mean")
ORACLE = "lm:model=oracle"
ERRANDS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Salad", ("1", "1", "2"), "FloorPlan7"),
    ("Plate Of Toast", (), "FloorPlan5"),
    ("Boil X", ("Potato",), "FloorPlan3"),
    ("Put All X On Y", ("Fork", "in", "Sink"), "FloorPlan9"),
    ("Sandwich", ("1", "1"), "FloorPlan11"),
)
PROMPT_TOKENS, ANSWER_TOKENS = 150, 20

Deciding = tuple[Asked, list[str]]


def decisions(count: int) -> list[Deciding]:
    """So many decisions of the LM Follower, with its prompts and candidates."""
    found: list[Deciding] = []
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "session.jsonl"
        for task, params, room in ERRANDS:
            play(task, params, room=room, commander=ORACLE, follower=ORACLE, record=record)
            thoughts = [turn.thoughts.get(Role.FOLLOWER) for turn in read_record(record).turns]
            for one in thoughts:
                if one is not None and is_decision(one) and len(one["candidates"]) > 1:
                    found.append((Asked(one["prompt"]["system"], one["prompt"]["user"]), list(one["candidates"])))
            if len(found) >= count:
                break
    return found[:count]


class Rate(NamedTuple):
    """How many a second of wall time, and of CPU time."""

    wall: float
    cpu: float

    def over(self, other: Rate) -> Rate:
        """The ratio of both."""
        return Rate(self.wall / other.wall, self.cpu / other.cpu)


def rate(work: Callable[[], int]) -> Rate:
    """How fast some work is done, which tells how much it was."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = work()
    return Rate(done / (time.perf_counter() - wall), done / (time.process_time() - cpu))


def decided(decider: Decider, those: Sequence[Deciding]) -> int:
    """Let one session decide, one after the other; a failed decision would be no figure."""
    decider.begin(0)
    for asked, candidates in those:
        made = decider.decide(asked, candidates, safe=candidates[0])
        assert not made.failed, made.failed
    return len(those)


def together(deciders: Sequence[Decider], those: Sequence[Deciding]) -> int:
    """Let all sessions decide at once, each beginning elsewhere, as many in all as one alone decides."""
    share = max(1, len(those) // len(deciders))
    lists = [[those[(place * share + step) % len(those)] for step in range(share)] for place in range(len(deciders))]
    with ThreadPoolExecutor(len(deciders)) as pool:
        return sum(pool.map(decided, deciders, lists))


def fixed_load(model: LanguageModel) -> list[Prompt]:
    """Eight prompts of about so many tokens, whose answers do not end early."""
    settings = Settings(max_tokens=ANSWER_TOKENS, timeout_s=600.0)
    words = "Tell a very long story of a robot that cleans a kitchen and talks to people.".split()

    def made(number: int, length: int) -> Prompt:
        rest = " ".join(words[(number + place) % len(words)] for place in range(length))
        return Prompt.of(f"Story {number}. {rest}", None, settings)

    length = 20
    while model.complete([made(0, length)])[0].usage.prompt_tokens < PROMPT_TOKENS:
        length += 8
    return [made(number, length) for number in range(SESSIONS)]


def tokens_of(model: LanguageModel, batches: Sequence[Sequence[Prompt]]) -> int:
    """Tokens in and out of some calls."""
    usage = total(one.usage for batch in batches for one in model.complete(batch))
    return usage.prompt_tokens + usage.generated_tokens


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and most."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def measure(spec: str, count: int, repeats: int) -> dict[str, Any]:
    """All figures."""
    own, prompts = load_model(spec), load_prompts().only("lm_follower*", "lm_choices")
    shared = Batched(own) if own.gathers else own
    those = decisions(count)
    single = {by: Decider(own, prompts, by=by, max_decisions=count, timeout_s=600.0) for by in WAYS}
    many = {
        by: [Decider(shared, prompts, by=by, max_decisions=count, timeout_s=600.0) for _ in range(SESSIONS)]
        for by in WAYS
    }
    for by in WAYS:  # the first pass of each way builds what later ones share
        decided(single[by], those[:1])
    sizes = []
    for one in those:
        decided(single["generate"], [one])
        sizes.append(single["generate"].usage.prompt_tokens)
    load = fixed_load(own)
    alone: dict[str, list[Rate]] = {by: [] for by in WAYS}
    at_once: dict[str, list[Rate]] = {by: [] for by in WAYS}
    fixed: list[Rate] = []
    for _ in range(repeats):
        for by in WAYS:
            alone[by].append(rate(lambda by=by: decided(single[by], those)))  # type: ignore[misc]  # bound at once
            at_once[by].append(rate(lambda by=by: together(many[by], those)))  # type: ignore[misc]  # the same
        one_by_one = rate(lambda: tokens_of(own, [[one] for one in load]))
        fixed.append(rate(lambda: tokens_of(own, [load])).over(one_by_one))
    return {
        "model": own.name,
        "decisions": len(those),
        "repeats": repeats,
        "sessions": SESSIONS,
        "prompt_tokens": spread(sizes),
        "candidates": spread([len(candidates) for _, candidates in those]),
        **figures(alone, at_once, fixed),
    }


def figures(alone: dict[str, list[Rate]], at_once: dict[str, list[Rate]], fixed: Sequence[Rate]) -> dict[str, Any]:
    """What the repeats come to."""
    fastest = [max(rates) for rates in zip(*alone.values(), strict=True)]
    crowd = [max(rates) for rates in zip(*at_once.values(), strict=True)]
    gains = [many.over(one) for many, one in zip(crowd, fastest, strict=True)]
    return {
        "alone_s": round(1 / median(one.wall for one in fastest), 4),
        "alone_cpu_s": round(1 / median(one.cpu for one in fastest), 4),
        "alone_per_s": round(median(one.wall for one in fastest), 3),
        "together_per_s": round(median(one.wall for one in crowd), 3),
        "gain": round(median(one.wall for one in gains), 3),
        "gain_cpu": round(median(one.cpu for one in gains), 3),
        "fixed_gain": round(median(one.wall for one in fixed), 3),
        "fixed_gain_cpu": round(median(one.cpu for one in fixed), 3),
        "ways": {
            by: {
                "alone_s": round(1 / median(one.wall for one in alone[by]), 4),
                "together_per_s": round(median(one.wall for one in at_once[by]), 3),
            }
            for by in WAYS
        },
        "gain_of_each_repeat": [round(one.wall, 3) for one in gains],
        "fixed_gain_of_each_repeat": [round(one.wall, 3) for one in fixed],
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--decisions", type=int, default=24)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    text = json.dumps(measure(arguments.model, arguments.decisions, arguments.repeats), indent=1)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
