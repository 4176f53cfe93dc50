"""How things were before something was done to them: "was it on when you got there?", "how many were still open?"."""

from __future__ import annotations

import re

from teach_agents.agents.dialogue.conditions import OPPOSITES
from teach_agents.agents.dialogue.dialogue_state import Deed
from teach_agents.agents.dialogue.noun_text import all_number, listed, sentence
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.order_text import Form, act_words, read_act
from teach_agents.agents.dialogue.question_phrases import IT
from teach_agents.agents.dialogue.referring_expressions import all_of, subject, the_one
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.notation import RESULTS
from teach_agents.understanding.order_rules import order_in, present
from teach_agents.understanding.plain_text import plain_text

_HAD_BEEN = re.compile(
    r"(?:^|[,.;:!?]) ?\W*(?:(?:and|so|but|ok|okay|right|wait|hang on|tell me)\W+)*(?:was|were)(?:n'?t)? "
    r"|\b(?:was|were|been|had|did|find|found|left)\b.*\b(?:before(?:hand)?|to (?:begin|start) with|at first|originally"
    r"|all along|when you (?:got|came|found|arrived|reached|turned up|started|went|looked))\b"
    r"|\b(?:had|has|did) (?:some(?:body|one)|any(?:body|one)|they|he|she|it|i|we|my \w+|the \w+) (?:\w+ )?"
    r"(?:left|leave|been|forgot|forget|forgotten)\b"
    r"|\bdid you find (?:it|them|that|the \w+(?: \w+)?) [a-z]"
    rf"|\bor (?:was|were) {IT}\b|\b(?:if|whether) (?:(?:any|all|both|either|one|some) of )?{IT} (?:was|were|had been)\b"
    r"|\b(?:did|do) you (?:really |actually |even )?have to\b"
)
_WHICH_WERE = re.compile(
    r"\b(?:how many|which|any|all|both|either|none|one)\b[^.!?]*?\b(?:was|were|had been|you found)\b"
    r"(?: (?:still|already|actually|really|left|even|not))* (?P<state>[a-z]+)\b"
    r"|\b(?:was|were) (?:any|all|both|either|some|one|none) of (?:them|those|these|the [a-z]+(?: [a-z]+)?|both)"
    r"(?: (?:still|already|actually|really|left|even|not))* (?P<so>[a-z]+)\b"
)
"""What asks how many of several things were in a state before something was done to them."""
_HOW_MANY_DONE = re.compile(
    r"\bhow many\b[^.!?]*?\b(?:(?:did|have) you|(?<!can )(?<!could )(?<!do )(?<!will )you(?:'ve| have| had to)?)"
    r" (?:actually |really |have to |just )*(?P<verb>[a-z]+)"
)
"""What asks to how many things something was done."""
_OF_ONE = frozenset({"state", "what_state", "other", "did"})
_OF_SEVERAL = _OF_ONE | {"count", "which", "there", "what"}
"""Topics that such questions are read as."""


def earlier_state(question: DialogueAct, text: str, knowing: RoomKnowledge) -> str:
    """The answer to a question of how things were before orders changed that; "" for any other question, and where none
    did."""
    plain = plain_text(text)
    slot = next(iter(question.slots), None)
    found = _WHICH_WERE.search(plain) if question.about in _OF_SEVERAL else None
    state = state_called(found["state"] or found["so"]) if found is not None else ""
    if state in LOOKS and (told := _which_were(slot.phrase if slot is not None else Phrase("them"), state, knowing)):
        return told
    done = _HOW_MANY_DONE.search(plain) if question.about in _OF_SEVERAL else None
    if done is not None and (verb := next(iter(order_in(f"{present(done['verb'])} it") or ()), None)) is not None:
        return _how_many(verb.about, slot.phrase if slot is not None else Phrase("them"), knowing)
    if question.about not in _OF_ONE or question.of or not _HAD_BEEN.search(plain):
        return ""
    role, phrase = slot or Slot("", Phrase("it"))
    return _had_been(phrase, role.removeprefix(":"), knowing, either=" or " in plain)


