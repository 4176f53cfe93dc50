"""From a progress check to the next step."""

from __future__ import annotations

from teach_agents.agents.instructing.goals import NEEDS, Problem, is_complete, problems_of, satisfied_conditions
from teach_agents.agents.instructing.strategy import Strategist
from teach_agents.agents.instructing.targets import TargetChooser
from teach_agents.tasks import TaskLibrary
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, State, Verb
from tests.agents.acting.making import Row, kitchen, row, things


def _next(strategist: Strategist, rows: list[Row], task: str, *params: str) -> Instruction | None:
    reply = TaskLibrary.builtin().task(task, list(params)).check(rows).to_reply()
    return strategist.next_step(problems_of(reply), satisfied_conditions(reply), things(*rows))


def _without(rows: list[Row], object_id: str) -> list[Row]:
    return [row for row in rows if row["objectId"] != object_id]


def test_a_slice_is_cut_then_a_plate_washed_then_the_slice_put_on_it() -> None:
    rows = list(kitchen())
    task = ("N Slices Of X In Y", "2", "Tomato", "on", "Plate")
    first = _next(Strategist(), rows, *task)
    assert first == Instruction(Verb.SLICE, Reference("Tomato", 1, True))
    base = _without(rows, "Tomato|0")
    gone = row("Tomato", 0, pickupable=True, sliceable=True, isSliced=True)
    sliced = [*base, gone, *(row("TomatoSliced", n, "CounterTop|0", pickupable=True) for n in range(3))]
    second = _next(Strategist(), sliced, *task)
    assert second is not None and second.verb is Verb.CLEAN
    washed = row("Plate", 1, "Sink|0", pickupable=True, receptacle=True, dirtyable=True, isDirty=False)
    clean = [*_without(sliced, "Plate|1"), washed]
    third = _next(Strategist(), clean, *task)
    assert third is not None and third.verb is Verb.PUT
    assert third.what == Reference("TomatoSliced", 2)
    assert third.where is not None and third.where.noun == "Plate" and third.where.definite


def test_a_dirty_mug_is_washed_before_coffee() -> None:
    mug = row("Mug", 0, dirtyable=True, isDirty=True, pickupable=True, canFillWithLiquid=True)
    step = _next(Strategist(), [mug, row("CoffeeMachine")], "Coffee")
    assert step == Instruction(Verb.CLEAN, Reference("Mug", 1, True))
    mug["isDirty"] = False
    step = _next(Strategist(), [mug, row("CoffeeMachine")], "Coffee")
    assert step == Instruction(Verb.COFFEE, Reference("Mug", 1, True))


def test_a_potato_is_cooked_whole_and_bread_is_not() -> None:
    potato = row("Potato", 0, sliceable=True, isSliced=False, cookable=True)
    knife = row("Knife")
    step = _next(Strategist(), [potato, knife], "Cooked Slice Of X", "Potato")
    assert step is not None and step.verb is Verb.COOK
    step = _next(Strategist(), [row("Bread", 0, sliceable=True, isSliced=False), knife], "Toast")
    assert step is not None and step.verb is Verb.SLICE


def test_all_means_all() -> None:
    rows = [
        row("Sink", 0, receptacle=True),
        *(row("Fork", n, "CounterTop|0", pickupable=True) for n in range(3)),
    ]
    step = _next(Strategist(), rows, "Put All X On Y", "Fork", "in", "Sink")
    assert step == Instruction(Verb.PUT, Reference("Fork", None, True), Reference("Sink", 1, True))


def test_things_scattered_over_several_are_gathered_in_one() -> None:
    rows = [row("Cabinet", n, receptacle=True) for n in range(2)]
    rows += [row("Mug", n, f"Cabinet|{n}", pickupable=True) for n in range(2)]
    step = _next(Strategist(), rows, "Put All X In One Y", "Mug", "in", "Cabinet")
    assert step is not None and step.where == Reference("Cabinet", 1, True, (State.SAME,))


