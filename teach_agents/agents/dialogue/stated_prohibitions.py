"""Prohibitions told by how things are to be, or said of one person, however they were read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.excepted_kinds import EXCEPTING
from teach_agents.agents.dialogue.forbidding_words import NOTHING_THERE, forbidden_in
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.agents.dialogue.wide_permissions import frees_all
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.order_rules import order_in
from teach_agents.understanding.plain_text import plain_text

_ONLY_WHO = re.compile(
    r"\b(?:(?:only|just) (?P<who>(?:my |our |the )?[a-z]+)"
    r"|(?P<one>(?:my |our |the )?[a-z]+)(?:'s| is|'m| am) the only (?:one|person) (?:who|that)"
    r"|(?:nobody|no one|no-one) (?:but|except(?: for)?|other than|besides|apart from)"
    r" (?P<but>(?:my |our |the )?[a-z]+))"
    r" (?=(?:(?:is|are|am) (?:to|allowed to)|may|must|should|can|gets? to"
    r"|(?:use|touche|open|drink|move|play|take)s?)\b)"
)
"""Who alone may do something, which forbids it to whoever else hears that."""
_NOT_YOU = re.compile(
    r"\b(?:may|can|(?:is|are|am) allowed to|gets? to) (?P<rest>[a-z]+ [^.!?;,]+?)[,;]? (?:but |and )?"
    r"(?:you (?:may not|can ?not|can't|must not|mustn't|aren't|are not|shouldn't|should not|don't)|not you)\b"
)
"""What others may do and the Follower may not."""
_AGAIN = re.compile(
    r"\byou (?:can|may|could)(?: now| all)? "
    r"(?P<rest>(?:use|touch|open|close|move|take|turn|switch|go|wash)\b[^.!?;,]*?) (?:again|now)\b"
)
_TO_OTHERS = re.compile(
    r"\b(?:to|for|by|with) (?:any(?:one|body)|some(?:one|body)|every(?:one|body)) else\b|\bto (?:strangers|others)\b"
)
"""Of whom something is not to be done, who is not the one that speaks."""
_GIVEN = frozenset({"get", "serve", "show", "pick_up", "put", "do", "move"})
_NOTHING_BUT = re.compile(
    r"(?:n't|\b(?:not|never|nobody|no one|nothing))\b[^.!?;,]{0,60}?\b(?:anything|nothing|everything|any|none)\b"
    rf"[^.!?;,]{{0,40}}?\b(?:{EXCEPTING}|but|save)\b (?P<x>[^.!?;,]+)"
)
_WANTED_ON = re.compile(
    r"\b(?:need|want|like|prefer|keep)s? (?:(?:to have|the|my|our|that|this|all) )+(?:[a-z]+ ){1,3}?"
    r"(?:on|running|lit)\b"
)
_OFF = re.compile(r"\b(?:off|out|not|no longer|stop)\b|n't\b")
_MOVES = re.compile(r"\b(?:mov(?:e|es|ing)|tak(?:e|es|ing)|touch(?:es|ing)?|remov(?:e|es|ing)) (?:any|every|all|a )")
_USES = re.compile(
    r"\b(?:watch(?:es|ing)?|us(?:e|es|ing)|play(?:s|ing)? with|(?:eat|drink)(?:s|ing)? (?:from|out of|off))"
    r" (?P<x>(?:the |my |our |any |this |that )?[a-z]+)"
)
_BY_PARTICIPLE = {
    **dict.fromkeys(("closed", "shut"), "close"),
    **dict.fromkeys(("switched off", "turned off"), "turn_off"),
    **dict.fromkeys(("switched on", "turned on"), "turn_on"),
    "opened": "open",
    "moved": "move",
    "washed": "wash",
    **dict.fromkeys(("touched", "used"), "touch"),
    **dict.fromkeys(("thrown away", "thrown out", "binned"), "throw_away"),
    **dict.fromkeys(("sliced", "cut"), "slice"),
}
_NOT_TO_BE = re.compile(
    r"(?:\bnot|\bnever|n't) (?:(?:to|supposed to|meant to|allowed to|ever) )*be (?P<done>"
    rf"{'|'.join(_BY_PARTICIPLE)})\b"
)
""" "It is not to be closed"."""
_STAYS = re.compile(
    r"\b(?:stays?|remains?|be kept|be left)(?: (?:switched|turned|wide|firmly|always|exactly))* "
    r"(?P<state>on|off|running|lit|open|shut|closed)\b"
    r"(?! (?:the|my|our|your|his|her|its|their|this|that|an?|top|it|there)\b)"
)
_ENDING = {"off": "turn_on", "open": "close", "shut": "open", "closed": "open"}
"""By how a thing is to stay, what would end that; else it is switching it off."""
_LEFT_SO = re.compile(
    r"(?<!not )(?<!n't )(?<!never )\b(?:leave|keep)s? (?:(?:the|my|our|that|this|all) (?:[a-z]+ ){1,3}|it |them )"
    r"(?P<state>on|off)(?=\W*$|[.!?;,]| (?:please|until|till|while|as|for|now|tonight|all)\b)"
)
_ONLY_ON = re.compile(r"\bonly (?:be |go )?(?:turned |switched )?(?:on|running)\b[^.!?;,]* (?:after|from|once|when)\b")
_APART_FROM = re.compile(rf"\b{EXCEPTING} (?P<x>[^.!?;]+)")
_NO_THING = re.compile(r"\bno (?P<x>[a-z]+(?: [a-z]+)?)\b")
_SAID = frozenset({Act.FACT, Act.CHAT, Act.UNCLEAR, Act.OK, Act.COMPLAIN})
"""What an utterance may be read as that forbids something by how things are to be."""
_LEFT_ON = re.compile(r"(?:\bnot|n't|\bnever) (?:(?:just|ever|want to|like to) )*(?:leave|let|keep|have)\b")
_UNDONE = {"turn_off", "close"}
_LEFT_OPEN = re.compile(
    r"(?:\bnot|n't|\bnever) (?:(?:just|ever) )*leave\b[^.!?;,]* (?:open|on|running)(?=\W*$|[.!?;,])"
)
_DONE = {"open": "close", "turn_on": "turn_off"}
"""By what is forbidden, what is to be done where it is not to be left so."""
_AS_WELL = re.compile(
    r"(?:[.!?;,] ?|\band )(?:(?:oh|and|also|nor|same for|same goes for)\b,? ?)*"
    r"(?P<x>(?:the|my|our|his|her|that) [a-z]+(?: [a-z]+)??) (?:too|as well|also|either)\b"
)
"""What is forbidden as well: "hands off the book. Oh, and the pen too"."""
_ALLOWS = re.compile(
    r"\b(?:can|may|might|could|allow\w*|permi\w+|ok|okay|fine|free|fair|again|let|go ahead|now|after all|back|forget"
    r"|lift\w*|drop|any ?more|longer|need\w*|not|never|mind|over|welcome|ban\w*|rules?|forb\w+|only|but|except|unless"
    r"|alright|right|good|safe|use|take|touch|help yourself|changed|scratch|disregard|ignore|off|out|yes|sure|feel|must"
    r"|have to|has to)\b|n't\b"
)
"""Words in which something may be allowed."""
_KEPT = re.compile(
    r"\b(?:don't|do not|dont|never) (?:ever |you )?(?:forget|ignore|drop|disregard|break)\b[^.!?]*\b(?:rules?|bans?)\b"
)
"""Words by which a rule holds on: "don't forget the rule about the lamp"."""
_LEFT_THERE = re.compile(
    r"\bleave (?P<x>(?:the|my|our|that|those|all) [a-z ]+?) (?P<where>in|inside|on|on top of) "
    r"(?P<place>(?:the|my|our) [a-z ]+)"
)
_TAKEN = frozenset({"move", "touch", "get", "pick_up", "take"})
_AS_LONG = re.compile(r"\b(?:as long as|so long as|while|whilst)\b")
_FOR = re.compile(
    r"(?:n't|\bnot|\bnever|\b[Nn]o)\b[^.!?;,]*(?<!\bis )(?<!\bare )(?<!'s )(?<!meant )(?<!kept )"
    r"\bfor (?P<who>him|her|[A-Z][a-z]+)\b"
    r"|\b(?P<he>[Hh]e|[Ss]he|[A-Z][a-z]+)(?:'s| is)?(?:n't| not) (?:allowed|permitted|supposed)\b"
)
"""Of whom something is not to be done, or who may not do it."""
_PERSON = re.compile(
    r"\b(?P<name>[A-Z][a-z]+)"
    r"(?:'s|,)? (?:is|isn't|has|hasn't|was|can|can't|may|must|should|won't|will|wants|got|gets|needs|had|did|didn't)\b"
)
_NO_NAMES = frozenset(
    "It He She This That There The They We You What Who Everybody Nobody Everyone One Nothing".split()
)


def with_stated(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts with what their words forbid by saying how things are to be, where nothing of that was read: "the bin is
    full, nothing else goes in there"; "let's not leave the lamps on" is to switch them off."""
    acts = [_whatever_is(_given_back(act, text)) for act in acts]
    if (only := _for_one_alone(acts, text)) is not None:
        return only
    acts = _barred_as_well(acts, text)
    if NOTHING_THERE.search(text.lower()) and [*forbidden_in(text)]:  # "nothing of mine goes in the bin"
        acts = [_told(act, text) if act.about in ("put", "throw_away") else act for act in acts]
    found = [
        _as_long(_left_there(_permitted(_undone(one, text), text), text), text)
        for act in acts
        for one in _but(act, text)
    ]
    told_too = _SAID | {Act.ALLOW}
    if found and {act.act for act in found} <= told_too and (forbidden := [*forbidden_in(text)]):
        told = [act for act in found if act.act in (Act.FACT, Act.ALLOW) and not {*act.of} & {*forbidden}]
        return [*told, *(DialogueAct(Act.NEVER, of=(one,)) for one in forbidden)]
    return _without_any_of(found, text)


