"""Noun phrases in plain words: "the two dirty plates on the table" as a description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english import lexicon
from teach_agents.understanding.english.phrasebook import NUMBERS, phrasebook
from teach_agents.understanding.grammar import grammar

_LONGEST_NAME = 3
"""Words of a name that nobody lists."""
_LONGEST = 4
"""Words of one that is listed."""
_WEARERS = frozenset({"my", "your", "his", "her"})
"""Whose glasses are spectacles."""
_MOST_WORDS = 24
"""Words of a description."""


def noun_phrase(text: str) -> Phrase | None:
    """The description that words are, all of them; `None` for any others."""
    words = text.split()
    if words[0:1] in (["that"], ["those"]) and len(words) > 3 and words[-2:] == ["over", "there"]:
        words = words[:-2]
    if len(words) > _MOST_WORDS:
        return None
    reading = _Reading(words, 0)
    found = reading.phrase()
    return found if reading.at == len(words) else None


def described(text: str) -> Phrase:
    """The description that is in these words, as much of them as makes one."""
    words = [word for word in text.split() if word not in (",", ".", ":", "?")][:_MOST_WORDS]
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            if (found := noun_phrase(" ".join(words[start:end]))) is not None:
                return found
    return Phrase("_".join(words) or "something")


def is_known(phrase: Phrase) -> bool:
    """Whether all that is named in a description is known by name, and all that it is told apart by.

    What is said to be in or on "it" is rather what is put there, or done with it.
    """
    named = phrase.noun in grammar()["pronouns"] or _is_named(phrase.noun) or phrase.noun.isdecimal()
    marks = [*([phrase.place[1]] if phrase.place else ()), *([phrase.holds] if phrase.holds else ())]
    odd = phrase.place is not None and phrase.place[0] in ("in", "on") and phrase.place[1].noun in ("it", "them")
    return named and not odd and all(map(is_look, phrase.looks)) and all(map(is_known, marks))


def _is_named(noun: str) -> bool:
    """Whether a noun is one that is listed, or made up of such."""
    words = noun.split("_")
    return noun in _names() or (words[-1] in grammar()["heads_of_names"] and all(word in _names() for word in words))


def is_look(word: str) -> bool:
    """Whether a word is one that things are told apart by."""
    return word in _table("looks")


def singular(word: str) -> str:
    """One of what a word names."""
    if word == "people":
        return "person"
    for many, one in (("ives", "ife"), ("lves", "lf"), ("ies", "y")):
        if word.endswith(many) and len(word) > len(many) + 1:
            return word.removesuffix(many) + one
    if word.endswith(("shes", "ches", "xes", "sses", "oes")):
        return word[:-2]
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _table("always_many")
    return word[:-1] if plural else word


@cache
def _table(name: str) -> frozenset[str]:
    return frozenset(grammar()[name])


@cache
def _names() -> frozenset[str]:
    book = phrasebook()
    forms = [*(one for one, _ in book.nouns.values()), *(form for more in book.synonyms.values() for form in more)]
    return frozenset({*grammar()["nouns"], *(form.lower().replace(" ", "_") for form in forms)})


@cache
def _is_name(word: str) -> bool:
    return singular(word) in _names()


@cache
def _begins_name(word: str) -> bool:
    one = singular(word)
    return word in grammar()["pronouns"] or any(name == one or name.startswith(f"{one}_") for name in _names())


class _Reading:
    """Reads a noun phrase from a place on; `at` is the place behind it."""

    def __init__(self, words: Sequence[str], at: int) -> None:
        self._words = words
        self.at = at
        self._count = ""
        self._looks: list[str] = []
        self._single = False

    def phrase(self) -> Phrase | None:
        """The longest phrase that begins here."""
        begin = self.at
        if (lone := self._lone()) is not None:
            return lone
        self._amount()
        while self._determined():
            self.at += 1
        self._described()
        noun, many = self._noun()
        if not noun:
            if not (self._count or self._looks) or self._words[self.at - 1] in _table("articles"):
                return None
            noun, many = "one", False
        if noun == "one" and not self._looks and not self._count and self._words[begin] in ("that", "this"):
            noun = self._words[begin]
        if noun == "rest":
            return self._holding(Phrase("one", "rest", tuple(self._looks)))
        count = self._count or ("all" if many and not self._single and noun not in ("it", "them") else "")
        return self._holding(self._lit(noun, count))

    def _lone(self) -> Phrase | None:
        """A word that counts, and stands for what is counted: "both", "another"."""
        word = self._word()
        following = self._word(1) in (*_table("articles"), "of", "these", "those", "this", "that")
        if word not in grammar()["lone"] or following or not (self._borders(1) or word == "others"):
            return None
        self.at += 1
        count, noun = grammar()["lone"][word]
        return Phrase(noun, count)

    def _lit(self, noun: str, count: str) -> Phrase:
        """The light of a room is the light in it."""
        room, _, light = noun.rpartition("_")
        if light in ("light", "one") and room in grammar()["rooms"]:
            return Phrase(light, count, tuple(self._looks), ("in", Phrase(room)))
        return Phrase(noun, count, tuple(self._looks))

    def _word(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self._words[place] if place < len(self._words) else ""

    def _borders(self, ahead: int) -> bool:
        return not self._word(ahead) or self._word(ahead) in _table("borders")

    def _spoken(self, phrases: Sequence[str]) -> str:
        """The first of these that the words go on with."""
        rest = " ".join((*self._words[self.at :], ""))
        return next((one for one in phrases if rest.startswith(f"{one} ")), "")

    def _amount(self) -> None:
        if amount := self._spoken(grammar()["amounts"]):
            self._count = "2" if "couple" in amount else "some"
            self.at += len(amount.split())

    def _determined(self) -> bool:
        """Whether the next word says how many, or which."""
        word, counts = self._word(), grammar()["counts"]
        if word in ("that", "this", "these", "those"):
            if self._borders(1):
                return False
            self._count = self._count or ("all" if word.startswith("the") or word == "those" else "")
        elif word in counts:
            if word == "other" and self._borders(1):
                return False
            if word == "other" and self._count:
                self._looks.append(word)
            else:
                self._count = counts[word]
        elif word in NUMBERS or word.isdecimal():
            return self._numbered(word)
        elif word == "rest" and self._word(1) == "of":
            self._count = word
        else:
            return word in _table("articles") or (word == "of" and (bool(self._count) or self._single))
        return True

    def _numbered(self, word: str) -> bool:
        """Whether a number says how many, and is not "one" for a thing itself."""
        if word == "one" and self._word(1) == "more":
            self._count, self._single = "another", True
            self.at += 1
            return True
        if word == "one" and self._word(1) != "of" and self._borders(1):
            return False
        if word == "one" and self._word(1) == "of" and self._word(2) == "the" and self._word(3) in NUMBERS:
            self.at += 3
        self._single = word == "one"
        number = int(word) if word.isdecimal() else NUMBERS.index(word)
        self._count = "" if number == 1 else str(number)
        return True

    def _described(self) -> None:
        """Words that a thing is told apart by, listed ones and those before a noun that nobody lists."""
        while is_look(self._word()) and not self._borders(1) and self._listed() <= self.at + 1:
            self._looks.append(self._word())
            self.at += 1
        ahead = 0
        while not self._borders(ahead) and not _begins_name(self._word(ahead)):
            ahead += 1
        if ahead and _begins_name(self._word(ahead)):
            self._looks += self._words[self.at : self.at + ahead]
            self.at += ahead

    def _noun(self) -> tuple[str, bool]:
        """The noun, and whether there are many."""
        word = self._word()
        if word == "other" and not self._count:
            self._count = word
            self.at += 1
            return "one", False
        if word == "that" and self._count:
            return "", False
        if word in grammar()["pronouns"]:
            return self._pronoun(word)
        if word == "can" and self.at and self._words[self.at - 1] in _table("articles"):
            self.at += 1
            return word, False
        end = self._listed()
        if end > self.at and self._compound(end):
            end += 1
        elif end == self.at:
            while end < len(self._words) and not self._borders(end - self.at) and end - self.at < _LONGEST_NAME:
                end += 1
        taken = self._words[self.at : end]
        if not all(map(str.isalpha, taken)):
            return "", False
        worn = taken[-1:] == ["glasses"] and self._words[self.at - 1] in _WEARERS
        self.at = end
        return ("_".join(taken), False) if worn else _joined(taken)

    def _pronoun(self, word: str) -> tuple[str, bool]:
        self.at += 1
        if word in ("these", "those") and self._count:
            return word, False
        if word == "them" and self._word() in ("all", "both") and not self._word(1):
            self._count = {"all": "all", "both": "2"}[self._word()]
            self.at += 1
        if word in ("something", "anything") and (wanted := self._spoken(list(grammar()["something"]))):
            self.at += len(wanted.split())
            return str(grammar()["something"][wanted]), False
        if word in ("something", "anything", "everything", "one", "ones"):
            self._described_behind()
        return grammar()["pronouns"][word], word == "ones"

    def _compound(self, end: int) -> bool:
        """Whether a name goes on with another: "bowl" behind "fruit"."""
        ahead = end - self.at
        if self._word(ahead) == "one" and "_".join(self._words[self.at : end]) in grammar()["rooms"]:
            return True
        return (
            not self._borders(ahead)
            and self._words[end - 1] == singular(self._words[end - 1])
            and _is_name(self._word(ahead))
        )

    def _described_behind(self) -> None:
        """ "Something sharp"."""
        while is_look(self._word()) and (self._word() not in grammar()["not_behind"] or not self._word(1)):
            self._looks.append(self._word())
            self.at += 1

    def _listed(self) -> int:
        """Where the longest listed name ends that begins here; here, where there is none."""
        known = lexicon.match_noun(tuple(self._words), self.at) if self._word() else None
        end = known[2] if known is not None and lexicon.is_known(known[0]) else self.at
        for longer in range(min(self.at + _LONGEST, len(self._words)), end, -1):
            if _joined(self._words[self.at : longer])[0] in _names():
                return longer
        return end

    def _holding(self, phrase: Phrase) -> Phrase:
        """What is said behind the noun: what it holds, where it is, how it looks."""
        while True:
            more = self._held(phrase) or self._placed(phrase)
            if more is None:
                return phrase
            phrase = more

    def _held(self, phrase: Phrase) -> Phrase | None:
        opening = self._spoken(grammar()["holding"])
        if not opening or phrase.holds is not None:
            return None
        inner = _Reading(self._words, self.at + len(opening.split()))
        if (held := inner.phrase()) is None:
            return None
        if held.place is not None and held.place[1].noun in ("it", "them"):
            held = replace(held, place=None)
        elif inner._word() in ("in", "on", "inside") and not inner._word(1):
            inner.at += 1
        self.at = inner.at
        return replace(phrase, holds=held)

    def _placed(self, phrase: Phrase) -> Phrase | None:
        """The description with a place or a look that follows, behind any of the words that lead to one."""
        at, relations = self.at, dict(grammar()["relations"])
        for _ in range(_LEADING):
            inner = _Reading(self._words, at)
            relation = inner._spoken(list(relations))
            mark = _Reading(self._words, at + len(relation.split()))
            if relation in ("over", "around", "by") and mark._word() in ("here", "there"):
                return None
            if relation and phrase.place is None and (place := mark.phrase()) is not None:
                self.at = mark.at
                near = (relation.split()[0],) if relation.startswith(("nearest", "closest", "furthest")) else ()
                return _sided(replace(phrase, looks=(*phrase.looks, *near)), relations[relation], place)
            if (
                at > self.at
                and is_look(inner._word())
                and inner._word() not in grammar()["not_behind"]
                and not relation
            ):
                self.at = at + 1
                return replace(phrase, looks=(*phrase.looks, inner._word()))
            opening = inner._spoken(grammar()["relative"])
            if not opening:
                return None
            at += len(opening.split())
        return None


_LEADING = 3
"""Words or turns that may stand before a place: "that is", "still", "lying"."""


def _sided(phrase: Phrase, relation: str, place: Phrase) -> Phrase:
    """ "The burner on the left" is the left burner."""
    if (
        place.noun in ("left", "right", "back", "top", "bottom", "middle")
        and place.place is None
        and relation in ("on", "near", "in")
    ):
        return replace(phrase, looks=(*place.looks, place.noun, *phrase.looks))
    if place.noun == "side" and place.place is None and place.looks in (("left",), ("right",)):
        return replace(phrase, looks=(*place.looks, *phrase.looks))
    return replace(phrase, place=(relation, place))


def _joined(words: Sequence[str]) -> tuple[str, bool]:
    """The name that words are, as of one thing, and whether they spoke of many."""
    if not words:
        return "", False
    head = list(words).index("of") - 1 if "of" in words[1:] else len(words) - 1
    one = singular(words[head])
    return "_".join((*words[:head], one, *words[head + 1 :])), one != words[head]
