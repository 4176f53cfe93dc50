"""People at the page: their browsers, and the few things that every test does there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.serve.page.hosting import PATIENCE_S, Host

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

__all__ = ["COFFEE", "DESKTOP", "PHONE", "Visitors", "commands", "make_session", "messages", "session_id", "take_seat"]

DESKTOP = (1280, 800)
PHONE = (390, 844)
_TUTORIALS_SEEN = """
for (const role of ["commander", "exploring", "follower"]) {
  localStorage.setItem(`teach_agents.tutorial.${role}`, "true");
}
"""

COFFEE: dict[str, Any] = {"task": "Coffee", "room": "FloorPlan1", "seed": 2}
"""A session that takes about twenty actions: the mug is dirty and stands within reach."""


class Visitors:
    """Opens pages in contexts of their own, which share nothing, and keeps what their consoles complain of."""

    def __init__(self, browser: Browser, host: Host) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.host = host
        self.complaints: list[str] = []

    def come(self, size: tuple[int, int] = DESKTOP, *, tutorials: bool = False, **options: Any) -> Page:
        """A page of a new visitor, who has seen the tutorials unless they are asked for."""
        viewport = {"width": size[0], "height": size[1]}
        options = {"base_url": self.host.address, **options}
        context = self._browser.new_context(viewport=viewport, **options)  # type: ignore[arg-type]
        context.set_default_timeout(1000 * PATIENCE_S)
        if not tutorials:
            context.add_init_script(_TUTORIALS_SEEN)
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        return page

    def leave(self) -> None:
        """Close every page; fail where one complained."""
        for context in self._contexts:
            context.close()
        assert self.complaints == []


def make_session(page: Page, you: str, *, other: str = "planner", **setting: Any) -> str:
    """Fill in the form on the first screen; returns the id of the session. `setting` has task, room, seed."""
    page.goto("/")
    page.locator(f"input[name=you][value={you}]").check(force=True)
    if "task" in setting:
        page.get_by_label("Task", exact=True).select_option(setting["task"])
    else:
        page.locator("input[name=what][value=explore]").check(force=True)
    page.get_by_label("Number").select_option(setting.get("room", "FloorPlan1"))
    page.get_by_role("spinbutton", name="Seed").fill(str(setting.get("seed", 0)))
    role = {"commander": "Follower", "follower": "Commander"}.get(you)
    for label in [role] if role else ["Commander", "Follower"]:
        page.get_by_label(f"The {label} is").select_option(other)
    page.get_by_label("Agents act").select_option("0")
    page.get_by_role("button", name="Start").click()
    take_seat(page)
    return session_id(page)


def take_seat(page: Page) -> None:
    """Wait until a session is there with its first picture."""
    page.locator(".stage canvas[data-drawn]").wait_for()


def session_id(page: Page) -> str:
    """The id of the session that a page shows."""
    found = page.locator("[data-session]").get_attribute("data-session")
    assert found is not None
    return found


def messages(page: Page) -> list[tuple[str, str]]:
    """Who said what, as the page shows it."""
    lines = page.locator(".said:not(.sending)")
    return [(line.get_attribute("data-who") or "", line.locator(".words").inner_text()) for line in lines.all()]


def commands(page: Page, words: str) -> None:
    """Say something."""
    page.get_by_label("Say something").fill(words)
    page.get_by_label("Say something").press("Enter")
    page.locator(".said.mine:not(.sending)", has_text=re.compile(f"^.*{re.escape(words)}$", re.DOTALL)).last.wait_for()
