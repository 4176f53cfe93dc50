"""Which of the commands that are offered is the nearest to what is meant, and which is what a person did or said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import starmap

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.lm.candidates import Candidate, Kind
from teach_agents.data.interactions import Keyboard
from teach_agents.learning.deeds import Deed
from teach_agents.tasks.classes import object_classes
from teach_agents.understanding.english.understanding import mentioned, understand_instructions
from teach_agents.understanding.english.values import Instruction, Reference, ReportKind, Verb

_ELSEWHERE, _UNLIKE, _LOOSE, _VAGUE = 8.0, 3.0, 1.0, 0.25
"""How much worse a candidate is that speaks of another thing, of another number, of a class, or of several things."""
_IMPLIED = frozenset(
    {Verb.SLICE, Verb.COOK, Verb.TOAST, Verb.BOIL, Verb.COFFEE, Verb.CLEAN, Verb.FILL, Verb.WATER, Verb.LOOK}
)
"""What is done of one's own accord for what was asked; who moves another thing clears it out of the way."""
_DISHES = "Bowl", "Box", "Cup", "Mug", "Pan", "Plate", "Pot"
_IN_PARTS = ("Sliced", "Cracked")
_DONE_THERE: Mapping[str, tuple[Verb, ...]] = {
    "Toaster": (Verb.TOAST,),
    "CoffeeMachine": (Verb.COFFEE,),
    "Microwave": (Verb.COOK,),
    "Pan": (Verb.COOK,),
    "Pot": (Verb.BOIL, Verb.COOK),
    "Sink": (Verb.CLEAN,),
    "SinkBasin": (Verb.CLEAN,),
}
"""What a thing is put somewhere for."""

_NEXT = frozenset({"RequestForInstruction", "RequestMore"})
_WHERE = "RequestForObjectLocationAndOtherDetails"
_FAILED = "NotifyFailure"
_SMALL_TALK = frozenset({"Acknowledge", "Affirm", "Greetings/Salutations", "FeedbackPositive", "OtherInterfaceComment"})
_DONE = re.compile(r"\b(?:done|finished|complete|completed|ready|all set)\b", re.IGNORECASE)
_CAN_NOT = re.compile(r"\b(?:can ?not|can'?t|unable|won'?t|not able|doesn'?t|does not)\b", re.IGNORECASE)

_MANY = 3
"""How much worse it is to speak of all where one is meant than to leave a detail out."""


@lru_cache(maxsize=4096)
def meant_by(command: str) -> Instruction | None:
    """The instruction of a candidate's text; `None` for one that is no command."""
    found = understand_instructions(command)
    return found[0] if len(found) == 1 else None


def speaks_of(noun: str, kind: str) -> bool:
    """Whether a noun, a type or class, may speak of things of a type, or of things of a class that it is."""
    noun, kind = noun.removesuffix("Basin"), kind.removesuffix("Basin")
    return noun == kind or noun in object_classes(kind)


def nearest(wish: str, choices: Sequence[str]) -> str | None:
    """The choice that is the wish, or the same done to such a thing, with fewest differences in how that is described.

    `None` where nothing offered has the same verb with the same kinds of things.
    """
    if wish in choices:
        return wish
    meant = meant_by(wish)
    if not meant:
        return None
    found = []
    for place, choice in enumerate(choices):
        offered = meant_by(choice)
        if offered and meant.verb is offered.verb:
            pairs = ((meant.what, offered.what), (meant.where, offered.where))
            if all(starmap(_same_kind, pairs)):
                found.append((sum(starmap(_apart, pairs)), place, choice))
    return min(found)[-1] if found else None


def _same_kind(meant: Reference | None, offered: Reference | None) -> bool:
    if not meant or not offered:
        return meant is offered
    return speaks_of(offered.noun, meant.noun) or speaks_of(meant.noun, offered.noun)


def _apart(meant: Reference | None, offered: Reference | None) -> int:
    """In how many things two descriptions differ."""
    if not meant or not offered:
        return 0
    counts = 0 if meant.count == offered.count else _MANY
    rest = ("noun", "definite", "states", "place", "content", "landmark")
    return counts + sum(bool(getattr(meant, name) != getattr(offered, name)) for name in rest)


def matched(deed: Deed, offered: Sequence[Candidate], body: Body) -> Candidate | None:
    """The candidate that a deed is, with the nearest reference; `None` where it is not offered."""
    found = [
        (_unlikeness(deed, one.instruction, body), place, one)
        for place, one in enumerate(offered)
        if one.kind is Kind.DO and one.instruction and is_deed_of(deed, one.instruction, body)
    ]
    return min(found)[-1] if found else _begun(deed, offered, body)


