"""What the tools of the MCP server do: a Follower's household, asked for in names and words, answered in words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import capitalized
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.chat.doing import Doer, Skill, find_more, put_into
from teach_agents.chat.seeing import Names, describe_memory, describe_thing, describe_view, kind_called
from teach_agents.chat.telling import Kind, Line, Teller
from teach_agents.conventions.pictures import jpeg_file
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.live import LiveSession
from teach_agents.tasks.classes import OBJECT_CLASSES
from teach_agents.understanding.english.understanding import understand_instructions
from teach_agents.understanding.english.values import Instruction

_PATIENCE_S = 60.0
"""Most seconds that somebody listens."""


class RefusedError(TeachAgentsError):
    """What was asked for could not be done, or not all of it: what was done, why not more, and what may help."""


class ToolHousehold:
    """The Follower's chair of a live session, behind tools; what it does it answers in words.

    Everything raises `LiveError` where the session does not let the Follower act, as when it has ended.

    `perception` is how it sees and what it remembers; without one it knows all of the room.
    """

    def __init__(self, live: LiveSession, perception: Perception | None = None) -> None:
        self._live = live
        self._doer = Doer(live, perception)
        self._names = Names()
        self._teller = Teller((Role.FOLLOWER,))
        self._heard = 0

    async def look(self) -> str:
        """What is in view, a line for each thing."""
        await self._doer.look()
        return self._with_news(describe_view(self._doer.body, self._names))

    async def recall(self) -> str:
        """Everything that was seen so far, by where it is."""
        await self._doer.look()
        return describe_memory(self._doer.body, self._names)

    async def picture(self, name: str, size: int) -> bytes:
        """The present picture of `view` or `map`, as JPEG."""
        return await asyncio.to_thread(jpeg_file, await self._live.picture(name, Role.FOLLOWER, size), quality=85)

    async def to(self, called: str, skill: Callable[[Body, Thing], Steps]) -> str:
        """Use a skill on the handiest thing that may be meant, and say what it has become.

        Raises `RefusedError` where nothing is called so, or it could not be done.
        """
        thing = await self._find(called)
        words = await self._done(lambda body: skill(body, thing))
        now = self._doer.body.things.get(thing.object_id)
        state = f" Now: {self._described([now])}." if now else ""
        return self._with_news(f"{words}{state}")

    async def put(self, called: str, place: str) -> str:
        """Put a thing, or what is held where none is named, in or on a place."""
        thing = await self._find(called) if called else None
        holder = await self._find(place)
        return await self.do(lambda body: put_into(body, holder, thing))

    async def search(self, kind: str) -> str:
        """Look for one more of a kind than is known, and say where it is; who knows the room says where all are."""
        sought = kind_called(kind)
        if sought is None or sought not in OBJECT_CLASSES:
            raise RefusedError(f"{kind!r} is no kind of thing: name one, for example 'mug'.")
        await self._doer.look()
        body = self._doer.body
        known = body.things.of(sought)
        if known and body.knowledge is None:
            return self._with_news(f"Known: {self._described(known)}.")
        try:
            words = await self._done(lambda body: find_more(body, sought))
        except RefusedError as error:
            raise RefusedError(f"{error} Known already: {self._described(known) or 'none'}.") from None
        before = {thing.object_id for thing in known}
        found = [thing for thing in body.things.of(sought) if thing.object_id not in before]
        return self._with_news(f"{words} Found: {self._described(found)}.")

    def _described(self, things: Iterable[Thing]) -> str:
        return ", ".join(describe_thing(thing, self._doer.body, self._names) for thing in things)

    async def survey(self) -> str:
        """Look around the room."""
        words = await self._done(survey)
        return self._with_news(f"{words}\n{describe_memory(self._doer.body, self._names)}")

    async def place(self) -> str:
        """In which room the Follower is."""
        screen = await self._live.screen(Role.FOLLOWER)
        return f"{screen['room']} from above; the blue mark is you, and what you see lies in its cone."

    async def instruct(self, instruction: str) -> str:
        """Carry out steps in English. Raises `RefusedError` where they are not understood."""
        steps = understand_instructions(instruction)
        if not steps:
            raise RefusedError(f"Not understood: {instruction!r}. Say for example: put the clean mug in the sink.")
        return await self.do(lambda body: _all(body, steps))

    async def do(self, skill: Skill) -> str:
        """Use a skill. Raises `RefusedError` where it could not be done."""
        return self._with_news(await self._done(skill))

    async def say(self, text: str) -> str:
        """Speak to the Commander."""
        await self._live.say(Role.FOLLOWER, text)
        return self._with_news("Said.")

    async def listen(self, seconds: float) -> str:
        """What the Commander said since last told; waits for it, but not for long."""
        until = asyncio.get_running_loop().time() + min(seconds, _PATIENCE_S)
        while not (news := self._news()) and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.05)
        return "\n".join(news) or "Nothing was said."

    async def _find(self, called: str) -> Thing:
        await self._doer.look()
        try:
            return self._names.find(called, self._doer.body)[0]
        except InputError as error:
            raise RefusedError(f"{error}. Look around, or look for one.") from error

    async def _done(self, skill: Skill) -> str:
        """What was done by a skill, in sentences; raises `RefusedError` with them where not all of it could be."""
        deeds = await self._doer.do(skill)
        lines = [line for event in deeds.events for line in self._teller.event(event)]
        words = _sentences([*lines, *self._teller.rest()])
        if deeds.problem:
            raise RefusedError(self._with_news(f"{words} {deeds.problem}".strip()))
        return words or "It is so already."

    def _with_news(self, words: str) -> str:
        return "\n".join([words, *self._news()])

    def _news(self) -> list[str]:
        """What the Commander said and what became of the session since this was last asked."""
        events, self._heard = self._live.events[self._heard :], len(self._live.events)
        teller = Teller(())
        lines = [line for event in events for line in teller.event(event) if line.role is not Role.FOLLOWER]
        return [f"The Commander says: {one.text}" if one.kind is Kind.SAID else f"({one.text})" for one in lines]


def _all(body: Body, steps: Iterable[Instruction]) -> Steps:
    for step in steps:
        yield from perform(body, step)


def _sentences(lines: Iterable[Line]) -> str:
    """Lines as sentences, each only once where it comes several times in a row."""
    told: list[str] = []
    for line in lines:
        text = capitalized(line.text)
        text = text if text.endswith((".", "!", "?")) else f"{text}."
        if not told or told[-1] != text:
            told.append(text)
    return " ".join(told)
