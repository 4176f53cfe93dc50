"""What replies say: phrases, yes and no, numbers, questions, refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.benchmarks.requests.cases import Reply
from teach_agents.benchmarks.requests.signs import IGNORANCE, LOST, NO_CONTENT, POLAR, SIGNS, WHAT_NEXT

NO_REPLY = "no reply"
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = {word: number for number, word in enumerate(_NUMBERS)} | {"none": 0, "no": 0, "nothing": 0}
_ARTICLES = frozenset({"a", "an"})


def normalised(text: str) -> str:
    """Lower-case words with single spaces; apostrophes and digits stay, all else goes."""
    plain = text.lower().replace("\u2019", "'").replace("-", " ")
    return " ".join(re.sub(r"[^a-z0-9' ]+", " ", plain).split())


def has(text: str, phrase: str) -> bool:
    """Whether a normalised text has a phrase, as whole words; `drawer*` begins a word, `<...>` are `signs.SIGNS`."""
    if phrase in ("<yes>", "<no>"):
        return polarity(text) == (phrase == "<yes>")
    pattern = SIGNS.get(phrase) or re.escape(phrase.lower()).replace(r"\*", r"\w*").replace(r"\ ", " ")
    return re.search(rf"(?<![a-z0-9'])(?:{pattern})(?![a-z0-9'])", text) is not None


def polarity(text: str) -> bool | None:
    """Whether the first word of a normalised text that says yes or no says yes; `None` where none does.

    Not to know is neither.
    """
    found = POLAR.search(IGNORANCE.sub("", text))
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
    return NO_CONTENT.fullmatch(normalised(text)) is None


def asks(text: str) -> bool:
    """Whether an utterance ends with a question, other than what to do next."""
    last = sentences([text])[-1]
    return last.rstrip(" \"')").endswith("?") and not WHAT_NEXT.search(normalised(last))


def denies(replies: Sequence[str]) -> bool:
    """Whether anything in replies says that what was wanted could not be done."""
    return any(has(plain, "<cannot>") and not LOST.search(plain) for plain in map(normalised, sentences(replies)))


def sentences(replies: Sequence[str]) -> list[str]:
    """The sentences of replies."""
    return [one for reply in replies for one in re.split(r"(?<=[.!?;])\s+", reply)]


def lacks(reply: Reply, replies: Sequence[str]) -> list[str]:
    """What replies lack of what they should be like, in words; nothing where they are right."""
    text = normalised(" ".join(replies))
    says_yes = any("<yes>" in group for group in reply.says) and has(text, "<yes>")
    if not says_yes and not any(map(has_content, replies)) and (reply != Reply() or not replies):
        return [NO_REPLY]
    if reply.asks is None and LOST.search(text):
        return ["it did not understand"]
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
