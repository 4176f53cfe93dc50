"""Lines that drop, pages that are left: nothing said or done is lost, or done twice."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.serve.page.line import Line, line_to
from tests.serve.page.visiting import Visitors, commands, make_session, messages, take_seat

_EXPLORE = {"room": "FloorPlan1", "seed": 0}


@pytest.fixture
def line(visitors: Visitors) -> Iterator[Line]:
    """A line to the server; what browsers say of its being cut is no fault of the page."""
    with line_to(visitors.host.address) as line:
        yield line
    visitors.complaints[:] = [one for one in visitors.complaints if "WebSocket" not in one and "ERR_" not in one]


def _over(line: Line, link: str) -> str:
    """A link to the server, by way of a line."""
    parts = urlsplit(link)
    return f"{line.address}{parts.path}#{parts.fragment}"


def test_a_dropped_line_is_taken_up_where_it_was_and_loses_nothing(visitors: Visitors, line: Line) -> None:
    commander, follower = visitors.come(), visitors.come()
    make_session(commander, "commander", other="human", **_EXPLORE)
    commander.get_by_role("button", name="Invite").click()
    follower.goto(_over(line, commander.locator("[data-link=follower]").input_value()))
    commander.get_by_role("button", name="Close").click()
    take_seat(follower)
    commands(commander, "one")
    expect(follower.locator(".said")).to_have_count(1)
    line.cut()
    expect(follower.get_by_text("Offline: trying again")).to_be_visible()
    commands(commander, "two")
    follower.get_by_label("Say something").fill("three")
    follower.get_by_label("Say something").press("Enter")
    expect(follower.locator(".said.sending")).to_have_count(1)
    follower.locator("[data-motion=Forward]").click()
    expect(follower.locator("[data-alert=refused]")).to_contain_text("nothing was done")
    line.mend()
    expect(follower.locator(".said:not(.sending)")).to_have_count(3, timeout=20_000)
    expect(follower.get_by_text("Offline: trying again")).to_be_hidden()
    expect(commander.locator(".said")).to_have_count(3)
    said = [("commander", "one"), ("commander", "two"), ("follower", "three")]
    assert messages(commander) == messages(follower) == said


def test_words_that_were_typed_and_not_sent_outlast_the_page(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", other="human", **_EXPLORE)
    page.get_by_label("Say something").fill("a half-finished sen")
    page.reload()
    take_seat(page)
    expect(page.get_by_label("Say something")).to_have_value("a half-finished sen")


def test_words_said_while_offline_are_said_once_by_the_page_that_comes_after(visitors: Visitors, line: Line) -> None:
    page = visitors.come(base_url=line.address)
    make_session(page, "commander", other="human", **_EXPLORE)
    line.cut()
    expect(page.get_by_text("Offline: trying again")).to_be_visible()
    page.get_by_label("Say something").fill("still here")
    page.get_by_label("Say something").press("Enter")
    expect(page.locator(".said.sending")).to_have_count(1)
    line.mend()
    page.reload()
    take_seat(page)
    expect(page.locator(".said:not(.sending)")).to_have_count(1)
    page.reload()
    take_seat(page)
    expect(page.locator(".said")).to_have_count(1)


def test_a_wrong_link_says_so(visitors: Visitors) -> None:
    page = visitors.come()
    page.goto("/#/live/nowhere?key=wrong")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("link", name="All sessions").last).to_be_visible()
    assert all("404" in one or "401" in one for one in visitors.complaints)
    visitors.complaints.clear()


def test_a_session_is_paused_for_both_and_goes_on(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "follower", other="human", **_EXPLORE)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    page.locator("[data-motion=Forward]").click()
    expect(page.locator("[data-alert=refused]")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    page.locator("[data-motion=Forward]").click()
    expect(page.locator(".console ol li")).to_have_count(1)
