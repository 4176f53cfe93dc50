"""Words for things: every AI2-THOR object type and TEACh object class, one and many.

Most type names are their own English ("CounterTop" is a "counter top"); the table holds the others. A type that
nobody listed is spoken by splitting its name and understood by joining the words again, so that new objects need no
change here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["NUMBERS", "Noun", "match_noun", "noun", "preposition"]

NUMBERS: tuple[str, ...] = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""Counts in words."""


@dataclass(frozen=True, slots=True)
class Noun:
    """One kind of thing in words: `one` ("slice of bread"), `many` ("slices of bread")."""

    name: str
    one: str
    many: str


_SPECIAL: dict[str, tuple[str, str]] = {
    "AlarmClock": ("alarm clock", "alarm clocks"),
    "AppleSliced": ("slice of apple", "slices of apple"),
    "BathtubBasin": ("bathtub basin", "bathtub basins"),
    "BreadSliced": ("slice of bread", "slices of bread"),
    "ButterKnife": ("butter knife", "butter knives"),
    "CD": ("disc", "discs"),
    "CellPhone": ("phone", "phones"),
    "Cloth": ("cloth", "cloths"),
    "Curtains": ("curtain", "curtains"),
    "Blinds": ("window blind", "window blinds"),
    "Boots": ("pair of boots", "pairs of boots"),
    "EggCracked": ("cracked egg", "cracked eggs"),
    "GarbageCan": ("garbage can", "garbage cans"),
    "HousePlant": ("house plant", "house plants"),
    "Knife": ("knife", "knives"),
    "LettuceSliced": ("slice of lettuce", "slices of lettuce"),
    "PotatoSliced": ("slice of potato", "slices of potato"),
    "Shelf": ("shelf", "shelves"),
    "SinkBasin": ("sink basin", "sink basins"),
    "TVStand": ("TV stand", "TV stands"),
    "TomatoSliced": ("slice of tomato", "slices of tomato"),
    "ToiletPaper": ("roll of toilet paper", "rolls of toilet paper"),
    "Watch": ("watch", "watches"),
}

_CLASSES: dict[str, tuple[str, str]] = {
    "Appliances": ("appliance", "appliances"),
    "Chairs": ("seat", "seats"),
    "CleaningProducts": ("cleaning product", "cleaning products"),
    "Computers": ("computer", "computers"),
    "Condiments": ("condiment", "condiments"),
    "Cookware": ("piece of cookware", "cookware"),
    "Dishware": ("piece of dishware", "dishware"),
    "Drinkware": ("piece of drinkware", "drinkware"),
    "Electronics": ("electronic device", "electronic devices"),
    "Food": ("food item", "food items"),
    "Fruit": ("piece of fruit", "fruit"),
    "Furniture": ("piece of furniture", "furniture"),
    "HygieneProducts": ("hygiene product", "hygiene products"),
    "KitchenUtensils": ("kitchen utensil", "kitchen utensils"),
    "Knives": ("sharp utensil", "sharp utensils"),
    "Lamps": ("lamp", "lamps"),
    "Lights": ("light", "lights"),
    "MediaEntertainment": ("media item", "media items"),
    "Silverware": ("piece of silverware", "silverware"),
    "SmallHandheldObjects": ("small handheld object", "small handheld objects"),
    "Soap": ("piece of soap", "soap"),
    "SportsEquipment": ("piece of sports equipment", "sports equipment"),
    "Tables": ("table", "tables"),
    "Tableware": ("piece of tableware", "tableware"),
    "Vegetables": ("vegetable", "vegetables"),
    "WallDecor": ("wall decoration", "wall decorations"),
    "WaterSources": ("water source", "water sources"),
    "WritingUtensils": ("writing utensil", "writing utensils"),
}

