"""What is said at work takes back one order of several, confirms the others, or asks for the same again."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_BOTH = "put the pillow on the armchair, then turn off the floor lamp"
_MEANT = "put(pillow, on armchair); turn_off(floor_lamp)"


@pytest.mark.parametrize("turn", [3, 12, 18])
def test_one_of_two_orders_is_taken_back_while_it_is_being_done(turn: int) -> None:
    other = "forget the pillow, just the lamp"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: "cancel(put(pillow)); turn_off(lamp)"})
    assert room.one("FloorLamp")["isToggled"] and room.is_in("Pillow", "Sofa")
    said = room.say(_BOTH, {turn: other})
    assert room.is_in("Pillow", "Sofa") and room.holding() == "" and not room.one("FloorLamp")["isToggled"]
    assert "already" not in said.text


@pytest.mark.parametrize("cancelled", ["turn_off(lamp)", "put(lamp)"])
def test_what_is_still_to_come_is_taken_back_and_the_rest_only_confirmed(cancelled: str) -> None:
    other = "forget the lamp, just the pillow"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: f"cancel({cancelled}); get(pillow)"})
    room.say(_BOTH, {3: other})
    assert room.is_in("Pillow", "ArmChair") and room.holding() == "" and room.one("FloorLamp")["isToggled"]


def test_what_was_not_asked_for_cannot_be_taken_back() -> None:
    other = "forget the laptop"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: "cancel(get(laptop))"})
    said = room.say(_BOTH, {3: other})
    assert "left to do" in said.text or "not going to" in said.text
    assert room.is_in("Pillow", "ArmChair") and not room.one("FloorLamp")["isToggled"]


def test_the_same_with_another_thing_is_queued_at_work() -> None:
    other = "and the same with the remote"
    room = Room("FloorPlan207", meanings={_BOTH: "put(pillow, on armchair)", other: "repeat(remote)"})
    room.say(_BOTH, {3: other})
    assert room.is_in("Pillow", "ArmChair") and room.is_in("RemoteControl", "ArmChair")


@pytest.mark.parametrize(
    ("other", "meaning", "pillow", "lamp"),
    [
        ("skip the second thing", "cancel(second thing)", "ArmChair", True),
        ("skip the last job", "cancel", "ArmChair", True),
        ("forget the first one", "cancel(first one)", "Sofa", False),
    ],
)
def test_one_of_two_orders_is_taken_back_by_its_place(other: str, meaning: str, pillow: str, lamp: bool) -> None:
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: meaning})
    room.say(_BOTH, {3: other})
    assert room.is_in("Pillow", pillow) and room.one("FloorLamp")["isToggled"] is lamp
