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

_TYPES_BY_CLASSES = """
Appliances: CoffeeMachine Fridge Microwave StoveBurner StoveKnob Toaster
Appliances CleaningProducts: VacuumCleaner
CleaningProducts: Cloth DishSponge GarbageBag PaperTowel Plunger ScrubBrush SprayBottle ToiletPaper
CleaningProducts HygieneProducts: TissueBox
CleaningProducts HygieneProducts Soap: SoapBar SoapBottle
Cookware: Kettle Pan Pot
Cookware KitchenUtensils: Ladle Spatula
Cookware Knives KitchenUtensils: Knife
Electronics MediaEntertainment: Television
Electronics MediaEntertainment Computers: Desktop Laptop
Electronics RoomDecor: AlarmClock
Electronics SmallHandheldObjects MediaEntertainment: CellPhone RemoteControl
Food: Bread BreadSliced Egg EggCracked
Food Fruit: Apple AppleSliced Tomato TomatoSliced
Food Vegetables: Lettuce LettuceSliced Potato PotatoSliced
Furniture: Bed Dresser Footstool Ottoman TVStand
Furniture Chairs: ArmChair Chair Sofa Stool
Furniture Tables: CoffeeTable Desk DiningTable Shelf SideTable
HygieneProducts: HandTowel Towel
Lights: LightSwitch
Lights Lamps: DeskLamp FloorLamp
MediaEntertainment: Newspaper
MediaEntertainment SmallHandheldObjects: Book CD
RoomDecor: Candle HousePlant RoomDecor Statue TableTopDecor TeddyBear Vase
Silverware KitchenUtensils: Fork Spoon
Silverware Knives KitchenUtensils: ButterKnife
SmallHandheldObjects: CreditCard KeyChain Watch
SmallHandheldObjects WritingUtensils: Pen Pencil
SportsEquipment: BaseballBat BasketBall Dumbbell TennisRacket
Tableware Condiments: PepperShaker SaltShaker
Tableware Dishware: Bowl Plate
Tableware Drinkware: Bottle Cup Mug
Tableware RoomDecor: WineBottle
WallDecor: Blinds Curtains Painting Poster ShowerCurtain Window
WaterSources: Faucet ShowerHead Toilet
"""
"""Abstract classes in the order of TEACh's class file, and the types that are of just these."""

EXTRA_CLASSES: dict[str, tuple[str, ...]] = {
    object_type: tuple(classes.split())
    for classes, _, types in (line.partition(":") for line in _TYPES_BY_CLASSES.strip().splitlines())
    for object_type in types.split()
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
