"""What a Commander answers to a person, by what is asked: only what it knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.states import LOOKS, named_state
from teach_agents.agents.guiding.advice import how_to, is_needed, is_needed_later, tool_of, what_it_takes
from teach_agents.agents.guiding.lines import Line, Topic
from teach_agents.agents.guiding.wording import (
    capital,
    distinct,
    joined,
    named,
    place_of,
    request,
    several,
    task_of,
    where_are,
)
from teach_agents.agents.instructing.goals import Reply, is_complete, problems_of
from teach_agents.understanding.english.lexicon import noun, number_word, preposition
from teach_agents.understanding.english.values import Instruction, Reference, Verb


@dataclass(frozen=True, slots=True)
class Matter:
    """What a Commander answers from: the step that it asked for, the room as it knows it, the last progress check.

    `options` are the steps that would help, `told` is what was said to the person last.
    `spoken` are the kinds of things that were spoken of last; `sees` is whether it can see what things are like.
    """

    step: Instruction | None
    things: Things
    reply: Reply
    spoken: tuple[str, ...] = ()
    options: Sequence[Instruction] = ()
    told: str = ""
    sees: bool = True

    @property
    def reminder(self) -> str:
        """What is to be done now, as a sentence; "" before anything was asked for."""
        return f"Now {request(self.step)}." if self.step is not None and self.step.verb is not Verb.LOOK else ""

    def meant(self, line: Line) -> list[Thing]:
        """The things that a line is about: what it names, else what was spoken of, else what the step is about."""
        if line.kinds:
            found = distinct(self.things.of(*line.kinds))
            return [one for one in found if all(LOOKS[look](one, self.things) for look in line.looks)]
        if self.spoken and self.things.of(*self.spoken) and not self._is_of_step(self.spoken):
            return distinct(self.things.of(*self.spoken))
        return self.wanted()

    def _is_of_step(self, kinds: Sequence[str]) -> bool:
        return self.step is not None and self.step.noun in kinds

    def wanted(self) -> list[Thing]:
        """What the step is to be done to."""
        what = self.step.what if self.step is not None else None
        if what is None:
            return []
        return distinct(matching(what, self.things) or self.things.of(what.noun))


def answer(line: Line, matter: Matter) -> str:
    """One or two sentences; "" where there is nothing to be said but what comes next."""
    return _ANSWERS[line.topic](line, matter)


def _unknown_thing(line: Line) -> str:
    return f"I know of no {noun(line.kinds[0]).one} here." if line.kinds else "I do not know that."


def _where(line: Line, matter: Matter) -> str:
    found = matter.meant(line)
    if not found:
        return _unknown_thing(line)
    return where_are(found, matter.things) or f"I do not know where the {several(found)} is."


def _missing(line: Line, matter: Matter) -> str:
    """Where it is, more exactly than before."""
    found = matter.meant(line)
    if not found:
        return f"{_unknown_thing(line)} {matter.reminder}".strip()
    if len(found) > 1:
        found = [one for one in found if one in matter.wanted()] or found
    said = where_are(found, matter.things, closely=True)
    if not said:
        return "I do not know where it is."
    return f"Look again: {said[:1].lower()}{said[1:]}" if said in matter.told else said


def _goal(line: Line, matter: Matter) -> str:
    """Where a thing is to go: the step's place, else its tool."""
    step, things = matter.step, matter.things
    if step is None:
        return "I do not know that yet."
    if step.where is not None:
        target: list[Thing] = distinct(matching(step.where, things) or things.of(step.where.noun))
        said = "You can choose which one." if len(target) > 1 and not step.where.definite else where_are(target, things)
        return f"{capital(request(step))}. {said}".strip()
    tool = tool_of(step.verb, things)
    if tool is None or step.verb in (Verb.SLICE, Verb.WATER, Verb.COOK, Verb.BOIL):
        return f"{matter.reminder} {how_to(step.verb)}"
    into = preposition(tool.object_type)
    return f"Put it {into} the {named(tool)}. {where_are([tool], things)}".strip()


def _which(line: Line, matter: Matter) -> str:
    step, things = matter.step, matter.things
    phrases: list[Reference] = step.phrases if step is not None else []
    meant = next((one for one in phrases if any(one.noun == kind for kind in line.kinds)), None)
    if meant is None and line.kinds and not _same_things(line.kinds, phrases, things):
        is_tool = step is not None and is_needed(line.kinds, step, things) and len(matter.meant(line)) > 1
        return f"{'Any of them will do. ' if is_tool else ''}{_where(line, matter)}"
    meant = meant or next((one for one in phrases if _same_things(line.kinds, [one], things)), None)
    meant = meant or next(iter(phrases), None)
    found = [] if meant is None else distinct(matching(meant, things) or things.of(meant.noun))
    if meant is None or not found:
        return f"I do not know that. {matter.reminder}".strip()
    if len(found) == 1:
        place = place_of(found[0], things, closely=True)
        return f"The {named(found[0])} {place}." if place else f"There is only one {named(found[0])}."
    if meant.count is None or meant.count == len(found):
        return f"All of them. {where_are(found, things)}"
    one = next((one for one in found if not things.closed_around(one)), found[0])
    number = f"any {number_word(meant.count)}" if meant.count > 1 else "either" if len(found) == 2 else "any one"
    example = place_of(one, things)
    return f"{capital(number)} of the {number_word(len(found))} will do" + (
        f", for example the one {example}." if example else "."
    )


