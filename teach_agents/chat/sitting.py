"""A whole session at a terminal: begun or gone on with, talked in, left or ended, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console

from teach_agents.actions import Role
from teach_agents.chat.keeping import Kept, RecordFile, take_up
from teach_agents.chat.talk import Talk
from teach_agents.chat.terminal import Terminal
from teach_agents.core.agents.contract import Agent
from teach_agents.live import LiveSession, LiveSetting, hook_of

_Maker = Callable[[Role, str], Agent]


def begin(setting: LiveSetting, chair: Role, path: Path | None, make: _Maker) -> None:
    """Sit down in a new session, kept in a file where there is a path; until it is over, or the person leaves.

    Raises `RecordError` for a file that is there already, and what `LiveSession.start` raises.
    """
    file = RecordFile(path) if path is not None else None
    asyncio.run(_sit(setting, chair, make, file, None))


def go_on(path: Path, pace_s: float, reply_s: float, maker: Callable[[Role, str], _Maker]) -> None:
    """Sit down again in a session that was kept; `maker` says how the other chair's agent is made.

    Raises what `take_up`, `maker` and `LiveSession.start` raise.
    """
    kept = take_up(path)
    partner = kept.chair.partner
    make = maker(partner, kept.setting.chairs[partner])
    setting = replace(kept.setting, pace_s=pace_s, reply_s=reply_s)
    asyncio.run(_sit(setting, kept.chair, make, RecordFile(path), kept))


async def _sit(setting: LiveSetting, chair: Role, make: _Maker, file: RecordFile | None, kept: Kept | None) -> None:
    terminal = Terminal(Console(highlight=False))
    live = LiveSession(setting, file, make, build_hook=partial(hook_of, allow_import=True))
    if file is not None and kept is None:
        file.begin(live)
    elif file is not None and kept is not None:
        file.go_on(live, kept)
    try:
        await live.start(kept.lines if kept is not None else ())
        terminal.note(_welcome(setting, chair))
        after = live.events[-1].seq if kept is not None else -1
        await Talk(live, terminal, chair).run(after)
    finally:
        terminal.close()
        await asyncio.shield(live.close())
        if file is not None and file.close():
            ended = live.status == "ended"
            words = "Kept in" if ended else "Go on with: teach-agents chat --terminal --resume"
            terminal.note(f"{words} {file.path}")


def _welcome(setting: LiveSetting, chair: Role) -> str:
    you, other = (role.value.capitalize() for role in (chair, chair.partner))
    scenario = setting.scenario
    what = f"{scenario.task_name} in {scenario.room}" if chair is Role.COMMANDER else scenario.room
    return f"You are the {you}, with the {other} ({setting.chairs[chair.partner]}): {what}. /help says what you can do."
