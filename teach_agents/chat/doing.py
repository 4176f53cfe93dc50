"""The Follower's chair of a live session, acted from by skills: what is wanted in words or things, done in actions.

Skills of somebody who says one thing at a time: look for a thing, pour, put down what is held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.skills.approach import step
from teach_agents.agents.acting.skills.hands import pick_up, put_held
from teach_agents.agents.acting.skills.searching import look_for
from teach_agents.agents.acting.skills.water import pour
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import capitalized
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.live import LiveError, LiveEvent, LiveSession
from teach_agents.observations import Privilege
from teach_agents.understanding.english.lexicon import noun, preposition
from teach_agents.understanding.english.values import ReportKind

Skill = Callable[[Body], Steps]
_MOST = 300
"""Actions that one skill may take."""
_PRIVILEGES = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})


@dataclass(frozen=True, slots=True)
class Deeds:
    """What was done; `problem` says why not all of it could be, "" where it was."""

    events: tuple[LiveEvent, ...]
    problem: str = ""


class Doer:
    """Whoever sits in the Follower's chair and has things done by skills.

    `perception` is how it sees and what it remembers; without one it knows all of the room. Deeds are done one after
    another.
    """

    def __init__(self, live: LiveSession, perception: Perception | None = None) -> None:
        self._live = live
        self._perception = perception
        self._busy = asyncio.Lock()
        self.body = Body()
        if perception is not None:
            perception.begin(0)

    async def look(self) -> None:
        """See what there is to be seen now."""
        eyes = self._perception
        observation = await self._live.observe(Role.FOLLOWER, eyes.privileges if eyes is not None else _PRIVILEGES)
        if eyes is not None:
            observation = await asyncio.to_thread(eyes.perceive, observation)
        self.body.see(observation)

    async def do(self, skill: Skill) -> Deeds:
        """Carry out a skill, for at most 300 actions.

        Raises `LiveError` where the session does not let it act; one that is paused or over by then is a problem.
        """
        async with self._busy:
            await self.look()
            self.body.failures = 0
            steps = skill(self.body)
            events: list[LiveEvent] = []
            problem = f"Gave up after {_MOST} actions."
            try:
                while len(events) < _MOST:
                    action = await asyncio.to_thread(next, steps, None)
                    if action is None:
                        problem = ""
                        break
                    events.append(await self._live.act(Role.FOLLOWER, action))
                    await self.look()
            except SkillError as error:
                problem = in_words(error)
            except LiveError as error:
                if not events:
                    raise
                problem = f"{capitalized(str(error))}."
            return Deeds(tuple(events), problem)


def in_words(error: SkillError) -> str:
    """Why a skill could not be carried out."""
    if isinstance(error, NotReadyError):
        return error.words
    one = noun(error.noun).one if error.noun else ""
    if error.kind is ReportKind.NOT_FOUND and one:
        return f"No {one} that this could be done with is known: look around, or look for one."
    if error.kind is ReportKind.NOT_REACHED and one:
        return f"The {one} cannot be reached from anywhere that was tried."
    if error.kind is ReportKind.NO_ROOM and one:
        return f"There is no room {preposition(error.noun)} the {one}: clear it, or choose another place."
    if error.kind is ReportKind.NOT_UNDERSTOOD:
        return "That is not understood."
    return f"That did not work{f' with the {one}' if one else ''}."


class NotReadyError(SkillError):
    """A step that needs something else first; `words` say what."""

    def __init__(self, words: str) -> None:
        super().__init__(ReportKind.FAILED)
        self.words = words


def find_more(body: Body, kind: str) -> Steps:
    """Look for one more of a kind than is known."""
    known = {thing.object_id for thing in body.things.of(kind)}
    yield from look_for(body, kind, lambda: any(thing.object_id not in known for thing in body.things.of(kind)))


def put_into(body: Body, place: Thing, thing: Thing | None) -> Steps:
    """Put a thing, or what is held, in or on a place."""
    if thing:
        yield from pick_up(body, thing)
    if body.held is None:
        raise NotReadyError("Your hand is empty: pick something up first.")
    yield from put_held(body, place, hopeful=True)


def pour_into(body: Body, target: Thing) -> Steps:
    """Pour what the held vessel holds into or onto something; into a sink it is poured out."""
    if body.held is None or not body.held.has("isFilledWithLiquid"):
        raise NotReadyError("Hold something that is filled to pour from it.")
    yield from pour(body, target)


def move(body: Body, motion: str, times: int) -> Steps:
    """A motion, as often as asked for or until it fails."""
    if (yield from step(body, motion, times)) < times:
        raise NotReadyError(body.hint or body.message)
