"""What a Follower may do, made of what it heard and sees."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from teach_agents.actions import Role
from teach_agents.agents.lm.candidates import Kind, candidates
from teach_agents.agents.lm.phrases import command
from teach_agents.observations import Utterance
from teach_agents.understanding.english.natural import NaturalSpeaker
from teach_agents.understanding.english.understanding import understand_instructions
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, State, Verb
from tests.agents.acting.making import kitchen, row
from tests.agents.lm.following import heard

PLATE = Reference("Plate", 1, True)
INSTRUCTIONS = (
    Instruction(Verb.PUT, Reference("TomatoSliced", 2), replace(PLATE, states=(State.CLEAN,), place=PLATE)),
    Instruction(Verb.PUT, Reference("Fork", None, True), Reference("Sink", 1, True)),
    Instruction(Verb.PICK_UP, Reference("CellPhone", 1, True)),
    Instruction(Verb.CLEAN, Reference("Mug", 2, False, (State.DIRTY,))),
    Instruction(Verb.SLICE, Reference("Bread")),
    Instruction(Verb.COOK, Reference("Potato"), Reference("Microwave", 1, True)),
    Instruction(Verb.TOAST, Reference("BreadSliced", 2)),
    Instruction(Verb.BOIL, Reference("Potato", 1, True)),
    Instruction(Verb.COFFEE, Reference("Mug", 1, False, (State.CLEAN,))),
    Instruction(Verb.FILL, replace(PLATE, noun="Pot", place=Reference("Fridge", 1, True))),
    Instruction(Verb.EMPTY, Reference("Bowl", 1, True)),
    Instruction(Verb.WATER, Reference("HousePlant", 1, True)),
    Instruction(Verb.CLEAR, replace(PLATE, content=Reference("Apple"))),
    Instruction(Verb.TURN_ON, Reference("FloorLamp", 1, True)),
    Instruction(Verb.TURN_OFF, Reference("Television", 1, True)),
    Instruction(Verb.OPEN, Reference("Drawer")),
    Instruction(Verb.CLOSE, Reference("Fridge", 1, True)),
)


def texts(*said: str, **settings: object) -> list[str]:
    return [one.text for one in candidates(heard(*said, **settings))]  # type: ignore[arg-type]  # as `heard` takes them


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=command)
def test_whatever_is_asked_for_can_be_chosen(instruction: Instruction) -> None:
    speaker = NaturalSpeaker(random.Random(1))
    for _ in range(8):
        said = speaker.request(instruction)
        (understood,) = understand_instructions(said)
        assert command(understood) in texts(said), said


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=command)
def test_commands_are_controlled_english(instruction: Instruction) -> None:
    assert understand_instructions(command(instruction)) == (instruction,)


def test_verbs_do_not_matter_only_nouns() -> None:
    assert texts("The mug, in the sink!") == texts("Mumble the mug grumble in the sink!")


def test_they_are_the_same_every_time_different_and_few() -> None:
    said = ["Put the plate on the table", "Fill a pot", "Wash all the forks and the mug", "Cook the potato in a pan"]
    first = texts(*said, rows=kitchen())
    assert first == texts(*said, rows=kitchen())
    assert len(set(first)) == len(first) <= 70
    assert len(texts(said[0])) <= 20


def test_what_is_in_view_comes_to_mind() -> None:
    found = texts(rows=kitchen())
    assert {"pick up the knife", "slice the tomato"} <= set(found)
    assert "clean the tomato" not in found
    held = [*kitchen(), row("Mug", 0, pickupable=True, isPickedUp=True)]
    assert "put the mug on the counter top" in texts(rows=held)


def test_it_is_what_was_handled_last() -> None:
    situation = heard("Wash it", rows=[row("Mug", 0, pickupable=True, dirtyable=True)])
    assert "clean it" not in [one.text for one in candidates(situation)]
    situation.body.memory.handled.append("Mug|0")
    assert "clean it" in [one.text for one in candidates(situation)]


def test_what_was_never_seen_can_be_looked_and_asked_for() -> None:
    found = texts("Wash the mug", knows_all=False)
    assert {"look for a mug", "ask where the mug is", "clean the mug"} <= set(found)
    assert "look for a mug" not in texts("Wash the mug")
    assert "look in the fridge" in texts("The mug is in the fridge")


def test_what_failed_can_be_tried_again_and_told() -> None:
    situation = heard("Put it there", rows=kitchen())
    situation.retry = [Instruction(Verb.PUT, Reference("Fork"), Reference("Sink", 1, True))]
    situation.failed = Report(ReportKind.NO_ROOM, Reference("Sink", 1, True))
    offered = {one.text: one for one in candidates(situation)}
    assert "put a fork in the sink" in offered
    assert situation.failed in offered["say that there is no room at the sink"].reports


def test_who_heard_the_commander_last_may_take_it_for_the_end_in_whatever_words() -> None:
    assert "stop" in texts("Wash the mug", "Thanks, that is all")
    assert "stop" in texts("Genug für heute, danke!")
    assert "stop" not in texts()


def test_who_spoke_last_waits_for_an_answer_unless_it_was_let_go() -> None:
    answered = (Utterance(Role.FOLLOWER, "Done. What next?", 9_000),)
    for said, may_stop in (("Wash the mug", False), ("Thanks, that is all", True)):
        situation = heard(said)
        situation.plan.hear(answered)
        assert ("stop" in [one.text for one in candidates(situation)]) is may_stop


def test_who_is_alone_talks_to_nobody() -> None:
    alone = candidates(heard("Wash the mug", alone=True))
    assert {one.text for one in alone} >= {"clean the mug", "stop"}
    assert not any(one.kind in (Kind.SAY, Kind.WAIT) for one in alone), "nobody hears it, and nothing will come"


def test_what_is_under_way_can_go_on() -> None:
    situation = heard("Wash the mug")
    situation.plan.begin("clean the mug")
    assert "go on" in [one.text for one in candidates(situation)]


def test_who_is_asked_for_slices_may_cut_them() -> None:
    assert "slice a tomato" in texts("Put two slices of tomato on the plate")
    assert "slice a bread" in texts("Make a toast")
    assert "slice a tomato" not in texts("Put the tomato on the plate")
