"""Which basic skills of a Follower work, tier by tier of perception, and how much of a room's ground it comes to know.

    python benchmarks/basic_skills.py [--tier SPEC ...] [--skill NAME ...] [--room ROOM ...] [--no-ground] [--json FILE]

- **Skills**: in each kitchen, its objects moved and states flipped by `--seed` as TEACh did, one instruction is carried
  out ("boil a potato") by a body that was told nothing else, and the simulator is asked what came of it. The kitchens
  are the five among the 25 rooms that the eyes were not trained in. An episode ends after 400 actions, and has then
  failed. What is so from the start (a clean plate), or cannot be, since the room has no such thing, is left out; what
  else a room may lack fails in every tier, so tiers compare with `oracle`. The interval of what was done is the
  95 % one over rooms, which of so few is no narrower than Wilson's (`teach_agents.core.benchmark.statistics`).
- **Ground**: in each of the 25 rooms the tier looks around, then walks six times to the farthest ground that it
  knows; how much of the simulator's reachable positions it knows then, and how much of what it knows is none of them.
  Of the small things that are not shut away, how many it knows within half a metre; how many it tells of in a room
  that are not so.

Tiers are SPECs of `--perception`: `oracle`, `detector`, `detector:detector=true-masks,depth=true` (true pictures of
what is in view, the rest as with eyes).
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from telling import tell

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError, go_to
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.core.benchmark.statistics import bootstrap_mean
from teach_agents.household import Household
from teach_agents.household.scenario import Scenario
from teach_agents.learning.rooms import HELD_OUT
from teach_agents.observations import Observation, Privilege, Vec3
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.understanding.english.values import Instruction, Reference, Verb

MOST = 400
LEGS = 6
NEAR = 0.5
KITCHENS = tuple(room for room in HELD_OUT if int(room.removeprefix("FloorPlan")) < 100)
STDERR = Console(stderr=True)
TIERS = ("oracle", "detector:detector=true-masks,depth=true", "detector")

Row = Mapping[str, Any]


class OutOfActionsError(Exception):
    """An episode has had all the actions it may take."""


class Walk:
    """One Follower alone in a room, without a session around it."""

    def __init__(self, room: str, tier: str, seed: int) -> None:
        self.household = Household(EmbeddedSimulator())
        self.household.reset(Scenario("basic skills", "Coffee", (), Scene(room=room, randomize=True), seed))
        self.perception = perception_of(tier)
        self.perception.begin(0)
        self.body = Body()
        self.actions = self.failed = 0
        self._look()

    def carry_out(self, steps: Iterable[Action]) -> None:
        """Carry out a skill; raises `SkillError` where it cannot be done, and when the actions are used up."""
        for action in steps:
            if self.actions == MOST:
                raise OutOfActionsError
            self.failed += not self.household.act(Role.FOLLOWER, action).success
            self.actions += 1
            self._look()

    def truth(self, *privileges: Privilege) -> Observation:
        """What the simulator says of the room."""
        return self.household.observe(Role.FOLLOWER, frozenset(privileges), turn=self.actions)

    def _look(self) -> None:
        self.body.see(self.perception.perceive(self.truth(*self.perception.privileges)))


def _is(kind: str, state: str, wanted: bool = True) -> Callable[[Sequence[Row]], bool]:
    return lambda rows: any(bool(row.get(state)) is wanted for row in rows if row["objectType"] == kind)


def _exists(kind: str) -> Callable[[Sequence[Row]], bool]:
    return lambda rows: any(row["objectType"] == kind for row in rows)


def _on(kind: str, holder: str) -> Callable[[Sequence[Row]], bool]:
    return lambda rows: any(
        parent.startswith(f"{holder}|")
        for row in rows
        if row["objectType"] == kind
        for parent in row["parentReceptacles"] or ()
    )


def _to(verb: Verb, what: str, where: str | None = None) -> Instruction:
    return Instruction(verb, Reference(what), Reference(where) if where else None)


@dataclass(frozen=True)
class Skill:
    """What is asked for, and what the simulator's objects show where it was done."""

    asked: tuple[Instruction, ...]
    done: Callable[[Sequence[Row]], bool]


SKILLS: Mapping[str, Skill] = {
    "put a tomato on a plate": Skill((_to(Verb.PUT, "Tomato", "Plate"),), _on("Tomato", "Plate")),
    "clean a plate": Skill((_to(Verb.CLEAN, "Plate"),), _is("Plate", "isDirty", wanted=False)),
    "fill a cup": Skill((_to(Verb.FILL, "Cup"),), _is("Cup", "isFilledWithLiquid")),
    "make coffee in a mug": Skill((_to(Verb.COFFEE, "Mug"),), _is("Mug", "simbotIsFilledWithCoffee")),
    "slice a bread": Skill((_to(Verb.SLICE, "Bread"),), _exists("BreadSliced")),
    "slice a lettuce": Skill((_to(Verb.SLICE, "Lettuce"),), _exists("LettuceSliced")),
    "toast a slice of bread": Skill(
        (_to(Verb.SLICE, "Bread"), _to(Verb.TOAST, "BreadSliced")), _is("BreadSliced", "isCooked")
    ),
    "cook a potato": Skill((_to(Verb.COOK, "Potato"),), _is("Potato", "isCooked")),
    "cook a potato in a pan": Skill((_to(Verb.COOK, "Potato", "Pan"),), _is("Potato", "isCooked")),
    "boil a potato": Skill((_to(Verb.BOIL, "Potato"),), _is("Potato", "simbotIsBoiled")),
}


