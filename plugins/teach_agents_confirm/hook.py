"""A Follower that says when a step is done: a dialogue hook for Followers that act in silence.

Written as a third party would write it, against the public API of `teach_agents` alone. TEACh's guidelines ask the
Follower to say so; one that does by itself is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from teach_agents import Action, DialogueHook, Observation, Role, SessionResult
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.session import TurnRecord
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.lexicon import noun, preposition
from teach_agents.understanding.english.understanding import understand_instructions
from teach_agents.understanding.english.values import Verb

_ENDS: Mapping[Verb, tuple[str, ...]] = {
    **dict.fromkeys((Verb.BOIL, Verb.COOK), ("ToggleOn", "Place")),
    Verb.FILL: ("ToggleOn", "Pour"),
    **dict.fromkeys((Verb.CLEAN, Verb.COFFEE, Verb.TOAST, Verb.TURN_ON), ("ToggleOn",)),
    **dict.fromkeys((Verb.EMPTY, Verb.WATER), ("Pour",)),
    **dict.fromkeys((Verb.CLEAR, Verb.PUT), ("Place",)),
    Verb.CLOSE: ("Close",),
    Verb.OPEN: ("Open",),
    Verb.PICK_UP: ("Pickup",),
    Verb.SLICE: ("Slice",),
    Verb.TURN_OFF: ("ToggleOff",),
}
"""The interactions that can be a step's last."""
_PASSING = frozenset({Verb.ASIDE, Verb.LOOK, Verb.FINISH, Verb.GIVE_UP})

_TOLD: Mapping[str, str] = {
    "Close": "I closed the {thing}",
    "Open": "I opened the {thing}",
    "Pickup": "I picked up the {thing}",
    "Place": "I put the {held} {in_} the {thing}",
    "Pour": "I poured it {in_} the {thing}",
    "Slice": "I sliced the {thing}",
    "ToggleOff": "I turned off the {thing}",
    "ToggleOn": "I turned on the {thing}",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A successful interaction: the action, the object's id, and the id of what was last picked up, if anything."""

    action: str
    object_id: str
    held: str = ""


def ends(request: str, step: Step) -> bool:
    """Whether an interaction ends what was asked for last in `request`; what asks for nothing is ended by nothing."""
    asked = understand_instructions(request)
    wanted = [one.verb for one in asked if one.verb not in _PASSING]
    return step.action in _ENDS[wanted[-1]] if wanted else not asked


def told(step: Step) -> str:
    """The report, which begins with "Done."."""
    thing = type_from_id(step.object_id)
    words = {"thing": noun(thing).one, "held": noun(type_from_id(step.held)).one if step.held else "thing"}
    return f"Done. {_TOLD[step.action].format(**words, in_=preposition(thing))}."


class Confirm(DialogueHook):
    """After an interaction that ends the step asked for, has the Follower say so in the turn that it would let pass.

    `interrupts` has it say so at once, in place of whatever it would do next. A step that the hook does not understand
    counts as ended by any interaction behind which the Follower waits. `ending` is said after the report.
    """

    def __init__(self, interrupts: bool = False, ending: str = "") -> None:
        if not isinstance(interrupts, bool):
            raise InputError("confirm", "interrupts is true or false", value=interrupts)
        self._interrupts = interrupts
        self._ending = str(ending).strip()
        self.begin("", 0)

    def begin(self, session_id: str, seed: int) -> None:
        """Forget the last session."""
        self._request: str | None = None
        self._held = self._report = ""
        self._reports = 0

    def before_action(self, observation: Observation, action: Action) -> Action:
        """The report that is due, in place of waiting."""
        silent = action.name == "NoOp" or (self._interrupts and action.name not in ("Text", "Stop"))
        if observation.role is not Role.FOLLOWER or not self._report or not silent:
            return action
        self._reports += 1
        return Action.say(" ".join(filter(None, (self._report, self._ending))))

    def turn_executed(self, record: TurnRecord) -> None:
        """Hear what is asked for, and see what was done."""
        asked, done = (record.done[role] for role in Role)
        if asked.action is not None and asked.action.name == "Text" and asked.result.success:
            self._request, self._report = asked.action.utterance, ""
        if done.action is None or not done.result.success:
            return
        if done.action.name == "Text":
            self._report = ""
        if done.result.object_id is None or self._request is None:
            return
        step = Step(done.action.name, done.result.object_id, self._held)
        if ends(self._request, step):
            self._report = told(step)
        self._held = done.result.object_id if step.action == "Pickup" else self._held

    def ended(self, result: SessionResult) -> JsonMapping:
        """How many steps it reported."""
        return {"reports": self._reports}
