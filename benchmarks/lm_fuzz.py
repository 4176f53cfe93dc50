"""Both language-model agents at the mercy of a model that answers nonsense.

    python benchmarks/lm_fuzz.py [--outputs 10000] [--seed 0] [--json FILE]

Commander and Follower play sessions while their model gives malformed answers, nothing, far too much, other languages, JSON of
the wrong shape, control characters, lone surrogates, errors, exceptions, and sometimes no answer at all in its time; now and
then it answers one of the choices, so that sessions go on. Every output has to end in a valid action or in a failure that is
counted, with a reason in the agent's thought. What does not is told, and the exit status is 1.

| figure | what it is |
|---|---|
| outputs, by_kind | answers of the model, in all and by kind |
| decisions, failed_decisions, turns, sessions | what was made of them |
| reasons | why decisions failed: the error's type, counted |
| slowest_turn_s | the longest that an agent took over a turn |
| problems | what was neither a valid action nor a counted failure; must be empty |
"""  # noqa: E501  # the first lines are prose

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents import Action, Agent, Briefing, Household, Role, Scenario
from teach_agents.agents.lm.commander import lm_commander
from teach_agents.agents.lm.follower import lm_follower
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.core.agents.thoughts import is_decision, kept
from teach_agents.errors import ModelError
from teach_agents.models import Choices, Completion, LanguageModel, Prompt
from teach_agents.models.prompts import Scores
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded import EmbeddedSimulator

SCENARIOS = (("Coffee", (), "FloorPlan7"), ("Salad", ("1", "1", "2"), "FloorPlan3"), ("Water Plant", (), "FloorPlan9"))
TIME_LIMIT_S = 0.25
HANG_S = 0.4
TURNS = 150
PAIRS = 30
"""How many pairs of agents play in one room, each going on where the last one left it."""
IDLE = 4
"""Turns without a decision after which others take the chairs."""

Saying = Callable[[random.Random, Sequence[str]], str]

SAYINGS: Mapping[str, Saying] = {
    "choice": lambda rng, choices: rng.choice(choices),
    "nearly a choice": lambda rng, choices: rng.choice(choices)[:-1].upper() + "?",
    "two choices": lambda rng, choices: " or ".join(rng.choices(choices, k=2)),
    "wrapped": lambda rng, choices: f"Sure! I would say:\n```\n{rng.choice(choices)}\n```\nbecause...",
    "empty": lambda rng, choices: "",
    "white space": lambda rng, choices: rng.choice(["\n\n\n", "\t ", "\u00a0\u2003"]),
    "enormous": lambda rng, choices: rng.choice(["la ", "[", '{"a":', "9"]) * rng.choice([5_000, 100_000]),
    "json": lambda rng, choices: rng.choice(
        ['{"action": null}', "[1, 2", '{"x": 1e999}', '"', "{}", "[[[[]]]]", '{"choice": {"choice": 1}}', "NaN", "null"]
    ),
    "language": lambda rng, choices: rng.choice(
        [
            "Ich hole die Tasse.",
            "マグカップを取ります",
            "сходить на кухню",
            "أمسك الكوب",
            "拿起杯子",
            "Coupe la tomate 🍅",
        ]
    ),
    "control": lambda rng, choices: "".join(chr(rng.randrange(32)) for _ in range(20)) + "\x7f\u202e\ufeff",
    "surrogates": lambda rng, choices: f"\ud800{rng.choice(choices)}\udfff",
    "refusal": lambda rng, choices: "I'm sorry, but as a language model I can not do that.",
    "template": lambda rng, choices: "<|im_end|>{{ 7*7 }} {% for %} ${x} <script>alert(1)</script>",
}
"""Answers as text."""


def _odd(rng: random.Random, choices: Sequence[str]) -> Any:
    return rng.choice([None, 7, object(), "a text", [Completion("x")]])


def _raises(rng: random.Random, choices: Sequence[str]) -> Any:
    kinds = (ValueError, KeyError, RuntimeError, MemoryError, RecursionError, StopIteration, TimeoutError, OSError)
    raise rng.choice(kinds)("it broke")


