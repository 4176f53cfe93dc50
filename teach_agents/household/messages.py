"""The household's own lines and the hints for people (specification 5.4).

Texts are ours; the fragments by which a hint is chosen are those of TEACh and AI2-THOR, in TEACh's order.
"""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.actions import Action, Role

_TEXT = """
CanPickup to be -> This object cannot be picked up.
Object ID ... invalid -> It is not clear what was clicked. Click in the middle of the object.
Could not retrieve object -> It is not clear what was clicked. Click in the middle of the object.
if Agent isn't holding -> Pick something up first.
Slice: ObjectInteraction -> Hold a knife to slice.
Pour: ObjectInteraction -> Hold something that is filled to pour from it.
not toggleable -> This object cannot be switched on or off.
toggle object off if -> It is off already.
toggle object on if -> It is on already.
is not an Openable object -> This object cannot be opened or closed.
Does not have the CanBeSliced -> This object cannot be sliced.
failed to open/close -> Something is in its way. Step back or clear what blocks it, then try again.
is blocking -> Something is in the way. Try another direction or another spot.
a held item ... if agent rotates -> What you hold would hit something. Step away before turning.
No valid positions to place -> It does not fit there: too full or too small. Clear it or choose another place.
NOT a receptacle -> Nothing can be put on or into this object.
OFF to open! -> Switch it off before opening it.
not a valid Object Type to be placed -> What you hold does not belong there.
No target found -> There is nothing within reach there.
it is occluded by something -> Another object is in front of it. Look from another side.
Could not find a target object -> Nothing there allows this action. Click on another object.
another object's collision is blocking -> The place is cluttered, or what you hold bumps into something. \
Clear it or try another spot.
too far away to -> It is out of reach. Move closer.
too far away for -> Your partner is out of reach. Move closer.
only supported when holding -> You are not holding anything.
would cause it to collide and -> It cannot be taken from here without bumping into something. Move a little.
"""
"""Fragments of a message, and what is told of one that holds them all."""
_HINTS = [
    (fragments.split(" ... "), text)
    for fragments, _, text in (line.partition(" -> ") for line in _TEXT.strip().splitlines())
]
_VERBATIM = "cannot slice something while"


def hint(message: str) -> str | None:
    """The hint of the first rule whose fragments all occur in a failed action's message, or `None`."""
    for fragments, text in _HINTS:
        if all(fragment in message for fragment in fragments):
            return text
    return message if _VERBATIM in message else None


def done(action: Action) -> str:
    """An object interaction without a line of its own succeeded."""
    return f"{action.name} @ ({action.x:.2f}, {action.y:.2f})"


def not_allowed(role: Role, name: str) -> str:
    """An action of the other role, or one that neither has in a session."""
    return f"{name} is not an action of the {role.value.capitalize()}"


def outside_frame(action: Action) -> str:
    """A click outside the picture."""
    place = f"({action.x:.2f}, {action.y:.2f})"
    return f"{action.name}: the click {place} lies outside the frame; x and y must be at least 0 and less than 1"


def no_target(action: Action) -> str:
    """No object at or near the click allows the action."""
    return f"{action.name}: Could not find a target object at ({action.x:.2f}, {action.y:.2f})"


def unknown_object(name: str, object_id: str) -> str:
    """An interaction by an id that is not in the room."""
    return f"{name}: Could not retrieve object {object_id!r}: no object has this id"


def too_far(action: Action, object_id: str) -> str:
    """The clicked point is out of reach."""
    return f"{object_id} is too far away to {action.name}"


NEEDS: Mapping[str, str] = {
    "Place": "Place: ObjectInteraction only supported when holding an object",
    "Slice": "Slice: ObjectInteraction only supported with a Knife or ButterKnife in hand",
    "Pour": "Pour: ObjectInteraction only supported with an object in hand that is filled with liquid",
}
"""By interaction what is said where the hand does not hold what it takes."""
