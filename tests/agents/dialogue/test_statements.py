"""What sentences state of things, in their own words."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.statements import AT_HOME, statements_in
from teach_agents.agents.dialogue.told_states import told_so
from teach_agents.understanding.notation import write_phrase
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The cup is mine, the mug is Harry's.", ["cup: mine", "mug: harry's"]),
        ("the mug and the cup are ours", ["mug: ours", "cup: ours"]),
        ("That's Dad's chair, you know.", ["chair: dad's"]),
        ("the pencil belongs to Mia and the towel to nobody", ["pencil: mia's"]),
        (
            "The phone on the shelf is my aunt's. Mine is out in the car.",
            ["phone @on shelf: aunt's", "one @in car: mine"],
        ),
        ("my watch is in the box", ["watch @in box: mine"]),
        ("My mug's the one on the left.", ["left mug: mine"]),
        ("had a look at that bread on the table, it's gone mouldy", ["bread @on table: gone mouldy"]),
        ("the egg's still fine though", ["egg: fine"]),
        ("I checked: bread's stale, tomato's okay.", ["bread: stale", "tomato: ok"]),
        ("Mia's pen, not the pencil", []),
        (
            "There's a new one in the drawer. The one in the bin got soaked.",
            ["new one @in drawer: ", "one @in bin: soaked"],
        ),
        ("What's lying in the bin is just the used up one.", ["one @in bin: used up"]),
        ("the lamp in the corner doesn't work", ["lamp @in corner: broken"]),
        ("in this family the armchair is called grandad's throne", ["armchair: called grandad's throne"]),
        ("we call the coffee table the island", ["coffee_table: called island"]),
        ("the clicker is what we call the remote", ["remote: called clicker"]),
        ("can you bring the mug, it is for the guests?", ["mug: for the guests"]),
        ("the ball has a name its called wilson", ["ball: called wilson"]),
        ("The laptop, well, its name is Bertha", ["laptop: called bertha"]),
        ("The CD is a birthday present for Leo", ["cd: leo's"]),
        ("The book is Mia's present", ["book: mia's"]),
        ("Tom owns the laptop", ["laptop: tom's"]),
    ],
)
def test_what_is_stated_is_found(text: str, stated: list[str]) -> None:
    assert [f"{write_phrase(one.thing)}: {one.state}" for one in statements_in(text)] == stated


@pytest.mark.parametrize(
    "text",
    ["Is the telly on?", "bring me the mug", "if the mug is dirty, wash it", "I'm fine, thanks", "what a day", ""],
)
def test_questions_orders_and_conditions_state_nothing(text: str) -> None:
    assert statements_in(text) == []


@pytest.mark.parametrize(
    ("mark", "state", "so"),
    [
        ("good", "used up", False),
        ("good", "new", True),
        ("gone_off", "mouldy", True),
        ("fresh", "gone off", False),
        ("dry", "soaked", False),
        ("broken", "not broken", False),
        ("mine", "harry's", False),
        ("mine", "mine", True),
        ("abba", "abba", True),
        ("tax", "tax stuff", True),
        ("abba", "tax stuff", None),
        ("heavy", "broken", None),
    ],
)
def test_a_state_that_was_told_rules_its_opposite_out(mark: str, state: str, *, so: bool | None) -> None:
    assert told_so(mark, state) is so


@pytest.mark.parametrize(
    ("text", "thing", "state"),
    [
        ("In this house the keys always go in the box.", "all key @in box", AT_HOME),
        ("I've just taken my phone to the car.", "phone @in car", "mine"),
        ("Dad took the laptop to the office.", "laptop @in office", ""),
    ],
)
def test_where_things_go_and_were_taken(text: str, thing: str, state: str) -> None:
    (found,) = statements_in(text)
    assert (write_phrase(found.thing), found.state) == (thing, state)


def test_rules_of_the_house_are_kept_and_gone_by_later() -> None:
    rule = "In this house dirty dishes go into the sink and clean ones onto the counter."
    meanings = {
        rule: "put(all dirty dish, in sink); put(all clean one, on counter)",
        "where do clean dishes go?": "?where(all clean dish)",
        "Put the mug where it belongs": "put_back(mug)",
    }
    room = Room("FloorPlan26", setup=["dirty Mug"], meanings=meanings)
    assert not room.say(rule).touched
    assert "onto the counter" in room.say("where do clean dishes go?").text
    room.say("Put the mug where it belongs")
    assert room.is_in("Mug", "Sink")


def test_slips_of_the_pen_are_mended_where_they_name_no_place() -> None:
    (stated,) = statements_in("teh remote alwyas goes on the cofee table")
    assert stated.thing.place is not None and stated.thing.place[1].noun == "coffee_table"


def test_a_spot_of_its_own_is_where_things_end_up() -> None:
    (stated, *_) = statements_in("Keys always end up on the side table in our home, that's their spot.")
    assert stated.state == AT_HOME


def test_of_two_kinds_that_live_somewhere_both_do() -> None:
    found = statements_in("From now on, pans and pots live in the cabinet.")
    assert [one.thing.noun for one in found] == ["pan", "pot"]


def test_what_is_only_supposed_is_not_stated() -> None:
    assert statements_in("grandpa hates it when the tv is on") == []