def tried(skill: Skill, room: str, tier: str, seed: int) -> dict[str, Any] | None:
    """Ask for a skill in a room: whether it was done, what was said, and what it took; `None` where it is left out."""
    walk, said = Walk(room, tier, seed), "done"
    rows = walk.truth(Privilege.OBJECTS).privileged.lasting_objects
    first = skill.asked[0].what
    if skill.done(rows) or first is None or not _exists(first.noun)(rows):
        return None
    try:
        for asked in skill.asked:
            walk.carry_out(perform(walk.body, asked))
    except SkillError as error:
        said = f"{error.kind.value} {error.noun}".strip()
    except OutOfActionsError:
        said = "out of actions"
    done = skill.done(walk.truth(Privilege.OBJECTS).privileged.lasting_objects)
    return {"room": room, "done": done, "said": said, "actions": walk.actions, "failed": walk.failed}


def small_things(walk: Walk) -> tuple[int, int, int]:
    """Of what can be carried and is not shut away: how many are known for what and where they are, within half a metre,
    how many are told of, and how many there are."""
    rows = {str(row["objectId"]): row for row in walk.truth(Privilege.OBJECTS).privileged.lasting_objects}
    there = [row for row in rows.values() if row["pickupable"] and not _is_shut_away(row, rows)]
    told = [thing for thing in walk.body.things if thing.has("pickupable")]
    left, right = list(told), 0
    for row in there:
        place = Vec3(*(row["position"][axis] for axis in "xyz"))
        alike = [thing for thing in left if thing.object_type == row["objectType"]]
        nearest = min(alike, key=lambda thing: math.dist(thing.position, place), default=None)
        if nearest is not None and math.dist(nearest.position, place) < NEAR:
            left.remove(nearest)
            right += 1
    return right, len(told), len(there)


def _is_shut_away(row: Row, rows: Mapping[str, Row]) -> bool:
    holders = [rows[name] for name in row["parentReceptacles"] or () if name in rows]
    return any(one["openable"] or (one["pickupable"] and _is_shut_away(one, rows)) for one in holders)


def ground(room: str, tier: str, seed: int) -> dict[str, Any]:
    """Look around and walk: the part of the true ground that is known, and the part of the known that is not true."""
    walk, dice = Walk(room, tier, seed), random.Random(seed)
    try:
        walk.carry_out(survey(walk.body))
        for _ in range(LEGS):
            (x, z), _ = walk.body.stand
            cells = sorted(walk.body.paths.cells)
            far = max(cells, key=lambda cell: abs(cell[0] - x) + abs(cell[1] - z) + dice.random())
            try:
                walk.carry_out(go_to(walk.body, Vantage((far, dice.randrange(4)), 30, 0.0, Vec3(0, 0, 0))))
            except SkillError:
                continue
    except OutOfActionsError:
        pass
    true = {(round(x * 4), round(z * 4)) for x, z in walk.truth(Privilege.REACHABLE).privileged.reachable}
    known = set(walk.body.paths.cells)
    right, told, there = small_things(walk)
    return {
        "room": room,
        "things_known": right / max(1, there),
        "things_wrong": told - right,
        "known": len(true & known) / len(true),
        "wrong": len(known - true) / max(1, len(known)),
        "actions": walk.actions,
        "failed": walk.failed,
    }


def measure(tiers: Sequence[str], skills: Sequence[str], rooms: Sequence[str], with_ground: bool, seed: int) -> object:
    """Every tier's skills by name, with their rooms, and its ground."""
    figures = {}
    for tier in tiers:
        by_skill = {}
        for name in track(skills, tier, console=STDERR):
            episodes = [one for room in rooms if (one := tried(SKILLS[name], room, tier, seed)) is not None]
            by_skill[name] = {"n": len(episodes), "done": sum(one["done"] for one in episodes), "rooms": episodes}
        totals = {key: sum(one[key] for one in by_skill.values()) for key in ("done", "n")}
        everything = [one for skill in by_skill.values() for one in skill["rooms"]]
        _, interval = bootstrap_mean([one["done"] for one in everything], clusters=[one["room"] for one in everything])
        sources = {**perception_of(tier).provenance}
        figures[tier] = {**totals, "interval": interval, "sources": sources, "skills": by_skill}
        if with_ground:
            walks = [ground(room, tier, seed) for room in track(HELD_OUT, f"{tier}, ground", console=STDERR)]
            means = {
                key: statistics.fmean(walk[key] for walk in walks)
                for key in ("known", "wrong", "things_known", "things_wrong", "actions")
            }
            figures[tier]["ground"] = {"n": len(walks), **means, "rooms": walks}
    return {"seed": seed, "simulator": "embedded", "most_actions": MOST, "tiers": figures}


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tier", action="append", metavar="SPEC", help=f"of perception; {', '.join(TIERS)} unless told"
    )
    parser.add_argument("--skill", action="append", choices=list(SKILLS), help="all unless told")
    parser.add_argument("--room", action="append", help=f"{', '.join(KITCHENS)} unless told")
    parser.add_argument("--no-ground", action="store_true", help="only the skills")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = measure(
        arguments.tier or TIERS,
        arguments.skill or list(SKILLS),
        arguments.room or KITCHENS,
        not arguments.no_ground,
        arguments.seed,
    )
    tell(figures, arguments.json)


if __name__ == "__main__":
    main()
