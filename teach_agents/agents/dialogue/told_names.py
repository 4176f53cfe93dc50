"""What things and people are called among those who live here: by what they told, a description is another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import MY_NAME, Told
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, calls, is_name, kinds_of
from teach_agents.agents.dialogue.statements import plain_name, statements_in
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.agents.dialogue.told_states import MINE, OTHERS, TELLING, is_owner, told_so
from teach_agents.core.dialogue import Phrase
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_phrase, write_phrase

_I_AM = re.compile(
    r"\b(?:[Ii]'?m|[Ii] am|[Mm]y name(?:'s| is)|[Cc]all me) (?P<name>[A-Z][a-z]+)\b"
    r"|\b(?:[Hh]i|[Hh]ello|[Hh]ey|[Hh]iya|[Mm]orning|[Ee]vening)\b[^A-Z?]{0,16}\b"
    r"(?:[Ii]t'?s|[Ii]t is|[Tt]his is|[Tt]his)"
    r"(?: me,?)? (?P<other>[A-Z][a-z]+)\b"
    r"|\b[Ii]t(?:'s| is) me[,!.:]? (?P<me>[A-Z][a-z]+)\b"
    r"|(?:^|[.!,] )(?:(?:[Tt]his is |[Ii]t'?s )?(?P<here>[A-Z][a-z]+) (?:here|speaking)"
    r"|[Tt]his is (?P<now>[A-Z][a-z]+) now)\b"
)
"""How people say who they are: "I'm Mia", "Hi, it's Mia", "Mia here"."""
_NO_NAMES = frozenset(
    """Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December Christmas Easter Ok Okay Nothing Right Back Over Out Down Up Not From Is
    It""".split()
)
_AS_OWNERS = {"her": "hers", "him": "his", "their": "theirs", "my": MINE}
_OWN = frozenset({"my", "own"})
_SOUND = ("good", "working", "fresh")
"""What anything is wanted to be."""
_SEVERAL = 2
_KEPT = re.compile(r"(?:for|reserved|(?:kept|saved|set aside|spoken)(?: back)? for)\b")
_FULL_OF = re.compile(r"(?:full of|filled with|topped up with) (?:the |some |my |our |a )?(?P<content>[a-z ]+)")
_VESSELS = frozenset(
    """Bottle Bowl Cup Kettle Mug PepperShaker Pot SaltShaker SoapBottle SprayBottle Vase WateringCan
    WineBottle""".split()
)
"""What is called by what is in it."""
_DRINKS = frozenset({"coffee", "tea", "water"})
"""What is not only told to be in a vessel."""


class Meant(NamedTuple):
    """What a description stands for by what was told; `fact` is what told it."""

    phrase: Phrase
    fact: Told | None = None


def names_told(text: str, turn: int) -> list[Told]:
    """What an utterance says of names: of a thing, of whoever speaks."""
    found = []
    for thing, state in statements_in(text):
        if state.startswith("called "):
            found.append(Told(text.strip(), turn, thing.noun, "", state, write_phrase(thing)))
    if name := _I_AM.search(text):
        told = name["name"] or name["other"] or name["me"] or name["here"] or name["now"]
        if told not in _NO_NAMES:
            found.append(Told(text.strip(), turn, MY_NAME, "", told, MY_NAME))
    return found


def as_told(phrase: Phrase, facts: Sequence[Told], recent: Sequence[str] = ()) -> Phrase:
    """What a description stands for by what was told: "the clicker", "mine", "the spare"; else the description.

    `recent` are the last lines of the talk, for "hers".
    """
    return meant_by(phrase, facts, recent).phrase


def meant_by(phrase: Phrase, facts: Sequence[Told], recent: Sequence[str] = ()) -> Meant:
    """`as_told`, and the fact that tells it."""
    phrase = _owned(phrase, facts, recent)
    if phrase.noun in PRONOUNS | ANYTHING:
        return Meant(phrase)
    names = {*_names(phrase)}
    named = next((fact for fact in reversed(facts) if _is_called(fact, names)), None)
    what = _what(named)
    if named is not None and what is not None:
        return Meant(replace(what, count=phrase.count or what.count), named)
    if not is_name(phrase.noun) and phrase.noun not in _DRINKS:
        for fact in reversed(facts):
            if (vessel := _vessel_of(phrase.noun, fact)) is not None:
                return Meant(vessel)
    strange = [] if kinds_of(phrase.noun) else [phrase.noun]
    marks = strange or [look for look in phrase.looks if state_called(look) not in LOOKS]
    for mark in marks:
        for fact in reversed(facts):
            meant = _meant(mark, fact)
            if meant is not None and (strange or {*kinds_of(meant.noun)} & {*kinds_of(phrase.noun)}):
                return Meant(replace(meant, count=phrase.count or meant.count), fact)
    return Meant(phrase)


def told_apart(
    looks: Sequence[str], things: Sequence[Thing], facts: Sequence[Told], is_there: Callable[[Phrase, Thing], bool]
) -> tuple[list[Thing], tuple[str, ...]]:
    """Those of things that are, as was told, what these looks say, and the looks that this decides: of several those
    that were said to be so, else those that were not said to be otherwise."""
    left, decided = [*things], []
    for look in looks:
        if state_called(look) in LOOKS and look not in TELLING:
            continue
        verdicts = [_verdict(look, thing, facts, is_there) for thing in left]
        if any(verdicts) or False in verdicts:
            wanted = (True,) if any(verdicts) else (None,)
            left = [thing for thing, verdict in zip(left, verdicts, strict=True) if verdict in wanted]
            decided.append(look)
    return left, tuple(decided)


def for_speaker(
    things: Sequence[Thing], facts: Sequence[Told], is_there: Callable[[Phrase, Thing], bool]
) -> list[Thing]:
    """Of several things those of whoever speaks, else those that are nobody else's, as was told; all where all are."""
    owners = [_owner(thing, facts, is_there) for thing in things]
    wanted = (MINE,) if MINE in owners else ("", "ours")
    return [thing for thing, owner in zip(things, owners, strict=True) if owner in wanted] or [*things]


