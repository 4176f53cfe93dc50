"""What TATC is played on: recorded TEACh sessions, or generated task instances."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

from teach_agents.actions import Role
from teach_agents.benchmarks.tatc.parameters import ROOM_PLANS, SESSION_TASKS, TASK_DRAWS, Draw
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.benchmark.setup import Setup
from teach_agents.core.handles import Handle
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.observations import Observation
from teach_agents.tasks import Task, TaskLibrary

_SUFFIX = ".game.json"
_ANYWHERE = Draw((), tuple(ROOM_PLANS))


@dataclass(frozen=True, slots=True)
class TatcInstance:
    """One session to play: a game file's task and initial state, or a task to set up in a room by seed.

    A generated instance carries the rooms to try, in order; the first in which the seed gives a solvable state is
    played.
    """

    instance_id: str
    seed: int
    game: str = ""
    task_name: str = ""
    task_params: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The instance as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonMapping) -> TatcInstance:
        """Read `to_json`'s form."""
        lists = {key: tuple(data[key]) for key in ("task_params", "rooms")}
        return cls(**{**data, **lists})


def game_instances(paths: Iterable[Path], *, seed: int = 0) -> list[TatcInstance]:
    """One instance per game file, in order of game id; folders are searched. Its seed follows from `seed` and the id.

    Raises `InputError` when none is found, or two that differ go by one name.
    """
    files: dict[str, Path] = {}
    for path in paths:
        if not path.exists():
            raise InputError("--games", "no such file or folder", value=path)
        for file in [path] if path.is_file() else path.rglob(f"*{_SUFFIX}"):
            game_id = file.name.removesuffix(_SUFFIX)
            other = files.setdefault(game_id, file)
            if other.resolve() != file.resolve():
                raise InputError("--games", f"two files go by the name {game_id}: {other} and", value=file)
    if not files:
        raise InputError("--games", f"no *{_SUFFIX} files found", value=", ".join(str(path) for path in paths))
    return [TatcInstance(name, instance_seed(seed, name), game=str(files[name].resolve())) for name in sorted(files)]


def _choice(task: str, library: TaskLibrary) -> tuple[str, tuple[Draw, ...]]:
    """`Name`, with the draws there are, or `Name:p0,p1,...`, with just these parameters."""
    name, colon, params = task.partition(":")
    if name not in library.names:
        raise InputError("--task", "unknown task", value=name, valid=library.names)
    drawn = TASK_DRAWS.get(name, (_ANYWHERE,))
    if colon:
        kinds = tuple(dict.fromkeys(kind for draw in drawn for kind in draw.rooms))
        drawn = (Draw(tuple(params.split(",")), kinds),)
    for draw in drawn:
        library.task(name, list(draw.params))
    return name, drawn


def _rooms_of(draw: Draw) -> list[str]:
    return [f"FloorPlan{plan}" for kind in draw.rooms for plan in ROOM_PLANS[kind]]


def _drawn(rng: random.Random, draws: Sequence[Draw], rooms: Sequence[str]) -> tuple[Draw, tuple[str, ...]]:
    """Parameters, and the order in which rooms are tried: of `rooms`, where any are named."""
    draw = rng.choice([one for one in draws if not {*rooms}.isdisjoint(_rooms_of(one))] or draws)
    fitting = _rooms_of(draw)
    rng.shuffle(fitting)
    if not rooms:
        return draw, tuple(fitting)
    return draw, (*(room for room in fitting if room in rooms), *(room for room in rooms if room not in fitting))


def _refuse_hopeless(task: Task, rooms: Iterable[str]) -> None:
    """Refuse what can never be done in any of the rooms, as a mug cannot be boiled."""
    from teach_agents.simulator.embedded.solvability import hopeless

    never = None
    for room in rooms:
        never = hopeless(room, task)
        if never is None:
            return
    if never is not None:
        raise InputError(f"--task {task.name!r}", never.problem, value=never.value, valid=never.valid)


