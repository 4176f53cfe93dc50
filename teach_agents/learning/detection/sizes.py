"""How large things look: what stands on something else is told of apart from what it stands on.

The middles of a table and of a bowl on it may lie in one cell. The network has a box for each of three sizes there, and
each type has one of them, by the median area of its boxes in 768 training frames: below 1,300 square pixels, below
4,000, or more.
"""

from __future__ import annotations

from teach_agents.learning.detection.frames import TYPES

_MEDIUM = frozenset(
    """
    BathtubBasin Cabinet Chair CoffeeMachine Desktop FloorLamp GarbageCan Laptop Microwave Newspaper Ottoman
    Painting Poster Safe ShelvingUnit ShowerHead SideTable Sink Stool TeddyBear Television Towel VacuumCleaner
    """.split()
)
_LARGE = frozenset(
    """
    ArmChair Bathtub Bed CoffeeTable CounterTop Curtains Desk DiningTable DogBed Dresser Floor Footstool Fridge
    LaundryHamper Mirror ShowerCurtain ShowerDoor ShowerGlass Sofa TVStand Toilet Window
    """.split()
)

SIZES: tuple[int, ...] = tuple(2 if name in _LARGE else int(name in _MEDIUM) for name in TYPES)
"""For each of `TYPES` which of the three boxes is its: 0 for small things."""
