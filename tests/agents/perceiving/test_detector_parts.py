"""From boxes and depth to things: what one view shows, what is the same thing, what one's own actions did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.perceiving.detector_deeds import View, done_to, told_of
from teach_agents.agents.perceiving.detector_kinds import KINDS, can, whole_of
from teach_agents.agents.perceiving.detector_sights import Sighting, TrueBoxes, hand_of, painted, sightings
from teach_agents.agents.perceiving.detector_tracks import Track, Tracks
from teach_agents.models.vision import Detection, LabelMap
from teach_agents.observations import Observation, Pose, Privilege, Privileged, Segmentation, Vec3
from teach_agents.observations import View as Picture
from teach_agents.tasks.classes import OBJECT_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

POSE = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0)
SHAPE = (60, 60)


def sighting(object_type: str, x: float, y: float, z: float, side: float = 0.1) -> Sighting:
    """A cube about a point, with one pixel to show for it."""
    half = np.full(3, side / 2)
    center, mask = np.array([x, y, z]), np.zeros(SHAPE, np.bool_)
    mask[30, 30] = True
    return Sighting(object_type, center - half, center + half, mask, z)


def tracks(*seen: Sighting) -> Tracks:
    made = Tracks()
    made.take(seen)
    return made


def only(made: Tracks, object_type: str) -> Track:
    (found,) = (one for one in made if one.object_type == object_type)
    return found


def test_types_are_those_of_ai2_thor() -> None:
    assert all(types <= OBJECT_TYPES for types in KINDS.values())
    assert can("Mug", "pickupable") and not can("Fridge", "pickupable") and whole_of("SinkBasin") == "Sink"


def test_a_box_is_placed_by_the_depth_of_its_middle() -> None:
    """A book 1 m ahead before a wall at 3 m: the wall in the corners of its box is not the book's."""
    (seen,) = sightings([Detection("volume", 0.9, BOX)], _ahead(), POSE, LabelMap({"volume": "Book"}))
    assert seen.object_type == "Book" and seen.away == pytest.approx(1.0) and seen.mask.sum() == 64
    assert seen.center == pytest.approx([0.0, 0.9 + EYE_HEIGHT, 1.0], abs=0.02)
    assert (seen.high - seen.low)[:2] == pytest.approx([8 / 60 * 2, 8 / 60 * 2], rel=0.2)


@pytest.mark.parametrize(("pixels", "found"), [(5, 0), (6, 1), (11, 1)])
def test_a_thing_is_made_out_of_six_pixels(pixels: int, found: int) -> None:
    mask = np.zeros(SHAPE, np.bool_)
    mask[30, 26 : 26 + pixels] = True
    seen = sightings([Detection("Mug", 0.9, BOX, mask)], np.ones(SHAPE, np.float32), POSE, LabelMap())
    assert len(seen) == found


BOX = (24.0, 24.0, 36.0, 36.0)


def _ahead() -> NDArray[np.float32]:
    """Depth of a view of a small thing 1 m ahead before a wall at 3 m."""
    depth = np.full(SHAPE, 3.0, np.float32)
    depth[26:34, 26:34] = 1.0
    return depth


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, 270.0])
def test_what_is_round_reaches_as_far_back_as_it_is_wide(yaw: float) -> None:
    pose = replace(POSE, yaw=yaw)
    (mug,), (book,) = (sightings([Detection(kind, 0.9, BOX)], _ahead(), pose, LabelMap()) for kind in ("Mug", "Book"))
    width, height, depth = mug.high - mug.low
    assert width == pytest.approx(depth) and width == pytest.approx(max(book.high - book.low) / 0.86, rel=0.01)
    assert height == pytest.approx((book.high - book.low)[1])
    ahead = np.array([np.sin(np.radians(yaw)), 0.0, np.cos(np.radians(yaw))])
    assert (mug.center - book.center) @ ahead == pytest.approx(depth / 2, abs=0.01), "its near side is what is seen"


def test_what_has_no_type_or_no_depth_is_left_out() -> None:
    unknown = np.full(SHAPE, np.inf, np.float32)
    known = np.ones(SHAPE, np.float32)
    box = (20.0, 20.0, 40.0, 40.0)
    assert not sightings([Detection("mug", 1.0, box)], unknown, POSE, LabelMap())
    assert not sightings([Detection("giraffe", 1.0, box), Detection("Floor", 1.0, box)], known, POSE, LabelMap())
    assert len(sightings([Detection("SinkBasin", 1.0, box)], known, POSE, LabelMap())) == 1


