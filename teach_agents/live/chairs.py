"""The chairs of a live session in which agents sit, and who drives them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from teach_agents.actions import Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.session.context import agent_seed
from teach_agents.live.driver import Driver, Habits, Table
from teach_agents.live.ledger import Deed, Ledger
from teach_agents.live.setting import HUMAN, LiveSetting


class Chairs:
    """Drivers of the agents, by chair. `make` builds the agent of one. Belongs to one event loop."""

    def __init__(self, setting: LiveSetting, make: Callable[[Role], Agent]) -> None:
        self._setting = setting
        self._make = make
        self._drivers: dict[Role, Driver] = {}
        self._driving: list[asyncio.Task[None]] = []

    def seat(self, table: Table, habits: Habits, ledger: Ledger, *, resumed: bool) -> None:
        """Have agents get ready and be asked, in the session of a ledger."""
        for role in Role:
            if self._setting.chairs[role] != HUMAN:
                seed = agent_seed(self._setting.scenario.seed, role)
                briefing = Briefing(self._setting.session_id, role, seed, resumed)
                driver = self._drivers[role] = Driver(self._maker(role), briefing, table, habits)
                driver.asked, driver.heard = len(ledger.turns), ledger.utterances
                name = f"{role} of {self._setting.session_id}"
                self._driving.append(asyncio.create_task(driver.run(), name=name))

    def _maker(self, role: Role) -> Callable[[], Agent]:
        return lambda: self._make(role)

    def heard(self, deed: Deed) -> None:
        """Let the partner look, if it can see or hear what was done; who had spoken may go on."""
        partner = self._drivers.get(deed.role.partner)
        said = deed.action is not None and deed.action.name == "Text"
        for role, driver in self._drivers.items():
            if role is not deed.role or (role is Role.FOLLOWER and not said):
                driver.replied()
        if partner is not None and (said or deed.role is Role.FOLLOWER):
            partner.wake()

    def idle(self, role: Role) -> bool:
        """Whether a chair's agent, if it has one, has nothing more to do about what happened so far."""
        driver = self._drivers.get(role)
        return driver is None or driver.idle

    def retry(self, role: Role | None) -> None:
        """Try agents again that have failed, of one chair or of both."""
        for chair, driver in self._drivers.items():
            if role in (None, chair):
                driver.retry()

    def shown(self, *, problems: bool) -> dict[str, Any]:
        """Who sits where and how the agents do, for a screen; why they failed, only where `problems` may be told."""
        drivers = self._drivers.items()
        return {
            "chairs": {role.value: self._setting.chairs[role] for role in Role},
            "ready": {role.value: driver.ready for role, driver in drivers},
            "waiting": [role.value for role, driver in drivers if driver.thinks],
            "failed": {role.value: driver.problem if problems else "" for role, driver in drivers if driver.problem},
        }

    def dismiss(self) -> None:
        """Ask the agents nothing more. One of them may be who asks for this."""
        for driver in self._drivers.values():
            driver.stop()
        for task in self._driving:
            if task is not asyncio.current_task():
                task.cancel()

    async def empty(self) -> None:
        """Wait until nobody is driven any more."""
        await asyncio.gather(*self._driving, return_exceptions=True)
