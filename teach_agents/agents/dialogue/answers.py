"""Answers to people's questions, from what the Follower perceived, remembers, did and was told."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.abilities import Abilities
from teach_agents.agents.dialogue.answers_about_deeds import AboutDeeds
from teach_agents.agents.dialogue.answers_about_reasons import AboutReasons
from teach_agents.agents.dialogue.answers_about_states import AboutStates
from teach_agents.agents.dialogue.answers_about_things import AboutThings
from teach_agents.agents.dialogue.answers_about_views import AboutViews
from teach_agents.agents.dialogue.asked_deeds import deeds_asked
from teach_agents.agents.dialogue.dialogue_state import TOGETHER, DialogueState
from teach_agents.agents.dialogue.earlier_states import earlier_state
from teach_agents.agents.dialogue.noun_text import called, clause, sentence
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of, noun_of
from teach_agents.agents.dialogue.prohibitions import breaks, forbidden, told_not_to
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.referring_expressions import contents_of, holder_of, place_word, subject
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge, meant
from teach_agents.agents.dialogue.stances import stance, stance_words, stands_so
from teach_agents.core.dialogue import Act, DialogueAct, Phrase
from teach_agents.errors import InputError

_TOLD = 3
"""Of so many things it is told where they were."""
_TRIES = 4
"""How often other words are looked for before the same are said as said before."""
_DONE_TO = re.compile(r"\bwhich\b.*\b(?:did|have) you (?!see|find|know|mean|hear|notice|want|need|think)\w+")
"""What asks which thing something was done to."""
_AT_WORK = frozenset("done finished ready busy free".split())
"""What the Follower itself may be asked to be."""
_WITH_WHAT = re.compile(
    r"\bhow did you (?:slice|cut|chop|crack|wash|clean|cook|boil|toast|make|fill) "
    r"|\bwhat (?:did|have) you (?:use\b|[a-z]+ (?:it|that|them|(?:the|my) [a-z ]+?) (?:up )?with\b)"
    r"|\b(?:which|what) (?:tools?|knife|utensils?|things?|pot|pan|appliances?|one)\b[^.!?]*\b(?:did|have) you used?\b"
)
"""What asks what something was done with."""
_OF_TOOLS = frozenset({"other", "which", "what", "did", "how", "have"})
_OF_NUMBERS = frozenset({"count", "other", "there", "which", "what", "have", "state"})
_AGAIN = ("As I said: ", "It is still so: ")
_IGNORANT = ("I do not know", "That I do not know", "I cannot tell", "I know of no", "There is no", "I have not seen")
"""How answers begin that say no more than that."""


class Answers:
    """Answers questions in one or two sentences, true as far as the Follower knows.

    What it does not know it says it does not know; nothing is said twice in a row in the same words. What an answer
    speaks of can be asked about next as "it".
    """

    def __init__(self, body: Body, state: DialogueState, resolver: Resolver, rng: random.Random) -> None:
        self._state = state
        self._knowing = RoomKnowledge(body, state, resolver, rng)
        self._abilities = Abilities(self._knowing)
        self._views = AboutViews(self._knowing)
        self._things = AboutThings(self._knowing, self._views)
        self._states = AboutStates(self._knowing, self._things)
        self._deeds = AboutDeeds(self._knowing, self._abilities)
        self._reasons = AboutReasons(self._knowing, self._abilities)
        self._last = ""
        self._seen_so = False

    def answer(self, question: DialogueAct) -> str:
        """The answer to a question. Raises `InputError` for an act that is none."""
        if question.act is not Act.QUESTION:
            raise InputError("question", "is another act", value=question.act.value, valid=[Act.QUESTION.value])
        if question.about == "why" and self._seen_so and self._state.last_said == self._last:
            return self._knowing.pick("Because that is what I have seen.", "That is what I know from what I saw.")
        said = (self._last, self._state.last_said)
        words = next((words for _ in range(_TRIES) if (words := self._answered(question)) not in said), "")
        if not words:
            words = self._answered(question)
            words = sentence(self._knowing.pick(*_AGAIN) + clause(words), words[-1])
        self._last = words
        self._seen_so = question.about in _OF_THINGS
        self._mention(question)
        return words

    def forbidden(self, question: DialogueAct) -> str:
        """That what is asked about may not be done, in the words in which that was told; "" where it may."""
        order = next(iter(question.of), None)
        broken = breaks(order, self._state.in_force, self._knowing.resolver) if order is not None else []
        return f"No: {told_not_to(broken[0].said, lower=True)}" if broken else ""

    def left_shut(self, question: DialogueAct) -> str:
        """That what somebody asks about the contents of is not opened for that, where that is forbidden; else ""."""
        phrase = next((slot.phrase for slot in question.slots), None)
        inside = (
            phrase.place[1] if phrase is not None and phrase.place is not None and phrase.place[0] == "in" else None
        )
        mark = phrase if question.about == "in" else inside
        if mark is None or mark.noun in PRONOUNS | ANYTHING:
            return ""
        body = self._knowing.body
        for thing in self._knowing.find(mark).chosen:
            if thing.is_shut and forbidden("Open", thing, self._state.in_force, body.things):
                return f"I leave {self._knowing.the(thing)} shut, as you told me."
        return ""

    def was(self, question: DialogueAct) -> str:
        """Where a thing was before it was moved; "" where it was not."""
        things = self._knowing.find(question.slots[0].phrase).chosen if question.slots else ()
        body = self._knowing.body
        told: list[str] = []
        for thing in things[:_TOLD]:
            place = body.things.get(body.memory.taken_from.get(thing.object_id, ""))
            if place is not None:
                told.append(f"{sentence(subject(thing), '')} was {place_word(place)} {self._knowing.the(place)}.")
        return " ".join(told)

    def unmoved(self, question: DialogueAct) -> str:
        """Where a thing is that it is taken to have moved, and has not; "" where it has, or knows of none."""
        things, handled = self._knowing.find(question.slots[0].phrase).chosen, {*self._knowing.body.memory.handled}
        ids = {thing.object_id for thing in things}
        found = any(deed.act.startswith("find(") and ids & {*deed.ids} for deed in self._state.deeds)
        if not things or found or handled & ids:
            return ""
        return f"I have not moved {self._knowing.the(things[0])}. {self.answer(question)}"

    def failures(self, *, yes: bool) -> str:
        """What of all that was asked for was not done, behind a `yes` where that was the question."""
        return self._deeds.failures(yes=yes)

    def successes(self) -> str:
        """What of all that was asked for was done."""
        return self._deeds.successes()

    def of_earlier_deed(self, question: DialogueAct, text: str, asked: DialogueAct | None) -> str:
        """Why what words name was done, or was not, "why not?" of what was `asked` before; what with; what, or which of
        several things, something was done to; "" for any other question."""
        if question.about == "why":
            return self._reasons.of(text, asked) if self._state.question is None else ""
        if question.about in _OF_TOOLS and _WITH_WHAT.search(text.lower()):
            return self._deeds.tool()
        if told := deeds_asked(question, text, self._knowing):
            return told
        if question.about != "which":
            return ""
        phrase = question.slots[0].phrase if question.slots and _DONE_TO.search(text.lower()) else None
        first = re.search(r"\bfirst\b", text.lower()) is not None
        return self._deeds.done_to_which(phrase, first=first) if phrase is not None else ""

    def of_numbers(self, question: DialogueAct, text: str) -> str:
        """Of which of two kinds there are more; "" for any other question."""
        return self._things.compared(text) if question.about in _OF_NUMBERS else ""

    def of_earlier_state(self, question: DialogueAct, text: str) -> str:
        """How things were before an order made them as they are; "" where none did, and for any other question."""
        return earlier_state(question, text, self._knowing)

    def _answered(self, question: DialogueAct) -> str:
        topic, phrase = question.about, next((slot.phrase for slot in question.slots), None)
        order = next(iter(question.of), None)
        topic = "first" if topic == "task" and phrase == Phrase("first") else topic
        if topic == "did":
            return self._deeds.did(order, phrase)
        if topic in ("abilities", "can", "how"):
            return self._able(topic, order)
        role = question.slots[0].role.removeprefix(":") if question.slots else ""
        if topic in ("state", "there") and phrase is not None and (standing := stance(phrase, role)) is not None:
            return self._stance(*standing)
        if topic == "state" and phrase is not None and phrase.noun == "you":
            at_work = question.slots[0].role.removeprefix(":") in _AT_WORK
            return self._deeds.topics["task"]() if at_work else self._states.topics["what_state"](phrase)
        if topic == "state" and phrase is not None:
            return self._states.state(phrase, question.slots[0].role.removeprefix(":"))
        for table in (self._things.topics, self._states.topics, self._views.topics):
            if topic in table and phrase is not None:
                return table[topic](phrase)
        for plain in (self._deeds.topics, self._reasons.topics, self._views.plain):
            if topic in plain:
                return plain[topic]()
        return self._unknown()

    def _stance(self, relation: str, phrase: Phrase) -> str:
        """Whether the Follower faces a thing, or is at it."""
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        holds = any(stands_so(relation, thing, self._knowing.body) for thing in found.things)
        return f"{'Yes' if holds else 'No'}, {stance_words(relation, phrase, holds=holds)}."

    def _able(self, topic: str, order: DialogueAct | None) -> str:
        if order is None or topic == "abilities":
            return self._abilities.all()
        return self._abilities.can(order) if topic == "can" else self._abilities.how(order)

    def _unknown(self) -> str:
        return self._knowing.pick(
            "I do not know that; I can tell you about this room and what I did.",
            "That I do not know. Ask me about this room, or about what I did.",
        )

    def _mention_holders(self, phrase: Phrase) -> None:
        """What things are in or on that were asked about: "the other one" may be another such place."""
        assert phrase.place is not None, "asked before"
        body, noun = self._knowing.body, phrase.place[1].noun
        holders = [holder for one in meant(self._knowing.find(phrase)) for holder in body.things.holders(one)[:1]]
        self._state.mention(noun, [holder.object_id for holder in holders])

    def _mention_place_of(self, things: Sequence[Thing]) -> None:
        """What a thing was told to be in or on: "put the newspaper there too"."""
        holder = holder_of(things[0], self._knowing.body) if len(things) == 1 else None
        if holder is not None:
            self._state.mention(noun_of(holder.object_type.removesuffix("Basin")), [holder.object_id])

    def _told_there(self, holders: Sequence[Thing]) -> list[Thing]:
        """What an answer told to lie there that can be taken."""
        shown = [one for one in holders if self._knowing.was_looked_into(one)]
        return [one for one in contents_of(shown, self._knowing.body) if one.has("pickupable")]

    def _asked_about(self, topic: str, phrase: Phrase) -> Sequence[Thing]:
        things = meant(self._knowing.find(phrase)) or self._knowing.vessels(phrase)
        if topic != "what" or phrase.noun not in PRONOUNS or phrase.place is None or things:
            return things
        return meant(self._knowing.find(replace(phrase, noun="thing")))  # "what's that on the sofa?"

    def _mention(self, question: DialogueAct) -> None:
        """What was asked about is spoken of from now on."""
        for order in question.of:  # "have you washed the plate? Then do it now"
            for phrase in (slot.phrase for slot in order.slots[:1] if slot.phrase.noun not in PRONOUNS | ANYTHING):
                self._state.mention(phrase.noun, [thing.object_id for thing in self._knowing.find(phrase).chosen])
        if question.about not in _OF_THINGS or not question.slots:
            return
        role, phrase = question.slots[0]
        if phrase.noun in ANYTHING and role.startswith(":"):  # "is anything dirty?"
            phrase = replace(phrase, looks=(*phrase.looks, role.removeprefix(":")))
        things = self._asked_about(question.about, phrase)
        if phrase.place is not None and phrase.place[1].noun not in PRONOUNS:
            self._mention_holders(phrase)
        if question.about == "where":
            self._mention_place_of(things)
        if not things and kinds_of(phrase.noun):
            self._state.mention(phrase.noun)  # of these there may be others
        self._mention_told(question, phrase, things)

    def _mention_told(self, question: DialogueAct, phrase: Phrase, things: Sequence[Thing]) -> None:
        """What was asked about, and what an answer told to be there: "it" that is to be taken is that, not the place,
        nor the box that it is in."""
        told = self._told_there(things) if question.about in _OF_CONTENTS else []
        if question.about == "near" and len(things) == 1:
            told = [one for one in self._views.beside(things[0]) if one.has("pickupable")]
        names = {called(thing).one for thing in things}
        mentioned: list[tuple[str, Sequence[Thing]]] = [(noun_of(told[0].object_type), told)] if len(told) == 1 else []
        if len(names) == 1 or (things and phrase.noun not in PRONOUNS | ANYTHING):
            noun = [*names][0].replace(" ", "_") if phrase.noun in PRONOUNS | ANYTHING else phrase.noun
            mentioned.append((noun, things))
        for noun, ones in reversed(mentioned) if things and things[0].has("pickupable") else mentioned:
            self._state.mention(noun, [thing.object_id for thing in ones])
        several = things if phrase.noun in ANYTHING and len(names) > 1 and len(things) <= _TOLD else told
        self._state.mention_several(TOGETHER, [[thing.object_id] for thing in several])


_OF_CONTENTS = frozenset({"in", "on"})
_OF_THINGS = frozenset("where state what_state count there in on near have which what see".split())


def is_ignorant(answer: str) -> bool:
    """Whether an answer, or what it says once more, is that nothing is known."""
    return _once(answer).startswith(tuple(one.lower() for one in _IGNORANT))


def is_of_elsewhere(answer: str) -> bool:
    """Whether an answer is that no more than this room is known."""
    return _once(answer).startswith("i know only this ")


def _once(answer: str) -> str:
    return re.sub("^(?:as i said|it is still so): ", "", answer.lower())
