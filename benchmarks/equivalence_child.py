"""What `equivalence.py` has a tree do beside its command line: live sessions, environments, sessions gone on with.

    python benchmarks/equivalence_child.py live|gymnasium|pettingzoo|resume --out FOLDER [--limit 20] [--from FOLDER]

Every episode leaves a file of JSON lines in FOLDER, whole or not at all; one that is there is not played again. Runs in
every tree since 8ccb15a, by the import paths that programs used then.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from teach_agents import (
    Action,
    EmbeddedSimulator,
    Household,
    Observation,
    PlannerFollower,
    Role,
    build,
    read_record,
    resume_session,
)
from teach_agents.actions import MOTIONS, OBJECT_ACTIONS
from teach_agents.live import HUMAN, LiveSession, LiveSetting, make_scenario

LIMIT_S = 300.0
STEPS = 60
ACTS = 30
VIEW = 100
ROOMS = ("FloorPlan1", "FloorPlan7", "FloorPlan11", "FloorPlan17", "FloorPlan28")
ERRANDS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Coffee", (), ("Hello! Please clean the mug", "Now make coffee in the mug", "Thank you")),
    ("Clean X", ("Mug",), ("Please wash the mug", "Where are you?")),
    ("Sliced X", ("Tomato",), ("Slice the tomato", "Look for a knife")),
    ("Boil X", ("Potato",), ("Boil the potato in a pot", "Is it done?")),
)
CHAIRS = ((HUMAN, "planner"), (HUMAN, HUMAN), ("planner", HUMAN), (HUMAN, "lm:model=oracle"))
"""Commander and Follower of a script, in turns; a person's acts are drawn."""

Lines = Iterable[Mapping[str, Any]]


def written(file: Path, make: Callable[[], Lines]) -> None:
    """Write what is made as JSON lines, unless the file is there."""
    if not file.exists():
        part = file.with_suffix(".part")
        part.write_text("".join(json.dumps(one, default=plain) + "\n" for one in make()), encoding="utf8")
        os.replace(part, file)
    print(f"{file.parent.name} {file.stem}", file=sys.stderr)


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as JSON has them."""
    return value.tolist()


class Silent(PlannerFollower):
    """Does what it is told and never says so."""

    def act(self, observation: Observation) -> Action:
        """The planner's action, without words."""
        action = super().act(observation)
        return Action.wait() if action.name == "Text" else action


# live sessions


def drawn(role: Role, draw: random.Random) -> Action:
    """What a person might do: something at random, but no end."""
    kind = draw.random()
    if kind < 0.15:
        return Action.say(draw.choice(("hello", "what now?", "the mug, please", "done", "where is the fork?")))
    if role is Role.COMMANDER:
        search = Action("SearchObject", query=draw.choice(("Mug", "Fork", "Tomato", "Nothing")))
        return draw.choice((Action.progress_check(), search, Action(draw.choice(("Forward", "Turn Left", "Look Up")))))
    if kind < 0.6:
        return Action(draw.choice(sorted(MOTIONS)))
    return Action.click(draw.choice(sorted(OBJECT_ACTIONS)), draw.random() * 0.99, draw.random() * 0.99)


async def quiet(live: LiveSession, role: Role) -> None:
    """Wait until an agent has nothing more to do, or the session is over."""
    while live.status != "ended" and not live.idle(role):
        await asyncio.sleep(0.002)


