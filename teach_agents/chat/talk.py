"""A person at a terminal, in one chair of a live session: what happens is printed, what is typed is said or done.

A whole session is begun or gone on with, talked in, left or ended, and kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from teach_agents.actions import Role
from teach_agents.chat.commands import Commands, Leaving
from teach_agents.chat.interrupts import Interrupts
from teach_agents.chat.keeping import Kept, RecordFile, take_up
from teach_agents.chat.telling import Kind, Line, Teller, busy
from teach_agents.chat.terminal import Terminal
from teach_agents.core.agents.contract import Agent
from teach_agents.live import EventKind, LiveError, LiveEvent, LiveSession, LiveSetting, hook_of, sends_to
from teach_agents.tasks import FREE_PLAY

_REST_S = 0.8
"""A walk that has not gone on for so long is told."""
_POLL_S = 0.05


class Talk:
    """One person's part in a session, until it ends or the person leaves.

    A pipe is read line by line, each when the other has nothing more to do about the last: what a script says is
    answered before it goes on.
    """

    def __init__(self, live: LiveSession, terminal: Terminal, role: Role) -> None:
        self._live = live
        self._terminal = terminal
        self._role = role
        self._commands = Commands(live, terminal, role)
        self._teller = Teller((Role.FOLLOWER,))
        self._interrupts = Interrupts(live, role, terminal.note)
        self._told = -1
        self._asked = True

    async def run(self, after: int = -1) -> bool:
        """Talk; whether the person left by Ctrl-C (`Interrupts`); a pipe is left at once.

        Events up to number `after` are not told: whoever goes on knows them.
        """
        self._told = after
        with self._interrupts.caught() if self._terminal.interactive else nullcontext():
            return await self._run(after)

    async def _run(self, after: int) -> bool:
        printing = asyncio.create_task(self._print(after))
        typing = asyncio.create_task(self._type())
        leaving = asyncio.create_task(self._interrupts.left.wait())
        tasks: tuple[asyncio.Task[object], ...] = (printing, typing, leaving)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if printing.done() or self._live.status == "ended":
                await printing
            if typing.done():
                await typing
            return leaving.done()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _type(self) -> None:
        """Take lines until there are no more, or the person leaves."""
        while True:
            if not self._terminal.interactive:
                await self._settled()
            line = await self._terminal.read()
            if line is None:
                return
            try:
                await self._take(line.strip())
            except Leaving:
                return
            if self._live.status == "ended":
                return

    async def _take(self, line: str) -> None:
        if line.startswith("/"):
            await self._commands.carry_out(line)
        elif line:
            try:
                await self._live.say(self._role, line)
            except LiveError as error:
                self._terminal.note(str(error))

    async def _settled(self) -> None:
        """Wait until the other has nothing more to do, and all of it is printed."""
        while self._live.status == "running":
            if self._live.idle(self._role.partner) and self._told >= self._live.events[-1].seq:
                return
            await asyncio.sleep(_POLL_S)

    async def _print(self, after: int) -> None:
        """Print what happens, until the session is over."""
        events: asyncio.Queue[LiveEvent | None] = asyncio.Queue()
        pumping = asyncio.create_task(_pump(self._live, after, events))
        try:
            while True:
                try:
                    async with asyncio.timeout(_REST_S):  # wait_for may lose the end of this task in Python 3.11
                        event = await events.get()
                except TimeoutError:
                    self._show(self._teller.rest())
                    continue
                if event is None:
                    self._show(self._teller.rest())
                    return
                if event.to_json(self._role) or event.role is Role.FOLLOWER:
                    self._show(self._teller.event(event))
                    self._tell_busy(event)
                self._told = event.seq
        finally:
            pumping.cancel()

    def _tell_busy(self, event: LiveEvent) -> None:
        """Say once that the other gets ready, and once a request that it thinks about it; a pipe needs neither."""
        if event.kind is EventKind.UTTERANCE:
            self._asked = event.role is self._role
        elif self._asked and self._terminal.interactive and (line := busy(event)):
            self._asked = False
            self._show([line])

    def _show(self, lines: Iterable[Line]) -> None:
        for line in lines:
            own = line.role is self._role
            if not (own and line.kind is Kind.SAID and self._terminal.interactive):
                speaker = "You" if own else line.role.value.capitalize() if line.role else ""
                self._terminal.show(line, speaker)


async def _pump(live: LiveSession, after: int, events: asyncio.Queue[LiveEvent | None]) -> None:
    async for event in live.follow(after):
        events.put_nowait(event)
    events.put_nowait(None)


_Maker = Callable[[Role, str], Agent]


def begin(setting: LiveSetting, chair: Role, path: Path | None, make: _Maker) -> None:
    """Sit down in a new session, kept in a file where there is a path; until it is over, or the person leaves.

    Raises `RecordError` for a file that is there already, and what `LiveSession.start` raises.
    """
    file = RecordFile(path) if path else None
    _held(_sit(setting, chair, make, file, None))


def go_on(path: Path, pace_s: float, reply_s: float, maker: Callable[[Role, str], _Maker]) -> None:
    """Sit down again in a session that was kept; `maker` says how the other chair's agent is made.

    Raises what `take_up`, `maker` and `LiveSession.start` raise.
    """
    kept = take_up(path)
    partner = kept.chair.partner
    make = maker(partner, kept.setting.chairs[partner])
    setting = replace(kept.setting, pace_s=pace_s, reply_s=reply_s)
    _held(_sit(setting, kept.chair, make, RecordFile(path), kept))


def _held(sitting: Coroutine[Any, Any, bool]) -> None:
    """Hold a session. Who leaves it by Ctrl-C has interrupted the command, once all is kept: `KeyboardInterrupt`."""
    if asyncio.run(sitting):
        raise KeyboardInterrupt


async def _sit(setting: LiveSetting, chair: Role, make: _Maker, file: RecordFile | None, kept: Kept | None) -> bool:
    terminal = Terminal(Console(highlight=False))
    live = LiveSession(setting, file, make, build_hook=partial(hook_of, allow_import=True))
    if file and kept:
        file.go_on(live, kept)
    elif file:
        file.begin(live)
    try:
        await live.start(kept.lines if kept else ())
        for line in _welcome(setting, chair):
            terminal.note(line)
        return await Talk(live, terminal, chair).run(live.events[-1].seq if kept else -1)
    finally:
        terminal.close()
        await asyncio.shield(live.close())
        if file and file.close():
            ended = live.status == "ended"
            words = "Kept in" if ended else "Go on with: teach-agents chat --terminal --resume"
            terminal.note(f"{words} {file.path}")


def _welcome(setting: LiveSetting, chair: Role) -> list[str]:
    """Where one is, with whom, and where what is typed goes."""
    you, other = (role.value.capitalize() for role in (chair, chair.partner))
    scenario, spec = setting.scenario, setting.chairs[chair.partner]
    task = "just exploring" if scenario.task_name == FREE_PLAY else scenario.task_name
    what = f"{task} in {scenario.room}" if chair is Role.COMMANDER else scenario.room
    lines = [f"You are the {you}, with the {other} ({spec}): {what}. /help says what you can do."]
    host = sends_to(spec)
    return [*lines, f"What you type is sent to {host}: the {other} runs on it."] if host else lines