def test_the_nearest_lies_on_top() -> None:
    table, mug = sighting("DiningTable", 0, 1, 2), sighting("Mug", 0, 1, 1)
    view, covered = painted([mug, table], ["m", "t"], SHAPE)
    assert view.object_ids[view.ids[30, 30]] == "m" and view.ids[0, 0] == -1 and not covered


def test_of_two_readings_of_one_thing_the_surest_lies_on_top_and_covers_the_other() -> None:
    mug, bowl = replace(sighting("Mug", 0, 1, 1.02), score=0.4), replace(sighting("Bowl", 0, 1, 1), score=0.35)
    view, covered = painted([bowl, mug], ["b", "m"], SHAPE)
    assert view.object_ids[view.ids[30, 30]] == "m" and covered == {"b": {"m"}}
    assert not painted([bowl, mug], ["m", "m"], SHAPE).covered, "both are known to be one thing"


def test_a_click_that_finds_nothing_tells_of_all_readings_of_the_thing() -> None:
    made = Tracks(0.1)
    safe, box = replace(sighting("Safe", 0, 1, 1), score=0.4), replace(sighting("Box", 0, 1, 1), score=0.35)
    view = View(painted([safe, box], made.take([safe, box]), SHAPE), np.ones(SHAPE, np.float32), POSE)
    told_of(made, Action.click("Open", 0.5, 0.5), view, "Open: Could not find a target object at (0.50, 0.50)")
    assert [(one.object_type, one.vain) for one in made] == [("Safe", 1), ("Box", 1)]


def test_faint_sightings_keep_what_is_known_in_view_and_make_hunches_of_the_rest() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0))
    ids = made.take([faintly("Mug", 0.1), faintly("Cup", 0.5), faintly("Fork", 1.0)])
    assert ids == ["Mug|det|1", "Cup|det|2", "Fork|det|3"] and [row["objectId"] for row in made.rows()] == ids[:1]
    assert only(made, "Mug").center[0] == pytest.approx(0.0), "a faint view tells nothing of the place"
    made.take([faintly("Fork", 1.0, score=0.28)])
    assert [row["objectId"] for row in made.hunches] == ["Fork|det|3", "Cup|det|2"]
    made.take([sighting("Cup", 0.5, 1.0, 1.0)])
    assert [row["objectId"] for row in made.rows()] == ["Mug|det|1", "Cup|det|2"]


def faintly(kind: str, x: float, score: float = 0.22) -> Sighting:
    """A sighting that the detector is not sure of."""
    return replace(sighting(kind, x, 1.0, 1.0), score=score, faint=True)


def test_only_what_can_be_carried_is_seen_faintly() -> None:
    box, known = (20.0, 20.0, 40.0, 40.0), np.ones(SHAPE, np.float32)
    found = [Detection("Mug", 0.25, box), Detection("Fridge", 0.25, box), Detection("Fridge", 0.35, box)]
    seen = sightings(found, known, POSE, LabelMap(), plain=0.3)
    assert [(one.object_type, one.score, one.faint) for one in seen] == [("Mug", 0.25, True), ("Fridge", 0.35, False)]


def test_the_same_type_nearby_is_the_same_thing() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0), sighting("Mug", 0.6, 1.0, 1.0))
    again = made.take([sighting("Mug", 0.55, 1.0, 1.0), sighting("Mug", 0.1, 1.0, 1.0), sighting("Cup", 0.0, 1.0, 1.0)])
    assert again == ["Mug|det|2", "Mug|det|1", "Cup|det|3"]
    assert made.take([sighting("Mug", 5.0, 1.0, 1.0)]) == ["Mug|det|4"]


def test_nothing_is_seen_twice_in_one_view() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0))
    assert made.take([sighting("Mug", 0.05, 1.0, 1.0), sighting("Mug", 0.1, 1.0, 1.0)]) == ["Mug|det|1", "Mug|det|2"]


def test_views_of_furniture_add_up() -> None:
    made = tracks(sighting("DiningTable", 0.0, 0.5, 1.0, side=1.0))
    made.take([sighting("DiningTable", 0.4, 0.5, 1.0, side=1.0)])
    table = only(made, "DiningTable")
    assert (table.low[0], table.high[0]) == pytest.approx((-0.5, 0.9))


