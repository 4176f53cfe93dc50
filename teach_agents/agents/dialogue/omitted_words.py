"""What the reading of an order leaves out of its words: whose a thing is, what it is like, what else would do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.alternatives import with_alternatives
from teach_agents.agents.dialogue.conditions import OPPOSITES
from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.liked_things import liked_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, is_name, kinds_of, noun_of
from teach_agents.agents.dialogue.statements import plain_name
from teach_agents.agents.dialogue.states import STATE_WORDS, state_called
from teach_agents.agents.dialogue.told_names import meant_by, names_told
from teach_agents.agents.dialogue.told_states import MINE, is_common, is_owner, owner_called, tidied, told_so
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.conditional_choices import with_conditions
from teach_agents.understanding.paraphrases import reworded
from teach_agents.understanding.plain_text import plain_text

_PERSONS = frozenset({"him", "her", "he", "she"})
"""What things that have a name are called by, too."""
_EVERYTHING = frozenset({"everything", "whatever", "anything", "thing", "stuff"})
_WHATEVER = re.compile(
    r"\b(?:whatever|everything|anything|whichever|all) (?:that |which )?"
    r"(?:(?:is|has|have) been|is|has|have|are|got|looks|smells) "
    r"(?P<state>(?:gone |past )?[a-z]+(?: up| out| to bits)?)\b"
)
_THAT_IS = (
    r"(?:that|which)(?:'s| is| are)(?P<not>n't| not)?(?: (?:still|already|currently|actually|yet))* (?P<state>"
    + "|".join(sorted({word.replace("_", " ") for word in STATE_WORDS} | {"turned on", "turned off"}, key=len)[::-1])
    + r")\b(?! (?:the|a|an|my|our|your|his|her|that|this|top|fire|its) ?)"
)
"""A clause that tells what the thing before it looks like."""
_ONE_OF = re.compile(r"\b(?:an?|some|any) (?:[a-z]+ )?(?P<noun>[a-z]+)\b[^.?!]*\bone\b")
_SOME_OF = re.compile(
    r"\b(?:some|any|much|the) (?P<noun>[a-z]+)\b.{0,60}?\b(?:get|bring|fetch|give|have|want|like) (?:[a-z]+ )?some\b"
)
_WHEREABOUTS = frozenset(
    """in on under by near left lying sitting standing hanging resting stood sat hidden kept stored placed put piled
    spread scattered dumped inside there here still currently around about""".split()
)
"""What is said of things to tell where they are, not what they are like."""
_LONE_OWNER = re.compile(r"\b(mine|hers|theirs|his(?=[,.;!?]| and| but| so| at| in| on))\b.*\b(?:it|that)\b")
_KIND = re.compile(r"(?:^|[.,;!?:] )(?:the|a) (?P<kind>[a-z]+)(?: one| kind| sort| type)?(?=[.,;!?]|$| please\b| if\b)")
"""A clause that is no more than the name of a kind."""
_BEHIND_A_DOOR = re.compile(r"\bbehind (?:(?:the|its|that|a) )?(?:[a-z]+ ){0,2}(?:door|doors|lid)\b")
"""What stands for "in" something that shuts."""
_CONTAINERS = frozenset({"bottle", "shaker"})
"""What is named by what is in it, which may be said elsewhere."""
_SHUT = frozenset("Fridge Microwave Cabinet Safe WashingMachine ClothesDryer Dresser Toilet Box Pot".split())
"""What has a door, or a lid."""
_ONE_HAND = frozenset({"get", "pick_up", "find", "show"})
"""Orders of which "whatever" may be one thing."""


_HELD = re.compile(r"\b(?:thing|object|item|stuff|something|whatever|that|it) in your (?:\w+ )?hands?\b")
_THE_THING = re.compile(
    r"\b(?:the|that|this) (?:thing|object|item)"
    r"(?= *(?:[,.;!?]|$)| (?:please|pls|now|here|away|down|back|off|up|over)\b)"
)
"""What names nothing, and is known from what was spoken of or not at all."""
_IN_HAND = Phrase("thing", place=("in", Phrase("hand")))


def with_words(order: DialogueAct, text: str, facts: Sequence[Told]) -> DialogueAct:
    """An order whose descriptions say what its words do."""
    if order.act is not Act.ORDER:
        return order
    plain = with_conditions(plain_text(text))
    if order.about != "pick_up" and _HELD.search(plain_text(reworded(text))):
        slots = (one._replace(phrase=_IN_HAND) if _is_held(one) else one for one in order.slots)
        order = order._replace(slots=tuple(slots))
    plain = re.sub(r"\b(whatever|everything|anything)'s\b", r"\1 is", plain)
    whence = any(slot.role == "from" for slot in order.slots)
    slots = (
        slot
        if whence and slot == Slot("", Phrase("thing"))  # "that thing off the ottoman"
        else slot._replace(phrase=_behind_doors(_in_words(slot, order.about, plain, facts), plain))
        for slot in order.slots
    )
    return order._replace(slots=tuple(slots))


def _is_held(slot: Slot) -> bool:
    """Whether a slot is of what nobody names: what is in the hand, where that is spoken of."""
    return not slot.role and slot.phrase.noun in ANYTHING | {"it", "that", "this"} and not slot.phrase.looks


def _in_words(slot: Slot, verb: str, text: str, facts: Sequence[Told]) -> Phrase:
    phrase = slot.phrase
    if slot.role.startswith(":"):
        return phrase
    if facts and not slot.role and (liked := liked_in(phrase, text, facts)) is not None:
        return liked
    if phrase.noun in ("thing", "object", "item") and phrase == Phrase(phrase.noun) and _THE_THING.search(text):
        return Phrase("that")
    if phrase.noun in _EVERYTHING:
        return phrase if slot.role else _whatever(phrase, verb, text)
    if phrase in (Phrase("it"), Phrase("that")) and facts and (whose := _LONE_OWNER.search(text)):
        return Phrase(whose[1])  # "Mia went without hers: can I have it?"
    if phrase.noun in _PERSONS and not slot.role:  # "Bedtime for Walter: switch him off"
        told = (fact.state.removeprefix("called ") for fact in reversed(facts) if fact.state.startswith("called "))
        name = next((one for one in told if re.search(rf"\b{re.escape(plain_name(one))}\b", text)), "")
        return Phrase(plain_name(name).replace(" ", "_") if name else "it")
    if phrase.noun in ("one", "some") and not slot.role and (meant := _one_of_what(phrase, text)) is not None:
        return meant
    if phrase.noun in PRONOUNS | ANYTHING:
        return phrase
    named = meant_by(phrase, names_told(text, 0))  # "Bertie is the teddy" may stand behind the order
    if named.fact is not None:
        return named.phrase
    phrase = _placed(with_alternatives(_narrowed(_looking_so(_of_what(phrase, text), text), text), text), text)
    return _marked(phrase, text, facts) if facts else phrase


def _placed(phrase: Phrase, text: str) -> Phrase:
    """ "A bowl in the fridge or in the microwave" may be in either."""
    if phrase.place is None:
        return phrase
    return replace(phrase, place=(phrase.place[0], with_alternatives(phrase.place[1], text)))


def _behind_doors(phrase: Phrase, text: str) -> Phrase:
    """ "The thing behind the microwave door" is in it."""
    behind = phrase.place is not None and phrase.place[0] == "behind" and _BEHIND_A_DOOR.search(text) is not None
    if not behind or phrase.place is None or not _SHUT & {*kinds_of(phrase.place[1].noun)}:
        return phrase
    return replace(phrase, place=("in", phrase.place[1]))


def _whatever(phrase: Phrase, verb: str, text: str) -> Phrase:
    """ "Whatever's gone off" is all that is; "everything" is all."""
    if not phrase.looks and (found := _WHATEVER.search(text)) and found["state"].split()[0] not in _WHEREABOUTS:
        phrase = replace(phrase, looks=(found["state"].replace(" ", "_"),))
    every = phrase.noun == "everything" or (phrase.noun == "whatever" and verb not in _ONE_HAND)
    return replace(phrase, count="all") if every and not phrase.count else phrase


def _looking_so(phrase: Phrase, text: str) -> Phrase:
    """ "The lamp that's switched on" is the one that is on, however it was read."""
    if phrase.holds is not None or phrase.count == "other":
        return phrase
    found = re.search(rf"\b{re.escape(phrase.noun.replace('_', ' '))}s? {_THAT_IS}", text)
    if found is None:
        return phrase
    state = state_called(found["state"].removeprefix("turned ").removeprefix("switched ").replace(" ", "_"))
    state = OPPOSITES.get(state, "") if found["not"] else state
    if not state:
        return phrase
    otherwise = {state_called(one) for one in phrase.looks} - {state, OPPOSITES.get(state)}
    return phrase if otherwise else replace(phrase, looks=(state,))


def _one_of_what(phrase: Phrase, text: str) -> Phrase | None:
    """ "I want to boil an egg, hand me one that's still whole" is about an egg."""
    found = (_ONE_OF if phrase.noun == "one" else _SOME_OF).search(text)
    return replace(phrase, noun=found["noun"]) if found and (kinds_of(found["noun"]) or phrase.noun == "some") else None


def _of_what(phrase: Phrase, text: str) -> Phrase:
    """ "I fancy some wine: bring me the bottle" is the one of wine."""
    if phrase.noun not in _CONTAINERS or phrase.holds is not None or phrase.looks:
        return phrase
    named = (f"{word}_{phrase.noun}" for word in re.findall(r"[a-z]+", text) if word != phrase.noun)
    return replace(phrase, noun=next((name for name in named if is_name(name)), phrase.noun))


def _narrowed(phrase: Phrase, text: str) -> Phrase:
    """ "Some soap, please. The bar, if you can": which kind of several that bear the name."""
    kinds = {*kinds_of(phrase.noun)}
    if len(kinds) < 2 or phrase.looks or phrase.place is not None:
        return phrase
    for found in _KIND.finditer(text):
        word = found["kind"]
        for name in (f"{phrase.noun}_{word}", f"{word}_{phrase.noun}", word):
            told = kinds & {*kinds_of(name)}
            if word != phrase.noun and len(told) == 1:
                return replace(phrase, noun=noun_of(told.pop()))
    return phrase


def _marked(phrase: Phrase, text: str, facts: Sequence[Told]) -> Phrase:
    """A description with the marks that were told of such things, as far as the words name them: "my phone"."""
    kinds = {*kinds_of(phrase.noun)}
    if not kinds or any(map(is_owner, phrase.looks)):
        return phrase
    about = [fact for fact in facts if fact.state and kinds & {*kinds_of(fact.noun)}]
    owners = {fact.state for fact in about if is_owner(fact.state)}
    name = re.escape(phrase.noun.replace("_", " "))
    owned = re.search(rf"\b(my|our|his|her|their|[a-z]+'s)(?: own)? (?:[a-z]+ )?{name}", text)
    if owners and owned is not None:
        owner = owner_called(owned[1])
        if owner in {*owners, MINE, "his", "hers", "theirs"}:
            return replace(phrase, looks=(owner, *phrase.looks))
    behind = re.search(rf"\b{name} (?:that|which)(?: is| has|'s| still| really)* (?P<state>[a-z]+(?: [a-z]+)?)", text)
    if behind is not None and any(told_so(behind["state"], fact.state) is not None for fact in about):
        return replace(phrase, looks=(tidied(behind["state"]).replace(" ", "_"), *phrase.looks))
    for fact in reversed(about):
        state = tidied(fact.state)
        if is_owner(fact.state) or state.startswith("called ") or state.replace(" ", "_") in phrase.looks:
            continue
        said = rf"\b{re.escape(state)}(?: [a-z]+)? {name}" if is_common(state) else rf"\b{re.escape(state)}\b"
        if re.search(said, text):
            return replace(phrase, looks=(state.replace(" ", "_"), *phrase.looks))
    return phrase
