"""TEACh game files in and out (specification 1.4): `read_game`, `iter_games`, `write_game`."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, NoReturn, Self

from pydantic_core import from_json, to_json

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields, FileValue, Key
from teach_agents.data.interactions import Interaction
from teach_agents.data.states import StateRecord
from teach_agents.errors import GameFileError

StrPath = str | os.PathLike[str]

GAME_SUFFIX = ".game.json"
"""How the name of every game file ends."""

_PHYSICS = "_physics"


class RoomKind(StrEnum):
    """The four kinds of iTHOR room."""

    KITCHEN = "Kitchen"
    LIVING_ROOM = "Living room"
    BEDROOM = "Bedroom"
    BATHROOM = "Bathroom"


_FIRST_PLANS: Mapping[int, RoomKind] = dict(zip((1, 201, 301, 401), RoomKind, strict=True))


def room_kind(room: str) -> RoomKind | None:
    """The kind of an iTHOR room by its plan number (`FloorPlan209`), or `None` for a room of another kind of name."""
    match = re.fullmatch(r"FloorPlan(\d+)", room)
    number = int(match[1]) if match else 0
    return next((kind for first, kind in _FIRST_PLANS.items() if first <= number < first + 30), None)


@dataclass(frozen=True, slots=True)
class GameTask(FileValue):
    """The task a session was about, every `#n` already replaced.

    Judge a session by the shipped definition of `task_name` and `task_params`, never by `components` and
    `relations`: files carry definitions that were later corrected (specification 1.4).
    """

    task_id: int
    task_name: str
    task_params: tuple[str, ...]
    nparams: int
    anchor: str | None
    desc: str
    components: JsonMapping
    relations: tuple[Any, ...]
    comments: str = ""
    extra: JsonMapping = field(default_factory=dict)
    keys = {"nparams": Key("task_nparams"), "anchor": Key("task_anchor_object")}

    @classmethod
    def from_json(cls, data: object, where: str = "task") -> GameTask:
        """Read a task object (a game's, or a substituted definition); raises `GameFileError`."""
        return cls.from_fields(Fields(data, where))

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Read a task object that lies inside a file; its `episodes` are left to the caller."""
        if fields.has("episodes"):
            fields.items("episodes")
        return cls.read(fields)

    def to_json(self, episodes: Iterable[Episode] = ()) -> JsonObject:
        """The task as in a game file, around its episodes."""
        inside = [episode.to_json() for episode in episodes]
        return {**self.written(), "episodes": inside, **self.extra}


def _world(fields: Fields, key: str) -> str:
    world = fields.text(key)
    if not world:
        raise fields.refuse(key, "must name a scene, for example 'FloorPlan209_physics'", world)
    return world


def _embodied(fields: Fields, key: str) -> bool:
    embodied = fields.value(key)
    if not isinstance(embodied, str | bool):
        raise fields.refuse(key, "must be the text True or False", embodied)
    return str(embodied) == "True"


@dataclass(frozen=True, slots=True)
class Episode(FileValue):
    """One recorded session: the room, how it was found, what was done, how it was left.

    `world` is the file's scene name (`FloorPlan209_physics`). `world_type` is null in nearly every file; use
    `room_kind`. `commander_embodied` is true only for the file's exact text "True".
    """

    episode_id: str
    world: str
    world_type: str | None
    commander_embodied: bool
    initial_state: StateRecord
    interactions: tuple[Interaction, ...]
    final_state: StateRecord
    extra: JsonMapping = field(default_factory=dict)
    keys = {
        "world": Key(read=_world),
        "commander_embodied": Key(read=_embodied, write=str),
    }

    @property
    def room(self) -> str:
        """The room's name without suffix, for example `FloorPlan209`."""
        return self.world.removesuffix(_PHYSICS)

    @property
    def room_kind(self) -> RoomKind | None:
        """The kind of room by plan number; `None` for a room that is not one of iTHOR's 120."""
        return room_kind(self.room)

    @classmethod
    def create(
        cls,
        episode_id: str,
        room: str,
        initial_state: StateRecord,
        interactions: Iterable[Interaction],
        final_state: StateRecord,
    ) -> Episode:
        """A new session in `room` (with or without `_physics`)."""
        world = room.removesuffix(_PHYSICS) + _PHYSICS
        return cls(episode_id, world, None, False, initial_state, tuple(interactions), final_state)


@dataclass(frozen=True, slots=True)
class Game(FileValue):
    """A game file. Five released files hold the identical episode twice: `episode` is the first."""

    version: str
    task_type: str
    comments: str
    definitions: JsonMapping
    task: GameTask
    episodes: tuple[Episode, ...]
    extra: JsonMapping = field(default_factory=dict)
    keys = {"task": Key(None), "episodes": Key(None)}

    @property
    def game_id(self) -> str:
        """16 hexadecimal digits, mostly with a suffix of 4 more; equals the file's name and `episode_id`."""
        return self.episode.episode_id

    @property
    def episode(self) -> Episode:
        """The session."""
        return self.episodes[0]

    @classmethod
    def from_json(cls, data: object, where: str = "game") -> Game:
        """Read a game file's JSON. Raises `GameFileError` that names `where`, the key and the offending value."""
        fields = Fields(data, where)
        tasks = fields.objects("tasks")
        if len(tasks) != 1:
            raise fields.refuse("tasks", "must hold exactly one task", len(tasks))
        episodes = tasks[0].objects("episodes")
        if not episodes:
            raise tasks[0].refuse("episodes", "must hold an episode", [])
        task = GameTask.from_fields(tasks[0])
        return cls.read(fields, task=task, episodes=tuple(map(Episode.from_fields, episodes)))

    def to_json(self) -> JsonObject:
        """The whole file as JSON, keys in TEACh's order."""
        return {**self.written(), "tasks": [self.task.to_json(self.episodes)], **self.extra}


def read_game(path: StrPath) -> Game:
    """Read one game file.

    Raises `GameFileError`, which names the file, the key and the offending value, when the file is missing,
    truncated, garbled, or of another shape than TEACh's.
    """
    return Game.from_json(read_json(path), str(path))


def _by_name(path: Path) -> tuple[str, Path]:
    return path.name, path


def game_files(source: StrPath | Iterable[StrPath]) -> list[Path]:
    """The game files of a file, of a folder (searched through) or of several of them, sorted by file name.

    Raises `GameFileError` for a path that does not exist and for a folder without game files.
    """
    if not isinstance(source, str | os.PathLike):
        return sorted({path for part in source for path in game_files(part)}, key=_by_name)
    root = Path(source)
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise GameFileError(str(root), "no such file or folder")
    inside = sorted(root.rglob(f"*{GAME_SUFFIX}"), key=_by_name)
    if not inside:
        raise GameFileError(str(root), f"holds no file named *{GAME_SUFFIX}")
    return inside


def iter_games(source: StrPath | Iterable[StrPath]) -> Iterator[Game]:
    """Read game files one at a time, in the order of `game_files`; only the current one is held in memory.

    A missing path is refused at once, a bad file when its turn comes.
    """
    return map(read_game, game_files(source))


def write_game(game: Game, path: StrPath) -> None:
    """Write a game file that `read_game` reads back equal.

    Atomic: whoever looks sees the old file, or the whole new one. Raises `GameFileError` for a game that would not
    be readable again (a value that is no JSON, a wrong type); nothing is written then.
    """
    write_json(game.to_json(), path, check=lambda data: Game.from_json(data, str(path)))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def read_json(path: StrPath) -> Any:
    """The JSON of a file; raises `GameFileError` that says what is broken and where."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise GameFileError(str(path), "no such file") from error
    except UnicodeDecodeError as error:
        raise GameFileError(str(path), f"is not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise GameFileError(str(path), f"cannot be read: {error.strerror}") from error
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return _read_slowly(text, path)


def _read_slowly(text: str, path: StrPath) -> Any:
    """What the fast reader refused: read by one that takes a little more, and says where it stops."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        what = "is truncated" if cut else "is garbled"
        around = text[max(0, error.pos - 20) : error.pos + 20]
        place = f"line {error.lineno}, column {error.colno}"
        raise GameFileError(str(path), f"{what} ({error.msg} at {place})", value=around) from error
    except (ValueError, RecursionError) as error:
        raise GameFileError(str(path), f"is no valid JSON: {error}") from error


def _quickly_written(data: object) -> bytes | None:
    """JSON in ASCII of what reads back equal; `None` where that fails, for a slower writer to take it or refuse."""
    try:
        text = to_json(data)
        return text if text.isascii() and from_json(text, allow_inf_nan=False) == data else None
    except (ValueError, RecursionError):
        return None


def write_json(data: object, path: StrPath, *, check: Callable[[object], object] | None = None) -> None:
    """Write JSON atomically (a temporary file beside it, then a rename), making the folder where it is missing.

    `check` raises `GameFileError` for what no reader would take; the old file is left untouched then. It is called
    with `data`, and where it refuses that (a tuple, for example), with what a reader will get. Raises `GameFileError`
    for a value that JSON cannot hold.
    """
    target = Path(path)
    text = _quickly_written(data)
    if text is None:
        try:
            text = json.dumps(data, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise GameFileError(str(path), f"cannot be written as JSON: {error}") from error
    if check is not None:
        try:
            check(data)
        except GameFileError:
            check(json.loads(text))
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` once it is whole, and is gone where it never is."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
