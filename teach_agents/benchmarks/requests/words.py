"""What replies say: phrases, yes and no, numbers, questions, claims that something is done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from teach_agents.benchmarks.requests.cases import Reply

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = {word: number for number, word in enumerate(_NUMBERS)} | {"none": 0, "no": 0, "nothing": 0}
_ARTICLES = frozenset({"a", "an"})
_POLAR = re.compile(
    r"\b(?:(yes|yeah|yep|yup|sure|certainly|indeed|correct|of course)"
    r"|(no|nope|not|nothing|none|never|neither|cannot|can't|\w+n't))\b"
)
_EVASIVE = (
    r"one moment|(?:just )?a (?:moment|second)|moment|ok(?:ay)?|sure|right|alright|of course|will do|on it|on my way|hm+"
    r"|let me (?:see|think|look|check)(?: around)?|(?:i'll|i will) (?:look|have a look|check)(?: around)?"
    r"|looking(?: around)?|working on it|yes|hello|hi"
)
_EMPTY = re.compile(rf"(?:(?:{_EVASIVE})\s*)*")
TOKENS: Mapping[str, str] = {
    "<cannot>": r"can't|cannot|can not|unable|not able|couldn't|could not|don't know how|do not know how|no way to|"
    r"isn't possible|is not possible|not possible|impossible|isn't something i|not something i|beyond me|won't|will not|"
    r"too heavy|only (?:carry|hold|take) one|not (?:equipped|made|built) to",
    "<unknown>": r"don't know|do not know|haven't (?:seen|found|come across|looked)|have not (?:seen|found|looked)|not sure"
    r"|no idea|can't (?:see|find|tell)|cannot (?:see|find|tell)|couldn't (?:see|find)|could not (?:see|find)"
    r"|don't see|do not see|did not see|didn't see|did not find|didn't find|there (?:is|are) no|there's no|"
    r"there (?:isn't|aren't|is not|are not) any|isn't (?:one|a|any)|i know (?:of )?no|never seen|no \w+ (?:here|in the room)",
    "<forbidden>": r"told me|you said|asked me|forbade|forbidden|not (?:allowed|supposed)|mustn't|must not|may not|"
    r"shouldn't|should not|not to|promised|said (?:i|not)|leave it|leave them",
    "<already>": r"already|is still|was still|nothing to do|no need|needn't|isn't (?:dirty|open|on)|is not (?:dirty|open|on)|"
    r"it's clean|it is clean",
}
"""Signs that stand for many phrases, besides `<yes>` and `<no>`."""
_CLAIM = re.compile(
    r"\b(?:done|finished|completed|here you (?:are|go)|here (?:is|are) (?:the|your|a)|all set"
    r"|(?:i have|i've|i) (?:just )?(?:put|placed|washed|cleaned|brought|opened|closed|shut|turned|switched|sliced|cut|cooked|toasted"
    r"|boiled|made|filled|emptied|poured|picked|got|taken|took|moved|thrown|dropped|found|finished|rinsed|cleared)"
    r"|(?:is|are) (?:now|all) \w+)\b"
)
_LOST = re.compile(
    r"\b(?:know what you mean|what do you mean|(?:do not|don't|did not|didn't|cannot|can't|couldn't) (?:understand|follow|get (?:that|you)))\b"
)
"""Of what is said without understanding no part answers anything."""
_DENIAL = re.compile(r"\b(?:not|\w+n't|cannot|nothing|no|but|failed|unable|if|when|will)\b")


def normalised(text: str) -> str:
    """Lower-case words with single spaces; apostrophes and digits stay, all else goes."""
    plain = text.lower().replace("\u2019", "'").replace("-", " ")
    return " ".join(re.sub(r"[^a-z0-9' ]+", " ", plain).split())


def has(text: str, phrase: str) -> bool:
    """Whether a normalised text has a phrase, as whole words; `drawer*` begins a word, `<...>` are `TOKENS`."""
    if phrase in ("<yes>", "<no>"):
        return polarity(text) == (phrase == "<yes>")
    pattern = TOKENS.get(phrase) or re.escape(phrase.lower()).replace(r"\*", r"\w*").replace(r"\ ", " ")
    return re.search(rf"(?<![a-z0-9'])(?:{pattern})(?![a-z0-9'])", text) is not None


def polarity(text: str) -> bool | None:
    """Whether the first word of a normalised text that says yes or no says yes; `None` where none does."""
    found = _POLAR.search(text)
    return None if found is None else found[1] is not None


def first_number(text: str) -> int | None:
    """The first number in a normalised text, in digits or words; an article counts where there is no other."""
    words = text.split()
    for word in words:
        if word.isdigit() or word in _DIGITS:
            return int(word) if word.isdigit() else _DIGITS[word]
    return 1 if _ARTICLES.intersection(words) else None


def has_content(text: str) -> bool:
    """Whether a reply says more than that one is at it."""
    return _EMPTY.fullmatch(normalised(text)) is None


def asks(text: str) -> bool:
    """Whether an utterance ends with a question."""
    return text.rstrip(" \"')").endswith("?")


def claims_success(replies: Sequence[str]) -> bool:
    """Whether anything in replies says that what was wanted is done."""
    for sentence in sentences(replies):
        plain = normalised(sentence)
        if not asks(sentence) and _CLAIM.search(plain) and not _DENIAL.search(plain):
            return True
    return False


def sentences(replies: Sequence[str]) -> list[str]:
    """The sentences of replies."""
    return [one for reply in replies for one in re.split(r"(?<=[.!?;])\s+", reply)]


def lacks(reply: Reply, replies: Sequence[str]) -> list[str]:
    """What replies lack of what they should be like, in words; nothing where they are right."""
    if not any(map(has_content, replies)):
        return ["no reply"]
    text = " ".join(one for one in map(normalised, sentences(replies)) if not _LOST.search(one))
    found = [f"reply lacks {'|'.join(group)}" for group in reply.says if not any(has(text, one) for one in group)]
    found += [f"reply has {phrase}" for phrase in reply.never if has(text, phrase)]
    if reply.number is not None and first_number(text) != reply.number:
        found.append(f"reply should say {reply.number}")
    if reply.asks is not None:
        question = next((one for one in reversed(replies) if asks(one)), "")
        if not question:
            found.append("no question")
        words = normalised(question)
        found += [
            f"question lacks {'|'.join(group)}" for group in reply.asks if not any(has(words, one) for one in group)
        ]
    return found
