"""Where instances lie: files of a benchmark, or the sessions that they are cut from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from teach_agents.data.extract import held_out
from teach_agents.data.games import GAME_SUFFIX
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Reference:
    """One instance, not read yet: its session's game file, and its own file where it has one (else "")."""

    instance_id: str
    split: str
    game: str
    file: str = ""

    def path(self, kind: str) -> str:
        """Where its file lies, or would in TEACh's layout: `<data>/<kind>_instances/<split>/<instance_id>.json`."""
        data = Path(self.game).parent.parent.parent
        return self.file or str(data / f"{kind}_instances" / self.split / f"{self.instance_id}.json")


@dataclass(frozen=True, slots=True)
class Search:
    """How a folder of sessions is looked through for instances.

    `workers` processes look; the search ends with the session, in order of names, in which `enough` are found,
    by default with the last one; `told` is called with the number of sessions looked through, and of all there are.
    """

    workers: int = 1
    enough: int | None = None
    told: Callable[[int, int], None] | None = None


THOROUGH = Search()
"""All sessions, one after the other."""


def split_of(path: Path) -> str:
    """The split that a file belongs to: the name of its folder."""
    return path.resolve().parent.name


def game_paths(source: Path, where: str = "--games") -> list[Path]:
    """The game files in a folder, by name. Raises `InputError` at `where` if there are none, or two of one name.

    Folders of held-out splits are passed over unless `source` is one of them, or lies in one.
    """
    return _found(source, GAME_SUFFIX, where)


def instance_files(source: Path, kind: str, games: Path | None = None) -> list[Reference]:
    """The instance files of a kind (`edh`, `tfd`) in a folder, with the game files of their sessions.

    A session is looked for in the folder `games`, at any depth, or by TEACh's layout: for
    `<data>/edh_instances/<split>/<game_id>.edh<N>.json` that is `<data>/games/<split>/<game_id>.game.json`. Raises
    `InputError` naming an instance without its session.
    """
    paths = [path for path in _found(source, ".json", "--instances") if f".{kind}" in path.name]
    if not paths:
        raise InputError("--instances", f"no files named *.{kind}*.json found", value=source)
    sessions = {} if games is None else {path.name.removesuffix(GAME_SUFFIX): path for path in game_paths(games)}
    made = []
    for path in paths:
        instance_id = path.name.removesuffix(".json")
        game_id = instance_id.rpartition(".")[0]
        beside = path.resolve().parents[2] / "games" / split_of(path) / f"{game_id}{GAME_SUFFIX}"
        session = beside if games is None else sessions.get(game_id)
        if session is None or not session.is_file():
            raise InputError("--games", f"holds no session of instance {instance_id!r}", value=games or beside)
        made.append(Reference(instance_id, split_of(path), str(session.resolve()), str(path.resolve())))
    return made


def _found(source: Path, suffix: str, where: str) -> list[Path]:
    if not source.exists():
        raise InputError(where, "no such file or folder", value=source)
    inside = (path for path in source.rglob(f"*{suffix}") if not held_out(str(path.relative_to(source))))
    paths = [source] if source.is_file() else inside
    names: dict[str, Path] = {}
    for path in sorted(paths):
        other = names.setdefault(path.name, path)
        if other is not path:
            raise InputError(where, f"two files go by the name {path.name}: {other} and", value=path)
    if not names:
        raise InputError(where, f"no *{suffix} files found", value=source)
    return [names[name] for name in sorted(names)]
