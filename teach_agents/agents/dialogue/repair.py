"""Corrections: what an order comes to once people said what else they meant, and what would take a deed back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.spatial_order import RANKS
from teach_agents.agents.dialogue.standpoints import BACK, FACED, WALKS, faces_back
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.tasks.classes import object_classes
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.notation import ROLES
from teach_agents.understanding.noun_phrases import noun_phrase

_OPPOSITE: Mapping[str, str] = {
    "open": "close",
    "close": "open",
    "turn_on": "turn_off",
    "turn_off": "turn_on",
    "get": "put_back",
    "pick_up": "put_back",
    "put": "put_back",
    "throw_away": "put_back",
    "step_forward": "step_back",
    "step_back": "step_forward",
    "step_left": "step_right",
    "step_right": "step_left",
    "turn_left": "turn_right",
    "turn_right": "turn_left",
    "turn_around": "turn_around",
    "look_up": "look_down",
    "look_down": "look_up",
}
PLACES = frozenset({"in", "on", "near", "at"})
FETCHING = frozenset({"get", "pick_up", "drop", "move"})
PUTTING = frozenset({"put", "put_back", "throw_away"})
_MOTIONS = frozenset(
    "step_forward step_back step_left step_right turn_left turn_right turn_around look_up look_down".split()
)
_ALONG = {"forward": "forward", "forwards": "forward", "ahead": "forward", "back": "back", "backwards": "back"}
_ASIDE = {"left": "left", "right": "right"}
_WAYS: Mapping[str, Mapping[str, str]] = {
    "step": {said: f"step_{way}" for said, way in (_ALONG | _ASIDE).items()},
    "turn": {said: f"turn_{way}" for said, way in (_ASIDE | {"around": "around", "round": "around"}).items()},
    "look": {"up": "look_up", "down": "look_down", "left": "turn_left", "right": "turn_right"},
}
"""Of each kind of motion, the one that leads a way."""
_MORE = frozenset({"another", "more", "other", "others", "time"})
"""Said of what is to be done to one more of the same: "and another", "two more"."""
_TIMES = PRONOUNS | {"time", "step", "turn", "more", "another"} | {str(number) for number in range(1, 21)}
"""Said of motions that are made once more: "two more of those"."""
_OFTEN = {"twice": 2, "thrice": 3, "couple": 2, "few": 3}
_HOW_OFTEN = re.compile(r"\b(twice|thrice)\b|\b(\w+)(?: of)?(?: more)? times?\b")
_FURTHER = re.compile(r"\bkeep (?:on )?(?:going|it up|at it|moving|turning|walking)\b|\bgo on\b|\bfurther\b")
_A_BIT_MORE = re.compile(
    r"\W*(?:(?:and|now|just|please|ok|okay|good)\W+)*(?:(?:a|one) (?:tiny |little |wee )?(?:bit|touch|tad)|a little"
    r"|slightly|some|even|still)? ?(?:more|further|farther)\W*(?:please|thanks)?\W*"
)
_BACK_AGAIN = re.compile(
    r"\W*(?:(?:and|now|ok|okay|good|great|nice|thanks|thank you|fine|right|all ?right|then|please|just|can you"
    r"|could you)\W+)*"
    r"(?:(?P<walks>go|walk|head|get)|(?P<turns>turn|face|swing|rotate)|)(?: (?:all the way|right|straight))? ?"
    r"back(?: (?:again|now|please|then|to (?:normal|how you were|the way you were)))*\W*"
)
"""The way back from wherever the motion before led."""
_OTHER_WAY = re.compile(
    r"\b(?:other way|opposite|other direction)\b"
    r"|\b(?:way|direction|where) you (?:were|had been)(?: just)? (?:looking|facing)\b"
)
_OPPOSITE_OF = re.compile(
    r"\b(?:the|that|exact|very|but|do) (?:\w+ )?(?:opposite|reverse)\b(?! (?:side|end|wall|corner))"
)
_ANOTHER = re.compile(r"\b(?:one more|another(?: one)?)(?=[.!?,]|$| please\b)")
"""Said of one more of the same thing, not of doing the same once more: "one more time"."""
_VESSELS = frozenset("Box Bowl Cup Mug Pan Plate Pot Tableware Cookware Drinkware".split())
_SAID = r"\bi (?:just |only )?(?:said|asked for|told you|called it|wrote|typed)\b[^.!?]*?"
_MEANT = r"(?:meant(?: to say)?|wanted|should have said|was thinking of|was after|had in mind|need(?:ed)?)"
_SLIPS = (
    re.compile(
        _SAID
        + r"\b(?:it is|it's|it was|'twas) (?P<meant>(?:the |a |an |my )?[a-z]+(?: [a-z]+)??) (?:that |which )?i "
        + _MEANT
    ),
    re.compile(
        _SAID + rf"\b(?:but|and|when|though|whereas|while)\b[^.!?]*?\bi (?:really |actually |of course )*{_MEANT}"
        r" (?P<meant>(?:the |a |an |my )?[a-z]+(?: [a-z]+)?)(?=[.!?,;]|$)"
    ),
)
"""How people say that they named the wrong thing."""
_INTENDED = re.compile(
    rf"\bi (?:really |actually |of course )*{_MEANT} (?P<meant>(?:the |a |an |my )[a-z]+(?: [a-z]+)?)(?=[.!?,;]|$)"
)
"""How they say what they meant, where it is clear that they take something back."""
_MAKE_THAT = re.compile(
    r"^(?:(?!\b(?:the|my|our|an?)\b).)*?\bmake (?:that|it) (?:the|a|an|my|one)\b"
    r"(?! (?:opposite|other way|reverse|same|way)\b)"
)
"""What corrects an order that was given before: "make that the potato"."""
OF_SOME = frozenset({"there", "count", "which"})
"""Questions of what there is of a kind, somewhere."""
_FURNITURE = frozenset(
    "Furniture Tables Chairs Appliances Sink Bathtub CounterTop Cabinet Drawer GarbageCan Fridge Safe".split()
)


def instead(order: DialogueAct, meant: Phrase) -> DialogueAct:
    """An order with another thing in the slot that a correction is about: "no, the spoon", "the other one"; a motion
    another way: "no, left"."""
    if order.about in _MOTIONS and (verb := _WAYS.get(order.about.partition("_")[0], {}).get(meant.noun)):
        return order._replace(about=verb)
    if (
        meant.noun in PRONOUNS | {"there", "here"}
        and meant.place is not None
        and meant.place[0] in ("in", "on", "near")
    ):
        relation, where = meant.place
        return DialogueAct(order.act, "put", (*order.slots[:1], Slot(relation, where)))
    place = _slot_about(order, meant)
    if place is None:
        return order._replace(slots=(Slot("", meant), *order.slots))
    was = order.slots[place].phrase
    if meant.noun in PRONOUNS and was.noun not in PRONOUNS:
        meant = replace(meant, noun=was.noun)
    slots = list(order.slots)
    slots[place] = Slot(slots[place].role, meant)
    return order._replace(slots=tuple(slots))


def elsewhere(order: DialogueAct, slot: Slot) -> DialogueAct:
    """An order with another place, tool or person: "no, on the armchair". What was only fetched is put there."""
    alike = PLACES if slot.role in PLACES else {slot.role}
    same = [at for at, one in enumerate(order.slots) if one.role in alike]
    if same:
        return order._replace(slots=(*order.slots[: same[0]], slot, *order.slots[same[0] + 1 :]))
    if slot.role in PLACES and order.about in FETCHING:
        return order._replace(about="put", slots=(*order.slots[:1], slot))
    return order._replace(slots=(*order.slots, slot))


def about_that(question: DialogueAct, meant: Phrase) -> DialogueAct:
    """A question once more, about another thing, or of another place: "and the tomato?", "and in the cup?"."""
    if not question.slots:
        return question._replace(of=(instead(question.of[0], meant), *question.of[1:]))
    was = question.slots[0].phrase
    if meant.noun in PRONOUNS | {"there"} and meant.place is not None and meant.place[0] in PLACES:
        return _of_place(question, *meant.place)
    if was.place is not None and was.place[1].noun != meant.noun and _holds_rather(meant, was, was.place[1]):
        return _of_place(question, was.place[0], meant)
    if question.about in OF_SOME and meant.noun not in PRONOUNS:
        meant = replace(meant, count="", looks=meant.looks or was.looks, place=meant.place or was.place)
    meant = replace(meant, noun=was.noun) if meant.noun in PRONOUNS else meant
    return question._replace(slots=(question.slots[0]._replace(phrase=meant), *question.slots[1:]))


def _of_place(question: DialogueAct, relation: str, mark: Phrase) -> DialogueAct:
    slot = question.slots[0]
    if question.about in ("in", "on", "near"):
        return question._replace(about=relation, slots=(slot._replace(phrase=mark), *question.slots[1:]))
    placed = replace(slot.phrase, place=(relation, mark))
    return question._replace(slots=(slot._replace(phrase=placed), *question.slots[1:]))


def _holds_rather(meant: Phrase, thing: Phrase, mark: Phrase) -> bool:
    """Whether a description is rather of what may hold a thing than of another such thing."""
    if _classes(meant) & _classes(thing):
        return False
    return bool(_classes(meant) & _classes(mark)) or (is_furniture(meant) and not is_furniture(thing))


def slip_in(text: str, *, corrects: bool = False) -> Phrase | None:
    """What was meant where somebody says that they named another thing: "I said fork, and it's the spoon I meant"; of
    words that are known to be a correction: "I meant the spoon, get that instead"."""
    for pattern in (*_SLIPS, *([_INTENDED] if corrects else ())):
        found = pattern.search(text.lower().replace("\u2019", "'"))
        meant = noun_phrase(found["meant"]) if found is not None else None
        if meant is not None and kinds_of(meant.noun):
            return meant
    return None


def makes_that(slots: Sequence[Slot], text: str) -> bool:
    """Whether words do no more than to correct what was said before to a thing: "make that the potato"."""
    found = _MAKE_THAT.search(text.lower()) if len(slots) == 1 else None
    return found is not None and slots[0].phrase.noun.replace("_", " ") in text.lower()[found.end() :]


def instead_do(order: DialogueAct | None, meant: DialogueAct) -> DialogueAct:
    """Something else to be done with what an order was about."""
    if meant.slots or order is None or not order.slots:
        return meant
    return meant._replace(slots=order.slots[:1])


def otherwise(last: DialogueAct, act: DialogueAct, text: str) -> DialogueAct:
    """The last order once more, or with what was meant instead."""
    if act.act is Act.NOT and act.slots and act.slots[0].role in PLACES:
        return last._replace(slots=tuple(slot for slot in last.slots if slot.role not in PLACES))
    if act.act is Act.NOT:
        return instead(last, Phrase(last.slots[0].phrase.noun if last.slots else "one", "other"))
    if act.act is Act.REPEAT and not act.slots and last.about in _MOTIONS and (times := times_said(text)):
        return last._replace(slots=(Slot("", Phrase(times)),))
    if act.act is Act.REPEAT and act.slots and last.about in _MOTIONS and act.slots[0].phrase.noun in _TIMES:
        return last._replace(slots=_times(act.slots[0].phrase) or last.slots)
    for slot in act.slots:
        if slot.role in ROLES:
            last = elsewhere(last, slot)
        elif act.act is Act.REPEAT and _moves_another(last, slot.phrase):
            last = last._replace(slots=(slot, *last.slots[1:]))
        else:
            last = instead(last, _one_more(slot.phrase, act))
    if act.slots:
        return last
    if act.act is Act.REPEAT and last.slots and not last.slots[0].role and _ANOTHER.search(text.lower()):
        return instead(last, Phrase("one", "another"))
    return (opposite(last) or last) if _OTHER_WAY.search(text.lower()) else last


def in_one_breath(acts: Sequence[DialogueAct]) -> list[DialogueAct]:
    """Acts of one utterance without an order that it takes back at once: "bring me the fork. No wait, the spoon"."""
    found: list[DialogueAct] = []
    for act in acts:
        before = found[-1] if found else None
        mends = act.act in (Act.INSTEAD, Act.INSTEAD_DO) and bool(act.slots or act.of) and act.condition is None
        if before is None or not mends or before.act is not Act.ORDER or before.condition is not None:
            found.append(act)
        elif act.act is Act.INSTEAD:
            found[-1] = otherwise(before, act, "")
        else:
            found[-1:] = [instead_do(before, act.of[0]), *act.of[1:]]
    return found


def _moves_another(last: DialogueAct, phrase: Phrase) -> bool:
    """Whether a description names a thing that is put somewhere, as the `last` order's was, rather than a place."""
    if not last.slots or not kinds_of(phrase.noun) or is_furniture(phrase):
        return False
    return last.about in PUTTING or (last.slots[0].phrase.noun in PRONOUNS and not _is_vessel(phrase))


