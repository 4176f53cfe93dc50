"""What no Follower can do: said so kindly, with a reason, and with what is possible."""

from __future__ import annotations

from collections.abc import Iterator

from teach_agents.actions import Action
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_text import words_of
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome
from teach_agents.core.dialogue import Phrase

_CAN = "I can fetch, put away, wash, slice, cook, open and switch things"


def refused(context: OrderContext) -> Doing:
    """Nothing is done; the outcome says why."""
    yield from _nothing()
    if context.order.about == "do" and context.phrases:
        _speak_of(context, context.phrase.noun)
    return Outcome(False, _words(context))


def _speak_of(context: OrderContext, words: str) -> None:
    """What was to be done something to is what "it" means next."""
    for name in mentions_in(words):
        things = context.known(Phrase(name)).chosen
        if things:
            context.state.mention(name, [thing.object_id for thing in things])
            return


def _nothing() -> Iterator[Action]:
    yield from ()


def _words(context: OrderContext) -> str:
    verb = context.order.about
    known = context.known(context.phrase).chosen[:1] if context.phrases else []
    thing = context.the(known) if known else "that" if not context.phrases else words_of(context.phrase)
    bring = f"I can bring you {thing}" if known and known[0].has("pickupable") else "I can bring you something"
    phone = ", but I can bring you the phone" if context.body.things.of("CellPhone") else ""
    said = {
        "eat": (f"I cannot eat, but {bring}.", f"I do not eat; {bring}."),
        "drink": (f"I cannot drink, but {bring}.", f"I do not drink; {bring}."),
        "sit": ("I cannot sit down, but I can go there.",),
        "sleep": ("I do not sleep. I can turn off the lights for you.", "I never sleep, but I can wait."),
        "call": (f"I cannot call anybody{phone}.",),
        "follow": ("I cannot see where you walk, so I cannot follow you. Tell me where to go.",),
        "touch": (f"I cannot just touch {thing}. I can go there, or pick up, open or switch things.",),
        "break": (f"I would rather not break {thing}. I can put it away for you.",),
    }
    words = _turned(context.phrase.noun) if verb == "do" else ""
    other = (f"I cannot do that. {_CAN}.", f"That is beyond me, I am afraid. {_CAN}.")
    if words:
        other = (f"I cannot {words}. {_CAN}.", f"I am afraid I cannot {words}. {_CAN}.")
    return context.pick(*said.get(verb, other))


_TURNED = {"me": "you", "my": "your", "mine": "yours", "i": "you", "us": "you", "our": "your", "your": "my"}
_LONGEST = 6


def _turned(said: str) -> str:
    """Words of a short request as the one who is asked says them: "sing you a song"; "" where they are no such."""
    words = said.lower().split()
    if not 0 < len(words) <= _LONGEST or not all(word.isalpha() for word in words) or "you" in words:
        return ""
    return " ".join(_TURNED.get(word, word) for word in words)
