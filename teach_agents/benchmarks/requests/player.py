"""A case played: a household set up, a Follower and the person of the case, a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import costs_of, spent
from teach_agents.benchmarks.requests.cases import Case
from teach_agents.benchmarks.requests.moments import Moment
from teach_agents.benchmarks.requests.setups import scenario_of
from teach_agents.benchmarks.requests.talk import LOOKS, Person, Watch
from teach_agents.benchmarks.requests.verdicts import check_before, judged
from teach_agents.core.agents.contract import AgentLike
from teach_agents.core.agents.thoughts import readings
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.session import DialogueHook, Done, Session, Timeouts, TurnRecord

_LIMITS = Limits(max_turns=2000, max_failures=None)


@dataclass(frozen=True, slots=True)
class How:
    """With what seed and time limit (s) a case is played, where its record goes, and which hooks there are."""

    seed: int = 0
    call_time_limit_s: float = 120.0
    record: Path | None = None
    hooks: tuple[tuple[str, DialogueHook], ...] = ()


def prepared(case: Case, household: Household, seed: int = 0) -> Scenario:
    """What a case begins with; the household stands there. Raises `InputError` for a case that cannot be played."""
    scenario = scenario_of(case, household, seed)
    household.reset(scenario)
    check_before(case, Moment.of(household))
    return scenario


def play(case: Case, household: Household, follower: AgentLike, how: How) -> JsonObject:
    """Play a case to its end; what became of it, as JSON. Its `latencies_s` alone differ between two runs."""
    try:
        scenario = prepared(case, household, how.seed)
    except InputError as error:
        return {"status": "not_started", "reason": str(error), "seed": how.seed}
    watch, counter = Watch(household, looks=() if case.kind == "motion" else LOOKS), _Counter()
    session = Session(
        household,
        Person(case, watch),
        follower,
        limits=_LIMITS,
        timeouts=Timeouts(act_s=how.call_time_limit_s),
        record=how.record,
    ).with_hook(watch)
    session.with_hook(counter)
    for name, hook in how.hooks:
        session.with_hook(hook, name)
    result = session.play(scenario)
    told = result.to_json(timed=False)
    broken = result.end_reason.broken
    verdict = judged(case, watch) if not broken else None
    read = readings(done.thought for done in counter.done)
    return {
        **{name: told[name] for name in ("seed", "turns", "agents", "privileges", "provenance", "hooks", "end_reason")},
        "status": result.end_reason.value if broken else "done",
        "reason": result.reason + (f"\n{result.details}" if result.details else "") if broken else "",
        "world": {"name": "teach", "simulator": result.simulator, "view_size": household.view_size},
        "costs": {Role.FOLLOWER.value: (costs_of(counter.done, Role.FOLLOWER) + spent(follower)).to_json()},
        "verdict": None if verdict is None else verdict.to_json(),
        "latencies_s": [] if verdict is None else [round(one, 4) for one in verdict.latencies_s],
        "dialogue": [
            {"speaker": str(said.speaker), "text": said.text, **({"read": read[number]} if number in read else {})}
            for number, said in enumerate(household.dialogue)
        ],
    }


class _Counter(DialogueHook):
    """Keeps what the Follower did."""

    stamped = False

    def __init__(self) -> None:
        self.done: list[Done] = []

    def turn_executed(self, record: TurnRecord) -> None:
        self.done.append(record.done[Role.FOLLOWER])