def _had_been(phrase: Phrase, asked: str, knowing: RoomKnowledge, *, either: bool) -> str:
    """How a thing was before the latest order that brought its state about. With `either` the question names more than
    one state."""
    things = knowing.find(phrase).chosen
    ids, state = {thing.object_id for thing in things}, state_called(asked)
    for deed in reversed(knowing.state.deeds):
        result = _result(deed) if ids & {*deed.ids} else ""
        if not result or (state and state not in (result, OPPOSITES.get(result))):
            continue
        before = OPPOSITES.get(result, f"not {result}") if deed.changed else result
        prefix = "" if either or not state else "Yes, " if state == before else "No, "
        name = sentence(subject(things[0]), "") if not prefix else subject(things[0])
        if not deed.changed:
            return f"{prefix}{name} was {before} already when I got to it."
        order = read_act(deed.act)
        assert order is not None, "it has a result"
        done = act_words(order._replace(slots=(Slot("", Phrase("it")),)), Form.PAST)
        return f"{prefix}{name} was {before} before I {done}."
    return ""


def _which_were(phrase: Phrase, asked: str, knowing: RoomKnowledge) -> str:
    """How many, and which, of what the latest orders of one kind were about were in a state before."""
    meant = {thing.object_id for thing in knowing.find(phrase).things} if kinds_of(phrase.noun) else set()
    so, others, result = list[str](), list[str](), ""
    for deed in reversed(knowing.state.deeds):
        brought = _result(deed)
        ids = [one for one in deed.ids if not meant or one in meant]
        if not ids or asked not in (brought, OPPOSITES.get(brought)) or (result and brought != result):
            break
        result = brought
        was = so if (asked == result) is not deed.changed else others
        was[:0] = ids
    if not result:
        return ""
    things, rest = ([*knowing.body.things.known(dict.fromkeys(ids))] for ids in (so, others))
    total = len(things) + len(rest)
    if not things:
        was_not = "It was not" if total == 1 else "None of them was"
        were = "it was" if total == 1 else f"{all_number(total)} were"
        return f"{was_not} {asked}: {were} {OPPOSITES.get(asked, f'not {asked}')} already."
    number = number_word(len(things)) if rest or total == 1 else all_number(total)
    of = f" of the {number_word(total)}" if rest else ""
    names = [*dict.fromkeys(map(subject, things))]
    told = (
        ""
        if len(names) < len(things)
        else f": {listed(names if not rest else [the_one(one, knowing.body) for one in things])}"
    )
    return sentence(f"{number}{of} {'was' if len(things) == 1 else 'were'} {asked}{told}")


def _how_many(verb: str, phrase: Phrase, knowing: RoomKnowledge) -> str:
    """To how many things orders with a verb did something that had to be done; "" for one without a result."""
    if verb not in RESULTS:
        return ""
    meant = {thing.object_id for thing in knowing.find(phrase).things} if kinds_of(phrase.noun) else set()
    ids = [
        one
        for deed in knowing.state.deeds
        if _result(deed) == RESULTS[verb] and deed.changed
        for one in deed.ids
        if not meant or one in meant
    ]
    things = [*knowing.body.things.known(dict.fromkeys(ids))]
    past = act_words(DialogueAct(Act.ORDER, verb, (Slot("", Phrase("it")),)), Form.PAST).removesuffix(" it")
    return (
        f"I {past} {number_word(len(things))}: {all_of(things, knowing.body)}."
        if things
        else f"None: I {past} nothing."
    )


def _result(deed: Deed) -> str:
    """The state that a deed brought about, "" for none."""
    order = read_act(deed.act)
    return RESULTS.get(order.about, "") if order is not None and deed.done else ""
