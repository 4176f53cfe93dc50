"""The household as a whole: reset, observe, act, limits of trust in agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teach_agents.actions import ACTION_TYPES, FOLLOWER_ACTIONS, OBJECT_ACTIONS, Action, ActionKind, Role
from teach_agents.errors import DefinitionError, InputError, PrivilegeError, SceneError, SimulatorError, StaleViewError
from teach_agents.household import Household, Scenario, point_on
from teach_agents.observations import Privilege
from teach_agents.simulator.contract import Channel, Scene
from tests.household.fake import COUNTER, FakeSimulator, shed
from tests.household.helpers import LIBRARY, SCENE, do, ready, scenario, the, walk


def action(name: str) -> Action:
    """Any action by name, with a click where it takes one."""
    return Action.click(name, 0.5, 0.5) if ACTION_TYPES[name].kind is ActionKind.OBJECT else Action(name)


def test_before_a_reset_everything_says_what_to_do() -> None:
    household = Household(FakeSimulator(), LIBRARY)
    for use in (
        lambda: household.scenario,
        lambda: household.task,
        lambda: household.commander,
        lambda: household.observe(Role.FOLLOWER),
        lambda: household.act(Role.FOLLOWER, Action.stop()),
        lambda: household.progress(),
        lambda: household.snapshot(0.0),
    ):
        with pytest.raises(SimulatorError, match=r"call reset\(scenario\) first"):
            use()


def test_an_unknown_task_room_or_parameter_is_refused() -> None:
    household = Household(FakeSimulator(), LIBRARY)
    with pytest.raises(DefinitionError, match="did you mean 'Salad'"):
        household.reset(Scenario("s", "Salat", (), SCENE))
    with pytest.raises(DefinitionError):
        household.reset(Scenario("s", "Salad", ("1",), SCENE))
    with pytest.raises(SceneError, match="FloorPlan99"):
        household.reset(Scenario("s", "Coffee", (), Scene("FloorPlan99")))
    with pytest.raises(SimulatorError):
        household.progress()


@pytest.mark.parametrize("size", [0, 15, 5000, 300.0, True])
def test_a_size_that_no_picture_can_have_is_refused(size: Any) -> None:
    with pytest.raises(InputError, match="view_size must be a whole number of pixels"):
        Household(FakeSimulator(), LIBRARY, view_size=size)
    with pytest.raises(InputError, match="click_size must be a whole number of pixels from 16 to 900"):
        Household(FakeSimulator(), LIBRARY, click_size=size)


def test_a_room_by_name_starts_with_the_head_down_thirty_degrees() -> None:
    def level() -> Any:
        from dataclasses import replace

        from tests.household.fake import kitchen

        room = kitchen()
        room.agent = replace(room.agent, horizon=0.0)
        return room

    _, fake = ready(make=level)
    assert fake.world.agent.horizon == 30.0


def test_a_reset_forgets_everything() -> None:
    household, fake = ready()
    household.act(Role.FOLLOWER, Action.say("hello"))
    household.act(Role.FOLLOWER, action("Place"))
    do(household, fake, "Pickup", "Mug")
    household.act(Role.COMMANDER, Action.search("Mug"))
    household.act(Role.COMMANDER, Action("Forward"))
    household.reset(scenario("Water Plant"))
    seen = household.observe(Role.COMMANDER)
    assert (seen.dialogue, seen.last_action, seen.last_result, seen.target_view) == ((), None, None, None)
    assert household.failures == {Role.COMMANDER: 0, Role.FOLLOWER: 0}
    assert household.commander.position == (0.0, 1.9, 0.0)
    assert household.task.check(household.objects).description
    assert all("simbotPickedUp" not in record for record in household.custom_properties.values())


def test_each_role_sees_its_own_screen() -> None:
    household, fake = ready()
    follower = household.observe(Role.FOLLOWER, turn=3)
    commander = household.observe(Role.COMMANDER, turn=3)
    assert (follower.turn, commander.turn) == (3, 3)
    assert follower.pose == fake.world.agent
    assert commander.pose == household.commander
    assert follower.follower_view is None
    assert follower.target_view is None
    assert commander.follower_view is not None
    assert (commander.follower_view.rgb == follower.view.rgb).all()
    assert (commander.view.rgb != follower.view.rgb).any()


def test_nothing_is_drawn_until_somebody_looks_and_then_once() -> None:
    household, fake = ready()
    fake.drawn.clear()
    seen = household.observe(Role.COMMANDER, {Privilege.SEGMENTATION, Privilege.DEPTH})
    other = household.observe(Role.FOLLOWER)
    assert fake.drawn == []
    assert seen.follower_view is not None
    assert (seen.follower_view.rgb == other.view.rgb).all() and seen.follower_view.rgb is not other.view.rgb
    assert fake.drawn == [frozenset({Channel.RGB})]


def test_segmentation_is_what_clicks_see_and_is_drawn_once_for_both() -> None:
    household, fake = ready()
    seen = household.observe(Role.FOLLOWER, {Privilege.SEGMENTATION}).privileged.segmentation
    fake.drawn.clear()
    point = point_on(seen, the(fake, "Mug"))
    assert point is not None
    result = household.act(Role.FOLLOWER, Action.click("Pickup", *point))
    assert result.object_id == the(fake, "Mug")
    assert fake.drawn == []


def test_a_picture_that_was_looked_at_stays_one_that_was_not_goes_stale() -> None:
    household, _ = ready()
    seen, unseen = household.observe(Role.FOLLOWER), household.observe(Role.FOLLOWER)
    everything = household.observe(Role.COMMANDER, set(Privilege))
    before = seen.view.rgb.copy()
    walk(household, "Turn Left")
    assert (seen.view.rgb == before).all()
    for look in (
        lambda: unseen.view.rgb,
        lambda: unseen.overhead.rgb if unseen.overhead else None,
        lambda: everything.privileged.segmentation,
        lambda: everything.privileged.depth,
        lambda: everything.privileged.objects,
        lambda: everything.privileged.reachable,
    ):
        with pytest.raises(StaleViewError, match="before the next action"):
            look()
    household.reset(scenario())
    with pytest.raises(StaleViewError):
        _ = unseen.view.rgb


def test_privileged_parts_are_there_only_when_asked_for() -> None:
    household, fake = ready()
    with pytest.raises(PrivilegeError):
        _ = household.observe(Role.FOLLOWER).privileged.objects
    granted = household.observe(Role.FOLLOWER, frozenset(Privilege)).privileged
    assert granted.granted == frozenset(Privilege)
    assert granted.segmentation.ids.shape == granted.depth.shape == (180, 180)
    assert granted.depth.dtype == np.float32
    assert [row["objectId"] for row in granted.objects] == list(fake.world.objects)
    assert (0.25, -0.5) in granted.reachable


def test_an_agent_that_edits_what_it_was_shown_changes_nothing() -> None:
    household, _ = ready("Clean X", ("Mug",))
    rows = household.observe(Role.FOLLOWER, {Privilege.OBJECTS}).privileged.objects
    for row in rows:
        assert isinstance(row, dict)
        row["isDirty"] = False
    assert not household.progress().success


def test_lasting_rows_can_not_be_edited_and_stay_the_same_values() -> None:
    household, fake = ready()
    seen = household.observe(Role.FOLLOWER, {Privilege.OBJECTS}).privileged
    rows = seen.lasting_objects
    assert rows[0]["objectId"] == next(iter(fake.world.objects))
    with pytest.raises(TypeError):
        rows[0]["isDirty"] = False  # type: ignore[index]  # what is tried
    walk(household, "Turn Left")
    now = household.observe(Role.FOLLOWER, {Privilege.OBJECTS}).privileged.lasting_objects
    assert all(one is other for one, other in zip(rows, now, strict=True))


def test_asking_for_what_lasts_asks_nothing_about_visibility() -> None:
    household, fake = ready()
    seen = household.observe(Role.FOLLOWER, {Privilege.OBJECTS}).privileged
    unseen = household.observe(Role.FOLLOWER, {Privilege.OBJECTS}).privileged
    asked = len(fake.steps)
    assert unseen.lasting_objects == seen.lasting_objects
    assert len(fake.steps) == asked
    assert seen.visible == {row["objectId"] for row in seen.objects if row["visible"]}
    assert len(fake.steps) == asked + 1
    walk(household, "Turn Left")
    for look in (lambda: unseen.visible, lambda: unseen.objects):
        with pytest.raises(StaleViewError):
            look()


def test_both_hear_everything_in_order_with_its_time() -> None:
    household, _ = ready()
    household.act(Role.FOLLOWER, Action.say("what should I do today?"), time_ms=1500)
    household.act(Role.COMMANDER, Action.say("make coffee"), time_ms=2750)
    heard = household.observe(Role.FOLLOWER)
    assert [(said.speaker, said.text, said.time_ms) for said in heard.dialogue] == [
        (Role.FOLLOWER, "what should I do today?", 1500),
        (Role.COMMANDER, "make coffee", 2750),
    ]
    assert heard.heard() == "make coffee"
    assert household.observe(Role.COMMANDER).dialogue == heard.dialogue


def test_each_role_remembers_its_own_last_action() -> None:
    household, _ = ready()
    household.act(Role.COMMANDER, Action.progress_check())
    failed = household.act(Role.FOLLOWER, action("Place"))
    mine, its = household.observe(Role.COMMANDER), household.observe(Role.FOLLOWER)
    assert mine.last_action == Action.progress_check()
    assert its.last_action == action("Place")
    assert its.last_result == failed


@pytest.mark.parametrize("name", ["Text", "Stop", "NoOp"])
def test_saying_stopping_and_waiting_always_succeed(name: str) -> None:
    household, fake = ready()
    fake.steps.clear()
    assert household.act(Role.FOLLOWER, Action(name)).success
    assert fake.steps == []
    assert household.failures[Role.FOLLOWER] == 0


@pytest.mark.parametrize("name", sorted(set(ACTION_TYPES) - set(FOLLOWER_ACTIONS)))
def test_the_follower_may_not_do_what_is_not_its_to_do(name: str) -> None:
    household, fake = ready()
    fake.steps.clear()
    result = household.act(Role.FOLLOWER, action(name))
    assert (result.success, result.message) == (False, f"{name} is not an action of the Follower")
    assert household.failures == {Role.COMMANDER: 0, Role.FOLLOWER: 1}
    assert fake.steps == []


@pytest.mark.parametrize("name", [*OBJECT_ACTIONS, "Stop", "Navigation", "Dirty", "Move to", "Double Forward"])
def test_the_commander_touches_nothing(name: str) -> None:
    household, fake = ready()
    fake.steps.clear()
    result = household.act(Role.COMMANDER, action(name))
    assert (result.success, result.message) == (False, f"{name} is not an action of the Commander")
    assert household.failures == {Role.COMMANDER: 1, Role.FOLLOWER: 0}
    assert fake.steps == []


@pytest.mark.parametrize("nonsense", [None, "Forward", {"name": "Forward"}, 7, ActionKind.MOTION])
def test_an_answer_that_is_no_action_is_a_failed_action(nonsense: Any) -> None:
    household, _ = ready()
    result = household.act(Role.FOLLOWER, nonsense)
    assert not result.success
    assert f"must answer with an Action, not {type(nonsense).__name__}" in result.message
    assert household.failures[Role.FOLLOWER] == 1
    assert household.observe(Role.FOLLOWER).last_action is None


def test_every_failed_action_counts_for_its_role() -> None:
    household, _ = ready()
    household.act(Role.FOLLOWER, Action.click("Pickup", 5.0, 0.5))
    walk(household, "Forward", "Forward", "Forward", "Forward")
    household.act(Role.COMMANDER, Action.search("zzzz"))
    assert household.failures == {Role.COMMANDER: 0, Role.FOLLOWER: 3}


def test_a_task_is_done_by_clicks_from_the_first_look_to_the_check() -> None:
    household, fake = ready("Clean X", ("Mug",))
    assert not household.progress().success
    do(household, fake, "Pickup", "Mug")
    walk(household, "Turn Left")
    do(household, fake, "Place", "SinkBasin")
    result = do(household, fake, "ToggleOn", "Faucet")
    assert result.success
    assert household.progress().success
    check = household.act(Role.COMMANDER, Action.progress_check())
    assert check.reply is not None
    assert check.reply["success"] == 1


def test_clicks_can_be_resolved_at_another_size_than_pictures_have() -> None:
    household, fake = ready(view_size=100, click_size=200)
    assert do(household, fake, "Pickup", "Mug").success
    assert household.observe(Role.FOLLOWER).view.rgb.shape == (100, 100, 3)


def test_a_click_is_only_sought_for_an_interaction() -> None:
    household, _ = ready()
    with pytest.raises(InputError, match="did you mean 'Pickup'"):
        household.click_for(COUNTER, "PickUp")


def test_whoever_looks_may_ask_for_pictures_of_another_size() -> None:
    household, _ = ready(view_size=100)
    household.act(Role.COMMANDER, Action.search("Mug"))
    seen = household.observe(Role.COMMANDER, {Privilege.DEPTH}, size=60)
    views = (seen.view, seen.follower_view, seen.target_view, seen.target_lit, seen.overhead)
    assert [None if view is None else view.rgb.shape for view in views] == [(60, 60, 3)] * 5
    assert seen.privileged.depth.shape == (60, 60)
    assert household.observe(Role.COMMANDER).view.rgb.shape == (100, 100, 3)
    with pytest.raises(InputError, match="size must be a whole number of pixels from 16 to 4096"):
        household.observe(Role.FOLLOWER, size=8)


def test_a_household_works_in_a_room_that_is_no_kitchen() -> None:
    household, fake = ready(make=shed)
    overhead = household.observe(Role.COMMANDER).overhead
    assert overhead is not None and overhead.rgb.any()
    assert do(household, fake, "Pickup", "Hammer").success
    assert household.act(Role.COMMANDER, Action.search("Chest")).success
    walk(household, "Turn Right")
    assert do(household, fake, "Open", "Chest").success
    assert do(household, fake, "Place", "Chest").success
    assert fake.world.objects[the(fake, "Chest")].contents == (the(fake, "Rag"), the(fake, "Hammer"))