def test_rows_are_like_ai2_thors_and_stay_the_same_values() -> None:
    made = tracks(sighting("DiningTable", 0.0, 0.4, 1.0, side=0.8), sighting("Mug", 0.0, 0.85, 1.0))
    table, mug = made.rows()
    assert mug["parentReceptacles"] == ["DiningTable|det|1"] and table["receptacle"] and mug["pickupable"]
    assert mug["isDirty"] is True and "isFilledWithLiquid" not in mug and "isOpen" not in mug
    made.take([sighting("Mug", 0.005, 0.85, 1.0)])
    assert made.rows()[1] is mug


def test_what_is_seen_is_in_nothing_shut() -> None:
    made = tracks(sighting("Drawer", 0.0, 0.7, 1.0, side=0.3), sighting("Fork", 0.0, 0.8, 1.0))
    fork = only(made, "Fork")
    assert made.holders(fork) == ()
    only(made, "Drawer").states["isOpen"] = True
    assert made.holders(fork) == ("Drawer|det|1",)


def clicked(made: Tracks, name: str, object_id: str, away: float = 1.0, really: str | None = None) -> Track | None:
    """An interaction that succeeded, with a click on the middle of a view full of one thing; `really` is its type."""
    return done_to(made, Action.click(name, 0.5, 0.5), view_of(object_id, away), really)


def view_of(object_id: str, away: float = 1.0) -> View:
    """A view full of one thing."""
    seen = Sighting("Mug", np.zeros(3), np.zeros(3), np.ones(SHAPE, np.bool_), away)
    return View(painted([seen], [object_id], SHAPE), np.full(SHAPE, away, np.float32), POSE)


def test_what_was_picked_up_is_in_the_hand_until_it_is_put_down() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0), sighting("DiningTable", 0.0, 1.0, 2.0, side=1.0))
    mug = only(made, "Mug")
    picked = clicked(made, "Pickup", mug.object_id)
    assert picked is mug and made.held is mug
    seen = made.take([sighting("Mug", 0.1, 1.4, 0.4, side=0.03)])
    assert seen == [mug.object_id]
    assert mug.center == pytest.approx([0.1, 1.4, 0.4]) and mug.high - mug.low == pytest.approx([0.1] * 3), "cut off"
    clicked(made, "Place", "DiningTable|det|2", away=2.0)
    assert not mug.held and made.holders(mug) == ("DiningTable|det|2",)
    assert mug.center[[0, 2]] == pytest.approx([0.0, 2.0], abs=0.05)


def test_what_was_taken_for_something_else_is_put_right_when_it_is_picked_up() -> None:
    made = tracks(sighting("Cup", 0.0, 1.5, 1.0), sighting("Mug", 2.0, 1.0, 1.0))
    picked = clicked(made, "Pickup", "Cup|det|1", really="Mug")
    assert picked is made.held and picked is not None and picked.object_id == "Mug|det|3"
    assert made.get("Cup|det|1") is None and made.get("Mug|det|2") is not None


def test_what_is_seen_in_the_hand_is_what_is_held_whatever_it_looks_like() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0), sighting("Bowl", 1.0, 1.0, 1.0))
    clicked(made, "Pickup", "Mug|det|1")
    x, y, z = hand = hand_of(POSE)
    assert (x, y, z) == pytest.approx((0.0, 0.9 + EYE_HEIGHT - 0.16, 0.38))
    seen = [sighting("Bowl", x, y, z), sighting("Cup", x, y - 0.1, z), sighting("Cup", x, y - 0.4, z)]
    assert made.take(seen, hand) == ["Mug|det|1", "Mug|det|1", "Cup|det|3"]
    made.take([replace(sighting("Cup", x + 0.05, y, z), score=0.22, faint=True)], hand)
    assert only(made, "Mug").center == pytest.approx((x + 0.05, y, z)), "a faint view will do"
    assert made.take(seen) == ["Bowl|det|4", "Cup|det|5", "Cup|det|3"], "nobody told where the hand is"