_SYNONYMS: dict[str, tuple[str, ...]] = {
    "CellPhone": ("cell phone", "cell phones"),
    "CounterTop": ("counter", "counters", "countertop", "countertops"),
    "DishSponge": ("sponge", "sponges"),
    "Fridge": ("refrigerator", "refrigerators"),
    "Faucet": ("tap", "taps"),
    "GarbageCan": ("trash can", "bin", "bins"),
    "HousePlant": ("plant", "plants"),
    "CoffeeMachine": ("coffee maker", "coffee makers"),
    "RemoteControl": ("remote", "remotes"),
    "Sofa": ("couch", "couches"),
    "StoveBurner": ("stove", "burner", "burners"),
    "Television": ("tv", "tvs"),
    "BreadSliced": ("bread slice", "bread slices"),
    "TomatoSliced": ("tomato slice", "tomato slices"),
    "PotatoSliced": ("potato slice", "potato slices"),
    "AppleSliced": ("apple slice", "apple slices"),
    "LettuceSliced": ("lettuce slice", "lettuce slices"),
    "CD": ("cd", "cds"),
    "It": ("it", "them"),
    "Slice": ("slice", "slices"),
}

_PLAIN = """
AluminumFoil Apple ArmChair BaseballBat BasketBall Bathtub Bed Bench Book Bottle Bowl Box Bread Cabinet Candle Cart
Chair ClothesDryer CoffeeMachine CoffeeTable CounterTop CreditCard Cup Desk DeskLamp Desktop DiningTable DishSponge
DogBed Drawer Dresser Dumbbell Egg Faucet Floor FloorLamp Footstool Fork Fridge GarbageBag HandTowel HandTowelHolder
Kettle KeyChain Ladle Laptop LaundryHamper Lettuce LightSwitch Microwave Mirror Mug Newspaper Ottoman Painting Pan
PaperTowelRoll Pen Pencil PepperShaker Pillow Plate Plunger Poster Pot Potato RemoteControl RoomDecor Safe SaltShaker
ScrubBrush ShelvingUnit ShowerCurtain ShowerDoor ShowerGlass ShowerHead SideTable Sink SoapBar SoapBottle Sofa Spatula
Spoon SprayBottle Statue Stool StoveBurner StoveKnob TableTopDecor TeddyBear Television TennisRacket TissueBox Toaster
Toilet ToiletPaperHanger Tomato Towel TowelHolder VacuumCleaner Vase Wall WashingMachine WateringCan Window WineBottle
""".split()

_IN_TYPES = frozenset(
    """Bathtub BathtubBasin Bottle Bowl Box Cabinet CoffeeMachine Cup Drawer Fridge GarbageBag GarbageCan Kettle
    LaundryHamper Microwave Mug Pot Safe Sink SinkBasin Toaster Toilet Vase WateringCan""".split()
)


def _split(name: str) -> str:
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)).lower()


def _plural(one: str) -> str:
    if re.search(r"(s|x|sh|ch|[^aeiou]o)$", one):
        return one + "es"
    if re.search(r"[^aeiou]y$", one):
        return one[:-1] + "ies"
    return one + "s"


@lru_cache(maxsize=512)
def noun(name: str) -> Noun:
    """The words for a type or class; never fails, an unlisted name is split into words."""
    pair = _SPECIAL.get(name) or _CLASSES.get(name)
    if pair is None:
        one = _split(name)
        pair = (one, _plural(one))
    return Noun(name, *pair)


def preposition(name: str) -> str:
    """How one speaks of things held by a receptacle of this type: "in" or "on"."""
    return "in" if name in _IN_TYPES else "on"


@lru_cache(maxsize=1)
def _phrases() -> dict[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {}
    for name in (*_CLASSES, *_PLAIN, *_SPECIAL):
        words = noun(name)
        for phrase in (words.one, words.many):
            table.setdefault(tuple(phrase.lower().split()), name)
    for name, phrases in _SYNONYMS.items():
        for phrase in phrases:
            table.setdefault(tuple(phrase.split()), name)
    return table


_LONGEST = 4
_STOP_WORDS = frozenset(
    "in on into onto inside that which with from off out up down everything and then it them".split()
)


def match_noun(words: tuple[str, ...], start: int) -> tuple[str, int] | None:
    """The longest known noun at `start`: its name and the position behind it; unknown words make a new name."""
    table = _phrases()
    for length in range(min(_LONGEST, len(words) - start), 0, -1):
        name = table.get(words[start : start + length])
        if name:
            return name, start + length
    end = start
    while end < len(words) and words[end] not in _STOP_WORDS:
        end += 1
    unknown = words[start:end]
    if not unknown or not all(word.isalpha() for word in unknown):
        return None
    return "".join(word.capitalize() for word in unknown), end
