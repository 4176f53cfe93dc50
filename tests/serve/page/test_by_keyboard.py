"""Everything without a mouse, and with a screen reader: names, focus, contrast, motion."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.serve.page.visiting import COFFEE, PHONE, Visitors, make_session

_EXPLORE = {"room": "FloorPlan1", "seed": 0}

_SCRIPTS = Path(__file__).parent
_NAMELESS = (_SCRIPTS / "nameless.js").read_text(encoding="utf-8")
_FAINT = (_SCRIPTS / "faint.js").read_text(encoding="utf-8")
_OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _tab_to(page: Page, wanted: str, most: int = 60) -> None:
    """Press Tab until something that matches has the focus."""
    for _ in range(most):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


def test_a_session_is_made_and_played_with_the_keyboard_alone(visitors: Visitors) -> None:
    page = visitors.come(tutorials=True)
    page.goto("/")
    page.locator("form").wait_for()
    _tab_to(page, "input[name=what]")
    page.keyboard.press("ArrowRight")
    _tab_to(page, "input[name=you]")
    page.keyboard.press("ArrowRight")
    _tab_to(page, "button[type=submit]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Tutorial")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".stage canvas[data-drawn]").wait_for()
    actions = page.locator(".console ol li")
    for count, key in enumerate(("ArrowLeft", "d", "f", "r"), start=1):
        page.keyboard.press(key)
        expect(actions).to_have_count(count)
    page.keyboard.press("3")
    expect(page.locator("[data-deed=Open]")).to_have_attribute("aria-pressed", "true")
    page.locator(".targets button").first.wait_for()
    assert page.evaluate("document.activeElement.closest('.targets') !== null"), "the first object has the focus"
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert re.match(r"Open: [A-Z]", name)
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(actions).to_have_count(5)
    page.keyboard.press("Escape")
    expect(page.locator("[data-deed][aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("t")
    page.keyboard.type("w is no step here")
    page.keyboard.press("Enter")
    expect(page.locator(".said.mine:not(.sending)")).to_have_count(1)
    expect(actions).to_have_count(5)


def test_the_object_can_be_chosen_first_and_a_menu_says_what_applies(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "follower", other="human", **_EXPLORE)
    page.keyboard.press("o")
    boxes = page.locator(".targets button")
    boxes.first.wait_for()
    page.keyboard.press("Enter")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    assert page.evaluate("document.activeElement.getAttribute('role')") == "menuitem"
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    size = page.locator(".stage .frame").bounding_box()
    page.keyboard.press("3")
    boxes.first.wait_for()
    box = boxes.first.bounding_box()
    page.keyboard.press("Escape")
    expect(boxes).to_have_count(0)
    assert size is not None and box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(menu.get_by_role("menuitem").first).to_be_visible()
    menu.get_by_role("menuitem").first.click()
    expect(page.locator(".console ol li")).to_have_count(1)


def test_what_failed_is_told_with_a_hint(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "follower", other="human", **_EXPLORE)
    page.keyboard.press("2")
    page.locator(".stage .frame").click(position={"x": 20, "y": 20}, modifiers=["Shift"])
    latest = page.locator(".console .latest")
    expect(latest).to_contain_text("Place did not work.")
    assert latest.get_attribute("role") == "status"


def test_keys_of_one_letter_can_be_switched_off_and_arrows_scroll_what_has_the_focus(visitors: Visitors) -> None:
    page = visitors.come()
    make_session(page, "follower", other="human", **_EXPLORE)
    page.locator(".log").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("?")
    page.get_by_label("Keys of one letter are on").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("w")
    page.get_by_role("button", name="Turn left").click()
    expect(page.locator(".console ol li")).to_have_count(1)
    expect(page.locator(".console .latest")).to_have_text("Turn left")


def _visit_everywhere(visitors: Visitors, **options: Any) -> dict[str, Page]:
    """The first screen, both chairs and a watcher."""
    commander = visitors.come(**options)
    make_session(commander, "commander", other="human", **COFFEE)
    commander.get_by_role("button", name="Invite").click()
    links = {place: commander.locator(f"[data-link={place}]").input_value() for place in ("follower", "watch")}
    commander.get_by_role("button", name="Close").click()
    commander.keyboard.press("p")
    commander.locator(".steps button").first.wait_for()
    pages = {"commander": commander}
    for place, link in links.items():
        pages[place] = visitors.come(**options)
        pages[place].goto(link)
        pages[place].locator(".stage canvas[data-drawn]").wait_for()
    pages["start"] = visitors.come(**options)
    pages["start"].goto("/")
    pages["start"].locator(".sessions li").first.wait_for()
    return pages


def _check_for_everybody(page: Page, place: str) -> None:
    """What holds on every screen: names, contrast, one heading above all, ids of one element each."""
    assert page.evaluate(_NAMELESS) == [], place
    assert page.evaluate(_FAINT) == [], place
    assert page.locator("h1").count() == 1, place
    assert page.get_by_role("main").count() == 1, place
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids)), place
    assert page.evaluate(_OVERFLOW) == 0, place


def test_on_a_light_desktop_every_control_has_a_name_and_every_word_enough_contrast(visitors: Visitors) -> None:
    for place, page in _visit_everywhere(visitors, color_scheme="light").items():
        _check_for_everybody(page, place)


def test_on_a_dark_phone_all_of_it_is_there_without_scrolling_sideways(visitors: Visitors) -> None:
    pages = _visit_everywhere(visitors, size=PHONE, has_touch=True, color_scheme="dark")
    for place, page in pages.items():
        _check_for_everybody(page, place)
        for tab in page.locator(".tabs button").all():
            tab.tap()
            expect(page.locator(f"[data-panel={tab.get_attribute('data-tab')}]").first).to_be_visible()
            assert page.evaluate(_OVERFLOW) == 0, place
    heights = (
        pages["follower"]
        .locator(".pad button, .deeds button, .tabs button")
        .evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    )
    assert min(heights) > 43, "large enough for a thumb"


def test_nothing_blinks_for_those_who_want_little_motion(visitors: Visitors) -> None:
    page = visitors.come(reduced_motion="reduce")
    make_session(page, "commander", other="human", **_EXPLORE)
    page.get_by_label("Object to search for").fill("Mug")
    page.get_by_role("button", name="Search").click()
    page.locator(".target canvas.lit[data-drawn]").wait_for()
    assert page.locator(".target canvas.lit").evaluate("one => getComputedStyle(one).animationName") == "none"
    assert page.get_by_role("radio", name="Blink").count() == 0
    expect(page.get_by_role("radio", name="Green")).to_be_checked()


@pytest.mark.parametrize(
    ("what", "first", "more"),
    [("task", "You are the Commander", 3), ("explore", "You tell the Follower what to do", 2)],
)
def test_the_tutorial_is_shown_once(visitors: Visitors, what: str, first: str, more: int) -> None:
    page = visitors.come(tutorials=True)
    page.goto("/")
    page.locator(f"input[name=what][value={what}]").check(force=True)
    page.get_by_role("button", name="Start").click()
    tutorial = page.get_by_role("dialog", name="Tutorial")
    expect(tutorial).to_contain_text(first)
    for _ in range(more):
        tutorial.get_by_role("button", name="Next").click()
    tutorial.get_by_role("button", name="Begin").click()
    expect(tutorial).to_have_count(0)
    page.reload()
    page.locator(".stage canvas[data-drawn]").wait_for()
    expect(tutorial).to_have_count(0)
