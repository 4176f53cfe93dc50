"""Rooms by their names: which of them it is that one is in."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.agents.acting.things import Things

ROOMS: Mapping[str, tuple[str, ...]] = {
    "kitchen": ("Fridge", "StoveBurner", "Microwave", "CoffeeMachine"),
    "bathroom": ("Toilet", "Bathtub", "ShowerHead", "ShowerDoor"),
    "bedroom": ("Bed",),
    "living room": ("Sofa", "ArmChair", "Television"),
}
"""Kinds of rooms, and what each is known by."""
ANY_ROOM = frozenset("room house home here apartment flat place".split())


def room_of(things: Things) -> str:
    """The kind of room that things are in, "room" where that does not show."""
    return next((name for name, signs in ROOMS.items() if things.of(*signs)), "room")


def is_this_room(word: str, things: Things) -> bool:
    """Whether a noun names the kind of room that things are in."""
    name = word.replace("_", " ")
    return name in ROOMS and name == room_of(things)
