"""What can be done with things of a type: all that one who only sees a mug knows of mugs.

What AI2-THOR's metadata says of most objects of a type in the iTHOR rooms. Basins count as their sinks: who sees a sink
sees both.
"""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.tasks.classes import BASIN_TWINS

KINDS: Mapping[str, frozenset[str]] = {
    what: frozenset(kinds.split())
    for what, kinds in {
        "receptacle": """ArmChair Bathtub Bed Bowl Box Cabinet Chair CoffeeMachine CoffeeTable CounterTop Cup Desk
        DiningTable DogBed Drawer Dresser Footstool Fridge GarbageCan HandTowelHolder LaundryHamper Microwave Mug
        Ottoman Pan Plate Pot Safe Shelf SideTable Sink Sofa Stool StoveBurner TVStand Toaster Toilet ToiletPaperHanger
        TowelHolder""",
        "pickupable": """AlarmClock AluminumFoil Apple AppleSliced BaseballBat BasketBall Book Boots Bottle Bowl Box
        Bread BreadSliced ButterKnife CD Candle CellPhone Cloth CreditCard Cup DishSponge Dumbbell Egg EggCracked
        Footstool Fork HandTowel Kettle KeyChain Knife Ladle Laptop Lettuce LettuceSliced Mug Newspaper Pan PaperTowel
        PaperTowelRoll Pen Pencil PepperShaker Pillow Plate Plunger Pot Potato PotatoSliced RemoteControl SaltShaker
        ScrubBrush SoapBar SoapBottle Spatula Spoon SprayBottle Statue TableTopDecor TeddyBear TennisRacket TissueBox
        ToiletPaper Tomato TomatoSliced Towel Vase Watch WateringCan WineBottle""",
        "toggleable": """Candle CellPhone CoffeeMachine DeskLamp Desktop Faucet FloorLamp Laptop LightSwitch Microwave
        ShowerHead StoveKnob Television Toaster""",
        "openable": """Blinds Book Box Cabinet Drawer Fridge Kettle Laptop LaundryHamper Microwave Safe ShowerCurtain
        ShowerDoor Toilet""",
        "canFillWithLiquid": "Bottle Bowl Cup HousePlant Kettle Mug Pot WateringCan WineBottle",
        "dirtyable": "Bed Bowl Cloth Cup Mirror Mug Pan Plate Pot",
        "sliceable": "Apple Bread Egg Lettuce Potato Tomato",
        "cookable": "BreadSliced EggCracked Potato PotatoSliced",
    }.items()
}
"""By property of AI2-THOR's metadata: the types that have it."""
LOOSE = KINDS["pickupable"]
"""Types of things that can be picked up."""


def can(object_type: str, what: str) -> bool:
    """Whether things of a type have a property of `KINDS`."""
    return object_type in KINDS[what]


def whole_of(object_type: str) -> str:
    """The type itself; of a basin that of what it is the basin of."""
    return BASIN_TWINS[object_type] if object_type.endswith("Basin") else object_type
