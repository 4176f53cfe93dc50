"""The Follower's chair of a live session, acted from by skills: what is wanted in words or things, done in actions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.english.lexicon import noun, preposition
from teach_agents.agents.english.values import ReportKind
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.chat.going import NotReadyError
from teach_agents.live import LiveError, LiveEvent, LiveSession
from teach_agents.observations import Privilege

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

    async def do(self, skill: Skill, most: int = _MOST) -> Deeds:
        """Carry out a skill, for at most so many actions.

        Raises `LiveError` where the session does not let it act; one that is paused or over by then is a problem.
        """
        async with self._busy:
            await self.look()
            self.body.failures = 0
            steps = skill(self.body)
            events: list[LiveEvent] = []
            try:
                while len(events) < most:
                    action = await asyncio.to_thread(_next, steps)
                    if action is None:
                        return Deeds(tuple(events))
                    events.append(await self._live.act(Role.FOLLOWER, action))
                    await self.look()
            except SkillError as error:
                return Deeds(tuple(events), in_words(error))
            except LiveError as error:
                if not events:
                    raise
                words = str(error)
                return Deeds(tuple(events), f"{words[:1].upper()}{words[1:]}.")
            return Deeds(tuple(events), f"Gave up after {most} actions.")


def _next(steps: Steps) -> Action | None:
    return next(steps, None)


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