def _one_more(meant: Phrase, act: DialogueAct) -> Phrase:
    """ "And another", "two more", as so many other ones of what an order was about."""
    if act.act is not Act.REPEAT or meant.place is not None or meant.noun not in _MORE | {"one", "ones"}:
        return meant
    if meant.noun not in _MORE and meant.count != "another" and "more" not in meant.looks:
        return meant
    looks = tuple(look for look in meant.looks if look not in _MORE)
    if meant.count.isdecimal() and meant.count != "1":
        return replace(meant, noun="one", looks=("other", *looks))
    return replace(meant, noun="one", count="another", looks=looks)


def another(phrase: Phrase) -> bool:
    """Whether a description is of one more of whatever was before: "another", "another one", "one more"."""
    bare = phrase.place is None and phrase.noun in _MORE | {"one", "ones"} and not {*phrase.looks} - _MORE
    return bare and (phrase.count == "another" or bool(_MORE & {phrase.noun, *phrase.looks}))


def as_before(order: DialogueAct, last: DialogueAct | None, text: str) -> DialogueAct:
    """ "Let me have another one", or "a bit further", behind a motion is that motion once more."""
    if last is None or last.about not in _MOTIONS:
        return order
    fetches = order.about in ("get", "make") and len(order.slots) == 1 and another(order.slots[0].phrase)
    moves = order.about in _MOTIONS and order.about != last.about and _A_BIT_MORE.fullmatch(text.lower())
    return last if fetches or moves else order


