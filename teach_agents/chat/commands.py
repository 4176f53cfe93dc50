"""What a person who talks can ask for besides: lines that begin with a slash."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.arrays import ByteArray
from teach_agents.chat.doing import Doer
from teach_agents.chat.seeing import Names, describe_view, kind_called
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.live import LiveError, LiveSession
from teach_agents.live.action_words import named
from teach_agents.tasks import FREE_PLAY
from teach_agents.tasks.classes import object_classes
from teach_agents.understanding.english.understanding import understand_instructions

_PICTURE = 300
"""Pixels a side of what is drawn in characters."""
_VIEWS: Mapping[Role, Mapping[str, str]] = {
    Role.COMMANDER: {"": "follower_view", "camera": "view", "search": "target_lit", "map": "map"},
    Role.FOLLOWER: {"": "view", "map": "map"},
}
_MOTIONS = {
    "forward": "Forward",
    "back": "Backward",
    "left": "Turn Left",
    "right": "Turn Right",
    "stepleft": "Pan Left",
    "stepright": "Pan Right",
    "up": "Look Up",
    "down": "Look Down",
}
_CLICKS = {
    "pickup": "Pickup",
    "place": "Place",
    "open": "Open",
    "close": "Close",
    "on": "ToggleOn",
    "off": "ToggleOff",
    "slice": "Slice",
    "pour": "Pour",
}
_MOST_TIMES = 40
_HELP = (
    (None, "/view [camera|search|map]", "draw what the Follower sees, your camera, the search camera, or the map"),
    (None, "/map", "draw the room from above"),
    (Role.COMMANDER, "/stop", "have the Follower stop at once; so does saying it"),
    (Role.COMMANDER, "/progress", "what the task asks for, and what of it is done"),
    (Role.COMMANDER, "/search WORDS", "where a thing is, and show it"),
    (Role.FOLLOWER, "/look", "what is in view, in words"),
    (Role.FOLLOWER, "/do STEP", "have a step in English done for you: /do put the mug in the sink"),
    (Role.FOLLOWER, "/pickup THING", "act on what is in view and in reach; also /place /open /close /on /off /slice"),
    (Role.FOLLOWER, "/pour THING", "pour what you hold into it"),
    (None, "/forward [N]", "move; also /back /left /right /stepleft /stepright /up /down"),
    (None, "/pause, /resume", "let everything rest; go on"),
    (Role.COMMANDER, "/finish", "end the session; a task is judged as things are now"),
    (None, "/quit", "leave; the session can be gone on with if it is recorded"),
)


class Display(Protocol):
    """Where a person sees what commands answer; who is not `interactive` is asked for no confirmation."""

    interactive: bool

    def note(self, text: str) -> None:
        """Show a line."""

    def picture(self, picture: ByteArray) -> None:
        """Show a picture, uint8 H x W x 3."""


class Leaving(Exception):
    """The person leaves."""


@dataclass(frozen=True, slots=True)
class _Asked:
    name: str
    rest: str


class Commands:
    """Carries out commands of whoever sits in a chair."""

    def __init__(self, live: LiveSession, display: Display, role: Role) -> None:
        self._live = live
        self._display = display
        self._role = role
        self._doer = Doer(live, OraclePerception())
        self._names = Names()
        self._confirming = False
        self._handlers: dict[str, Callable[[_Asked], Awaitable[None]]] = {
            "help": self._help,
            "view": self._view,
            "map": lambda asked: self._view(_Asked("view", "map")),
            "pause": self._pause,
            "resume": self._resume,
            "quit": self._quit,
            **dict.fromkeys(_MOTIONS, self._move),
        }
        if role is Role.COMMANDER:
            self._handlers |= {"progress": self._progress, "search": self._search, "finish": self._finish}
            self._handlers["stop"] = self._stop
        else:
            self._handlers |= {"look": self._look, "do": self._do, **dict.fromkeys(_CLICKS, self._click)}

    @property
    def _free(self) -> bool:
        """Whether there is no task."""
        return self._live.setting.scenario.task_name == FREE_PLAY

    async def carry_out(self, line: str) -> None:
        """Carry out a line that begins with a slash. Raises `Leaving` for the one that leaves.

        What the session refuses, or nobody knows, is told.
        """
        name, _, rest = line[1:].strip().partition(" ")
        handler = self._handlers.get(name.lower())
        if handler is None:
            self._display.note(f"There is no /{name}. /help says what there is.")
            return
        self._confirming = self._confirming and name.lower() == "finish"
        try:
            await handler(_Asked(name.lower(), rest.strip()))
        except (LiveError, InputError) as error:
            self._display.note(str(error))

    async def _help(self, asked: _Asked) -> None:
        self._display.note("What you type is said to the other. Lines that begin with a slash are commands:")
        for role, usage, words in _HELP:
            if role in (None, self._role) and not (self._free and usage == "/progress"):
                self._display.note(f"  {usage:28} {words}")

    async def _view(self, asked: _Asked) -> None:
        views = _VIEWS[self._role]
        if asked.rest not in views:
            raise InputError("/view", "there is no such view", value=asked.rest, valid=[name for name in views if name])
        self._display.picture(await self._live.picture(views[asked.rest], self._role, _PICTURE))

    async def _stop(self, asked: _Asked) -> None:
        await self._live.say(self._role, "stop")

    async def _pause(self, asked: _Asked) -> None:
        self._live.pause()

    async def _resume(self, asked: _Asked) -> None:
        self._live.resume()

    async def _quit(self, asked: _Asked) -> None:
        raise Leaving

    async def _finish(self, asked: _Asked) -> None:
        if self._display.interactive and not self._confirming:
            self._confirming = True
            self._display.note("This ends the session. Type /finish once more if you mean it.")
            return
        await self._live.act(self._role, Action.finish())

    async def _progress(self, asked: _Asked) -> None:
        if self._free:
            self._display.note("There is no task: you just explore.")
            return
        result = await self._act(Action.progress_check())
        reply = result.get("reply") or {}
        goals = reply.get("subgoals") or ()
        verdict = f" ({result.get('message', '')})" if goals else ""
        self._display.note(f"{reply.get('task_desc') or 'There is no task.'}{verdict}")
        for goal in goals:
            for step in goal["steps"]:
                self._display.note(f"  [{'x' if step['success'] else ' '}] {step['desc']}")

    async def _search(self, asked: _Asked) -> None:
        if not asked.rest:
            raise InputError("/search", "needs the name of a thing, for example /search mug")
        words = kind_called(asked.rest) or asked.rest
        result = await self._act(Action.search(words))
        reply = result.get("reply") or {}
        if not result["success"]:
            self._display.note(f"There is nothing like {asked.rest!r}.")
            return
        shown, found = reply.get("shown_oid", ""), reply.get("oid", "")
        where = "" if shown == found else f", which cannot be seen; {named(shown)} holds it or is near" if shown else ""
        self._display.note(f"Found {named(found)}{where}.")
        if shown and self._display.interactive:
            self._display.picture(await self._live.picture("target_lit", self._role, _PICTURE))

    async def _move(self, asked: _Asked) -> None:
        times = asked.rest or "1"
        if times not in map(str, range(1, _MOST_TIMES + 1)):
            raise InputError(f"/{asked.name}", f"takes a number of steps from 1 to {_MOST_TIMES}", value=asked.rest)
        for _ in range(int(times)):
            if not (await self._act(Action(_MOTIONS[asked.name])))["success"]:
                return

    async def _look(self, asked: _Asked) -> None:
        await self._doer.look()
        for line in describe_view(self._doer.body, self._names).splitlines():
            self._display.note(line)

    async def _do(self, asked: _Asked) -> None:
        steps = understand_instructions(asked.rest)
        if not steps:
            raise InputError("/do", "is not understood; say for example: put the mug in the sink", value=asked.rest)
        for step in steps:
            deeds = await self._doer.do(lambda body, step=step: perform(body, step))  # type: ignore[misc]  # bound now
            if deeds.problem:
                self._display.note(deeds.problem)
                return

    async def _click(self, asked: _Asked) -> None:
        name = _CLICKS[asked.name]
        kind = kind_called(asked.rest)
        targets = await self._live.targets(name)
        meant = [one for one in targets if kind is None or kind in object_classes(one["object_type"])]
        if not meant:
            names = sorted({named(one["object_id"]) for one in targets})
            problem = f"nothing that fits is in view for {name}"
            raise InputError(f"/{asked.name}", problem, value=asked.rest, valid=names or ["nothing: look elsewhere"])
        await self._live.act(self._role, Action.click(name, meant[0]["x"], meant[0]["y"]))

    async def _act(self, action: Action) -> JsonMapping:
        """What came of an action of the person's."""
        event = await self._live.act(self._role, action)
        result: JsonMapping = event.data.get("result", {"success": True})
        return result
