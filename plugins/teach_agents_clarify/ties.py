"""Whether a request fits several things equally well, as far as the Follower knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from teach_agents import Observation, Privilege
from teach_agents.agents.acting.grounding import describe, matching
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.observations import Utterance
from teach_agents.understanding.english.lexicon import noun
from teach_agents.understanding.english.speaking import say_reference
from teach_agents.understanding.english.understanding import understand_instructions
from teach_agents.understanding.english.values import Reference, State, Verb

OPENING = "Do you mean"
"""What every question begins with."""
_STATES = (State.CLEAN, State.DIRTY, State.COOKED, State.RAW, State.EMPTY, State.FULL)
_PASSING = frozenset({Verb.LOOK, Verb.ASIDE, Verb.FINISH, Verb.GIVE_UP})


def named_things(utterance: str, *, indefinite: bool = False) -> tuple[Reference, ...]:
    """The single things that an utterance asks to do something with; "a mug" is one only if `indefinite`."""
    whats = [one.what for one in understand_instructions(utterance) if one.verb not in _PASSING]
    return tuple(what for what in whats if what is not None and what.count == 1 and (what.definite or indefinite))


def tie_of(observation: Observation, request: int, *, indefinite: bool = False) -> tuple[str, ...]:
    """Noun phrases for the things between which the utterance at `request` leaves the choice; empty where none is left.

    Things are what `observation` holds of objects, or, where it holds none, the places that were talked about.
    """
    named = named_things(observation.dialogue[request].text, indefinite=indefinite)
    if not named:
        return ()
    seen = Privilege.OBJECTS in observation.privileged.granted
    things = Things.now(observation.privileged.lasting_objects, None) if seen else None
    for reference in named:
        phrases = _heard_of(reference, observation.dialogue) if things is None else _known(reference, things)
        if len(phrases) > 1:
            return phrases
    return ()


def question(phrases: Sequence[str], most: int) -> str:
    """The question which of them is meant; of more than `most` the others go unnamed."""
    named = [*phrases[:most], *(["another one"] if len(phrases) > most else [])]
    return f"{OPENING} {', '.join(named[:-1])} or {named[-1]}?"


def _known(reference: Reference, things: Things) -> tuple[str, ...]:
    """Phrases for the things that fit, one for those that words cannot tell apart; none where one is in the hand."""
    fitting = matching(reference, things)
    if any(thing.has("isPickedUp") for thing in fitting):
        return ()
    return _phrases(_told_apart(thing, things) for thing in fitting)


def _told_apart(thing: Thing, things: Things) -> Reference:
    """Where it is, as far as that picks it out; else what it is like too."""
    placed = describe(thing, things)
    return placed if placed.definite else describe(thing, things, _STATES)


def _phrases(references: Iterable[Reference]) -> tuple[str, ...]:
    """The references in words, each once: "the mug in the sink", "the one on the table", "one on the shelf"."""
    found: dict[str, str] = {}
    for reference in references:
        phrase = say_reference(reference).replace(" that is ", " ", 1)
        found.setdefault(phrase, _short(phrase, reference) if found else phrase)
    return tuple(found.values())


def _short(phrase: str, reference: Reference) -> str:
    """The phrase behind another of the same kind."""
    short = phrase.replace(noun(reference.noun).one, "one", 1)
    if reference.definite:
        return short
    return "another one" if phrase.split(" ", 1)[1] == noun(reference.noun).one else short.partition(" ")[2]


def _heard_of(reference: Reference, dialogue: Sequence[Utterance]) -> tuple[str, ...]:
    """A phrase for every place where somebody said that such a thing is."""
    if reference.place is not None or reference.landmark is not None:
        return ()
    return _phrases(replace(reference, definite=True, place=place) for place in _places(reference.noun, dialogue))


def _places(kind: str, dialogue: Sequence[Utterance]) -> Iterator[Reference]:
    for said in dialogue:
        for told in understand_instructions(said.text):
            if told.verb is Verb.LOOK and told.what is not None and told.what.noun == kind and told.where is not None:
                yield told.where
