"""What people did in recorded sessions, in the commands that our Follower chooses among, and from when to when.

Clicks are folded as `agents.lm.memory_building` folds them; further, doors that are opened on the way and things that
are taken up on the way belong to what comes of them, and one thing done to several of a kind in a row is one deed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from teach_agents.actions import Role
from teach_agents.agents.lm.memory_building import Hands, is_of_water, latest_words
from teach_agents.data.interactions import Interaction, Keyboard, ObjectInteraction
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_HELD_AFTER = Verb.PUT, Verb.EMPTY
"""What is done with the thing in the hand, not with the one that is clicked on."""
_KNIVES = "Knife", "ButterKnife"
_SURFACES = "CounterTop", "DiningTable", "Floor", "SideTable", "Stool"
_LOOKED_INTO = "Box", "Cabinet", "Drawer", "Fridge", "LaundryHamper", "Microwave", "Safe"


@dataclass(frozen=True, slots=True)
class Deed:
    """A command's worth of successful clicks: those from index `first` to `last` of a session's interactions.

    `object_ids` are what it was done to, one at least, `where_id` where to, "" for nowhere.
    """

    instruction: Instruction
    first: int
    last: int
    object_ids: tuple[str, ...]
    where_id: str = ""


def deeds(interactions: Sequence[Interaction]) -> list[Deed]:
    """The Follower's deeds in order; none goes on over a Commander's words."""
    found: list[Deed] = []
    hands, stretch, said = Hands(), _Stretch(), list[str]()
    for index, one in enumerate(interactions):
        match one:
            case Keyboard(role=Role.COMMANDER):
                found += stretch.deeds(said)
                stretch = _Stretch(stretch.held)
                said = latest_words([*said, one.corrected])
            case ObjectInteraction(role=Role.FOLLOWER, success=True) if one.object_id:
                stretch.click(hands, index, one.action, one.object_id, wet=is_of_water(said))
    return [*found, *stretch.deeds(said)]


class _Stretch:
    """What is done between two utterances of the Commander's."""

    def __init__(self, held: str = "") -> None:
        self.held = held
        self._done: list[Instruction] = []
        self._made: list[Deed] = []
        self._taken: int | None = None

    def click(self, hands: Hands, index: int, action: str, object_id: str, *, wet: bool) -> None:
        """Fold one more click; what it was folded with begins where that began."""
        before = [*self._done]
        hands.fold(action, type_from_id(object_id), self._done, wet=wet)
        same = 0
        while same < min(len(before), len(self._done)) and before[same] is self._done[same]:
            same += 1
        replaced, self._made = self._made[same:], self._made[:same]
        begun = index if self._taken is None else self._taken
        first = min([begun, *(one.first for one in replaced)])
        if len(self._done) > same:
            self._taken = None
        self._made += [self._deed(made, first, index, object_id, replaced) for made in self._done[same:]]
        if len(self._done) == same and not replaced:
            if action == "Pickup":  # what is taken up again belongs to what comes
                self._taken = index
            elif self._made:  # what is shut and turned off, to what was done
                self._made[-1] = replace(self._made[-1], last=index)
        if action in ("Pickup", "Place"):
            self.held = object_id if action == "Pickup" else ""

    def _deed(self, made: Instruction, first: int, last: int, clicked: str, replaced: Sequence[Deed]) -> Deed:
        inherited = next((one for one in replaced if one.instruction.what == made.what), None)
        if made.verb is Verb.PUT:
            return Deed(made, first, last, (self.held or clicked,), clicked)
        if inherited:
            return Deed(made, first, last, inherited.object_ids)
        return Deed(made, first, last, ((self.held or clicked) if made.verb in _HELD_AFTER else clicked,))

    def deeds(self, said: Iterable[str]) -> list[Deed]:
        """The deeds, with what was on the way to others taken into them, and rows of the same made one."""
        found: list[Deed] = []
        for one in self._made:
            while found and _is_on_the_way(found[-1], one):
                one = replace(one, first=found.pop().first)
            if found and _same(found[-1].instruction, one.instruction):
                last = found.pop()
                ids = tuple(dict.fromkeys([*last.object_ids, *one.object_ids]))
                one = replace(one, first=last.first, object_ids=ids)
            found.append(one)
        if found and found[-1].instruction.verb is Verb.OPEN:
            found[-1] = _looked_into(found[-1], " ".join(said))
        return found


def _is_on_the_way(before: Deed, after: Deed) -> bool:
    """Whether a deed is part of the next: a door opened, a thing taken up or put down for it, a knife laid aside."""
    verb, what = before.instruction.verb, before.instruction.what
    if verb is Verb.OPEN:
        return after.instruction.verb not in (Verb.OPEN, Verb.CLOSE)
    if verb is Verb.PUT:
        things = tuple(f"{one}|" for one in before.object_ids)
        worked_on = any(f"{one}|".startswith(things) for one in after.object_ids)
        return (worked_on or before.instruction.noun in _KNIVES) and before.where_id.split("|")[0] in _SURFACES
    return verb is Verb.PICK_UP and (
        (what == after.instruction.what and after.instruction.verb is not Verb.PICK_UP)
        or (after.instruction.verb is Verb.SLICE and "Knife" in before.instruction.noun)
    )


def _same(one: Instruction, other: Instruction) -> bool:
    return one == other and one.verb not in (Verb.OPEN, Verb.PICK_UP)


def _looked_into(opened: Deed, said: str) -> Deed:
    """What was opened and no more was looked into, unless it was to be opened."""
    noun = opened.instruction.noun
    if "open" in said.casefold() or noun not in _LOOKED_INTO:
        return opened
    place = Reference(noun, definite=True)
    return replace(opened, instruction=Instruction(Verb.LOOK, None, place), where_id=opened.object_ids[0])
