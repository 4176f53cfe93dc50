"""Questions of the deeds of one kind, or of all that was asked for: "what have you put in the fridge so far?", "how
many things did you move?", "did you do both?"."""

from __future__ import annotations

import re

from teach_agents.agents.dialogue.deed_queries import deed_words, is_idle, is_that, order_of, touches, what_of
from teach_agents.agents.dialogue.dialogue_state import Deed
from teach_agents.agents.dialogue.noun_text import listed, sentence, words_of
from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.order_text import Form, act_words, read_act
from teach_agents.agents.dialogue.presuppositions import not_done_so
from teach_agents.agents.dialogue.question_phrases import ALL_DONE
from teach_agents.agents.dialogue.referring_expressions import subject
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.notation import RESULTS, write_meaning
from teach_agents.understanding.order_rules import order_in, present
from teach_agents.understanding.plain_text import plain_text

_THINGS = r"(?:all|else|more|other|exactly|different|things?|items?|objects?|stuff|ones|of (?:them|those|these))"
_WHAT_DONE = re.compile(
    rf"\b(?P<how>(?:what|how many|which|everything)(?: {_THINGS})*)(?: that)?"
    r" (?:(?:have|did) (?:you|u|ya)|you(?:'ve| have)?)(?: (?:all|already|just|actually|ever|really|had to|have to))*"
    r" (?P<verb>[a-z]+)(?P<rest>[a-z' -]*)"
)
"""What asks for all to which one thing was done."""
_WHEN = re.compile(
    r"(?: (?:so far|yet|today|just now|earlier|already|altogether|in total|in all|until now|up to now|for me|then|now"
    r"|again|exactly|please|first|last|before|since|all together))+$"
)
_OF_SOME = frozenset({"count", "there", "state"})
_OF_DEEDS = _OF_SOME | {"which", "what", "did", "in", "on", "near", "other", "task"}
"""Topics that such questions are read as; those of some things where they name none."""
_EITHER = re.compile(
    r"\b(?:did|have) (?:you|u|ya)\b[^.!?]*\bor\b(?! (?:not|did|have|was|were|is|are|what|something|so)\b)"
)
"""What asks which of two deeds was done."""
_LAST_TWO, _LAST_ONE = frozenset({"both"}), frozenset({"it", "that"})


def deeds_asked(question: DialogueAct, text: str, knowing: RoomKnowledge) -> str:
    """The answer to a question of what one thing was done to, or whether all was done; "" for any other."""
    plain = plain_text(text)
    named = next((slot.phrase.noun for slot in question.slots), "")
    if question.about not in _OF_DEEDS or (question.about in _OF_SOME and kinds_of(named)):
        return ""
    if (found := ALL_DONE.search(plain)) is not None and not knowing.state.doing:
        return _whether_all(found["what"] or "it", knowing)
    if question.about == "did" and question.of and _EITHER.search(plain):
        return _of_either(question.of[0], knowing)
    found = _WHAT_DONE.search(plain)
    asked = _asked(found["verb"], found["rest"]) if found is not None else None
    if found is None or asked is None:
        return ""
    made = [deed for deed in knowing.state.deeds if touches(deed)]
    if asked.about != "touch":
        that = [deed for deed in made if is_that(deed, asked, knowing)]
        last = _where_last(asked, made)
        made = that if that or last is None else [deed for deed in made if is_that(deed, last, knowing)]
    done = [deed for deed in made if deed.done and not is_idle(deed)]
    which = re.search(r"\b(first|last)\b", found["rest"])
    done = done if which is None else done[:1] if which[0] == "first" else done[-1:]
    told = [*(_together(done, knowing) if done else ()), *_on_the_way(asked, done, knowing)]
    if told:
        ids = {one for deed in done for one in deed.ids}
        number = f"{number_word(len(ids) or len(told))}: " if found["how"].startswith("how many") else ""
        return sentence(f"{number}I {listed(told)}")
    return f"{'None' if found['how'].startswith('how many') else 'Nothing'}{_nothing(asked, made, knowing)}"