def back_again(order: DialogueAct, last: DialogueAct | None, text: str) -> DialogueAct:
    """ "And back again" is the way back: behind a walk to where that began, behind a turn or a look to the view before,
    behind steps as many the other way. "Step back" is a step."""
    found = _BACK_AGAIN.fullmatch(text.lower())
    if last is None or found is None or order.about not in _MOTIONS | {"look_at"}:
        return order
    if last.about in WALKS:
        return order if found["turns"] else BACK
    if last.about.startswith("step_"):
        steps = not (found["walks"] or found["turns"]) and opposite(last)
        return steps or order
    return FACED if last.about in _MOTIONS | {"look_at"} and not found["walks"] else order


def goes_further(text: str) -> bool:
    """Whether words want a motion that was made to be made on: "keep going"."""
    return _FURTHER.search(text.lower()) is not None


def other_way(order: DialogueAct, last: DialogueAct | None, text: str) -> DialogueAct:
    """A motion "the other way" is the opposite of the one before."""
    if last is not None and order.about == "do" and _OPPOSITE_OF.search(text.lower()):
        return opposite(last) or order
    if faces_back(text):
        return order
    motions = last is not None and {order.about, last.about} <= _MOTIONS
    if last is None or not motions or not _OTHER_WAY.search(text.lower()):
        return order
    if order.slots:  # so many steps: what they are called may be right already
        return order if order.about != last.about else (opposite(last) or order)._replace(slots=order.slots)
    return opposite(last) or order