def _same_things(kinds: Sequence[str], phrases: Sequence[Reference], things: Things) -> bool:
    asked = things.of(*kinds) if kinds else []
    return not kinds or any(thing.is_a(phrase.noun) for phrase in phrases for thing in asked)


def _count(line: Line, matter: Matter) -> str:
    found = matter.meant(line)
    if not found:
        return _unknown_thing(line)
    if len(found) == 1:
        return f"There is one {named(found[0])}. {where_are(found, matter.things)}".strip()
    return where_are(found, matter.things) or f"There are {number_word(len(found))} {several(found)}."


def _how_many(line: Line, matter: Matter) -> str:
    """How many the step is to be done to."""
    step = matter.step
    what = step.what if step is not None else None
    if what is None or (line.kinds and not _same_things(line.kinds, [what], matter.things)):
        return _count(line, matter)
    if what.count is not None:
        return f"Just {number_word(what.count)}." if what.count < 3 else f"{capital(number_word(what.count))}."
    left = matching(what, matter.things)
    number = f" There {'is' if len(left) == 1 else 'are'} {number_word(len(left))} left." if left else ""
    return f"All of them.{number}"


def _next(line: Line, matter: Matter) -> str:
    step = matter.step
    if step is None:
        return ""
    found = matter.wanted()
    where = where_are(found, matter.things) if step.verb is not Verb.LOOK else ""
    return f"{capital(request(step))}. {where}".strip()


def _task(line: Line, matter: Matter) -> str:
    description = str(matter.reply.get("task_desc") or "")
    told = f"The task: {task_of(description)}." if description else "I tell you step by step."
    return f"{told} {matter.reminder}".strip()


def _progress(line: Line, matter: Matter) -> str:
    """Of a step that is not done yet: the check is told truly."""
    if is_complete(matter.reply):
        return "Yes, the task is complete."
    step = matter.step
    return (
        f"Not yet: you still have to {request(step)}."
        if step is not None and step.verb is not Verb.LOOK
        else "Not yet."
    )


def _told(line: Line, matter: Matter) -> str:
    if matter.step is None or matter.step.verb is Verb.LOOK:
        return "I see."
    return f"I see. You still have to {request(matter.step)}."


def _done(line: Line, matter: Matter) -> str:
    if matter.step is None or matter.step.verb is Verb.LOOK:
        return matter.reminder
    return f"The progress check does not show that yet: you still have to {request(matter.step)}."


_OPPOSITES = {
    "dirty": "clean",
    "open": "closed",
    "on": "off",
    "cooked": "raw",
    "empty": "full",
    "sliced": "whole",
}
_OPPOSITES |= {other: one for one, other in _OPPOSITES.items()}


def _state(line: Line, matter: Matter) -> str:
    found, things = matter.meant(line), matter.things
    if not line.state or not matter.sees:
        return f"I do not know that. {matter.reminder}".strip()
    if not found:
        return _unknown_thing(line)
    pieces = things.of(*(f"{kind}Sliced" for kind in line.kinds))
    if line.state == "sliced" and pieces:
        return f"Yes, there {'is' if len(pieces) == 1 else 'are'} {number_word(len(pieces))} {several(pieces)}."
    so = [one for one in found if LOOKS[line.state](one, things)]
    if len(found) == 1:
        word = line.state if so else _OPPOSITES.get(line.state, f"not {line.state}")
        return f"{'Yes' if so else 'No'}, the {named(found[0])} is {named_state(found[0], word)}."
    them = f"of the {number_word(len(found))} {several(found)}"
    none, every = ("neither", "both") if len(found) == 2 else ("none", "all")
    if not so:
        return f"No, {none} {them} is {line.state}."
    if len(so) == len(found):
        return f"Yes, {every} {them} are {line.state}."
    told = f"{capital(number_word(len(so)))} {them} {'is' if len(so) == 1 else 'are'} {line.state}."
    return f"{told} {where_are(so, things)}" if len(so) == 1 else told


def _there(line: Line, matter: Matter) -> str:
    found = matter.meant(line)
    if not found:
        kinds = line.kinds
        return (
            f"No, there is no {' '.join((*line.looks, noun(kinds[0]).one))} here." if kinds else "I do not know that."
        )
    if not line.places:
        return f"Yes. {where_are(found, matter.things)}".strip()
    inside = [
        one for one in found if any(one_of.is_a(kind) for one_of in matter.things.holders(one) for kind in line.places)
    ]
    return f"{'Yes' if inside else 'No'}. {where_are(inside or found, matter.things)}".strip()