def test_what_was_never_seen_is_known_once_it_was_acted_upon() -> None:
    made = tracks(sighting("DiningTable", 0.0, 1.0, 2.0, side=1.0), sighting("Fridge", 0.1, 1.55, 1.1))
    faucet = clicked(made, "ToggleOn", "nothing", really="Faucet")
    assert faucet is not None and faucet.states == {"isToggled": True} and faucet.center[2] == pytest.approx(1.0)
    assert clicked(made, "Open", "nothing", really="Fridge") is only(made, "Fridge"), "the one seen at the click"
    picked = clicked(made, "Pickup", "nothing", away=np.inf, really="Mug")
    assert picked is made.held and picked is not None and picked.object_type == "Mug"


def test_states_are_what_ones_own_actions_made() -> None:
    made = tracks(sighting("Fridge", 0.0, 1.0, 1.0), sighting("Apple", 3.0, 1.0, 1.0))
    clicked(made, "Open", "Fridge|det|1")
    assert only(made, "Fridge").states["isOpen"] is True
    clicked(made, "Close", "Fridge|det|1")
    assert only(made, "Fridge").states["isOpen"] is False
    clicked(made, "Slice", "Apple|det|2")
    assert only(made, "Apple").states["isSliced"] is True


def test_running_water_cleans_and_fills_what_is_in_the_basin() -> None:
    made = tracks(
        sighting("Sink", 0.0, 0.9, 1.0, side=0.5), sighting("Faucet", 0.0, 1.2, 1.3), sighting("Mug", 0.0, 0.9, 1.0)
    )
    clicked(made, "ToggleOn", "Faucet|det|2")
    assert only(made, "Mug").states == {"isDirty": False, "isFilledWithLiquid": True, "simbotIsFilledWithWater": True}
    clicked(made, "Pickup", "Mug|det|3")
    clicked(made, "Pour", "Sink|det|1")
    assert only(made, "Mug").states["isFilledWithLiquid"] is False


@pytest.mark.parametrize("told", ["switched off", "on already", "put in afterwards"])
def test_water_that_turns_out_to_have_been_running_has_cleaned_what_was_in_it(told: str) -> None:
    made = tracks(
        sighting("Sink", 0.3, 0.9, 1.4, side=0.1),
        sighting("Sink", 0.0, 0.9, 1.0, side=0.5),
        sighting("Faucet", 0.3, 1.2, 1.4),
        sighting("Mug", 0.0, 0.9, 1.0),
    )
    mug, faucet = only(made, "Mug"), "Faucet|det|3"
    if told == "switched off":
        clicked(made, "ToggleOff", faucet)
        assert only(made, "Faucet").states["isToggled"] is False
    elif told == "on already":
        told_of(
            made, Action.click("ToggleOn", 0.5, 0.5), view_of(faucet), "ToggleOn: Could not find a target object at"
        )
        assert only(made, "Faucet").states["isToggled"] is True
    else:
        clicked(made, "Pickup", mug.object_id)
        clicked(made, "ToggleOn", faucet)
        assert mug.states["isDirty"] is True
        clicked(made, "Place", "Sink|det|2")
    assert mug.states["isDirty"] is False and mug.states["isFilledWithLiquid"] is True


@pytest.mark.parametrize(
    ("switch", "heater", "food", "state"),
    [
        ("Microwave", "Microwave", "Potato", "isCooked"),
        ("StoveKnob", "StoveBurner", "PotatoSliced", "isCooked"),
        ("Toaster", "Toaster", "BreadSliced", "isCooked"),
        ("CoffeeMachine", "CoffeeMachine", "Mug", "simbotIsFilledWithCoffee"),
    ],
)
def test_heat_and_coffee_act_on_what_was_put_there(switch: str, heater: str, food: str, state: str) -> None:
    made = tracks(sighting(heater, 0.0, 1.0, 1.0, side=0.5), sighting(food, 3.0, 1.0, 1.0))
    if switch != heater:
        made.take([sighting(switch, 0.5, 1.0, 1.0)])
    clicked(made, "Pickup", only(made, food).object_id)
    clicked(made, "Place", only(made, heater).object_id)
    assert state not in only(made, food).states
    clicked(made, "ToggleOn", only(made, switch).object_id)
    assert only(made, food).states[state] is True


