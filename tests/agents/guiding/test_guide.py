"""What a person in the Follower's seat is told: by the planner, and by a language model that chooses the steps."""

from __future__ import annotations

import pytest

from teach_agents.agents.planner import planner_commander
from teach_agents.core.agents.contract import Agent
from tests.agents.guiding.sitting import Seat
from tests.agents.lm.commanding import commander, planning_model


def _coffee(agent: Agent | None = None, *, seed: int = 0) -> Seat:
    seat = Seat(agent or planner_commander(), "Coffee", room="FloorPlan5", seed=seed)
    seat.hear()
    return seat


@pytest.mark.parametrize("agent", [planner_commander, lambda: commander(planning_model())], ids=["planner", "lm"])
def test_what_comes_first_is_said_with_where_it_is(agent: object) -> None:
    seat = Seat(agent(), "Coffee", room="FloorPlan5", seed=0)  # type: ignore[operator]
    assert "First, wash the mug. The mug is in the sink." in seat.hear()


@pytest.mark.parametrize("agent", [planner_commander, lambda: commander(planning_model())], ids=["planner", "lm"])
def test_each_question_is_answered_by_what_it_asks(agent: object) -> None:
    seat = _coffee(agent())  # type: ignore[operator]
    for question, words in {
        "where is the coffee machine?": "The coffee machine is on a counter top",
        "which one?": "The mug in the sink",
        "how many do you need?": "Just one.",
        "How do I turn on the coffee machine?": "turn it on",
        "Do I need a spoon?": "No. For this step you only need the mug and the sink.",
        "do we need the coffee maker?": "Not now, but later.",
        "Am I done?": "Not yet: you still have to wash the mug.",
        "what's the task again?": "brew coffee into a clean mug",
        "Is the mug dirty?": "Yes, the mug is dirty.",
        "should I wash the mug?": "Yes, wash the mug.",
        "where do I put it?": "Put it in the sink.",
        "thanks!": "You are welcome.",
        "what time is it?": "I do not know that. Now wash the mug.",
        "thanks, where's the mug?": "The mug is in the sink.",
    }.items():
        answer = seat.say(question)
        assert words in answer, (question, answer)


def test_what_the_step_takes_is_told_from_what_it_does_not() -> None:
    seat = Seat(planner_commander(), "Clean All X", "Plate", room="FloorPlan7")
    seat.hear()
    for question, words in {
        "should I open the fridge?": "Yes",
        "should I turn on the stove?": "No",
        "what's in the fridge?": "plate",
        "what do I need?": "For this step you need the plate and the sink.",
        "how many plates are there?": "There are two plates",
        "how many more?": "All of them. There is one left.",
        "which one?": "The plate in the fridge",
        "where is the banana?": "I know of no banana here.",
        "can you do it?": "I can only tell you what to do.",
        "are you sure?": "As far as I know",
        "the toaster won't turn on": "No. For this step you only need",
        "I have the plate": "I see. You still have to wash all the dirty plates.",
        "what is left?": "You still have to wash all the dirty plates.",
    }.items():
        answer = seat.say(question)
        assert words in answer, (question, answer)


def test_what_is_not_found_is_told_more_exactly_and_ends_nothing() -> None:
    seat = Seat(planner_commander(), "Clean All X", "Plate", room="FloorPlan7")
    seat.hear()
    answers = [
        seat.say(line) for line in ("I can't find it", "it's not there", "cannot see a plate anywhere", "I give up")
    ]
    assert all("fridge to the" in one for one in answers[:3]) and answers[1].startswith("Look again")
    for _ in range(12):
        seat.say("that did not work")
    assert "Finish" not in seat.names


def test_praise_needs_the_check() -> None:
    seat = _coffee()
    assert seat.say("done") == "The progress check does not show that yet: you still have to wash the mug."
    assert seat.say("I washed it") == "I see. You still have to wash the mug."
    seat.change("Mug", isDirty=False)
    answer = seat.say("done, where is the coffee machine?")
    assert answer.startswith("The coffee machine is") and "make coffee in the mug" in answer
    assert any(word in answer for word in ("done", "Well done", "thank you", "Very good"))


def test_a_line_before_the_first_word_is_answered_first() -> None:
    seat = Seat(planner_commander(), "Coffee", room="FloorPlan5", seed=0)
    seat.wait(1)
    answer = seat.say("where is the coffee machine?")
    assert answer.index("The coffee machine is") < answer.index("First, wash the mug")


def test_no_line_is_lost() -> None:
    answer = _coffee().say("where is the mug?", "is it dirty?", "what is the task?")
    assert [part in answer for part in ("in the sink", "Yes, the mug is dirty", "The task: brew")] == [True] * 3


def test_a_language_model_waits_while_a_person_thinks() -> None:
    agent = commander(planning_model())
    seat = _coffee(agent)
    decisions = agent.usage.model_calls
    assert set(seat.wait(600)) == {"NoOp", "OpenProgressCheck"}
    assert agent.usage.model_calls == decisions
    assert seat.say("which one?").startswith("The mug in the sink")


def test_what_did_not_work_is_explained_and_then_left_for_something_else() -> None:
    seat = Seat(planner_commander(), "Salad", "1", "1", "1", room="FloorPlan6")
    assert "cook the potato" in seat.hear()
    assert "microwave" in seat.say("it doesn't work")
    assert "microwave" in seat.say("I can't do it")
    assert "slice" in seat.say("it still won't work")
