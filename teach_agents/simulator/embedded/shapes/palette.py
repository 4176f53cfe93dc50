"""The surfaces that objects are made of."""

from __future__ import annotations

from teach_agents.simulator.embedded.shapes.parts import Colour, Material, Pattern


def wood(colour: Colour, second: Colour) -> Material:
    """A board with grain."""
    return Material(colour, second, Pattern.WOOD, 7.0, gloss=0.12)


def fabric(colour: Colour) -> Material:
    """Woven cloth."""
    return Material(colour, None, Pattern.WEAVE, 48.0)


WOODS = (
    wood((160, 106, 62), (128, 82, 46)),
    wood((186, 140, 92), (156, 112, 70)),
    wood((112, 72, 48), (86, 54, 36)),
    wood((206, 180, 142), (182, 152, 112)),
    wood((138, 92, 74), (108, 70, 54)),
)
CLOTHS = ((92, 150, 190), (206, 122, 96), (140, 180, 130), (220, 200, 150), (170, 130, 180), (236, 232, 226))
WHITE = Material((240, 240, 238), gloss=0.1)
TRIM = Material((228, 226, 220))
CERAMIC = Material((238, 240, 242), gloss=0.35)
STEEL = Material((182, 186, 192), (160, 164, 170), Pattern.BRUSHED, 1.0, gloss=0.35)
CHROME = Material((206, 210, 216), gloss=0.7)
BRASS = Material((196, 158, 84), gloss=0.5)
DARK = Material((58, 58, 62), gloss=0.15)
BLACK = Material((26, 26, 30), gloss=0.4)
GLASS = Material((178, 208, 222), gloss=0.6)
PAPER = Material((240, 236, 226))
EMBER = Material((255, 96, 32), glow=0.6)
WATER = Material((92, 156, 222), gloss=0.6, glow=0.05)
LIQUIDS = {"coffee": Material((66, 38, 20), gloss=0.5), "wine": Material((110, 22, 44), gloss=0.5)}
"""By AI2-THOR's liquid key; anything else looks like water."""
