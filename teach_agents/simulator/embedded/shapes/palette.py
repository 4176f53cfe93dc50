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
    wood(0xA06A3E, 0x80522E),
    wood(0xBA8C5C, 0x9C7046),
    wood(0x704830, 0x563624),
    wood(0xCEB48E, 0xB69870),
    wood(0x8A5C4A, 0x6C4636),
)
CLOTHS = (0x5C96BE, 0xCE7A60, 0x8CB482, 0xDCC896, 0xAA82B4, 0xECE8E2)
WHITE = Material(0xF0F0EE, gloss=0.1)
TRIM = Material(0xE4E2DC)
CERAMIC = Material(0xEEF0F2, gloss=0.35)
STEEL = Material(0xB6BAC0, 0xA0A4AA, Pattern.BRUSHED, 1.0, gloss=0.35)
CHROME = Material(0xCED2D8, gloss=0.7)
BRASS = Material(0xC49E54, gloss=0.5)
DARK = Material(0x3A3A3E, gloss=0.15)
BLACK = Material(0x1A1A1E, gloss=0.4)
GLASS = Material(0xB2D0DE, gloss=0.6)
PAPER = Material(0xF0ECE2)
EMBER = Material(0xFF6020, glow=0.6)
WATER = Material(0x5C9CDE, gloss=0.6, glow=0.05)
LIQUIDS = {"coffee": Material(0x422614, gloss=0.5), "wine": Material(0x6E162C, gloss=0.5)}
"""By AI2-THOR's liquid key; anything else looks like water."""