def test_of_slices_on_another_plate_no_more_than_needed_are_asked_for() -> None:
    def plate(number: int, dirty: bool) -> Row:
        return row("Plate", number, "CounterTop|0", pickupable=True, receptacle=True, dirtyable=True, isDirty=dirty)

    slices = [row("TomatoSliced", number, "Plate|0", pickupable=True) for number in range(3)]
    room = things(row("CounterTop", 0, receptacle=True), plate(0, True), plate(1, False), *slices)
    group = [Problem("TomatoSliced|0", "TomatoSliced", Verb.PUT, "Plate", False, "a salad")]
    (step,) = TargetChooser().steps([group], group, room)
    assert step.what is not None and step.what.count == 1


def test_nothing_is_left_to_say_when_the_task_is_complete() -> None:
    rows = [row("HousePlant", 0, isFilledWithLiquid=True)]
    reply = TaskLibrary.builtin().task("Water Plant", []).check(rows).to_reply()
    assert is_complete(reply)
    assert problems_of(reply) == ()


def test_what_does_not_get_on_is_given_up_after_some_attempts() -> None:
    rows = [row("HousePlant", 0, canFillWithLiquid=True)]
    strategist = Strategist()
    steps = []
    for _ in range(10):
        step = _next(strategist, rows, "Water Plant")
        if step is None:
            break
        steps.append(step)
        strategist.report(Report(ReportKind.FAILED), things(*rows))
    assert 1 < len(steps) < 10
    assert {step.verb for step in steps} == {Verb.WATER}


def test_asked_where_something_is_it_answers() -> None:
    rows = list(kitchen())
    strategist = Strategist()
    _next(strategist, rows, "Clean All X", "Plate")
    strategist.report(Report(ReportKind.NOT_FOUND, Reference("Knife", 1, True)), things(*rows))
    answer = _next(strategist, rows, "Clean All X", "Plate")
    assert answer == Instruction(Verb.LOOK, None, Reference("CounterTop", 1, True))


def test_a_reply_that_is_odd_gives_no_problems() -> None:
    assert problems_of({}) == ()
    assert problems_of({"subgoals": [{"success": 0, "problem_keys": []}, "nonsense"]}) == ()
    odd = {"objectType": "Mug", "property_name": "colour", "desired_property_value": "red", "determiner": "a"}
    assert problems_of({"subgoals": [{"success": 0, "problem_keys": {"Mug|0": [odd]}}]}) == ()


def test_needs_are_ordered_so_that_steps_do_not_undo_each_other() -> None:
    order = NEEDS
    assert order.index(Verb.COOK) < order.index(Verb.SLICE) < order.index(Verb.TOAST)
    assert order.index(Verb.CLEAN) < order.index(Verb.COFFEE) < order.index(Verb.PUT)


def test_what_can_not_be_reached_where_it_lies_is_brought_to_a_roomy_place() -> None:
    book = row("Book", 0, "Shelf|0", pickupable=True, openable=True)
    rows = [book, row("Shelf", 0, receptacle=True), row("Bed", 0, receptacle=True, size=(2.0, 0.5, 2.0))]
    wish = Problem("Book|0", "Book", Verb.OPEN, "1", False, "")
    strategist = Strategist()
    first = strategist.next_step([wish], 0, things(*rows))
    assert first is not None and first.verb is Verb.OPEN
    strategist.report(Report(ReportKind.NOT_REACHED, Reference("Book", 1, True)), things(*rows))
    second = strategist.next_step([wish], 0, things(*rows))
    assert second == Instruction(Verb.PUT, Reference("Book", 1, True), Reference("Bed", 1, True))
    strategist.report(Report(ReportKind.DONE), things(*rows))
    third = strategist.next_step([wish], 0, things(*rows))
    assert third == first
    strategist.report(Report(ReportKind.NOT_REACHED, Reference("Book", 1, True)), things(*rows))
    assert strategist.next_step([wish], 0, things(*rows)) == first


