from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.actions import Role
from teach_agents.errors import InputError
from teach_agents.learning.paraphrasing import Paraphraser
from teach_agents.learning.rooms import OTHER_ROOMS, TRAINING_ROOMS
from teach_agents.learning.selfplay import SelfPlay, instances, self_play
from teach_agents.learning.teaching import Teacher, Wording
from teach_agents.models import Choices, Prompt, ScriptedModel


def _said(name: str, text: str) -> str:
    return f"{name}: {text}\nYou hold: nothing.\nWhat do you do now?"


def _asked(user: str, *choices: str) -> Prompt:
    return Prompt.of(user, Choices(choices), system="You are the Follower.")


def test_training_rooms_are_those_of_the_training_split() -> None:
    assert len(TRAINING_ROOMS) == 98 and len(OTHER_ROOMS) == 22
    assert "FloorPlan10" not in TRAINING_ROOMS


def test_only_training_rooms_are_played_in() -> None:
    made = instances(24, seed=3)
    assert len({one.instance_id for one in made}) == 24
    assert all(one.rooms and {*TRAINING_ROOMS}.issuperset(one.rooms) for one in made)


def test_sessions_that_agents_are_judged_by_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "valid_seen"
    folder.mkdir()
    (folder / "a.game.json").write_text("{}")
    with pytest.raises(InputError, match="is of a split that agents are judged by"):
        instances(1, games=folder)
    with pytest.raises(InputError, match="exploring"):
        SelfPlay(exploring=0.9)


def test_the_teacher_reads_plain_words_and_keeps_what_was_heard() -> None:
    wording = Wording({Role.COMMANDER: Paraphraser(random.Random(5))})
    heard = next(
        said for turn in range(50) if (said := wording.say(turn, Role.COMMANDER, "Wash the mug.")) != "Wash the mug."
    )
    teacher = Teacher("s", wording, random.Random(0))
    answered = teacher.complete([_asked(_said("Commander", heard), "clean a mug", "slice the mug", "wait")])
    assert answered[0].text == "clean a mug"
    (kept,) = teacher.demonstrations
    assert heard in kept.user
    assert (kept.role, kept.choice) == (Role.FOLLOWER, "clean a mug")
    done = f"Commander: {heard}\n(clean a mug: done)\nYou hold: nothing."
    again = teacher.complete([_asked(done, "clean a mug", "report that it is done", "wait")])
    assert again[0].text == "report that it is done"


def test_what_no_planner_would_choose_makes_no_label() -> None:
    teacher = Teacher("s", Wording({}), random.Random(0))
    answered = teacher.complete([_asked(_said("Commander", "Wash the mug."), "slice the tomato", "wait")])
    assert answered[0].text == "wait"
    assert not teacher.demonstrations
    assert sum(teacher.dropped.values()) == 1


def test_exploring_does_something_else_and_never_ends_the_session() -> None:
    teacher = Teacher("s", Wording({}), random.Random(0), exploring=1.0)
    prompt = _asked(_said("Commander", "Wash the mug."), "clean the mug", "stop", "slice the tomato")
    assert {teacher.complete([prompt])[0].text for _ in range(20)} == {"slice the tomato"}
    assert [one.choice for one in teacher.demonstrations] == ["clean the mug"]


def test_a_session_of_the_pair_makes_demonstrations_of_both_chairs() -> None:
    instance = replace(instances(1, seed=1)[0], task_name="Coffee", rooms=("FloorPlan1",), seed=3)
    made, told = self_play(instance, SelfPlay(exploring=0.0))
    assert told["success"], told
    assert told["pair"] == "teacher teacher"
    roles = [one.role for one in made]
    assert set(roles) == set(Role)
    assert roles == sorted(roles, reverse=True)
    assert told["labels"]["follower: make coffee"] == 1
    assert self_play(instance, SelfPlay(exploring=0.0))[0] == made


def test_a_student_does_what_it_would_and_is_told_what_is_right() -> None:
    student = ScriptedModel(["slice the tomato"])
    teacher = Teacher("s", Wording({}), random.Random(0), exploring=1.0, student=student)
    answered = teacher.complete([_asked(_said("Commander", "Wash the mug."), "clean the mug", "slice the tomato")])
    assert answered[0].text == "slice the tomato"
    assert [one.choice for one in teacher.demonstrations] == ["clean the mug"]
    assert teacher.explored == 1