def sound(things: Sequence[Thing], facts: Sequence[Told], is_there: Callable[[Phrase, Thing], bool]) -> list[Thing]:
    """Of several things those that were not said to be no good, nor to be kept for somebody; all where none is left."""
    told = [fact for fact in facts if fact.state]
    if not told or len(things) < _SEVERAL:
        return [*things]
    good = [thing for thing in things if not any(_verdict(look, thing, told, is_there) is False for look in _SOUND)]
    kept = [one for one in good if not any(_KEPT.match(fact.state) and _is_of(fact, one, is_there) for fact in told)]
    return kept or good or [*things]


def _owner(thing: Thing, facts: Sequence[Told], is_there: Callable[[Phrase, Thing], bool]) -> str:
    of_it = (fact for fact in reversed(facts) if is_owner(fact.state) and _is_of(fact, thing, is_there))
    return next((fact.state for fact in of_it), "")


def _verdict(look: str, thing: Thing, facts: Sequence[Told], is_there: Callable[[Phrase, Thing], bool]) -> bool | None:
    """Whether a thing is so, by the latest that was told of it; `None` where nothing says."""
    for fact in reversed(facts):
        if not _is_of(fact, thing, is_there):
            if is_owner(look) and fact.state == look and fact.place and not fact.ids and calls(fact.noun, thing):
                return False  # "mine is in the car"
            continue
        what = _what(fact)
        for state in (fact.state, *(what.looks if what is not None else ())):
            if (so := told_so(look, state)) is not None:
                return so
    return None


def _is_of(fact: Told, thing: Thing, is_there: Callable[[Phrase, Thing], bool]) -> bool:
    """Whether a fact is about a thing: it was known to be, or is where that was said to be."""
    if fact.ids:
        return thing.object_id in fact.ids
    what = _what(fact)
    return what is not None and calls(what.noun, thing) and is_there(what, thing)


