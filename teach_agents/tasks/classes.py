"""Object types and the classes they belong to.

A definition may ask for a type (`objectType: Mug`) or for a class (`simbotObjectClass: Drinkware`). Every object is of
the class named like its own type; sinks and bathtubs are also of the class of their basins and the other way round
(TEACh specification 4.1); the table below adds the abstract classes (4.2), in the order in which the files list them.
"""

from __future__ import annotations

BASIN_TWINS: dict[str, str] = {
    "Sink": "SinkBasin",
    "SinkBasin": "Sink",
    "Bathtub": "BathtubBasin",
    "BathtubBasin": "Bathtub",
}
"""Pairs of types that count as each other."""

EXTRA_CLASSES: dict[str, tuple[str, ...]] = {
    "AlarmClock": ("Electronics", "RoomDecor"),
    "Apple": ("Food", "Fruit"),
    "AppleSliced": ("Food", "Fruit"),
    "ArmChair": ("Furniture", "Chairs"),
    "BaseballBat": ("SportsEquipment",),
    "BasketBall": ("SportsEquipment",),
    "Bed": ("Furniture",),
    "Blinds": ("WallDecor",),
    "Book": ("MediaEntertainment", "SmallHandheldObjects"),
    "Bottle": ("Tableware", "Drinkware"),
    "Bowl": ("Tableware", "Dishware"),
    "Bread": ("Food",),
    "BreadSliced": ("Food",),
    "ButterKnife": ("Silverware", "Knives", "KitchenUtensils"),
    "Candle": ("RoomDecor",),
    "CD": ("MediaEntertainment", "SmallHandheldObjects"),
    "CellPhone": ("Electronics", "SmallHandheldObjects", "MediaEntertainment"),
    "Chair": ("Furniture", "Chairs"),
    "Cloth": ("CleaningProducts",),
    "CoffeeMachine": ("Appliances",),
    "CoffeeTable": ("Furniture", "Tables"),
    "CreditCard": ("SmallHandheldObjects",),
    "Cup": ("Tableware", "Drinkware"),
    "Curtains": ("WallDecor",),
    "Desk": ("Furniture", "Tables"),
    "DeskLamp": ("Lights", "Lamps"),
    "Desktop": ("Electronics", "MediaEntertainment", "Computers"),
    "DiningTable": ("Furniture", "Tables"),
    "DishSponge": ("CleaningProducts",),
    "Dresser": ("Furniture",),
    "Dumbbell": ("SportsEquipment",),
    "Egg": ("Food",),
    "EggCracked": ("Food",),
    "Faucet": ("WaterSources",),
    "FloorLamp": ("Lights", "Lamps"),
    "Footstool": ("Furniture",),
    "Fork": ("Silverware", "KitchenUtensils"),
    "Fridge": ("Appliances",),
    "GarbageBag": ("CleaningProducts",),
    "HandTowel": ("HygieneProducts",),
    "HousePlant": ("RoomDecor",),
    "Kettle": ("Cookware",),
    "KeyChain": ("SmallHandheldObjects",),
    "Knife": ("Cookware", "Knives", "KitchenUtensils"),
    "Ladle": ("Cookware", "KitchenUtensils"),
    "Laptop": ("Electronics", "MediaEntertainment", "Computers"),
    "Lettuce": ("Food", "Vegetables"),
    "LettuceSliced": ("Food", "Vegetables"),
    "LightSwitch": ("Lights",),
    "Microwave": ("Appliances",),
    "Mug": ("Tableware", "Drinkware"),
    "Newspaper": ("MediaEntertainment",),
    "Ottoman": ("Furniture",),
    "Painting": ("WallDecor",),
    "Pan": ("Cookware",),
    "PaperTowel": ("CleaningProducts",),
    "Pen": ("SmallHandheldObjects", "WritingUtensils"),
    "Pencil": ("SmallHandheldObjects", "WritingUtensils"),
    "PepperShaker": ("Tableware", "Condiments"),
    "Plate": ("Tableware", "Dishware"),
    "Plunger": ("CleaningProducts",),
    "Poster": ("WallDecor",),
    "Pot": ("Cookware",),
    "Potato": ("Food", "Vegetables"),
    "PotatoSliced": ("Food", "Vegetables"),
    "RemoteControl": ("Electronics", "SmallHandheldObjects", "MediaEntertainment"),
    "RoomDecor": ("RoomDecor",),
    "SaltShaker": ("Tableware", "Condiments"),
    "ScrubBrush": ("CleaningProducts",),
    "Shelf": ("Furniture", "Tables"),
    "ShowerCurtain": ("WallDecor",),
    "ShowerHead": ("WaterSources",),
    "SideTable": ("Furniture", "Tables"),
    "SoapBar": ("CleaningProducts", "HygieneProducts", "Soap"),
    "SoapBottle": ("CleaningProducts", "HygieneProducts", "Soap"),
    "Sofa": ("Furniture", "Chairs"),
    "Spatula": ("Cookware", "KitchenUtensils"),
    "Spoon": ("Silverware", "KitchenUtensils"),
    "SprayBottle": ("CleaningProducts",),
    "Statue": ("RoomDecor",),
    "Stool": ("Furniture", "Chairs"),
    "StoveBurner": ("Appliances",),
    "StoveKnob": ("Appliances",),
    "TableTopDecor": ("RoomDecor",),
    "TeddyBear": ("RoomDecor",),
    "Television": ("Electronics", "MediaEntertainment"),
    "TennisRacket": ("SportsEquipment",),
    "TissueBox": ("CleaningProducts", "HygieneProducts"),
    "Toaster": ("Appliances",),
    "Toilet": ("WaterSources",),
    "ToiletPaper": ("CleaningProducts",),
    "Tomato": ("Food", "Fruit"),
    "TomatoSliced": ("Food", "Fruit"),
    "Towel": ("HygieneProducts",),
    "TVStand": ("Furniture",),
    "VacuumCleaner": ("Appliances", "CleaningProducts"),
    "Vase": ("RoomDecor",),
    "Watch": ("SmallHandheldObjects",),
    "Window": ("WallDecor",),
    "WineBottle": ("Tableware", "RoomDecor"),
}
"""Abstract classes of each object type, in the order of TEACh's class file."""