def _without_any_of(acts: list[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Everything apart from the laptop and the mug" allows neither, though one of them was read as allowed."""
    excepted = _APART_FROM.search(text.lower())
    names = {*mentions_in(excepted["x"])} if excepted is not None else set[str]()
    of = [{slot.phrase.noun for one in act.of for slot in one.slots} & names for act in acts]
    if not any(named and act.act is Act.NEVER for named, act in zip(of, acts, strict=True)):
        return acts
    return [
        act._replace(act=Act.NEVER) if named and act.act is Act.ALLOW else act
        for named, act in zip(of, acts, strict=True)
    ]


def _barred_as_well(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """ "Hands off the book. Oh, and the pen too" forbids both, however the second was read."""
    more = _AS_WELL.search(text.lower())
    named = named_in(more["x"]) if more is not None else None
    first, *rest = acts or (None,)
    if first is None or named is None or first.act is not Act.NEVER or len(rest) != 1 or len(first.of) != 1:
        return acts
    (order,), (second,) = first.of, rest
    same = (
        second.act in (Act.ORDER, Act.REPEAT, Act.UNCLEAR)
        and second.slots
        and second.slots[0].phrase.noun == named.noun
    )
    if not same or not order.slots:
        return acts
    return [first, first._replace(of=(order._replace(slots=(Slot("", named), *order.slots[1:])),))]


def _told(act: DialogueAct, text: str) -> DialogueAct:
    return DialogueAct(Act.FACT, text.strip()) if act.act is Act.ORDER else act


def _whatever_is(act: DialogueAct) -> DialogueAct:
    """ "If it's on the bed, don't touch it" is of anything there."""
    condition = act.condition
    if act.act is not Act.NEVER or condition is None or len(act.of) != 1 or condition.phrase.noun not in PRONOUNS:
        return act
    slot, place = next(iter(act.of[0].slots), None), condition.phrase.place
    if not condition.holds or condition.state or place is None or slot is None or slot.phrase.noun not in PRONOUNS:
        return act
    there = slot._replace(phrase=Phrase("anything", place=place))
    return act._replace(of=(act.of[0]._replace(slots=(there, *act.of[0].slots[1:])),), condition=None)


def _for_one_alone(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct] | None:
    """ "Only Grandpa may use the remote" forbids it, however that was read; so does "I'm the only one who drives"."""
    plain = " ".join(text.lower().replace("\u2019", "'").split())
    if "?" not in text and (others := _NOT_YOU.search(plain)) is not None:
        barred = [one for one in order_in(others["rest"], barred=True) or () if one.about != "do"]
        return [DialogueAct(Act.NEVER, of=(one,)) for one in barred] or None
    only = _ONLY_WHO.search(plain)
    who = next(filter(None, only.groups()), "") if only is not None else ""
    if only is None or who in ("you", "robots", "one") or kinds_of(who.split()[-1]) or "?" in text:
        return None
    if {act.act for act in acts} - _SAID - {Act.ALLOW, Act.NEVER}:
        return None
    forbidden = [*forbidden_in(f"{plain[: only.start()]}nobody {plain[only.end() :]}")]
    return [DialogueAct(Act.NEVER, of=(one,)) for one in forbidden] or None


def _given_back(act: DialogueAct, text: str) -> DialogueAct:
    """ "Done defrosting, you can use it again" allows that; "don't give it to anyone else" leaves the speaker free."""
    plain = text.lower().replace("\u2019", "'")
    (only, *more) = act.of or (act,)
    if act.act is Act.NEVER and not more and only.about in _GIVEN and _TO_OTHERS.search(plain):
        return DialogueAct(Act.FACT, text.strip())
    again = _AGAIN.search(plain) if act.act is Act.ALLOW and not more and only.about == "do" else None
    freed = (
        [one for one in order_in(again["rest"], barred=True) or () if one.about != "do"] if again is not None else []
    )
    return act._replace(of=tuple(freed)) if freed else act


def but_for(said: str) -> str:
    """The one, in lower case, who alone may do what is forbidden to all others: "only Mum may move it"; "" of none."""
    only = _ONLY_WHO.search(" ".join(said.lower().replace("\u2019", "'").split()))
    who = next(filter(None, only.groups()), "") if only is not None else ""
    return re.sub("^(?:my|our|the) ", "", who)


def whom(said: str) -> str:
    """Of whom alone a prohibition is: "don't switch it on for him", of somebody who was named; "" where of all."""
    found = _FOR.search(said.replace("\u2019", "'"))
    if found is None:
        return ""
    who = found["who"] or found["he"]
    if who.lower() not in ("him", "her", "he", "she"):
        return who if who not in _NO_NAMES else ""
    names = [one["name"] for one in _PERSON.finditer(said.replace("\u2019", "'")) if one["name"] not in _NO_NAMES]
    return names[-1] if names else ""


def _undone(act: DialogueAct, text: str) -> DialogueAct:
    """ "Not leave it on" is to switch it off, and no prohibition to do so; "I need it on all night" is one."""
    only = act.of[0] if act.act is Act.NEVER and len(act.of) == 1 else None
    plain = text.lower().replace("\u2019", "'")
    if act.act is Act.ORDER and act.about == "turn_off" and _WANTED_ON.search(plain) and not _OFF.search(plain):
        return DialogueAct(Act.NEVER, of=(act._replace(condition=None),), condition=act.condition)
    if only is not None and (meant := _meant_by(only, plain)) is not None:
        return act._replace(of=(meant,))
    if only is not None and only.about in _DONE and _LEFT_OPEN.search(plain):
        return only._replace(about=_DONE[only.about], condition=act.condition)
    if only is None or only.about not in _UNDONE or _LEFT_ON.search(text.lower().replace("\u2019", "'")) is None:
        return act
    return only._replace(condition=act.condition)


def _but(act: DialogueAct, text: str) -> list[DialogueAct]:
    """ "Don't open anything but the drawers" that was read as the drawers: these are free, all else is not."""
    only = act.of[0] if act.act is Act.NEVER and len(act.of) == 1 else None
    excepted = _NOTHING_BUT.search(text.lower().replace("\u2019", "'")) if only is not None else None
    named = named_in(excepted["x"]) if excepted is not None else None
    if only is None or named is None or [slot.phrase.noun for slot in only.slots] != [named.noun]:
        return [act]
    anything = only._replace(slots=(Slot("", Phrase("anything")),))
    return [act._replace(of=(anything,)), DialogueAct(Act.ALLOW, of=(only._replace(slots=(Slot("", named),)),))]


def _meant_by(forbidden: DialogueAct, plain: str) -> DialogueAct | None:
    """ "Don't move anything on the desk", that was read as onto it; "nobody watches TV", which is to have it on; "the
    lamp must stay on for the cat", that was read as where it is."""
    stays = _STAYS.search(plain) if forbidden.about == "move" and len(forbidden.slots) == 1 else None
    if stays is not None and forbidden.slots[0].phrase.place is None:
        return forbidden._replace(about=_ENDING.get(stays["state"], "turn_off"))
    left = _LEFT_SO.search(plain) if forbidden.about in ("turn_off", "turn_on") else None
    if forbidden.about == "turn_off" and _ONLY_ON.search(plain):
        return forbidden._replace(about="turn_on")
    if left is not None:
        return forbidden._replace(about="turn_on" if left["state"] == "off" else "turn_off")
    if forbidden.about == "do" and (none := _NO_THING.search(plain)) is not None:
        unwanted = named_in(none["x"])
        return None if unwanted is None else DialogueAct(Act.ORDER, "touch", (Slot("", unwanted),))
    thing, place = next((slot.phrase for slot in forbidden.slots if not slot.role), None), forbidden.slots[-1:]
    if forbidden.about == "put" and thing is not None and thing.noun in ANYTHING and _MOVES.search(plain):
        if place[0].role in ("in", "on"):
            there = replace(thing, place=(place[0].role, place[0].phrase))
            return forbidden._replace(about="move", slots=(Slot("", there),))
    passive = _NOT_TO_BE.search(plain)
    if (
        passive is not None
        and forbidden.about != (verb := _BY_PARTICIPLE[passive["done"]])
        and len(forbidden.slots) == 1
    ):
        return forbidden._replace(about=verb)
    used = _USES.search(plain) if forbidden.about in ("do", "eat", "drink") else None
    named = named_in(used["x"]) if used is not None else None
    if used is None or named is None or not kinds_of(named.noun):
        return None
    return DialogueAct(Act.ORDER, "turn_on" if used[0].startswith("watch") else "touch", (Slot("", named),))


def _permitted(act: DialogueAct, text: str) -> DialogueAct:
    """What was read as allowed, without a word that allows anything: "it smells nice in here" is a remark."""
    if act.act is Act.ALLOW and _KEPT.search(text.lower().replace("\u2019", "'")):
        return DialogueAct(Act.FACT, text.strip())
    vague = all(slot.phrase.noun in PRONOUNS | ANYTHING for one in act.of for slot in one.slots)
    if act.act is not Act.ALLOW or not vague or frees_all(text) or _ALLOWS.search(plain_text(text)):
        return act
    return DialogueAct(Act.FACT, text.strip())


def _left_there(act: DialogueAct, text: str) -> DialogueAct:
    """ "Leave the towels on the rack" is of those on the rack alone."""
    only = act.of[0] if act.act is Act.NEVER and len(act.of) == 1 else None
    left = _LEFT_THERE.search(text.lower())
    if only is None or left is None or only.about not in _TAKEN or len(only.slots) != 1:
        return act
    slot, thing, place = only.slots[0], named_in(left["x"]), named_in(left["place"])
    if thing is None or place is None or thing.noun != slot.phrase.noun or slot.phrase.place is not None:
        return act
    there = replace(slot.phrase, place=("on" if left["where"].startswith("on") else "in", place))
    return act._replace(of=(only._replace(slots=(slot._replace(phrase=there),)),))


def _as_long(act: DialogueAct, text: str) -> DialogueAct:
    """ "It stays off as long as the baby is asleep" holds until somebody tells otherwise, whoever is not here."""
    if act.act is not Act.NEVER or act.condition is None or kinds_of(act.condition.phrase.noun):
        return act
    return act._replace(condition=None) if _AS_LONG.search(text.lower()) else act
