"""What a person told, kept in their words: which of it answers a question, which of it is to be forgotten."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.awaited_events import order_verbs
from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.recounts import COUNTED, NUMBER, recounts
from teach_agents.understanding.plain_text import plain_text

_LITTLE = frozenset(
    """a about again all am an and any are as at be been but by can could did do does down for from had has have he
    her here him his how i if in into is it just know many may me might much must my no not now of on onto or
    our out over please right said say shall she should so some still tell than that the their them then there
    these they this those time to under up us was we were what when where which who whom whose why will with
    would wrong you your""".split()
)
_ENDINGS = ("ing", "ies", "es", "ed", "s")
_TIME = re.compile(
    r"\b(?:\d+|noon|midday|midnight|tonight|tomorrow|today|morning|evening|afternoon|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|half past|quarter)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:called|named|names? (?:is|are)|name's)\b|(?<=[a-z,] )(?!I\b)[A-Z][a-z]+|'s\b"
    r"|^(?!(?:My|Our|His|Her|The|A|An|It|He|She|They|We|You|This|That|There|By|Oh|Ok|Just)\b)[A-Z][a-z]+\b"
)
_ASKED = (
    (re.compile(r"\bhow (?:many|much|old|long)\b|\bwhat number\b"), NUMBER),
    (re.compile(r"\bwhen\b|\bwhat (?:time|day|date)\b|\bwhich day\b"), _TIME),
    (
        re.compile(r"\bwho(?:se|m)?\b"),
        re.compile(rf"{_NAME.pattern}|\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]he|[Aa]n?) [a-z]+"),
    ),
    (re.compile(r"\bwhat(?: i|'?| wa)s (?:[a-z']+ ){1,3}(?:name|called)\b"), _NAME),
)
"""What a question asks for, and what has that."""
_NO_TOPIC = frozenset(
    """come arrive land leave start begin end finish open close happen visit go get call name live work stay like love
    prefer hate eat drink cost collect take place return back home mean want need have expect suppose due show meet see
    be keep sleep use own belong remember know think forget mention join number age time date day hour colour color kind
    sort type size word thing one old long big tall address people person somebody someone anybody anyone everybody
    everyone again exactly actually really going happening supposed yet ago left new next last called arriving leaving
    coming today tonight tomorrow morning evening afternoon noon night week monday tuesday wednesday thursday friday
    saturday sunday ask borrow lend before after please whats when's what's who's where's robot""".split()
)
"""Words of a question that a fact need not have which answers it."""
_ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "mum mom mummy mommy mother", "dad daddy father", "grandma granny gran grandmother nan nana",
        "grandpa granddad grandad grandfather", "kids kid children child", "wifi internet wlan", "film movie",
        "bin trash rubbish garbage", "flat apartment", "holiday vacation", "phone mobile cellphone",
    )
)  # fmt: skip
_POINTS_BACK = re.compile(
    r"\b(?P<who>he|she|they|his|her|him|them|their)\b|\b(?:it|its|that|this|make|instead|actually|now)\b"
)
_CHANGES = frozenset(
    """no wait oh well sorry correction actually changed change moved move postponed delayed pushed instead earlier
    later now not it's make update news oops wrong meant mean rather scratch scrap until till""".split()
)
"""Words that tell no more than that something told is otherwise."""
_AT = re.compile(
    rf"\b(?:at|by|around|about|to|till|until|from|on|for|before|after|past|it's|is|be|it|that|actually|not|but|rather)"
    rf" (?:half |quarter )?{_TIME.pattern}|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b",
    re.IGNORECASE,
)
_WE = re.compile(r"\b(?:we|us|people|persons?|guests?|visitors?|everybody|everyone|com(?:e|es|ing)|join\w*)\b")
_CHOOSES = re.compile(r"\b(?:who|whom|whose|when|which|what)\b")
"""What asks for one of several facts: the one that has most of its words."""
_REPORTS = re.compile(
    r"(?:^|[.!,;] |\b(?:that|but|and|so|because) )"
    r"(?:i|we|he|she|they|there|(?:my|our|the|his|her) [a-z]+(?: [a-z]+)?|[a-z]+)"
    r"(?:'ve|'s|'d|'ll|'re| have| has| had| was| were| will| did|'m going| am going| took| went| came| got| left"
    r"| gave| saw| met| lost| found| said| called| rang| bought| made| put| ate| drank| fed| paid| forgot| promised)\b"
)
"""What tells something that happened, or will."""
_STATES = re.compile(
    r"^(?:(?:and|so|oh|by the way|actually|ok|okay|well|now|just) )*"
    r"(?!(?:can|could|would|will|do|please|go|get|bring|put|take|give|turn|if|when|until)\b)(?:[a-z']+ ){0,5}?"
    r"(?:[a-z]+'(?:s|re|ll|ve)|is|are|was|were|has|have|had|will|costs?|takes?|starts?|ends?|comes?|makes|said|says"
    r"|leaves?|weighs?|cancelled)\b"
)
"""What has a subject and says something of it."""
_PASSING = 4
"""Fewer words tell nothing."""
_ENOUGH = 2
"""Words that a question has to share with a fact, where it has as many."""


