"""What became of an order, in words: things by their names, what was in the way, how much of it was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.excepted_kinds import BUT
from teach_agents.agents.dialogue.noun_text import (
    MASS,
    Name,
    article,
    called,
    is_plural,
    listed,
    many_of,
    name_of,
    sentence,
    words_of,
    written,
)
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, calls, kinds_of, named_by
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Found
from teach_agents.agents.dialogue.referring_expressions import FURNITURE, place_word
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word, preposition
from teach_agents.understanding.english.values import ReportKind

_MOST_KINDS = 4
_WORKS: Mapping[str, Name] = {
    "LightSwitch": Name("light", "lights", "light"),
    "ShowerHead": Name("shower", "showers", "shower"),
    "StoveKnob": Name("burner", "burners", "burner"),
}
"""What is spoken of where something else is acted upon."""
_UNNAMING = PRONOUNS | ANYTHING | {"", "keys", "food", "rubbish", "trash", "garbage", "slice", "piece", "veg", "there"}
"""What things are not called by when they are spoken of."""
UNSOUGHT = ANYTHING | PRONOUNS | {*LIQUIDS}
"""What is not looked for by its name."""


def the_things(things: Sequence[Thing], said: str = "") -> str:
    """Things by their names: "the mug", "the two forks", "the fork and the two plates", "the nine things".

    They are called as they are `said` to be, a noun of a reading, where that names them.
    """
    if said not in _UNNAMING and things and all(calls(said, thing) and _is_so_named(said, thing) for thing in things):
        one = written(said)
        one = called(things[0]).alone if is_plural(called(things[0]).alone) else one
        return f"the {one}" if len(things) == 1 or said in MASS else f"the {number_word(len(things))} {many_of(one)}"
    counts = Counter(_WORKS.get(thing.object_type) or called(thing) for thing in things)
    if len(counts) > _MOST_KINDS:
        return f"the {number_word(len(things))} things"
    words = [f"the {name.alone if n == 1 else f'{number_word(n)} {name.many}'}" for name, n in counts.items()]
    return listed(words)


def _is_so_named(said: str, thing: Thing) -> bool:
    """Whether a noun that is the very name of one kind is not said of a thing of another."""
    return not named_by(said) or thing.is_a(named_by(said))


def are(things: Sequence[Thing]) -> str:
    """The verb that agrees with things."""
    return "is" if len(things) == 1 and not is_plural(called(things[0]).alone) else "are"


def was(number: int) -> str:
    """The verb, of what is over, that agrees with a number."""
    return "was" if number == 1 else "were"


def cannot_be(words: str, done: str) -> str:
    """ "The apple cannot be opened."; `done` may be a sentence of its own, with {x} for the thing."""
    return done.replace("{x}", words) if "{x}" in done else sentence(f"{words} cannot {done}")


def hindrance(error: SkillError, body: Body) -> str:
    """What kept a step from being done, as a clause: "there is no knife here", "I could not reach the shelf"."""
    name = name_of(error.noun.removesuffix("Basin")) if error.noun and error.noun != "It" else None
    if name is None:
        return "I found no way to get there" if error.kind is ReportKind.NOT_REACHED else "it did not work"
    if error.kind is ReportKind.NOT_FOUND:
        if error.thing is not None:
            return f"the {name.alone} was not where I took it to be"
        return f"I looked for {article(name.one)} and found none" if body.knowledge else f"I know of no {name.one} here"
    if error.kind is ReportKind.NOT_REACHED:
        return f"I could not reach the {name.alone}"
    if error.kind is ReportKind.NO_ROOM:
        if error.thing is not None and body.holds(error.thing):
            return f"I found no place to put the {name.alone} down"
        return f"there is no room {preposition(error.noun)} the {name.alone}"
    return f"it did not work with the {name.alone}"


def there_is(things: Sequence[str]) -> str:
    """ "there is a mug", "there are two plates and a fork"."""
    return f"there {'is' if things[0].startswith(('a ', 'an ', 'one ')) else 'are'} {listed(things)}"


def placed(place: Thing) -> str:
    """ "in the sink", "on the counter"."""
    word = "in" if place.object_type == "Pan" else place_word(place)
    return f"{word} the {called(place).alone}"


def moved_aside(things: Sequence[Thing], body: Body) -> str:
    """ " To make room I put the laptop on the sofa." Nothing where nothing was moved."""
    told = [f"{the_things([one])} {placed(body.holders(one)[0])}" for one in things if body.holders(one)]
    return f" To make room I put {listed(told)}." if told else ""


def missing(phrase: Phrase, found: Found, knowing: RoomKnowledge, pick: Callable[..., str]) -> str:
    """Why there is no such thing as an order needs; `pick` chooses one of several wordings."""
    name = " ".join(phrase.noun.split("_"))
    if (phrase.noun in PRONOUNS or phrase.count in ("another", "rest")) and found.kinds and found.alike:
        return f"I know of no other {called(found.alike[0]).one}. {knowing.known(found.alike)}"
    if phrase.noun == "there":
        return pick("I do not know where you mean.", "Where do you mean?")
    if phrase.place is not None and phrase.place[1].noun == "hand":
        return pick("There is nothing in my hand.", "I am not holding anything: my hand is empty.")
    if phrase.noun in ANYTHING or phrase.looks[:1] == ("something",):
        phrase = replace(phrase, noun="something") if phrase.noun in ANYTHING else phrase
        none = "nothing else" if any(look.startswith(BUT) for look in phrase.looks) else "nothing"
        nothing = words_of(replace(phrase, count="")).replace("something", none, 1)
        return pick(f"I know of {nothing}.", f"I see {nothing}.")
    if phrase.noun not in PRONOUNS | ANYTHING and not kinds_of(phrase.noun) and phrase.noun not in LIQUIDS:
        return pick(f"There is no {name} here that I know of.", f"I know of no {name} here.")
    if knowing.body.knowledge is None or phrase.noun in UNSOUGHT or found.alike:
        return knowing.no_such(phrase, found)
    thing, hidden = words_of(replace(phrase, count="", place=None), "a"), ""
    if found.kinds and found.kinds[0] not in FURNITURE:
        hidden = knowing.not_looked_in(found.kinds[0])
    where = phrase.place if phrase.place is not None and phrase.place[0] in ("in", "on") else None
    if where is not None and not knowing.find(where[1]).things:
        return f"I have seen no {' '.join(where[1].noun.split('_'))} here."
    if where is not None:
        return f"I looked {where[0]} {words_of(where[1])} and found no {name}."
    words = pick(f"I looked for {thing} and could not find one.", f"I could not find {thing}.")
    return f"{words} {hidden}" if hidden else words
