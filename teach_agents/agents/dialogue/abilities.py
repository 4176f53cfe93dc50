"""What a Follower can do, in general and here: what an order takes, what stands in its way, how it would be done."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import article, called, clause, listed, name_of, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, is_word
from teach_agents.agents.dialogue.order_needs import MOTIONS, Need, need_of
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.prohibitions import breaks
from teach_agents.agents.dialogue.referring_expressions import where_phrase
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct, Phrase

_RAW = frozenset({"cook", "boil", "toast"})
_ABLE = (
    "I can bring, put away, wash, slice, cook, open, close and switch things, and make coffee.",
    "I can fetch and carry small things, wash, slice, cook, boil and toast, and open, close and switch things.",
)
_TELL = (
    "I can also tell you what I see, where things are and what I did.",
    "You can ask me what I see, where something is, or what I did.",
)


class Abilities:
    """Answers `can`, `how` and `abilities`, and tells what stands in the way of an order."""

    def __init__(self, knowing: RoomKnowledge) -> None:
        self._knowing = knowing
        self._pick = knowing.pick

    def all(self) -> str:
        """What can be asked for."""
        return f"{self._pick(*_ABLE)} {self._pick(*_TELL)}"

    def can(self, order: DialogueAct) -> str:
        """Whether an order can be carried out: in general, and here."""
        words = act_words(order, article=self._article(order))
        if order.about in MOTIONS:
            return self._pick(f"Yes, I can {words}.", "Yes, I can.")
        need = need_of(order)
        if need is None:
            return f"{self._pick(f'No, I cannot {words}.', f'I am afraid that I cannot {words}.')} {self._pick(*_ABLE)}"
        unfit = self._unfit(order, need)
        if not unfit and self.is_forbidden(order):
            return self._pick("I could, but you told me not to.", f"Yes, but you told me not to {words}.")
        return unfit or self._here(order, need)

    def how(self, order: DialogueAct) -> str:
        """How an order would be carried out, and with what."""
        need = need_of(order)
        if order.about in MOTIONS:
            return f"I would just {act_words(order)}."
        if need is None or not need.how:
            return f"I do not know how to {act_words(order)}. {self._pick(*_ABLE)}"
        what = _what(order)
        if (
            what is not None
            and what.noun not in PRONOUNS | ANYTHING
            and order.about != "make"
            and not is_word(what.noun)
        ):
            return self._knowing.no_such(what, self._knowing.find(what))
        if order.about == "wash" and self._unfit(order, need):
            return self._unfit(order, need).removeprefix("No, ")[:1].upper() + self._unfit(order, need)[5:]
        words = need.how.replace("{x}", words_of(what) if what is not None else "it")
        lacking = self._lacking(need)
        return f"{words} {lacking}" if lacking else words

    def hindrance(self, order: DialogueAct) -> str:
        """What stands in the way of an order as far as is known, a sentence; "" for nothing."""
        need = need_of(order)
        if need is None:
            return f"That is nothing I can do: I cannot {act_words(order)}."
        if self.is_forbidden(order):
            return f"You told me not to {act_words(order)}."
        for slot in order.slots:
            found = self._knowing.find(slot.phrase)
            if not found.things and not slot.role.startswith(":") and slot.phrase.noun not in PRONOUNS | ANYTHING:
                if order.about not in ("make", "pour", "fill") and not self._knowing.is_room(slot.phrase.noun):
                    return self._knowing.no_such(slot.phrase, found)
        unfit = self._unfit(order, need)
        return unfit.removeprefix("No, ")[:1].upper() + unfit.removeprefix("No, ")[1:] if unfit else self._lacking(need)

    def is_forbidden(self, order: DialogueAct) -> bool:
        """Whether people said that this is not to be done."""
        return bool(breaks(order, self._knowing.state.in_force, self._knowing.resolver))

    def _unfit(self, order: DialogueAct, need: Need) -> str:
        """Why a thing is none that this could be done to, "" where it is one, or nothing is known of it."""
        what = _what(order)
        if what is not None and order.about == "pick_up" and what.count.isdecimal() and int(what.count) > 1:
            return "No, I can hold only one thing at a time, but I can take them somewhere one after the other."
        if what is None or not need.flag:
            return ""
        found = self._knowing.find(what)
        if not found.things and not found.kinds and not is_word(what.noun):
            return self._knowing.no_such(what, found)
        if not found.things or any(self._suits(thing, order.about, need.flag) for thing in found.things):
            return ""
        return f"No, I cannot {act_words(order, article=self._article(order))}: {need.unfit}."

    def _suits(self, thing: Thing, verb: str, flag: str) -> bool:
        if verb in ("turn_on", "turn_off") and (thing.object_type == "StoveBurner" or thing.is_basin):
            return True
        if verb in _RAW and thing.has("sliceable"):
            return thing.object_type in ("Potato", "Egg", "Bread")
        if verb == "water":
            return thing.object_type == "HousePlant"
        return thing.has(flag)

    def _here(self, order: DialogueAct, need: Need) -> str:
        """Yes, and with what, or what is not known of here."""
        what, yes = _what(order), self._pick("Yes, I can", "Yes")
        found = self._knowing.find(what) if what is not None and order.about != "make" else None
        if found is not None and what is not None and not found.things and what.noun not in PRONOUNS | ANYTHING:
            return f"{yes}, but {_lowered(self._knowing.no_such(what, found))}"
        lacking = self._lacking(need)
        if lacking and order.about == "make" and not self._knowing.looks_for_itself:
            return f"No, not here: {_lowered(lacking)}"
        if lacking:
            return f"{yes}, but {_lowered(lacking)}"
        tools = [self._known(group) for group in need.tools]
        tool = next((thing for thing in tools if thing is not None and thing.has("pickupable")), None)
        if tool is not None:
            name = called(tool).one
            if self._knowing.body.holds(tool):
                return f"{yes}: I am holding {article(name)}."
            where = where_phrase(tool, self._knowing.body)
            return self._pick(
                f"{yes}, if I have {article(name)}; I know one {where}.",
                f"{yes}, with {article(name)}: I know one {where}.",
            )
        doing = act_words(order, article=self._article(order))
        return self._pick(f"Yes, I can {doing}.", f"Yes, I can. Shall I {doing}?")

    def _lacking(self, need: Need) -> str:
        """Which tool is not known of here."""
        missing = [group for group in need.tools if self._known(group) is None]
        if not missing:
            return ""
        kinds = [article(name_of(group[0]).one) for group in missing]
        if self._knowing.looks_for_itself:
            return f"I have not seen {listed(kinds, last='or')} yet."
        names = [name_of(group[0]).one for group in missing]
        return f"There is no {listed(names, last='or')} here."

    def _known(self, group: Sequence[str]) -> Thing | None:
        found = [thing for kind in group for thing in self._knowing.body.things.of(kind)]
        return next((thing for thing in found if self._knowing.body.holds(thing)), found[0] if found else None)

    @staticmethod
    def _article(order: DialogueAct) -> str:
        """Whether one thing is spoken of, or any."""
        return "a" if order.about in ("make", "slice", "boil", "cook", "toast", "crack") else "the"


def _what(order: DialogueAct) -> Phrase | None:
    return next((slot.phrase for slot in order.slots if not slot.role), None)


def _lowered(text: str) -> str:
    """A text of several sentences as it goes on after a comma."""
    first, point, rest = text.partition(". ")
    return clause(first) + (f"{point}{rest}" if point else ".")
