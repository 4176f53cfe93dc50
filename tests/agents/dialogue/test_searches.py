"""What is looked for on the way of an order, where, and what is put right afterwards."""

from __future__ import annotations

from math import dist
from typing import Any, cast

import pytest

from teach_agents.agents.dialogue.told_names import names_told
from tests.agents.dialogue.talking import Room

_GO = "please"


def _looking(room: str, meaning: str, *setup: str) -> Room:
    return Room(room, setup=setup, meanings={_GO: meaning}, looks_for_itself=True, person=True)


def _place(room: Room, kind: str) -> tuple[float, float]:
    position = cast("dict[str, Any]", room.one(kind)["position"])
    return position["x"], position["z"]


def test_what_a_thing_is_described_by_is_looked_for_first() -> None:
    room = _looking("FloorPlan1", "put(something @near egg @in fridge, on counter)", "put Tomato in Fridge")
    room.say(_GO)
    assert room.is_in("Tomato", "CounterTop") and room.is_in("Egg", "Fridge") and not room.one("Fridge")["isOpen"]


def test_what_is_to_be_somewhere_is_looked_for_there_before_anything_is_opened() -> None:
    room = _looking("FloorPlan424", "throw_away(cloth)", "put Cloth in GarbageCan")
    said = room.say(_GO)
    assert "already" in said.text and not said.touched


def test_nothing_is_looked_for_in_a_toilet_before_the_cabinets() -> None:
    room = _looking("FloorPlan424", "put(cloth, in sink)", "put Cloth in Cabinet")
    toilet = room.household.simulator.state.objects["Toilet|-00.54|+00.00|+01.49"]
    room.say(_GO)
    assert room.is_in("Cloth", "SinkBasin") or room.is_in("Cloth", "Sink")
    assert room.household.simulator.state.objects["Toilet|-00.54|+00.00|+01.49"] is toilet


def test_a_search_looks_once_more_before_it_gives_up() -> None:
    room = _looking("FloorPlan303", "get(key)", "put KeyChain in Drawer#2")
    room.say(_GO)
    assert room.holding() == "KeyChain"


def test_a_knife_is_looked_for_where_only_a_butter_knife_lies_about() -> None:
    room = _looking("FloorPlan1", "get(knife)")
    room.say(_GO)
    assert room.holding() == "Knife"


@pytest.mark.parametrize(("room", "tool"), [("FloorPlan21", "ButterKnife"), ("FloorPlan19", "Knife")])
def test_a_tool_goes_back_where_it_lay(room: str, tool: str) -> None:
    kitchen = _looking(room, "slice(tomato)")
    before = _place(kitchen, tool)
    assert kitchen.say(_GO).done["Slice"] == 1
    assert not kitchen.holding() and dist(before, _place(kitchen, tool)) < 0.15


@pytest.mark.parametrize("thing", ["potato", "apple"])
def test_food_that_was_spoken_of_is_rinsed(thing: str) -> None:
    room = Room("FloorPlan11", meanings={_GO: f"put(mug, on table); get({thing}); wash(it)"})
    said = room.say(_GO)
    assert "rinsed" in said.text and room.is_in(thing.capitalize(), "Sink")


def test_beside_keys_on_a_sofa_is_on_the_sofa() -> None:
    room = _looking("FloorPlan201", "put(credit_card, near key)", "put KeyChain on Sofa")
    room.say(_GO)
    assert room.is_in("CreditCard", "Sofa")


def test_a_towel_is_not_tried_on_a_holder_of_hand_towels() -> None:
    room = Room("FloorPlan405", meanings={_GO: "put(towel, on hand_towel_holder)"})
    said = room.say(_GO)
    assert "does not fit" in said.text and not said.touched


def test_a_wide_name_may_stand_for_one_kind_of_such_things() -> None:
    (found,) = names_told("By the way, if I say table I mean the coffee table.", 0)
    assert (found.noun, found.state) == ("coffee_table", "called table")
    assert not names_told("if I say fridge I mean the coffee table", 0)


def test_what_was_moved_aside_in_vain_goes_back_or_is_told() -> None:
    meanings = {"first": "put(remote, near key)", _GO: "put(book, on sofa)"}
    room = Room("FloorPlan201", setup=["put KeyChain on ArmChair"], meanings=meanings, person=True)
    room.say("first")
    said = room.say(_GO)
    assert "no room" in said.text and not room.holding()
    assert room.is_in("Pillow", "Sofa") or "the pillow on the" in said.text


@pytest.mark.parametrize(("answer", "place"), [("slice(bread)", "CounterTop"), ("put(it, in sink)", "Sink")])
def test_another_order_is_no_answer_to_where_a_thing_is_to_go(answer: str, place: str) -> None:
    room = Room("FloorPlan19", meanings={_GO: "put(knife)", "then this": answer})
    assert "Where" in room.say(_GO).text
    said = room.say("then this")
    assert room.is_in("Knife", place) and said.done["Slice"] == (answer == "slice(bread)")
