"""Orders that wait for what only people can tell of: "when the doorbell rings", "once I'm in bed"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.order_rules import verbs
from teach_agents.understanding.plain_text import plain_text

_WHEN = r"(?:when(?:ever)?|once|as soon as|the (?:moment|second|minute)(?: that)?|after(?= (?:i|we) ))"
_COMES = r"(?:'s|is|has|gets?|comes?|arrives?|leaves?|wakes?|rings?|calls?|falls?|goes|starts?|ends?|finishes)"
_WHO = (
    r"(?:(?:i|we)(?:'m|'re|'ve| am| are| have(?! a\b)| leave| get| come| go to| arrive| finish| wake)\b"
    r"|(?<=whenever )(?:i|we) (?!say|said|shout|call|type|tell|ask|give)[a-z]+\b"
    r"|(?:the|my|our|his|her) |(?!(?:you|u|it|that|this|there|he|she|they|one|what|who|more)\b)[a-z]+(?='s| )"
    rf" ?{_COMES}\b)"
)
_EVENT = rf"{_WHEN} (?P<event>(?={_WHO})"
_BEGINS = rf"^(?:(?:ok|okay|so|right|now|please|and)[, ]+)*{_EVENT}"
_FIRST = re.compile(rf"{_BEGINS}[^,.!?;]+?), ?(?P<order>.+)")
_UNDIVIDED = rf"{_BEGINS}[^,.!?; ]+(?: [^,.!?; ]+)+?) (?:then )?(?:VERBS) [^,]+$"
_LAST = re.compile(rf"^(?!.*\b(?:so|because)\b)[^.!?;]{{6,}}? {_EVENT}[^,.!?;]+)[.!]*$")
_HAPPENS = re.compile(
    r"\b(?:rings?|ringing|buzz(?:es)?|beeps?|bleeps?|goes off|calls?|knocks?|arrives?|comes?|leaves?"
    r"|gets? (?:here|home|in|back)|starts?|begins?|ends?|finish(?:es)?|wakes?|falls? asleep"
    r"|(?:is|are|'s|'re) (?:over|finished|home|back|here))\b"
)
"""What happens to things, and leaves no trace in them."""
_COURTESY = re.compile(r"(?:,? (?:please|thanks|thank you|ok|okay|will you|would you))+[.!?]*$")
_TALKS = re.compile(r"\b(?:talk|speak)(?:ing|s)?\b")
_NO_VERBS = frozenset("over on off up down in out back away the a any be can could may might i we x top rest".split())
"""First words of orders that stand behind verbs as well."""
_SAYS = re.compile(r"^(?:i|we|me) (?:\w+ )?(?:say|said|shout|call|type|tell|give|write|clap|whistle|ask|nod|wave)\b")
_NOT_SO = re.compile(r"\?|\b(?:not|never|yet|soon|almost|nearly|if|when|until|till|before|will|going to)\b|n't\b|'ll\b")
_SAME: Mapping[str, str] = {
    **dict.fromkeys("over finished done ended end finish through complete".split(), "over"),
    **dict.fromkeys("home back here in arrived arrive arrives".split(), "here"),
    **dict.fromkeys("left leave leaves leaving gone off out".split(), "gone"),
    **dict.fromkeys("rings rang rung ringing ring goes went going".split(), "ring"),
    **dict.fromkeys("asleep sleeping sleep sleeps slept".split(), "asleep"),
    **dict.fromkeys("awake up wakes woke woken".split(), "awake"),
    **dict.fromkeys("film movie".split(), "film"),
    **dict.fromkeys("doorbell bell".split(), "bell"),
    **dict.fromkeys("mum mom mummy mommy mother".split(), "mum"),
    **dict.fromkeys("dad daddy father".split(), "dad"),
}
"""Words for the same in reports of such events."""
_LITTLE = frozenset(
    """a an the my our your his her its i we me us you he she they it that this there is are am was were be been s re m
    ve has have had do does did get gets got come comes came just now ok okay right well and so then to of for at on all
    finally really oh hey here's that's""".split()
)


def event_of(text: str) -> str:
    """What an utterance has an order wait for that only people can tell of; "" for any other."""
    plain = _COURTESY.sub("", plain_text(text))
    found = _FIRST.match(plain) or _undivided().match(plain) or _LAST.match(plain)
    event = found["event"].strip() if found is not None else ""
    if not event or _SAYS.match(event) or _TALKS.search(event) or not _content(event):
        return ""
    speaks = re.match(r"(?:i|we)\b", event) is not None
    return event if speaks or _HAPPENS.search(event) or not any(mentions_in(event)) else ""


def without_event(text: str) -> str:
    """The order of an utterance that is no more than an order behind what it waits for, which is read as any other;
    else all."""
    plain = plain_text(text)
    found = _FIRST.match(plain) if event_of(text) else None
    verbs_first = rf"(?:(?:then|please|you|can|could|should|will|just) )*(?=(?:{'|'.join(order_verbs())}) )"
    lead = re.match(verbs_first, found["order"]) if found is not None else None
    return text if found is None or lead is None else found["order"][lead.end() :]


@cache
def order_verbs() -> list[str]:
    """First words that orders have, and little else."""
    return sorted(word for word in verbs() - _NO_VERBS if not kinds_of(word))


@cache
def _undivided() -> re.Pattern[str]:
    """Such an utterance without a comma between what is waited for and the order."""
    return re.compile(_UNDIVIDED.replace("VERBS", "|".join(order_verbs())))


def tells_of(report: str, event: str) -> bool:
    """Whether what somebody says is that an event has come: "the bell just rang", "there's the bell!"."""
    if not event or _NOT_SO.search(report.lower().replace("\u2019", "'")):
        return False
    said, awaited = _content(report), _content(event)
    return awaited <= said or (len(awaited) > 1 and len(said) == 1 and said <= awaited and "ring" in awaited)


def _content(text: str) -> set[str]:
    words = re.findall(r"[a-z]+", text.lower().replace("\u2019", "'"))
    plain = (_SAME.get(word) or str(grammar()["past"].get(word, word)) for word in words if word not in _LITTLE)
    return {word if word in _SAME.values() else re.sub(r"(?:e?s|ing|ed)$", "", word) for word in plain}
