"""In which shut receptacles things are found, as in the first states of TEACh's train sessions.

The figures are those that `scripts/learn_haunts.py` prints.
"""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.agents.acting.things import same_type
from teach_agents.tasks import object_classes

DEEP = frozenset({"Bathtub", "BathtubBasin", "Box", "GarbageCan", "LaundryHamper", "Sink", "SinkBasin"})
"""What hides its contents from afar although it is open."""

_HELD: Mapping[str, str] = {
    "Bathtub": """Candle:33.3 SoapBar:25.6 SprayBottle:23.1 SoapBottle:20.5 Towel:15.4 ToiletPaper:10.3 Cloth:5.1
    PaperTowelRoll:2.6 HandTowel:2.6""",
    "BathtubBasin": """Cloth:57.1 TissueBox:42.9 SoapBottle:31.0 SprayBottle:31.0 SoapBar:23.8 Candle:21.4 Towel:14.3
    ToiletPaper:14.3 HandTowel:11.9 DishSponge:7.1 PaperTowelRoll:7.1""",
    "Box": """RemoteControl:12.0 KeyChain:10.1 CreditCard:9.0 Watch:8.6 Pencil:3.0 CellPhone:2.6 Pen:1.9
    Newspaper:1.5 Book:1.1 TissueBox:1.1 CD:1.1 Bowl:1.1 Vase:0.7 Mug:0.7 AlarmClock:0.7 Candle:0.4
    Plate:0.4 Statue:0.4""",
    "Cabinet": """Plate:4.4 Bread:3.7 Lettuce:3.2 Bowl:3.1 Cup:2.8 SoapBottle:2.6 SaltShaker:2.3 PepperShaker:2.2
    Potato:2.2 Tomato:2.2 Spatula:2.2 Apple:2.1 DishSponge:2.0 Mug:2.0 Fork:1.9 ButterKnife:1.8
    Knife:1.8 Egg:1.8 Spoon:1.7 Kettle:1.4 Pot:1.3 Pan:1.3 WineBottle:1.1 PaperTowelRoll:0.8
    Bottle:0.8 Ladle:0.7 Vase:0.6 Statue:0.5 SprayBottle:0.4 Book:0.3 CreditCard:0.3 CellPhone:0.3""",
    "Drawer": """Spoon:4.2 Fork:4.2 DishSponge:3.6 Spatula:3.0 Bowl:2.7 Potato:2.6 ButterKnife:2.5 Tomato:2.2
    Egg:2.0 Apple:2.0 Knife:1.8 SaltShaker:1.7 Mug:1.6 PepperShaker:1.4 Ladle:1.4 Lettuce:1.2
    Bread:1.1 Cup:1.0 CellPhone:1.0 Pan:0.8 CreditCard:0.6 KeyChain:0.4 Plate:0.4 Book:0.3
    SoapBottle:0.3 Vase:0.3""",
    "Fridge": """Spatula:41.0 Knife:38.1 Lettuce:37.8 Egg:37.2 Potato:34.6 Fork:34.1 ButterKnife:32.8 Tomato:31.8
    Spoon:29.9 Cup:29.1 Apple:28.8 Bowl:27.6 Mug:27.6 DishSponge:25.9 Bread:25.2 SaltShaker:24.0
    PepperShaker:20.3 Plate:19.8 SoapBottle:19.7 Pan:11.9 Ladle:10.5 Pot:9.3 PaperTowelRoll:8.1
    Statue:7.6 Kettle:7.3 Vase:6.1 WineBottle:5.8 Bottle:3.3 CellPhone:3.1 CreditCard:2.6 Book:2.1
    SprayBottle:2.0 Pencil:1.7 Pen:1.5""",
    "GarbageCan": """SoapBottle:9.9 PepperShaker:9.8 SaltShaker:9.3 Egg:7.5 Spoon:7.3 DishSponge:7.1 Apple:7.1
    Potato:6.8 Cup:6.4 Tomato:6.2 Mug:6.1 Fork:5.1 ButterKnife:4.3 PaperTowelRoll:4.2 WineBottle:4.1
    CreditCard:3.6 Bowl:2.4 KeyChain:2.0 Bread:2.0 Bottle:1.9 Lettuce:1.8 CellPhone:1.4 Spatula:1.4
    Pencil:1.4 Watch:1.4 SprayBottle:1.3 Candle:1.3 Knife:1.1 RemoteControl:1.1 Ladle:0.9 Plate:0.7
    Pen:0.6 ToiletPaper:0.6 Statue:0.6 SoapBar:0.5 TissueBox:0.5 Vase:0.4 Kettle:0.3 Newspaper:0.3""",
    "LaundryHamper": """Pencil:10.0 Mug:10.0 CellPhone:10.0""",
    "Microwave": """Spoon:15.5 Fork:13.2 Apple:12.1 Knife:11.6 DishSponge:11.2 Mug:10.9 Tomato:10.9 Potato:10.7
    Egg:10.6 Cup:10.1 PepperShaker:9.9 SaltShaker:9.3 ButterKnife:8.5 Spatula:7.8 Lettuce:5.9
    Bowl:3.3 CellPhone:2.0 Bread:1.6 Plate:1.6 Kettle:1.5 CreditCard:1.4 Pencil:1.2 Ladle:1.1
    SoapBottle:1.0 Pen:0.5""",
    "Safe": """PaperTowelRoll:34.0 Potato:21.3 Apple:21.3 SaltShaker:21.3 Vase:19.1 PepperShaker:17.0
    Spatula:17.0 Tomato:14.9 DishSponge:14.9 Knife:14.9 Mug:14.9 ButterKnife:12.8 SoapBottle:12.8
    Lettuce:12.8 Plate:12.8 Fork:12.8 Egg:10.6 Spoon:8.5 Bowl:8.5 Cup:4.3 CreditCard:4.3 Pan:4.3
    Bread:2.1 Kettle:2.1 Pillow:2.1""",
    "Sink": """DishSponge:19.8 Knife:19.1 ButterKnife:17.9 Potato:17.2 Apple:15.4 SaltShaker:14.9
    SoapBottle:14.9 Egg:14.5 Spatula:12.6 Fork:12.2 Spoon:11.7 Mug:11.7 PepperShaker:11.7
    Tomato:10.3 WineBottle:10.1 Lettuce:9.0 Cup:9.0 PaperTowelRoll:6.0 Plate:3.9 Bowl:3.0 Bread:2.8
    Kettle:2.3 Vase:2.3 SprayBottle:1.4 Statue:0.9 Book:0.9 ToiletPaper:0.9 SoapBar:0.7 Pen:0.7
    Bottle:0.7 Pan:0.7 Pot:0.5 Ladle:0.5""",
    "SinkBasin": """Spoon:17.9 Fork:17.2 SoapBottle:16.8 DishSponge:16.0 Cup:15.9 ButterKnife:15.4 Egg:13.6
    Knife:13.3 Potato:13.0 Mug:12.6 SaltShaker:12.6 PepperShaker:12.2 Tomato:10.2 Spatula:10.2
    Apple:9.9 Lettuce:8.8 WineBottle:7.8 PaperTowelRoll:7.1 Ladle:4.5 Plate:4.4 Bread:3.4 Bottle:3.0
    Bowl:2.9 CreditCard:2.5 SprayBottle:2.3 CellPhone:2.0 Vase:1.5 Kettle:1.4 Pencil:1.3 Statue:1.1
    ToiletPaper:1.0 Pot:0.9 SoapBar:0.8 Candle:0.7 Cloth:0.6 Pen:0.4 Pan:0.3""",
    "Toilet": """ToiletPaper:56.4 SprayBottle:32.7 Cloth:21.8 Candle:18.2 SoapBar:18.2 SoapBottle:16.4
    HandTowel:7.3 DishSponge:7.3 Towel:1.8 PaperTowelRoll:1.8""",
}
"""By type of receptacle: how many things of each type one of them holds, in hundredths."""
_ANYTHING = 0.005
"""What a receptacle may hold of a type that was never found in one like it."""


def likelihood(noun: str, receptacle: str) -> float:
    """How many things that `noun` names, a type or a class, one receptacle of a type holds before anybody looks."""
    shares = _SHARES.get(receptacle, {})
    return _ANYTHING + sum(share for kind, share in shares.items() if _names(noun, kind))


def _names(noun: str, kind: str) -> bool:
    return same_type(noun, kind) or noun in object_classes(kind)


_SHARES = {
    receptacle: {kind: float(share) / 100 for kind, _, share in (one.partition(":") for one in held.split())}
    for receptacle, held in _HELD.items()
}