def generated_instances(
    count: int,
    *,
    seed: int = 0,
    tasks: Sequence[str] = (),
    rooms: Sequence[str] = (),
    library: TaskLibrary | None = None,
) -> list[TatcInstance]:
    """`count` instances, cycling over the tasks (the twelve session tasks by default), drawn by `seed`.

    A task of `library` (TEACh's by default) is `Name`, with drawn parameters, or `Name:p0,p1,...`. Rooms fit the task
    and are tried in an order that is drawn. With `rooms` only these are tried, those that fit first, and parameters are
    drawn that fit one of them, where there are any. Raises `InputError` for a count below one, a task or room that
    nobody knows, parameters that the task does not take, or one that can be done in none of the rooms.
    """
    if count < 1:
        raise InputError("--generate", "must be at least 1", value=count)
    known = _rooms_of(_ANYWHERE)
    for room in rooms:
        if room not in known:
            raise InputError("--room", "unknown room", value=room, valid=known)
    library = library or TaskLibrary.builtin()
    choices = [_choice(task, library) for task in tasks or SESSION_TASKS]
    for task, (name, (draw, *_)) in zip(tasks, choices, strict=False):
        if ":" in task:
            _refuse_hopeless(library.task(name, list(draw.params)), rooms or _rooms_of(draw))
    rng = random.Random(f"tatc instances {seed}")
    made = []
    for number in range(count):
        name, draws = choices[number % len(choices)]
        draw, order = _drawn(rng, draws, rooms)
        instance_id = f"generated-{seed}-{number:04d}"
        made.append(
            TatcInstance(
                instance_id,
                rng.randrange(2**31),
                task_name=name,
                task_params=draw.params,
                rooms=order,
            )
        )
    return made


_SHOWN = ("episode_id", "world", "world_type", "commander_embodied")


@dataclass(frozen=True, slots=True)
class ShownGame:
    """Any agent's factory that has a parameter `instance` gets it in TATC.

    `file` is the name of the game's file, empty for a generated instance. `follower` is what the Follower sees now:
    the challenge tells the Commander where the other stands, and whether its last action succeeded.
    """

    open_context: ClassVar[bool] = True

    file: str = ""
    to_json: Callable[[], JsonObject] = lambda: {"tasks": [{"episodes": []}]}
    """The game with neither task nor recording, new at each call."""
    follower: Callable[[], Observation] | None = None

    @classmethod
    def of(cls, game: str | None, household: Household | None) -> ShownGame:
        """What is shown of a game's file and of the household in which it is played."""
        follower = None if household is None else Handle(lambda: household.observe(Role.FOLLOWER))
        return cls(Path(game).name, Handle(lambda: _shown(game)), follower) if game else cls(follower=follower)


def _shown(file: str) -> JsonObject:
    game: JsonObject = json.loads(Path(file).read_bytes())
    episodes = game["tasks"][0]["episodes"]
    shown = [{key: one[key] for key in _SHOWN if key in one} | {"interactions": []} for one in episodes]
    return {key: game[key] for key in ("version", "task_type") if key in game} | {"tasks": [{"episodes": shown}]}


@dataclass(frozen=True, slots=True)
class TatcSettings:
    """What decides the outcome of a run, apart from its instances. Agents, simulator and dialogue hooks are SPECs.

    `add_tasks` are definition files and folders besides what is installed, `call_time_limit_s` is how long an agent may
    take over one answer.
    """

    commander: str = "planner"
    follower: str = "planner"
    simulator: str = "embedded"
    hooks: tuple[str, ...] = ()
    add_tasks: tuple[str, ...] = ()
    max_turns: int = 1000
    max_failures: int = 30
    view_size: int = 300
    pictures: int = 24
    seed: int = 0
    call_time_limit_s: float = 120.0

    def to_json(self) -> JsonObject:
        """The settings as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonMapping) -> TatcSettings:
        """Read `to_json`'s form."""
        return cls(**{**data, **{key: tuple(data[key]) for key in ("hooks", "add_tasks")}})

    @property
    def setup(self) -> Setup:
        """What of it any benchmark is asked."""
        agents = {"commander": self.commander, "follower": self.follower}
        return Setup(agents, self.hooks, self.seed, self.call_time_limit_s, self.pictures)