_AGAIN = (
    r"(?:i|we)(?:'ve| have)?(?: just)? (?:looked|counted|checked|miscounted|misread|was wrong|were wrong|got it wrong)"
    r"(?: (?:again|once more|it|them|that|wrong))*"
)
"""Why somebody corrects a number."""
_GOES_ON = re.compile(
    rf"(?:(?:and|plus|also|oh)\b[ ,]*)+(?:there (?:is|are) )?{NUMBER.pattern} (?P<what>[a-z' ]+)", re.IGNORECASE
)
"""What goes on with a list of what there is: "and nine bottles of shampoo"."""
_CORRECTION = re.compile(
    r"(?:(?:no|wait|oh|ah|sorry|oops|hang on|hold on|actually|correction|scratch that|i mean|i meant|rather|well|or"
    rf"|and|{_AGAIN})\b[ ,.!:-]*)*"
    r"(?:(?:make|let's say|it's|it is|it was|that was|that's|that is"
    r"|that should be|should be|it should be|now it's|better|not \S+ but)"
    r"\b ?)*(?:(?:it|that)\b ?)?(?:at |on |around )?"
    rf"(?P<new>(?:half past |quarter (?:past|to) )?(?:{NUMBER.pattern}|{_TIME.pattern}))"
    r"(?P<rest>(?: [a-z']+){0,3})$",
    re.IGNORECASE,
)
"""What corrects a number or a time, and says no more: "no wait, at eight", "make that five guests"."""
_CORRECTED = re.compile(
    r"(?:(?:no|wait|oh|ah|sorry|oops|hang on|hold on|actually|correction|scratch that|i mean|i meant|rather"
    rf"|{_AGAIN})\b[ ,.!:-]*)+(?:(?:it's|it is|that's|make (?:it|that))\b ?)?(?:at |on |around )?"
    rf"(?:half past |quarter (?:past|to) )?(?:{NUMBER.pattern}|{_TIME.pattern})(?=\W|$)",
    re.IGNORECASE,
)
"""A correction that goes on with a reason: "oh sorry, at eight, I looked at the wrong day"."""


_TOLD_WHAT = re.compile(
    r"\b(?:what|which)(?:'s| is| was)? (?:the |my |our )?(?P<x>[a-z]+(?: [a-z]+){0,2}?)(?: that)? "
    r"(?:did|have|had)? ?(?:i|we) (?:just |already )?(?:tell|told|give|gave|given|say|said|mention|mentioned)\b"
)
"""What asks for something that was told, by name."""


def told_about(question: str, facts: Sequence[Told]) -> Told | None:
    """The latest fact that has every word of a question that means something; `None` where none has.

    One word is enough only where the question asks whose something is. What points back at what was told before, and
    has what is asked for, is about the same: "she's coming at 6 instead".
    """
    asked, wanted = words_in(question), wanted_by(question.lower())
    if len(asked) < _ENOUGH and not (asked and re.search(r"\bwhose\b", question.lower())):
        return None
    for fact, topic in reversed([*zip(facts, topics(facts), strict=True)]):
        own = words_in(fact.said)
        if (
            fact.said.strip() != question.strip()
            and asked <= topic
            and (asked <= own or _takes_over(fact.said, asked & own, wanted))
        ):
            return fact if _is_of_same(question, fact, topic) else None
    return None


