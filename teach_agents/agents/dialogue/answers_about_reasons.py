"""Answers to why: of the deed that a question names, of one that was not done, of how things are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.abilities import Abilities
from teach_agents.agents.dialogue.deed_queries import deed_words, is_idle, is_that, touches, what_of
from teach_agents.agents.dialogue.dialogue_state import Deed
from teach_agents.agents.dialogue.facts import words_in
from teach_agents.agents.dialogue.noun_text import listed, sentence
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS
from teach_agents.agents.dialogue.order_needs import need_of
from teach_agents.agents.dialogue.order_text import Form, act_words, read_act
from teach_agents.agents.dialogue.presuppositions import state_asked, taken_for_granted
from teach_agents.agents.dialogue.prohibitions import breaks, told_not_to
from teach_agents.agents.dialogue.referring_expressions import describe_thing
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading
from teach_agents.understanding.notation import RESULTS
from teach_agents.understanding.order_rules import order_in, present
from teach_agents.understanding.plain_text import plain_text

_WHY = r"(?:why(?: on earth| the [a-z]+| in the world)?|how come|what for|for what reason)"
_WHILE = r"(?: (?:just|still|even|already|then|now|actually|ever|go and))*"
_NOT_DONE = re.compile(
    rf"\b{_WHY} (?:(?:won't|wont|didn't|didnt|can't|cant|cannot|couldn't|wouldn't|haven't|don't|dont|mustn't|shouldn't"
    r"|may not|must not|should not|aren't) (?:you|u)(?: allowed to| supposed to)?"
    r"|(?:will|did|can|could|would|have|do) (?:you|u) (?:not|never|refuse to)"
    r"|(?:you|u)(?:'ve| have)? (?:mustn't|may not|must not|won't|didn't|can't|couldn't|wouldn't|haven't"
    r"|don't|never|refused? to))"
    rf"{_WHILE} (?P<rest>[a-z]+(?: [^.!?;]+)?)"
)
_DONE = re.compile(
    rf"\b{_WHY} (?:(?:did|do|have|had|must|would) (?:you|u)(?: have to)?|(?:you|u)(?:'ve| have)?)"
    rf"{_WHILE} (?P<rest>[a-z]+(?: [^.!?;]+)?)"
)
_HOLDS = re.compile(
    rf"\b{_WHY} (?:(?:do|are|have|did) (?:you|u)|you(?:'re| are)){_WHILE}"
    r" (?:hold(?:ing)?|carry(?:ing)?|keep(?:ing)?(?: hold of)?|clutch(?:ing)?|have|having|got)"
    r" (?P<x>(?:the|my|our|that|this|a|an|your) [a-z ]+|it|that|this|them)"
    r"(?: in (?:your|the) hands?| with you)?\W*$"
)
_UNTOLD = re.compile(
    r"\b(?:i (?:didn't|did not|didnt|never)(?: ever)? (?:ask(?:ed)?|tell|told|want(?:ed)?) you to"
    r"|who(?: the [a-z]+)? (?:told|asked|ordered|allowed) you to) (?P<rest>[a-z]+(?: [^.!?;]+)?)"
    r"|\bi (?:didn't|did not|didnt|never) (?:ask(?:ed)? for|order(?:ed)?) (?P<x>[a-z]+(?: [^.!?;]+)?)"
)
"""What blames for a deed that nobody asked for."""
_NOT_SO = re.compile(r"\W*(?:(?:and|but|so|well|ok|okay)\W+)*why not\W*")
_POINTS = re.compile(
    r"\W*(?:(?:and|but|so|well)\W+)*why (?:there|here|that(?: one)?|this(?: one)?|it|them|those|so)\W*"
)
_REFUSED = re.compile(rf"^\W*(?:(?:and|so|but|ok|okay|hey|robot|well)\W+)*{_WHY} (?!don'?t\b|do (?:you|u) not\b)")
""" "Why don't you open it?" may be an order."""
_MANAGED = re.compile(r"^(?:able to|manage to) ")
_MAKES = {state: verb for verb, state in RESULTS.items() if verb not in ("boil", "toast")}
_TAKES = frozenset("get pick_up put put_back drop move throw_away touch use do serve".split())
"""Verbs of what happens to a thing in the course of most deeds."""
_PLAIN = frozenset("get pick_up put put_back drop move open close turn_on turn_off find look_at go_to come".split())
_LEAVES = re.compile(r"(?:leave|left|keep|kept)\b")
_OF_THINGS = re.compile(
    rf"\b{_WHY}(?:'s| is| are|'re| was| were) (?P<x>(?:the|my|our|your|these|those|that) [a-z]+(?: [a-z]+)*)"
)
"""What asks why things are so, whoever made them so."""
_IN_PASSING = frozenset({"open", "close", "turn_on", "turn_off"})
"""Verbs of what is done to other things in the course of a deed."""
_THERE = PRONOUNS | {"there", "here"}
_THAT = re.compile(r"(?:do|finish|manage|make|try|get) (?:it|that|this|so|them)\b")
_CLARIFIED: Mapping[str, str] = {
    "which": "Because there are several that you may mean, and I do not know which one.",
    "what": "Because you did not say what you mean, and I do not want to guess.",
    "where": "Because you did not say where it should go.",
    "confirm": "Because I was not sure that I understood you, and I wanted to ask first.",
}


def with_reason_asked(read: Reading, text: str) -> Reading:
    """A reading where what asks why something is not done orders nothing: "why won't you wash the pan"; nor does what
    blames for a deed: "I didn't tell you to wash it"."""
    plain = plain_text(text)
    asks = _REFUSED.match(plain) is not None and _NOT_DONE.search(plain) is not None
    orders = any(act.act is Act.ORDER for act in read.acts)
    if re.search(r"[.!?;]+ *\w", plain) or not (_UNTOLD.search(plain) or (asks and orders)):
        return read
    return read._replace(acts=(DialogueAct(Act.QUESTION, "why"),))


def _is_long(deed: Deed) -> bool:
    """Whether a deed takes more than one thing to be acted upon."""
    order = read_act(deed.act)
    return order is None or order.about not in _PLAIN


class AboutReasons:
    """Answers why something was done, or was not, and why things are as they are."""

    def __init__(self, knowing: RoomKnowledge, abilities: Abilities) -> None:
        self._knowing = knowing
        self._abilities = abilities
        self._state = knowing.state
        self._pick = knowing.pick
        self.topics: Mapping[str, Callable[[], str]] = {"why": self.last}

    def last(self) -> str:
        """Why it asks, or does, or did what it did last."""
        state = self._state
        if state.question is not None:
            return self._unclear()
        last = state.deeds[-1] if state.deeds else None
        if last is not None and not last.done and not state.doing:
            return self._failure(last)
        if state.doing:
            return self._pick(
                f"Because you asked me to {act_words(state.doing)}.",
                f"You asked me to {act_words(state.doing)}, and I am not done yet.",
            )
        if last is not None:
            return self._pick(self._because(last), f"You asked me to {self._named(last)}, so I did.")
        return self._pick(
            "I do not know why: I have not done anything yet.",
            "I do not know: nobody has asked me to do anything yet.",
        )

    def of(self, text: str, asked_before: DialogueAct | None = None) -> str:
        """The reason for what the words of a question name; that it is not so where it is not; "" where they name
        nothing. "Why not?" is of what was asked before."""
        plain = plain_text(text)
        last = self._state.deeds[-1] if self._state.deeds else None
        if asked_before is not None and asked_before.of and _NOT_SO.fullmatch(plain):
            return self._omitted(asked_before.of[0])
        if _POINTS.fullmatch(plain) and last is not None and last.done:
            return self._because(last)
        if (blamed := _UNTOLD.search(plain)) is not None:
            return self._blamed(blamed["rest"] or f"get {blamed['x']}")
        if (held := _HOLDS.search(plain)) is not None and (said := self._holding(held["x"])):
            return said
        if (refused := _NOT_DONE.search(plain)) is not None:
            asked = self._asked(refused["rest"])
            return self._omitted(asked) if asked is not None else self._not_that(refused[0], refused["rest"], plain)
        done = _DONE.search(plain)
        if done is not None and done["rest"].startswith("stop"):
            return self._ended()
        if done is not None and _LEAVES.match(done["rest"]):
            return taken_for_granted(done["rest"], self._knowing.resolver, self._state, by_you=True) or self._as_it_is(
                plain
            )
        asked = self._asked(done["rest"]) if done is not None else None
        if asked is not None and (said := self._done(asked)):
            return said
        return self._as_it_is(plain) or self._of_things(plain) or self._named_before(plain)

    def _of_things(self, plain: str) -> str:
        """Why things are where, or as, they are, as far as a deed tells; "" for any other question."""
        found = _OF_THINGS.search(plain)
        named = named_in(found["x"].split(" in ")[0].split(" on ")[0]) if found is not None else None
        if found is None or re.search(r"\byou\b", plain):
            return ""
        ids = {thing.object_id for thing in self._knowing.find(named).things} if named is not None else set()
        about = [deed for deed in self._state.deeds if deed.done and ids & {*deed.ids} and touches(deed)]
        return self._because(about[-1]) if about else "I do not know why."

    def _asked(self, words: str) -> DialogueAct | None:
        """The order that words of a deed come to: "washed the pan then"."""
        bare = re.sub(r"(?: (?:then|now|yet|already|again|for me|please|before|earlier|when i \w+.*))+\W*$", "", words)
        bare = _MANAGED.sub("", bare)
        for form in dict.fromkeys((bare, present(bare), re.sub(r"^([a-z]+)ing\b", r"\1", bare))):
            orders = [one for one in order_in(form, barred=True) or () if one.act is Act.ORDER]
            if len(orders) == 1 and orders[0].about != "do":
                return orders[0]
        return None

    def _done(self, asked: DialogueAct) -> str:
        """Why a deed was done; that it was not."""
        deed = self._deed(asked)
        if deed is not None:
            return self._because(deed) if deed.done else self._failure(deed)
        if self._state.doing and is_that(Deed(self._state.doing, False, ""), asked, self._knowing):
            return f"Because you asked me to {act_words(self._state.doing)}."
        what = what_of(asked)
        things = self._knowing.find(what).things if what is not None and what.noun not in ANYTHING else []
        ids = {thing.object_id for thing in things}
        if not ids or self._state.doing:
            return ""
        about = [deed for deed in self._state.deeds if deed.done and ids & {*deed.ids} and touches(deed)]
        if about and asked.about in _TAKES:
            return self._because(about[-1])
        touched = ids & self._touched
        if asked.about in _TAKES | _IN_PASSING and (touched or self._took(things)):
            return self._on_the_way(touched or ids)
        if asked.about not in {*_TAKES, *RESULTS}:
            return ""
        asked = asked._replace(slots=tuple(one for one in asked.slots if not one.role or one.phrase.noun not in _THERE))
        if asked.about == "put" and len(asked.slots) == 1:
            asked = asked._replace(about="move")
        long = [deed for deed in self._state.deeds if deed.changed and _is_long(deed)]
        sure = asked.about in ("open", *_TAKES) or not long
        return f"I did not {act_words(asked)}." if sure else f"I do not remember that I {act_words(asked, Form.PAST)}."

    def _took(self, things: Sequence[Thing]) -> Deed | None:
        """The latest deed that takes tools of the kind of these things."""
        kinds = {thing.object_type for thing in things}
        for deed in reversed(self._state.deeds):
            order = read_act(deed.act)
            need = need_of(order) if order is not None and deed.changed else None
            if need is not None and any(kinds & {*group} for group in need.tools):
                return deed
        return None

    @property
    def _touched(self) -> set[str]:
        """The ids of what was opened, or used, for whatever it was."""
        memory = self._knowing.body.memory
        return {*self._state.opened, *memory.handled, *memory.used}

    def _blamed(self, words: str) -> str:
        """What is said to who asked for no such deed."""
        last = self._state.deeds[-1] if self._state.deeds else None
        asked = None if _THAT.match(words) else self._asked(words)
        deed = self._deed(asked) if asked is not None else last if _THAT.match(words) else None
        if deed is not None and deed.done:
            return f"I understood that you wanted me to {self._named(deed)}."
        return self._done(asked) if asked is not None else "I do not know what you mean by that."

    def _deed(self, asked: DialogueAct) -> Deed | None:
        """The latest deed that is asked about; "it" may be what any of its kind was done to."""
        deeds, what = [*reversed(self._state.deeds)], what_of(asked)
        alike = [deed for deed in deeds if is_that(deed, asked, self._knowing)]
        if not alike and what is not None and what.noun in PRONOUNS:
            alike = [deed for deed in deeds if is_that(deed, asked._replace(slots=()), self._knowing)]
        return next((deed for deed in alike if deed.done), next(iter(alike), None))

    def _on_the_way(self, ids: set[str]) -> str:
        """What something was opened, or used, for."""
        came_from = self._knowing.body.memory.taken_from
        made = [deed for deed in reversed(self._state.deeds) if deed.changed and touches(deed)]
        out = [deed for deed in made if any(came_from.get(one) in ids for one in deed.ids)]
        tool = self._took([*self._knowing.body.things.known(ids)])
        found = out or ([tool] if tool is not None else made if len(made) == 1 else [])
        return self._because(found[0]) if found else "I had to, on the way to something else that you asked for."

    def _omitted(self, asked: DialogueAct) -> str:
        """Why something is not done, or was not."""
        deed = self._deed(asked)
        if deed is not None and deed.done:
            so = "It was so already" if is_idle(deed) else "I did"
            return f"{so}: I {deed_words(deed, Form.PAST, self._knowing)}."
        broken = breaks(asked, self._state.in_force, self._knowing.resolver)
        if broken:
            return f"Because {told_not_to(broken[0].said, lower=True)}"
        if deed is not None:
            return self._failure(deed)
        if any(is_that(Deed(one.act, False, ""), asked, self._knowing) for one in self._state.queue):
            return "I am going to: it is on my list."
        return self._abilities.hindrance(asked) or "You have not asked me to."

    def _not_that(self, asks: str, rest: str, plain: str) -> str:
        """Why it did not do what words point at, or name nothing of its own."""
        last = self._state.deeds[-1] if self._state.deeds else None
        if _THAT.match(rest) and last is not None:
            return f"I did: I {deed_words(last, Form.PAST, self._knowing)}." if last.done else self._failure(last)
        rules = [rule for rule in self._state.in_force if words_in(rest) & words_in(rule.said)]
        if rules:
            return f"Because {told_not_to(rules[-1].said, lower=True)}"
        unable = re.search(r"\bcan(?:'t|not|t)?\b", asks) is not None and last is not None and last.done
        return self._named_before(plain) or ("That is nothing I can do." if unable else "")

    def _ended(self) -> str:
        """Why it stopped."""
        last = self._state.deeds[-1] if self._state.deeds else None
        if self._state.left or last is None:
            return "Because you told me to." if self._state.left else ""
        return "Because I was done." if last.done else self._failure(last)

    def _holding(self, words: str) -> str:
        """Why it holds what is named, or that it does not; "" where that is nothing to hold."""
        body, phrase = self._knowing.body, Phrase(words) if words in PRONOUNS else named_in(words)
        things: Sequence[Thing] = self._knowing.find(phrase).things if phrase is not None else ()
        held = body.held
        if not things and phrase is not None and phrase.noun in PRONOUNS and held is not None:
            things = [held]
        if not any(one.has("pickupable") for one in things):
            return ""
        if held is None or held.object_id not in {one.object_id for one in things}:
            other = f", but {describe_thing(held, body)}" if held is not None else ""
            return sentence(f"I am not holding {self._knowing.the(things[0])}{other}")
        taken = [deed for deed in self._state.deeds if held.object_id in deed.ids and touches(deed)]
        return self._because(taken[-1]) if taken else self._on_the_way({held.object_id})

    def _as_it_is(self, plain: str) -> str:
        """Who made a thing what it is said to be; that the Follower did not."""
        told = state_asked(plain, self._knowing.resolver)
        verb = _MAKES.get(told[0]) if told is not None else None
        if told is None or verb is None or not self._state.deeds:
            return ""
        ids = {thing.object_id for thing in told[1]}
        made = [
            deed for deed in self._state.deeds if deed.done and deed.act.startswith(f"{verb}(") and ids & {*deed.ids}
        ]
        if made and made[-1].changed:
            return self._because(made[-1])
        if ids & self._touched or self._took(told[1]):
            return self._on_the_way(ids & self._touched or ids)
        if any(deed.changed and _is_long(deed) for deed in self._state.deeds):
            return ""
        it = "it" if len(told[1]) == 1 else "them"
        return f"I do not know: I did not {act_words(f'{verb}({it})')}."

    def _named_before(self, plain: str) -> str:
        """Why an order before the last was carried out, or failed, where words name what it was about; else ""."""
        for deed in reversed(self._state.deeds[:-1]):
            order = read_act(deed.act)
            named = [slot.phrase.noun for slot in order.slots] if order is not None else []
            last = read_act(self._state.deeds[-1].act)
            rest = {slot.phrase.noun for slot in last.slots} if last is not None else set()
            if any(noun not in rest | PRONOUNS and noun.replace("_", " ") in plain for noun in named):
                return self._because(deed) if deed.done else self._failure(deed)
        return ""

    def _because(self, deed: Deed) -> str:
        return f"Because you asked me to {self._named(deed)}."

    def _named(self, deed: Deed) -> str:
        return deed_words(deed, Form.PLAIN, self._knowing)

    def _unclear(self) -> str:
        asked = self._state.question
        assert asked is not None, "there is a question"
        options = self._knowing.body.things.known(asked.options)
        if asked.about == "which" and len(options) > 1:
            named = [describe_thing(thing, self._knowing.body, definite=True) for thing in options]
            if len(set(named)) == len(named):
                return f"Because you may mean {listed(named, last='or')}."
        order = read_act(asked.order)
        broken = breaks(order, self._state.in_force, self._knowing.resolver) if order is not None else []
        if asked.about == "permit" and broken:
            return f"Because {told_not_to(broken[0].said, lower=True)}"
        if asked.about == "confirm" and order is not None and self._abilities.is_forbidden(order):
            return f"Because you told me not to {act_words(order)}."
        return _CLARIFIED.get(asked.about, _CLARIFIED["confirm"])

    def _failure(self, deed: Deed) -> str:
        order = read_act(deed.act)
        obstacle = self._abilities.hindrance(order) if order is not None else ""
        told = sentence(deed.said) if deed.said else ""
        if obstacle and told != self._state.last_said:
            return told or obstacle
        if obstacle:
            return obstacle
        if told:
            return f"I tried to {self._named(deed)}, and it did not work. {told}"
        return f"I tried to {self._named(deed)}, and it did not work. I do not know more than that."