@pytest.mark.parametrize("wet", [True, False])
@pytest.mark.parametrize("lifted", [True, False])
def test_a_stove_cooks_once_each_knob_that_may_be_the_burners_was_on(wet: bool, lifted: bool) -> None:
    made = tracks(
        sighting("StoveBurner", 0.0, 0.9, 1.0, side=0.3),
        sighting("StoveBurner", 1.0, 0.9, 1.0, side=0.3),
        sighting("StoveKnob", 0.0, 0.9, 0.7),
        sighting("StoveKnob", 1.0, 0.9, 0.7),
        sighting("Pot", 3.0, 1.0, 1.0, side=0.2),
        sighting("Potato", 4.0, 1.0, 1.0),
    )
    pot, potato = only(made, "Pot"), only(made, "Potato")
    pot.states["isFilledWithLiquid"] = wet
    for thing, place in ((pot, "StoveBurner|det|1"), (potato, pot.object_id)):
        clicked(made, "Pickup", thing.object_id)
        clicked(made, "Place", place)
    clicked(made, "ToggleOn", "StoveKnob|det|3")
    clicked(made, "ToggleOff", "StoveKnob|det|3")
    assert "isCooked" not in potato.states, "it may be the other one"
    if lifted:
        clicked(made, "Pickup", pot.object_id)
        clicked(made, "Place", "StoveBurner|det|1")
    clicked(made, "ToggleOn", "StoveKnob|det|4")
    assert potato.states.get("isCooked", False) is not lifted
    assert potato.states.get("simbotIsBoiled", False) is (wet and not lifted)


@pytest.mark.parametrize(
    ("name", "message", "state"),
    [
        ("Open", "Target must be OFF to open!", ("isToggled", True)),
        ("Place", "Target openable Receptacle is CLOSED, can't place if target is not open!", ("isOpen", False)),
        ("Open", "Open: Could not find a target object at (0.5, 0.5)", ("isOpen", True)),
        ("ToggleOff", "ToggleOff: Could not find a target object at (0.5, 0.5)", ("isToggled", False)),
        ("Open", "Target object not found within the specified visibility.", None),
    ],
)
def test_refusals_tell_of_states(name: str, message: str, state: tuple[str, bool] | None) -> None:
    made = tracks(sighting("Microwave", 0.0, 1.0, 1.0))
    shown = painted([sighting("Microwave", 0.0, 1.0, 1.0)], ["Microwave|det|1"], SHAPE)
    view = View(shown, np.ones(SHAPE, np.float32), POSE)
    told_of(made, Action.click(name, 30.5 / 60, 30.5 / 60), view, message)
    assert only(made, "Microwave").states == ({} if state is None else {state[0]: state[1]})


def test_where_places_are_in_doubt_a_click_that_finds_nothing_tells_that_nothing_is_there() -> None:
    """It takes more views until the thing counts as there again; the second time it never does, unless acted upon."""
    drawer, view = sighting("Drawer", 0.0, 0.7, 1.0), view_of("Drawer|det|1")
    made, click = Tracks(0.1), Action.click("Open", 0.5, 0.5)
    for views, vain in ((2, 1), (4, 2)):
        for _ in range(views):
            assert made.rows() == []
            made.take([drawer])
        assert len(made.rows()) == 1
        told_of(made, click, view, "Open: Could not find a target object at (0.5, 0.5)")
        assert only(made, "Drawer").vain == vain and only(made, "Drawer").states == {}
    for _ in range(20):
        made.take([drawer])
    assert made.rows() == []
    assert done_to(made, click, view) is only(made, "Drawer") and len(made.rows()) == 1
    told_of(made, click, view, "Open: Could not find a target object at (0.5, 0.5)")
    assert len(made.rows()) == 1 and only(made, "Drawer").states["isOpen"] is True, "what was acted upon is there"


def test_where_depth_is_in_doubt_one_view_tells_nothing() -> None:
    made = Tracks(0.1)
    made.take([sighting("Mug", 0.0, 1.0, 2.0)])
    assert made.rows() == []
    made.take([sighting("Mug", 0.0, 1.0, 2.3)])
    (mug,) = made.rows()
    assert mug["objectId"] == "Mug|det|1" and only(made, "Mug").center[2] == 2.0, "the nearest view counts"
    made.take([sighting("Mug", 0.1, 1.0, 1.6)])
    assert only(made, "Mug").center[2] == 1.6
    assert len(tracks(sighting("Mug", 0.0, 1.0, 2.0)).rows()) == 1, "where it is true one is enough"


