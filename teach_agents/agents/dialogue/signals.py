"""Orders that wait for a signal: "when I say action, turn round", and the word, or any go-ahead, that they wait for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from teach_agents.agents.dialogue.awaited_events import event_of, order_verbs, tells_of, without_event
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Task
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.order_text import read_act
from teach_agents.core.dialogue import Act, DialogueAct, Reading
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.plain_text import plain_text, unquoted
from teach_agents.understanding.reader import LONGEST

_SAYING = (
    r"say|shout|call(?: out)?|yell|scream|whisper|type|tell|ask|clap|whistle|nod|wave|signal|count"
    r"|give (?:you )?(?:the|a|my) (?:word|signal|sign|nod|cue|go-ahead|ok|okay|all clear|thumbs)"
)
_SIGNAL = re.compile(
    r"\b(?:when(?:ever)?|once|until|till?|'til|unless|before|after|if|as soon as|the (?:moment|second|minute)"
    r"|(?:every|each|any) ?time)"
    rf"(?: you hear)? (?:i|me|we) (?:first |actually |finally )?(?:{_SAYING}"
    r"|have (?:said|typed|shouted|called out|whispered|spoken|told you|given you))\b"
    r"(?P<words>(?: (?:out|to)\b)?[^.!?;\n]*)"
    r"|\b(?:wait|hold on|stand by) for (?:me to (?:say|shout|call|tell)"
    r"|(?:my|the|a) (?:word|signal|sign|cue|go-ahead|ok|nod)(?: to go)?)\b(?P<cue>[^.!?;\n]*)"
    r"|\bon (?:the (?:word|signal)|my (?:word|signal|mark|cue))\b(?P<mark>[^.!?;\n]*)"
)
_FREES = re.compile(r"\b(?:again|any ?more|any longer|use|touch|allowed|free)\b")
"""What tells that something is not forbidden any more, rather than wanted now."""
_STATE = re.compile(
    r"\b(?:when|once|until|till?|unless|before|after|as soon as)(?: that)? (?:i am|i'm|we are|we're) "
    r"(?P<words>[a-z]+(?: [a-z]+){0,2})"
)
_MEANS = re.compile(r"\b(?:mean|means|meant|refers?|stands? for|talking about)\b")
"""What tells what a word stands for, and no signal: "when I say home I mean the sink"."""
_END = re.compile(r"\b(?:stop|halt|enough|freeze|stay|wait)\b")
"""Words that end something rather than begin it."""
_LEADING = re.compile(r"^(?:(?:out|to you|you|that|the words?|the|a|word|so|this|is)\b(?!')|[:,\s])+")
_FORBIDS = re.compile(r"\b(?:not|never|don'?t|no|only)\b")
_NO_WORD = frozenset("so it you me that then to when and go_ahead word".split())
_DEADLINE = re.compile(r"\b(?:before|unless) (?:i|me|we) ")
"""What tells of an order, rather than a prohibition, that it is to be done sooner."""
_SO = ((), ("so",), ("you",), ("to",), ("it",), ("that",), ("and",), ("then",))
"""How it goes on behind "until I say" where no word is told."""
_LONGEST = 6
"""Words of a signal."""
_IN_FULL = (("'m", " am"), ("'re", " are"), ("'ve", " have"), ("'s", " is"))
_EARLIER = (
    r"(?:,? ?(?:and|but) )?(?:(?:do not|don'?t) (?:you )?(?:do|start|begin|move|go)(?: it| that| anything)? "
    r"(?:before(?: that| then)?|until then|any earlier|any sooner)"
    r"|not (?:a (?:second|moment|minute) )?(?:before(?: that| then)?|until then|earlier|sooner))"
)
_ONLY_THEN = (
    r"(?:,? ?(?:and|but) )?(?:only (?:then"
    r"|(?:when|if|once) (?:i|we) (?:say|do|tell|give|shout|ask)(?: (?:it|so|that|you))*)"
    r"|not (?:unless|if|when) (?:i|we) (?:do not|don'?t|haven'?t)? ?(?:say|said)(?: (?:it|so|that))?)"
)
"""What says no more than that the signal is waited for: "but only when I say it"."""
_POLITE = r"(?:please|just|then|now|always|immediately|(?:can|could|will|would) you|i want you to|you)"
_LEAD = (
    r"(?:(?:ok|okay|now|so|right|listen|please|hey|hi|hello|well|look|and|remember|from now on|later|today|tonight"
    r"|robot|one more thing|let's agree|new rule|(?:here is|here's) the deal"
    r"|(?:let'?s|let us|we(?:'ll| will)|shall we|time to|(?:i|we) (?:want|would like) to) (?:play|try)"
    r" (?:[a-z]+ ){0,3}?(?:game|something(?: new| else)?)"
    r"|(?:(?:a|new|another|little|small|quick) )*game(?: time)?)(?:[-,:!.?]+ ?| ))*"
)
_TAG = (
    r"[-,.!?; ]{1,4}(?:got it|got that|ok|okay|understood|alright|all right|(?<=[-,.!?;] )right|deal|please|clear"
    r"|is that clear|agreed|yes|do you understand|can you do that|can you remember that|will you|would you|can you"
    r"|thanks|thank you|(?:and )?(?:do not|don't) forget(?: it| that)?|remember that|you hear(?: me)?)"
)
"""What asks whether something was understood."""
_CALLED = r"(?: (?:out |to you |the words? |the )?(?:\"[^\"]{1,60}\"|'[^']{1,60}')|(?: [^\s,.!?;:\"]+){1,6}?)"
_SPOKEN = (
    r"(?:on (?:the|my|a) count of (?P<count>[a-z]+)"
    r"|(?:when(?:ever)?|once|as soon as|the (?:moment|second|minute)|if|(?:every|each|any) ?time) (?:you hear )?"
    r"(?:i|me|we) (?:first |actually |finally )?"
    rf"(?:(?:say|shout|call(?: out)?|yell|scream|whisper|type|tell you)(?P<word>{_CALLED})"
    rf"|(?P<does>{_SAYING})\b(?P<sign>[^,.!?;:\n]{{0,60}}?)))"
)
_TAIL = rf"(?:[-.!;, ]+{_EARLIER}|[-.!;, ]+{_ONLY_THEN}|{_TAG})*[.!?]*$"
_FIRST = (
    rf"^{_LEAD}{_SPOKEN}(?:(?:[,:]| -)(?: {_POLITE})*|(?: {_POLITE})* (?=(?:VERBS)\b)|(?: then)? you(?: {_POLITE})*)"
    rf" ?(?P<order>[a-z][^.!?;\n]+?){_TAIL}"
)
"""An order behind the signal for it: "when I say cheese, look up. Don't do it before." """
_LAST = rf"^{_LEAD}(?:{_POLITE} )*(?P<order>(?:VERBS)\b[^.!?;\n]+?),? {_SPOKEN}(?:{_TAG})*[.!?]*$"
_BARE = (
    rf"^{_LEAD}(?:(?:i|me) (?:say|shout|yell|call(?: out)?)(?P<word>{_CALLED})(?:,| -|:)?(?: (?:and|then))* you"
    rf"|(?:the word )?(?!(?:that|this|it|which|what|left|right)\b)(?P<name>\"[^\"]{{1,40}}\"|[a-z]+(?: [a-z]+)?)"
    rf" (?:means|is for|stands for)(?: that)?(?: you)?)"
    rf"(?: {_POLITE})* (?P<order>(?:VERBS)\b[^.!?;\n]+?){_TAIL}"
)
"""One told without "when": "I say hop, you look up", "hop means look up"."""
_EVERY_TIME = re.compile(r"\b(?:whenever|(?:every|each|any) ?time|always|game|only (?:when|if))\b")
_SEEN = frozenset({"clap", "whistle", "nod", "wave", "signal", "shout", "yell", "scream"})
_WITH_SIGNS = frozenset("i am have my the a hands hand head now just and there twice once at you".split())
"""What is said beside the name of a sign by who makes it: "I'm clapping my hands now"."""
_FILLER = re.compile(r"^(?:(?:and|ok|okay|right|now|so|well|alright|robot|(?:i|we) (?:am|are) ready|it is) )+(?=.)")
_ADDRESS = re.compile(
    r"(?: (?:now|please|then|everyone|everybody|all|guys|robot|dear|buddy|my friend|it is|for (?:now|today|tonight)"
    r"|thanks|thank you))$"
)
_SPEAKER = frozenset({"i", "me", "we", "my", "us"})
_SAID = frozenset(
    "said typed given spoken heard uttered told shouted called written entered announced whispered".split()
)
"""States of a word that somebody has said."""
_NAME = (
    r"(?:pass ?word|pass ?code|pass ?phrase|(?:code|magic|secret|safe|key|trigger|special) ?word|signal|cue|code|word)"
)
_DEFINED = re.compile(
    rf"\b(?P<name>{_NAME})(?: (?:for (?:that|this|it|you)|today))?(?: (?:is|will be|shall be|would be)|'s|:|=)"
    rf" ?(?:the word )?(?P<word>[a-z0-9'-]+(?: [a-z0-9'-]+){{0,2}}?)"
    r"(?=\s*(?:$|[.,;:!?]|\b(?:and|so|then|when|until|once)\b))"
    rf"|\b(?P<before>[a-z0-9'-]+) (?:is|will be) (?:the|my|our) (?P<called>{_NAME})\b"
)
"""What word somebody will say: "the password is mango"."""
_NOT_YET = re.compile(
    r"\b(?:don'?t|do not|not|without|no) (?:you )?(?:(?:dare|yet|actually|just|even) )*"
    r"(?:set(?:ting)? (?:off|out)|start(?:ing)?|begin(?:ning)?|go(?:ing)?(?! away)|mov(?:e|ing)(?! (?:the|my|it|that))"
    r"|do(?:ing)? (?:it|that|so|anything|any of)|proceed|budge|lift a finger|jump the gun)\b"
    r"[^.?!]*\b(?:until|till?|before|unless|yet|just now|straight away|right away)\b"
    r"|\b(?:but|and|only),? not (?:until|till|before) (?:i|we|me)\b"
    r"|\b(?:but |though |only )?not (?:just |quite |right )?(?:yet|now)\b|\bbut (?:please )?(?:wait|hold (?:on|off))\b"
    r"|\bhold (?:off|fire|your horses|it right there)\b|\bbut (?:first )?let me (?:think|check|see)\b"
)
"""What tells that what was said before is not to be done yet."""
_ASK_FIRST = re.compile(
    r"(?:\b(?:but|and)|[,;.-]) (?:please |just |always )?(?:ask|check with|consult|confirm (?:it |that )?with) me"
    r"(?: (?:again|once more))?(?:,? (?:first|beforehand|before(?:hand)?(?: you do(?: (?:it|that|so))?)?))\W*$"
)
"""What has an order confirmed before it is done."""
_GO = re.compile(
    r"(?:(?:ok|okay|right|alright|all right|and|yes|yep|so|well|please|there|good|fine|(?:i am|we are) ready)[ ,]+)*"
    r"(?:now|go|go now|go go go|go ahead|go on(?: then)?|go for it|off you go|do it(?: now)?|start(?: now)?"
    r"|begin(?: now)?|you (?:can|may) (?:go|start|begin|do it|move)(?: (?:now|ahead))?|now you can|all clear|carry on"
    r"|proceed|it'?s time|that'?s (?:it|the signal)|here we go|let'?s go|your turn|(?:i am|we are) ready(?: now)?"
    r"|now it is|it is (?:now|time)|that is (?:it|the signal))"
    r"(?:[ ,]+(?:then|now|please))*"
)


_IF_ALLOWED = re.compile(r"\b(?:if|as long as) (?:you(?:'re| are)|it(?:'s| is)|that(?:'s| is)) (?:allowed|permitted)\b")
"""What leaves it to what was told before: no go-ahead."""


def not_yet(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts whose orders are to be done at a signal, or once somebody says so, as orders not to be done until then.

    What comes before a wait is done at once, unless the words say "not yet" of it: "go to the fridge and wait there".
    """
    plain = unquoted(text)
    if wants_asking(text):
        parts = [part for act in acts for part in (act.of if act.act is Act.NOT_UNTIL else (act,))]
        acts = [part for part in parts if not _is_asking(part)]
    orders = [act for act in acts if act.act is Act.ORDER]
    if not orders:
        return [*acts]
    at = next((number for number, act in enumerate(acts) if act.act is Act.WAIT), None)
    exact = _signalled(text) is not None
    signal = exact or (next(_signals(plain), None) is not None and _DEADLINE.search(plain) is None)
    if event_of(plain) and len(orders) == len(acts):
        return [*_held([act._replace(condition=None) for act in acts])]
    if any(_on_speaker(act) for act in orders):
        return [*_held([act for act in acts if act.act is not Act.WAIT], on_speaker=True)]
    if at is not None and not any(act.act is Act.ORDER for act in acts[at:]):
        every = _NOT_YET.search(plain) is not None or (signal and _is_first(plain))
        return [*_held([act for act in acts if act.act is not Act.WAIT])] if every else [*acts]
    if at is not None:
        return [*acts[:at], *_held(acts[at + 1 :])] if signal else [*acts]
    if signal and (len(orders) == 1 or exact or _is_first(plain)) and Act.NOT_UNTIL not in {act.act for act in acts}:
        return [*_held(acts)]
    return [*acts]


