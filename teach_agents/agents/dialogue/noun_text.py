"""Small words of English: names of things as people say them, articles, plurals, lists, sentences, descriptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import noun, number_word


class Name(NamedTuple):
    """What a kind of thing is called: one ("knife"), several ("knives"); `alone` after "the" or "my"."""

    one: str
    many: str
    alone: str


_SPOKEN: Mapping[str, tuple[str, ...]] = {
    "AluminumFoil": ("roll of foil", "rolls of foil", "foil"),
    "ArmChair": ("armchair", "armchairs"),
    "BasketBall": ("basketball", "basketballs"),
    "Blinds": ("pair of blinds", "blinds", "blinds"),
    "Boots": ("pair of boots", "pairs of boots", "boots"),
    "Bread": ("loaf of bread", "loaves of bread", "bread"),
    "CounterTop": ("counter", "counters"),
    "Desktop": ("computer", "computers"),
    "DishSponge": ("sponge", "sponges"),
    "Faucet": ("tap", "taps"),
    "GarbageBag": ("bin bag", "bin bags"),
    "GarbageCan": ("bin", "bins"),
    "HousePlant": ("plant", "plants"),
    "LaundryHamper": ("laundry basket", "laundry baskets"),
    "Lettuce": ("lettuce", "lettuces"),
    "PaperTowelRoll": ("kitchen roll", "kitchen rolls"),
    "RoomDecor": ("ornament", "ornaments"),
    "SoapBar": ("bar of soap", "bars of soap", "soap"),
    "StoveBurner": ("burner", "burners"),
    "TableTopDecor": ("ornament", "ornaments"),
    "TissueBox": ("box of tissues", "boxes of tissues"),
    "ToiletPaper": ("roll of toilet paper", "rolls of toilet paper", "toilet paper"),
}
"""Where people do not say what the phrasebook lists."""
MASS = frozenset(
    """bread breakfast coffee dinner food juice lunch milk music rice salt soap stuff sugar supper tea toast trash
    rubbish laundry water wine cutlery silverware toilet_paper glue dust furniture""".split()
)
"""Nouns that are not counted."""
_OPENED_BY_VOWELS = ("hour", "honest")
_OPENED_BY_CONSONANTS = ("uten", "unit", "used", "one", "euro")
_INITIALS = frozenset({"tv", "cd", "dvd", "pc"})
_NO_NUMBER = frozenset({"glass", "dress", "gas"})
"""Singulars that end as plurals do."""
_PLURALS = frozenset({"glasses", "sunglasses", "scissors", "clothes", "trousers", "jeans", "pyjamas", "headphones"})
"""What has no singular, or another one."""
SOMEBODY = frozenset({"anyone", "anybody", "someone", "somebody", "people"})
_PLACES: Mapping[str, str] = {
    "near": "next to",
    "left": "to the left of",
    "right": "to the right of",
    "front": "in front of",
}
_PERSONS: Mapping[str, str] = {"me": "you", "you": "me", "us": "you", "my": "your", "here": "here", "there": "there"}
_WHOSE: Mapping[str, str] = {
    "mine": "your",
    "yours": "my",
    "his": "his",
    "hers": "her",
    "ours": "our",
    "theirs": "their",
}
"""Owners as the Follower says them, before what is theirs."""
_LOOKS: Mapping[str, str] = {"on": "switched-on", "off": "switched-off", "near": "near", "other": "other"}


def name_of(kind: str) -> Name:
    """What a type or class is called among people; never fails."""
    spoken = _SPOKEN.get(kind)
    if spoken is not None:
        return Name(spoken[0], spoken[1], spoken[-1] if len(spoken) > 2 else spoken[0])
    words = noun(kind)
    return Name(words.one, words.many, words.one)


def called(thing: Thing) -> Name:
    """What a thing is called: a basin is a sink, or a bathtub."""
    return name_of(thing.object_type.removesuffix("Basin"))


def article(words: str) -> str:
    """With "a" or "an" before it."""
    vowel = words[:1].lower() in "aeiou" and not words.startswith(_OPENED_BY_CONSONANTS)
    return f"{'an' if vowel or words.startswith(_OPENED_BY_VOWELS) else 'a'} {words}"


def counted(name: Name, count: int) -> str:
    """So many of a kind: "a mug", "two mugs"."""
    return article(name.one) if count == 1 else f"{number_word(count)} {name.many}"


def listed(words: Sequence[str], *, last: str = "and") -> str:
    """Words in a row: "a mug", "a mug and a fork", "a mug, two plates and a fork"; "" for none."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def grouped(things: Iterable[Thing], most: int = 6) -> list[str]:
    """Things by their kind, in order of the first of each: "a mug", "two plates"; what is beyond `most` kinds is
    "a few other things"."""
    counts = Counter(called(thing) for thing in things)
    told = [counted(name, count) for name, count in counts.items()]
    if len(told) <= most:
        return told
    return [*told[:most], "one other thing" if len(told) == most + 1 else "a few other things"]


