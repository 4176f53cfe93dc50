"""Whole Make Coffee sessions in a real browser, from either chair and from both."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from teach_agents.actions import Role
from tests.serve.page.hosting import PATIENCE_S
from tests.serve.page.standing_in import StandIn, play_out
from tests.serve.page.visiting import COFFEE, Visitors, commands, make_session, messages, take_seat

_WORDS = {"washed": "Wash the mug.", "coffee machine": "Make coffee in the mug."}
"""What to say about a step of the progress check that is not done."""


def _open_steps(page: Page) -> list[str]:
    """What a new progress check says is still to be done; those of the last one are shown until it is there."""
    told = page.locator(".task [role=status]")
    before = told.inner_text()
    page.get_by_role("button", name="Progress check").click()
    expect(told).not_to_have_text(before)
    return page.locator(".steps button.open").all_inner_texts()


def _heard_from(page: Page, role: str, more_than: int) -> None:
    expect(page.locator(f".said[data-who={role}]")).not_to_have_count(more_than, timeout=PATIENCE_S * 1000)


def _reported(page: Page, more_than: int) -> None:
    """The Follower has said how it went, and asks for more; that it is about to begin, it may have said before."""
    _heard_from(page, "follower", more_than)
    last = page.locator(".said[data-who=follower]").last
    expect(last).to_contain_text(re.compile(r"\?\s*$"), timeout=PATIENCE_S * 1000)


def _finish(page: Page) -> None:
    """Finish, as the question says that the task is complete."""
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("dialog")).to_contain_text("The task is complete")
    page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(page.locator("[data-alert=over]")).to_contain_text("The session is over. The task was done.")


def test_a_commander_has_coffee_made_by_talk_alone(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", **COFFEE)
    _heard_from(page, "follower", 0)
    for _ in range(4):
        steps = _open_steps(page)
        if not steps:
            break
        page.locator(".steps button.open").first.click()
        expect(page.locator(".target [role=status]")).to_contain_text(re.compile("mug", re.IGNORECASE))
        words = next(words for part, words in _WORDS.items() if part in steps[0])
        heard = page.locator(".said[data-who=follower]").count()
        commands(page, words)
        _reported(page, heard)
    expect(page.locator(".task .notice")).to_contain_text("The task is complete")
    _finish(page)
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider")).to_have_attribute("max", re.compile("^[1-9]"))


def test_a_follower_makes_coffee_as_the_planner_commander_says(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "follower", **COFFEE)
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("offee")
    commands(page, "What should I do today?")
    over = page.locator("[data-alert=over]")
    person = StandIn(visitors.host, page, Role.FOLLOWER)
    play_out([person], lambda: over.count() > 0)
    assert any("coffee" in words for who, words in messages(page) if who == "commander")
    assert page.locator(".console ol li").count() > 5
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".scrub")).to_contain_text("action 0 of")


def test_two_people_share_a_session_by_link_and_make_coffee(visitors: Visitors) -> None:
    commander = visitors.come()
    make_session(commander, "commander", other="human", **COFFEE)
    commander.get_by_role("button", name="Invite").click()
    link = commander.locator("[data-link=follower]").input_value()
    commander.get_by_role("button", name="Close").click()
    follower = visitors.come()
    follower.goto(link)
    take_seat(follower)
    commander.get_by_label("Say something").fill("Hello, I am here.")
    follower.get_by_role("button", name="What should I do today?").click()
    commander.get_by_label("Say something").press("Enter")
    for page in (commander, follower):
        expect(page.locator(".said:not(.sending)")).to_have_count(2)
    pair = [StandIn(visitors.host, commander, Role.COMMANDER), StandIn(visitors.host, follower, Role.FOLLOWER)]
    done = commander.locator(".task .notice")
    play_out(pair, lambda: done.is_visible())
    _finish(commander)
    expect(follower.locator("[data-alert=over]")).to_be_visible()
    assert messages(commander) == messages(follower)
    times = [
        int(time or 0) for time in commander.locator(".said time").evaluate_all("all => all.map(one => one.dataset.ms)")
    ]
    assert times == sorted(set(times)), "milliseconds that grow"
