"""Task parameters and rooms for generated instances.

The parameter tuples of the twelve session tasks are among those that people were given in TEACh's training sessions
(CDLA-Sharing 1.0); those of the other shipped tasks follow from the definitions. A draw picks the task, the
parameters, then a room of a fitting kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ROOM_PLANS: Mapping[str, tuple[int, ...]] = {
    "kitchen": tuple(range(1, 31)),
    "living room": tuple(range(201, 231)),
    "bedroom": tuple(range(301, 331)),
    "bathroom": tuple(range(401, 431)),
}
"""iTHOR floor-plan numbers by kind of room."""

SESSION_TASKS: tuple[str, ...] = (
    "Water Plant",
    "Coffee",
    "Clean All X",
    "Put All X On Y",
    "Boil X",
    "Plate Of Toast",
    "N Slices Of X In Y",
    "Put All X In One Y",
    "N Cooked Slices Of X In Y",
    "Sandwich",
    "Salad",
    "Breakfast",
)
"""The twelve tasks that occur in TEACh sessions, in the order of the paper's table 5."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One way to instantiate a task: its parameters and the kinds of room it is played in."""

    params: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ("kitchen",)


_DRAWS: Mapping[str, Mapping[str, str]] = {
    "Water Plant": {"kitchen": ""},
    "Coffee": {"kitchen": ""},
    "Clean All X": {
        "kitchen": "Plate, Mug, Bowl, Cup, Pot, Pan, Drinkware, Dishware, Tableware, Cookware",
        "bathroom": "Cloth",
    },
    "Put All X On Y": {
        "kitchen": "Fork in Sink, Mug in Sink, Fork on DiningTable, DishSponge in Sink, PepperShaker in Cabinet, "
        "Spoon in Sink, Plate on CounterTop",
        "living room": "RemoteControl on Chairs, RemoteControl on Tables, Newspaper on Furniture",
        "bedroom": "AlarmClock on Bed, Book on Bed, CellPhone on Bed",
        "bathroom": "Cloth in Bathtub, SoapBar in Sink",
    },
    "Boil X": {"kitchen": "Potato"},
    "Plate Of Toast": {"kitchen": ""},
    "N Slices Of X In Y": {
        "kitchen": "1 Tomato on Plate, 1 Tomato in Bowl, 2 Tomato on Plate, 2 Tomato in Bowl, 1 Lettuce on Plate, "
        "1 Lettuce in Bowl, 3 Lettuce on Plate, 3 Tomato on Plate",
    },
    "Put All X In One Y": {
        "living room": "RemoteControl on ArmChair, RemoteControl in Box, RemoteControl on Sofa, "
        "Newspaper on Furniture, Newspaper on SideTable, Watch on Sofa, Watch in Box, SmallHandheldObjects on Tables, "
        "TissueBox on CoffeeTable",
        "kitchen": "Mug in Cabinet, Tomato in Cabinet, Apple in Cabinet, Egg in Cabinet",
    },
    "N Cooked Slices Of X In Y": {
        "kitchen": "1 Potato on Plate, 2 Potato on Plate, 3 Potato on Plate, 1 Potato in Bowl, 2 Potato in Bowl, "
        "3 Potato in Bowl",
    },
    "Sandwich": {"kitchen": "0 1, 1 0, 1 1, 0 2, 2 0"},
    "Salad": {"kitchen": "1 1 2, 0 2 1, 1 0 2, 2 1 0, 1 2 0, 2 0 1, 1 2 1, 0 1 2, 2 1 1"},
    "Breakfast": {
        "kitchen": "1 0 0 Plate 0 Plate 1 1 0 0 0 0 0 CounterTop, 1 1 1 Plate 1 Plate 0 0 0 0 0 0 0 CounterTop, "
        "1 0 0 Plate 0 Plate 1 0 1 0 0 0 0 CounterTop, 1 0 0 Plate 0 Bowl 0 0 0 1 1 1 2 CounterTop, "
        "2 2 0 Plate 0 Plate 0 0 0 0 0 0 0 CounterTop, 1 0 0 Bowl 0 Bowl 0 0 0 1 1 1 1 DiningTable, "
        "2 0 0 Plate 2 Plate 0 0 0 0 0 0 0 CounterTop",
    },
    "Toast": {"kitchen": ""},
    "Clean X": {"kitchen": "Plate, Mug, Bowl, Pan"},
    "Sliced X": {"kitchen": "Tomato, Lettuce, Apple, Potato, Bread"},
    "Cooked Slice Of X": {"kitchen": "Potato"},
    "Omelette": {"kitchen": ""},
    "Poach Egg": {"kitchen": ""},
    "Toggle X All Y": {"living room": "Off 0 Lights, On 1 Lights", "bedroom": "Off 0 Lights, On 1 Lights"},
    "Tutorial": {"kitchen": ""},
    "Candles": {"bathroom": ""},
    "Workspace": {"bedroom": "1 1 1, 1 1 0, 1 0 0"},
    "Basic Kitchen Tasks": {"kitchen": ""},
    "Basic Bathroom Tasks": {"bathroom": ""},
    "Custom Properties Kitchen Tasks": {"kitchen": ""},
}
"""By task, and by kind of room, the parameters of each draw."""

TASK_DRAWS: Mapping[str, tuple[Draw, ...]] = {
    task: tuple(Draw(tuple(row.split()), (kind,)) for kind, rows in found.items() for row in rows.split(","))
    for task, found in _DRAWS.items()
}
"""Ways to instantiate each of the 25 shipped tasks."""
