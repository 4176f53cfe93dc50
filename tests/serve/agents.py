"""Followers that tests serve."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from teach_agents.actions import Action
from teach_agents.agents.history import History
from teach_agents.core.agents.contract import Agent, Body, Briefing
from teach_agents.observations import Observation, Privilege

__all__ = [
    "Briefed",
    "Hangs",
    "Historian",
    "Looker",
    "Loops",
    "Mapper",
    "Reader",
    "Recaller",
    "Sayer",
    "Unready",
    "broken",
    "clumsy",
    "exits",
    "late",
    "stops",
    "unwell",
]


class Sayer(Agent):
    """Tells what it was given: its answer is a click whose place says how much."""

    def begin(self, briefing: Briefing) -> None:
        """Nothing but the turn is remembered."""
        self.turns = 0

    async def act(self, seen: Observation) -> Action:
        """x counts the turns, y what was said, in hundredths; a Stop at last."""
        await asyncio.sleep(0)
        self.turns += 1
        if self.turns > 3:
            return Action.stop()
        return Action.click("Pickup", self.turns / 100, len(seen.dialogue) / 100)


class Briefed(Agent):
    """Says what it was told when the session began."""

    def begin(self, briefing: Briefing) -> None:
        """Keep it."""
        self.words = f"{briefing.resumed} {briefing.person} {briefing.state}"

    def act(self, seen: Observation) -> Action:
        """Say it."""
        return Action.say(self.words)


class Loops(Agent):
    """Owns its loop: turns about until it hears something, answers, and stops after its fourth deed."""

    async def run(self, body: Body) -> None:
        """Four deeds, whose results it tells of."""
        done = [await body.do(Action("Turn Left")), await body.do(Action("Forward"))]
        (*_, last) = await body.heard()
        seen = body.observation
        assert seen.last_result is not None and seen.last_result.success
        await body.say(f"{last.speaker} said {last.text}; {sum(one.success for one in done)}, {len(seen.dialogue)}")
        await body.do(Action("Turn Right"))


class Looker(Agent):
    """Looks at its picture, its pose and its last action."""

    def act(self, seen: Observation) -> Action:
        """Right where the picture is bright, left where it is dark; forward again after having gone forward."""
        if seen.last_action is not None and seen.last_action.name == "Open":
            assert (seen.last_action.x, seen.last_action.y) == (0.8, 0.2)
            return Action("Forward")
        if seen.last_action is not None and seen.last_action.name == "Forward":
            return Action("Look Up") if round(seen.pose.position.z, 2) == 1.25 else Action("Look Down")
        return Action("Turn Right") if seen.view.rgb.mean() > 127 else Action("Turn Left")


class Historian(Agent):
    """Wants to know what was before."""

    def __init__(self, history: History) -> None:
        self.history = history

    def act(self, seen: Observation) -> Action:
        """x says how many actions there were, y how bright the last picture was."""
        views = self.history.views
        bright = float(views[-1].rgb.mean()) / 256 if views else 0.0
        return Action.click("Open", len(self.history.actions) / 100, bright)


class Recaller(Agent):
    """Was told what was before."""

    def begin(self, briefing: Briefing) -> None:
        """Nothing is known."""
        self.recalled: list[Observation] = []

    async def recall(self, seen: Observation) -> None:
        """Keep it; what comes in turn 99 is too much."""
        if seen.turn == 99:
            raise ValueError("too much")
        self.recalled.append(seen)

    def act(self, seen: Observation) -> Action:
        """x counts what was recalled, in hundredths; y tells how bright the last of it was."""
        bright = float(self.recalled[-1].view.rgb.mean()) / 256 if self.recalled else 0.0
        return Action.click("Open", len(self.recalled) / 100, bright)


class Mapper(Agent):
    """Reads a map."""

    privileges = frozenset({Privilege.REACHABLE})

    def act(self, seen: Observation) -> Action:
        """Stop."""
        return Action.stop()


class Reader(Agent):
    """Reads what is sent."""

    privileges = frozenset({Privilege.REACHABLE, Privilege.OBJECTS})

    def act(self, seen: Observation) -> Action:
        """Wait, having read."""
        assert len(seen.privileged.reachable) <= len([*seen.privileged.reachable])
        assert seen.privileged.visible <= {row["objectId"] for row in seen.privileged.objects}
        return Action.wait()


class Hangs(Agent):
    """Turns once, then gives no answer for as long as anybody would wait."""

    def act(self, seen: Observation) -> Action:
        """Hang from the second step on."""
        if seen.turn:
            time.sleep(30.0)
        return Action("Turn Left")


def exits(seen: Observation) -> Action:
    """Wants the process to end."""
    raise SystemExit(3)


def stops(seen: Observation) -> Action:
    """Raises what generators raise."""
    raise StopIteration


def broken(seen: Observation) -> Action:
    """Raises."""
    raise RuntimeError("a secret of the server")


def clumsy(seen: Observation) -> Action:
    """Clicks nowhere."""
    return Action.click("Pickup", float("nan"), 0.5)


class Unready(Agent):
    """Cannot begin."""

    def begin(self, briefing: Briefing) -> None:
        """Raise."""
        raise RuntimeError("a secret of the server")

    def act(self, seen: Observation) -> Action:
        """Never asked."""
        raise AssertionError


def unwell(seen: Observation) -> Any:
    """Answers with something that is no action."""
    return "Pick it up"


def late(seen: Observation) -> Action:
    """Turns once, then takes a second over an answer."""
    if seen.turn:
        time.sleep(1.0)
    return Action("Turn Left")
