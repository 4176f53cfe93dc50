"""Questions in plain words, as topics and what they are about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import any_of, grammar, pattern
from teach_agents.understanding.noun_phrases import is_known, noun_phrase
from teach_agents.understanding.order_rules import Acts, courtesies, order_in, present, state_of, things_listed


def question_in(text: str, *, asked: bool) -> Acts | None:
    """The question that a clause is, which is known to be one if it was `asked` with a mark."""
    tail = courtesies()[1].sub("", text)
    plain = re.sub(rf"^(?:(?:{any_of('question_leads')}) )+", "", tail)
    for form in dict.fromkeys((text, plain)):
        if asked and text == tail and (ability := _ability(form)):
            return ability
        if special := _how(form) or (_possible(form) if asked or form == text else None):
            return special
        for topic, patterns in (*grammar()["asked_behind"].items(), *grammar()["asked"].items()):
            for one in patterns:
                if (found := pattern(one).fullmatch(form)) and (acts := _asked(topic, found)):
                    return acts
        if asked and (found := pattern("(?P<x>.+?) (?:still )?{state}").fullmatch(form)):
            if acts := _asked("state", found):
                return acts
        if deed := _deed(form):
            return deed
    return None


_DONE = (
    r"(?:did you|have you) (?:already |really |just |actually |even |manage to )?(.+?)"
    r"(?: yet| already| now| or not| (?:like|as) i (?:asked|said|told you))?"
)


def _deed(text: str) -> Acts | None:
    """ "Did you wash the mug?": whether something was done."""
    found = re.fullmatch(_DONE, text)
    if found is None or not (acts := order_in(present(found[1]))) or any(act.about == "do" for act in acts):
        return None
    return [DialogueAct(Act.QUESTION, "did", of=(act,)) for act in acts]


def _ability(text: str) -> Acts | None:
    """ "Can you slice bread?": whether it can at all, of things that are not pointed out."""
    found = re.fullmatch(r"(?:can you|are you able to|do you know how to) ([a-z]+(?: up)?(?: [a-z ]+)?)", text)
    pointed = rf"\b(?:{any_of('articles')}|it|them|me|us|this|that|in|on|to|with|from|some|one|all)\b"
    if found is None or re.search(pointed, found[1]) or not (acts := order_in(found[1])):
        return None
    return [DialogueAct(Act.QUESTION, "can", of=tuple(map(_of_a_kind, acts)))]


def _possible(text: str) -> Acts | None:
    """ "Would you be able to lift the TV?": an ability that is asked for in so many words."""
    for one in grammar()["abilities"]:
        if (found := re.fullmatch(one, text)) and (acts := order_in(found["rest"])):
            return [DialogueAct(Act.QUESTION, "can", of=tuple(map(_of_a_kind, acts)))]
    return None


def _of_a_kind(act: DialogueAct) -> DialogueAct:
    """An act about one thing of a kind, where all of them were named."""
    return act._replace(slots=tuple(slot._replace(phrase=replace(slot.phrase, count="")) for slot in act.slots))


def _how(text: str) -> Acts | None:
    """ "How do you make toast?": how something is done."""
    for one in grammar()["asked_how"]:
        if (found := re.fullmatch(one, text)) and (acts := order_in(present(found["rest"]))):
            if all(act.act is Act.ORDER and act.about != "do" for act in acts):
                return [DialogueAct(Act.QUESTION, "how", of=tuple(acts))]
    return None


def _described(words: Mapping[str, str]) -> str:
    """What is asked about, with what is said of it elsewhere: where it is, whose it is, what it holds, how it looks."""
    text = words["x"]
    if words.get("look"):
        text = f"{words['look']} {text}"
    if words.get("of"):
        text += f" of {words['of']}"
    if words.get("holds"):
        text += f" with {words['holds']}"
    return f"{text} {words['where']}" if words.get("where") else text


_KINDS = frozenset({"there", "count", "which", "have"})
"""Topics with which "any apples" and "apples" ask the same."""


def _asked(topic: str, found: re.Match[str]) -> Acts | None:
    words = found.groupdict()
    if topic == "other":
        return [DialogueAct(Act.QUESTION, topic, (Slot("", Phrase(found[0])),))]
    if words.get("place"):
        words["x"] = f"that {words['place']}"
    if words.get("x") is None:
        return [DialogueAct(Act.QUESTION, topic)]
    either = " or " in words["x"]
    if not either and (listed := things_listed(words["x"], placed="where" in words)) is not None:
        each = [_asked_of(topic, {**words, "x": one}) for one in listed]
        return [act for acts in each for act in acts or ()] if all(each) else None
    return _asked_of(topic, words)


def _asked_of(topic: str, words: Mapping[str, str]) -> Acts | None:
    beside = any(words["x"].startswith(f"{relation} ") for relation, _ in grammar()["relations"])
    thing = noun_phrase(f"something {words['x']}" if topic == "what" and beside else _described(words))
    if thing is None or not is_known(thing) or (thing.noun == "you" and thing.place is None):
        return None
    if topic == "have" and thing.noun == "anything":
        thing = replace(thing, noun="something")
    if topic in _KINDS and thing.count in ("all", "any", "some"):
        thing = replace(thing, count="")
    state = "" if topic == "what_state" else state_of(words.get("state") or "")
    if state and topic in ("which", "count"):
        thing, state = replace(thing, looks=(*thing.looks, state)), ""
    return [DialogueAct(Act.QUESTION, topic, (Slot(f":{state}" if state else "", thing),))]
