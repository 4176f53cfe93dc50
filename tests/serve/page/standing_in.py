"""Agents that know what a person would do next, and hands that do it with the page's own controls."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from teach_agents.actions import Action, ActionKind, Role
from teach_agents.core.agents.contract import Briefing
from teach_agents.core.specs import build
from teach_agents.live import LiveError, LiveEvent
from teach_agents.live.events import EventKind
from teach_agents.observations import Observation
from tests.serve.page.hosting import PATIENCE_S, Host
from tests.serve.page.visiting import session_id

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["StandIn", "play_out"]

_SEED = 7
_MOST_ACTIONS = 150
_SPECS = {Role.COMMANDER: "planner:style=plain", Role.FOLLOWER: "planner"}
_PAUSE_S = 0.03


class StandIn:
    """A planner beside somebody's page: it sees the session in the server, the page's controls do what it says."""

    def __init__(self, host: Host, page: Page, role: Role) -> None:
        self._host = host
        self._page = page
        self._id = session_id(page)
        self._role = role
        agent = build("agent", _SPECS[role], role=role)
        self._agent = agent
        self._agent.begin(Briefing(session_id=self._id, role=role, seed=_SEED))
        self.done = 0

    def step(self) -> bool:
        """Do what is to be done next; false where that is nothing at the moment."""
        seen = self._host.ask(self._look())
        if seen is None:
            return False
        action = self._agent.act(seen)
        assert isinstance(action, Action)
        if action.name in ("NoOp", "Stop"):
            return False
        turns = self._host.ask(self._turns())
        self._do(action)
        self._wait(lambda: self._host.ask(self._turns()) > turns, action)
        self.done += 1
        return True

    async def _look(self) -> Observation | None:
        """What there is to be seen; nothing when it is over."""
        async with self._host.app.state.live.using(self._id) as awake:
            try:
                seen: Observation = await awake.live.observe(self._role, self._agent.privileges)
            except LiveError:
                return None
            return seen

    async def _turns(self) -> int:
        async with self._host.app.state.live.using(self._id) as awake:
            over = awake.live.status == "ended"
            return sys.maxsize if over else sum(self._did(event) for event in awake.live.events)

    def _did(self, event: LiveEvent) -> bool:
        return event.role is self._role and event.kind in (EventKind.ACTION, EventKind.UTTERANCE)

    def _wait(self, done: Callable[[], bool], action: Action) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, f"the page did not do {action}"
            time.sleep(_PAUSE_S)

    def _do(self, action: Action) -> None:
        kind = action.type.kind
        if kind is ActionKind.MOTION:
            self._page.locator(f"[data-motion='{action.name}']").click()
        elif kind is ActionKind.OBJECT:
            self._click(action)
        elif kind is ActionKind.KEYBOARD:
            self._page.get_by_label("Say something").fill(action.utterance)
            self._page.get_by_role("button", name="Send").click()
        elif action.name == "OpenProgressCheck":
            self._page.get_by_role("button", name="Progress check").click()
        elif action.name == "SelectOid":
            self._page.locator(f"[data-step='{action.query}']").first.click()
        elif action.name == "SearchObject":
            self._page.get_by_label("Object to search for").fill(action.query)
            self._page.get_by_role("button", name="Search").click()
        else:
            raise AssertionError(f"the page has no control for {action}")

    def _click(self, action: Action) -> None:
        """Choose the action, then exactly the point in the picture."""
        assert action.x is not None and action.y is not None
        deed = self._page.locator(f"[data-deed={action.name}]")
        if deed.get_attribute("aria-pressed") != "true":  # one that failed stays chosen, to be tried elsewhere
            deed.click()
        frame = self._page.locator(".stage .frame")
        size = frame.bounding_box()
        assert size is not None
        place = {"x": action.x * size["width"], "y": action.y * size["height"]}
        frame.click(position=place, modifiers=["Shift"])  # type: ignore[arg-type]  # a dictionary does
        self._page.locator(".click-mark").wait_for(state="detached")


def play_out(stand_ins: list[StandIn], over: Callable[[], bool]) -> None:
    """Let people act in turn until it is over."""
    deadline = time.monotonic() + 2 * PATIENCE_S
    while not over():
        assert time.monotonic() < deadline and sum(one.done for one in stand_ins) < _MOST_ACTIONS, (
            "it does not come to an end"
        )
        if not [one for one in stand_ins if not over() and one.step()]:
            time.sleep(_PAUSE_S)
