"""Steps per second of the embedded simulator on one CPU core, in FloorPlan1.

    python benchmarks/simulator_speed.py [--json FILE] [--repeats 5] [--seconds 1.5]

Rates are per second of this process's CPU time (one thread), so that a busy machine does not blur them; the median of
several repeats, whose extremes are given too. Overcooked-AI's and TextWorld's steps are measured in the same run where
they are installed (extra `bench`).

| figure | what one step is |
|---|---|
| bare_step | a simulator action by object id that takes effect wherever the body stands (forced), drawn uniformly |
| | over motions and affordances with an object that has them; `bare_step_success` says how many were carried out |
| bare_step_unforced | the same under AI2-THOR's rules of visibility and reach, which refuse most of them |
| bare_step_check | bare_step and a full Breakfast progress check of all objects, nothing remembered |
| click_step | TEACh's random Follower: uniform over its 16 actions, clicks uniform and resolved in pictures |
| full_step_224, full_step_300, full_step_900 | bare_step, then colours, object ids and depth of the Follower's view |
| reset | loading the room |
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from start_up import FIRST_FRAME, seconds
from telling import tell

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action, Role
from teach_agents.household import Household, Scenario
from teach_agents.simulator.contract import Channel, ObjectKind, Scene, SimulatorAction, follower_camera
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

ROOM = "FloorPlan1"
BREAKFAST = tuple("1 1 1 Plate 1 Plate 1 1 1 1 1 1 2 CounterTop".split())
CLICK_RESOLUTION = 300
MOVES = "MoveAhead MoveBack MoveLeft MoveRight RotateLeft RotateRight LookUp LookDown".split()
INTERACTIONS: dict[str, Callable[[ObjectKind], bool]] = {
    "PickupObject": lambda kind: kind.pickupable,
    "PutObject": lambda kind: kind.receptacle,
    "OpenObject": lambda kind: kind.openable,
    "CloseObject": lambda kind: kind.openable,
    "ToggleObjectOn": lambda kind: kind.toggleable,
    "ToggleObjectOff": lambda kind: kind.toggleable,
    "SliceObject": lambda kind: kind.sliceable,
    "FillObjectWithLiquid": lambda kind: kind.fillable,
    "EmptyLiquidFromObject": lambda kind: kind.fillable,
    "DirtyObject": lambda kind: kind.dirtyable,
    "CleanObject": lambda kind: kind.dirtyable,
}


def drawn_actions(
    simulator: EmbeddedSimulator, rng: random.Random, count: int, *, force: bool = True
) -> list[SimulatorAction]:
    """Actions by object id, uniform over motions and (interaction, object with its affordance) pairs' names."""
    kinds = [obj.kind for obj in simulator.state.objects.values()]
    able = {name: [kind.object_id for kind in kinds if test(kind)] for name, test in INTERACTIONS.items()}
    names = [*MOVES, *able]
    made = []
    for _ in range(count):
        name = rng.choice(names)
        liquid = "water" if name == "FillObjectWithLiquid" else ""
        target = rng.choice(able[name]) if name in able else ""
        made.append(SimulatorAction(name, object_id=target, liquid=liquid, force=force))
    return made


def success_share(count: int = 4000) -> float:
    """How many of the drawn actions are carried out."""
    simulator = EmbeddedSimulator()
    simulator.reset(Scene(ROOM))
    done = [simulator.step(action).success for action in drawn_actions(simulator, random.Random(0), count)]
    return sum(done) / count


def rate(step: Iterator[None], length: float) -> float:
    """Steps per second of CPU time over `length` seconds."""
    next(step)
    count, started = 0, time.process_time()
    while (spent := time.process_time() - started) < length:
        for _ in range(20):
            next(step)
        count += 20
    return count / spent


def bare_steps(seed: int, *, check: bool = False, force: bool = True) -> Iterator[None]:
    """Steps by object id; with `check`, a full progress check after each."""
    household = Household(EmbeddedSimulator())
    simulator = household.simulator
    rng = random.Random(seed)
    scenario = Scenario("speed", "Breakfast", BREAKFAST, Scene(ROOM), seed)
    assert isinstance(simulator, EmbeddedSimulator)
    household.reset(scenario)
    actions = drawn_actions(simulator, rng, 20_000, force=force)  # drawing is no part of a step
    while True:
        for number, action in enumerate(actions):
            if number % 1000 == 0:
                household.reset(scenario)
            simulator.step(action)
            if check:
                household.progress()
            yield


