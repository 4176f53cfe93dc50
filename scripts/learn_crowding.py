"""Learn how much room a placement needs around the click, by type of receptacle, from TEACh's train sessions.

    python scripts/learn_crowding.py --games TEACH/games/train [--without-rooms FloorPlan1 ...] [--attempts FILE]

Every session is carried out again with the record winning. Before each recorded placement whose click chooses something
here and that nothing else forbids, it is measured how far from the click a box finds room that is wider and deeper than
what is held by each of MARGINS. The measurements go into the file that `--attempts` names, and are read from there if
it exists: then only the limits are learnt again. Rooms named by `--without-rooms` are left out.

Each type of receptacle gets the margin and the distance that gain most: the refused placements that lie beyond them,
less COST for each successful one that does. PRIOR attempts that went as those on all types did are added to the type's
own, so that a handful of attempts decides nothing. A type where no limits gain anything gets none. What is printed are
the recalls of refused and of successful placements in rooms that the limits were not learnt in, over FOLDS folds.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

from teach_agents.actions import OBJECT_ACTIONS, Action, ActionResult, Role
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.benchmarks.fidelity.replay import replay_aided
from teach_agents.data import read_game
from teach_agents.household import Household
from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.simulator.embedded.facts import ONE_PLACE
from teach_agents.simulator.embedded.placement import NO_ROOM, distance_to_room

MARGINS = (0.0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15)
DISTANCES = (9.0, 0.5, 0.3, 0.2, 0.15, 0.12, 0.1)
"""The limits to choose from, metres. Room that there is somewhere is less than 9 m away."""
COST = 1 / 3
PRIOR = 20.0
FOLDS = 5
NOWHERE = 99.0

Limits = tuple[float, float]
LIMITS: tuple[Limits, ...] = tuple(product(MARGINS, DISTANCES))


class Attempt(NamedTuple):
    """A recorded placement: in which room, onto what, whether it went well, and how far off there was room."""

    room: str
    receptacle: str
    success: bool
    distances: tuple[float, ...]

    def is_beyond(self, limits: Limits) -> bool:
        """Whether these limits refuse it."""
        return self.distances[MARGINS.index(limits[0])] > limits[1]


class Watching(Insisting):
    """Measures the room around the click of every placement that a click asks for, before it is made."""

    measured: tuple[str, tuple[float, ...]] | None = None

    def step(self, action: SimulatorAction) -> Outcome:
        """Carry out an action."""
        held, near, target = self.state.held, action.near, self.state.objects.get(action.object_id)
        if action.name == "PutObject" and action.x is not None and held and near is not None and target is not None:
            if target.kind.receptacle and target.object_type not in ONE_PLACE and target.object_id != held:
                away = (distance_to_room(self.state, held, target.object_id, near, margin) for margin in MARGINS)
                self.measured = target.object_type, tuple(round(min(each, NOWHERE), 3) for each in away)
        return super().step(action)


class Following(Household):
    """A household that keeps what was measured at each interaction of the Follower."""

    def __init__(self, simulator: Watching) -> None:
        super().__init__(simulator)
        self.watching = simulator
        self.measured: list[tuple[str, tuple[float, ...]] | None] = []

    def act(self, role: Role, action: Action, time_ms: int = 0) -> ActionResult:
        """Carry out an action."""
        self.watching.measured = None
        result = super().act(role, action, time_ms)
        if action.name in OBJECT_ACTIONS:
            self.measured.append(self.watching.measured)
        return result


def attempts_in(path: Path) -> list[Attempt]:
    """The placements recorded in one game file that are allowed but for want of room."""
    game, simulator = read_game(path), Watching(EmbeddedSimulator())
    household = Following(simulator)
    outcomes = replay_aided(game, household, simulator, None).outcomes
    return [
        Attempt(game.episode.room, measured[0], row.recorded, measured[1])
        for row, measured in zip(outcomes, household.measured, strict=True)
        if measured is not None and (row.predicted or row.message == NO_ROOM)
    ]


def learnt(attempts: Sequence[Attempt]) -> dict[str, Limits]:
    """The limits by type of receptacle."""
    seen: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    beyond: defaultdict[str, Counter[tuple[Limits, bool]]] = defaultdict(Counter)
    for attempt in attempts:
        seen[attempt.receptacle][attempt.success] += 1
        for limits in LIMITS:
            beyond[attempt.receptacle][limits, attempt.success] += attempt.is_beyond(limits)
    everywhere: Counter[tuple[Limits, bool]] = sum(beyond.values(), Counter())
    share = PRIOR / len(attempts)
    found = {}
    for receptacle in sorted(seen):

        def gain(limits: Limits, own: Counter[tuple[Limits, bool]] = beyond[receptacle]) -> float:
            refused, lost = (own[limits, went] + share * everywhere[limits, went] for went in (False, True))
            return refused - COST * lost

        best = max(LIMITS, key=gain)
        if gain(best) > 0:
            found[receptacle] = best
    return found


def recalls(attempts: Sequence[Attempt], limits: Mapping[str, Limits]) -> Counter[tuple[bool, bool]]:
    """Attempts by whether they went well and whether the limits refuse them."""
    return Counter(
        (one.success, one.receptacle in limits and one.is_beyond(limits[one.receptacle])) for one in attempts
    )


def folds(attempts: Sequence[Attempt]) -> Iterator[tuple[list[Attempt], list[Attempt]]]:
    """Attempts to learn from and, in other rooms, to judge by."""
    rooms = sorted({one.room for one in attempts})
    for number in range(FOLDS):
        out = set(rooms[number::FOLDS])
        yield [one for one in attempts if one.room not in out], [one for one in attempts if one.room in out]


def show(title: str, counts: Counter[tuple[bool, bool]]) -> None:
    """Print both recalls."""
    refused, made = (counts[went, False] + counts[went, True] for went in (False, True))
    print(f"{title}: {counts[False, True] / max(refused, 1):.3f} of {refused} refused placements are refused,", end=" ")
    print(f"{counts[True, False] / max(made, 1):.3f} of {made} successful ones are not")


def main() -> None:
    """Read the arguments, write the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--attempts", type=Path)
    parser.add_argument("--without-rooms", nargs="*", default=())
    parser.add_argument("--workers", type=int, default=1)
    here = Path(__file__).parents[1] / "teach_agents" / "simulator" / "embedded" / "data"
    parser.add_argument("--out", type=Path, default=here)
    options = parser.parse_args()
    if options.attempts and options.attempts.exists():
        rows = json.loads(options.attempts.read_text())
        attempts = [Attempt(room, kind, went, tuple(away)) for room, kind, went, away in rows]
    else:
        with ProcessPoolExecutor(options.workers) as pool:
            found = pool.map(attempts_in, sorted(options.games.glob("*.game.json")), chunksize=8)
            attempts = [attempt for each in found for attempt in each]
        if options.attempts:
            options.attempts.write_text(json.dumps(attempts))
    attempts = [one for one in attempts if one.room not in options.without_rooms]
    total: Counter[tuple[bool, bool]] = Counter()
    for others, held_out in folds(attempts):
        total.update(recalls(held_out, learnt(others)))
    show(f"{FOLDS}-fold over rooms", total)
    limits = learnt(attempts)
    show("all rooms", recalls(attempts, limits))
    lines = [f"{json.dumps(kind)}: {json.dumps(list(pair))}" for kind, pair in limits.items()]
    (options.out / "crowding.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
