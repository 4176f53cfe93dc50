"""Answers about the Follower itself: what it did, what it is doing, what is left, what it was told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from teach_agents.agents.dialogue.abilities import Abilities
from teach_agents.agents.dialogue.conditions import is_so
from teach_agents.agents.dialogue.deed_queries import deed_words, is_idle, is_that, touches, what_of
from teach_agents.agents.dialogue.dialogue_state import Deed, Rule
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_text import called, listed, sentence, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, kinds_of
from teach_agents.agents.dialogue.order_needs import need_of
from teach_agents.agents.dialogue.order_text import Form, act_words, read_act
from teach_agents.agents.dialogue.presuppositions import not_done_so
from teach_agents.agents.dialogue.purpose_rules import purpose_of
from teach_agents.agents.dialogue.question_phrases import FIRST, LAST, SIDE, WHO
from teach_agents.agents.dialogue.referring_expressions import describe_thing, subject, the_one, where_phrase
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import RESULTS, VERBS

_ANY_DEED = frozenset({"do", "touch", "use"})
"""Verbs of whatever may be done to a thing: "did you do anything to the telly?"."""
_TOLD = 3
"""Of more deeds only the last are told."""


class AboutDeeds:
    """Answers topics that speak of the Follower; a question's own acts are its argument."""

    def __init__(self, knowing: RoomKnowledge, abilities: Abilities) -> None:
        self._knowing = knowing
        self._abilities = abilities
        self._state = knowing.state
        self._pick = knowing.pick
        self.topics: Mapping[str, Callable[[], str]] = {
            "doing": self._doing,
            "next": self._next,
            "task": self._task,
            "first": self.first,
            "who": self._who,
            "facts": self._facts,
            "forbidden": self._forbidden,
        }

    def did(self, asked: DialogueAct | None, which: Phrase | None = None) -> str:
        """What was done, or whether something was; `which` is the last deed alone, or to which side a motion went."""
        if which is not None and which.noun in (SIDE, FIRST, LAST) and (told := self._certain(which)):
            return told
        if asked is None:
            return self._last()
        what = what_of(asked)
        anything = what is not None and what.noun in ANYTHING
        if asked.about in _ANY_DEED or (asked.about == "move" and anything):
            told = self._done_to(asked)
            return told if which is None or which.noun != WHO else sentence(told.removeprefix("Yes, "))
        alike = [deed for deed in reversed(self._state.deeds) if is_that(deed, asked, self._knowing)]
        deed = next((deed for deed in alike if deed.done and deed.changed), next(iter(alike), None))
        words = act_words(asked, Form.PAST)
        if deed is not None and deed.done:
            denied = not_done_so(deed, asked, RESULTS.get(asked.about, ""), self._knowing)
            words = self._past(deed) if anything else words
            return denied or self._pick(f"Yes, I {words}.", f"Yes, I did: I {words}.")
        if self._state.doing and is_that(Deed(self._state.doing, False, ""), asked, self._knowing):
            return f"Not yet: I am {act_words(self._state.doing, Form.ONGOING)} right now."
        opened = self._opened(asked)
        if opened:
            return f"Yes, I had to open {opened} on the way."
        if deed is not None:
            return f"No, I tried, but it did not work. {self._reason(deed)}".strip()
        if any(is_that(Deed(one.act, False, ""), asked, self._knowing) for one in self._state.queue):
            return self._pick("No, not yet. It is on my list.", "Not yet, but I am going to.")
        elsewhere = self._elsewhere(asked)
        return elsewhere or f"{self._pick('No, not yet.', 'No, I did not.')}{self._as_it_is(asked)}"

    def _certain(self, which: Phrase) -> str:
        """To which side a motion went, or the first or the last deed; "" where there is none, or the last failed."""
        done = [deed for deed in self._state.deeds if deed.done and not is_idle(deed)]
        if which.noun == SIDE:
            return self._side(*which.looks)
        if which.noun == FIRST and done:
            return f"First, I {self._past(done[0])}."
        if which.noun == LAST and done and self._state.deeds[-1].done:
            past = self._past(done[-1])
            return self._pick(f"The last thing that I did: I {past}.", f"Last, I {past}.")
        return ""

    def _elsewhere(self, asked: DialogueAct) -> str:
        """Where a thing was put that is asked to have been put somewhere else, or back where it was taken from; ""
        where it was put nowhere."""
        what = what_of(asked)
        if what is not None and asked.about == "put_back":
            return self._back(what)
        if what is None or what.noun in ANYTHING or len(asked.slots) < 2 or asked.about not in ("put", "drop", "move"):
            return ""
        plain = asked._replace(slots=(Slot("", what),))
        put = next((deed for deed in reversed(self._state.deeds) if is_that(deed, plain, self._knowing)), None)
        return f"No, I {self._past(put)}." if put is not None and put.done else ""

    def _back(self, what: Phrase) -> str:
        """That a thing that was taken for something, a knife, is back where it was; "" where it is not."""
        body = self._knowing.body
        for thing in self._knowing.find(what).chosen:
            source = body.memory.taken_from.get(thing.object_id)
            if source in {one.object_id for one in body.things.holders(thing)} and not body.holds(thing):
                return f"Yes, {subject(thing)} is back {where_phrase(thing, body)}."
        return ""

    def _done_to(self, asked: DialogueAct) -> str:
        """Whether anything was done to what is asked about, and what."""
        what = what_of(asked)
        named = [*mentions_in(what.noun.replace("_", " "))] if what is not None and asked.about == "do" else []
        phrase = Phrase(named[-1]) if named else what if what is not None and asked.about != "do" else Phrase("it")
        if phrase.noun in ANYTHING and phrase.place is None:
            made = [self._past(deed) for deed in self._state.deeds if deed.done and touches(deed) and not is_idle(deed)]
            return f"Yes, I {listed([*dict.fromkeys(made)][-_TOLD:])}." if made else "No, I touched nothing."
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        ids = {thing.object_id for thing in found.things}
        handled = {*self._knowing.body.memory.handled}
        done = [deed for deed in self._state.deeds if deed.done and ids & {*deed.ids}]
        touched = [deed for deed in done if touches(deed) and not is_idle(deed)]
        if touched:
            return f"Yes, I {listed([*dict.fromkeys(map(self._past, touched))][-_TOLD:])}."
        if ids & {*self._state.opened}:
            return "Yes, I had to open it on the way."
        if ids & handled:
            return "Yes, I touched it on the way to something else."
        return f"No, I did nothing to {describe_thing(found.things[0], self._knowing.body)}."

    def _side(self, motion: str) -> str:
        """Which way a kind of motion went when it was made last."""
        made = (deed for deed in reversed(self._state.deeds) if deed.done and deed.act.startswith(f"{motion}_"))
        last = next(made, None)
        return f"I {self._past(last)}." if last is not None else self._pick("I have not done that.", "Not that I know.")

    def _opened(self, asked: DialogueAct) -> str:
        """What is asked about, where it was opened on the way to something else."""
        what = what_of(asked)
        things = self._knowing.find(what).things if what is not None and asked.about in ("open", "close") else ()
        return next((subject(one) for one in things if one.object_id in self._state.opened), "")

    def first(self) -> str:
        """What was asked for first."""
        if not self._state.deeds:
            return self._task()
        return f"The first thing you asked for was to {self._named(self._state.deeds[0], Form.PLAIN)}."

    def failures(self, *, yes: bool) -> str:
        """What was asked for and not done, behind a `yes` where it was asked whether anything was."""
        failed = [deed for deed in self._state.deeds if not deed.done][-_TOLD:]
        if not failed:
            done = self._state.deeds
            no = "No, " if yes else ""
            return f"{no}I did everything that you asked for." if done else "You have not asked me to do anything yet."
        told = listed([self._named(deed, Form.PLAIN) for deed in failed], last="or")
        return f"{'Yes, ' if yes else ''}I could not {told}. {self._reason(failed[-1])}".strip()

    def successes(self) -> str:
        """What was asked for and done."""
        done = [self._past(deed) for deed in self._state.deeds if deed.done][-_TOLD:]
        return f"I {listed(done)}." if done else "I have managed nothing so far."

    def _as_it_is(self, asked: DialogueAct) -> str:
        """That what was asked for is so all the same."""
        result, what = RESULTS.get(asked.about), what_of(asked)
        if result is None or what is None or what.noun in ANYTHING:
            return ""
        things = self._knowing.find(what).chosen
        so = [thing for thing in things if is_so(thing, result, self._knowing.body.things)]
        if len(things) == 1 and so and (result != "clean" or so[0].has("dirtyable")):
            return f" The {called(so[0]).alone} is {result}, though."
        return ""

    def _last(self) -> str:
        deeds = self._state.deeds
        if not deeds:
            if self._state.doing:
                return f"Nothing is finished yet: I am {act_words(self._state.doing, Form.ONGOING)}."
            return self._pick("I have not done anything yet.", "Nothing so far.")
        last = deeds[-1]
        if not last.done:
            return f"I tried to {self._named(last, Form.PLAIN)}, but it did not work. {self._reason(last)}".strip()
        done = [self._past(deed) for deed in deeds if deed.done][-_TOLD:]
        if len(done) == 1:
            return f"I {done[0]}."
        return self._pick(
            f"I {listed(done[:-1])}, and then I {done[-1]}.", f"Last, I {done[-1]}; before that I {done[-2]}."
        )

    def _past(self, deed: Deed) -> str:
        return self._named(deed, Form.PAST)

    def _named(self, deed: Deed, form: Form) -> str:
        return deed_words(deed, form, self._knowing)

    def _reason(self, deed: Deed) -> str:
        """Why something was not done: what was said of it, or what stands in its way."""
        if deed.said:
            return sentence(deed.said)
        order = read_act(deed.act)
        return self._abilities.hindrance(order) if order is not None else ""

    def done_to_which(self, phrase: Phrase, *, first: bool = False) -> str:
        """Which of several things the latest order that acted upon any of them was about, or the first one; "" where
        none did."""
        ids = {thing.object_id for thing in self._knowing.find(phrase).things} if kinds_of(phrase.noun) else None
        told = [
            (deed, [*self._knowing.body.things.known(one for one in deed.ids if ids is None or one in ids)])
            for deed in self._state.deeds
            if deed.done and touches(deed)
        ]
        told = [(deed, done_to) for deed, done_to in told if done_to]
        changed = [one for one in told if one[0].changed]
        if not changed:
            return "None of them: I did not have to do anything." if told else ""
        deed, done_to = changed[0 if first else -1]
        return f"I {self._past(deed)}: {listed([the_one(one, self._knowing.body) for one in done_to])}."

    def tool(self) -> str:
        """What the latest order that takes tools was done with; "" where none was."""
        memory, things = self._knowing.body.memory, self._knowing.body.things
        touched = [*things.known(dict.fromkeys(reversed([*memory.used, *memory.handled])))]
        for deed in reversed(self._state.deeds):
            order = read_act(deed.act)
            need = need_of(order) if order is not None and deed.done and deed.changed else None
            groups = need.tools if need is not None else ()
            used = [next((one for one in touched if one.object_type in group), None) for group in groups]
            if told := [subject(one) for one in used if one is not None]:
                return f"I used {listed([*dict.fromkeys(told)])}."
        return ""

    def _doing(self) -> str:
        if self._state.doing:
            return f"I am {act_words(self._state.doing, Form.ONGOING)}."
        held_back = {rule.said for rule in self._state.rules}
        stopped = next((one for one in self._state.left if one.said not in held_back), None)
        if stopped is not None and read_act(stopped.act) is not None:
            return f"Nothing at the moment: I was {act_words(stopped.act, Form.ONGOING)} when you stopped me."
        return self._pick("I am doing nothing right now.", "Nothing at the moment: I am waiting for you.")

    def _next(self) -> str:
        queue, doing = self._state.queue, self._state.doing
        if queue:
            return (
                self._pick(f"Next I will {act_words(queue[0].act)}.", f"After this I will {act_words(queue[0].act)}.")
                if (doing)
                else f"Next I will {act_words(queue[0].act)}."
            )
        if doing:
            return f"When I am done with {act_words(doing, Form.ONGOING)}, nothing else is planned."
        return self._pick("Nothing is planned. What should I do?", "I have no plans: tell me what to do.")

    def _task(self) -> str:
        queue, doing = self._state.queue, self._state.doing
        rest = [act_words(one.act) for one in queue]
        if doing and rest:
            return f"I am {act_words(doing, Form.ONGOING)}; then I will {listed(rest)}."
        if doing:
            return f"I am still {act_words(doing, Form.ONGOING)}; nothing else is left."
        if rest:
            return f"I still have to {listed(rest)}."
        left = [act_words(one.act) for one in self._state.left if (act := read_act(one.act)) and act.act is Act.ORDER]
        if left:
            return f"You asked me to {listed(left)}; I left off, and go on when you tell me to."
        if not self._state.deeds:
            return self._pick("You have not asked me to do anything yet.", "Nothing is left: I have no task yet.")
        last = self._state.deeds[-1]
        asked = self._named(last, Form.PLAIN)
        if last.done:
            return f"Nothing is left. The last thing you asked for was to {asked}, and that is done."
        return f"The last thing you asked for was to {asked}, and that did not work. {self._reason(last)}".strip()

    def _who(self) -> str:
        room = self._knowing.room
        return self._pick(
            f"I am the robot that helps you in this {room}. You say what you need, and I do it.",
            f"I am your household robot. I do things for you in this {room}.",
        )

    def _facts(self) -> str:
        said = [*dict.fromkeys(fact.said.strip().rstrip(".!") for fact in self._state.facts)]
        facts = [f'"{one}"' for one in said[-_TOLD:]]
        if not facts:
            return self._pick("You have not told me anything to remember.", "Nothing that I noted, so far.")
        return f"You told me: {listed(facts)}."

    def _forbidden(self) -> str:
        rules = [self._rule(rule) for rule in self._state.rules]
        if not rules:
            return self._pick("Nothing is forbidden at the moment.", "You have not forbidden me anything.")
        return self._pick(f"I must not {listed(rules, last='or')}.", f"You told me not to {listed(rules, last='or')}.")

    def _rule(self, rule: Rule) -> str:
        """What a rule forbids, in words."""
        things = [describe_thing(one, self._knowing.body) for one in self._knowing.body.things.known(rule.ids)]
        named = [self._named_kind(noun) for noun in rule.nouns]
        what = listed([*named, *things][:_TOLD], last="or")
        what = f"{what} that is {listed(rule.looks)}" if rule.looks else what
        if rule.unless:
            return f'do anything unless you say "{rule.unless}"'
        if rule.verb not in VERBS:
            return f"do anything with {what}" if what else "do anything"
        bare = act_words(DialogueAct(Act.ORDER, rule.verb, (Slot("", Phrase("it")),)))
        purpose = purpose_of(rule.said)
        but = f" except to {act_words(purpose)}" if purpose is not None else ""
        return bare.replace(" it", f" {what or 'anything'}") + but

    def _named_kind(self, noun: str) -> str:
        known = self._knowing.find(Phrase(noun)).things
        return words_of(Phrase(noun, "all"), "").strip() if len(known) > 1 else words_of(Phrase(noun))