_TYPES_WITHOUT_CLASS = """
AluminumFoil Bathtub BathtubBasin Bench Boots Box Cabinet Cart ClothesDryer CounterTop DogBed Doorframe
Doorway Drawer Floor GarbageCan HandTowelHolder LaundryHamper Mirror PaperTowelRoll Pillow Safe ShelvingUnit
ShowerDoor ShowerGlass Sink SinkBasin TargetCircle ToiletPaperHanger TowelHolder Wall WashingMachine
WateringCan
""".split()

OBJECT_TYPES: frozenset[str] = frozenset(EXTRA_CLASSES) | frozenset(_TYPES_WITHOUT_CLASS)
"""Every object type of the iTHOR rooms and of TEACh's class file."""

OBJECT_CLASSES: frozenset[str] = OBJECT_TYPES | {name for names in EXTRA_CLASSES.values() for name in names}
"""Every class: each type is one, and the abstract ones."""


def object_classes(object_type: str) -> list[str]:
    """`simbotObjectClass` of an object of this type: itself, its basin twin, its abstract classes; a new list."""
    twin = BASIN_TWINS.get(object_type)
    return [object_type, *([twin] if twin else []), *EXTRA_CLASSES.get(object_type, ())]


def type_from_id(object_id: str) -> str:
    """The object type an id tells: its first part, or for five-part ids the last up to an underscore.

    `Mug|+01.00|+00.90|-00.50` is a Mug, `Sink|...|SinkBasin` a SinkBasin, `Apple|...|AppleSliced_2` an AppleSliced.
    """
    parts = object_id.split("|")
    return parts[0] if len(parts) <= 4 else parts[-1].split("_", 1)[0]
