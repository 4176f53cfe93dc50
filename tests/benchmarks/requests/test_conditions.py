"""Setups, conditions and unneeded changes, on a real room."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from teach_agents.benchmarks.requests.cases import Case, case_of
from teach_agents.benchmarks.requests.changes import unneeded
from teach_agents.benchmarks.requests.conditions import Course, holds, subjects
from teach_agents.benchmarks.requests.moments import Moment, meant
from teach_agents.benchmarks.requests.player import prepared
from teach_agents.benchmarks.requests.verdicts import check_before
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator


@pytest.fixture(scope="module")
def household() -> Household:
    return Household(EmbeddedSimulator(), installed_tasks())


def _case(setup: list[str], check: dict[str, Any]) -> Case:
    told = {"id": "x", "kind": "plain", "pair": "p", "room": "FloorPlan1", "talk": ["Go."]}
    return case_of("here", {**told, "setup": setup, "check": check})


def _course(household: Household, *setup: str) -> Course:
    prepared(_case([*setup], {"reply": {}}), household)
    now = Moment.of(household)
    return Course(now, now, now, [now.pose])


@pytest.mark.parametrize(
    ("setup", "condition"),
    [
        ("put Apple in Fridge", "Apple in Fridge"),
        ("dirty Mug", "Mug dirty"),
        ("open Microwave", "Microwave open"),
        ("hold Lettuce", "Lettuce held"),
        ("slice Tomato", "Tomato sliced"),
        ("slice Bread", "Bread sliced"),
        ("on Toaster", "Toaster on"),
        ("fill Mug coffee", "Mug filled"),
        ("stand near Sink", "near Sink"),
        ("stand near Fridge", "facing Fridge"),
    ],
)
def test_a_setup_makes_a_condition_hold(household: Household, setup: str, condition: str) -> None:
    assert not holds(condition, _course(household))
    assert holds(f"not {condition}", _course(household))
    assert holds(condition, _course(household, setup))


def test_what_was_put_away_behind_a_door_is_behind_it(household: Household) -> None:
    assert holds("Fridge closed", _course(household, "put Apple in Fridge"))


def test_quantifiers_count(household: Household) -> None:
    course = _course(household, "put Apple in Fridge", "put Tomato in Fridge")
    for condition in ("any Fruit in Fridge", "all Fruit in Fridge", "2 Fruit in Fridge", "no Vase in Fridge"):
        assert holds(condition, course), condition
    assert not holds("1 Fruit in Fridge", course)
    assert not holds("all Food in Fridge", course)


def test_nouns_tell_things_apart_by_where_they_were(household: Household) -> None:
    course = _course(household, "put Apple in Fridge")
    assert meant("Food@Fridge", course.first) == tuple(
        one for one in course.first.objects if one.startswith(("Apple", "Egg"))
    )
    assert len(meant("Vase", course.first)) == 2
    assert meant("Vase#2", course.first) == meant("Vase", course.first)[1:]


def test_motions_are_seen_from_where_it_stood(household: Household) -> None:
    before = _course(household).asked
    household.simulator.step(SimulatorAction("RotateRight", magnitude=90.0))
    household.simulator.step(SimulatorAction("MoveRight", magnitude=0.25, force=True))
    now = Moment.of(household)
    course = Course(before, before, now, [before.pose], 2)
    assert holds("turned 90", course)
    assert holds("moved 0.25 back", course)
    assert holds("acted", course)
    assert not holds("still", course)
    assert not holds("back 0", course)
    assert not holds("looks up", course)


@pytest.mark.parametrize(
    "condition", ["Vase held", "Mug", "Mugg held", "Mug shiny", "Mug in Bathtub", "turned", "moved far", "back 9"]
)
def test_what_cannot_be_read_or_is_ambiguous_is_refused(household: Household, condition: str) -> None:
    with pytest.raises(InputError):
        holds(condition, _course(household))


@pytest.mark.parametrize("setup", ["juggle Mug", "put Mug", "dirty Bathtub", "dirty Apple", "turn up", "stand Fridge"])
def test_a_setup_that_cannot_be_done_is_refused(household: Household, setup: str) -> None:
    with pytest.raises(InputError, match="setup"):
        _course(household, setup)


def test_changes_that_nobody_asked_for_are_told(household: Household) -> None:
    before = _course(household).first
    for name, noun in (("OpenObject", "Fridge"), ("SliceObject", "Bread"), ("PickupObject", "Mug")):
        (object_id,) = meant(noun, before)
        household.simulator.step(SimulatorAction(name, object_id, force=True))
    now = Moment.of(household)
    allowed = {*meant("Bread", before), *meant("Mug", before)}
    (told,) = unneeded(before, now, allowed)
    assert told.startswith("Fridge") and "is_open" in told
    assert any("is elsewhere" in one for one in unneeded(before, now, meant("Bread", before)))


def test_a_burner_is_on_where_its_knob_is(household: Household) -> None:
    before = _course(household).first
    burners = meant("StoveBurner", before)
    (knob,) = before.controls_of(burners[0])
    household.simulator.step(SimulatorAction("ToggleObjectOn", knob, force=True))
    now = Moment.of(household)
    course = Course(before, before, now, [now.pose])
    assert holds("StoveBurner#1 on", course) and holds("StoveBurner#2 off", course)
    assert not list(unneeded(before, now, burners[:1]))
    assert list(unneeded(before, now, burners[1:2]))


def test_what_a_check_is_about_may_change(household: Household) -> None:
    course = _course(household)
    found = subjects(["not any Mug in Sink", "turned 90", "hand empty"], course)
    assert found == set(meant("Mug", course.first))


def test_a_check_that_holds_before_the_request_is_refused(household: Household) -> None:
    course = _course(household, "hold Mug")
    check_before(_case([], {"true": ["Mug held"], "reply": {}}), course.first)
    with pytest.raises(InputError, match="holds before"):
        check_before(_case([], {"true": ["Mug held"]}), course.first)
    with pytest.raises(InputError, match="'may' names nothing"):
        check_before(_case([], {"true": ["Apple held"], "may": ["Bathtub"]}), course.first)


def test_what_was_cut_up_before_it_was_asked_for_is_its_pieces(household: Household) -> None:
    cut = _course(household, "slice Apple")
    whole = _course(household)
    first, slices = cut.now, cut.now.pieces_of(meant("Apple", cut.now)[0])
    assert len(slices) > 1 and whole.now.pieces_of(meant("Apple", whole.now)[0]) == ()
    fridge = meant("Fridge", first)[0]

    def with_in_fridge(count: int) -> Moment:
        inside = {one: replace(first.objects[one], parents=(fridge,)) for one in slices[:count]}
        return replace(first, objects={**first.objects, **inside}, held=slices[-1])

    some, all_of_them = (replace(cut, now=with_in_fridge(count)) for count in (1, len(slices)))
    assert holds("Apple in Fridge", all_of_them) and not holds("Apple in Fridge", some)
    assert holds("any Apple in Fridge", some) and not holds("not Apple in Fridge", some)
    assert holds("Apple held", some)
    unasked = replace(all_of_them, asked=whole.asked)
    assert not holds("Apple in Fridge", unasked) and not holds("any Apple in Fridge", unasked)
    assert not holds("Apple held", unasked), "the whole one was there to be brought"


def test_any_bread_is_cooked_where_a_slice_is(household: Household) -> None:
    whole, cut = _course(household), _course(household, "slice Bread").now
    toasted = cut.pieces_of(meant("Bread", cut)[0])[0]
    done = replace(cut, objects={**cut.objects, toasted: replace(cut.objects[toasted], is_cooked=True)})
    assert not holds("any Bread cooked", replace(whole, now=cut))
    assert holds("any Bread cooked", replace(whole, now=done))
