"""What people call things, as AI2-THOR types and TEACh classes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from teach_agents.agents.acting.things import Thing
from teach_agents.tasks.classes import OBJECT_TYPES
from teach_agents.understanding.english.lexicon import is_known, match_noun

_SAID: Mapping[str, str] = {
    "air_freshener": "SprayBottle",
    "backpack": "",
    "ball": "BasketBall",
    "bar": "SoapBar",
    "barbell": "Dumbbell",
    "basin": "Sink",
    "bath": "Bathtub",
    "bear": "TeddyBear",
    "bed_of_dog": "DogBed",
    "bedside": "SideTable",
    "bedside_cabinet": "SideTable",
    "bedside_lamp": "DeskLamp",
    "bedside_table": "SideTable",
    "big_light": "LightSwitch",
    "bog": "Toilet",
    "bog_roll": "ToiletPaper",
    "bookcase": "ShelvingUnit Shelf",
    "bookshelf": "ShelvingUnit Shelf",
    "bottle": "Bottle WineBottle SoapBottle SprayBottle",
    "brush": "ScrubBrush",
    "bureau": "Dresser Desk",
    "can": "GarbageCan",
    "card": "CreditCard",
    "carton": "Box",
    "casserole": "Pot",
    "ceiling_lamp": "LightSwitch",
    "ceiling_light": "LightSwitch",
    "cell": "CellPhone",
    "chest_of_drawers": "Dresser",
    "chesterfield": "Sofa",
    "cleaner": "SprayBottle",
    "clicker": "RemoteControl",
    "computer": "Laptop Desktop",
    "controller": "RemoteControl",
    "cooker": "StoveBurner",
    "cooktop": "StoveBurner",
    "cuddly_toy": "TeddyBear",
    "cup_of_coffee": "Mug",
    "cushion": "Pillow",
    "cutlery": "Silverware Knives",
    "cutting_board": "",
    "dish": "Plate Bowl Cup Mug Pot Pan Fork Spoon Knife ButterKnife Spatula Ladle",
    "dishcloth": "Cloth",
    "disk": "CD",
    "dvd": "CD",
    "dog_basket": "DogBed",
    "doggy_bed": "DogBed",
    "drape": "Curtains",
    "drapes": "Curtains",
    "drink": "Mug Cup Bottle WineBottle",
    "dryer": "ClothesDryer",
    "dustbin": "GarbageCan",
    "facecloth": "Cloth",
    "figure": "Statue",
    "figurine": "Statue",
    "flannel": "Cloth",
    "flower": "HousePlant Vase",
    **dict.fromkeys(("flame", "gas", "heat"), "StoveBurner"),
    "foil": "AluminumFoil",
    "footrest": "Ottoman Footstool",
    "footstool": "Ottoman Footstool Stool",
    "freezer": "Fridge",
    "micro": "Microwave",
    "frypan": "Pan",
    "garbage": "GarbageCan",
    "glass": "Cup",
    "hamper": "LaundryHamper",
    "hand_soap": "SoapBottle SoapBar",
    "handset": "CellPhone",
    "hob": "StoveBurner",
    "holder": "ToiletPaperHanger TowelHolder HandTowelHolder",
    "hoover": "VacuumCleaner",
    "hotplate": "StoveBurner",
    "iphone": "CellPhone",
    "john": "Toilet",
    "key": "KeyChain",
    "keys": "KeyChain",
    "kitchen_top": "CounterTop",
    "kleenex": "TissueBox",
    "knife": "Knife ButterKnife",
    "knob": "StoveKnob",
    "lamp": "DeskLamp FloorLamp",
    **dict.fromkeys(("laundry", "washing", "clothes"), "Cloth Towel HandTowel"),
    "laundry_bin": "LaundryHamper",
    "lavatory": "Toilet",
    "lid": "Toilet Box",
    "light": "LightSwitch DeskLamp FloorLamp",
    "loo": "Toilet",
    "loo_paper": "ToiletPaper",
    "loo_roll": "ToiletPaper",
    "loo_roll_holder": "ToiletPaperHanger",
    "loveseat": "Sofa",
    "macbook": "Laptop",
    "machine": "CoffeeMachine WashingMachine",
    "main_light": "LightSwitch",
    "mobile": "CellPhone",
    "night_table": "SideTable",
    "nightstand": "SideTable",
    "notebook": "Laptop",
    "notebook_computer": "Laptop",
    "ornament": "Statue RoomDecor TableTopDecor Vase",
    "oven": "StoveBurner Microwave",
    "overhead_light": "LightSwitch",
    "paper_holder": "ToiletPaperHanger",
    "pet_bed": "DogBed",
    "picture": "Painting",
    "potty": "Toilet",
    "pouf": "Ottoman",
    "pouffe": "Ottoman",
    "racket": "TennisRacket",
    "racquet": "TennisRacket",
    "rag": "Cloth",
    **dict.fromkeys(("rail", "hook", "towel_rack"), "TowelHolder HandTowelHolder"),
    "range": "StoveBurner",
    "ring": "StoveBurner",
    "roll": "ToiletPaper PaperTowelRoll",
    "room_light": "LightSwitch",
    "rubbish": "GarbageCan",
    "rucksack": "",
    "saucepan": "Pot",
    "sculpture": "Statue",
    "seat": "Chair ArmChair Sofa Stool",
    "settee": "Sofa",
    "shades": "Blinds",
    "shaker": "SaltShaker PepperShaker",
    **dict.fromkeys(("shoe", "wellington", "welly", "trainer", "sneaker"), "Boots"),
    "shower": "ShowerHead",
    "side": "CounterTop",
    "sideboard": "Dresser",
    "silverware": "Silverware Knives",
    "skillet": "Pan",
    "slice_of_toast": "BreadSliced",
    "smartphone": "CellPhone",
    "soap": "SoapBar SoapBottle",
    "soft_toy": "TeddyBear",
    "spigot": "Faucet",
    "spray": "SprayBottle",
    "spud": "Potato",
    "stand": "TVStand SideTable",
    "stockpot": "Pot",
    "stovetop": "StoveBurner",
    "stuffed_animal": "TeddyBear",
    "table": "DiningTable CoffeeTable SideTable Desk",
    "tea_towel": "Cloth HandTowel",
    "teacup": "Cup Mug",
    "teddy": "TeddyBear",
    "telly": "Television",
    "telly_stand": "TVStand",
    "telly_table": "TVStand",
    "television_set": "Television",
    "television_stand": "TVStand",
    "television_table": "TVStand",
    "tissue": "TissueBox",
    "tissues": "TissueBox",
    "toast": "BreadSliced",
    "toilet_paper": "ToiletPaper",
    "toilet_roll_holder": "ToiletPaperHanger",
    "tp": "ToiletPaper",
    "towel": "Towel HandTowel",
    **dict.fromkeys(("produce", "greengrocery", "fruit_and_veg"), "Fruit Vegetables Tomato Potato"),
    **dict.fromkeys(("toy", "plaything"), "TeddyBear BasketBall"),
    "trash": "GarbageCan",
    "trashcan": "GarbageCan",
    "tub": "Bathtub",
    "tv_table": "TVStand",
    "tv_unit": "TVStand",
    "tumbler": "Cup",
    "utensil": "KitchenUtensils Silverware Knives",
    "vacuum": "VacuumCleaner",
    **dict.fromkeys(("veg", "vegetable", "veggie"), "Vegetables Tomato"),
    "wallet": "",
    "wardrobe": "Cabinet Dresser",
    "washbasin": "Sink",
    "washcloth": "Cloth",
    "washing_basket": "LaundryHamper",
    "wastebasket": "GarbageCan",
    "wastepaper_basket": "GarbageCan",
    "wc": "Toilet",
    "weight": "Dumbbell",
    "weights": "Dumbbell",
    "wine": "WineBottle",
    "wineglass": "Cup",
    "worktop": "CounterTop",
    "zapper": "RemoteControl",
}
"""Names that the phrasebook does not list, by what they may be, the likeliest first; "" for what no room has."""
LAUNDRY = frozenset({"laundry", "washing", "clothes"})
"""What is for the wash: all of it that is dirty is meant."""
TOAST = frozenset("toast slice_of_toast piece_of_toast bit_of_toast toast_slice".split())
"""Slices of bread, once they are toasted."""
PRONOUNS = frozenset("it them that this those these one ones other".split())
"""What points at something said or done before."""
ANYTHING = frozenset("something anything everything thing stuff object item whatever summat thingy".split())
"""Nouns that any thing is called by."""
DOORS = frozenset({"door"})
"""Nouns for a part of things that open."""
WITH_DOORS = frozenset("Cabinet ClothesDryer Fridge Microwave Safe ShowerDoor WashingMachine".split())
"""Types of what has a door, which is that of no room."""
FRAMED = frozenset({"Cabinet", "Drawer", "Shelf"})
"""Types of what is told apart by its height."""
_EXACT: Mapping[str, str] = {"bath_towel": "Towel"}
"""Names of one type alone, not of what is of its class as well."""
_PARTS = ("_lid", "_door", "_seat", "_handle", "_screen")
"""Ends of names for a part that stands for the whole thing."""
_SLICE_OF = ("slice_of_", "piece_of_", "bit_of_")


def is_name(said: str) -> bool:
    """Whether a noun as a whole is the name of things of a household."""
    part, _, whole = said.partition("_of_")
    if f"_{part}" in _PARTS or said.startswith(_SLICE_OF):
        return bool(kinds_of(whole))
    return bool(_SAID.get(said)) or bool(_named(said))


def _named(said: str) -> tuple[str, ...]:
    """What the phrasebook lists by a name; "a boot" is one of "boots"."""
    for name in (said, f"{said}s"):
        words = tuple(name.lower().split("_"))
        found = match_noun(words, 0)
        if found is not None and is_known(found[0]) and found[2] == len(words) and found[0] != "It":
            return ("BreadSliced",) if found[0] == "Toast" else (found[0],)
    return ()


@cache
def _of_two_words() -> Mapping[str, str]:
    """Types whose names have several words, by these in one."""
    return {kind.lower(): kind for kind in OBJECT_TYPES if re.search(r"[a-z][A-Z]", kind)}


@lru_cache(maxsize=1024)
def kinds_of(said: str) -> tuple[str, ...]:
    """The types or classes that a noun of a reading stands for, the likeliest first; none for what no household has.

    `said` is singular, with `_` between its words ("coffee_machine").
    """
    if said in _SAID:
        return tuple(_SAID[said].split())
    words = tuple(said.lower().split("_"))
    named = _named(said)
    if named:
        return named
    if len(words) == 2 and (kinds := _SAID.get("".join(words))):  # "night stand", "foot rest"
        return tuple(kinds.split())
    if len(words) == 1 and (whole := _of_two_words().get(said.lower())):  # "keychain", "soapbottle"
        return (whole,)
    part, of, whole = said.partition("_of_")
    if of and f"_{part}" in _PARTS:  # "the door of the shower"
        return kinds_of(f"{whole}_{part}")
    if said.endswith(_PARTS) and (wholes := kinds_of(said.rpartition("_")[0])):
        return wholes
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
    if said in _EXACT:
        return thing.object_type == _EXACT[said]
    return said in ANYTHING or any(thing.is_a(kind) for kind in kinds_of(said))


def called_in_part(said: str, content: str, things: Iterable[Thing]) -> list[Thing]:
    """The things of which a noun is the last word of their name, a "bottle" of wine or soap; of `content` if there is
    any."""
    words = ((thing, noun_of(thing.object_type).split("_")) for thing in things)
    return [thing for thing, name in words if name[-1] == said and len(name) > 1 and (not content or content in name)]


def noun_of(object_type: str) -> str:
    """A type as a noun of readings: "CoffeeMachine" is "coffee_machine"."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in object_type).lstrip("_")