def wants_asking(text: str) -> bool:
    """Whether an order is to be done once who gave it was asked: "throw it away, but ask me first"."""
    return _ASK_FIRST.search(text.lower()) is not None


def _is_asking(act: DialogueAct) -> bool:
    """Whether an order is no more than the words that have others confirmed."""
    noun = act.slots[0].phrase.noun if act.act is Act.ORDER and act.slots else ""
    return noun == "me" or (act.about == "do" and re.match(r"(?:please[ _])?(?:ask|check|confirm)", noun) is not None)


def _held(acts: Sequence[DialogueAct], *, on_speaker: bool = False) -> Iterator[DialogueAct]:
    for act in acts:
        if act.act is not Act.ORDER or (on_speaker and not _on_speaker(act)):
            yield act
        else:
            yield DialogueAct(Act.NOT_UNTIL, of=(act._replace(condition=None) if _on_speaker(act) else act,))


def _on_speaker(act: DialogueAct) -> bool:
    """Whether an act hangs on what the speaker says, or is ready for: `if(i: ready)`, `if(password: typed)`."""
    condition = act.condition
    if condition is None or not condition.holds:
        return False
    if condition.state in _SAID and not kinds_of(condition.phrase.noun):
        return True
    if condition.phrase.noun not in _SPEAKER:
        return False
    return bool(condition.state) and not _END.search(condition.state.replace("_", " "))


