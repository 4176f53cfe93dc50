"""Who knows only what it saw looks at what it is asked about before it answers."""

from __future__ import annotations

import pytest

from teach_agents.agents.acting.skills.searching import has_seen_all, look_into
from teach_agents.agents.acting.skills.surface_search import is_looked_over
from teach_agents.agents.dialogue.noun_types import named_by
from teach_agents.agents.dialogue.orders.order_reports import the_things
from teach_agents.agents.planner import planner_follower
from tests.agents.acting.making import row, things
from tests.agents.dialogue.ordering import Servant
from tests.agents.dialogue.talking import Room


def _looking(room: str) -> Room:
    return Room(room, planner_follower(perception="oracle"))


def _in(room: Room, holder: str) -> set[str]:
    """The types of what is truly in the first holder of a type."""
    inside = room.one(holder)["receptacleObjectIds"]
    assert isinstance(inside, list | tuple)
    return {str(name).split("|")[0].lower() for name in inside}


def test_what_is_asked_about_a_shut_thing_is_looked_up_and_it_is_shut_again() -> None:
    room = _looking("FloorPlan4")
    said = room.say("What's in the fridge?")
    assert said.done["Open"] and said.done["Close"] and not room.one("Fridge")["isOpen"]
    first, answer = said.replies
    assert "look" in first or "check" in first
    assert _in(room, "Fridge") and all(kind in answer for kind in _in(room, "Fridge"))
    again = room.say("Is there an egg in the fridge?")
    assert not again.done and "yes" in again.text.lower()


def test_how_many_are_somewhere_is_counted_there() -> None:
    room = _looking("FloorPlan4")
    number = len(_in(room, "Fridge"))
    assert number == 2
    assert "two" in room.say("How many things are in the fridge?").text.lower()


def test_a_thing_that_was_not_seen_is_looked_for_before_it_is_said_where_it_is() -> None:
    room = _looking("FloorPlan1")
    said = room.say("Where is the egg?")
    assert said.touched and "in the fridge" in said.text
    assert not room.one("Fridge")["isOpen"] and not room.holding()


def test_furniture_is_looked_for_in_the_open_only() -> None:
    said = _looking("FloorPlan1").say("Where is the sofa?")
    assert not said.touched and "not seen a sofa" in said.text


def test_what_is_known_needs_no_look() -> None:
    room = _looking("FloorPlan1")
    assert not room.say("Is the fridge open?").done
    assert not room.say("Where is the sink?").done


@pytest.mark.parametrize(
    ("told", "asked", "words"),
    [
        ("Don't open the fridge.", "What's in the fridge?", "told me"),
        ("My wallet is in the drawer.", "Where is my wallet?", "in the drawer"),
    ],
)
def test_what_was_forbidden_or_told_is_not_looked_up(told: str, asked: str, words: str) -> None:
    room = _looking("FloorPlan4")
    room.say(told)
    said = room.say(asked)
    assert not said.touched and words in said.text


def test_stop_ends_a_look() -> None:
    said = _looking("FloorPlan1").say("Where is the egg?", {4: "stop"})
    assert said.done and said.after == 0 and "stop" in said.replies[-1].lower()


def test_who_knows_the_whole_room_answers_at_once() -> None:
    said = Room("FloorPlan4").say("What's in the fridge?")
    assert not said.done and len(said.replies) == 1


def test_whatever_is_in_a_shut_thing_is_fetched_out_of_it() -> None:
    servant = Servant("FloorPlan1", looks_for_itself=True)
    outcome = servant.told("get(something @in fridge)")
    assert outcome.done and servant.explorer.body.held is not None
    assert servant.explorer.body.held.object_type in ("Egg", "Apple", "Lettuce", "Tomato", "Potato", "Bread")
    assert not servant.one("Fridge")["isOpen"]


