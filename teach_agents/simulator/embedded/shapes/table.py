"""Which builder makes which object type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from teach_agents.simulator.embedded.shapes import (
    appliances,
    bathroom,
    belongings,
    cabinets,
    electronics,
    food,
    furniture,
    seating,
    structure,
    tableware,
)
from teach_agents.simulator.embedded.shapes.blueprint import Blueprint, pack
from teach_agents.simulator.embedded.shapes.look import Look
from teach_agents.simulator.embedded.shapes.parts import Material, Part

Builder = Callable[[Look], Iterable[Part]]

_UNKNOWN = Material((160, 90, 160))


def _plain(look: Look) -> Iterable[Part]:
    yield look.box((0, 0.5, 0), (1, 1, 1), _UNKNOWN)


BUILDERS: Mapping[str, Builder] = MappingProxyType(
    {
        "AlarmClock": electronics.alarm_clock,
        "AluminumFoil": belongings.aluminum_foil,
        "Apple": food.apple,
        "AppleSliced": food.slice_of,
        "ArmChair": seating.arm_chair,
        "BaseballBat": belongings.baseball_bat,
        "BasketBall": belongings.basketball,
        "Bathtub": bathroom.bathtub,
        "BathtubBasin": bathroom.bathtub_basin,
        "Bed": seating.bed,
        "Bench": seating.ottoman,
        "Blinds": structure.blinds,
        "Book": belongings.book,
        "Boots": belongings.boots,
        "Bottle": tableware.bottle,
        "Bowl": tableware.bowl,
        "Box": belongings.cardboard_box,
        "Bread": food.bread,
        "BreadSliced": food.slice_of,
        "ButterKnife": tableware.butter_knife,
        "CD": electronics.cd,
        "Cabinet": cabinets.cabinet,
        "Candle": belongings.candle,
        "Cart": furniture.cart,
        "CellPhone": electronics.cell_phone,
        "Chair": seating.chair,
        "Cloth": bathroom.cloth,
        "ClothesDryer": appliances.laundry_machine,
        "CoffeeMachine": appliances.coffee_machine,
        "CoffeeTable": furniture.coffee_table,
        "CounterTop": cabinets.counter_top,
        "CreditCard": belongings.credit_card,
        "Cup": tableware.cup,
        "Curtains": structure.curtains,
        "Desk": furniture.desk,
        "DeskLamp": electronics.desk_lamp,
        "Desktop": electronics.desktop,
        "DiningTable": furniture.dining_table,
        "DishSponge": bathroom.dish_sponge,
        "DogBed": seating.dog_bed,
        "Doorframe": structure.doorway,
        "Doorway": structure.doorway,
        "Drawer": cabinets.drawer,
        "Dresser": furniture.dresser,
        "Dumbbell": belongings.dumbbell,
        "Egg": food.egg,
        "EggCracked": food.egg_cracked,
        "Faucet": cabinets.faucet,
        "Floor": structure.floor,
        "FloorLamp": electronics.floor_lamp,
        "Footstool": seating.footstool,
        "Fork": tableware.fork,
        "Fridge": appliances.fridge,
        "GarbageBag": belongings.garbage_bag,
        "GarbageCan": belongings.garbage_can,
        "HandTowel": bathroom.hand_towel,
        "HandTowelHolder": bathroom.holder,
        "HousePlant": belongings.house_plant,
        "Kettle": tableware.kettle,
        "KeyChain": belongings.key_chain,
        "Knife": tableware.knife,
        "Ladle": tableware.ladle,
        "Laptop": electronics.laptop,
        "LaundryHamper": belongings.laundry_hamper,
        "Lettuce": food.lettuce,
        "LettuceSliced": food.slice_of,
        "LightSwitch": electronics.light_switch,
        "Microwave": appliances.microwave,
        "Mirror": bathroom.mirror,
        "Mug": tableware.mug,
        "Newspaper": belongings.newspaper,
        "Ottoman": seating.ottoman,
        "Painting": structure.painting,
        "Pan": tableware.pan,
        "PaperTowelRoll": belongings.paper_towel,
        "Pen": belongings.pen,
        "Pencil": belongings.pencil,
        "PepperShaker": tableware.shaker,
        "Pillow": seating.pillow,
        "Plate": tableware.plate,
        "Plunger": bathroom.plunger,
        "Poster": structure.poster,
        "Pot": tableware.pot,
        "Potato": food.potato,
        "PotatoSliced": food.slice_of,
        "RemoteControl": electronics.remote_control,
        "RoomDecor": belongings.room_decor,
        "Safe": cabinets.safe,
        "SaltShaker": tableware.shaker,
        "ScreenFrame": structure.screen_frame,
        "ScreenSheet": structure.poster,
        "ScrubBrush": bathroom.scrub_brush,
        "Shelf": furniture.shelf,
        "ShelvingUnit": furniture.shelving_unit,
        "ShowerCurtain": bathroom.shower_curtain,
        "ShowerDoor": bathroom.shower_door,
        "ShowerGlass": bathroom.shower_glass,
        "ShowerHead": bathroom.shower_head,
        "SideTable": furniture.side_table,
        "Sink": cabinets.sink,
        "SinkBasin": cabinets.sink_basin,
        "SoapBar": bathroom.soap_bar,
        "SoapBottle": bathroom.soap_bottle,
        "Sofa": seating.sofa,
        "Spatula": tableware.spatula,
        "Spoon": tableware.spoon,
        "SprayBottle": bathroom.spray_bottle,
        "Statue": belongings.statue,
        "Stool": seating.stool,
        "StoveBurner": cabinets.stove_burner,
        "StoveKnob": cabinets.stove_knob,
        "TVStand": furniture.tv_stand,
        "TableTopDecor": belongings.table_top_decor,
        "TargetCircle": belongings.target_circle,
        "TeddyBear": belongings.teddy_bear,
        "Television": electronics.television,
        "TennisRacket": belongings.tennis_racket,
        "TissueBox": bathroom.tissue_box,
        "Toaster": appliances.toaster,
        "Toilet": bathroom.toilet,
        "ToiletPaper": bathroom.toilet_paper,
        "ToiletPaperHanger": bathroom.toilet_paper_hanger,
        "Tomato": food.tomato,
        "TomatoSliced": food.slice_of,
        "Towel": bathroom.towel,
        "TowelHolder": bathroom.holder,
        "VacuumCleaner": appliances.vacuum_cleaner,
        "Vase": belongings.vase,
        "Wall": structure.wall,
        "WashingMachine": appliances.laundry_machine,
        "Watch": electronics.watch,
        "WateringCan": belongings.watering_can,
        "Window": structure.window,
        "WineBottle": tableware.wine_bottle,
    }
)
"""Object type to builder; a type that is not listed is drawn as a plain box."""


def parts_for(look: Look) -> tuple[Part, ...]:
    """The parts of an object that looks like `look`, in its own frame."""
    return tuple(BUILDERS.get(look.object_type, _plain)(look)) if look.setting.drawn else ()


@lru_cache(maxsize=16384)
def blueprint_of(look: Look) -> Blueprint:
    """The packed parts of `look`, shared by every object and session that looks the same."""
    return pack(parts_for(look))
