"""What a job takes, for whoever says "bring me what I need": told in the same words, or before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of, noun_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Slot
from teach_agents.understanding.plain_text import plain_text

_WHAT_I_NEED = re.compile(
    r"\b(?:what(?:ever)?|everything|anything|something|all|the (?:things?|tools?|stuff|bits?))(?: that| which)?"
    r"(?: (?:i|we|you)(?:'ll|'d| will| would)?)(?: be)? (?:need|needing|use|want|require)\b"
    r"|\bwhat(?:'s| is) (?:needed|required|necessary)\b"
    r"|\b(?:the |some )?(?:right|proper|necessary) (?:tools?|things?|stuff|equipment|kit|gear)\b"
    r"|\b(?:something|anything|the (?:tools?|things?|stuff|equipment)) for (?:it|that|this|the job|the purpose)\b"
)
_ABOUT_TO = re.compile(
    r"\bi (?:want|need|have|am going|am about|would like|had better|plan|mean|am)? ?to\b"
    r"|\bi(?:'m| am) (?:going to|about to|gonna|off to)\b"
    r"|\bi(?:'ll| will|'d like to|'m [a-z]+ing)\b|\bi've got to\b|\b(?:time|let me) (?:for me )?(?:to )?"
)
"""What the speaker is about to do."""
_FETCHING = frozenset({"get", "pick_up", "find"})
_CLEANED = r"(?:bath|bathtub|tub|toilet|loo|sink|basin|shower|tiles?|oven|stove|hob)"
_JOBS: Sequence[tuple[re.Pattern[str], tuple[str, ...]]] = tuple(
    (re.compile(words), tuple(kinds.split()))
    for words, kinds in (
        (r"\b(?:un)?(?:clog|block|plung)\w*|\bbunged up\b|\bbacked up\b|\bwon't flush\b", "Plunger"),
        (r"\b(?:vacuum|hoover)\w*", "VacuumCleaner"),
        (r"\bscrub\w*", "ScrubBrush DishSponge Cloth SprayBottle"),
        (rf"\b(?:clean|wash)\w*\b.*\b{_CLEANED}\b|\b{_CLEANED}\b.*\b(?:clean|filthy|dirty|grimy)\w*",
         "ScrubBrush SprayBottle Cloth DishSponge"),
        (r"\b(?:wip|dust|polish|mop)\w*|\bspill\w*|\bspilt\b", "Cloth DishSponge PaperTowelRoll"),
        (r"\b(?:clean|wash)\w*\b.*\b(?:windows?|mirrors?|table|counter|desk|shel\w+)\b",
         "Cloth SprayBottle PaperTowelRoll"),
        (r"\b(?:do|wash)\w*\b.*\bdishes\b|\bwashing[- ]up\b", "DishSponge SoapBottle"),
        (r"\bwater\w*\b.*\bplants?\b|\bplants?\b.*\b(?:thirsty|dry|water\w*)\b", "WateringCan"),
        (r"\b(?:writ|jot|sign|not)(?:e|es|ing)?\b|\bletters?\b|\bdraw\w*|\bcrossword\b|\bdiary\b", "Pen Pencil"),
        (r"\b(?:cut|slic|chop|carv|peel)\w*", "Knife ButterKnife"),
        (r"\bfry\w*|\bomelette\b|\bscrambl\w*", "Pan"),
        (r"\bboil\w*", "Pot Kettle"),
        (r"\bsoup\b|\byogh?urt\b|\bcereal\b", "Spoon"),
        (r"\b(?:dry|drying)\b|\b(?:wet|soaked|shower|bath)\b", "Towel HandTowel"),
        (r"\bwash\w*\b.*\b(?:hands?|face)\b", "SoapBar SoapBottle"),
        (r"\bsneez\w*|\bruns?\b.*\bnose\b|\brunny nose\b|\bcry\w*", "TissueBox"),
        (r"\btennis\b", "TennisRacket"),
        (r"\b(?:watch|turn on)\b.*\b(?:tv|telly|television|film|movie|match)\b", "RemoteControl"),
        (r"\blight\w*\b.*\bcandles?\b", "Candle"),
        (r"\b(?:driv|unlock)\w*", "KeyChain"),
        (r"\b(?:pay|paying)\b", "CreditCard"),
    )
)  # fmt: skip
"""By words for a job, the types that it takes, the best first."""


_TOLD_WHY = re.compile(
    r"\W*(?:[a-z]+[ ,!]+){0,3}?(?:(?:i|we)(?:'d| would)? (?:like|love|want|need|fancy|feel like|could do with)"
    r"|(?:i'm|we're|i am|we are) (?:going to (?:make|cook|have)|making|cooking|having)|let's (?:make|cook|have)"
    r"|(?:please |could you |can you )?help me (?:to )?(?:make|cook)|time for)\b[^.:;!?]*[.:;!?-]"
)
"""What tells what the steps are for that follow."""
_MAKING = frozenset({"get", "make", "cook", "toast", "boil"})
_DISHES = {
    **{"coffee": "CoffeeMachine Mug Cup", "tea": "Kettle", "toast": "Bread Toaster", "egg": "Egg Pan", "pasta": "Pot"},
    **{"salad": "Lettuce Tomato", "sandwich": "Bread Lettuce Tomato", "potato": "Potato Pot Pan Microwave"},
}
"""By the names of dishes, what they are made of and with."""


def without_job(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """ "I want to cut the bread. Bring me what I need": what the speaker is about to do is no order."""
    plain = plain_text(text)
    acts = _without_dish(acts, plain)
    if _WHAT_I_NEED.search(plain) is None or _ABOUT_TO.search(plain) is None:
        return acts
    vague = [act for act in acts if act.act is Act.ORDER and act.about in _FETCHING and _is_vague(act)]
    return [*(act for act in acts if act.act is not Act.ORDER), vague[-1]] if vague else acts


def _without_dish(acts: Sequence[DialogueAct], plain: str) -> Sequence[DialogueAct]:
    """ "I'd like some toast: slice the bread, ..." tells what for; what is to be done is told step by step behind."""
    first, *steps = acts or [DialogueAct(Act.UNCLEAR)]
    if first.act is not Act.ORDER or first.about not in _MAKING or not first.slots or not _TOLD_WHY.match(plain):
        return acts
    dish = first.slots[0].phrase.noun.rpartition("_")[2]
    used = {kind for act in steps for slot in act.slots for kind in kinds_of(slot.phrase.noun)}
    own = steps and steps[0].act is Act.ORDER and steps[0].slots and steps[0].slots[0].phrase.noun not in PRONOUNS
    return steps if own and used & {*_DISHES.get(dish, "").split()} else acts


def _is_vague(order: DialogueAct) -> bool:
    noun = order.slots[0].phrase.noun if order.slots else ""
    return noun in PRONOUNS | ANYTHING or not kinds_of(noun)


def with_job(order: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "The toilet's clogged. Bring me what I need" is an order for what that job takes."""
    plain = plain_text(text)
    vague = order.slots[0].phrase if order.act is Act.ORDER and order.about in _FETCHING and order.slots else None
    if vague is None or _WHAT_I_NEED.search(plain) is None:
        return order
    if not _is_vague(order):
        return order
    before = [line.removeprefix("person: ") for line in resolver.recent if line.startswith("person: ")]
    for said in (_WHAT_I_NEED.sub("", plain), *map(plain_text, reversed(before))):
        kinds = next((kinds for words, kinds in _JOBS if words.search(said)), ())
        known = next((kind for kind in kinds if resolver.body.things.of(kind)), next(iter(kinds), ""))
        if known:
            meant = replace(vague, noun=noun_of(known), count="", looks=(), place=None, holds=None)
            return order._replace(slots=(Slot("", meant), *order.slots[1:]))
    return order
