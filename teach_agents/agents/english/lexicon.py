"""Words for things: every AI2-THOR object type and TEACh object class, one and many.

Most type names are their own English ("CounterTop" is a "counter top"); the table holds the others. A type that
nobody listed is spoken by splitting its name and understood by joining the words again, so that new objects need no
change here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

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
    name: tuple(phrases.split(", "))
    for name, phrases in (
        line.strip().split(": ")
        for line in """
        AlarmClock: clock
        AppleSliced: apple slice, piece of apple
        ArmChair: arm chair, armchair, easy chair
        BaseballBat: bat
        BasketBall: basketball
        Book: cookbook
        Bottle: glass bottle
        Box: cardboard box
        Bread: loaf, bread loaf
        BreadSliced: bread slice, piece of bread
        ButterKnife: table knife, dinner knife
        CD: cd, compact disc
        Cabinet: cupboard, storage cabinet
        CellPhone: cell phone, mobile phone
        Chair: wooden chair, dining chair
        CoffeeMachine: coffee maker, coffee pot
        CoffeeTable: low table
        CounterTop: counter, countertop
        CreditCard: bank card
        DeskLamp: table lamp, reading lamp
        DiningTable: kitchen table
        DishSponge: sponge
        Faucet: tap, water tap
        FloorLamp: standing lamp
        Footstool: foot rest
        Fork: dinner fork
        Fridge: refrigerator
        GarbageBag: trash bag
        GarbageCan: trash can, bin, waste bin
        HandTowel: small towel
        HousePlant: plant, potted plant
        Kettle: tea kettle
        KeyChain: key chain, set of keys
        Knife: kitchen knife, sharp knife
        Ladle: soup ladle
        Laptop: laptop computer
        LaundryHamper: laundry basket
        Lettuce: lettuce head
        LettuceSliced: lettuce slice, piece of lettuce
        LightSwitch: switch
        Microwave: microwave oven
        Mug: coffee mug
        Newspaper: paper, daily paper
        Pan: frying pan
        PaperTowelRoll: kitchen roll, paper towel
        PepperShaker: pepper
        Plate: dinner plate
        Pot: cooking pot
        PotatoSliced: potato slice, piece of potato
        RemoteControl: remote, tv remote
        SaltShaker: salt
        Shelf: open shelf
        SideTable: end table, little table, small table
        SoapBar: bar of soap
        SoapBottle: soap dispenser, liquid soap
        Sofa: couch
        Stool: bar stool
        StoveBurner: stove, burner
        TVStand: tv cabinet
        Television: tv, tv set
        TeddyBear: stuffed bear
        TissueBox: box of tissues
        Toast: slice of toast, piece of toast, toast slice
        ToiletPaper: toilet roll
        TomatoSliced: tomato slice, piece of tomato
        Vase: flower vase
        Watch: wrist watch
        WateringCan: watering pot
        WineBottle: bottle of wine
        """.strip().splitlines()
    )
}
"""Other words for one, most of them in use in every home."""

_PRONOUNS = {"It": ("it", "them"), "Slice": ("slice", "slices")}

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
    head, of, rest = one.partition(" of ")
    if of:
        return _plural(head) + of + rest
    if one.endswith("knife"):
        return one[:-2] + "ves"
    if re.search(r"(s|x|sh|ch|[^aeiou]o)$", one):
        return one + "es"
    return one[:-1] + "ies" if re.search(r"[^aeiou]y$", one) else one + "s"


@lru_cache(maxsize=512)
def noun(name: str) -> Noun:
    """The words for a type or class; never fails, an unlisted name is split into words."""
    pair = _SPECIAL.get(name) or _CLASSES.get(name)
    if pair is None:
        one = _split(name)
        pair = (one, _plural(one))
    return Noun(name, *pair)


@lru_cache(maxsize=512)
def nouns(name: str) -> tuple[Noun, ...]:
    """All the words for a type or class, the usual ones first."""
    return (noun(name), *(Noun(name, one, _plural(one)) for one in _SYNONYMS.get(name, ())))


def preposition(name: str) -> str:
    """How one speaks of things held by a receptacle of this type: "in" or "on"."""
    return "in" if name in _IN_TYPES else "on"


@lru_cache(maxsize=1)
def _phrases() -> dict[tuple[str, ...], tuple[str, bool]]:
    """Every known phrase: the name and whether it speaks of several."""
    table: dict[tuple[str, ...], tuple[str, bool]] = {}
    for name in (*_CLASSES, *_PLAIN, *_SPECIAL):
        words = noun(name)
        for phrase, several in ((words.one, False), (words.many, True)):
            table.setdefault(tuple(phrase.lower().split()), (name, several))
    for name, phrases in _SYNONYMS.items():
        for one in phrases:
            for phrase, several in ((one, False), (_plural(one), True)):
                table.setdefault(tuple(phrase.split()), (name, several))
    for name, phrases in _PRONOUNS.items():
        for phrase in phrases:
            table.setdefault((phrase,), (name, phrase == "slices"))
    return table


def is_known(name: str) -> bool:
    """Whether a name is that of a listed type or class, or a pronoun."""
    return name in _SPECIAL or name in _CLASSES or name in _PLAIN or name in _PRONOUNS


_LONGEST = 4
_STOP_WORDS = frozenset(
    """in on into onto inside that which with from off out up down everything and then it them is are needs need near
    above below leftof rightof behind infront""".split()
)

_NO_NOUNS = frozenset(
    """a an the i me my we us you your he she him her they this these those what who where when why how not no yes do
    does did am was were be been have has can could would will should must to for as at if please""".split()
)
"""Words that no thing is called by: with one of them, what is not known is a sentence, and not a name."""


def match_noun(words: tuple[str, ...], start: int) -> tuple[str, bool, int] | None:
    """The longest known noun at `start`: its name, whether it is a plural, and the position behind it.

    Unknown words make a new name, unless they are of those that no thing is called by.
    """
    table = _phrases()
    for length in range(min(_LONGEST, len(words) - start), 0, -1):
        known = table.get(words[start : start + length])
        if known:
            return *known, start + length
    end = start
    while end < len(words) and words[end] not in _STOP_WORDS:
        end += 1
    unknown = words[start:end]
    if not unknown or not all(word.isalpha() and word not in _NO_NOUNS for word in unknown):
        return None
    return "".join(word.capitalize() for word in unknown), False, end