def _names(phrase: Phrase) -> Iterator[str]:
    """What a description may be as a name: "grandad's throne", "throne of grandad", "throne"."""
    noun = phrase.noun.replace("_", " ")
    yield noun
    if phrase.looks:
        yield " ".join((*phrase.looks, noun)).replace("_", " ")
    if phrase.place is not None and phrase.place[0] == "of":
        yield f"{phrase.place[1].noun.replace('_', ' ')}'s {noun}"


def _is_called(fact: Told, names: set[str]) -> bool:
    """Whether a fact tells one of these names; the last word of one is enough where that is no thing's own."""
    if not fact.state.startswith("called "):
        return False
    name = plain_name(fact.state.removeprefix("called "))
    short = name.split()[-1]
    return name in names or (short in names and not kinds_of(short))


def _owned(phrase: Phrase, facts: Sequence[Told], recent: Sequence[str]) -> Phrase:
    """A description with its owner as a look, or as its noun where that is all: "my own one" is "mine", "the pen of
    Mia" "mia's pen", "hers" is Mia's, who was spoken of."""
    owners = {fact.state for fact in facts if is_owner(fact.state)}
    if not owners:
        return phrase
    if phrase.place is not None and phrase.place[0] == "of" and f"{phrase.place[1].noun}'s" in owners:
        phrase = replace(phrase, looks=(f"{phrase.place[1].noun}'s", *phrase.looks), place=phrase.place[1].place)
    if _OWN & {*phrase.looks} and MINE in owners:
        phrase = replace(phrase, looks=(MINE, *(look for look in phrase.looks if look not in _OWN)))
    phrase = replace(phrase, looks=tuple(_named_owner(look, owners, recent) for look in phrase.looks))
    noun = _named_owner(_AS_OWNERS.get(phrase.noun, phrase.noun), owners, recent)
    if f"{noun}'s" in owners and not kinds_of(noun):
        noun = f"{noun}'s"
    owner = next((look for look in phrase.looks if is_owner(look)), "")
    if noun == "one" and owner:
        noun, phrase = owner, replace(phrase, looks=tuple(look for look in phrase.looks if look != owner))
    return replace(phrase, noun=noun)


def _named_owner(word: str, owners: set[str], recent: Sequence[str]) -> str:
    """Whose "hers" is: the one of the owners who was named last; else the word as it is."""
    if f"{word}'s" in owners and not kinds_of(word):  # "the library one"
        return f"{word}'s"
    if word not in OTHERS or word in owners:
        return word
    named = [owner for owner in owners if owner.endswith("'s")]
    for line in reversed(recent):
        said = {*re.findall(r"[a-z]+", line.lower())} if line.startswith("person:") else set()
        spoken = [owner for owner in named if {*owner.removesuffix("'s").split("_")} <= said]
        if len(spoken) == 1:
            return spoken[0]
    return word


def _what(fact: Told | None) -> Phrase | None:
    try:
        return None if fact is None else read_phrase(fact.what)
    except InputError:
        return None


def _meant(mark: str, fact: Told) -> Phrase | None:
    """What a fact is about, if it gives that a mark: a name, an owner, a look."""
    what = _what(fact)
    if what is None:
        return None
    if mark in what.looks:
        return replace(what, looks=tuple(look for look in what.looks if look != mark))
    return what if fact.state == mark else None


def _vessel_of(content: str, fact: Told) -> Phrase | None:
    """The vessel that something was said to be in: "the mouthwash is in the spray bottle", "the jug has milk in it"."""
    what = _what(fact)
    if what is None:
        return None
    full = _FULL_OF.match(fact.state.replace("_", " "))
    told = full["content"].strip().replace(" ", "_") if full is not None else ""
    if what.holds is not None:
        told = what.holds.noun
    vessel = replace(what, holds=None)
    if what.noun == content and what.place is not None and what.place[0] in ("in", "of") and not fact.state:
        told, vessel = content, what.place[1]
    return vessel if told == content and _VESSELS & {*kinds_of(vessel.noun)} else None
