"""Meanings as symbols, which heads write one after another: names of acts, roles, relations, and single words.

    get(2 dirty plate @on coffee_table)   "#get" "r:" "n:2" " dirty" " plate" "@on" " coffee" "_table"
    if(it: open) close(it)                "if(" " it" ":" " open" ")" "#close" "r:" " it"
    chat(nice day today)                  "#chat" "w:" First word, last word

A word begins with a space, one that goes on with a name with "_". Words that an act keeps as they were said are told by
the places of the first and the last of them in the utterance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase
from teach_agents.errors import InputError
from teach_agents.understanding.languages import likeliest_language
from teach_agents.understanding.notation import COUNTS, read_meaning, write_phrase
from teach_agents.understanding.tokens import OWNS

NAME, ROLE, COUNT, SAID, INNER, INNER_END = "#", "r:", "n:", "w:", "<", ">"
IF, UNLESS, CLOSED, HAVE, STATE = "if(", "unless(", ")", "have", ":"
HELD = "held"


class Place(NamedTuple):
    """A word of the utterance, by its place."""

    at: int


Symbol = str | Place


def name_of(act: DialogueAct) -> str:
    """An act's name: a verb, "?" and a topic, or the act's own."""
    if act.act is Act.QUESTION:
        return f"?{act.about}"
    return act.about if act.act is Act.ORDER else act.act.value


def kept_words(act: DialogueAct) -> str:
    """The words that an act keeps as they were said, "" where it has none."""
    if act.act in (Act.CHAT, Act.FACT):
        return act.about
    free = (act.act is Act.ORDER and act.about in ("do", "call")) or (act.act is Act.QUESTION and act.about == "other")
    return act.slots[0].phrase.noun if free and act.slots else ""


def keeping(acts: Sequence[DialogueAct]) -> Iterator[DialogueAct]:
    """Those of acts, and of what they speak of, that keep words, in the order of their symbols."""
    for act in acts:
        if kept_words(act):
            yield act
        else:
            yield from keeping(act.of)


def symbols_of(acts: Sequence[DialogueAct], kept: Sequence[tuple[int, int]]) -> list[Symbol]:
    """The symbols of acts. `kept` says where the words of those that keep words are: from, to before."""
    places = iter(kept)
    return [symbol for act in acts for symbol in _act(act, places)]


def acts_of(symbols: Sequence[Symbol], words: Sequence[str]) -> tuple[DialogueAct, ...]:
    """The acts of symbols that were written of words. Raises `InputError` where they are no meaning."""
    reading = _Reading(symbols, words)
    return read_meaning("; ".join(reading.acts()))


def _act(act: DialogueAct, places: Iterator[tuple[int, int]]) -> Iterator[Symbol]:
    if act.condition is not None:
        yield from _condition(act.condition)
    yield f"{NAME}{name_of(act)}"
    if kept_words(act):
        start, end = next(places)
        yield from (SAID, Place(start), Place(end - 1))
        return
    for one in act.of:
        yield from (INNER, *_act(one, places), INNER_END)
    if act.act is Act.OTHER_LANGUAGE:
        return
    for slot in act.slots:
        stated = slot.role.startswith(STATE)
        yield ROLE if stated else f"{ROLE}{slot.role}"
        yield from _phrase(slot.phrase)
        if stated:
            yield from (STATE, *_name(slot.role[1:]))


def _condition(condition: Condition) -> Iterator[Symbol]:
    yield IF if condition.holds else UNLESS
    if condition.state == HELD:
        yield HAVE
    yield from _phrase(condition.phrase)
    if condition.state and condition.state != HELD:
        yield from (STATE, *_name(condition.state))
    yield CLOSED


def _phrase(phrase: Phrase) -> Iterator[str]:
    begins, words = True, write_phrase(phrase).split(" ")
    for at, word in enumerate(words):
        if word.startswith("@") or (word == "of" and at):
            yield word
            begins = True
            continue
        if word.startswith("+"):
            yield "+"
            word, begins = word[1:], True
        if begins and (word in COUNTS or word.isdecimal()) and at + 1 < len(words):
            yield f"{COUNT}{word}"
        else:
            yield from _name(word)
        begins = False


def _name(text: str) -> Iterator[str]:
    for word in text.split(" "):
        first, *others = word.split("_")
        for one in (f" {first}", *(f"_{other}" for other in others)):
            yield one.removesuffix(OWNS)
            if one.endswith(OWNS):
                yield OWNS


class _Reading:
    """Symbols, read from left to right."""

    def __init__(self, symbols: Sequence[Symbol], words: Sequence[str]) -> None:
        self._symbols, self._words, self._at = symbols, words, 0

    def acts(self) -> Iterator[str]:
        while self._next is not None:
            yield self._act()

    @property
    def _next(self) -> Symbol | None:
        return self._symbols[self._at] if self._at < len(self._symbols) else None

    def _take(self, *wanted: str) -> str:
        """The next symbol, one of those wanted, if any are."""
        found = self._next
        if not isinstance(found, str) or (wanted and found not in wanted):
            raise InputError("symbols", "are no meaning", value=str(found), valid=wanted)
        self._at += 1
        return found

    def _act(self) -> str:
        condition = f"{self._condition()} " if self._next in (IF, UNLESS) else ""
        name = self._take()
        if not name.startswith(NAME):
            raise InputError("symbols", "are no meaning", value=name)
        name = name[len(NAME) :]
        if self._next == SAID:
            return f"{condition}{name}({self._said()})"
        parts = [likeliest_language(" ".join(self._words))] if name == Act.OTHER_LANGUAGE else list[str]()
        while self._next == INNER:
            self._take()
            parts.append(self._act())
            self._take(INNER_END)
        while isinstance(self._next, str) and self._next.startswith(ROLE):
            parts.append(self._slot())
        return f"{condition}{name}({', '.join(parts)})" if parts else f"{condition}{name}"

    def _condition(self) -> str:
        word, have = self._take(), ""
        if self._next == HAVE:
            have = f"{self._take()} "
        thing = self._thing()
        state = f": {self._state()}" if self._next == STATE else ""
        return f"{word}{have}{thing}{state}{self._take(CLOSED)}"

    def _slot(self) -> str:
        role = self._take()[len(ROLE) :]
        thing = self._thing()
        state = f": {self._state()}" if self._next == STATE else ""
        return f"{role} {thing}{state}" if role else f"{thing}{state}"

    def _state(self) -> str:
        self._take(STATE)
        return self._thing()

    def _thing(self) -> str:
        """Words of a description, as the notation has them."""
        text = ""
        while isinstance(self._next, str):
            symbol = self._next
            if symbol == OWNS:
                text += symbol
            elif symbol.startswith((" ", "_")):
                text += symbol[1:] if text.endswith("+") and symbol[0] == " " else symbol
            elif symbol.startswith(("@", COUNT)) or symbol in ("of", "+"):
                text += f" {symbol.removeprefix(COUNT)}"
            else:
                break
            self._at += 1
        return text.strip()

    def _said(self) -> str:
        self._take(SAID)
        ends = self._symbols[self._at : self._at + 2]
        self._at += 2
        if len(ends) < 2 or not all(isinstance(one, Place) for one in ends):
            raise InputError("symbols", "are no meaning", value=str(ends))
        first, last = sorted(one.at for one in ends if isinstance(one, Place))
        kept = [word for word in self._words[first : last + 1] if word == OWNS or any(map(str.isalnum, word))]
        return " ".join(kept).replace(f" {OWNS}", OWNS).removeprefix(OWNS).strip() or "it"
