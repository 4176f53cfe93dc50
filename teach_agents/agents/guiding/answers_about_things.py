"""What a Commander answers a person about things: where, which, how many, and what they are like."""

from __future__ import annotations

from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.dialogue.conditions import OPPOSITES
from teach_agents.agents.dialogue.noun_text import capitalized
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.agents.dialogue.states import LOOKS, named_state
from teach_agents.agents.guiding.advice import is_needed
from teach_agents.agents.guiding.descriptions import (
    named,
    numbered,
    place_of,
    several,
    where_are,
)
from teach_agents.agents.guiding.lines import Line
from teach_agents.agents.guiding.matter import Matter, same_things, unknown_thing
from teach_agents.understanding.english.lexicon import noun, number_word, preposition
from teach_agents.understanding.english.values import Reference


def where_answer(line: Line, matter: Matter) -> str:
    """Where things are."""
    found = matter.meant(line)
    if not found:
        return unknown_thing(line)
    return where_are(found, matter.things) or f"I do not know where the {several(found)} is."


def missing_answer(line: Line, matter: Matter) -> str:
    """Where it is, more exactly than before."""
    found = matter.meant(line)
    if not found:
        return f"{unknown_thing(line)} {matter.reminder}".strip()
    if len(found) > 1:
        found = [one for one in found if one in matter.wanted()] or found
    said = where_are(found, matter.things, closely=True)
    if not said:
        return "I do not know where it is."
    return f"Look again: {said[:1].lower()}{said[1:]}" if said in matter.told else said


def which_answer(line: Line, matter: Matter) -> str:
    """Which of several are meant by the step."""
    step, things = matter.step, matter.things
    phrases: list[Reference] = step.phrases if step is not None else []
    meant = next((one for one in phrases if any(one.noun == kind for kind in line.kinds)), None)
    if meant is None and line.kinds and not same_things(line.kinds, phrases, things):
        is_tool = step is not None and is_needed(line.kinds, step, things) and len(matter.meant(line)) > 1
        return f"{'Any of them will do. ' if is_tool else ''}{where_answer(line, matter)}"
    meant = meant or next((one for one in phrases if same_things(line.kinds, [one], things)), None)
    meant = meant or next(iter(phrases), None)
    found = [] if meant is None else distinct(matching(meant, things) or things.of(meant.noun))
    if meant is None or not found:
        return f"I do not know that. {matter.reminder}".strip()
    if len(found) == 1:
        place = place_of(found[0], things, closely=True)
        return f"The {named(found[0])} {place}." if place else f"There is only one {named(found[0])}."
    if meant.count is None or meant.count == len(found):
        return f"All of them. {where_are(found, things)}"
    one = next((one for one in found if not things.closed_around(one)), found[0])
    number = f"any {number_word(meant.count)}" if meant.count > 1 else "either" if len(found) == 2 else "any one"
    example = place_of(one, things)
    return f"{capitalized(number)} of the {number_word(len(found))} will do" + (
        f", for example the one {example}." if example else "."
    )


def count_answer(line: Line, matter: Matter) -> str:
    """How many there are."""
    found = matter.meant(line)
    if not found:
        return unknown_thing(line)
    if len(found) == 1:
        return f"There is one {named(found[0])}. {where_are(found, matter.things)}".strip()
    return where_are(found, matter.things) or f"There are {number_word(len(found))} {several(found)}."


def how_many_answer(line: Line, matter: Matter) -> str:
    """How many the step is to be done to."""
    step = matter.step
    what = step.what if step is not None else None
    if what is None or (line.kinds and not same_things(line.kinds, [what], matter.things)):
        return count_answer(line, matter) if matter.meant(line) else matter.task
    if what.count is not None:
        return f"Just {number_word(what.count)}." if what.count < 3 else f"{capitalized(number_word(what.count))}."
    left = matching(what, matter.things)
    number = f" There {'is' if len(left) == 1 else 'are'} {number_word(len(left))} left." if left else ""
    return f"All of them.{number}"


def state_answer(line: Line, matter: Matter) -> str:
    """Whether things are as somebody asks."""
    found, things = matter.meant(line), matter.things
    if not line.state or not matter.sees:
        return f"I do not know that. {matter.reminder}".strip()
    if not found:
        return unknown_thing(line)
    pieces = things.of(*(f"{kind}Sliced" for kind in line.kinds))
    if line.state == "sliced" and pieces:
        return f"Yes, there {'is' if len(pieces) == 1 else 'are'} {number_word(len(pieces))} {several(pieces)}."
    so = [one for one in found if LOOKS[line.state](one, things)]
    if len(found) == 1:
        word = line.state if so else OPPOSITES.get(line.state, f"not {line.state}")
        return f"{'Yes' if so else 'No'}, the {named(found[0])} is {named_state(found[0], word)}."
    them = f"of the {number_word(len(found))} {several(found)}"
    none, every = ("neither", "both") if len(found) == 2 else ("none", "all")
    if not so:
        return f"No, {none} {them} is {line.state}."
    if len(so) == len(found):
        return f"Yes, {every} {them} are {line.state}."
    told = f"{capitalized(number_word(len(so)))} {them} {'is' if len(so) == 1 else 'are'} {line.state}."
    return f"{told} {where_are(so, things)}" if len(so) == 1 else told


def there_answer(line: Line, matter: Matter) -> str:
    """Whether there is such a thing, or at that place."""
    found = matter.meant(line)
    if not found:
        kinds = line.kinds
        return (
            f"No, there is no {' '.join((*line.looks, noun(kinds[0]).one))} here." if kinds else "I do not know that."
        )
    if not line.places:
        return f"Yes. {where_are(found, matter.things)}".strip()
    inside = [
        one for one in found if any(one_of.is_a(kind) for one_of in matter.things.holders(one) for kind in line.places)
    ]
    return f"{'Yes' if inside else 'No'}. {where_are(inside or found, matter.things)}".strip()


def contents_answer(line: Line, matter: Matter) -> str:
    """What is in or on a place."""
    places = distinct(matter.things.of(*(line.places or line.kinds)))
    if not matter.sees or not matter.complete or not places:
        return f"I do not know that. {matter.reminder}".strip()
    found = distinct([one for place in places for one in matter.things if matter.things.is_inside(one, place)])
    where = f"{preposition(places[0].object_type)} the {several(places)}"
    said = numbered(found)
    return (
        f"There {'is' if said.startswith(('a ', 'an ')) else 'are'} {said} {where}."
        if found
        else f"Nothing is {where}."
    )
