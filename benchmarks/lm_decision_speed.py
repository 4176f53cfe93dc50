"""How fast a small language model decides for the language-model pair, alone and for eight sessions at once.

    python benchmarks/lm_decision_speed.py [--model smollm2] [--decisions 6] [--repeats 3] [--json FILE]

The decisions are those of eight sessions on generated tasks in train rooms, both chairs', played once by the model `oracle`: shipped
prompts, real candidates, in their order. Alone is one session after the other, on all cores; at once are eight threads, each with its
session in order, that share one model; or as many in two processes of half the cores each, as `--workers 2 --concurrent 4` of a
benchmark has them. Every timed pass begins with nothing kept of any prompt, and the passes of a repeat follow one another
directly, so that ratios are of one moment.

| figure | what it is |
|---|---|
| alone_s | seconds for one decision of the fastest way that a session alone can decide, median of the repeats |
| ways | by way of deciding (`generate`, `mean`): the same, `together_per_s` by eight sessions at once, `processes_per_s` by eight in two processes |
| together_per_s, alone_per_s, gain | decisions per second of eight sessions at once, by the fastest way and arrangement, of one alone by the fastest way, and their ratio (median of the repeats) |
| gain_one_process | the same of eight sessions that share one model |
| gain_cpu, fixed_gain_cpu | the same by CPU time, which other programs disturb less |
| prompt_tokens, candidates | of these decisions: median, least, most |
| new_tokens | of a prompt that had to be read, alone: the rest was known from prompts before |
| passes, forced_tokens | of a decision alone by `generate`: passes of the model, and tokens that were read along since nothing else could follow |
| fixed_gain | 8 prompts of about 150 tokens with 20 tokens of answer each: tokens per second in one batch, over one after the other |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from teach_agents_prompts import load_prompts
from telling import tell

from teach_agents import Role, play, read_record
from teach_agents.core.agents.thoughts import is_decision
from teach_agents.models import Batched, LanguageModel, Prompt, Settings, load_model
from teach_agents.models.deciding import Asked, Decider
from teach_agents.models.local.model import TransformersModel
from teach_agents.models.prompts import total

WAYS = ("generate", "mean")
ORACLE = "lm:model=oracle"
ERRANDS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Salad", ("1", "1", "2"), "FloorPlan7"),
    ("Plate Of Toast", (), "FloorPlan5"),
    ("Sandwich", ("1", "1"), "FloorPlan11"),
    ("Coffee", (), "FloorPlan1"),
    ("Salad", ("1", "1", "1"), "FloorPlan4"),
    ("Sandwich", ("1", "2"), "FloorPlan13"),
    ("N Slices Of X In Y", ("2", "Tomato", "in", "Bowl"), "FloorPlan13"),
    ("N Cooked Slices Of X In Y", ("2", "Potato", "on", "Plate"), "FloorPlan16"),
)
SESSIONS = len(ERRANDS)
PROCESSES = 2
ANSWER_S = 600.0
PROMPT_TOKENS, ANSWER_TOKENS = 150, 20

Deciding = tuple[Asked, list[str]]


def sessions(count: int) -> list[list[Deciding]]:
    """The first so many decisions of each session, both chairs', with their prompts and candidates."""
    found: list[list[Deciding]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (task, params, room) in enumerate(ERRANDS):
            record = Path(folder) / f"{number}.jsonl"
            play(task, params, room=room, commander=ORACLE, follower=ORACLE, record=record)
            thoughts = [turn.thoughts.get(role) for turn in read_record(record).turns for role in Role]
            those = [one for one in thoughts if one is not None and is_decision(one) and len(one["candidates"]) > 1]
            asked = [(one["prompt"], list(one["candidates"])) for one in those[:count]]
            found.append([(Asked(prompt["system"], prompt["user"]), choices) for prompt, choices in asked])
    return found


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


def alone(model: LanguageModel, decider: Decider, those: Sequence[Sequence[Deciding]]) -> int:
    """Let one session decide after the other, with nothing known at first."""
    forget(model)
    return sum(decided(decider, one) for one in those)


def together(model: LanguageModel, deciders: Sequence[Decider], those: Sequence[Sequence[Deciding]]) -> int:
    """Let all sessions decide at once, with nothing known at first."""
    forget(model)
    with ThreadPoolExecutor(len(deciders)) as pool:
        return sum(pool.map(decided, deciders, those))


class Process:
    """A process that has some of the sessions, with its share of the cores."""

    def __init__(self, spec: str, those: Sequence[Sequence[Deciding]]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(spec, list(those), theirs), daemon=True)
        self._process.start()

    def answer(self) -> tuple[int, float]:
        """What it tells next: decisions made, and CPU seconds that they took."""
        if not self.pipe.poll(ANSWER_S):
            raise SystemExit(f"a process of some sessions did not answer within {ANSWER_S:g} s")
        told: tuple[int, float] = self.pipe.recv()
        return told

    def end(self) -> None:
        """Let it go."""
        self.pipe.send("")
        self._process.join(ANSWER_S)


def _serve(spec: str, those: Sequence[Sequence[Deciding]], pipe: Connection) -> None:
    import torch

    torch.set_num_threads(max(1, (os.cpu_count() or 1) // PROCESSES))
    own, prompts = load_model(spec), load_prompts().only("lm_*")
    shared = Batched(own) if own.gathers else own
    most = max(map(len, those))
    many = {by: [Decider(shared, prompts, by=by, max_decisions=most, timeout_s=ANSWER_S) for _ in those] for by in WAYS}
    for by in WAYS:
        decided(many[by][0], those[0][:1])
    pipe.send((0, 0.0))
    while by := pipe.recv():
        cpu = time.process_time()
        done = together(own, many[by], those)
        pipe.send((done, time.process_time() - cpu))


def apart(processes: Sequence[Process], by: str) -> Rate:
    """Let all sessions decide at once, in several processes, with nothing known at first."""
    wall = time.perf_counter()
    for one in processes:
        one.pipe.send(by)
    told = [one.answer() for one in processes]
    done = sum(count for count, _ in told)
    return Rate(done / (time.perf_counter() - wall), done / sum(cpu for _, cpu in told))


def forget(model: LanguageModel) -> None:
    """Let a local model read everything anew."""
    if isinstance(model, TransformersModel):
        model.weights.prefixes.clear()


def reading(model: LanguageModel, decider: Decider, those: Sequence[Sequence[Deciding]]) -> dict[str, Any]:
    """What is read for each decision of one session after the other; of a local model only."""
    if not isinstance(model, TransformersModel):
        return {}
    passes: list[int] = []
    embedding = model.weights.model.get_input_embeddings()
    hook = embedding.register_forward_hook(lambda module, given, made: passes.append(given[0].shape[1]))
    forget(model)
    new, counts, forced = [], [], []
    for one in [each for session in those for each in session]:
        passes.clear()
        decided(decider, [one])
        new.append(passes[0])
        counts.append(len(passes))
        forced.append(sum(passes[1:]) - len(passes[1:]))
    hook.remove()
    return {"new_tokens": spread(new), "passes": spread(counts), "forced_tokens": spread(forced)}


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
    """Tokens in and out of some calls, with nothing known at first."""
    forget(model)
    usage = total(one.usage for batch in batches for one in model.complete(batch))
    return usage.prompt_tokens + usage.generated_tokens


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, mean, least and most."""
    return {"median": median(values), "mean": round(fmean(values), 2), "min": min(values), "max": max(values)}


def measure(spec: str, count: int, repeats: int) -> dict[str, Any]:
    """All figures."""
    own, prompts = load_model(spec), load_prompts().only("lm_*")
    shared = Batched(own) if own.gathers else own
    those = sessions(count)
    limits: dict[str, Any] = {"max_decisions": count, "timeout_s": 600.0}
    single = {by: Decider(own, prompts, by=by, **limits) for by in WAYS}
    many = {by: [Decider(shared, prompts, by=by, **limits) for _ in those] for by in WAYS}
    for by in WAYS:  # the first pass of each way builds what later ones share
        decided(single[by], those[0][:1])
    sizes = []
    for one in [each for session in those for each in session]:
        decided(single["generate"], [one])
        sizes.append(single["generate"].usage.prompt_tokens)
    load = fixed_load(own)
    processes = [Process(spec, those[place::PROCESSES]) for place in range(PROCESSES)]
    for process in processes:
        process.answer()
    found = Found()
    for _ in range(repeats):
        for by in WAYS:
            found.alone[by].append(rate(partial(alone, own, single[by], those)))
            found.together[by].append(rate(partial(together, own, many[by], those)))
            found.apart[by].append(apart(processes, by))
        each = rate(lambda: tokens_of(own, [[one] for one in load]))
        found.fixed.append(rate(lambda: tokens_of(own, [load])).over(each))
        done = figures(found)
        print(f"gain {done['gain_of_each_repeat'][-1]}, fixed {done['fixed_gain_of_each_repeat'][-1]}", file=sys.stderr)
    for process in processes:
        process.end()
    candidates = [len(choices) for session in those for _, choices in session]
    return {
        "model": spec,
        "decisions": len(candidates),
        "repeats": repeats,
        "sessions": len(those),
        "prompt_tokens": spread(sizes),
        "candidates": spread(candidates),
        **reading(own, single["generate"], those),
        **figures(found),
    }


def _by_way() -> dict[str, list[Rate]]:
    return {by: [] for by in WAYS}


@dataclass
class Found:
    """Rates of each repeat, by way of deciding: one session alone, eight in one process, eight in two; fixed loads."""

    alone: dict[str, list[Rate]] = field(default_factory=_by_way)
    together: dict[str, list[Rate]] = field(default_factory=_by_way)
    apart: dict[str, list[Rate]] = field(default_factory=_by_way)
    fixed: list[Rate] = field(default_factory=list)


def figures(found: Found) -> dict[str, Any]:
    """What the repeats come to."""
    fixed = found.fixed
    fastest = [max(rates) for rates in zip(*found.alone.values(), strict=True)]
    one_process = [max(rates) for rates in zip(*found.together.values(), strict=True)]
    crowd = [max(rates) for rates in zip(one_process, *found.apart.values(), strict=True)]
    gains = [many.over(one) for many, one in zip(crowd, fastest, strict=True)]
    within = [many.over(one) for many, one in zip(one_process, fastest, strict=True)]
    return {
        "alone_s": round(1 / median(one.wall for one in fastest), 4),
        "alone_cpu_s": round(1 / median(one.cpu for one in fastest), 4),
        "alone_per_s": round(median(one.wall for one in fastest), 3),
        "together_per_s": round(median(one.wall for one in crowd), 3),
        "gain": round(median(one.wall for one in gains), 3),
        "gain_cpu": round(median(one.cpu for one in gains), 3),
        "gain_one_process": round(median(one.wall for one in within), 3),
        "fixed_gain": round(median(one.wall for one in fixed), 3),
        "fixed_gain_cpu": round(median(one.cpu for one in fixed), 3),
        "ways": {
            by: {
                "alone_s": round(1 / median(one.wall for one in found.alone[by]), 4),
                "together_per_s": round(median(one.wall for one in found.together[by]), 3),
                "processes_per_s": round(median(one.wall for one in found.apart[by]), 3),
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
    parser.add_argument("--decisions", type=int, default=6, help="of each session")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    tell(measure(arguments.model, arguments.decisions, arguments.repeats), arguments.json)


if __name__ == "__main__":
    main()