def _begun(deed: Deed, offered: Sequence[Candidate], body: Body) -> Candidate | None:
    """What is made of a thing that was put where that is done: toast in a toaster, something clean in a sink."""
    made = deed.instruction
    if made.verb is not Verb.PUT or not made.where or not made.what:
        return None
    thing = body.things.get(deed.object_ids[0])
    for verb in _DONE_THERE.get(made.where.noun, ()):
        if verb is Verb.CLEAN and (not thing or not thing.has("isDirty")):
            continue
        if found := matched(replace(deed, instruction=Instruction(verb, made.what)), offered, body):
            return found
    return None


def is_deed_of(deed: Deed, command: Instruction, body: Body) -> bool:
    """Whether a command has the verb of a deed and speaks of its kinds of things; a tool may go unsaid."""
    made = deed.instruction
    if command.verb is not made.verb or not _is_kind(command.what, made.what, body):
        return False
    if made.verb in (Verb.PUT, Verb.LOOK):
        return _is_kind(command.where, made.where, body)
    return True


def agrees(chosen: Instruction, deed: Deed, body: Body) -> bool:
    """Whether a command has the verb of a deed, and speaks of the type of what it was done to, or of its class.

    Where a thing is put is not compared; of what was looked into the place is.
    """
    made = deed.instruction
    if chosen.verb is not made.verb:
        return False
    if not made.what:
        return _is_kind(chosen.where, made.where, body)
    return chosen.what is not None and any(speaks_of(noun, made.what.noun) for noun in _nouns(chosen.what, body))


def _is_kind(reference: Reference | None, made: Reference | None, body: Body) -> bool:
    if not reference or not made:
        return reference is made
    return any(_about(noun, made.noun) for noun in _nouns(reference, body))


def _nouns(reference: Reference, body: Body) -> tuple[str, ...]:
    """What a phrase may be about; "it" is what was handled last."""
    if reference.noun == "It":
        last = body.last_handled
        return (last.object_type,) if last else ()
    return (reference.noun,)


def _unlikeness(deed: Deed, command: Instruction, body: Body) -> float:
    worse = 0.0
    what, made = command.what, deed.instruction.what
    if what and what.noun != "It":
        worse += _of_things(what, deed.object_ids, body)
        said, done = what.count, len(deed.object_ids)
        worse += _UNLIKE * (not (said == done or (said is None and done > 1)))
        worse += _LOOSE * (made is not None and what.noun != made.noun)
    if command.where:
        worse += _of_things(command.where, (deed.where_id,), body) if deed.where_id else _LOOSE
    return worse


def _of_things(reference: Reference, ids: Iterable[str], body: Body) -> float:
    meant = {thing.object_id for thing in matching(reference, body.things)}
    away = meant.isdisjoint(ids) and any(map(body.things.get, ids))
    return _ELSEWHERE * away + _VAGUE * min(max(0, len(meant) - 1), 4)


def is_spoken_of(deed: Deed, said: Sequence[str]) -> bool:
    """Whether a deed is of what the Commander spoke of, or is a part of what is asked for: people also clear up."""
    made = deed.instruction
    if made.verb in _IMPLIED:
        return True
    nouns = {one.noun for text in said for one in mentioned(text)}
    kinds = (made.noun, made.where.noun if made.where and made.where.noun in _DISHES else "")
    return any(_about(noun, kind) for kind in kinds if kind for noun in nouns)


def _about(noun: str, kind: str) -> bool:
    whole = next((kind.removesuffix(part) for part in _IN_PARTS if kind.endswith(part)), kind)
    return speaks_of(noun, kind) or noun == whole or (noun == "Slice" and kind.endswith("Sliced"))


def meant_as(said: Keyboard, offered: Sequence[Candidate]) -> Candidate | None:
    """The candidate that a Follower's utterance amounts to, by its dialogue acts and a few words; `None` for none."""
    acts = {one.act for one in said.dialogue_acts}
    texts = {one.text: one for one in offered if one.kind is Kind.SAY}
    if _WHERE in acts:
        return _asked_where(said, offered)
    if _FAILED in acts and _CAN_NOT.search(said.corrected):
        return texts.get("report that it did not work")
    finished = texts.get("report that it is done")
    if finished and (acts & _NEXT or _DONE.search(said.corrected)):
        return finished
    return texts.get("ask what to do") if acts & _NEXT else None


def _asked_where(said: Keyboard, offered: Sequence[Candidate]) -> Candidate | None:
    nouns = [one.noun for one in mentioned(said.corrected)]
    for one in offered:
        missed = [report.noun for report in one.reports if report.kind is ReportKind.NOT_FOUND and report.what]
        if one.kind is Kind.SAY and any(speaks_of(noun, name) for noun in nouns for name in missed):
            return one
    return None


def is_small_talk(said: Keyboard) -> bool:
    """Whether an utterance is no more than small talk: nothing that our Follower would say, or has to act upon."""
    acts = {one.act for one in said.dialogue_acts}
    return bool(acts) and acts <= _SMALL_TALK


def says_it_is_over(said: Keyboard) -> bool:
    """Whether an utterance says that something is done."""
    return _DONE.search(said.corrected) is not None
