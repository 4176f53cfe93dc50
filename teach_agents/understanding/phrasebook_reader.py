"""Reading by the phrasebook: the planner pair's own English, whole utterances of it, as dialogue acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading, Slot
from teach_agents.understanding.english.lexicon import noun, preposition
from teach_agents.understanding.english.understanding import leaves_open, understand_instructions
from teach_agents.understanding.english.values import Instruction, Landmark, Reference, Relation, State, Verb
from teach_agents.understanding.reader import LONGEST

NAME = "phrasebook"
_VERBS: Mapping[Verb, str] = {
    Verb.PUT: "put",
    Verb.PICK_UP: "pick_up",
    Verb.CLEAN: "wash",
    Verb.SLICE: "slice",
    Verb.COOK: "cook",
    Verb.TOAST: "toast",
    Verb.BOIL: "boil",
    Verb.COFFEE: "make",
    Verb.FILL: "fill",
    Verb.EMPTY: "empty",
    Verb.WATER: "water",
    Verb.CLEAR: "clear",
    Verb.TURN_ON: "turn_on",
    Verb.TURN_OFF: "turn_off",
    Verb.OPEN: "open",
    Verb.CLOSE: "close",
}
_RELATIONS: Mapping[Relation, str] = {
    Relation.NEAR: "near",
    Relation.LEFT: "left",
    Relation.RIGHT: "right",
    Relation.ABOVE: "above",
    Relation.BELOW: "below",
    Relation.BEHIND: "behind",
    Relation.BEFORE: "front",
}
_PRONOUN = "It"


class PhrasebookReader:
    """Reads what the phrasebook knows whole; what is said in passing has no acts that call for anything."""

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        if len(text) > LONGEST:
            return Reading((), 0.0, NAME)
        steps = understand_instructions(text)
        if not steps or leaves_open(text):
            return Reading((), 0.0, NAME)
        acts = tuple(act for step in steps for act in _acts(step))
        return Reading(acts or (DialogueAct(Act.OK),), 1.0, NAME)


def _acts(step: Instruction) -> Iterator[DialogueAct]:
    if step.verb is Verb.LOOK:
        yield from _fact(step)
    elif step.verb is Verb.COFFEE:
        slots = (Slot("", Phrase("coffee")), *(Slot("in", _phrase(one)) for one in (step.what,) if one is not None))
        yield DialogueAct(Act.ORDER, "make", slots)
    elif step.verb in _VERBS:
        slots = tuple(Slot("", _phrase(one)) for one in (step.what,) if one is not None)
        if step.where is not None:
            slots = (*slots, Slot(preposition(step.where.noun), _phrase(step.where)))
        yield DialogueAct(Act.ORDER, _VERBS[step.verb], slots)


def _fact(step: Instruction) -> Iterator[DialogueAct]:
    """A hint: where something is, or where to look for what was spoken of."""
    what = _phrase(step.what) if step.what is not None else Phrase("it")
    if step.where is not None:
        place = _phrase(step.where)
        relation = preposition(step.where.noun)
        if not place.noun and place.place is not None:
            relation, place = place.place
        what = Phrase(what.noun, what.count, what.looks, (relation, place), what.holds)
    yield DialogueAct(Act.FACT, slots=(Slot("", what),))


def _phrase(reference: Reference) -> Phrase:
    if reference.noun == _PRONOUN:
        return Phrase("them" if reference.count is None else "it")
    place = ("in", _phrase(reference.place)) if reference.place is not None else None
    if reference.place is not None:
        place = (preposition(reference.place.noun), _phrase(reference.place))
    if reference.landmark is not None:
        place = _landmark(reference.landmark)
    count = "all" if reference.count is None else "" if reference.count == 1 else str(reference.count)
    looks = tuple(state.value for state in reference.states if state is not State.SAME)
    holds = _phrase(reference.content) if reference.content is not None else None
    name = noun(reference.noun).one.lower().replace(" ", "_") if reference.noun else ""
    return Phrase(name, count, looks, place, holds)


def _landmark(landmark: Landmark) -> tuple[str, Phrase]:
    return _RELATIONS[landmark.relation], _phrase(landmark.thing)
