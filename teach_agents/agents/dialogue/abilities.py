"""What a Follower can do, in general and here: what an order takes, what stands in its way, how it would be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import article, called, clause, listed, name_of, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, is_word
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.prohibitions import breaks
from teach_agents.agents.dialogue.referring_expressions import where_phrase
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct, Phrase


class Need(NamedTuple):
    """What an order takes: a property of its thing, and why not without; tools, one of each group; how it is done."""

    flag: str = ""
    unfit: str = ""
    tools: Sequence[tuple[str, ...]] = ()
    how: str = ""


_KNIFE, _SINK, _FAUCET = ("Knife", "ButterKnife"), ("Sink", "Bathtub"), ("Faucet",)
_STOVE, _VESSEL = ("Microwave", "StoveBurner"), ("Pot", "Bowl")
_CARRY = "I can carry only small things, one at a time"
NEEDS: Mapping[str, Need] = {
    "get": Need("pickupable", _CARRY, (), "I would go to {x}, pick it up and bring it to you."),
    "pick_up": Need("pickupable", _CARRY, (), "I would go to {x} and pick it up."),
    "put": Need("pickupable", _CARRY, (), "I would pick {x} up, carry it there and put it down."),
    "put_back": Need("pickupable", _CARRY, (), "I would carry {x} to where I took it from."),
    "drop": Need("pickupable", _CARRY, (), "I would put {x} down on what is near me."),
    "throw_away": Need("pickupable", _CARRY, (("GarbageCan",),), "I would carry {x} to the bin and put it in."),
    "move": Need("pickupable", "furniture is too heavy for me", (), "I would pick {x} up and carry it there."),
    "show": Need(how="I would go to {x} and look at it."),
    "go_to": Need(how="I would walk there along free floor."),
    "come": Need(how="I would walk there along free floor."),
    "find": Need(how="I would look around, and open what is shut to look inside."),
    "look_at": Need(how="I would go to {x} and look at it."),
    "look_in": Need("receptacle", "I can look only into things that hold others", (), "I would open {x} and look in."),
    "look_around": Need(how="I would turn around and walk to where I see more."),
    "open": Need("openable", "it does not open", (), "I would stand in front of {x} and pull it open."),
    "close": Need("openable", "it does not open", (), "I would stand in front of {x} and push it shut."),
    "turn_on": Need("toggleable", "it has no switch", (), "I would go to {x} and press the switch."),
    "turn_off": Need("toggleable", "it has no switch", (), "I would go to {x} and press the switch."),
    "wash": Need(
        "pickupable",
        "I can wash only what I can carry to a sink",
        (_SINK, _FAUCET),
        "I would put {x} in the sink and let water run over it.",
    ),
    "slice": Need(
        "sliceable", "it is nothing to slice", (_KNIFE,), "I would take a knife, go to {x} and cut it where it lies."
    ),
    "crack": Need("sliceable", "it is nothing to crack", (_KNIFE,), "I would take a knife and crack {x} with it."),
    "cook": Need(
        "cookable",
        "it is nothing to cook",
        (_STOVE,),
        "I would put {x} in the microwave and turn it on, or put it in a pan on the stove.",
    ),
    "boil": Need(
        "cookable",
        "it is nothing to boil",
        (_VESSEL, _FAUCET, _STOVE),
        "I would put {x} in a pot, fill it with water and heat it on the stove.",
    ),
    "toast": Need(
        "cookable",
        "it is nothing to toast",
        (("Toaster",),),
        "I would slice the bread, put a slice in the toaster and turn it on.",
    ),
    "fill": Need(
        "canFillWithLiquid",
        "it holds no liquid",
        (_SINK, _FAUCET),
        "I would put {x} in the sink under the tap and turn the water on.",
    ),
    "empty": Need("", "", (), "I would carry {x} to the sink and pour it out."),
    "pour": Need("", "", (), "I would hold it over {x} and pour."),
    "water": Need(
        "canFillWithLiquid",
        "it needs no water",
        (("Mug", "Cup", "Bowl", "Pot", "WateringCan"), _FAUCET),
        "I would fill a vessel with water and pour it over {x}.",
    ),
    "clear": Need(
        "receptacle",
        "there is nothing to take off it",
        (),
        "I would carry what is on {x} elsewhere, one thing at a time.",
    ),
    "serve": Need("pickupable", _CARRY, (), "I would put {x} on a plate."),
    "touch": Need(how="I would go to {x} and touch it."),
}
"""What can be ordered and done."""
_MOTIONS = frozenset(
    "step_forward step_back step_left step_right turn_left turn_right turn_around look_up look_down".split()
)
_MADE: Mapping[str, Need] = {
    "coffee": Need(
        tools=(("CoffeeMachine",), ("Mug",)), how="I would put a clean mug in the coffee machine and turn it on."
    ),
    "toast": Need(
        tools=(("Toaster",), ("Bread", "BreadSliced")),
        how="I would slice the bread, put a slice in the toaster and turn it on.",
    ),
    "salad": Need(
        tools=(_KNIFE, ("Lettuce", "LettuceSliced"), ("Tomato", "TomatoSliced")),
        how="I would slice lettuce and tomato and put the slices on a plate.",
    ),
    "sandwich": Need(
        tools=(_KNIFE, ("Bread", "BreadSliced"), ("Toaster",)),
        how="I would toast two slices of bread, slice what goes between them and put it all on a plate.",
    ),
    "breakfast": Need(
        tools=(("CoffeeMachine",), ("Mug",)), how="I would make coffee and toast, and put them on the table."
    ),
}
_COFFEE_MADE_OF = ("cup", "mug", "pot")
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
        if order.about in _MOTIONS:
            return self._pick(f"Yes, I can {words}.", "Yes, I can.")
        need = self._need(order)
        if need is None:
            return f"{self._pick(f'No, I cannot {words}.', f'I am afraid that I cannot {words}.')} {self._pick(*_ABLE)}"
        unfit = self._unfit(order, need)
        if not unfit and self.is_forbidden(order):
            return self._pick("I could, but you told me not to.", f"Yes, but you told me not to {words}.")
        return unfit or self._here(order, need)

    def how(self, order: DialogueAct) -> str:
        """How an order would be carried out, and with what."""
        need = self._need(order)
        if order.about in _MOTIONS:
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
        need = self._need(order)
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
        return bool(breaks(order, self._knowing.state.rules, self._knowing.resolver))

    def _need(self, order: DialogueAct) -> Need | None:
        if order.about in _MOTIONS:
            return Need()
        if order.about != "make":
            return NEEDS.get(order.about)
        what = _what(order)
        if what is None:
            return None
        contents = what.place[1].noun if what.place is not None and what.place[0] == "of" else ""
        noun = contents if what.noun in _COFFEE_MADE_OF else what.noun.removeprefix("slice_of_")
        return _MADE.get(noun)

    def _unfit(self, order: DialogueAct, need: Need) -> str:
        """Why a thing is none that this could be done to, "" where it is one, or nothing is known of it."""
        what = _what(order)
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
