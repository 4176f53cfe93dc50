"""What questions are about, where their words tell more than their reading: the last deed alone, a side, a tap."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.agents.dialogue.ability_questions import as_ability
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.question_rewordings import as_state
from teach_agents.agents.dialogue.stances import asked_stance
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

FIRST, LAST, SIDE, WHO = "first", "last", "side", "who"
"""What `?did` may be asked of besides an act: the first, or the last deed alone; which way it went; who did it."""
_FIRST = re.compile(r"\bfirst\b")
_WHITHER = re.compile(r"\bwhere (?:are|were) you (?:going|heading|headed|off to|walking|running|rushing)\b")
_LAST = re.compile(r"\b(?:last|latest|most recent)\b|\bjust (?:now )?d(?:o|one|id)\b|\bd(?:o|one|id) just now\b")
_SIDE = re.compile(
    r"\b(?:which|what) (?:side|way|direction|hand)\b.*\b(?:you|you've)\b.*"
    r"\b(turn|step|look|spin|face|rotat|swivel|roll|mov|shuffl|went|go)"
)
_MOTIONS = {
    "step": "step",
    "roll": "step",
    "mov": "step",
    "shuffl": "step",
    "went": "step",
    "go": "step",
    "look": "look",
}
"""By the word for a motion, the order that it comes from; a turn where it is none of these."""
_TOLD = re.compile(
    r"\b(?:what|where|which)\b.*\b(?:did i|have i|i(?:'ve| have)?(?: just)?) (?:say|said|ask|told|tell|want)"
)
_TOLD_TO = re.compile(r"\bwhat\b.*\bi(?:'ve| have)? (?:just )?(?:ask|asked|tell|told) you to (?:do|get|bring|fetch)\b")
_WATER = re.compile(r"\bwater\b|\btap\b|\bfaucet\b")
_RUNS = re.compile(r"\b(?:running|runs|flowing|dripping|splashing|gushing)\b")
_WHAT_FOR = re.compile(
    r"\bwhat (?:did|do|were|are) you (?:(?:need|want|look|do|gett?|tak)e?(?:ing)?|after)\b"
    r"[^.?!]*\b(?:in|from|out of|at|over) there\b"
)
EVER = r"(?:ver)?(?: on earth| in the world| exactly| the [a-z]+)?"
"""What may follow "where"."""
TAKING = r"(?:get|find|take|have|pick|fetch|grab|dig|spot|discover|come across)"
OUT_OF_WHAT = (
    rf"\b(?:what|which) (?:[a-z]+ )?did you {TAKING} (?:it|that|them|those)(?: up)? (?:from|off|out of|in|on|at)\b|"
    r"\bwhat (?:was|were) (?:it|that|they) (?:in|on|under|behind|lying on|sitting on|standing on)\b"
)
"""Other words for "where did you get it"."""
PUT = re.compile(r"\bwhere(?: the \w+)? (?:did|have|had) you (?:just )?(?:put|leave|left|move|moved|place|placed)\b")
IT = r"(?:it|they|that|this|them|those|these|(?:the|my|our|your|his|her)(?: (?!was\b|were\b|had\b)[a-z-]+){1,3})"
WAS = re.compile(
    rf"\bwhere{EVER} {IT} (?:was|were|had been|came from|lay|sat|stood|lived)\b"
    rf"|\bwhere{EVER} you(?:'ve| have| had)? (?:just )?(?:found|got|took|picked|fetched|grabbed|had)\b"
    rf"|\bwhere{EVER} (?:was|were|had)\b|\bwhere{EVER} (?:did|'d) (?:you {TAKING}|\w+ (?:come|turn up|hide))\b"
    rf"|{OUT_OF_WHAT}"
)
FOUND = re.compile(rf"\bwhere{EVER} (?:(?:did|'d) you {TAKING}|you(?:'ve| have| had)? (?:got|took|picked|fetched))\b")
"""What takes for granted that the Follower took something, or found it."""
_CAME_FROM = re.compile(
    rf"\bwhere{EVER} (?:(?:did|'d) you {TAKING}(?: up| out| across)?|was|were|did|had)"
    r" (it|that|this|them|they|those|these)\b(?! hap)"
)
_OUT_OF_WHAT = re.compile(OUT_OF_WHAT)
_WENT_WRONG = re.compile(
    r"\b(?:could(?: not|n'?t)|did(?: not|n'?t)|were ?n[o']t able to|failed to) (?:manage|do|finish|get done|work)\b"
    r"|\bwent wrong\b"
)
_MANAGE = r"(?:manage|do(?:ne)?|finish|succeed|complete|get (?:done|to|round to)|pull off|work out|cope with|tick off)"
_DID_NOT = re.compile(
    r"\b(?:(?:could|did|have|were|can)(?:n'?t you| you not)|you (?:could|did|have|were|can)(?:n'?t| not))"
    rf"(?: \w+)?(?: {_MANAGE}(?:d|ed)?\b| able to\b|\W*$)"
    r"|\b(?:did|have) you (?:\w+ )?(?:fail|miss|skip|forg[eo]t)|\byou(?:'ve| have)? (?:fail|miss|skipp|forg[oe]t)"
    r"|\b(?:defeated|beat|stumped|too (?:hard|much|difficult) for) you\b|\b(?:went|has gone) wrong\b"
    r"|\b(?:is|was|got|went) (?:left |still )?(?:undone|not done|unfinished)\b"
)
_DID = re.compile(rf"\b(?:did|have|were) you (?:\w+ )?(?:{_MANAGE}(?:d|ed)?|able to)\b")
ALL_DONE = re.compile(
    r"\b(?:did|have) (?:you|u|ya)(?: (?:actually|really|already|manage to|now))* (?:do|done|managed?|finish(?:ed)?"
    r"|complete[d]?|get|got) (?P<what>both|all|everything|the lot|it|that|them|those|what i \w+|as i \w+)"
    r"(?: (?:of (?:it|them|that|those)|(?:the |those |these )?(?:things|jobs|tasks|chores)"
    r"|(?:that )?i (?:asked|told|said|wanted)(?: you)?(?: to)?(?: do)?|all|both|for|done|finished"
    r"|already|yet|now|then))*\W*$"
    r"|\bdid (?:that|it|this)(?: all)? (?:work(?: out)?|succeed|go (?:well|ok|okay|all right|alright|through))\W*$"
)
"""What asks whether all was done that was asked for."""
_OF_ORDERS = frozenset({"which", "what", "other", "task", "forbidden", "abilities", "why", "next", "can"})
"""Topics that "which did you not manage?" is read as."""
_WHICH = re.compile(r"\b(?:which|what|any(?:thing)?|some(?:thing)?)\b")
_BED = re.compile(
    r"\b(?:made|make|making|done) (?:up )?(?:his|her|their|my|the|your|our|that|this|both|all)(?: \w+)? beds?\b"
)
"""What asks whether somebody has made a bed."""
_OF_DEEDS = frozenset({"other", "did", "can", "who"})
"""Topics that it is read as."""
_SEE_IN = re.compile(
    r"\b(?P<into>in|inside|on|under|underneath|below|on top)(?: of)? (?P<thing>(?:the|that|this|my|our) [a-z ]+)"
)
_INTO = {"in": "in", "inside": "in", "on": "on", "on top": "on"} | dict.fromkeys(
    ("under", "underneath", "below"), "near"
)
_STANDS = frozenset({"other", "state", "where_are_you", "see", "there", "near", "in", "on", "doing"})
"""Topics that "are you facing the fridge?" is read as."""
_POINTS = {"they": "them", "this": "that"}
_TAG = re.compile(
    r"[-,;.!]* (?:(?:is|are|was|were|has|have|does|do|did)(?:n't|nt)? (?:it|they|he|she|there|that)"
    r"(?: (?:right|so|true|correct|the case))?|right|correct|no|yes"
    r"|yeah|or not|(?:am|was) i (?:right|correct|wrong|mistaken)(?: (?:there|about that))?)\s*\?+\s*$"
)
"""What makes a question of what is stated: "the mug is on the counter, isn't it?"."""
_WRONG = re.compile(r"\bi (?:wrong|mistaken)\b")
_WHO_DID = re.compile(
    r"\bwho(?:'s|'d| has| had)? (?:moved?|touched|took|taken|put|placed|used|opened|closed|shut|washed|cleaned|cut"
    r"|sliced|emptied|filled|(?:turned|switched) (?:on|off)) "
    r"(?P<thing>(?:the|my|our|that|this) [a-z]+(?: [a-z]+)?|it|them|that|this|those)\b"
)
_GOT_THERE = re.compile(
    r"\bhow (?:did|has|have|come|'d)(?: that)? (?P<thing>(?:the|my|our|that|this) [a-z ]+?|it|they|that|this|those) "
    r"(?:get|got|gotten|end(?:ed)? up|come|came|land(?:ed)?)\b"
)
"""What asks who took a thing where it is."""
_DONE_WITH = re.compile(
    r"\bwhat(?: all| else| exactly)? (?:(?:did|have) (?:you|u)|you(?:'ve)?)(?: \w+)? (?:do|done|did) (?:to|with) "
    r"(?P<thing>(?:the|my|our|that|this|his|her|your) [a-z ]+|it|them|that|this|those)\b"
)
"""What asks for all that was done to a thing."""
_DONE_ANYTHING = re.compile(
    r"\b(?:did|have|had) (?:you|u)(?: \w+)? (?:do|done|did) (?:anything|something)(?: \w+)? (?:to|with) "
    r"(?P<thing>(?:the|my|our|that|this|his|her|your) [a-z ]+|it|them|that|this|those)\b"
)
"""What asks whether anything was."""
_SEEN = frozenset(
    "see where where_are_you state what_state count there in on near held have did doing next can".split()
)
"""What is rather seen than told."""
_OF_FOLLOWER = frozenset({"doing", "task", "next", "abilities", "forbidden", "where_are_you"})
"""Topics of the Follower itself."""
_OF_OTHERS = re.compile(
    r"\bwho(?:'s|'ll| is| are| comes?| will| has)?\b|\bfor (?:her|him|them|us)\b|\b(?:my|our|his|her) [a-z]+"
)
_WHO_DOES = re.compile(
    r"\bwho(?:'s|s| is| are| was| has| will)? (?:[a-z]+ )?(?!talking|speaking)[a-z]{2,}(?:ing|s|ed)\b(?! you)"
)
_OF_YOU = re.compile(r"\b(?:you|your|yourself|robot|i (?:say|said|tell|told|ask|want)|forbid|allowed|order|task)\w*")
_LEFT_ON = re.compile(
    r"\b(?:still|left|leave|anything|something|nothing) (?:(?:still|turned|switched|left) )*on (?=(?:on|in|at|by)\b)"
)
"""What asks whether something is on that is on, or in, something: "is anything still on on the stove?"."""
_HOW_MANY_THERE = re.compile(r"\bhow many (?:things|items|objects|bits)\b")
_TELL_ME = re.compile(
    r"(?:please )?(?:tell|remind|give) me (?:again |once more )?(?:what|who|whose|when|which|how|the|my|our|about)\b"
)
_SAY = re.compile(
    r"(?:(?:also|please|then|just) )*(?:say|mention|report|let (?:me|us) know|explain|describe|state|write) "
)
_GUESSED = frozenset({"other", "how", "where_are_you", "where", "next", "in", "on", "what", "which", "did"})
"""Topics that a question is read as for want of a better one."""


def as_asked(act: DialogueAct, text: str) -> DialogueAct:
    """An act as its words have it; one that is no question stays as it is, unless they ask what was told before."""
    words = text.lower()
    topics = ("other", "where_are_you", "next", *(("facts", "did") if _TOLD_TO.search(words) else ()))
    told = act.act is Act.RESUME or (act.act is Act.QUESTION and act.about in topics)
    if told and _TOLD.search(words):
        return DialogueAct(Act.QUESTION, "task", condition=act.condition)
    act = _to_be_told(as_state(as_ability(act, text), text), text)
    if act.act is Act.FACT and act.slots and _TAG.search(plain_text(text)):
        act = _as_question(act.slots[0], wrong=_WRONG.search(text.lower()) is not None)
    if act.act is not Act.QUESTION:
        return act
    act = _first_or_last(_counted_there(_of_others(act, words), words), words)
    if act == DialogueAct(Act.QUESTION, "where_are_you") and _WHITHER.search(words):
        return act._replace(about="doing")
    if act == DialogueAct(Act.QUESTION, "task") and _FIRST.search(words):
        return act._replace(slots=(Slot("", Phrase("first")),))
    if act == DialogueAct(Act.QUESTION, "see") and (inside := _SEE_IN.search(words)):
        thing = named_in(inside["thing"])
        return act if thing is None else act._replace(about=_INTO[inside["into"]], slots=(Slot("", thing),))
    if act.about in _OF_DEEDS and (bed := _BED.search(words)) and "you" not in words[: bed.start()].split():
        return act._replace(
            about="state", slots=(Slot(":made", Phrase("bed", "all" if bed[0][-1] == "s" else "")),), of=()
        )
    if act.about in _STANDS and not act.of and (stance := asked_stance(text)):
        return act._replace(about="state", slots=(Slot(f":{stance}", Phrase("you")),))
    return _guessed(act, words) if act.about in _GUESSED else _left_on(_of_flame(act), words)


def _first_or_last(act: DialogueAct, words: str) -> DialogueAct:
    """What was done asks of the first or the last deed alone where its words say so."""
    which = FIRST if _FIRST.search(words) else LAST if _LAST.search(words) else ""
    asked = bool(which) and act == DialogueAct(Act.QUESTION, "did")
    return act._replace(slots=(Slot("", Phrase(which)),)) if asked else act


def _counted_there(act: DialogueAct, words: str) -> DialogueAct:
    """ "How many things are in the fridge?" asks for their number, not for what they are."""
    if act.about not in _INTO.values() or len(act.slots) != 1 or not _HOW_MANY_THERE.search(words):
        return act
    return act._replace(about="count", slots=(Slot("", Phrase("thing", place=(act.about, act.slots[0].phrase))),))


def _left_on(act: DialogueAct, words: str) -> DialogueAct:
    """Whether anything is on that is on a place, of what was read as being there."""
    phrase = act.slots[0].phrase if act.about == "there" and len(act.slots) == 1 else Phrase("")
    if phrase.noun not in ANYTHING or phrase.place is None or not _LEFT_ON.search(words):
        return act
    return DialogueAct(Act.QUESTION, "state", (Slot(":on", replace(phrase, noun="anything", looks=())),))


def _to_be_told(act: DialogueAct, text: str) -> DialogueAct:
    """ "Say where you found it" asks where it was, "did you do both" what was done, "tell me the code" what it is."""
    if (act.act is Act.UNCLEAR or act.about == "state") and ALL_DONE.search(plain_text(text)):
        return DialogueAct(Act.QUESTION, "did")
    told = (
        act.slots[0].phrase.noun.replace("_", " ") if act.about == "do" and act.act is Act.ORDER and act.slots else ""
    )
    if _TELL_ME.match(told):
        return DialogueAct(Act.QUESTION, "other")
    if not _SAY.match(told) or not WAS.search(told):
        return act
    return DialogueAct(Act.QUESTION, "where", (Slot("", Phrase("it")),))


def _of_others(act: DialogueAct, words: str) -> DialogueAct:
    """ "Who is visiting on Sunday?" is not about the Follower, however it was read."""
    whose = act.about == "where" and re.match(r"\W*(?:(?:and|so) )?who\b", words) is not None  # "who has the key?"
    others = (
        (whose or act.about in _OF_FOLLOWER) and _OF_OTHERS.search(words) is not None and _OF_YOU.search(words) is None
    )
    who = act == DialogueAct(Act.QUESTION, "who") and _WHO_DOES.search(words) is not None
    return DialogueAct(Act.QUESTION, "other", condition=act.condition) if others or who else act


def _as_question(stated: Slot, *, wrong: bool) -> DialogueAct:
    """Whether it is so that a thing is where, or as, somebody stated; how it is where "yes" might mean either."""
    if wrong and stated.role.startswith(":"):
        return DialogueAct(Act.QUESTION, "what_state", (Slot("", stated.phrase),))
    return DialogueAct(Act.QUESTION, "state" if stated.role.startswith(":") else "there", (stated,))


def _of_flame(act: DialogueAct) -> DialogueAct:
    """Whether there is a flame on a candle is whether that is lit."""
    lit = act.slots[0].phrase.place if act.about == "there" and len(act.slots) == 1 else None
    if lit is None or act.slots[0].phrase.noun not in ("flame", "fire"):
        return act
    return act._replace(about="state", slots=(Slot(":on", lit[1]),))


def _guessed(act: DialogueAct, words: str) -> DialogueAct:
    if act.about == "did" and (done := _DONE_ANYTHING.search(words)) and (touched := _touched(done["thing"])):
        return act._replace(of=(touched,))
    doer = _WHO_DID.search(words) if act.about == "other" and not act.of else None
    doer = doer or (_DONE_WITH.search(words) if not act.of else None)
    doer = doer or (_GOT_THERE.search(words) if act.about in ("other", "how") else None)
    if doer is not None and (touched := _touched(doer["thing"])) is not None:
        return DialogueAct(Act.QUESTION, "did", (Slot("", Phrase(WHO)),), of=(touched,))
    side = _SIDE.search(words)
    if side is not None and not act.of:
        return DialogueAct(Act.QUESTION, "did", (Slot("", Phrase(SIDE, "", (_MOTIONS.get(side[1], "turn"),))),))
    if act.about == "other" and "where" in words and _WATER.search(words) and _RUNS.search(words):
        return DialogueAct(Act.QUESTION, "where", (Slot("", Phrase("water", "", ("running",))),))
    source = _CAME_FROM.search(words) if act.about == "other" else None
    if source is not None:
        pointed = _POINTS.get(source[1], source[1])
        return DialogueAct(Act.QUESTION, "where", (Slot("", Phrase(pointed)),))
    if act.about in ("in", "on", "other", "what", "which") and not act.of and _OUT_OF_WHAT.search(words):
        return DialogueAct(Act.QUESTION, "where", (Slot("", Phrase("it")),))
    if act.about in ("in", "other", "which") and _WHAT_FOR.search(words):
        return DialogueAct(Act.QUESTION, "why")
    return act


def _touched(words: str) -> DialogueAct | None:
    """Touching what words name, or point at; `None` where that is nothing of households."""
    thing = named_in(words) or Phrase(_POINTS.get(words, words))
    known = kinds_of(thing.noun) or thing.noun in PRONOUNS
    return DialogueAct(Act.ORDER, "touch", (Slot("", thing),)) if known else None


def asks_what_failed(question: DialogueAct, text: str) -> bool | None:
    """Whether a question is what of the orders was not done, or, `False`, what was; `None` for any other."""
    words = plain_text(text)
    if question.about == "other" and _WENT_WRONG.search(words):
        return True
    named = (slot.phrase for slot in question.slots)
    if question.about not in _OF_ORDERS or not _WHICH.search(words) or any(map(_is_of_things, named)):
        return None
    return True if _DID_NOT.search(words) else False if _DID.search(words) else None


def asks_what_is_seen(question: DialogueAct) -> bool:
    """Whether a question is of what is rather seen than told: "which drawer is open?"."""
    looks = [state_called(look) for slot in question.slots for look in slot.phrase.looks]
    return question.about in _SEEN or question.about == "which" and bool(looks) and all(look in LOOKS for look in looks)


def _is_of_things(phrase: Phrase) -> bool:
    """Whether a description, or the place in it, is of what households have."""
    return bool(kinds_of(phrase.noun)) or (phrase.place is not None and _is_of_things(phrase.place[1]))
