"""What is said to have run out, or to be needed: what there is to buy."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.told_needs import asks_for_needs, needs_in
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "words", "lacked"),
    [
        ("We're out of coffee.", "coffee", True),
        ("We've nearly run out of dish soap too.", "dish soap", True),
        ("And we need toilet paper.", "toilet paper", False),
        ("There's no more oat milk left", "oat milk", True),
        ("I have to buy some batteries tomorrow.", "batteries", True),
        ("Put bananas on the shopping list.", "bananas", True),
    ],
)
def test_what_is_needed_is_told_in_many_ways(text: str, words: str, lacked: bool) -> None:
    assert [(one.words, one.lacked) for one in needs_in(text)] == [(words, lacked)]


@pytest.mark.parametrize("text", ["We need to talk.", "I need you here.", "Are we out of milk?", "We have no time."])
def test_what_is_no_need_of_a_thing(text: str) -> None:
    assert not needs_in(text)


def test_who_asks_what_to_buy_is_told_what_is_needed() -> None:
    meanings = {
        "We're out of coffee.": "fact(we are out of coffee)",
        "And we need toilet paper.": "get(toilet_paper)",
        "What do I have to buy?": "unclear",
    }
    room = Room("FloorPlan1", meanings=meanings)
    room.say("We're out of coffee.")
    assert not room.say("And we need toilet paper.").done
    said = room.say("What do I have to buy?")
    assert "coffee" in said.text and "toilet paper" in said.text


def test_what_was_found_is_not_needed() -> None:
    forget = "Forget the coffee, found a pack. But we need toilet paper."
    meanings = {
        "We're out of coffee.": "fact(we are out of coffee)",
        forget: "cancel(make(coffee)); get(toilet_paper)",
        "What's on the shopping list?": "?which(shopping_list)",
    }
    room = Room("FloorPlan1", meanings=meanings)
    room.say("We're out of coffee.")
    room.say(forget)
    said = room.say("What's on the shopping list?")
    assert "toilet paper" in said.text and "coffee" not in said.text


def test_asking_what_to_buy() -> None:
    assert asks_for_needs("what are we out of?") and asks_for_needs("What do we still need?")
    assert not asks_for_needs("What do you need to make toast?")


def test_whether_something_is_still_needed_is_told_by_what_was_said() -> None:
    assert [one.words for one in needs_in("We're out of milk and butter.")] == ["milk", "butter"]
    meanings = {
        "We're out of milk and butter.": "fact(we are out of milk and butter)",
        "Do we still need butter?": "?there(butter)",
    }
    room = Room("FloorPlan1", meanings=meanings)
    room.say("We're out of milk and butter.")
    assert "Yes, you need butter" in room.say("Do we still need butter?").text


def test_who_could_do_with_a_coffee_gets_one() -> None:
    room = Room("FloorPlan3", meanings={"I could do with a coffee": "get(coffee)", "we need coffee": "get(coffee)"})
    assert "I know of no coffee" in room.say("we need coffee").text
    room.say("I could do with a coffee")
    assert room.holding() == "Mug"


def test_what_is_to_come_from_the_shop_is_all_needed_until_it_is_there() -> None:
    told, asked = "We need eggs, flour and some butter from the shop", "what's still missing?"
    room = Room("FloorPlan14", meanings={told: "fact(we need eggs)", asked: "?other(x)", "got it": "unclear"})
    room.say(told)
    assert all(word in room.say(asked).text for word in ("eggs", "flour", "butter"))