async def script(number: int, record: Path) -> list[dict[str, Any]]:
    """Play a live session by its script; the events. An agent gets the time to answer everything that is done."""
    draw = random.Random(number)
    task, params, requests = ERRANDS[number // len(CHAIRS) % len(ERRANDS)]
    chairs = dict(zip(Role, CHAIRS[number % len(CHAIRS)], strict=True))
    scenario = make_scenario(task, params, room=ROOMS[number % len(ROOMS)], seed=number)
    live = LiveSession(LiveSetting(f"live{number}", scenario, chairs, reply_s=0.0, view_size=VIEW), idle_s=1e6)
    await live.start()
    people = [role for role, chair in chairs.items() if chair == HUMAN]
    agents = [role for role, chair in chairs.items() if chair != HUMAN]
    acts = [Action.say(one) for one in requests] if people[0] is Role.COMMANDER else []
    for place in range(ACTS):
        for role in agents:
            await quiet(live, role)
        if live.status == "ended":
            break
        person = people[place % len(people)]
        given = person is Role.COMMANDER and place // len(people) < len(acts)
        await live.act(person, acts[place // len(people)] if given else drawn(person, draw), key=f"{place}")
    for role in agents:
        await quiet(live, role)
    if live.status != "ended":
        await live.end("the script is over")
    events = [event.to_json() for event in live.events]
    live.write_record(record)
    await live.close()
    return [event for event in events if event is not None]


def live(number: int, out: Path) -> Lines:
    """A live session's events; its record is written beside."""

    async def limited() -> list[dict[str, Any]]:
        async with asyncio.timeout(LIMIT_S):
            return await script(number, out / f"live{number:02}.record.jsonl")

    return asyncio.run(limited())


# environments


def digest(value: Any) -> str:
    """The hash of an observation: of every part its name, kind and content."""
    if isinstance(value, Mapping):
        told = "".join(f"{name}={digest(value[name])};" for name in sorted(value)).encode()
    elif hasattr(value, "tobytes"):
        told = f"{value.dtype}{value.shape}".encode() + value.tobytes()
    else:
        told = f"{type(value).__name__}{value!r}".encode()
    return hashlib.sha256(told).hexdigest()[:32]


def lasting(space: Any, role: Role, step: int) -> Any:
    """A drawn action; none that ends the episode before its last third."""
    from teach_agents.conventions.spaces import NAMES

    ends = {"Stop", "Finish"}
    action = space.sample()
    while step < STEPS * 2 // 3 and NAMES[role][int(action["action"])] in ends:
        action = space.sample()
    return action


def gymnasium(number: int, out: Path) -> Lines:
    """An episode of EDH or TfD, step by step."""
    import gymnasium

    import teach_agents.conventions.gymnasium_env  # noqa: F401  # registers both

    games = os.path.join(os.environ["TEACH_DATA_DIR"], "games", "valid_seen")
    reward = ("success", "goal_conditions")[number // 2 % 2]
    kind = ("TEACh/EDH-v0", "TEACh/TfD-v0")[number % 2]
    chosen: dict[str, Any] = {"instances": os.path.join(os.environ["TEACH_DATA_DIR"], "edh_instances", "valid_seen")}
    chosen = chosen if number % 2 == 0 else {}
    made = gymnasium.make(
        kind, games=games, reward=reward, judged=number % 3 == 0, view_size=VIEW, max_steps=STEPS, **chosen
    )
    made.action_space.seed(number)
    seen, info = made.reset(seed=number)
    yield {"step": -1, "observation": digest(seen), "info": info}
    over, step = False, 0
    while not over:
        action = lasting(made.action_space, Role.FOLLOWER, step)
        seen, gained, terminated, truncated, info = made.step(action)
        yield {
            "step": step,
            "observation": digest(seen),
            "reward": float(gained),
            "over": [terminated, truncated],
            "info": info,
        }
        over, step = terminated or truncated, step + 1
    made.close()


def pettingzoo(number: int, out: Path) -> Lines:
    """An episode of TATC, turn by turn."""
    from teach_agents.conventions.pettingzoo_env import parallel_env

    reward = ("success", "goal_conditions")[number % 2]
    made = parallel_env(
        rooms=ROOMS, reward=reward, judged=number % 3 == 0, view_size=VIEW, max_turns=STEPS, overhead=number % 4 == 0
    )
    for place, role in enumerate(Role):
        made.action_space(role.value).seed(2 * number + place)
    seen, infos = made.reset(seed=number)
    yield {"step": -1, "observation": digest(seen), "info": infos}
    step = 0
    while made.agents:
        acts = {role.value: lasting(made.action_space(role.value), role, step) for role in Role}
        seen, gained, terminated, truncated, infos = made.step(acts)
        yield {
            "step": step,
            "observation": digest(seen),
            "reward": gained,
            "over": [terminated, truncated],
            "info": infos,
        }
        step += 1
    made.close()


# sessions gone on with


def resumed(record: Path, out: Path) -> Lines:
    """Go on from the middle of a session's record with the pair that played it."""
    half = out / f"{record.stem}.half.jsonl"
    lines = record.read_bytes().splitlines(keepends=True)
    half.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:20])
    known = read_record(half)
    pair = [build("agent", known.header.agents[role], role=role) for role in Role]
    household = Household(EmbeddedSimulator(), view_size=known.header.view_size)
    result = resume_session(household, *pair, half)
    os.replace(half, out / f"{record.stem}.record.jsonl")
    yield {"success": result.success, "end_reason": str(result.end_reason), "turns": result.turns}


NUMBERED: Mapping[str, Callable[[int, Path], Lines]] = {"live": live, "gymnasium": gymnasium, "pettingzoo": pettingzoo}


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*NUMBERED, "resume"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--from", dest="records", type=Path, help="folder of records to go on with")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.what == "resume":
        for record in sorted(asked.records.glob("*.jsonl"))[: asked.limit]:
            written(asked.out / f"{record.stem}.jsonl", partial(resumed, record, asked.out))
        return
    for number in range(asked.limit):
        file = asked.out / f"{asked.what}{number:02}.jsonl"
        written(file, partial(NUMBERED[asked.what], number, asked.out))


if __name__ == "__main__":
    main()