def told_of_what(question: str, facts: Sequence[Told]) -> Told | None:
    """The latest fact that may answer a question which nothing else does: it has what the question is about, or is of
    people where that asks how many they are; and it has a number, a time or a name where such a thing is asked for."""
    sentences = [one for one in re.split(r"(?<=[.!?])\s+", question.strip()) if one]
    asked = next((one for one in reversed(sentences) if one.endswith("?")), question).lower()
    wanted = wanted_by(asked)
    words, people = words_in(asked), _WE.search(asked) is not None
    told = [*zip(facts, topics(facts), strict=True)]
    told = [one for one in reversed(told) if one[0].said.strip() != question.strip()]
    fitting = [one for one in told if wanted is None or wanted.search(one[0].said) is not None]
    shared = [
        sum(bool(topic & like(one)) for one in words) if _is_of_same(asked, fact, topic) else 0
        for fact, topic in fitting
    ]
    if _CHOOSES.search(asked) and shared and max(shared):
        return fitting[shared.index(max(shared))][0]
    for (fact, _), number in zip(fitting, shared, strict=True):
        if number or (people and wanted is NUMBER and _WE.search(fact.said.lower())):
            return fact
    return None


def corrects(text: str, facts: Sequence[Told], before: str) -> bool:
    """Whether words correct the number or the time in what was told just before: "make that five", "no wait, at 8"."""
    found = _CORRECTION.match(plain_text(text).rstrip(".!"))
    if found is None or not any(fact.said.strip() == before.strip() for fact in facts):
        return False
    kept = _TIME if _TIME.search(found["new"]) else NUMBER
    return kept.search(before) is not None and words_in(_TIME.sub("", found["rest"])) <= words_in(before)


def goes_on(text: str, facts: Sequence[Told], before: str) -> bool:
    """Whether words go on with what was told just before to be so many, and ask for nothing."""
    found = _GOES_ON.match(plain_text(text))
    if found is None or "?" in text or not any(fact.said.strip() == before.strip() for fact in facts):
        return False
    wishes = {*re.findall(r"[a-z]+", plain_text(f"{before} {text}"))} & {*order_verbs(), "please", "need", "want"}
    return COUNTED.search(before) is not None and not wishes


def names_untold(question: str, facts: Sequence[Told]) -> bool:
    """Whether a question is what somebody told of something that no fact names: "what password did I tell you?"."""
    found = _TOLD_WHAT.search(plain_text(question))
    words = words_in(found["x"]) - words_in("thing fact rule else exactly") if found is not None else frozenset()
    return bool(words) and not any(words <= words_in(fact.said) for fact in facts)


def asks_for_more(question: str) -> bool:
    """Whether a question asks for something, and not for whatever was told."""
    return bool(
        _nouns(question.lower()) - words_in("tell told say said note noted fact rule anything everything so far")
    )


def wanted_by(asked: str) -> re.Pattern[str] | None:
    """What has such a thing as is asked for: a number, a time, a name."""
    return next((sign for ask, sign in _ASKED if ask.search(asked)), None)


def topics(facts: Sequence[Told]) -> list[frozenset[str]]:
    """The words of each fact, with those of the one before where it points back at that."""
    found: list[frozenset[str]] = []
    for number, fact in enumerate(facts):
        earlier = [at for at in range(number - 1, -1, -1) if facts[at].said != fact.said]
        counted = (at for at in earlier if COUNTED.search(facts[at].said))
        recounted = next(counted, None) if recounts(fact.said) else None
        before = next(iter(earlier), None) if recounted is None else recounted
        own, points = words_in(fact.said), recounted is not None
        if before is not None and (points or _points_back(fact.said, found[before])):
            own |= found[before]
        found.append(own)
    return found


def _points_back(said: str, before: frozenset[str]) -> bool:
    """Whether a fact speaks of somebody by a pronoun alone, or of nothing but what was told before."""
    plain = plain_text(said)
    found = _POINTS_BACK.search(plain)
    changes = words_in(" ".join(_CHANGES)) | words_in(" ".join(_NO_TOPIC))
    if _CORRECTED.match(plain):
        return True
    if found is not None and found["who"] and not words_in(NUMBER.sub("", plain[: found.start()])) - changes:
        return True
    return not words_in(_TIME.sub("", plain)) - changes - before


