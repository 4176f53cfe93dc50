"""What was told ahead: names, preferences, alternatives, two things named together, what is so in truth."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    "told",
    [
        "My little girl has named her {} Bertie, so whenever I talk about Bertie that's what I mean.",
        "When I say Bertie, my friend, I mean the {}.",
        "Bertie is my little girl's {}.",
        "The {}'s name is Bertie.",
    ],
)
@pytest.mark.parametrize("thing", ["pen", "pencil"])
def test_a_name_is_known_however_it_was_told(told: str, thing: str) -> None:
    said = told.format(thing)
    room = Room("FloorPlan304", meanings={said: "fact(told)", "Bertie, please.": "get(bertie)"})
    room.say(said)
    room.say("Bertie, please.")
    assert room.holding() == thing.capitalize()


def test_a_name_may_be_told_behind_the_order() -> None:
    said = "Bring me Bertie. Bertie is my girl's pencil."
    room = Room("FloorPlan304", meanings={said: "get(bertie); fact(told)"})
    room.say(said)
    assert room.holding() == "Pencil"


@pytest.mark.parametrize("place", ["Sink", "Toilet"])
def test_home_is_where_somebody_said_it_is(place: str) -> None:
    told, order = f"When I say home, little fellow, I mean the spot right beside the {place.lower()}.", "Off home now."
    room = Room("FloorPlan401", meanings={told: "fact(home @near sink)", order: "go_to(home)"})
    room.say(told)
    assert place.lower() in room.say(order).text


@pytest.mark.parametrize("meaning", ["put(pen, on {0}_or_{1})", "put(pen, on {0})"])
@pytest.mark.parametrize(("barred", "left"), [("bed", "Desk"), ("desk", "Bed")])
@pytest.mark.parametrize("said", ["The pen goes on the {0} or {1}.", "Pen on the {0}, the {1}, I don't mind."])
def test_of_alternatives_the_allowed_one_is_taken(meaning: str, barred: str, left: str, said: str) -> None:
    said, other = said.format("bed", "desk"), f"Nothing gets put on the {barred} today."
    room = Room(
        "FloorPlan304",
        meanings={said: meaning.format("bed", "desk"), other: f"never(put(anything, on {barred}))"},
        setup=["put Pen on Shelf"],
    )
    room.say(other)
    room.say(said)
    assert room.is_in("Pen", left)


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("Bar soap gives me a rash, so I only ever use the liquid one.", "SoapBottle"),
        ("I can't stand the liquid soap.", "SoapBar"),
        ("I prefer bar soap, the liquid one is for guests.", "SoapBar"),
    ],
)
def test_the_kind_that_somebody_uses_is_brought(told: str, kind: str) -> None:
    room = Room("FloorPlan409", meanings={told: "fact(told)", "Pass me the soap.": "get(soap)"})
    room.say(told)
    room.say("Pass me the soap.")
    assert room.holding() == kind


@pytest.mark.parametrize(("first", "second"), [("safe", "laundry basket"), ("laundry basket", "safe")])
@pytest.mark.parametrize("meaning", ["repeat(other one)", "go_to(other one)", "instead(other one)"])
def test_the_other_one_is_the_other_of_two_that_were_named(first: str, second: str, meaning: str) -> None:
    told = f"One of them is making a noise, the safe or the laundry basket. Go to the {first} first."
    order = f"go_to({first.replace(' ', '_')})"
    room = Room("FloorPlan309", meanings={told: order, "Now the other one.": meaning})
    room.say(told)
    assert second in room.say("Now the other one.").text


@pytest.mark.parametrize(
    ("asked", "meaning", "setup", "said"),
    [
        ("who left the fridge open AGAIN?!", "?other(who)", (), "fridge is closed"),
        ("who left the fridge open AGAIN?!", "?who(fridge)", ("open Fridge",), ""),
        ("why is the microwave on?", "?why", (), "microwave is off"),
        ("When did you smash the plate?", "?other(when)", (), "in one piece"),
        ("who left the tap running?", "?other(who)", (), "tap is off"),
        ("who put the mug on the table?", "?other(who)", (), ""),
    ],
)
def test_what_a_question_takes_for_granted_and_is_not_so_is_said(
    asked: str, meaning: str, setup: tuple[str, ...], said: str
) -> None:
    text = Room("FloorPlan5", meanings={asked: meaning}, setup=setup or ("dirty Mug",)).say(asked).text
    assert said in text and (bool(said) or not text.startswith("Nobody"))


@pytest.mark.parametrize(("where", "there"), [("desk", "desk"), ("bed", "laptop")])
@pytest.mark.parametrize("pointing", ["go_to(that)", "go_to(there)"])
def test_that_in_a_deed_under_a_condition_is_what_the_condition_is_about(where: str, there: str, pointing: str) -> None:
    said = "If my pen's on the desk wait next to that, otherwise go to the laptop."
    meaning = f"if(pen @on desk) {pointing}; unless(pen @on desk) go_to(laptop)"
    room = Room("FloorPlan304", meanings={said: meaning}, setup=(f"put Pen on {where.capitalize()}",))
    text = room.say(said).text
    assert there in text or (pointing == "go_to(that)" and where == "desk" and "pen" in text)


@pytest.mark.parametrize("meaning", ["stop; ?doing", "stop; ?where_are_you"])
def test_after_stop_it_tells_what_it_was_at(meaning: str) -> None:
    room = Room("FloorPlan304", meanings={"go over to the bed": "go_to(bed)", "stop! where are you off to?": meaning})
    assert "bed" in room.say("go over to the bed", {1: "stop! where are you off to?"}).text


def test_nothing_is_set_aside_where_nothing_may_be_put() -> None:
    told, said = "Nothing gets put on the bed today.", "Put my basketball on the desk."
    room = Room("FloorPlan305", meanings={told: "never(put(anything, on bed))", said: "put(basketball, on desk)"})
    room.say(told)
    room.say(said)  # the desk is full, room has to be made
    assert room.is_in("BasketBall", "Desk") and not room.is_in("BasketBall", "Bed")


def test_why_it_opened_something_on_the_way_is_no_false_question() -> None:
    asked, order = "Why did you open the fridge?", "Bring me the egg."
    room = Room("FloorPlan1", meanings={asked: "?why", order: "get(egg)"})
    room.say(order)
    assert "egg" in room.say(asked).text