def test_what_was_placed_badly_gives_way_to_what_is_seen_nearby() -> None:
    """Two places of one drawer, by views from far and near; one that was acted upon stays."""
    for touched, left in ((False, 1), (True, 2)):
        made = Tracks(0.1)
        made.take([sighting("Drawer", 0.0, 0.7, 2.0), sighting("Drawer", 0.0, 0.7, 2.6)])
        if touched:
            assert done_to(made, Action.click("Open", 0.5, 0.5), view_of("Drawer|det|2")) is not None
        made.take([sighting("Drawer", 0.0, 0.7, 2.05)])
        assert len([*made]) == left


def test_a_door_that_was_shut_is_where_it_was() -> None:
    made = tracks(sighting("Fridge", 0.0, 1.0, 1.0, side=0.5))
    clicked(made, "Open", "Fridge|det|1")
    assert made.take([sighting("Fridge", 0.3, 1.0, 0.6, side=0.5)]) == ["Fridge|det|1"]
    assert only(made, "Fridge").high[0] == pytest.approx(0.55)
    clicked(made, "Close", "Fridge|det|1")
    assert only(made, "Fridge").high[0] == pytest.approx(0.25)


def test_what_was_put_down_and_rolled_away_is_found_again() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0), sighting("DiningTable", 0.0, 1.0, 2.0, side=1.0))
    clicked(made, "Pickup", "Mug|det|1")
    clicked(made, "Place", "DiningTable|det|2", away=2.0)
    assert made.take([sighting("Mug", 0.5, 1.5, 2.2)]) == ["Mug|det|1"]
    assert made.holders(only(made, "Mug")) == ("DiningTable|det|2",)


def test_a_click_near_a_thing_that_it_suits_is_on_that_thing() -> None:
    made = tracks(sighting("Mug", 0.0, 1.0, 1.0), sighting("DiningTable", 0.0, 0.5, 1.0, side=1.0))
    wide, small = np.ones(SHAPE, np.bool_), np.zeros(SHAPE, np.bool_)
    small[30, 31] = True
    nowhere = np.zeros(3)
    seen = [Sighting("DiningTable", nowhere, nowhere, wide, 1.0), Sighting("Mug", nowhere, nowhere, small, 0.9)]
    view = View(painted(seen, ["DiningTable|det|2", "Mug|det|1"], SHAPE), np.ones(SHAPE, np.float32), POSE)
    action = Action.click("Pickup", 30.5 / 60, 30.5 / 60)
    assert view.target(action, made) is only(made, "Mug")
    assert view.target(Action.click("Place", 30.5 / 60, 30.5 / 60), made) is only(made, "DiningTable")
    assert view.target(Action.click("Open", 0.5, 0.5), made) is None


def test_true_boxes_tell_types_and_no_ids() -> None:
    ids = np.full(SHAPE, -1, np.int32)
    ids[10:20, 30:40] = 0
    ids[50, 50] = 1
    truth = Segmentation(ids, ["Mug|+01.00|+00.90|-00.50", "Fork|+01.00|+00.90|-00.50"])
    privileged = Privileged({Privilege.SEGMENTATION: lambda: truth})
    picture = Picture.of(np.zeros((*SHAPE, 3), np.uint8))
    seen = Observation(Role.FOLLOWER, 0, POSE, picture, privileged=privileged)
    (box,) = TrueBoxes().detections(seen)
    assert (box.label, box.box, box.mask) == ("Mug", (30.0, 10.0, 40.0, 20.0), None)
    (outline,) = TrueBoxes(masks=True).detections(seen)
    assert outline.mask is not None and outline.mask.sum() == 100


@pytest.mark.parametrize(("pixels", "found"), [(11, 0), (12, 1)])
def test_the_truth_detects_what_takes_up_twelve_pixels(pixels: int, found: int) -> None:
    ids = np.full(SHAPE, -1, np.int32)
    ids[10, 10 : 10 + pixels] = 0
    truth = Segmentation(ids, ("Mug|1|1|1",))
    privileged = Privileged({Privilege.SEGMENTATION: lambda: truth})
    picture = Picture.of(np.zeros((*SHAPE, 3), np.uint8))
    seen = Observation(Role.FOLLOWER, 0, POSE, picture, privileged=privileged)
    assert len(TrueBoxes().detections(seen)) == found
