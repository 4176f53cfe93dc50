"""From the message of a failed action to what to try: a table of AI2-THOR's and TEACh's lines, by fragments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Advice:
    """What to try when the message of a failed action holds all of `fragments`, in any case.

    `first` is said at first, `again` when the same has failed before. `what` names the kind of failure.
    """

    what: str
    fragments: tuple[str, ...]
    first: str
    again: str


ADVICE: tuple[Advice, ...] = (
    Advice(
        "too far",
        ("too far away",),
        "Come closer, then try again.",
        "Come at it from another side: go around and stand right before it.",
    ),
    Advice(
        "too far",
        ("beyond your visibilitydistance",),
        "Come closer, then try again.",
        "Come at it from another side: go around and stand right before it.",
    ),
    Advice(
        "not visible",
        ("not found within the specified visibility",),
        "Look down or up, or turn, until it is in view and close.",
        "Step to another spot from which nothing stands before it.",
    ),
    Advice(
        "hidden",
        ("occluded",),
        "Something stands before it: look at it from another side.",
        "Move away what stands before it, then try again.",
    ),
    Advice(
        "missed",
        ("could not find a target object",),
        "Click in the middle of the thing, and look whether this can be done with it.",
        "Turn or come closer so that it is large in view, or use another thing of its kind.",
    ),
    Advice(
        "missed",
        ("no target found",),
        "Click in the middle of the thing, from close by.",
        "Turn or come closer so that it is large in view, or use another thing of its kind.",
    ),
    Advice(
        "missed",
        ("outside the frame",),
        "Click inside the picture: x and y from 0 up to, not including, 1.",
        "Turn until the thing is in the middle of the picture.",
    ),
    Advice(
        "hands full",
        ("hand has something in it",),
        "Put down first what is in the hand.",
        "Put down what is in the hand on the nearest counter or table with room.",
    ),
    Advice(
        "hands empty",
        ("only supported when holding",),
        "Pick up first what is to be put there.",
        "Look for the thing, pick it up, and come back with it.",
    ),
    Advice(
        "hands empty",
        ("isn't holding",),
        "Pick up first what is to be put there.",
        "Look for the thing, pick it up, and come back with it.",
    ),
    Advice(
        "needs a knife",
        ("slice: objectinteraction",),
        "Pick up a knife first: slicing needs one in the hand.",
        "Look for a knife or butter knife on counters and in drawers, and take it along.",
    ),
    Advice(
        "in the hand",
        ("cannot be sliced if it is in the agent's hand",),
        "Put it down first, then slice it with a knife in the hand.",
        "Put it on a counter or table with room around it.",
    ),
    Advice(
        "needs liquid",
        ("pour: objectinteraction",),
        "Fill what is in the hand first: put it under a faucet and turn that on.",
        "Pick up another vessel that holds liquid.",
    ),
    Advice(
        "closed",
        ("is closed",),
        "Open it first.",
        "Switch it off if it is on, open it, then try again.",
    ),
    Advice(
        "open",
        ("must be closed to toggle",),
        "Close it first, then switch it on.",
        "Clear what keeps it from closing, close it, then switch it on.",
    ),
    Advice(
        "switched on",
        ("must be off to open",),
        "Switch it off first, then open it.",
        "Switch it off, step back, then open it.",
    ),
    Advice(
        "blocked door",
        ("openable object collided",),
        "You stand in its way: step back, then try again.",
        "Stand beside it, not before it, then try again.",
    ),
    Advice(
        "blocked door",
        ("failed to open/close",),
        "Something is in its way: step back, then try again.",
        "Clear what is in its way, or stand beside it.",
    ),
    Advice(
        "no room",
        ("no valid positions",),
        "It does not fit there: click on a free spot of it.",
        "Clear it first, or put the thing somewhere else.",
    ),
    Advice(
        "no room",
        ("full right now",),
        "Take out first what is in it.",
        "Use another one of its kind.",
    ),
    Advice(
        "no room",
        ("another object's collision is blocking",),
        "It bumps into something there: click on a freer spot.",
        "Clear it first, or put the thing somewhere else.",
    ),
    Advice(
        "does not belong",
        ("not a valid object type to be placed",),
        "That does not go there: put it on a counter or table, or ask where it belongs.",
        "Ask your partner where it is to go.",
    ),
    Advice(
        "does not belong",
        ("cannot be placed in",),
        "That does not go there: put it on a counter or table, or ask where it belongs.",
        "Ask your partner where it is to go.",
    ),
    Advice(
        "no receptacle",
        ("not a receptacle",),
        "Nothing goes on or in this: click on what is under or behind it.",
        "Ask your partner where it is to go.",
    ),
    Advice("already so", ("already",), "That is done already: go on with the next step.", "Leave it and go on."),
    Advice(
        "cannot be",
        ("not toggleable",),
        "This cannot be switched: click on its knob or switch, if it has one.",
        "Another thing switches it: stove knobs for burners, the faucet for the sink.",
    ),
    Advice(
        "cannot be",
        ("is not an openable",),
        "This does not open: click on the door or drawer itself.",
        "Leave it: it is no container that opens.",
    ),
    Advice(
        "cannot be",
        ("canpickup",),
        "This cannot be carried: click on the thing on or in it.",
        "Leave it where it is, and go on with another thing.",
    ),
    Advice(
        "cannot be",
        ("canbesliced",),
        "This cannot be sliced: click on the food itself.",
        "Look whether it is sliced already: take one of the slices.",
    ),
    Advice(
        "blocked",
        ("is blocking",),
        "The way is blocked: step aside or turn, then go on.",
        "Go another way around, through the middle of the room.",
    ),
    Advice(
        "blocked",
        ("held item",),
        "What you hold bumps into something: step away before turning.",
        "Put down what you hold, turn, then pick it up again.",
    ),
    Advice(
        "clipping",
        ("collide and clip",),
        "It is wedged in from here: step aside and try again.",
        "Take away first what is before it or on it.",
    ),
    Advice(
        "limit",
        ("can't look",),
        "The head does not tilt any further: step back or turn instead.",
        "Step back, then look again.",
    ),
    Advice(
        "not yours",
        ("is not an action of the",),
        "That is for your partner to do: say what is needed.",
        "Ask your partner to do it.",
    ),
    Advice(
        "no answer",
        ("no action",),
        "Answer with one action.",
        "Answer with one action of the list, and nothing else.",
    ),
)
"""The first whose fragments all occur counts; the more particular stand first."""

OTHERWISE = Advice(
    "other",
    (),
    "Look at it from closer by, then try again.",
    "Try another way, or tell your partner that it does not work.",
)
"""For what is not in the table."""


def advice_on(message: str) -> Advice:
    """The advice on the message of a failed action."""
    text = message.lower()
    return next((one for one in ADVICE if all(fragment in text for fragment in one.fragments)), OTHERWISE)
