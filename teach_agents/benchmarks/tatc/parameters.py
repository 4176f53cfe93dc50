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


def _draws(rooms: tuple[str, ...], *rows: str) -> tuple[Draw, ...]:
    return tuple(Draw(tuple(row.split()), rooms) for row in rows)


_KITCHEN = ("kitchen",)
_LIVING = ("living room",)
_BEDROOM = ("bedroom",)
_BATHROOM = ("bathroom",)

TASK_DRAWS: Mapping[str, tuple[Draw, ...]] = {
    "Water Plant": (Draw(),),
    "Coffee": (Draw(),),
    "Clean All X": (
        *_draws(
            _KITCHEN, "Plate", "Mug", "Bowl", "Cup", "Pot", "Pan", "Drinkware", "Dishware", "Tableware", "Cookware"
        ),
        *_draws(_BATHROOM, "Cloth"),
    ),
    "Put All X On Y": (
        *_draws(_KITCHEN, "Fork in Sink", "Mug in Sink", "Fork on DiningTable", "DishSponge in Sink"),
        *_draws(_KITCHEN, "PepperShaker in Cabinet", "Spoon in Sink", "Plate on CounterTop"),
        *_draws(_LIVING, "RemoteControl on Chairs", "RemoteControl on Tables", "Newspaper on Furniture"),
        *_draws(_BEDROOM, "AlarmClock on Bed", "Book on Bed", "CellPhone on Bed"),
        *_draws(_BATHROOM, "Cloth in Bathtub", "SoapBar in Sink"),
    ),
    "Boil X": _draws(_KITCHEN, "Potato"),
    "Plate Of Toast": (Draw(),),
    "N Slices Of X In Y": (
        *_draws(_KITCHEN, "1 Tomato on Plate", "1 Tomato in Bowl", "2 Tomato on Plate", "2 Tomato in Bowl"),
        *_draws(_KITCHEN, "1 Lettuce on Plate", "1 Lettuce in Bowl", "3 Lettuce on Plate", "3 Tomato on Plate"),
    ),
    "Put All X In One Y": (
        *_draws(_LIVING, "RemoteControl on ArmChair", "RemoteControl in Box", "RemoteControl on Sofa"),
        *_draws(_LIVING, "Newspaper on Furniture", "Newspaper on SideTable", "Watch on Sofa", "Watch in Box"),
        *_draws(_LIVING, "SmallHandheldObjects on Tables", "TissueBox on CoffeeTable"),
        *_draws(_KITCHEN, "Mug in Cabinet", "Tomato in Cabinet", "Apple in Cabinet", "Egg in Cabinet"),
    ),
    "N Cooked Slices Of X In Y": (
        *_draws(_KITCHEN, "1 Potato on Plate", "2 Potato on Plate", "3 Potato on Plate"),
        *_draws(_KITCHEN, "1 Potato in Bowl", "2 Potato in Bowl", "3 Potato in Bowl"),
    ),
    "Sandwich": _draws(_KITCHEN, "0 1", "1 0", "1 1", "0 2", "2 0"),
    "Salad": _draws(_KITCHEN, "1 1 2", "0 2 1", "1 0 2", "2 1 0", "1 2 0", "2 0 1", "1 2 1", "0 1 2", "2 1 1"),
    "Breakfast": _draws(
        _KITCHEN,
        "1 0 0 Plate 0 Plate 1 1 0 0 0 0 0 CounterTop",
        "1 1 1 Plate 1 Plate 0 0 0 0 0 0 0 CounterTop",
        "1 0 0 Plate 0 Plate 1 0 1 0 0 0 0 CounterTop",
        "1 0 0 Plate 0 Bowl 0 0 0 1 1 1 2 CounterTop",
        "2 2 0 Plate 0 Plate 0 0 0 0 0 0 0 CounterTop",
        "1 0 0 Bowl 0 Bowl 0 0 0 1 1 1 1 DiningTable",
        "2 0 0 Plate 2 Plate 0 0 0 0 0 0 0 CounterTop",
    ),
    "Toast": (Draw(),),
    "Clean X": _draws(_KITCHEN, "Plate", "Mug", "Bowl", "Pan"),
    "Sliced X": _draws(_KITCHEN, "Tomato", "Lettuce", "Apple", "Potato", "Bread"),
    "Cooked Slice Of X": _draws(_KITCHEN, "Potato"),
    "Omelette": (Draw(),),
    "Poach Egg": (Draw(),),
    "Toggle X All Y": (
        *_draws(_LIVING, "Off 0 Lights", "On 1 Lights"),
        *_draws(_BEDROOM, "Off 0 Lights", "On 1 Lights"),
    ),
    "Tutorial": (Draw(),),
    "Candles": (Draw((), _BATHROOM),),
    "Workspace": _draws(_BEDROOM, "1 1 1", "1 1 0", "1 0 0"),
    "Basic Kitchen Tasks": (Draw(),),
    "Basic Bathroom Tasks": (Draw((), _BATHROOM),),
    "Custom Properties Kitchen Tasks": (Draw(),),
}
"""Ways to instantiate each of the 25 shipped tasks."""
