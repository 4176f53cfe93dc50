"""What is kept of what people tell: facts, what is needed, where things are to be looked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.fact_extraction import FactExtractor
from teach_agents.agents.dialogue.facts import corrects, goes_on
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of, noun_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.agents.dialogue.response_phrases import Voice
from teach_agents.agents.dialogue.told_needs import asks_for_needs, met, needs_in, needs_told, told_needs, wants_drink
from teach_agents.agents.dialogue.told_states import is_owner
from teach_agents.core.dialogue import Act, DialogueAct, Phrase
from teach_agents.understanding.english.values import Reference

ASKS = re.compile(
    r"^(?:and |so |but )?(?:who|whose|when|what|which|how|why|where)(?:\b[^.!?]*\?"
    r"|(?:'s| is| are| was| were| do| does| did| will| can| could| should| has| have| colou?r| time)\b[^.!?]*\??)$"
)
""" "Who is coming?", with its mark or without."""
_ASKING = frozenset({Act.QUESTION, Act.UNCLEAR, Act.HELLO, Act.FACT, Act.CHAT})
"""What a question of what there is to buy may be read as."""


class FactMemory:
    """Keeps in the dialogue state what an utterance tells, and says what there is to be said to it."""

    def __init__(self, body: Body, state: DialogueState, resolver: Resolver, voice: Voice) -> None:
        self.state, self.voice = state, voice
        self.met = ("", 0)
        """What told last that something needed was bought or found, and when that was heard."""
        self._body, self._resolver = body, resolver
        self._extractor = FactExtractor(state, resolver)

    def of_needs(self, acts: Sequence[DialogueAct], text: str) -> str:
        """What is said to who asks what there is to buy, or needs what there is none of; what is needed is kept."""
        kinds = {act.act for act in acts}
        if asks_for_needs(text) and kinds <= _ASKING and (told := told_needs(self.state.facts, text)):
            return told
        if over := met(text, self.state.facts):
            self.state.facts = [fact for fact in self.state.facts if fact not in over]
            self.met = (text, self.state.heard)
        needs = [one for one in needs_in(text) if one.lacked or not self._resolver.find(one.phrase).things]
        self.state.know(needs_told(needs, text, self._body.observation.turn))
        fetched = [act.slots[0].phrase.noun for act in acts if act.about == "get" and act.slots]
        wished = len(acts) == len(needs) == 1 and not needs[0].lacked and fetched == [needs[0].phrase.noun]
        if self._resolver.body.knowledge is None and wished and not wants_drink(needs[0], text):
            return f"I know of no {needs[0].words} here. {self.voice.say('noted')}"
        return ""

    def goes_by_before(self, text: str) -> bool:
        """Whether words correct what the one who speaks told just before, or asked about since, or go on with it."""
        said = [line.removeprefix("person: ") for line in self.state.recent if line.startswith("person: ")]
        told = {fact.said.strip() for fact in self.state.facts}
        told_last = next((one for one in reversed(said[:-1]) if "?" not in one and not ASKS.match(one.lower())), "")
        return told_last.strip() in told and any(
            tells(text, self.state.facts, told_last) for tells in (corrects, goes_on)
        )

    def speak_of(self, text: str) -> None:
        """What words name that tell something in passing is what "it" may be next, the first of it most."""
        for noun in reversed([*mentions_in(text)]):
            things = self._resolver.find(Phrase(noun)).chosen
            if things:
                self.state.mention(noun, [thing.object_id for thing in things])

    def remember(self, act: DialogueAct, text: str) -> str:
        """A fact that was told; where a thing is, is where it is looked for first."""
        told = self._extractor.read(act, text)
        if told.noun in ANYTHING:
            self._mention_nameless(act.slots[0].phrase)
        elif told.noun and told.noun not in PRONOUNS:
            self.state.mention(told.noun, told.ids)
        else:
            self.speak_of(text)
        if told.place:
            self.hint(told.noun, told.place)
        self.state.know([told])
        self.keep_stated(text)
        return self.voice.say("noted")

    def _mention_nameless(self, phrase: Phrase) -> None:
        """ "Something is lying in the tub" speaks of what does."""
        lying = self._resolver.find(phrase, having("pickupable")).things if phrase.place is not None else ()
        if lying:
            self.state.mention(noun_of(lying[0].object_type), [thing.object_id for thing in distinct(lying)])

    def keep_owners(self, text: str) -> None:
        """Keep whose things are, as words beside a rule state it."""
        self.state.know(one for one in self._extractor.stated(text) if is_owner(one.state))

    def keep_stated(self, text: str) -> bool:
        """Keep what the words of an utterance state; whether they state anything."""
        any_stated = False
        for fact in self._extractor.stated(text):
            any_stated = True
            self.state.know([fact])
            if fact.ids:
                self.state.mention(fact.noun, fact.ids)
        return any_stated

    def hint(self, noun: str, place: str) -> None:
        """Things of this kind are looked for there first."""
        where = [Reference(kind, 1, True) for kind in kinds_of(place)]
        self._body.memory.hints += [(what, one) for what in kinds_of(noun)[:1] for one in where]

    def recall(self) -> None:
        """Go by the facts that were told in a talk that is taken up."""
        for fact in self.state.facts:
            if fact.place:
                self.hint(fact.noun, fact.place)
