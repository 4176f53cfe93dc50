"""What is said to acts that call for no action: answers, facts, prohibitions, courtesies, what is not understood."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

from teach_agents.agents.acting.body import Body
from teach_agents.agents.dialogue.ability_questions import asks_permission
from teach_agents.agents.dialogue.agreed_words import code_word, is_over, tells_meaning, withheld
from teach_agents.agents.dialogue.answers import Answers
from teach_agents.agents.dialogue.answers_about_drinks import drinks
from teach_agents.agents.dialogue.answers_about_facts import AboutFacts
from teach_agents.agents.dialogue.dialogue_state import MY_NAME, TOGETHER, DialogueState, Mention, Rule, Told
from teach_agents.agents.dialogue.fact_extraction import is_worth_keeping
from teach_agents.agents.dialogue.fact_memory import ASKS, FactMemory
from teach_agents.agents.dialogue.fact_retrieval import asked_in, quoted, with_later
from teach_agents.agents.dialogue.facts import (
    asks_for_more,
    names_untold,
    tells_a_number,
    tells_a_report,
    tells_a_statement,
    told_about,
    touched_by,
    words_in,
)
from teach_agents.agents.dialogue.noun_text import words_of
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.presuppositions import TOPICS, taken_for_granted
from teach_agents.agents.dialogue.prohibition_ends import asked_of, ended, ended_ahead, forbids
from teach_agents.agents.dialogue.prohibitions import is_of_things, lifted, rule_of, told_not_to
from teach_agents.agents.dialogue.purposes import of_use
from teach_agents.agents.dialogue.question_phrases import FOUND, PUT, WAS, asks_what_failed, asks_what_is_seen
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.response_phrases import OCCASIONS, Voice, in_language
from teach_agents.agents.dialogue.signals import asked_about
from teach_agents.agents.dialogue.stated_homes import tells_home
from teach_agents.agents.dialogue.told_names import names_told
from teach_agents.core.dialogue import Act, DialogueAct, Phrase
from teach_agents.understanding.reader import LONGEST

_TELLING = frozenset({Act.FACT, Act.HELLO, Act.CHAT})
"""Acts that may tell a name."""
_REPORTING = frozenset({Act.FACT, Act.CHAT, Act.UNCLEAR, Act.NEVER, Act.PRAISE, Act.OK, Act.THANKS, Act.BYE})
"""Acts that may be, or be taken for, the report of something."""
_NEEDS_NO_ANSWER = frozenset({Act.THANKS, Act.OK, Act.PRAISE, Act.SORRY, Act.SLOWER, Act.FASTER})
"""What needs no answer where the Follower has just asked something."""
_ASIDE = frozenset({Act.CHAT, Act.BYE, Act.OK, Act.UNCLEAR, Act.SORRY})
"""Acts in which something may be told in passing."""
IN_PASSING = frozenset(
    {Act.CHAT, Act.COMPLAIN, Act.PRAISE, Act.FACT, Act.THANKS, Act.OK, Act.HELLO, Act.SORRY, Act.UNCLEAR}
)
"""Acts that want nothing done of what they speak of."""
_MY_NAME = re.compile(r"\bmy name\b|\bwho (?:am i|i am)\b|\b(?:am i|i'?m|i am) called\b")
_MAY_YOU = re.compile(r"\bare you (?:now |still )?(?:allowed|permitted)\b.*\?")
_PERMITS = re.compile(r"\b(?:can|may|could|allowed|free|again|let|go ahead|feel free|now|after all|off limits)\b")
_PERSONAL = re.compile(r"\b(?:my|our|his|her|their)\b")
_NOT_TOLD = "You have not told me that."
_NO_GOOD = re.compile(r"\bno (?:use|good|longer|more|wonder|doubt)\b")
"""What has a "no" in it and forbids nothing."""
_A_DRINK = Phrase("drink", "", ("something", "to"))
_UNSAYS = re.compile(
    r"\b(?:forget|scrap|ignore|disregard|strike|never ?mind|drop|undo|take back)\b[^.?!]*\b(?:said|say|told|tell)\b"
)
_TOLD_BEFORE = re.compile(r"\b(?:said|told|mentioned|asked)\b")


class Replies:
    """Replies to single acts, and remembers what they tell. `drop` leaves off whatever is being done, and tells whether
    anything was."""

    def __init__(
        self, body: Body, state: DialogueState, resolver: Resolver, rng: random.Random, drop: Callable[[str], bool]
    ) -> None:
        self.voice = Voice(rng)
        self.state = state
        self._body = body
        self._resolver = resolver
        self._answers = Answers(body, state, resolver, rng)
        self._told = AboutFacts(state, resolver)
        self._drop = drop
        self.facts = FactMemory(body, state, resolver, self.voice)
        self._asked: DialogueAct | None = None
        self._lifted = ("", 0)
        self._heard, self._groups = ("", 0), list[tuple[str, ...]]()
        self._replies: Mapping[Act, Callable[[DialogueAct, str], str]] = {
            Act.QUESTION: self._answer,
            Act.OTHER_LANGUAGE: lambda act, _: in_language(act.about),
            Act.FACT: self._remember,
            Act.NEVER: self._forbid,
            Act.NOT_UNTIL: self._forbid,
            Act.ALLOW: self._allow,
            Act.SAY_AGAIN: lambda *_: self.state.last_said or self.voice.say("hello"),
            Act.STOP: lambda _, text: self.voice.say("stopped" if self._drop(text) else "idle"),
            Act.CANCEL: self._cancel,
            Act.UNCLEAR: self.unclear,
        }

    @property
    def asked(self) -> DialogueAct | None:
        """The question about a thing that was asked last, if nothing was done since."""
        return self._asked

    def done(self) -> None:
        """Something was done: what follows is about that."""
        self._asked = None

    def is_known(self, question: DialogueAct, text: str) -> bool:
        """Whether a question is answered by what was told, or what it did itself, and no look tells more."""
        return told_about(text, self.state.facts) is not None or bool(self._before_it_took(question, text))

    def to(self, act: DialogueAct, text: str) -> str:
        """What is said to an act of an utterance."""
        if self.state.question is not None and act.act in _NEEDS_NO_ANSWER:
            return ""
        if act.act is Act.QUESTION and act.about != "why":
            self._asked = act if act.slots or act.of else None
        if act.act in _TELLING:
            self.state.know(names_told(text, self._body.observation.turn))
        before = self.state.mentions[:1]
        words = self._reply(act, text)
        self._take_together(text, before)
        return words

    def _reply(self, act: DialogueAct, text: str) -> str:
        worth = act.act in _ASIDE and "?" not in text and is_worth_keeping(text)
        if worth or (act.act is Act.CHAT and tells_a_report(text)):
            self.state.know([Told(text.strip(), self._body.observation.turn)])
        if act.act in (Act.NEVER, Act.NOT_UNTIL, Act.ALLOW):
            self.facts.keep_owners(text)
        if act.act in _REPORTING and (said := self._reported(act, text)):
            return said
        handler = self._replies.get(act.act)
        return self.voice.say(OCCASIONS.get(act.act, "unclear")) if handler is None else handler(act, text)

    def _take_together(self, text: str, before: Sequence[Mention]) -> None:
        """What one utterance speaks of, act by act, is spoken of together."""
        heard = (text, self.state.heard)
        if heard != self._heard:
            self._heard, self._groups = heard, []
        latest = self.state.mentions[:1]
        if latest and latest[0].ids and not (before and latest[0] is before[0]):
            self._groups.append(latest[0].ids)
        self.state.mention_several(TOGETHER, self._groups if len(self._groups) > 1 else ())

    def _reported(self, act: DialogueAct, text: str) -> str:
        """What is said where what was told puts an end to a prohibition, or where no more than that was understood."""
        over = ended(text, self.state.rules) if self.state.rules else []
        if over and not (act.act is Act.NEVER and forbids(text)):
            self.state.rules = [rule for rule in self.state.rules if rule not in over]
            self.facts.keep_stated(text)
            self.state.know([Told(text.strip(), self._body.observation.turn)])
            self._lifted = (text, self.state.heard)
            return self.voice.say("allowed")
        states = act.act is Act.UNCLEAR and not act.slots and tells_a_number(text) and tells_a_statement(text)
        reports = act.act is Act.CHAT and tells_a_report(text)
        if act.act not in (Act.CHAT, Act.UNCLEAR) or not (self.facts.keep_stated(text) or states or reports):
            return ""
        return self.voice.say("noted")

    def _answer(self, act: DialogueAct, text: str) -> str:
        """What is known; what was told where that is all there is."""
        answer = self._answers.forbidden(act) if asks_permission(text) else ""
        answer = answer or self._answer_to(act, text)
        shut = self._answers.left_shut(act)
        return f"{answer} {shut}" if shut and shut not in answer else answer

    def _answer_to(self, act: DialogueAct, text: str) -> str:
        if act.about == "state" and not any(slot.role.startswith(":") for slot in act.slots):
            act = act._replace(about="what_state")
        act = of_use(act, text)
        if act.about in ("there", "have") and act.slots and act.slots[0].phrase == _A_DRINK:
            return drinks(self._body)
        name = self.state.speaker
        if name and _MY_NAME.search(text.lower()):
            return f"You are {name}."
        if about := asked_of(text, self.state.rules):
            return told_not_to(about)
        if act.about == "why" and (said := taken_for_granted(text, self._resolver, self.state)):
            return said
        if said := self._of_deeds(act, text) or self._answers.of_numbers(act, text):
            return said
        told = told_about(text, self.state.facts)
        granted = told is None and act.about in TOPICS
        if granted and (said := taken_for_granted(text, self._resolver, self.state)):
            return said
        if said := self._by_facts(act, text):
            return said
        if told is not None and (not asks_what_is_seen(act) or re.search(r"\bbelongs?\b|\bwhose\b", text.lower())):
            return quoted(text, with_later(told, self.state.facts, text))
        return self._told.beyond(self._answers.answer(act), act, text)

    def _by_facts(self, act: DialogueAct, text: str) -> str:
        """What is answered by what was told alone, in the same breath too: "What am I saying? It's Mia's!" """
        if act.about in ("facts", "other"):
            self.facts.keep_stated(" ".join(re.findall(r"[^.!?]+[.!]+", text)))
        if act.about == "facts" and names_untold(text, self.state.facts):
            return _NOT_TOLD
        if (said := self._told.answer(act, text)) or act.about != "facts" or not asks_for_more(text):
            return said
        return self._told.recalled(text) or self._forbidden_about(text) or _NOT_TOLD

    def _forbidden_about(self, text: str) -> str:
        """What was forbidden of what somebody asks about; "" where nothing was."""
        rules = [rule for rule in self.state.rules if words_in(text) & words_in(rule.said)]
        return told_not_to(rules[-1].said) if rules else ""

    def _of_deeds(self, act: DialogueAct, text: str) -> str:
        """The answer to a question of what was done, and how things were before; "" for any other."""
        if said := self._answers.of_earlier_state(act, text):
            return said
        if act.about == "where" and WAS.search(text.lower()):
            found = bool(act.slots) and FOUND.search(text.lower()) is not None
            return self._before_it_took(act, text) or (self._answers.unmoved(act) if found else "")
        if act.about == "where" and act.slots and PUT.search(text.lower()):
            return self._answers.unmoved(act)
        if (failed := asks_what_failed(act, text)) is not None:
            return self._answers.failures(yes=act.about == "other") if failed else self._answers.successes()
        return self._answers.of_earlier_deed(act, text, self._asked)

    def _before_it_took(self, act: DialogueAct, text: str) -> str:
        """Where a thing was that the Follower took, where that is asked; else ""."""
        return self._answers.was(act) if act.about == "where" and WAS.search(text.lower()) else ""

    def _cancel(self, act: DialogueAct, text: str) -> str:
        """Leave off; or forget something that was told, or forbidden."""
        if over := ended(text, self.state.rules):
            self.state.rules = [rule for rule in self.state.rules if rule not in over]
            return self.voice.say("allowed")
        if _TOLD_BEFORE.search(text.lower()):
            facts = touched_by(text, self.state.facts)
            rules = [rule for rule in self.state.rules if words_in(text) & words_in(rule.said)]
            if facts or rules:
                self.state.facts = [one for one in self.state.facts if one not in facts]
                self.state.rules = [one for one in self.state.rules if one not in rules]
                return self.voice.say("forgotten")
        if self.facts.met == (text, self.state.heard):
            return self.voice.say("forgotten")
        if self._drop(text):
            return self.voice.say("cancelled")
        return self.voice.say("forgotten" if self._take_back_rule(text) else "nothing to cancel")

    def _take_back_rule(self, text: str) -> bool:
        """ "Forget I said that", where nothing is under way: what was forbidden last is not, if it was said just
        before, or if the words are about what was said. Whether there was such a thing."""
        last = self.state.rules[-1].said if self.state.rules else ""
        said = [line.removeprefix("person: ") for line in self.state.recent if line.startswith("person: ")]
        if not last or not (_UNSAYS.search(text.lower()) or last in said[-2:-1]):
            return False
        self.state.rules = [rule for rule in self.state.rules if rule.said != last]
        return True

    def mention(self, act: DialogueAct) -> None:
        """What an act speaks of is spoken of from now on, the first of it most."""
        for phrase in (slot.phrase for slot in reversed(act.slots) if slot.phrase.noun not in PRONOUNS | {"there"}):
            self.state.mention(phrase.noun, [thing.object_id for thing in self._resolver.find(phrase).chosen])

    def beforehand(self, acts: Sequence[DialogueAct], text: str, said: str) -> str:
        """What is said where an utterance agrees on words, has done with those that every order opens with, or lacks
        them; "" where it does nothing of it. What it tells in passing is spoken of. `said` is how it was said where
        `text` leaves words out."""
        if {act.act for act in acts} <= IN_PASSING:
            self.facts.speak_of(text)
        elif tells_home(text):
            self.facts.keep_stated(text)
        self.state.know(one for one in names_told(text, self._body.observation.turn) if one.noun == MY_NAME)
        if needs := self.facts.of_needs(acts, text):
            return needs
        if self.facts.goes_by_before(text):
            self.state.know([Told(text.strip(), self._body.observation.turn)])
            return self.voice.say("noted")
        if said_before := asked_about(text, [rule.said for rule in self.state.rules]):
            return told_not_to(said_before)
        orders = any(act.act in (Act.ORDER, Act.REPEAT, Act.INSTEAD_DO) for act in acts)
        agrees = any(act.act in (Act.YES, Act.NO) for act in acts)  # "I'm done working"
        over = (ended_ahead if orders else ended)(text, self.state.rules) if orders or agrees else []
        self.state.rules = [rule for rule in self.state.rules if rule not in over]
        words = "" if orders or any(map(is_of_things, acts)) else code_word(text)
        if words:
            self.state.forbid([Rule("", said=text, unless=words)])
            return self.voice.say("forbidden")
        if not orders and tells_meaning(text):
            self.state.know([Told(text.strip(), self._body.observation.turn)])
            return self.voice.say("noted")
        needed = withheld(said or text, self.state.rules)
        if needed is not None and is_over(text):
            self.state.rules = [rule for rule in self.state.rules if not rule.unless]
            return "" if orders else self.voice.say("allowed")
        return f'You did not say "{needed.unless}", so I leave that.' if needed is not None and orders else ""

    def _forbid(self, act: DialogueAct, text: str) -> str:
        if _NO_GOOD.search(text.lower()) and not forbids(_NO_GOOD.sub("", text.lower())):
            return self._remember(DialogueAct(Act.FACT, text), text)
        for forbidden in (barred := [self._named(one) for one in act.of]):
            self.mention(forbidden)
        self.state.forbid(rule_of(one, self._resolver, text) for one in barred)
        return self.voice.say("forbidden")

    def _named(self, act: DialogueAct) -> DialogueAct:
        """ "It", of what was spoken of and not seen yet, by its name."""
        slot, last = next(iter(act.slots), None), next(iter(self.state.single), None)
        if slot is None or last is None or slot.phrase not in (Phrase("it"), Phrase("them")):
            return act
        if last.ids or self._resolver.find(slot.phrase).things:
            return act
        return act._replace(slots=(slot._replace(phrase=Phrase(last.noun)), *act.slots[1:]))

    def _allow(self, act: DialogueAct, text: str) -> str:
        if _MAY_YOU.search(text.lower()) or ("?" in text and asks_permission(text)):
            return self._answer(DialogueAct(Act.QUESTION, "can", of=act.of), text)
        kept = self.state.rules
        for one in act.of:
            kept = lifted(one, kept, self._resolver, text)
        if kept == self.state.rules and self._lifted != (text, self.state.heard):
            kept = [rule for rule in kept if rule not in ended(text, self.state.rules)]
        was, self.state.rules = self.state.rules, kept
        if kept == was and self._lifted == (text, self.state.heard):
            return ""
        if kept == was and not _PERMITS.search(text.lower()) and self.facts.keep_stated(text):
            return self.voice.say("noted")
        return self.voice.say("allowed" if kept != was else "not forbidden")

    def unclear(self, act: DialogueAct, text: str = "") -> str:
        """What is said where no more than a thing, or nothing, was understood."""
        if "?" in text and ASKS.search(asked_in(text).lower()) and (said := self._told.recalled(text)):
            return said
        if ASKS.search(text.strip().lower()) and _PERSONAL.search(text.lower()):
            return _NOT_TOLD
        if not act.slots:
            return self.voice.say("too long" if len(text) > LONGEST else "unclear")
        phrase = act.slots[0].phrase
        found = self._resolver.find(phrase)
        if not found.things and not found.kinds:
            return self.voice.say("unclear")
        self.state.mention(phrase.noun, [thing.object_id for thing in found.chosen])
        return f"What should I do with {words_of(phrase)}?"

    def _remember(self, act: DialogueAct, text: str) -> str:
        """A fact is kept; a question that was read as one is answered."""
        if ASKS.search(text.strip().lower()):
            return self._answer(DialogueAct(Act.QUESTION, "other"), text)
        return self.facts.remember(act, text)
