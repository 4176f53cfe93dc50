"""Hints for people, chosen by fragments of the message (specification 5.4)."""

from __future__ import annotations

import pytest

from teach_agents.actions import Action
from teach_agents.household import messages

FAILURES = {
    "Mug|1 must have the property CanPickup to be picked up.": "picked up",
    "Object ID Mug|1 is invalid": "clicked",
    "Could not retrieve object at this place": "clicked",
    "Can't place an object if Agent isn't holding anything": "Pick something up",
    "object is not toggleable.": "switched",
    "can't toggle object off if it's already off!": "off already",
    "can't toggle object on if it's already on!": "on already",
    "Mug|1 is not an Openable object": "opened",
    "Mug_1 Does not have the CanBeSliced property!": "sliced",
    "Cabinet_1 failed to open/close": "in its way",
    "Cabinet_e8c521bb is blocking Agent 0 from moving by (0.0000, 0.0000, -0.2500).": "in the way",
    "a held item: Pan_1 with something if agent rotates Right 90 degrees": "turning",
    "No valid positions to place object found": "fit",
    "This target object is NOT a receptacle!": "put on",
    "Target must be OFF to open!": "off before",
    "Mug_1 is not a valid Object Type to be placed in Toaster_1": "belong",
    "No target found": "within reach",
    "it is occluded by something": "in front",
    "another object's collision is blocking held object from being placed": "another spot",
    "The Commander is too far away for a handoff": "partner",
    "Picking up object would cause it to collide and clip into something!": "bumping",
}


@pytest.mark.parametrize("message", FAILURES)
def test_a_simulators_refusal_gets_the_hint_that_fits(message: str) -> None:
    assert FAILURES[message] in (messages.hint(message) or "")


def test_the_households_own_refusals_get_hints() -> None:
    click = Action.click("Pickup", 0.25, 0.5)
    assert messages.hint(messages.NEEDS["Place"]) == "You are not holding anything."
    assert "knife" in (messages.hint(messages.NEEDS["Slice"]) or "")
    assert "filled" in (messages.hint(messages.NEEDS["Pour"]) or "")
    assert "another object" in (messages.hint(messages.no_target(click)) or "")
    assert "out of reach" in (messages.hint(messages.too_far(click, "Mug|1")) or "")


def test_the_first_fragment_in_the_references_order_decides() -> None:
    both = "Cabinet is blocking; No valid positions to place object found"
    assert messages.hint(both) == messages.hint("is blocking")


def test_one_message_is_its_own_hint_and_unknown_ones_have_none() -> None:
    told = "you cannot slice something while you hold nothing"
    assert messages.hint(told) == told
    assert messages.hint("something else altogether") is None
    assert messages.hint("") is None