def _where_last(asked: DialogueAct, made: list[Deed]) -> DialogueAct | None:
    """What is asked about "in there", with the place where something was put last; `None` for what names its place."""
    if not any(slot.role and slot.phrase.noun in PRONOUNS | {"there"} for slot in asked.slots):
        return None
    orders = filter(None, (read_act(deed.act) for deed in reversed(made) if deed.done))
    places = [
        slot for order in orders if order.about == asked.about for slot in order.slots if slot.role in ("in", "on")
    ]
    return asked._replace(slots=(asked.slots[0], places[0])) if places else None


def _of_either(asked: DialogueAct, knowing: RoomKnowledge) -> str:
    """Whether one of two deeds was done, without a yes or a no, which would not tell which; "" where it was so
    already."""
    made = [deed for deed in knowing.state.deeds if is_that(deed, asked, knowing) and deed.done]
    if made:
        return f"I {deed_words(made[-1], Form.PAST, knowing)}." if made[-1].changed else ""
    return f"I did not {act_words(asked)}."


def _asked(verb: str, rest: str) -> DialogueAct | None:
    """The order to do to anything what a question asks about; `None` for what is none, or only looks."""
    rest = _WHEN.sub("", rest.rstrip())
    forms = (f"{present(verb)} anything{rest}", f"{present(verb)}{rest} anything")
    order = next((orders[0] for form in forms if (orders := order_in(form)) and len(orders) == 1), None)
    what = what_of(order) if order is not None else None
    if order is None or what is None or (what.noun, what.looks, what.place) != ("anything", (), None):
        return None
    return order if touches(Deed(write_meaning([order]), True, "")) else None


def _together(done: list[Deed], knowing: RoomKnowledge) -> list[str]:
    """Deeds in words, those alike but for their things as one: "put the fork and the spoon in the sink"."""
    alike: dict[DialogueAct, list[DialogueAct]] = {}
    for order in filter(None, (order_of(deed, knowing) for deed in done)):
        alike.setdefault(order._replace(slots=tuple(slot for slot in order.slots if slot.role)), []).append(order)
    told = []
    for orders in alike.values():
        names = [words_of(what) for order in orders if (what := what_of(order)) is not None]
        words = act_words(orders[0], Form.PAST)
        told.append(words.replace(names[0], listed([*dict.fromkeys(names)]), 1) if names else words)
    return told


def _on_the_way(asked: DialogueAct, done: list[Deed], knowing: RoomKnowledge) -> list[str]:
    """What was opened for something else, where it is asked what was opened."""
    ids = {one for deed in done for one in deed.ids}
    opened = [one for one in knowing.state.opened if one not in ids] if asked.about == "open" else []
    names = [*dict.fromkeys(map(subject, knowing.body.things.known(opened)))]
    return [f"had to open {listed(names)} on the way"] if names else []


def _nothing(asked: DialogueAct, made: list[Deed], knowing: RoomKnowledge) -> str:
    """Why nothing was done of what is asked about."""
    if knowing.state.doing and is_that(Deed(knowing.state.doing, False, ""), asked, knowing):
        return f": I am still {act_words(knowing.state.doing, Form.ONGOING)}."
    if made and made[-1].done:
        said = not_done_so(made[-1], asked, RESULTS.get(asked.about, ""), knowing).removeprefix("No")
        return said or ", it was so already."
    if made:
        return f": I could not {deed_words(made[-1], Form.PLAIN, knowing)}. {sentence(made[-1].said)}".strip()
    return f": I did not {act_words(asked)}."


def _whether_all(what: str, knowing: RoomKnowledge) -> str:
    """Whether all was done of the last orders, or of the last one."""
    deeds = knowing.state.deeds
    meant = deeds[-1:] if what in _LAST_ONE else deeds[-2:] if what in _LAST_TWO else deeds
    failed = [deed for deed in meant if not deed.done]
    if not meant:
        return "You have not asked me to do anything yet."
    done = [*dict.fromkeys(deed_words(deed, Form.PAST, knowing) for deed in meant if deed.done)]
    if not failed:
        return f"{'It was so already:' if all(map(is_idle, meant)) else 'Yes,'} I {listed(done)}."
    missed = listed([deed_words(deed, Form.PLAIN, knowing) for deed in failed], last="or")
    reason = sentence(failed[-1].said) if failed[-1].said else ""
    but = f"I {listed(done)}, but " if done else ""
    return f"No, {but}I could not {missed}. {reason}".strip()