def times_said(text: str) -> str:
    """ "That same thing another two times": how often; "" where the words do not say."""
    found = _HOW_OFTEN.search(text.lower())
    if found is None:
        return ""
    word = found[1] or found[2]
    number = _OFTEN.get(word) or (NUMBERS.index(word) if word in NUMBERS else int(word) if word.isdecimal() else 0)
    return str(number) if number else ""


def _times(phrase: Phrase) -> tuple[Slot, ...]:
    """ "Two more": how often a motion is to be made."""
    number = next((one for one in (phrase.noun, phrase.count) if one.isdecimal()), "")
    return (Slot("", Phrase(number)),) if number else ()


def opposite(order: DialogueAct) -> DialogueAct | None:
    """What takes an order's deed back; `None` for what lasts."""
    verb = _OPPOSITE.get(order.about)
    if verb is None:
        return None
    return DialogueAct(order.act, verb, tuple(slot for slot in order.slots if not slot.role)[:1])


def _slot_about(order: DialogueAct, meant: Phrase) -> int | None:
    """Which slot a correction is about: what the thing is put in or on where it is furniture, else the thing itself."""
    if not order.slots:
        return None
    ranked = RANKS & {*meant.looks} if meant.noun == "one" else set()
    if ranked and (told := [at for at, slot in enumerate(order.slots) if RANKS & {*slot.phrase.looks}]):
        return told[0]
    furniture = is_furniture(meant)
    for number, slot in enumerate(order.slots):
        if slot.role.startswith(":"):
            continue
        if slot.phrase.noun == meant.noun or (furniture and slot.role and is_furniture(slot.phrase)):
            return number
    alike = [_classes(slot.phrase) & _classes(meant) for slot in order.slots]
    if any(alike):
        return next(number for number, shared in enumerate(alike) if shared)
    if _is_vessel(meant) and not _is_vessel(order.slots[0].phrase):  # "in the bowl", "pan, sorry"
        return next((at for at, slot in enumerate(order.slots) if slot.role and _is_vessel(slot.phrase)), 0)
    if furniture and len(order.slots) > 1:
        return next((number for number, slot in enumerate(order.slots) if slot.role), 0)
    return 0


def _classes(phrase: Phrase) -> set[str]:
    return {name for kind in kinds_of(phrase.noun) for name in (kind, *object_classes(kind))}


def _is_vessel(phrase: Phrase) -> bool:
    """Whether what is described is small, and holds other things."""
    return bool(_VESSELS & _classes(phrase))


def is_furniture(phrase: Phrase) -> bool:
    """Whether a description is of what stands where it stands."""
    return any(_FURNITURE & {kind, *object_classes(kind)} for kind in kinds_of(phrase.noun))
