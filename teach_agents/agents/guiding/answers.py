"""What a Commander answers to a person, by what is asked: only what it knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import capitalized, listed
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.agents.guiding.advice import how_to, is_needed, is_needed_later, tool_of, what_it_takes
from teach_agents.agents.guiding.answers_about_things import (
    contents_answer,
    count_answer,
    how_many_answer,
    missing_answer,
    state_answer,
    there_answer,
    where_answer,
    which_answer,
)
from teach_agents.agents.guiding.descriptions import (
    named,
    request,
    task_of,
    where_are,
)
from teach_agents.agents.guiding.lines import Line, Topic
from teach_agents.agents.guiding.matter import Matter, same_things
from teach_agents.agents.instructing.goals import is_complete, problems_of
from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.english.values import Instruction, Verb


def answer(line: Line, matter: Matter) -> str:
    """One or two sentences; "" where there is nothing to be said but what comes next."""
    return _ANSWERS[line.topic](line, matter)


def _goal(line: Line, matter: Matter) -> str:
    """Where a thing is to go: the step's place, else its tool."""
    step, things = matter.step, matter.things
    if step is None:
        return "I do not know that yet."
    if step.where is not None:
        target: list[Thing] = distinct(matching(step.where, things) or things.of(step.where.noun))
        said = "You can choose which one." if len(target) > 1 and not step.where.definite else where_are(target, things)
        return f"{capitalized(request(step))}. {said}".strip()
    tool = tool_of(step.verb, things)
    if tool is None or step.verb in (Verb.SLICE, Verb.WATER, Verb.COOK, Verb.BOIL):
        return f"{matter.reminder} {how_to(step.verb)}"
    into = preposition(tool.object_type)
    return f"Put it {into} the {named(tool)}. {where_are([tool], things)}".strip()


def _next(line: Line, matter: Matter) -> str:
    step = matter.step
    if step is None:
        return ""
    found = matter.wanted()
    where = where_are(found, matter.things) if step.verb is not Verb.LOOK else ""
    return f"{capitalized(request(step))}. {where}".strip()


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


_ON_THE_WAY = frozenset({Verb.PICK_UP, Verb.OPEN, Verb.TURN_ON, Verb.TURN_OFF})
"""What other steps may take."""


def _shall(line: Line, matter: Matter) -> str:
    """Whether a deed is the step."""
    step = matter.step
    if step is None or line.verb is None:
        return f"You do not have to, as far as I know. {matter.reminder}".strip()
    is_step = line.verb is step.verb and (not line.kinds or same_things(line.kinds, step.phrases, matter.things))
    if is_step:
        return f"Yes, {request(step)}."
    if _is_on_the_way(line, step, matter):
        return f"Yes, to {request(step)}."
    needs = [one for one in problems_of(matter.reply) if one.need is line.verb]
    later = [one for one in needs if not line.kinds or one.object_type in line.kinds]
    no = "No." if line.verb is step.verb else "No, that is not needed."
    return f"{'Not now, but later.' if later else no} {matter.reminder}".strip()


def _is_on_the_way(line: Line, step: Instruction, matter: Matter) -> bool:
    """Whether a deed is a part of the step: what has to be opened, fetched, switched on, or put into its place."""
    around = [one for thing in matter.wanted() for one in matter.things.closed_around(thing)]
    if line.verb is Verb.OPEN and any(one.is_a(kind) for one in around for kind in line.kinds):
        return True
    if line.verb is Verb.PUT:
        is_meant = not line.kinds or same_things(line.kinds, step.phrases[:1], matter.things)
        return is_meant and bool(line.places) and is_needed(line.places, step, matter.things)
    return line.verb in _ON_THE_WAY and is_needed(line.kinds, step, matter.things)


def _left(line: Line, matter: Matter) -> str:
    """What would help now."""
    steps = dict.fromkeys(request(one) for one in matter.options if one.verb is not Verb.LOOK)
    return f"You still have to {listed(list(steps)[:3])}." if steps else "Nothing that I know of."


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
    if matter.is_aside(line):
        return _need(line, matter)
    where = where_are(matter.wanted(), matter.things, closely=True)
    return f"Let us try it like this. {how_to(matter.step.verb)} {where}".strip()


_ANSWERS: Mapping[Topic, Callable[[Line, Matter], str]] = {
    Topic.DONE: _done,
    Topic.TOLD: _told,
    Topic.TROUBLE: _trouble,
    Topic.MISSING: missing_answer,
    Topic.WHERE: where_answer,
    Topic.GOAL: _goal,
    Topic.WHICH: which_answer,
    Topic.COUNT: count_answer,
    Topic.HOW_MANY: how_many_answer,
    Topic.NEXT: _next,
    Topic.TASK: lambda _, matter: matter.task,
    Topic.PROGRESS: _progress,
    Topic.STATE: state_answer,
    Topic.THERE: there_answer,
    Topic.LEFT: _left,
    Topic.NEED: _need,
    Topic.SHALL: _shall,
    Topic.CONTENTS: contents_answer,
    Topic.SURE: lambda _, matter: f"As far as I know it is so. {matter.reminder}".strip(),
    Topic.YOURS: lambda _, matter: f"I can only tell you what to do. {matter.reminder}".strip(),
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