def test_a_thing_told_by_what_is_in_it_is_found_by_looking() -> None:
    servant = Servant("FloorPlan1", looks_for_itself=True)
    outcome = servant.told("open(cabinet +cup)")
    assert outcome.done and "open now" in outcome.said
    (shown,) = [row for row in servant.all("Cabinet") if row["isOpen"]]
    assert any(str(name).startswith("Cup|") for name in shown["receptacleObjectIds"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("question", "worth"),
    [
        ("?in(fridge)", True),
        ("?state(fridge: empty)", True),
        ("?state(fridge: open)", False),
        ("?there(egg)", True),
        ("?where(egg @in fridge)", True),
        ("?count(sink)", True),
        ("?which(off light)", True),
        ("?state(all light: off)", True),
        ("?state(light: off)", False),
        ("?state(anything: broken)", True),
        ("?state(sink: dirty)", False),
        ("?where(flurbnik)", False),
        ("?in(kitchen)", False),
        ("?held", False),
        ("?have(egg)", False),
    ],
)
def test_a_look_is_worth_it_where_it_may_tell_more(question: str, *, worth: bool) -> None:
    assert Servant("FloorPlan1", looks_for_itself=True).would_look(question) == worth


def test_a_knife_that_is_asked_for_is_looked_for_where_only_a_butter_knife_is_known() -> None:
    servant = Servant("FloorPlan1", looks_for_itself=True)
    known = {thing.object_type for thing in servant.explorer.body.things}
    assert "Knife" not in known and named_by("knife") == "Knife"
    outcome = servant.told("pick_up(knife)")
    assert outcome.done and servant.explorer.body.held is not None
    assert servant.explorer.body.held.object_type == "Knife"


@pytest.mark.parametrize("noun", ["lamp", "table", "fridge", "silverware", "flurbnik"])
def test_a_noun_of_one_kind_or_of_kinds_with_other_names_is_no_kinds_very_name(noun: str) -> None:
    assert named_by(noun) == ""


def test_things_are_called_by_a_name_that_is_not_another_kinds() -> None:
    knife, butter_knife = things(row("Knife", 0), row("ButterKnife", 1))
    assert the_things([butter_knife], "knife") == "the butter knife"
    assert the_things([knife], "knife") == "the knife"


def test_of_two_lamps_one_that_is_seen_from_afar_is_not_meant_for_that() -> None:
    room = Room("FloorPlan205", planner_follower(perception="oracle"))
    said = room.say("Turn off the lamp.")
    assert not said.touched and "Which one" in said.text


def test_what_may_well_be_in_a_shut_thing_is_counted_there_too() -> None:
    room = _looking("FloorPlan1")
    said = room.say("How many eggs are there?")
    eggs = sum(one["objectType"] == "Egg" for one in room.household.objects)
    assert said.touched and eggs == 1 and "one egg" in said.text
    assert not room.one("Fridge")["isOpen"]


def test_a_look_takes_no_more_than_some_actions() -> None:
    for question in ("Is there a plate in the cabinet?", "Is there soap in the cabinet?"):
        said = _looking("FloorPlan12").say(question)
        assert sum(said.done.values()) <= 140 and said.replies[-1].startswith(("No", "I cannot say", "Yes")), said


def test_a_shut_thing_is_looked_into_before_it_is_said_to_be_empty() -> None:
    servant = Servant("FloorPlan1", looks_for_itself=True)
    assert servant.is_in("Egg", "Fridge")
    outcome = servant.told("empty(fridge)")
    assert outcome.done and not servant.is_in("Egg", "Fridge") and not servant.one("Fridge")["isOpen"]
    assert "empty already" not in outcome.said
    assert "empty already" in servant.told("empty(fridge)").said and servant.acted == 0


def test_a_shut_thing_that_may_not_be_opened_is_not_said_to_be_empty() -> None:
    room = _looking("FloorPlan1")
    room.say("Don't open the fridge.")
    said = room.say("Empty the fridge.")
    assert not said.touched and "empty" not in said.text and "clear" not in said.text


def test_more_is_looked_for_before_all_of_a_kind_are_said_to_be_as_wanted() -> None:
    servant = Servant("FloorPlan308", looks_for_itself=True)
    known = [one for one in servant.explorer.body.things if one.object_type == "Blinds"]
    assert len(known) < len(servant.all("Blinds")) == 2
    outcome = servant.told("open(all blind)")
    assert outcome.done and all(blind["isOpen"] for blind in servant.all("Blinds"))


def test_furniture_that_was_not_found_is_not_said_to_be_in_a_drawer() -> None:
    outcome = Servant("FloorPlan1", looks_for_itself=True).told("go_to(sofa)")
    assert not outcome.done and "drawer" not in outcome.said


def test_what_lies_on_furniture_is_looked_at_from_near_before_it_is_said_what_is_there() -> None:
    servant = Servant("FloorPlan205", looks_for_itself=True)
    body = servant.explorer.body
    chair = next(one for one in body.things.of("Sofa", "ArmChair") if not is_looked_over(body, one))
    noun = {"Sofa": "sofa", "ArmChair": "armchair"}[chair.object_type]
    assert servant.would_look(f"?on({noun})")
    for one in body.things.of(chair.object_type):
        servant.explorer.carry_out(look_into(body, [one], lambda: False))
    assert not servant.would_look(f"?on({noun})")


def test_who_is_asked_for_all_of_a_kind_looks_into_unseen_corners_once() -> None:
    servant = Servant("FloorPlan309", looks_for_itself=True)
    assert not has_seen_all(servant.explorer.body) and servant.would_look("?count(chair)")
    servant.told("?count(chair)")
    assert servant.acted > 0 and has_seen_all(servant.explorer.body)
    assert not servant.would_look("?count(chair)") and not servant.would_look("?state(all light: off)")


def test_another_one_is_looked_for_also_where_no_kind_is_told_by_it() -> None:
    servant = Servant("FloorPlan309", looks_for_itself=True)
    assert servant.told("go_to(laundry_basket)").done
    outcome = servant.told("go_to(other laundry_basket)")
    assert not outcome.done and outcome.said


def test_what_lies_at_a_place_is_told_after_the_place_was_looked_over() -> None:
    servant = Servant("FloorPlan309", looks_for_itself=True)
    body = servant.explorer.body
    desk = body.things.of("Desk")[0]
    assert body.things.contents(desk) and not is_looked_over(body, desk)
    servant.told("get(something @on desk)")
    assert is_looked_over(body, desk)


def test_a_search_leaves_shut_what_is_forbidden_and_looks_everywhere_else() -> None:
    room = _looking("FloorPlan1")
    room.say("Don't open the fridge.")
    said = room.say("Bring me the egg.")
    assert said.done["Open"] and not room.one("Fridge")["isOpen"] and not room.holding()
    assert "could not find" in said.text and "fridge" in said.text


@pytest.mark.parametrize(
    ("told", "then"), [("fact(toilet_paper @in bin); get(it)", ""), ("fact(toilet_paper @in bin)", "get(it)")]
)
def test_what_was_said_to_be_somewhere_is_fetched_from_there_though_another_is_in_sight(told: str, then: str) -> None:
    words = "There is toilet paper in the bin."
    meanings = {words: told, "Get it, please.": then}
    room = Room("FloorPlan401", setup=("put ToiletPaper#1 in GarbageCan",), meanings=meanings, looks_for_itself=True)
    room.say(words)
    if then:
        room.say("Get it, please.")
    assert room.holding() == "ToiletPaper" and not room.is_in("ToiletPaper", "GarbageCan")


def test_who_meant_another_thing_has_it_looked_for() -> None:
    room = Room("FloorPlan1", meanings={"I mean the egg.": "instead(egg)"}, looks_for_itself=True)
    room.say("Where is the fridge?")
    said = room.say("I mean the egg.")
    assert said.done and "in the fridge" in said.text


def test_a_roll_is_seen_on_its_holder() -> None:
    asked = "Is there any paper on the holder?"
    meanings = {asked: "?there(paper @on holder)"}
    setup = ("put ToiletPaper#1 in ToiletPaperHanger",)
    said = Room("FloorPlan401", setup=setup, meanings=meanings, looks_for_itself=True).say(asked)
    assert "yes" in said.text.lower()