def _is_first(plain: str) -> bool:
    """Whether a signal is told of before anything else is to be done."""
    return any(found.start() <= len(plain) // 3 for found in _SIGNAL.finditer(plain))


def _signals(plain: str) -> Iterator[tuple[str, ...]]:
    """What words tell of signals: the words behind "when I say"."""
    for found in _SIGNAL.finditer(plain):
        words = found["words"] or found["cue"] or found["mark"] or ""
        if not _MEANS.search(plain[found.start() : found.end() + 1]) and not _END.search(words.partition(",")[0]):
            yield tuple(_bare(_LEADING.sub("", words)).split()[:_LONGEST])


class _Signalled(NamedTuple):
    """An order and the word that it waits for; "" for a sign that is no word: what is done then, or counted to."""

    word: str
    order: str
    sign: str = ""


@cache
def _orders_at() -> tuple[re.Pattern[str], ...]:
    """Orders at a signal, which is told before them or behind them."""
    begin = "|".join([*order_verbs(), "switch (?:off|on|it|the|my|all)"])
    return tuple(re.compile(one.replace("VERBS", begin)) for one in (_FIRST, _LAST, _BARE))


def _signalled(text: str) -> _Signalled | None:
    """The order of an utterance that is no more than an order at a signal."""
    plain = plain_text(text).replace("\u201c", '"').replace("\u201d", '"')[:LONGEST]
    found = next(filter(None, (one.match(plain) for one in _orders_at())), None)
    if found is None:
        return None
    told = {name: said or "" for name, said in found.groupdict().items()}
    word, order = unquoted(told["word"] or told.get("name", "")), unquoted(told["order"])
    if _MEANS.search(order) or _FORBIDS.search(order) or _END.search(word or told.get("sign", "")):
        return None
    sign = told.get("does", "")
    last = told["sign"].split()[-1:] if sign == "count" else []
    return _Signalled(_bare(_LEADING.sub("", word).strip(" '")), order, told.get("count") or "".join(last) or sign)


def without_signal(text: str) -> str:
    """The order of an utterance that is no more than an order at a signal, or behind an event, which is read as any
    other; else all."""
    found = _signalled(text)
    return without_event(text) if found is None else found.order


def is_standing(said: str) -> bool:
    """Whether what somebody said is an order at a signal, which forbids nothing."""
    return _signalled(said) is not None and re.search(_EARLIER, plain_text(said)) is None


def is_done_every_time(said: str) -> bool:
    """Whether an order at a signal is to be done whenever the signal comes, and not once."""
    return is_standing(said) and _EVERY_TIME.search(plain_text(said)) is not None


def asked_about(text: str, told: Iterable[str]) -> str:
    """The order at a signal that a question is about: "what do you do when I say bedtime?"; "" for any other."""
    asked = _bare(text) if "?" in text else ""
    signals = ((one, found.word) for one in told if (found := _signalled(one)) is not None and found.word)
    return next(
        (one for one, word in signals if re.search(rf"\bi (?:say|shout|call|type) {re.escape(word)}\b", asked)), ""
    )


def signalled_by(text: str, told: Iterable[str]) -> list[str]:
    """Of utterances with orders at signals those whose signal something said is."""
    return [one for one in told if (found := _signalled(one)) is not None and _is_given(text, found)]


def _is_given(text: str, signal: _Signalled) -> bool:
    """Whether something said is a signal: its word, the numbers up to it, or that the sign is made: "*claps*"."""
    if signal.word:
        return _has_word(text, signal.word)
    said = _bare(text).replace("*", "").split()
    if signal.sign in NUMBERS:
        return bool(said) and said[-1] in (signal.sign, "go", "now") and {*said} <= {*NUMBERS, "go", "now", "and"}
    if signal.sign not in _SEEN or "?" in text:
        return False
    made = re.compile(rf"{signal.sign.rstrip('e')}{signal.sign[-1]}?(?:e?s|e?d|ing)?")
    return any(map(made.fullmatch, said)) and all(made.fullmatch(word) or word in _WITH_SIGNS for word in said)


def _has_word(text: str, word: str) -> bool:
    """Whether something said, or a part of it by itself, is a word that is waited for, but for how somebody is
    addressed: "good night then, I'm off"."""
    parts = [] if "?" in text else re.split(r"[,.!;:]|\s-+\s|\band\b", text)
    said = {one.replace(" ", "") for part in (text, *parts) for one in (_bare(part), *_addressed(_bare(part)))}
    return word.replace(" ", "") in said


def _addressed(said: str) -> Iterator[str]:
    """What is said without what goes before it, and with less and less of what may stand behind it."""
    left = _FILLER.sub("", said)
    yield left
    while shorter := _ADDRESS.sub("", left):
        if shorter == left:
            return
        left = shorter
        yield left


def as_signal(text: str, reading: Reading, state: DialogueState) -> Reading:
    """How something said is read where orders wait for a signal: the signal itself, or a go-ahead, is to go on."""
    awaited = [*state.left, *(state.queue if state.paused else ())]
    named = signalled_by(text, [task.said for task in awaited])  # "that's enough for today, good night" is no stop
    ends = any(act.act is Act.RESUME or (act.act is Act.STOP and not named) for act in reading.acts)
    if not awaited or ends or _IF_ALLOWED.search(text.lower().replace("\u2019", "'")):
        return reading
    said = _bare(text)
    ruled = {rule.said for rule in state.rules}
    waits = [task for task in awaited if state.paused or task.said in ruled]
    told = {task.said for task in waits}
    defined = {**_defined(fact.said for fact in state.facts), **_defined(told)}
    signal = any(_is_signal(text, one, defined) or tells_of(text, event_of(one)) for one in told)
    due = [task.act for task in waits]
    if waits and (
        signal
        or _GO.fullmatch(said)
        or (_allowed(reading.acts, due) and not _FREES.search(said))
        or _is_said_so(reading.acts, waits)
    ):
        return reading._replace(acts=(DialogueAct(Act.RESUME),), confidence=1.0)
    return reading


def _defined(told: Iterable[str]) -> dict[str, str]:
    """The words that somebody will say, by what they are called."""
    found = (one for text in told for one in _DEFINED.finditer(unquoted(text)))
    return {one["name"] or one["called"]: one["word"] or one["before"] for one in found}


def _is_signal(text: str, told: str, defined: Mapping[str, str]) -> bool:
    plain, said = unquoted(told), _bare(text)
    called = [word for name, word in defined.items() if re.search(rf"\b{name}\b", plain)]
    if called:
        return re.sub(r"^(?:(?:the|my) \w+ (?:\w+ )?is|and|ok|okay|now|it's) ", "", said) in called
    exact = _signalled(told)
    if exact is not None and (exact.sign or exact.word) and exact.word not in _NO_WORD and _is_given(text, exact):
        return True
    if exact is not None and exact.word and exact.word not in _NO_WORD:
        return False
    for words in _signals(plain):
        starts = {" ".join(words[:length]) for length in range(1, len(words) + 1)} - _NO_WORD
        lead = r"^(?:and |ok |okay |right |now |so |i am ready |we are ready )+(?=.)"
        if re.sub(rf"{lead}|(?: now| please| everyone| it is)+$", "", said) in starts:
            return True
    bare = re.sub(r"^(?:(?:ok|okay|right|all|now|i am|we are) )+(?=.)|(?: now)$", "", said)
    return bare in {found["words"].split()[0] for found in _STATE.finditer(plain)}


def _allowed(acts: Sequence[DialogueAct], awaited: Sequence[str]) -> bool:
    """Whether acts do no more than allow what is awaited: "you can turn round now"."""
    allowed = [one for act in acts if act.act is Act.ALLOW for one in act.of]
    verbs = {act.about for written in awaited if (act := read_act(written)) is not None}
    return bool(allowed) and len(acts) == len(allowed) and all(one.about in verbs for one in allowed)


def _is_said_so(acts: Sequence[DialogueAct], waits: Sequence[Task]) -> bool:
    """Whether acts order just what waits until the speaker says so."""
    asked = [(act.about, [slot.phrase.noun for slot in act.slots]) for act in acts if act.act is Act.ORDER]
    due = [act for task in waits if (act := read_act(task.act)) is not None]
    same = asked == [(act.about, [slot.phrase.noun for slot in act.slots]) for act in due]
    words = [signal for task in waits for signal in _signals(unquoted(task.said))]
    open_ended = any(event_of(task.said) for task in waits) or (bool(words) and all(one[:1] in _SO for one in words))
    return same and len(asked) == len(acts) and open_ended


def _bare(text: str) -> str:
    """The words of an utterance, those run together in full: "I'm dressed!" as "i am dressed"."""
    words = " ".join(re.findall(r"[a-z0-9'-]+", unquoted(text)))
    for short, full in _IN_FULL:
        words = words.replace(short, full)
    return words
