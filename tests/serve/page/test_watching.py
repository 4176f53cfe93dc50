"""Watchers, the list of sessions, and looking through one that is over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.serve.page.hosting import hosting
from tests.serve.page.visiting import COFFEE, Visitors, commands, make_session, session_id, take_seat

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_ALL_DONE = "The session is over."


def test_a_watcher_sees_agents_make_coffee_and_looks_through_it_afterwards(visitors: Visitors, tmp_path: Path) -> None:
    page = visitors.come()
    made = make_session(page, "watch", **COFFEE)
    expect(page.locator("[data-alert=over]")).to_contain_text(_ALL_DONE, timeout=60_000)
    expect(page.locator(".steps .done").first).to_be_visible()
    assert page.locator(".chat textarea, .pad, .deeds, [data-do=pause]").count() == 0
    assert page.locator(".console ol li").count() > 5
    page.get_by_role("link", name="Replay").click()
    place = page.get_by_role("slider")
    expect(place).to_have_value("0")
    page.locator(".replay canvas[data-drawn]").first.wait_for()
    last = int(place.get_attribute("max") or 0)
    assert last > 5
    page.get_by_role("button", name="Forward").click()
    expect(place).to_have_value("1")
    said = page.locator(".replay .log button")
    said.last.click()
    expect(said.last).to_have_attribute("aria-current", "true")
    place.press("End")
    expect(place).to_have_value(str(last))
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(place).not_to_have_value(str(last))
    page.get_by_role("button", name="Pause").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    waiting.value.save_as(tmp_path / "game.json")
    game = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert game["tasks"][0]["episodes"][0]["interactions"]
    page.get_by_role("link", name="All sessions").click()
    expect(page.locator(".sessions li").first).to_contain_text("Finished")
    assert made in (page.locator(".sessions a", has_text="Replay").first.get_attribute("href") or "")


def test_a_person_goes_back_to_a_chair_from_the_list(visitors: Visitors) -> None:
    page = visitors.come()
    there = make_session(page, "commander", other="human", room="FloorPlan1", seed=0)
    commands(page, "back soon")
    page.get_by_role("link", name="All sessions").click()
    page.get_by_role("link", name="Sit down as Commander").first.click()
    take_seat(page)
    assert session_id(page) == there
    expect(page.locator(".said.mine")).to_have_count(1)


def test_light_and_dark_can_be_switched(visitors: Visitors) -> None:
    page = visitors.come(color_scheme="light")
    page.goto("/")
    ground = "() => getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) != light
    page.reload()
    assert page.evaluate(ground) != light


def test_a_server_with_a_token_asks_for_it_and_invites_without(browser: Browser, tmp_path: Path) -> None:
    with hosting(tmp_path, token="open-sesame") as host:
        visitors = Visitors(browser, host)
        page = visitors.come()
        page.goto("/")
        page.get_by_role("textbox", name="Token").fill("wrong")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_role("textbox", name="Token").fill("open-sesame")
        page.get_by_role("button", name="Go on").click()
        make_session(page, "commander", other="human", room="FloorPlan1", seed=0)
        page.get_by_role("button", name="Invite").click()
        guest = visitors.come()
        guest.goto(page.locator("[data-link=follower]").input_value())
        take_seat(guest)
        assert all("401" in one for one in visitors.complaints)
        visitors.complaints.clear()
        visitors.leave()


def test_the_thinking_of_an_agent_unfolds(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", other="thinker", room="FloorPlan1", seed=0)
    commands(page, "hello")
    expect(page.locator(".said[data-who=follower]")).to_have_count(1)
    thoughts = page.locator(".thoughts li")
    expect(thoughts.first).to_be_hidden()
    page.get_by_text("The agent’s thinking").click()
    expect(thoughts.first).to_contain_text("Plan: answer the Commander")
    expect(thoughts.first).to_contain_text("Chose: say hello")
    expect(thoughts.first.locator(".tag")).to_contain_text(" s")


def test_an_agent_that_fails_stands_still_until_it_is_tried_again(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "commander", other="fumbler", room="FloorPlan1", seed=0)
    commands(page, "hello")
    alert = page.locator("[data-alert=failed-follower]")
    expect(alert).to_contain_text("The Follower failed and stands still")
    alert.get_by_role("button", name="Try again").click()
    expect(alert).to_have_count(0)
    expect(page.locator(".said[data-who=follower]")).to_have_count(1)