def all_number(count: int) -> str:
    """All of so many: "both", "all nine"."""
    return "both" if count == 2 else f"all {number_word(count)}"


def be(count: int) -> str:
    """The verb that agrees with a number of things."""
    return "is" if count == 1 else "are"


def is_plural(words: str) -> bool:
    """Whether a name is one that has no singular: "the boots"."""
    return words.endswith(("curtains", "boots", "scissors", "blinds"))


def capitalized(text: str) -> str:
    """A text as a sentence begins."""
    return text[:1].upper() + text[1:]


def sentence(text: str, end: str = ".") -> str:
    """A text as a sentence: with a capital letter, and an end where it has none."""
    text = capitalized(" ".join(text.split()))
    return text + ("" if text.endswith((".", "?", "!")) else end)


def first_sentence(text: str) -> str:
    """The first of several sentences."""
    return text.partition(". ")[0].rstrip(".") + "."


def clause(text: str) -> str:
    """A sentence as a part of another: without its end and its capital letter, "I" excepted."""
    text = text.strip().rstrip(".!")
    return text if text.startswith(("I ", "I'")) or text[:2].isupper() else text[:1].lower() + text[1:]


def many_of(one: str) -> str:
    """The plural of what is no kind of ours."""
    if one in _PLURALS:
        return one
    return name_of("".join(part.capitalize() for part in one.split())).many


def names_several(phrase: Phrase) -> bool:
    """Whether a noun itself is a plural: "keys"."""
    return phrase.noun.endswith("s") and not phrase.noun.endswith(("ss", "us", "is", "gas"))


def is_several(phrase: Phrase) -> bool:
    """Whether a description speaks of more than one thing."""
    number = phrase.count.isdecimal() and int(phrase.count) > 1
    return number or phrase.count in ("all", "rest") or phrase.noun in ("them", "those", "these")


def spot_of(phrase: Phrase) -> Phrase | None:
    """What something is described to be in or on, itself or what it is near."""
    place = phrase.place
    while place is not None and place[0] not in ("in", "on"):
        place = place[1].place
    return None if place is None else place[1]


def written(noun: str) -> str:
    """A noun of a reading as it is written: "remote control", "TV"."""
    return " ".join(word.upper() if word in _INITIALS else word for word in noun.split("_"))


def words_of(phrase: Phrase, article_word: str = "the") -> str:
    """A description in words, as the Follower says it: "the dirty mug on the table", "two plates", "it".

    `article_word` is "the", "a" (with no noun that is not counted), "no", "any", or "" for none.
    """
    owner = next((look for look in phrase.looks if look in _WHOSE or look.endswith("'s")), "")
    if owner:
        phrase, article_word = replace(phrase, looks=tuple(one for one in phrase.looks if one != owner)), ""
    phrase = replace(phrase, looks=tuple(dict.fromkeys(one for one in phrase.looks if not one.startswith("but_no_"))))
    core = " ".join([*(_LOOKS.get(look, look.replace("_", " ")) for look in phrase.looks), written(phrase.noun)])
    if phrase.noun in _PERSONS:
        return _PERSONS[phrase.noun]
    if article_word == "no" and phrase.noun in SOMEBODY:
        return f"nobody{_whereabouts(phrase)}"
    if phrase.noun in PRONOUNS and not phrase.looks and phrase.noun not in ("one", "ones", "other"):
        words = phrase.noun
    elif phrase.noun in ("something", "anything", "everything", "whatever"):
        noun = "everything" if phrase.noun == "whatever" else phrase.noun
        words = " ".join([noun, *(look.replace("_", " ") for look in phrase.looks)])
    elif phrase.looks[:1] == ("something",):  # "something to write with"
        words = core
    else:
        words = f"{_WHOSE.get(owner, owner)} {_determined(phrase, core, article_word)}".strip()
    return words + _whereabouts(phrase)


def _determined(phrase: Phrase, core: str, article_word: str) -> str:
    if phrase.count.isdecimal():
        number = int(phrase.count)
        return f"{number_word(number)} {core if number == 1 else _several(core)}"
    if phrase.count in ("all", "rest"):
        several = core if phrase.noun in MASS else _several(core)
        return f"{'all the' if phrase.count == 'all' else 'the rest of the'} {several}" if article_word else several
    if phrase.count == "another":
        return f"another {core}"
    if article_word == "a":
        return core if phrase.noun in MASS else f"any {core}" if names_several(phrase) else article(core)
    if phrase.count == "other":
        core = f"other {core}"
    return f"{article_word} {core}".strip()


def _several(core: str) -> str:
    return core if core.endswith("s") and core.split()[-1] not in _NO_NUMBER else many_of(core)


def _whereabouts(phrase: Phrase) -> str:
    words = ""
    if phrase.place is not None:
        relation, landmark = phrase.place
        owned = relation == "of"
        words += f" {_PLACES.get(relation, relation)} {words_of(landmark, '' if owned else 'the')}"
    if phrase.holds is not None:
        words += f" with {words_of(phrase.holds, 'a')}"
    return words