def _takes_over(said: str, shared: frozenset[str], wanted: re.Pattern[str] | None) -> bool:
    """Whether what points back has what is asked for: of times one that something is at."""
    if wanted is None:
        return bool(shared)
    return (_AT if wanted is _TIME else wanted).search(said) is not None


def is_of_others(asked: str, said: str) -> bool:
    """Whether what is asked of one's own was told of somebody else's: "my birthday" and "dad's birthday"."""
    nouns = re.findall(r"\bmy ([a-z]+)", asked)
    return any(re.search(rf"'s {noun}\b", said) and not re.search(rf"\bmy {noun}\b", said) for noun in nouns)


def _is_of_same(question: str, fact: Told, topic: frozenset[str]) -> bool:
    """Whether a fact has all that a question is about: "when is my birthday?" is not answered by dad's."""
    asked, said = question.lower(), plain_text(fact.said)
    if is_of_others(asked, said):
        return False
    missing = {one for one in _nouns(asked) if not topic & like(one)}
    timed = wanted_by(asked) is _TIME and len(_nouns(asked)) > len(missing)
    return not missing or (timed and not _of_whom(asked) & missing)


def _nouns(asked: str) -> frozenset[str]:
    """What a question is about, without what is said of that."""
    told_apart = re.sub(r"\b[a-z]{3,}ing\b", "", asked)  # what is being done is no thing
    return words_in(told_apart) - words_in(" ".join([*_NO_TOPIC, *order_verbs()]))


def _of_whom(asked: str) -> frozenset[str]:
    """Whose something is, or who it is, that a question is about: "mum's birthday", "my sister"."""
    whose = re.findall(r"([a-z]+)'s [a-z]", asked)
    return words_in(" ".join([*whose, *re.findall(r"\b(?:my|our|your|his|her|their) ([a-z]+)\b(?! [a-z]+\?)", asked)]))


def like(stem: str) -> frozenset[str]:
    """The stems of words for the same."""
    return frozenset({stem}).union(*(words for words in map(words_in, map(" ".join, _ALIKE)) if stem in words))


def tells_a_number(text: str) -> bool:
    """Whether words that were said in passing hold what may be asked for later: a number, a time."""
    found = NUMBER.search(text) or _TIME.search(text)
    return found is not None and "?" not in text and len(text.split()) >= _PASSING


def tells_a_statement(text: str) -> bool:
    """Whether words that nobody understood state something."""
    return _STATES.search(plain_text(text)) is not None


def tells_a_report(text: str) -> bool:
    """Whether words that were said in passing tell what happened, or will: "I've just taken my pills"."""
    plain = text.lower().replace("\u2019", "'")
    told = _REPORTS.search(plain) is not None and len(words_in(plain)) >= _ENOUGH
    return told and "?" not in text and len(text.split()) >= _PASSING


def told_of(noun: str, facts: Sequence[Told]) -> Told | None:
    """The latest fact about what a noun names, wherever that is; `None` where there is none."""
    of_it = (fact for fact in reversed(facts) if fact.noun == noun)
    word = re.compile(rf"\b{re.escape(noun.replace('_', ' '))}s?\b")
    said = (fact for fact in reversed(facts) if not fact.noun and word.search(fact.said.lower()))
    return next(of_it, None) or next(said, None)


def touched_by(text: str, facts: Sequence[Told]) -> list[Told]:
    """The facts that share a word with what somebody says of them."""
    said = words_in(text)
    return [fact for fact in facts if said & words_in(fact.said)]


def as_told(told: Told) -> str:
    """A fact in the words in which it was told."""
    return f'You told me: "{told.said.strip()}"' + ("" if told.said.rstrip().endswith((".", "!")) else ".")


def words_in(text: str) -> frozenset[str]:
    """The words of a text that mean something, without their endings."""
    words = re.findall(r"[a-z]+", re.sub(r"'(?:s|ve|re|ll|d|m)\b", "", text.lower()))
    return frozenset(_stem(word) for word in words if word not in _LITTLE)


def _stem(word: str) -> str:
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) > len(one) + 2), "")
    return word.removesuffix(ending)[: 8 if word.startswith("grand") else 5]