def _hangs(rng: random.Random, choices: Sequence[str]) -> Any:
    time.sleep(HANG_S)
    return Completion(rng.choice(choices))


def _error(rng: random.Random, choices: Sequence[str]) -> Any:
    return Completion("", error=ModelError("the server is on fire"))


def _cut_off(rng: random.Random, choices: Sequence[str]) -> Any:
    return Completion(rng.choice(choices)[:3], finish=rng.choice(["length", "timeout"]))


DOINGS: Mapping[str, Callable[[random.Random, Sequence[str]], Any]] = {
    "no completion": _odd,
    "raises": _raises,
    "hangs": _hangs,
    "error": _error,
    "cut off": _cut_off,
}
"""What else can go wrong."""

WEIGHTS: Mapping[str, float] = {"choice": 12, "hangs": 0.25, "enormous": 0.5}


class Nonsense(LanguageModel):
    """Gives drawn nonsense; counts what it gave. `constrains` and `scores` are claims that it does not keep."""

    name = "nonsense"

    def __init__(self, seed: int, counted: Counter[str], *, constrains: bool = False, scores: bool = False) -> None:
        self._rng = random.Random(f"nonsense {seed}")
        self._counted = counted
        self._constrains = constrains
        self._scores = scores

    @property
    def constrains(self) -> bool:
        """What it says of itself."""
        return self._constrains

    @property
    def scores(self) -> bool:
        """What it says of itself."""
        return self._scores

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Something for each; now and then one too many or too few."""
        made = [self._one(prompt) for prompt in prompts]
        return made if self._rng.random() > 0.01 else self._rng.choice([[], made * 2])

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """Numbers that are none, too few, or too many, and sometimes what they should be."""
        rows = []
        for prompt in prompts:
            kind = self._rng.choice(("fine", "fine", "nan", "low", "short", "raises", "none"))
            self._counted[f"scores: {kind}"] += 1
            rows.append(self._scored(kind, len(prompt.choices)))
        return rows

    def _one(self, prompt: Prompt) -> Any:
        kinds = (*SAYINGS, *DOINGS)
        kind = self._rng.choices(kinds, [WEIGHTS.get(one, 1.0) for one in kinds])[0]
        self._counted[kind] += 1
        choices = prompt.choices if isinstance(prompt.answer, Choices) else ("yes", "no")
        if kind in DOINGS:
            return DOINGS[kind](self._rng, choices)
        return Completion(SAYINGS[kind](self._rng, choices))

    def _scored(self, kind: str, count: int) -> Any:
        if kind == "raises":
            _raises(self._rng, ())
        if kind == "none":
            return None
        value = {"nan": math.nan, "low": -math.inf}.get(kind)
        width = count - 1 if kind == "short" else count
        drawn = [-5 * self._rng.random() if value is None else value for _ in range(width)]
        return Scores(tuple(drawn), (1,) * width)


@dataclass
class Found:
    """What became of the model's answers."""

    outputs: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    failed: int = 0
    turns: int = 0
    sessions: int = 0
    slowest_s: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many answers there were."""
        return sum(self.outputs.values())

    def to_json(self) -> dict[str, Any]:
        """The figures."""
        return {
            "outputs": self.count,
            "by_kind": dict(self.outputs.most_common()),
            "decisions": self.decisions,
            "failed_decisions": self.failed,
            "reasons": dict(self.reasons.most_common()),
            "turns": self.turns,
            "sessions": self.sessions,
            "slowest_turn_s": round(self.slowest_s, 3),
            "problems": self.problems[:50],
        }


def pairs(seed: int, found: Found, eyes: Callable[[], Perception]) -> Iterator[dict[Role, Agent]]:
    """Pairs of agents, their model of another kind each time; the Follower looks through `eyes`."""
    claims: tuple[dict[str, bool], ...] = ({}, {"constrains": True}, {"scores": True})
    number = 0
    while True:
        model = Nonsense(seed + number, found.outputs, **claims[number % len(claims)])
        by = "mean" if model.scores else "generate"
        talk = "model" if number % 2 else "phrases"
        yield {
            Role.COMMANDER: lm_commander(model, by=by, talk=talk, timeout_s=TIME_LIMIT_S),
            Role.FOLLOWER: lm_follower(model, eyes(), by=by, talk=talk, timeout_s=TIME_LIMIT_S),
        }
        number += 1


def fuzz(outputs: int, seed: int = 0, eyes: Callable[[], Perception] = lambda: perception_of("oracle")) -> Found:
    """Play until the model has given so many answers."""
    found = Found()
    household = Household(EmbeddedSimulator(), view_size=64)
    for number, agents in enumerate(pairs(seed, found, eyes)):
        if found.count >= outputs:
            return found
        task, params, room = SCENARIOS[number // PAIRS % len(SCENARIOS)]
        if number % PAIRS == 0:
            household.reset(Scenario(f"fuzz{number}", task, params, Scene(room, randomize=True), seed + number))
        for role, agent in agents.items():
            agent.begin(Briefing(f"fuzz{number}", role, seed + number))
        found.sessions += 1
        _play(household, agents, outputs, found)
    raise AssertionError("there are always pairs")


def _play(household: Household, agents: Mapping[Role, Agent], outputs: int, found: Found) -> None:
    decided, idle = found.decisions, 0
    for turn in range(TURNS):
        chosen = {role: _act(household, agent, role, turn, found) for role, agent in agents.items()}
        found.turns += 1
        for role, action in chosen.items():
            if action is not None:
                household.act(role, action, time_ms=turn)
        idle = 0 if found.decisions > decided else idle + 1
        decided = found.decisions
        over = {"Finish", "Stop"} & {action.name for action in chosen.values() if action is not None}
        if found.count >= outputs or over or idle > IDLE or len(found.problems) > 50:
            return


def _act(household: Household, agent: Agent, role: Role, turn: int, found: Found) -> Action | None:
    """One turn of one agent, and whether it ended as it must."""
    seen = household.observe(role, agent.privileges, turn=turn)
    failed, given, begun = agent.failed_decisions, found.count, time.perf_counter()  # type: ignore[attr-defined]  # of both agents
    try:
        action: Any = agent.act(seen)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        found.problems.append(f"{role} raised {type(error).__name__}: {error}")
        return None
    found.slowest_s = max(found.slowest_s, time.perf_counter() - begun)
    if not isinstance(action, Action) or not action.allowed_for(role):
        found.problems.append(f"{role} answered {action!r}")
        return None
    _judge(role, agent.thought, agent.failed_decisions - failed, found.count - given, found)  # type: ignore[attr-defined]  # the same
    return action


def _judge(role: Role, thought: Mapping[str, Any] | None, failures: int, outputs: int, found: Found) -> None:
    """A turn with a decision: a choice among the candidates, or a failure that is counted and says why."""
    if thought is None or not is_decision(thought):
        if failures:
            found.problems.append(f"{role} counted {failures} failures without a decision")
        return
    found.decisions += 1
    found.failed += failures
    if kept(thought).keys() != thought.keys():
        found.problems.append(f"{role} thought what cannot be kept: {kept(thought)}")
    if ("error" in thought) != bool(failures):
        found.problems.append(f"{role}: {failures} failures, but {thought.get('error', 'no error')}")
    if "error" in thought:
        found.reasons[str(thought["error"]).partition(":")[0]] += 1
    elif thought["choice"] not in thought["candidates"]:
        found.problems.append(f"{role} chose {thought['choice']!r}, which is no candidate")
    if not outputs:
        found.problems.append(f"{role} decided without the model")


def main() -> None:
    """Fuzz, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = fuzz(arguments.outputs, arguments.seed)
    tell(found.to_json(), arguments.json)
    sys.exit(bool(found.problems))


if __name__ == "__main__":
    main()
