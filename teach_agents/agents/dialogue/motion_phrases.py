"""What words say of motions: how far to walk, how much of a turn to make, and where to look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.measures import QUARTER, degrees_said, paces_said, steps_said
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.repair import times_said
from teach_agents.agents.dialogue.stances import asked_stance
from teach_agents.agents.dialogue.standpoints import WALKS
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.core.dialogue import COURTESIES, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

_NAME = r"(?P<thing>[a-z][a-z' -]*)"
"""The name of a thing, with what follows it."""
_ALL_THE_WAY = re.compile(
    r"\b(?:full|whole|complete|entire) (?:\w+ )?(?:spin|turn|twirl|circle|loop|rotation|revolution|round|360)\b"
    r"|\b360\b|\b(?:all the|the whole|the full|full|right) (?:way )?a?round\b"
)
_ONE_WAY = re.compile(r"\b(?:advance|reverse|retreat)\b")
"""Verbs that lead one way alone."""
_CORRECTED = re.compile(r"\bmake (?:it|that)\b|\bi mean\b|\bno,")
"""What tells that more than one measure is named, of which not all are meant."""
_UP_AND_DOWN = dict.fromkeys(("ceiling", "sky", "roof"), "look_up")
_UP_AND_DOWN |= dict.fromkeys(("floor", "ground", "feet", "toes"), "look_down")
_TO_ITS_END = re.compile(r"\b(?:at|to|towards?) (?:the |your )?(ceiling|sky|roof|floor|ground)\b")
"""How far to look up or down."""
_BACKWARDS = re.compile(
    r"\b(?:fac(?:e|ing)|look(?:ing)?) (?:backwards?|behind|back|(?:the )?(?:other|opposite) (?:way|direction)|away)\b"
)
"""Where half a turn leads."""
AS_FAR, ASIDE, LAP = "as_far_as_possible", "aside", "lap"
"""How far a step leads that ends where there is no more room; where one leads that makes room for somebody; once round
something."""
_ON_AND_ON = re.compile(
    r"\b(?:until|till?) (?:you|i|it|something|there(?:'s| is)) (?:(?:can|will|are|have|have to|about to) )*"
    r"(?:hit|bump|reach|run|touch|crash|come|can'?t|cannot|can not|get|say|tell|shout|stop|ask|no|meet)\w*\b"
    r"|\bas far as (?:you can|it goes|possible|you (?:are|'re) able)\b"
    r"|\ball the way (?:forwards?|back(?:wards?)?|to the (?:wall|end))\b"
)
"""What has one step on until there is no more room, or somebody says stop."""
_OBSTACLE = frozenset("something anything wall obstacle end".split())
_IN_THE_WAY = re.compile(
    r"\b(?:(?:(?:get|move|step|go|stay|keep|come) (?:right )?)?out (?:of )?(?:the|my|our) (?:way|road|light)"
    r"|(?:step|move|stand|scoot|budge|shove|shift) (?:aside|over|along|to (?:one|the) side)(?! (?:there|to)\b)"
    r"|make (?:way|room|some room)(?! (?:in|on|at|for (?!me|us|him|her|them))\b)"
    r"|(?:clear|free) the (?:way|path)|let me (?:past|through|by)"
    r"|(?:you're|you are) (?:standing )?(?:right )?(?:in (?:my|the|our) (?:way|light)|blocking)"
    r"|get past|(?:i|we)\b[^.,!?]{0,25} get (?:by|through)|coming through"
    r"|(?:mind|watch) out(?= *(?:[.!]|$)|,? (?:please|robot|coming|i'm|i am|let me)\b)"
    r"|give (?:me|us) (?:some |a (?:bit|little) (?:of |more )?|more )?(?:room|space))\b"
    r"|(?:^|[,.;!] *)(?:(?:please|hey|oi|robot|can|could|would|will|you|just|sorry|excuse me)[ ,]+)*"
    r"(?:move|shift|scoot|scooch|budge|shove)(?: (?:up|out|yourself))?(?: a (?:bit|little)(?: bit)?)?"
    r"(?: (?:please|pls|now|will you|would you|for me|for a (?:sec|second|moment|minute)))*(?= *(?:[,.;:!?-]|$))"
)
_BARE = COURTESIES | {Act.FASTER, Act.COMPLAIN, Act.UNCLEAR, Act.FACT, Act.WRONG, Act.STOP, Act.RESUME, Act.WAIT}
"""What words may be read as that have one step aside."""
_SAID_WAY = re.compile(r"\b(?:left|right|back(?:wards?)?|forwards?|around|away|stop|halt|freeze|wait|stay|hold)\b")
"""What tells which way to go, or none."""
_ASIDE = frozenset({"step_left", "step_right", "step_back", "move", "do"})
"""What somebody may be asked to be able to do who is asked to step aside: "can you scoot over?"."""
_NEARER = re.compile(rf"\b(?:towards?|in the direction of|(?:closer|nearer) to) {_NAME}")
_FARTHER = re.compile(
    r"\b(?:(?P<steps>steps?|back)|get|go|move|come|walk|stand|stay|keep|take)(?: [\w'./½-]+){0,6}? (?:away|clear|back)"
    r"(?: [\w./½-]+){0,3}?"
    rf" (?:from|of) {_NAME}"
)
"""Where steps lead to or away from."""
_FARTHEST = re.compile(
    rf"\b(?:as far (?:away )?|(?:the )?(?:farthest|furthest)(?: away| point| place| spot)? |as much distance )"
    rf"(?:from|between you and) {_NAME}"
)
_BETWEEN = re.compile(rf"\b(?:in )?between (?P<one>(?:the|my|our) [a-z ]+?) and {_NAME}")
_ROUND = re.compile(
    r"\b(?:(?:walk|go|run|drive|move|roll|step|trot|dance)(?: (?:once|all the way|right))? a?round"
    r"|(?<!a )circle(?: round)?|(?:lap|circuit|loop|tour) (?:of|a?round))"
    r" (?!to\b|(?:the|its) (?:other|back|left|right|far|front)\b)"
    rf"{_NAME}"
)
_WALKED = frozenset({"step_forward", "step_back", "move", "go_to", "come", "do"})
"""What steps that lead to or away from something may be read as."""
_SOME_STEPS = re.compile(r"\b(few|several|some|couple)(?: of)?(?: \w+)? (?:steps|paces)\b")
_SIDES = r"(?:to (?:the|your) )?(?:left|right)"
_TURNS = re.compile(
    rf"(?<!n't )(?<!not )\bturn {_SIDES}"
    rf"(?:(?:,? and then|,? then|,| and) (?:turn )?{_SIDES})+\b(?! (?:steps?|paces?)\b)"
)
_SIDE_BY_SIDE = re.compile(rf"\W*{_SIDES}(?:[-,.;!]* (?:and |then )*{_SIDES})+\W*")
_AGAIN_AND_AGAIN = re.compile(r"\W*(?P<one>[a-z]+(?: [a-z]+){0,2})(?:[-,.;! ]+(?:and |then )*(?P=one))+\W*")
"""The same motion, said as often as it is wanted."""
_SPINS = re.compile(r"\b(?:spin|twirl|whirl|pirouette|rotate)\b(?:[a-z ]*? (?P<times>once|twice|\w+ times?)\b)?")
_TO_THE_RIGHT = re.compile(r"(?:please )?(?:go|move) right(?: please)?\W*")
_LEVELLED = DialogueAct(Act.ORDER, "look_at", (Slot("", Phrase("straight_ahead")),))
_SIDE = re.compile(r"\b(left|right|anti|counter|clockwise)")
_TO_THE_SIDE = re.compile(
    r"\b(?:fac(?:e|es|ing)|look(?:s|ing)?|point(?:s|ed|ing)?|headed)(?: (?:to|towards?))?(?: (?:the|your))?"
    r" (left|right)\b"
    r"(?! (?:at|into|in front|behind|next|hand|side|wall|corner|lamp|window|(?:a?round))\b)"
)
"""Where a turn leads that is told by what one faces behind it."""
_WALK = re.compile(r"\b(?:step|walk|go|move|take|turn|spin|pace|march|come)\b")
_GOES = re.compile(r"\b(?:stand|walk|go|move|head|come|get|wait)\b")
_LOOKING = frozenset({"look_up", "look_down", "look_at", "do", "move", "turn_around", "step_forward"})
_LEVEL = re.compile(
    r"\b(?:chin|head|eyes?|gaze|camera|face|nose|view|look(?:ing)?)\b[^.,;!?]*"
    r"\b(?:level|straight(?: ahead| forwards?)?|horizontal(?:ly)?|dead ahead)\b(?! (?:at|to|into|up|down)\b)"
    r"|\blook (?:forwards?|ahead|in front of you)\b|\beyes (?:front|forwards?|ahead)\b"
    r"|\blevel (?:out )?(?:your|the) (?:head|gaze|eyes|camera|chin)\b"
    r"|\b(?:head|eyes?|gaze|camera|view|chin|look(?:ing)?) (?:back )?(?:to )?(?:the )?(?:normal(?:ly)?|middle)\b"
    r"|\b(?:stop|quit|no more|enough) (?:looking|staring|gazing)"
    r" (?:up|down|at the (?:ceiling|sky|roof|floor|ground))\b"
)
"""What has one look neither up nor down."""
_MISREAD = frozenset({Act.REPEAT, Act.RESUME, Act.UNDO, Act.ALLOW, Act.STOP, Act.UNCLEAR})
"""What words may be read as that have one look straight ahead again."""
_AWAY = (
    re.compile(
        r"\byour back(?:side)?(?:'s| is)? "
        rf"(?:(?:turned|facing|faces|pointing|pointed|directly|is) )*(?:to|on|at|against|facing|faces|towards?) {_NAME}"
    ),
    re.compile(rf"\b(?:fac|turn|look|point|spin|swivel|star)(?:e|ed|ing)? (?:right |well )?away from {_NAME}"),
    re.compile(rf"\bshow {_NAME} your back\b"),
)
"""What has one turn one's back to something."""
_TURNING = frozenset({"turn_around", "look_at", "turn_left", "turn_right", "do", "move", "show"})
_LOOKED_THROUGH = re.compile(
    r"\b(?:look|peek|peep|peer|gaze|glance|stare)(?:ing)? (?:out )?(?:of|through|over|across|at|towards?|into|out|onto)"
    rf" {_NAME}"
)