def click_steps(seed: int) -> Iterator[None]:
    """TEACh's random Follower."""
    household = Household(EmbeddedSimulator(), view_size=CLICK_RESOLUTION)
    rng = random.Random(seed)
    while True:
        household.reset(Scenario("speed", "Breakfast", BREAKFAST, Scene(ROOM), seed))
        for _ in range(500):
            name = rng.choice((*MOTIONS, *OBJECT_ACTIONS))
            click = name in OBJECT_ACTIONS
            action = Action.click(name, rng.uniform(0, 0.99), rng.uniform(0, 0.99)) if click else Action(name)
            household.act(Role.FOLLOWER, action)
            yield


def full_steps(seed: int, size: int) -> Iterator[None]:
    """A step by object id, then the Follower's view in all channels."""
    simulator = EmbeddedSimulator()
    rng = random.Random(seed)
    channels = frozenset(Channel)
    while True:
        simulator.reset(Scene(ROOM))
        for action in drawn_actions(simulator, rng, 500):
            simulator.step(action)
            simulator.view(follower_camera(simulator.state.agent), channels, size=size)
            yield


def resets() -> Iterator[None]:
    """Loading the room."""
    simulator = EmbeddedSimulator()
    while True:
        simulator.reset(Scene(ROOM))
        yield


def overcooked_steps() -> Iterator[None]:
    """Overcooked-AI's step: both players act at random in its cramped room."""
    import numpy

    vars(numpy).setdefault("Inf", numpy.inf)  # the released environment was written for NumPy 1
    from overcooked_ai_py.mdp.actions import Action as Move
    from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
    from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

    env = OvercookedEnv.from_mdp(OvercookedGridworld.from_layout_name("cramped_room"), horizon=400, info_level=0)
    rng = random.Random(0)
    while True:
        env.reset()
        done = False
        while not done:
            *_, done, _ = env.step((rng.choice(Move.ALL_ACTIONS), rng.choice(Move.ALL_ACTIONS)))
            yield


def textworld_steps() -> Iterator[None]:
    """TextWorld's step: admissible commands at random in a cooking game."""
    import tempfile

    import textworld

    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "cooking.z8"
        command = [str(Path(sys.executable).with_name("tw-make")), "tw-cooking", "--recipe", "3", "--take", "3"]
        command += ["--open", "--cook", "--cut", "--go", "6", "--seed", "1", "--output", str(game)]
        subprocess.run(command, check=True, capture_output=True)
        env = textworld.start(str(game), textworld.EnvInfos(admissible_commands=True))
        rng = random.Random(0)
        while True:
            state, done, steps = env.reset(), False, 0
            while not done and steps < 100:
                state, _, done = env.step(rng.choice(state.admissible_commands))
                steps += 1
                yield


def measured(name: str, make: Callable[[int], Iterator[None]], repeats: int, length: float) -> dict[str, float]:
    """One figure: the median, and its extremes."""
    rates = [rate(make(seed), length) for seed in range(repeats)]
    found = {name: statistics.median(rates), f"{name}_min": min(rates), f"{name}_max": max(rates)}
    print(f"{name}: {found[name]:.0f}/s ({min(rates):.0f} to {max(rates):.0f})")
    return found


def measure(repeats: int, length: float) -> dict[str, object]:
    """All figures by name."""
    figures: dict[str, object] = {"room": ROOM, "click_resolution": CLICK_RESOLUTION, "repeats": repeats}
    figures["bare_step_success"] = success_share()
    steps: dict[str, Callable[[int], Iterator[None]]] = {
        "bare_step": bare_steps,
        "bare_step_unforced": lambda seed: bare_steps(seed, force=False),
        "bare_step_check": lambda seed: bare_steps(seed, check=True),
        "click_step": click_steps,
        "full_step_224": lambda seed: full_steps(seed, 224),
        "full_step_300": lambda seed: full_steps(seed, 300),
        "full_step_900": lambda seed: full_steps(seed, 900),
        "reset": lambda seed: resets(),
        "overcooked_step": lambda seed: overcooked_steps(),
        "textworld_step": lambda seed: textworld_steps(),
    }
    for name, make in steps.items():
        try:
            figures.update(measured(name, make, repeats, length))
        except ImportError as absent:
            print(f"{name}: not measured, {absent}")
    for other in ("overcooked_step", "textworld_step"):
        bare, theirs = figures.get("bare_step"), figures.get(other)
        if isinstance(bare, float) and isinstance(theirs, float):
            figures[f"bare_step_over_{other}"] = bare / theirs
    figures["first_frame"] = seconds([sys.executable, "-c", FIRST_FRAME], 3)
    return figures


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.5)
    arguments = parser.parse_args()
    tell(measure(arguments.repeats, arguments.seconds), arguments.json)


if __name__ == "__main__":
    main()