def test_what_is_too_wide_for_the_shelf_goes_on_another_table_once() -> None:
    laptop = row("Laptop", 0, "Bed|0", pickupable=True, size=(0.5, 0.3, 0.5))
    rows = [
        laptop,
        row("Bed", 0, receptacle=True),
        row("Shelf", 0, receptacle=True, size=(0.8, 0.2, 0.2)),
        row("Desk", 0, receptacle=True, size=(1.5, 0.8, 0.7)),
    ]
    wish = Problem("Laptop|0", "Laptop", Verb.PUT, "Shelf", False, "")
    strategist = Strategist()
    asked = [strategist.next_step([wish], 0, things(*rows)) for _ in range(2)]
    assert [step.where.noun for step in asked if step is not None and step.where is not None] == ["Desk", "Shelf"]


def test_where_the_clean_mug_is_out_of_reach_another_one_is_washed_once() -> None:
    rows = [row("Mug", n, dirtyable=True, isDirty=n > 0, pickupable=True, canFillWithLiquid=True) for n in range(2)]
    wish = Problem("Mug|0", "Mug", Verb.COFFEE, "1", False, "")
    strategist = Strategist()
    for expected in (Verb.COFFEE, Verb.CLEAN, Verb.COFFEE, Verb.COFFEE):
        step = strategist.next_step([wish], 0, things(*rows))
        assert step is not None and step.verb is expected
        failed = expected is Verb.COFFEE
        report = Report(ReportKind.NOT_REACHED, Reference("Mug", 1, True)) if failed else Report(ReportKind.DONE)
        strategist.report(report, things(*rows))


def test_where_the_toast_is_out_of_reach_another_slice_is_toasted() -> None:
    rows = [row("Plate", 0, receptacle=True, pickupable=True), row("CounterTop", 0, receptacle=True)]
    rows += [row("BreadSliced", n, "CounterTop|0", pickupable=True, cookable=True, isCooked=n == 0) for n in range(3)]
    wish = Problem("BreadSliced|0", "BreadSliced", Verb.PUT, "Plate", False, "a sandwich")
    room, strategist = things(*rows), Strategist()
    first = strategist.next_step([wish], 0, room)
    assert first is not None and first.what == Reference("BreadSliced", 1, False, (State.TOASTED,))
    strategist.report(Report(ReportKind.NOT_REACHED, Reference("Plate", 1, True)), room)
    assert strategist.next_step([wish], 0, room) == first, "it is not the toast that was out of reach"
    strategist.report(Report(ReportKind.NOT_REACHED, Reference("BreadSliced", 1, True)), room)
    second = strategist.next_step([wish], 0, room)
    assert second == Instruction(Verb.TOAST, Reference("BreadSliced", 1, False, (State.RAW,)))


def test_of_what_goes_on_a_dish_the_large_comes_first() -> None:
    rows = [row("Plate", 0, receptacle=True, pickupable=True), row("CounterTop", 0, receptacle=True)]
    rows += [row("PotatoSliced", 0, pickupable=True, size=0.05), row("BreadSliced", 0, pickupable=True, size=0.15)]
    wishes = [Problem(f"{kind}Sliced|0", f"{kind}Sliced", Verb.PUT, "Plate", False, "") for kind in ("Potato", "Bread")]
    steps = TargetChooser().steps([[wish] for wish in wishes], wishes, things(*rows))
    assert [step.what.noun for step in steps if step.what is not None] == ["BreadSliced", "PotatoSliced"]


def test_all_steps_that_would_help_are_listed_and_the_one_said_comes_last_from_then_on() -> None:
    rows = [
        row("Mug", 0, dirtyable=True, isDirty=True, pickupable=True),
        row("Cup", 0, dirtyable=True, isDirty=True, pickupable=True),
        row("Sink", 0, receptacle=True),
    ]
    reply = TaskLibrary.builtin().task("Clean All X", ["Drinkware"]).check(rows).to_reply()
    strategist, room = Strategist(), things(*rows)

    def options() -> list[Instruction]:
        return strategist.options(problems_of(reply), satisfied_conditions(reply), room)

    wash = [Instruction(Verb.CLEAN, Reference(noun, None, True)) for noun in ("Mug", "Cup")]
    assert options() == wash
    strategist.ask(wash[0])
    assert options() == wash[::-1]
    for step in wash * 4:
        strategist.ask(step)
    assert options() == []