def faced_thing(act: DialogueAct) -> DialogueAct:
    """ "Turn to the lamp left of the sofa", read as a turn to the left, is to face the lamp."""
    things = [slot for slot in act.slots if slot.role in ("", "to") and kinds_of(slot.phrase.noun)]
    if act.about not in ("turn_left", "turn_right") or len(things) != 1:
        return act
    return act._replace(about="look_at", slots=(Slot("", things[0].phrase),))


def with_stance(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts of words that tell how the body is to stand, however read: with its back to something, its look level."""
    words = plain_text(text)
    stance = asked_stance(words)
    acts = [_standing(act, stance) for act in acts] if stance else [*acts]
    acts = _chained(acts, words)
    found = next((found for one in _AWAY if (found := one.search(words)) is not None), None)
    thing = None if found is None else _thing_of(found["thing"])
    acts = acts if thing is None else _back_turned(acts, thing, walks=_GOES.search(words) is not None)
    if _IN_THE_WAY.search(words) and not _SAID_WAY.search(words) and all(map(_is_bare, acts)):
        return [_aside(words)]
    if any(act.act is Act.ORDER and act.about in _LOOKING for act in acts) or not _LEVEL.search(words):
        return acts
    at = next((at for at, act in enumerate(acts) if act.act in _MISREAD or act.about == "look_around"), None)
    if at is None:
        return [_LEVELLED] if {act.act for act in acts} <= COURTESIES else acts
    return [*acts[:at], _LEVELLED, *acts[at + 1 :]]


def _is_bare(act: DialogueAct) -> bool:
    """Whether an act may be a misread wish for room: no more than a motion, or a deed that names no thing."""
    vague = act.about in ("do", "move") and not any(kinds_of(slot.phrase.noun) for slot in act.slots)
    motion = act.about.startswith(("step_", "turn_")) and not act.slots
    if act.act is Act.QUESTION:
        return act.about == "can" and [one.about in _ASIDE for one in act.of] == [True]
    return act.act in _BARE if act.act is not Act.ORDER else (vague or motion) and act.condition is None


def _thing_of(words: str) -> Phrase | None:
    """What words begin with: a pronoun, or the name of a thing."""
    first = words.split()[0]
    return Phrase(first) if first in ("it", "them", "that", "this") else named_in(words)


def _chained(acts: list[DialogueAct], words: str) -> list[DialogueAct]:
    """ "Turn right, then left": as many turns as are named in a row, where one was read."""
    chain = _TURNS.search(words) or _SIDE_BY_SIDE.fullmatch(words)
    again = _AGAIN_AND_AGAIN.fullmatch(words)
    if again is not None and len(acts) == 1 and acts[0].about.startswith(("step_", "turn_")) and not acts[0].slots:
        times = len(re.findall(rf"\b{again['one']}\b", words))
        return [acts[0]._replace(slots=(Slot("", Phrase(str(times))),))]
    sides = re.findall("left|right", chain[0]) if chain is not None else []
    turns = all(act.about in ("turn_left", "turn_right") and not act.slots for act in acts)
    return [acts[0]._replace(about=f"turn_{side}") for side in sides] if turns and 0 < len(acts) < len(sides) else acts


def _standing(act: DialogueAct, stance: str) -> DialogueAct:
    """ "Are you facing the bed? If not, turn to it": an order on the condition that the body stands so."""
    if act.condition is None or act.condition.state or act.condition.phrase.noun not in stance:
        return act
    thing, it = act.condition.phrase, Slot("", Phrase("it"))
    slots = tuple(Slot("", thing) if slot == it else slot for slot in act.slots)
    return act._replace(condition=act.condition._replace(phrase=Phrase("you"), state=stance), slots=slots)


def _back_turned(acts: Sequence[DialogueAct], thing: Phrase, *, walks: bool) -> list[DialogueAct]:
    """Acts with a turn of the back to a thing: in place of the turn, or look, that was read; or behind a walk."""
    turned = DialogueAct(Act.ORDER, "turn_around", (Slot("from", thing),))
    orders = [at for at, act in enumerate(acts) if act.act is Act.ORDER]
    for at in orders:
        nouns = {slot.phrase.noun for slot in acts[at].slots if kinds_of(slot.phrase.noun)}
        if (acts[at].about in _TURNING or (acts[at].about == "go_to" and not walks)) and nouns <= {thing.noun}:
            return [*acts[:at], turned._replace(condition=acts[at].condition), *acts[at + 1 :]]
    last = max((at for at in orders if acts[at].about in WALKS), default=None)
    return [*acts] if last is None else [*acts[: last + 1], turned, *acts[last + 1 :]]


def with_motion(act: DialogueAct, text: str) -> DialogueAct:
    """A motion as its words have it: a "full spin" is four turns, to "look at the ceiling" to look up."""
    if act.about in _WALKED and (spot := _spot(text)):
        about = "step_back" if spot[0].phrase.noun == AS_FAR else "go_to"
        return act._replace(about=about, slots=tuple(spot))
    return _stepped(_turned(_looking(act, text), text), text)


def _spot(text: str) -> list[Slot]:
    """Where words have one go that is no thing: between two, once round one, as far from one as there is room."""
    between, round_it, farthest = (one.search(text) for one in (_BETWEEN, _ROUND, _FARTHEST))
    marks = () if between is None else (named_in(between["one"]), named_in(between["thing"]))
    if len(marks) == 2 and all(marks):
        return [Slot("", Phrase("middle")), *(Slot("near", one) for one in marks if one is not None)]
    for found, noun, role in ((round_it, LAP, "near"), (farthest, AS_FAR, "from")):
        if found is not None and (thing := _thing_of(found["thing"])) is not None:
            return [Slot("", Phrase(noun)), Slot(role, thing)]
    return []


def _aside(text: str) -> DialogueAct:
    """To step out of somebody's way, so many steps where the words say so."""
    far = [found for way in ("forward", "back", "left", "right") if (found := steps_said(text, way))]
    count = max(far, default=paces_said(text) or 0)
    return DialogueAct(Act.ORDER, "step_left", (Slot("", Phrase(ASIDE, str(count) if count else "")),))


def _looking(act: DialogueAct, text: str) -> DialogueAct:
    """ "Look at the floor", "chin level"."""
    if act.about == "look_at" and len(act.slots) == 1 and act.slots[0].phrase.noun in _UP_AND_DOWN:
        return act._replace(about=_UP_AND_DOWN[act.slots[0].phrase.noun])
    if act.about in ("look_up", "look_down") and not act.slots and (seen := _TO_ITS_END.search(text)):
        there = act.about == _UP_AND_DOWN[seen[1]]
        return act._replace(slots=(Slot("", Phrase(seen[1])),)) if there else act
    if act.about == "do" and (seen := _LOOKED_THROUGH.search(text)) and (thing := named_in(seen["thing"])):
        return act._replace(about="look_at", slots=(Slot("", thing),))
    if (
        act.about in _LOOKING
        and _LEVEL.search(text)
        and not _WALK.search(text)
        and not any(kinds_of(slot.phrase.noun) for slot in act.slots)
    ):
        return act._replace(about="look_at", slots=(Slot("", Phrase("straight_ahead")),))
    return act


def _turned(act: DialogueAct, text: str) -> DialogueAct:
    """ "All the way round", "a quarter turn left", "90 degrees", "so that you face left"."""
    all_round = degrees_said(text) == 4 * QUARTER
    if (act.about == "turn_around" and (_ALL_THE_WAY.search(text) or all_round) and not _BACKWARDS.search(text)) or (
        act.about == "do" and all_round
    ):
        act = act._replace(about="turn_around")
        return act._replace(slots=(Slot("", Phrase("360")),))
    spins = _SPINS.search(text) if act.about == "do" and act.slots else None
    if spins is not None and (spins["times"] or act.slots[0].phrase.noun.replace("_", " ") == spins[0]):
        times = int(times_said(spins["times"] or "once") or "1")
        return act._replace(about="turn_around", slots=(Slot("", Phrase("360" if times == 1 else str(2 * times))),))
    act = _to_a_side(act, text)
    if act.about in ("turn_left", "turn_right") and (degrees := degrees_said(text, act.about.removeprefix("turn_"))):
        return act._replace(slots=(Slot("", Phrase("degree", str(degrees))),))
    return act


def _to_a_side(act: DialogueAct, text: str) -> DialogueAct:
    """A turn to the side that its words name, where it is read as one "around" or as a look at nothing."""
    faced = _TO_THE_SIDE.search(text)
    beside = act.about == "look_at" and len(act.slots) == 1 and act.slots[0].phrase.noun in ("left", "right")
    if faced is not None and (beside or act.about == "turn_around"):
        return act._replace(about=f"turn_{faced[1]}", slots=())
    part = degrees_said(text) if act.about == "turn_around" else None
    if part is None or part % (2 * QUARTER) == 0:
        return act
    side = _SIDE.search(text)
    leftwards = side is not None and side[1] in ("left", "anti", "counter")
    return act._replace(about="turn_left" if leftwards else "turn_right", slots=())


def _towards(act: DialogueAct, text: str) -> DialogueAct:
    """A step with what it leads to or away from: "two steps towards the window", "get away from the stove"; so many
    steps, or so far, however that was read."""
    if act.about not in _WALKED:
        return act
    for about, pattern, role in (("step_forward", _NEARER, "to"), ("step_back", _FARTHER, "from")):
        found = pattern.search(text)
        thing = _thing_of(found["thing"]) if found is not None else None
        steps = steps_said(text, about.removeprefix("step_")) or (None if _counted(act) else paces_said(text))
        if found is None or thing is None or not (act.about == about or steps or _counted(act)):
            continue
        if steps and not _CORRECTED.search(text):
            return act._replace(about=about, slots=(Slot("", Phrase("step", str(steps))), Slot(role, thing)))
        one = () if act.slots or role == "to" or not found["steps"] else (Slot("", Phrase("step", "1")),)
        kept = (slot for slot in act.slots if not slot.role and slot.phrase != thing)
        return act._replace(about=about, slots=(*kept, *one, Slot(role, thing)))
    return act


def _counted(act: DialogueAct) -> bool:
    return any(one.isdecimal() for slot in act.slots for one in (slot.phrase.count, slot.phrase.noun))


def _stepped(act: DialogueAct, text: str) -> DialogueAct:
    """ "Two metres to the left", "advance a step", "back until you hit something", "step aside"."""
    if act.slots and act.slots[0].phrase.noun == ASIDE:
        return act
    act = _towards(act, text)
    if any(slot.role in ("to", "from") for slot in act.slots) and act.about.startswith("step_"):
        return act
    if act.about in ("do", "move") and not any(kinds_of(slot.phrase.noun) for slot in act.slots):
        aside = _IN_THE_WAY.search(text)
        return _aside(text)._replace(condition=act.condition) if aside else act
    to_the_end = act.about == "go_to" and {slot.phrase.noun for slot in act.slots} <= _OBSTACLE
    if (to_the_end or (act.about.startswith("step_") and not act.slots)) and _ON_AND_ON.search(text):
        about = act.about if not to_the_end else "step_back" if "back" in text else "step_forward"
        return act._replace(about=about, slots=(Slot("", Phrase(AS_FAR)),))
    if act.about == "turn_right" and _TO_THE_RIGHT.fullmatch(text):
        act = act._replace(about="step_right")
    way = _ONE_WAY.search(text)
    if way is not None and act.about.startswith("step_"):
        act = act._replace(about="step_forward" if way[0] == "advance" else "step_back")
    if act.about.startswith("step_") and (some := _SOME_STEPS.search(text)) and not _counted(act):
        return act._replace(slots=(Slot("", Phrase("step", "2" if some[1] == "couple" else "3")),))
    steps = steps_said(text, act.about.removeprefix("step_")) if act.about.startswith("step_") else None
    return (
        act if steps is None or _CORRECTED.search(text) else act._replace(slots=(Slot("", Phrase("step", str(steps))),))
    )
