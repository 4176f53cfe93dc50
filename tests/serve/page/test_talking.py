"""A person tells a Follower what to do: starters, what it does in words, Stop, and no task where there is none."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.serve.page.visiting import COFFEE, Visitors, commands, make_session


def test_what_is_done_and_said_stands_below_what_it_is_about(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", room="FloorPlan5")
    starters = page.locator(".hint button")
    expect(starters.first).to_be_visible()
    assert 4 <= starters.count() <= 6
    page.get_by_role("button", name="Wash the mug.").click()
    exchange = page.locator(".exchange", has=page.locator(".said.mine", has_text="Wash the mug."))
    expect(exchange.locator(".said[data-who=follower]").last).to_be_visible()
    expect(exchange.locator(".deed").first).to_contain_text(re.compile("walked|turned|looked"))
    expect(starters).to_have_count(0)
    assert "|" not in " ".join(exchange.locator(".deed").all_inner_texts()), "no ids"


def test_stop_is_said_by_a_button_and_told_below_it(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", **COFFEE)
    page.get_by_role("button", name="Stop").click()
    exchange = page.locator(".exchange", has=page.locator(".said.mine", has_text="stop"))
    expect(exchange.locator(".told.held")).to_have_text("The Follower stops.")
    commands(page, "wait a second")
    expect(page.locator(".told.held").last).to_contain_text("go on")


def test_the_followers_eyes_are_large_and_the_camera_may_be(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", **COFFEE)
    large, small = page.locator(".stage .frame"), page.locator(".eyes .frame")
    expect(large.get_by_role("img", name="What the Follower sees")).to_be_visible()
    assert large.bounding_box()["width"] > 1.5 * small.bounding_box()["width"]  # type: ignore[index]
    expect(page.locator(".pad")).to_be_hidden()
    page.locator("input[name=commander-view][value=view]").check(force=True)
    expect(large.get_by_role("img", name="What your camera sees")).to_be_visible()
    expect(page.locator(".pad")).to_be_visible()


def test_where_there_is_no_task_nothing_speaks_of_one(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", room="FloorPlan7")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    shown = page.locator("main, .bar").all_inner_texts()
    said = " ".join(page.locator(".said .words").all_inner_texts())
    assert "task" not in " ".join(shown).replace(said, "").lower()
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(page.locator("[data-alert=over]")).to_have_text(re.compile(r"^The session is over\.Replay"))
