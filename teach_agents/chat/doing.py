"""The Follower's chair of a live session, acted from by skills: what is wanted in words or things, done in actions.

Skills of somebody who says one thing at a time: go to a thing, look for one, pour, put down what is held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.attempts import Touch
from teach_agents.agents.acting.body import Body, SkillError, Steps, go_to
from teach_agents.agents.acting.navigation import GRID
from teach_agents.agents.acting.reaching import touch
from teach_agents.agents.acting.skills.hands import parts_of, pick_up, put_held, still
from teach_agents.agents.acting.skills.searching import look_for
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.agents.conversing.wording import capitalized
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


_PLACES = 4
_LEVEL = 30
"""Pitch at which tables and counters ahead are in view, degrees."""
_BASINS = ("Sink", "Bathtub")


class NotReadyError(SkillError):
    """A step that needs something else first; `words` say what."""

    def __init__(self, words: str) -> None:
        super().__init__(ReportKind.FAILED)
        self.words = words


def approach(body: Body, thing: Thing) -> Steps:
    """Go where a thing is in reach, and in view unless something is shut or stands around it."""
    twins = parts_of(body.things, body.now(thing))
    places = [place for twin in sorted(twins) for place in _places(body, twin)] or _near(body, body.now(thing))
    reached = False
    for place in places:
        try:
            yield from go_to(body, place)
        except SkillError:
            continue
        reached = True
        if len(body.pixels(twins)):
            return
    if not reached:
        raise SkillError(ReportKind.NOT_REACHED, thing)


def _places(body: Body, object_id: str) -> list[Vantage]:
    """The handiest places to stand to touch a thing."""
    thing = body.things.get(object_id)
    if thing is None:
        return []
    vantages = body.vantages(thing)
    costs = body.paths.costs(vantages.cells, vantages.headings) + vantages.penalties
    return [vantages[int(number)] for number in np.argsort(costs)[:_PLACES] if np.isfinite(costs[number])]


def _near(body: Body, thing: Thing) -> list[Vantage]:
    """The places to stand that are nearest to what cannot be touched, facing it."""
    x, _, z = thing.center
    away = body.ground.grid * GRID - (x, z)
    found = []
    for number in np.argsort(np.hypot(*away.T))[:_PLACES].tolist():
        ahead, aside = -away[number][1], -away[number][0]
        heading = round(np.degrees(np.arctan2(aside, ahead)) / 90) % 4
        cell = body.ground.grid[number].tolist()
        stand = (cell[0], cell[1]), heading
        if np.isfinite(body.paths.cost(stand)):
            found.append(Vantage(stand, _LEVEL, 0.0, thing.center))
    return found


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
    if any(target.is_a(kind) for kind in _BASINS):
        yield from still(body, target)
        yield from touch(body, Touch("Pour", body.now(target), ids=parts_of(body.things, target)))
    else:
        yield from touch(body, Touch("Pour", body.now(target)))


def move(body: Body, motion: str, times: int) -> Steps:
    """A motion, as often as asked for or until it fails."""
    for _ in range(times):
        yield Action(motion)
        if not body.succeeded:
            raise NotReadyError(body.hint or body.message)
