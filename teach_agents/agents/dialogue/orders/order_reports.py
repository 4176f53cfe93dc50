"""What became of an order, in words: things by their names, what was in the way, how much of it was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import Name, article, called, listed, many_of, name_of, sentence
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, calls, named_by
from teach_agents.agents.dialogue.referring_expressions import place_word
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


def the_things(things: Sequence[Thing], said: str = "") -> str:
    """Things by their names: "the mug", "the two forks", "the fork and the two plates", "the nine things".

    They are called as they are `said` to be, a noun of a reading, where that names them.
    """
    if said not in _UNNAMING and things and all(calls(said, thing) and _is_so_named(said, thing) for thing in things):
        one = " ".join(said.split("_"))
        return f"the {one}" if len(things) == 1 else f"the {number_word(len(things))} {many_of(one)}"
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
    return "is" if len(things) == 1 else "are"


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
