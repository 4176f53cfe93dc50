"""What is over: how a session is told of from the store, its record, its TEACh game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.games import GAME_SUFFIX, write_game
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.live import LiveEvent, LiveSetting, household_for, record_of
from teach_agents.live.ledger import write_record
from teach_agents.session import SessionRecord, to_game
from teach_agents.tasks import FREE_PLAY
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.live_store import LiveStore
from teach_agents_serve.live_wire import NewSession

_LOG = logging.getLogger(__name__)


def card_of(setting: LiveSetting, asked: NewSession) -> JsonObject:
    """What a list of sessions says of one."""
    scenario = setting.scenario
    name, params = scenario.task_name, scenario.task_params
    free = name == FREE_PLAY
    return {
        "task": None if free else installed_tasks().task(name, params).description,
        "task_name": None if free else name,
        "params": list(params),
        "game": asked.game,
        "seed": asked.seed,
        "room": scenario.room,
        "chairs": setting.sitters,
        "simulator": setting.simulator,
        "view_size": setting.view_size,
        "pace_s": setting.pace_s,
    }


def past_events(lines: Iterable[JsonMapping]) -> Iterator[LiveEvent]:
    """The events of a journal."""
    return (LiveEvent.from_json(event) for line in lines for event in line["events"])


def write_game_of(record: SessionRecord, household: Household, path: Path) -> None:
    """Write a record's TEACh game, whole or not at all. The household is closed."""
    try:
        game, report = to_game(record, household)
    finally:
        household.simulator.close()
    if not report.identical:
        _LOG.warning("the game of live session %s is not what was recorded", record.header.session_id)
    write_game(game, path)


class Filing:
    """Writes the records and games of sessions that are over, below the store's folder, one after another.

    The games are a TEACh data set: `games/live/ID.game.json`. Where the store has no folder nothing is written, and
    what is asked for of a session that is over is refused.
    """

    def __init__(self, store: LiveStore) -> None:
        self.store = store
        self.one = asyncio.Lock()
        """Held while a session is carried out again for a file: one at a time."""
        self._folders: tuple[Path, Path] | None = None
        if store.folder is not None:
            self._folders = store.folder / "games" / "live", store.folder / "records"
            for path in self._folders:
                path.mkdir(parents=True, exist_ok=True)

    def game_path(self, session: str) -> Path:
        """Where a session's game lies. Raises `Refusal` where none is kept."""
        return self._kept[0] / f"{session}{GAME_SUFFIX}"

    def record_path(self, session: str) -> Path:
        """Where a session's record lies. Raises `Refusal` where none is kept."""
        return self._kept[1] / f"{session}.jsonl"

    @property
    def _kept(self) -> tuple[Path, Path]:
        if self._folders is None:
            raise Refusal(404, "not_kept", "nothing is kept here of sessions that are over")
        return self._folders

    async def file(self, session: str) -> None:
        """Write record and game of a session that is over. One in which nothing was done leaves no game."""
        if self._folders is None:
            return
        async with self.one:
            if not self.record_path(session).exists() or not self.game_path(session).exists():
                setting = LiveSetting.from_json(await self.store.setting(session))
                await asyncio.to_thread(self._file, setting, await self.store.lines(session))
            await self.store.filed(session)

    async def file_rest(self) -> None:
        """Write what the server did not come to before it was stopped."""
        for session in await self.store.unfiled():
            await self.file(session)

    def _file(self, setting: LiveSetting, lines: list[JsonObject]) -> None:
        record = record_of(setting, lines)
        write_record(record, self.record_path(setting.session_id))
        if record.turns:
            write_game_of(record, household_for(setting), self.game_path(setting.session_id))