def _need(line: Line, matter: Matter) -> str:
    step, things = matter.step, matter.things
    if step is None:
        return "I do not know that."
    if not line.kinds:
        takes = what_it_takes(step, things)
        return f"For this step you need {takes}." if takes else matter.reminder
    if is_needed(line.kinds, step, things):
        return f"Yes. {where_are(things.of(*line.kinds), things)}".strip()
    takes = what_it_takes(step, things)
    only = f" For this step you only need {takes}." if takes else ""
    is_later = is_needed_later(line.kinds, problems_of(matter.reply), things)
    return f"{'Not now, but later.' if is_later else 'No.'}{only}"


_ON_THE_WAY = frozenset({Verb.PUT, Verb.PICK_UP, Verb.OPEN, Verb.CLOSE, Verb.TURN_ON, Verb.TURN_OFF})
"""What other steps may take."""


def _shall(line: Line, matter: Matter) -> str:
    """Whether a deed is the step."""
    step = matter.step
    if step is None or line.verb is None:
        return f"I do not know that. {matter.reminder}".strip()
    is_step = line.verb is step.verb and (not line.kinds or _same_things(line.kinds, step.phrases, matter.things))
    if is_step:
        return f"Yes, {request(step)}."
    around = [one for thing in matter.wanted() for one in matter.things.closed_around(thing)]
    if line.verb in _ON_THE_WAY and (
        any(one.is_a(kind) for one in around for kind in line.kinds)
        or is_needed((*line.kinds, *line.places), step, matter.things)
    ):
        return f"Yes, to {request(step)}."
    needs = [one for one in problems_of(matter.reply) if one.need is line.verb]
    later = [one for one in needs if not line.kinds or one.object_type in line.kinds]
    return f"{'Not now, but later.' if later else 'No, that is not needed.'} {matter.reminder}".strip()


def _left(line: Line, matter: Matter) -> str:
    """What would help now."""
    steps = dict.fromkeys(request(one) for one in matter.options if one.verb is not Verb.LOOK)
    return f"You still have to {joined(list(steps)[:3])}." if steps else "Nothing that I know of."


def _how(line: Line, matter: Matter) -> str:
    verb = line.verb or (matter.step.verb if matter.step is not None and matter.step.verb is not Verb.LOOK else None)
    if verb is None:
        return f"I do not know that. {matter.reminder}".strip()
    asked = matter.things.of(*line.kinds) if line.kinds else []
    where = where_are(asked, matter.things) if asked and verb in (Verb.TURN_ON, Verb.TURN_OFF) else ""
    tool = tool_of(verb, matter.things)
    where = where or (where_are([tool], matter.things) if tool and verb not in (Verb.COOK, Verb.BOIL) else "")
    return f"{how_to(verb)} {where}".strip()


def _why(line: Line, matter: Matter) -> str:
    description = str(matter.reply.get("task_desc") or "")
    return (
        f"It is part of the task: {task_of(description)}." if description else f"I do not know that. {matter.reminder}"
    )


def _trouble(line: Line, matter: Matter) -> str:
    """How the step is done, for whom it did not work."""
    if matter.step is None:
        return "I am sorry to hear that."
    where = where_are(matter.wanted(), matter.things, closely=True)
    return f"Let us try it like this. {how_to(matter.step.verb)} {where}".strip()


_ANSWERS: Mapping[Topic, Callable[[Line, Matter], str]] = {
    Topic.DONE: _done,
    Topic.TOLD: _told,
    Topic.TROUBLE: _trouble,
    Topic.MISSING: _missing,
    Topic.WHERE: _where,
    Topic.GOAL: _goal,
    Topic.WHICH: _which,
    Topic.COUNT: _count,
    Topic.HOW_MANY: _how_many,
    Topic.NEXT: _next,
    Topic.TASK: _task,
    Topic.PROGRESS: _progress,
    Topic.STATE: _state,
    Topic.THERE: _there,
    Topic.LEFT: _left,
    Topic.NEED: _need,
    Topic.SHALL: _shall,
    Topic.HOW: _how,
    Topic.WHY: _why,
    Topic.WHO: lambda _, matter: (
        f"I am the Commander: I know the task and tell you the steps. {matter.reminder}".strip()
    ),
    Topic.THANKS: lambda _, __: "You are welcome.",
    Topic.PRAISE: lambda _, __: "Thank you.",
    Topic.HELLO: lambda _, matter: f"Hello! {matter.reminder}".strip(),
    Topic.BYE: lambda _, matter: (
        f"Before you go: {matter.reminder[:1].lower()}{matter.reminder[1:]}" if matter.step else "Goodbye."
    ),
    Topic.OK: lambda _, __: "Take your time.",
    Topic.WAIT: lambda _, __: "All right, I will wait. Tell me when you are ready.",
    Topic.LANGUAGE: lambda _, matter: f"I only understand English. {matter.reminder}".strip(),
    Topic.OTHER: lambda _, matter: f"I do not know that. {matter.reminder}".strip(),
}
