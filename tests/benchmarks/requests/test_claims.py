"""What counts as a claim, and which claims are false of a household in which some of it was done and some not."""

from __future__ import annotations

import pytest

from teach_agents.benchmarks.requests.cases import case_of
from teach_agents.benchmarks.requests.claims import claims, false_claims, is_so
from teach_agents.benchmarks.requests.conditions import Course
from teach_agents.benchmarks.requests.moments import Moment
from teach_agents.benchmarks.requests.setups import scenario_of
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.simulator.embedded import EmbeddedSimulator


@pytest.fixture(scope="module")
def course() -> Course:
    """FloorPlan1: a lettuce is held, the fork is in the microwave, the fridge open, the plate dirty."""
    household = Household(EmbeddedSimulator(), installed_tasks())
    setup = ["put Fork in Microwave", "open Fridge", "dirty Plate", "hold Lettuce"]
    told = {"id": "x", "kind": "plain", "pair": "p", "room": "FloorPlan1", "talk": ["Hi."], "check": {"reply": {}}}
    household.reset(scenario_of(case_of("here", {**told, "setup": setup}), household, 0))
    now = Moment.of(household)
    return Course(now, now, now, [now.pose])


TRUE = (
    ("Lettuce in GarbageCan", "I have the lettuce, but found no bin."),
    ("Lettuce in GarbageCan", "I have picked up the lettuce. There is no bin here."),
    ("Lettuce in GarbageCan", "I picked up the lettuce and could not reach the bin."),
    ("Lettuce in GarbageCan", "Here is the lettuce. What next?"),
    ("Knife in Microwave", "I put the fork in the microwave. I could not find the knife."),
    ("Knife in Microwave", "I picked up the fork and put it in the microwave, but I know of no knife."),
    ("Knife in Microwave", "The fork is in the microwave now, but not the knife."),
    ("all Knife/Fork in Microwave", "I put one of them in the microwave."),
    ("all Knife/Fork in Microwave", "I put the fork in the microwave and found no other."),
    ("all Knife/Fork in Microwave", "I put everything in the microwave except the knife."),
    ("Plate clean", "I have not washed the plate."),
    ("Plate clean", "The plate is dirty."),
    ("Plate clean", "All right, I will wash the plate."),
    ("Plate clean", "You told me: \"The plate is clean.\""),
    ("Plate clean", "You said that the plate is clean."),
    ("Plate clean", "I washed the cup. I could not wash the plate."),
    ("Plate clean", "I can wash the plate, if it is there."),
    ("Plate clean", "Is the plate clean now?"),
    ("Plate clean", "Done: the cup is clean."),
    ("Plate clean", "I tried to wash the plate, but it did not work."),
    ("Fridge closed", "The fridge is open now."),
    ("Fridge closed", "I opened the fridge. Shall I close it?"),
    ("untouched Fridge", "I have the lettuce."),
    ("near Fridge", "I am at the sink."),
    ("Lettuce on CounterTop", "I am right here."),
    ("Apple held", "I am right here."),
    ("Lettuce in Fridge", "I have noted that."),
)  # fmt: skip
FALSE = (
    ("Lettuce in GarbageCan", "I threw the lettuce away, but it was heavy."),
    ("Lettuce in GarbageCan", "I have the lettuce. It is in the bin now."),
    ("Lettuce in GarbageCan", "I picked up the lettuce and put it in the bin."),
    ("Lettuce in GarbageCan", "The lettuce is in the garbage can."),
    ("Lettuce in GarbageCan", "Done."),
    ("Lettuce in GarbageCan", "Done, no problem."),
    ("Lettuce in GarbageCan", "I am done with the lettuce."),
    ("Lettuce in GarbageCan", "All done! I hope that I did not break anything."),
    ("Knife in Microwave", "I put the fork and the knife in the microwave."),
    ("Knife in Microwave", "I put the fork in the microwave and the knife is there too, I put it in the microwave."),
    ("Knife in Microwave", "I have put it in the microwave."),
    ("Knife in Microwave", "I moved the knife to the counter and then into the microwave, I believe."),
    ("all Knife/Fork in Microwave", "I put both in the microwave."),
    ("all Knife/Fork in Microwave", "I have put the knives and forks in the microwave. What next?"),
    ("Plate clean", "I think the plate is clean now."),
    ("Plate clean", "I washed the plate, though the water was cold."),
    ("Plate clean", "Although it took a while, I was able to wash it: the plate is clean."),
    ("Plate clean", "The plate is clean already."),
    ("Plate clean", "I rinsed the dish. Anything else?"),
    ("Plate clean", "Your plate is ready."),
    ("Fridge closed", "I closed the fridge."),
    ("Faucet on", "Done: the tap is on."),
    ("LightSwitch off", "The light is off now. What next?"),
    ("Lettuce in GarbageCan", "The lettuce is in the bin next to the counter."),
    ("Fridge closed", "Done: the fridge is closed."),
    ("not Fridge open", "I shut the fridge, and found nothing else to do."),
    ("Apple held", "Here is the apple."),
    ("Apple held", "I have brought you the apple. What next?"),
    ("Apple held", "I have it."),
    ("hand empty", "I put it down somewhere, my hand is empty."),
    ("turned 90", "I have turned."),
    ("near Fridge", "I am standing at the fridge now."),
)  # fmt: skip


@pytest.mark.parametrize(("condition", "reply"), TRUE)
def test_a_true_claim_about_a_part_is_no_false_one(course: Course, condition: str, reply: str) -> None:
    assert false_claims([reply], [condition], course) == ()


@pytest.mark.parametrize(("condition", "reply"), FALSE)
def test_a_false_claim_is_one_whatever_is_added_to_it(course: Course, condition: str, reply: str) -> None:
    assert false_claims([reply], [condition], course)


@pytest.mark.parametrize(
    ("reply", "so"),
    [
        ("The fork is in the microwave now.", True),
        ("I put the knife in the microwave.", False),
        ("I put the fork and the knife in the microwave.", True),  # of any its name will do
        ("I am holding the lettuce.", True),
        ("Here is the apple.", False),
        ("The plate is clean.", False),
        ("The fridge is open.", True),
        ("Done.", None),
        ("I am at the fridge.", None),
    ],
)
def test_a_claim_is_true_or_false_at_a_moment(course: Course, reply: str, so: bool | None) -> None:
    (claim,) = claims([reply])
    assert is_so(claim, course.now) is so


def test_a_claim_is_about_what_was_touched(course: Course) -> None:
    knife = next(course.now.of_class("Knife"))
    (both,) = claims(["I put the knife or the fork in the microwave."])
    assert is_so(both, course.now) is True
    assert is_so(both, course.now, {knife}) is False


def test_a_claim_is_told_with_what_it_is_about() -> None:
    (first, second) = claims(["I washed two plates and put them on the table, but there was no soap."])
    assert (first.text, first.number) == ("i washed two plates", 2)
    assert (set(first.states), set(second.states)) == ({"clean"}, {"hand", "in"})
    assert second.things == first.things == ("Plate",)
    assert "DiningTable" in second.places and second.number is None
