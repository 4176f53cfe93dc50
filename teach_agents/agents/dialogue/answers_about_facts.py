"""Answers from what was told of things: whose they are, which of them are so, what was said of where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from teach_agents.agents.dialogue.answers import is_ignorant, is_of_elsewhere
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Told
from teach_agents.agents.dialogue.fact_retrieval import quoted, retrieved, with_later
from teach_agents.agents.dialogue.facts import as_told, told_about, told_of, told_of_what, words_in
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_text import article, listed, name_of, sentence, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.question_phrases import asks_what_is_seen
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.statements import AT_HOME, named_in
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.agents.dialogue.told_states import MINE, is_owner, owner_called, tidied, told_so
from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.errors import InputError
from teach_agents.tasks.classes import object_classes
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.notation import read_phrase
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_WHOSE = re.compile(r"\bwhose\b|\bwho\b[^.!?]*\b(?:belongs? to|owns?|owner)\b|\bwho do(?:es)? .* belong\b")
_SAID = re.compile(
    r"\b(?:did|have|had) (?:i|we) (?:just |ever )?(?:say|said|tell you|told you|mention(?:ed)?)\b"
    r"|\bi (?:said|told you) [^.!]*\?"
)
_GOES = re.compile(r"\bwhere (?:do|does|should|must|would|can) .*\b(?:go|goes|belongs?|lives?|be put|be kept)\b")
_OF_SPEAKER = re.compile(
    r"\b(?:do|does|did|can|can't|could|should) (?:i|we|he|she|they|my|our) (?!have\b|see\b|need\b)"
)
_USABLE = re.compile(
    r"\b(?:is|are) (?P<x>(?:the|my|our|this|that|it)\b.*?) (?:(?:now|still|again|actually) )*"
    r"(?P<state>ok|okay|fine|safe|usable|good|working|alright|all right)\b"
)
_IS_WHOSE = re.compile(
    r"\b(?:is|are) (?P<x>(?:the|this|that|these|those) [a-z ]+?) (?:really |actually )?"
    r"(?P<who>mine|ours|yours|his|hers|theirs|(?:my |our )?[a-z]+'s)\?$"
)
""" "Is the kettle ours?", "is that mug Tom's?"."""
_SAYING = words_in("say said tell told mention mentioned ever")
_ASKS_STATE = re.compile(
    r"\b(?:what|which|anything|something|who)\b(?: one| thing| things| of (?:them|those|these))?(?: was it)?"
    r"(?: again)?(?: that)?"
    r"(?:'s|'d| is| was| has| had| are| were| have)(?: got| been| it| that)*"
    r"(?: again)?(?: that's)? (?P<state>[a-z' ]+?)"
    r"(?: (?:on us|on me|again|here|now|then|in here|at the moment))*\?"
)
_TOPICS = frozenset({"which", "what", "who", "count", "there", "other", "see"})
_YOURS = {MINE: "yours", "ours": "yours", "yours": "mine"}
"""Owners as the Follower says them to whoever told."""


_PARTED = re.compile(
    r"\b(?:lent|loaned|gave|given|sold|donated|posted|mailed) (?:(?P<x>(?:my|our|the|that|this|his|her) [a-z ]+?)"
    r" (?:back )?(?:to|on)|(?!me\b|us\b)(?:(?:my|our|his|her|the) )?[a-z]+"
    r" (?P<y>(?:my|our|the|that|this|his|her) [a-z ]+))\b"
)
"""What somebody gave away: "I lent my racket to Tom", "we gave Tom the old one"."""


_BACK = re.compile(r"\b(?:back|returned|again)\b")


class AboutFacts:
    """Answers that nothing which is seen can give."""

    def __init__(self, state: DialogueState, resolver: Resolver) -> None:
        self._state, self._resolver = state, resolver

    def answer(self, question: DialogueAct, text: str) -> str:
        """What was told of what is asked; "" where that is not what is asked, or nothing was told."""
        if not self._state.facts:
            return ""
        asked = _question_in(text)
        phrase = question.slots[0].phrase if question.slots and question.about != "other" else None
        if _WHOSE.search(asked):
            return self._whose(phrase, asked)
        if _SAID.search(asked):
            return self._said(asked)
        if phrase is not None and _GOES.search(asked) and (home := self._home(phrase)):
            return home
        if question.about == "where" and phrase is not None:
            return self._away(phrase, asked)
        if (owned := _IS_WHOSE.search(asked)) is not None and (named := named_in(owned["x"])) is not None:
            return self._is_it(named, owner_called(owned["who"]))
        usable = _USABLE.search(asked)
        if question.about == "state" and phrase is not None:
            return self._is_it(phrase, question.slots[0].role.removeprefix(":"))
        if question.about in ("forbidden", "can", "other") and usable is not None:
            named = named_in(usable["x"])
            return "" if named is None else self._is_it(named, usable["state"])
        return self._so(question, phrase, asked)

    def recalled(self, text: str) -> str:
        """What was told that answers a question in whatever words; "" where nothing does."""
        facts = self._state.facts
        told = told_about(text, facts)
        found = [] if told is not None else retrieved(text, facts)
        told = told or (None if found else told_of_what(text, facts))
        return (
            quoted(text, found if told is None else with_later(told, facts, text)) if found or told is not None else ""
        )

    def beyond(self, answer: str, question: DialogueAct, text: str) -> str:
        """An answer that the room gave, or what was told where that is more."""
        elsewhere = is_of_elsewhere(answer)
        facts, told, ignorant = self._state.facts, None, is_ignorant(answer) or elsewhere
        if question.about in ("state", "what_state") and question.slots:
            told = told_of(question.slots[0].phrase.noun, facts)
        if told is None and (elsewhere or _is_of_people(question, text) or not asks_what_is_seen(question)):
            if found := retrieved(text, facts, doubtful=ignorant):
                return quoted(text, found)
            told = told_of_what(text, facts) if ignorant else None
        if told is None and ignorant and question.about == "where" and question.slots:
            told = told_of(question.slots[0].phrase.noun, [fact for fact in facts if fact.said.strip() != text.strip()])
            return answer if told is None else f"{answer} {quoted(text, with_later(told, facts, text))}"
        says_little = ignorant or answer.endswith(_UNREMARKABLE)
        return quoted(text, with_later(told, facts, text)) if told is not None and says_little else answer

    def _whose(self, phrase: Phrase | None, asked: str) -> str:
        """Whose a thing is, or each of several."""
        if phrase is None or not kinds_of(phrase.noun):
            names = [*mentions_in(asked), *(one.noun for one in self._state.single)]
            phrase = Phrase(next((name for name in names if kinds_of(name)), "it"))
        kinds = {*kinds_of(phrase.noun)}
        ids = {thing.object_id for thing in self._resolver.find(phrase).things}
        about = [one for one in self._latest() if is_owner(one.state) and kinds & {*kinds_of(one.noun)}]
        about = [one for one in about if not one.ids or ids & {*one.ids}]
        if len(about) == 1:
            return sentence(f"{self._name(about[0], place=False)} {self._owned(about[0])}")
        return sentence(listed([f"{self._name(one)} {self._owned(one)}" for one in about])) if about else ""

    def _is_it(self, phrase: Phrase, mark: str) -> str:
        """Whether a thing is so that only people can tell, by the latest that was told of it."""
        mark, kinds = tidied(mark), {*kinds_of(phrase.noun)}
        if phrase.noun in PRONOUNS and self._state.single:
            kinds = {*kinds_of(self._state.single[0].noun)}
        if state_called(mark) in LOOKS and mark != "broken":
            return ""
        things = {thing.object_id for thing in self._resolver.find(phrase).chosen}
        for fact in reversed(self._latest()):
            so = told_so(mark, fact.state) if kinds & {*kinds_of(fact.noun)} else None
            if so is not None and (not fact.ids or not things or things & {*fact.ids}):
                told = as_told(fact)
                return f"{'Yes' if so else 'No'}: {told[0].lower()}{told[1:]}"
        return ""

    def _said(self, asked: str) -> str:
        """The latest that was told of what somebody asks what they said of."""
        wanted = words_in(asked) - _SAYING
        best = max((len(wanted & words_in(fact.said)) for fact in self._state.facts), default=0)
        fits = [fact for fact in self._state.facts if len(wanted & words_in(fact.said)) == best]
        return quoted(asked, with_later(fits[-1], self._state.facts, asked)) if best else ""

    def _home(self, phrase: Phrase) -> str:
        """Where such things belong, as was told: "where do clean plates go?"."""
        kinds = {one for kind in kinds_of(phrase.noun) for one in (kind, *object_classes(kind))}
        for fact in reversed(self._state.facts):
            looks = {state_called(look) for look in read_phrase(fact.what).looks} if fact.state == AT_HOME else set()
            if fact.state == AT_HOME and kinds & {*kinds_of(fact.noun)} and looks <= {*map(state_called, phrase.looks)}:
                return as_told(fact)
        return ""

    def _away(self, phrase: Phrase, asked: str) -> str:
        """Where a thing is that was said to be at a place which is none of the household's."""
        kinds, name = {*kinds_of(phrase.noun)}, _singular(phrase.noun)
        for fact in reversed(self._state.facts):
            same = fact.noun == phrase.noun or _singular(fact.noun) == name
            if (gone := _PARTED.search(plain_text(fact.said))) is not None and _names(gone["x"] or gone["y"], kinds):
                return quoted(asked, [fact])
            if _BACK.search(plain_text(fact.said)) and _names(plain_text(fact.said), kinds):
                return ""
            if fact.place and (same or kinds & {*kinds_of(fact.noun)}):
                return "" if kinds_of(fact.place) or fact.place in PRONOUNS | _HERE else quoted(asked, [fact])
        return ""

    def _so(self, question: DialogueAct, phrase: Phrase | None, asked: str) -> str:
        """Which things, or how many, were said to be so; with those that are seen to be."""
        if phrase is not None and phrase.noun not in PRONOUNS | ANYTHING:
            return ""
        marks = [*self._marks(phrase, asked)] if question.about in _TOPICS or _ASKS_STATE.search(asked) else []
        if question.about == "other" and not re.search(r"\b(?:which|what|who|anything|something)\b", asked):
            return ""
        facts = [one for one in self._latest() if marks and all(told_so(mark, one.state) for mark in marks)]
        if not facts:
            return ""
        names = list(dict.fromkeys(self._name(one) for one in facts))
        looks = [state_called(mark) for mark in marks]
        if all(look in LOOKS for look in looks):
            known = {name for one in facts for name in one.ids}
            for thing in self._resolver.body.things:
                if thing.object_id not in known and all(LOOKS[one](thing, self._resolver.body.things) for one in looks):
                    names.append(article(name_of(thing.object_type).one))
        if question.about == "count":
            return f"{sentence(number_word(len(names)), '')}, as you told me: {listed(names)}."
        yes = "Yes, " if question.about in ("there", "see") else ""
        return sentence(f"{yes}{listed(names)}, as you told me")

    def _marks(self, phrase: Phrase | None, asked: str) -> Iterator[str]:
        """What things have to be that are asked for: by the description, else by the words of the question."""
        owners = {fact.state for fact in self._state.facts if is_owner(fact.state)}
        words = {*re.findall(r"[a-z]+", asked)}
        named = [one for one in owners if {*one.removesuffix("'s").split("_")} <= words]
        if named:
            yield from named
            return
        if phrase is not None and phrase.looks:
            yield from (look.replace("_", " ") for look in phrase.looks)
        elif (found := _ASKS_STATE.search(asked)) is not None:
            yield tidied(found["state"])

    def _latest(self) -> list[Told]:
        """What was told of each thing last: whose it is, and what else."""
        found: list[Told] = []
        for fact in self._state.facts:
            if fact.state:
                found = [one for one in found if not _replaces(fact, one)]
                found.append(fact)
        return found

    def _name(self, fact: Told, *, place: bool = True) -> str:
        """The thing of a fact, in words."""
        try:
            what = read_phrase(fact.what)
        except InputError:
            what = Phrase(fact.noun)
        if what.noun in PRONOUNS:
            what = Phrase(fact.noun)
        keeps = place and what.place is not None and what.place[0] in ("in", "on") and what.place[1].noun not in _HERE
        looks = tuple(look for look in what.looks if look not in _POINTING)
        return words_of(replace(what, count="", looks=looks, place=what.place if keeps else None, holds=None))

    def _owned(self, fact: Told) -> str:
        """Whose a thing is, as the Follower says it: "is yours", "belongs to your gran"."""
        several = fact.what.startswith("all ")
        if not fact.state.endswith(("'s", "s'")):
            return f"{'are' if several else 'is'} {_YOURS.get(fact.state, fact.state)}"
        name = fact.state.removesuffix("'s").removesuffix("'").replace("_", " ")
        named = re.compile(rf"\b((?:the|my|our|his|her) )?({re.escape(name)})\b", re.IGNORECASE)
        found = next(filter(None, (named.search(one.said) for one in (fact, *self._state.facts))), None)
        whose = (found[1] or "").lower() if found is not None else ""
        words = found[2] if found is not None else name.title()
        owner = f"{'your ' if whose in ('my ', 'our ') else whose}{words}"
        return f"{'belong' if several else 'belongs'} to {owner}"


