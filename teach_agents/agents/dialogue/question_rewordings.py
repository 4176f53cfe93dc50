"""Questions that ask after a state in other words: "which lamps aren't on?", "does the plate need a wash?", "is it
dark in here?"."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.agents.dialogue.conditions import OPPOSITES
from teach_agents.agents.dialogue.noun_types import ANYTHING, kinds_of
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

_IS_NOT = re.compile(
    r"\b(?:which|what|how many|any(?:thing)?|some(?:thing)?)\b[^.!?]*?(?:\b(?:is|are)(?:n'?t| not)|'s not|\bnot)"
    r"(?: (?:still|already|yet|currently|actually|properly|switched|turned|been|quite))* (?P<state>[a-z]+)\b"
)
"""What asks for those that are not in a state."""
_OF_STATES = frozenset({"other", "state", "what_state", "there", "which", ""})
"""Topics that "does it need a wash?" and "is it dark in here?" are read as."""
_OF_SOME = frozenset({"which", "count", "there", "what"})
_DONE_FOR = {
    **dict.fromkeys(("wash", "clean", "rins", "scrub", "wip", "scrubb"), "dirty"),
    **dict.fromkeys(("mak", "made", "tidy", "tidied"), "unmade"),
    **dict.fromkeys(("empty", "empti"), "full"),
    **dict.fromkeys(("clos", "shut", "shutt"), "open"),
    **dict.fromkeys(("turn", "switch"), "on"),
    **dict.fromkeys(("fill",), "empty"),
}
"""By the stem of what a thing may need, what it is like then."""
_STEMS = "|".join(sorted(_DONE_FOR, key=len)[::-1])
_DEED = rf"(?:to be |a |an? (?:good|quick) |some )?(?P<deed>{_STEMS})(?:e|ed|ing|y)?\b"
_NEEDS = re.compile(
    rf"\b(?:does|do) (?P<thing>[a-z ]+?)(?: still| really| actually)* (?:need|want|require) {_DEED}(?! on\b)"
)
_TO_DO = re.compile(
    rf"\b(?P<thing>anything|something|nothing)(?: here| left| else| still)* (?:(?:that )?(?:still )?needs?|to) {_DEED}"
    r"(?! on\b)"
)
_TO_DO_ALONE = re.compile(
    rf"(?:(?:so|and|ok|okay|hey|robot|(?:is|are) there|do (?:we|you|i) have|have (?:we|you|i) got|got)\W+)*"
    rf"{_TO_DO.pattern}(?: up| off| out| down| here| yet| now| today| still)*\W*"
)
"""What is no order, whatever it was read as: "anything that needs cleaning?"."""
_HOW_MANY_SO = re.compile(
    r"(?:(?:and|so|ok|okay)\W+)?(?P<how>how many|which(?: ones?)?)(?: of (?:them|those|these))? (?:is|are)"
    r"(?: (?:still|now|already|currently|left|switched|turned))* (?P<state>[a-z]+)(?: now| then| right now)?\W*"
)
"""What asks how many, or which, of what was spoken of are in a state."""
_OR_WAS = re.compile(r"\bor (?:was|were) (?:it|they|that|those|them)(?: (?:just|still|already))* (?P<state>[a-z]+)\b")
"""What asks how something was before: "did you turn it off or was it off already?"."""
_DARK = re.compile(r"\bis it(?: (?:too|very|still|getting|all|so|really|already|quite))* (?P<how>dark|light|bright)\b")


def as_state(act: DialogueAct, text: str) -> DialogueAct:
    """An act as a question after a state, where its words ask for one otherwise than it was read."""
    plain = plain_text(text)
    if act.act is Act.ORDER and (alone := _TO_DO_ALONE.fullmatch(plain)) is not None:
        return _of_need(act, alone["thing"], _DONE_FOR[alone["deed"]])
    if act.act not in (Act.QUESTION, Act.UNCLEAR) or act.of:
        return act
    named = next((slot.phrase.noun for slot in act.slots if kinds_of(slot.phrase.noun)), "")
    fits = act.about in _OF_STATES
    dark = _DARK.search(plain) if fits and named in ("", "light", "room") else None
    if dark is not None and not re.search(r"\bblinds?|\bcurtains?", plain):
        state = ":off" if dark["how"] == "dark" else ":on"
        return DialogueAct(Act.QUESTION, "state", (Slot(state, Phrase("light", "all" if state == ":off" else "")),))
    needs = _NEEDS.search(plain) or _TO_DO.search(plain)
    if fits and needs is not None and (not named or named.replace("_", " ") in needs["thing"]):
        return _of_need(act, needs["thing"], _DONE_FOR[needs["deed"]])
    some = _HOW_MANY_SO.fullmatch(plain) if act.act is Act.UNCLEAR else None
    if some is not None and state_called(some["state"]) in LOOKS:
        about = "count" if some["how"] == "how many" else "which"
        return DialogueAct(Act.QUESTION, about, (Slot("", Phrase("one", looks=(some["state"],))),))
    was = _OR_WAS.search(plain) if act.act is Act.UNCLEAR else None
    if was is not None and state_called(was["state"]) in LOOKS:
        return DialogueAct(Act.QUESTION, "state", (Slot(f":{was['state']}", Phrase("it")),))
    return _opposite(act, plain) if act.about in _OF_SOME | {"state"} else act


def _of_need(act: DialogueAct, words: str, state: str) -> DialogueAct:
    """Whether a thing is in the state that calls for a deed."""
    thing = Phrase("anything") if words.split()[-1] in ANYTHING | {"nothing"} else named_in(words)
    thing = thing or (Phrase(words) if words in ("it", "they", "that", "this") else None)
    return act if thing is None else DialogueAct(Act.QUESTION, "state", (Slot(f":{state}", thing),))


def _opposite(act: DialogueAct, plain: str) -> DialogueAct:
    """A question of those that are not in a state, which was read without its "not"."""
    if len(act.slots) != 1:
        return act
    role, phrase = act.slots[0]
    if act.about == "state" and phrase.noun not in ANYTHING and phrase.count != "any":
        return act
    denied = {state_called(found["state"]) for found in _IS_NOT.finditer(plain)}
    if act.about == "state":
        asked = state_called(role.removeprefix(":"))
        return act if asked not in denied else act._replace(slots=(Slot(f":{OPPOSITES.get(asked, asked)}", phrase),))
    read = (*phrase.looks, role) if role == "on" else phrase.looks  # "which is on" is read as a place
    looks = tuple(OPPOSITES.get(state_called(one), one) if state_called(one) in denied else one for one in read)
    return act if looks == read else act._replace(slots=(Slot("", replace(phrase, looks=looks)),))
