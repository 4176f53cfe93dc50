"""How often a Follower says of something that it is done, and it is not: over TATC sessions, by the true state.

    python benchmarks/spoken_claims.py --games DIR [--limit N] [--commander SPEC] [--follower SPEC] [--json FILE]

Each clause that the Follower says is judged at the end of the turn in which it is said, against the true state of the
household: "The mug is clean now" by the mugs that were changed since somebody last asked a Follower at rest for
something (what is asked for at work is done, and told, behind that), or by any mug where none was. What names no thing
or no state ("Done.") is counted and not judged.

| figure | what it is |
|---|---|
| sessions, solved | sessions played; those in which the task was completed |
| spoken | what the Follower said, utterances |
| claims, judged | clauses that claim something to be done or so; those that can be judged |
| false | those of them that are not true, in all and as a share of the judged, with its 95 % interval over sessions |
| examples | some of these, with the session and the turn |
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telling import tell

from teach_agents import Action, Household, Role, build
from teach_agents.benchmarks.requests.claims import claims, is_so
from teach_agents.benchmarks.requests.moments import Moment
from teach_agents.benchmarks.tatc.episode import scenario_of
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances
from teach_agents.core.benchmark.statistics import bootstrap_ratio
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT
from teach_agents.session import DialogueHook, Session
from teach_agents.simulator.embedded import EmbeddedSimulator


@dataclass
class Heard:
    """What a Follower said in a session."""

    spoken: int = 0
    claimed: int = 0
    judged: int = 0
    false: list[str] = field(default_factory=list)


class Listening(DialogueHook):
    """Judges what the Follower says in the turn in which it says it."""

    stamped = False

    def __init__(self, household: Household) -> None:
        self._household = household
        self.found = Heard()

    def begin(self, session_id: str, seed: int) -> None:
        """Nothing has changed yet."""
        self._name, self._turn = session_id, 0
        self._touched: set[str] = set()
        self._seen = dict(self._household.simulator.state.objects)

    def turn_executed(self, record: Any) -> None:
        """Take in what changed, then what was said of it."""
        now = dict(self._household.simulator.state.objects)
        self._touched |= {one for one, thing in now.items() if self._seen.get(one) is not thing}
        self._seen = now
        self._turn += 1
        told = record.done[Role.FOLLOWER].action
        rests = told is None or told == Action.wait()
        if told is not None and told.name == "Text":
            self._judge(told.utterance)
        asked = record.done[Role.COMMANDER].action
        if rests and asked is not None and asked.name == "Text":
            self._touched = set()

    def _judge(self, said: str) -> None:
        moment = Moment.of(self._household)
        self.found.spoken += 1
        for claim in claims([said]):
            so = is_so(claim, moment, self._touched)
            self.found.claimed += 1
            self.found.judged += so is not None
            if so is False:
                self.found.false.append(f"{self._name}, turn {self._turn}: {said}")


def played(instance: TatcInstance, household: Household, commander: str, follower: str) -> tuple[Heard, bool]:
    """What the Follower said in a session, and whether the task was completed."""
    agents = [build(AGENT, spec, role=role) for role, spec in zip(Role, (commander, follower), strict=True)]
    listening = Listening(household)
    session = Session(household, *agents).with_hook(listening)
    result = session.play(scenario_of(instance, household.library))
    return listening.found, bool(result.success)


def figures(heard: Sequence[Heard], solved: int) -> dict[str, Any]:
    """The figures of some sessions."""
    false, judged = [float(len(one.false)) for one in heard], [float(one.judged) for one in heard]
    share, interval = bootstrap_ratio(false, judged, counted=True)
    return {
        "sessions": len(heard),
        "solved": solved,
        "spoken": sum(one.spoken for one in heard),
        "claims": sum(one.claimed for one in heard),
        "judged": int(sum(judged)),
        "false": {"count": int(sum(false)), "share": share, "ci": interval},
        "examples": [told for one in heard for told in one.false][:30],
    }


def main() -> None:
    """Play, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="only so many sessions, evenly over the list")
    parser.add_argument("--commander", default="planner")
    parser.add_argument("--follower", default="planner")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    instances = list(game_instances([given.games]))
    if given.limit:
        instances = instances[:: max(1, len(instances) // given.limit)][: given.limit]
    household = Household(EmbeddedSimulator(), installed_tasks(), view_size=64)
    found = [played(one, household, given.commander, given.follower) for one in instances]
    told = figures([heard for heard, _ in found], sum(solved for _, solved in found))
    tell({"commander": given.commander, "follower": given.follower, **told}, given.json)


if __name__ == "__main__":
    main()