def _names(words: str, kinds: set[str]) -> bool:
    """Whether words name a thing of these kinds."""
    return any(kinds & {*kinds_of(one)} for one in mentions_in(words))


def _is_of_people(question: DialogueAct, text: str) -> bool:
    """Whether a question is not about things that households have: "where did I park?", "what food do I hate?"."""
    if question.about in _TOPICS and _OF_SPEAKER.search(plain_text(text)):
        return True
    named = [slot.phrase.noun for slot in question.slots]
    return not any(kinds_of(one) or (one in PRONOUNS and one in _words(text)) for one in named)


def _words(text: str) -> frozenset[str]:
    """All words of a text."""
    return frozenset(re.findall(r"[a-z]+", text.lower()))


_UNREMARKABLE = " as usual."
"""How answers end that say of a thing that nothing is to be seen of it."""
_HERE = frozenset({"here", "there", "me", "us", "you", "hand", "room"})
_POINTING = frozenset({"that", "this", "my", "our", "the"})


def _singular(noun: str) -> str:
    """A noun as it is for one: "glasses", as heads may have it, is "glass", too."""
    found = noun_phrase(f"the {noun.replace('_', ' ')}")
    return noun if found is None else found.noun


def _question_in(text: str) -> str:
    """The last question of an utterance, in lower case; all of it where none is marked."""
    plain = plain_text(text)
    return next((one.strip() for one in reversed(re.findall(r"[^.!?]*\?", plain))), plain)


def _replaces(new: Told, old: Told) -> bool:
    """Whether a fact takes the place of an older one: of the same thing, and on the same matter."""
    same = bool({*new.ids} & {*old.ids}) if new.ids and old.ids else new.noun == old.noun
    if not same or (not new.ids and not old.ids and new.what != old.what and "@" in new.what + old.what):
        return False
    return is_owner(new.state) is is_owner(old.state) and new.state.startswith("called ") is old.state.startswith(
        "called "
    )
