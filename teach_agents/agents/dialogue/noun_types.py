"""What people call things, as AI2-THOR types and TEACh classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from teach_agents.agents.acting.things import Thing
from teach_agents.understanding.english.lexicon import is_known, match_noun

_SAID: Mapping[str, str] = {
    "basin": "Sink",
    "bath": "Bathtub",
    "bathroom_sink": "Sink",
    "bear": "TeddyBear",
    "bedside_lamp": "DeskLamp",
    "bedside_table": "SideTable",
    "blind": "Blinds",
    "bookcase": "ShelvingUnit Shelf",
    "bookshelf": "ShelvingUnit Shelf",
    "can": "GarbageCan",
    "card": "CreditCard",
    "carton": "Box",
    "ceiling_lamp": "LightSwitch",
    "ceiling_light": "LightSwitch",
    "cooker": "StoveBurner",
    "cushion": "Pillow",
    "cutlery": "Silverware Knives",
    "cutting_board": "",
    "dish": "Plate Bowl Cup Mug Pot Pan Fork Spoon Knife ButterKnife Spatula Ladle",
    "drink": "Mug Cup Bottle WineBottle",
    "dustbin": "GarbageCan",
    "flower": "HousePlant Vase",
    "freezer": "Fridge",
    "fridge_door": "Fridge",
    "frypan": "Pan",
    "garbage": "GarbageCan",
    "glass": "Cup",
    "hamper": "LaundryHamper",
    "hob": "StoveBurner",
    "hotplate": "StoveBurner",
    "key": "KeyChain",
    "keys": "KeyChain",
    "knife": "Knife ButterKnife",
    "lamp": "DeskLamp FloorLamp",
    "light": "LightSwitch DeskLamp FloorLamp",
    "mobile": "CellPhone",
    "nightstand": "SideTable",
    "notebook": "Laptop",
    "main_light": "LightSwitch",
    "oven": "StoveBurner Microwave",
    "overhead_light": "LightSwitch",
    "picture": "Painting",
    "rubbish": "GarbageCan",
    "rubbish_bin": "GarbageCan",
    "seat": "Chair ArmChair Sofa Stool",
    "shower": "ShowerHead",
    "silverware": "Silverware Knives",
    "slice_of_toast": "BreadSliced",
    "spud": "Potato",
    "table": "DiningTable CoffeeTable SideTable Desk",
    "teddy": "TeddyBear",
    "telly": "Television",
    "toast": "BreadSliced",
    "toilet_paper": "ToiletPaper",
    "trash": "GarbageCan",
    "trashcan": "GarbageCan",
    "tub": "Bathtub",
    "utensil": "KitchenUtensils Silverware Knives",
    "veg": "Vegetables",
    "wallet": "",
    "water_bottle": "Bottle",
    "wine": "WineBottle",
    "wine_glass": "Cup",
    "worktop": "CounterTop",
}
"""Names that the phrasebook does not list, by what they may be, the likeliest first; "" for what no room has."""
PRONOUNS = frozenset("it them that this those these one ones other".split())
"""What points at something said or done before."""
ANYTHING = frozenset("something anything everything thing stuff object item whatever".split())
"""Nouns that any thing is called by."""
_SLICE_OF = ("slice_of_", "piece_of_", "bit_of_")


@lru_cache(maxsize=1024)
def kinds_of(said: str) -> tuple[str, ...]:
    """The types or classes that a noun of a reading stands for, the likeliest first; none for what no household has.

    `said` is singular, with `_` between its words ("coffee_machine").
    """
    if said in _SAID:
        return tuple(_SAID[said].split())
    words = tuple(said.lower().split("_"))
    found = match_noun(words, 0)
    if found is not None and is_known(found[0]) and found[2] == len(words) and found[0] != "It":
        return ("BreadSliced",) if found[0] == "Toast" else (found[0],)
    for opening in _SLICE_OF:
        if said.startswith(opening):
            return tuple(f"{kind}Sliced" for kind in kinds_of(said.removeprefix(opening)))
    if len(words) > 1:  # "kitchen sink", "front door": what is said last is what it is
        return kinds_of("_".join(words[1:]))
    return ()


def named_by(said: str) -> str:
    """Of the kinds that may be called so, the one whose very name it is: a "knife" is no butter knife where both are.

    "" where the others have other names, or all are of such kinds.
    """
    names = {noun_of(kind): kind for kind in kinds_of(said)}
    return names.get(said, "") if any(name.endswith(f"_{said}") for name in names) else ""


def is_word(said: str) -> bool:
    """Whether a noun is that of something that a household may have."""
    return said in _SAID or said in PRONOUNS or said in ANYTHING or bool(kinds_of(said))


def calls(said: str, thing: Thing) -> bool:
    """Whether a thing may be called so."""
    return said in ANYTHING or any(thing.is_a(kind) for kind in kinds_of(said))


def noun_of(object_type: str) -> str:
    """A type as a noun of readings: "CoffeeMachine" is "coffee_machine"."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in object_type).lstrip("_")
