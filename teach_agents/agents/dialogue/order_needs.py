"""What orders take: a property of their thing, tools, and how they are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teach_agents.core.dialogue import DialogueAct


class Need(NamedTuple):
    """What an order takes: a property of its thing, and why not without; tools, one of each group; how it is done."""

    flag: str = ""
    unfit: str = ""
    tools: Sequence[tuple[str, ...]] = ()
    how: str = ""


_KNIFE, _SINK, _FAUCET = ("Knife", "ButterKnife"), ("Sink", "Bathtub"), ("Faucet",)
_STOVE, _VESSEL = ("Microwave", "StoveBurner"), ("Pot", "Bowl")
_CARRY = "I can carry only small things, one at a time"
NEEDS: Mapping[str, Need] = {
    "get": Need("pickupable", _CARRY, (), "I would go to {x}, pick it up and bring it to you."),
    "pick_up": Need("pickupable", _CARRY, (), "I would go to {x} and pick it up."),
    "put": Need("pickupable", _CARRY, (), "I would pick {x} up, carry it there and put it down."),
    "put_back": Need("pickupable", _CARRY, (), "I would carry {x} to where I took it from."),
    "drop": Need("pickupable", _CARRY, (), "I would put {x} down on what is near me."),
    "throw_away": Need("pickupable", _CARRY, (("GarbageCan",),), "I would carry {x} to the bin and put it in."),
    "move": Need("pickupable", "furniture is too heavy for me", (), "I would pick {x} up and carry it there."),
    "show": Need(how="I would go to {x} and look at it."),
    "go_to": Need(how="I would walk there along free floor."),
    "come": Need(how="I would walk there along free floor."),
    "find": Need(how="I would look around, and open what is shut to look inside."),
    "look_at": Need(how="I would go to {x} and look at it."),
    "look_in": Need("receptacle", "I can look only into things that hold others", (), "I would open {x} and look in."),
    "look_around": Need(how="I would turn around and walk to where I see more."),
    "open": Need("openable", "it does not open", (), "I would stand in front of {x} and pull it open."),
    "close": Need("openable", "it does not open", (), "I would stand in front of {x} and push it shut."),
    "turn_on": Need("toggleable", "it has no switch", (), "I would go to {x} and press the switch."),
    "turn_off": Need("toggleable", "it has no switch", (), "I would go to {x} and press the switch."),
    "wash": Need(
        "pickupable",
        "I can wash only what I can carry to a sink",
        (_SINK, _FAUCET),
        "I would put {x} in the sink and let water run over it.",
    ),
    "slice": Need(
        "sliceable", "it is nothing to slice", (_KNIFE,), "I would take a knife, go to {x} and cut it where it lies."
    ),
    "crack": Need("sliceable", "it is nothing to crack", (_KNIFE,), "I would take a knife and crack {x} with it."),
    "cook": Need(
        "cookable",
        "it is nothing to cook",
        (_STOVE,),
        "I would put {x} in the microwave and turn it on, or put it in a pan on the stove.",
    ),
    "boil": Need(
        "cookable",
        "it is nothing to boil",
        (_VESSEL, _FAUCET, _STOVE),
        "I would put {x} in a pot, fill it with water and heat it on the stove.",
    ),
    "toast": Need(
        "cookable",
        "it is nothing to toast",
        (("Toaster",),),
        "I would slice the bread, put a slice in the toaster and turn it on.",
    ),
    "fill": Need(
        "canFillWithLiquid",
        "it holds no liquid",
        (_SINK, _FAUCET),
        "I would put {x} in the sink under the tap and turn the water on.",
    ),
    "empty": Need("", "", (), "I would carry {x} to the sink and pour it out."),
    "pour": Need("", "", (), "I would hold it over {x} and pour."),
    "water": Need(
        "canFillWithLiquid",
        "it needs no water",
        (("Mug", "Cup", "Bowl", "Pot", "WateringCan"), _FAUCET),
        "I would fill a vessel with water and pour it over {x}.",
    ),
    "clear": Need(
        "receptacle",
        "there is nothing to take off it",
        (),
        "I would carry what is on {x} elsewhere, one thing at a time.",
    ),
    "serve": Need("pickupable", _CARRY, (), "I would put {x} on a plate."),
    "touch": Need(how="I would go to {x} and touch it."),
}
"""What can be ordered and done."""
MOTIONS = frozenset(
    "step_forward step_back step_left step_right turn_left turn_right turn_around look_up look_down".split()
)
_MADE: Mapping[str, Need] = {
    "coffee": Need(
        tools=(("CoffeeMachine",), ("Mug",)), how="I would put a clean mug in the coffee machine and turn it on."
    ),
    "toast": Need(
        tools=(("Toaster",), ("Bread", "BreadSliced")),
        how="I would slice the bread, put a slice in the toaster and turn it on.",
    ),
    "salad": Need(
        tools=(_KNIFE, ("Lettuce", "LettuceSliced"), ("Tomato", "TomatoSliced")),
        how="I would slice lettuce and tomato and put the slices on a plate.",
    ),
    "sandwich": Need(
        tools=(_KNIFE, ("Bread", "BreadSliced"), ("Toaster",)),
        how="I would toast two slices of bread, slice what goes between them and put it all on a plate.",
    ),
    "breakfast": Need(
        tools=(("CoffeeMachine",), ("Mug",)), how="I would make coffee and toast, and put them on the table."
    ),
}
_COFFEE_MADE_OF = ("cup", "mug", "pot")


def need_of(order: DialogueAct) -> Need | None:
    """What an order takes; `None` for what no Follower can do."""
    if order.about in MOTIONS:
        return Need()
    if order.about == "fill" and any(slot.role == "with" and slot.phrase.noun == "coffee" for slot in order.slots):
        return _MADE["coffee"]
    if order.about != "make":
        return NEEDS.get(order.about)
    what = next((slot.phrase for slot in order.slots if not slot.role), None)
    if what is None:
        return None
    contents = what.place[1].noun if what.place is not None and what.place[0] == "of" else ""
    noun = contents if what.noun in _COFFEE_MADE_OF else what.noun.removeprefix("slice_of_")
    return _MADE.get(noun)
