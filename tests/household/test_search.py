"""Object search and its camera (specification 5.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.errors import SimulatorError, StaleViewError
from teach_agents.household import Household
from teach_agents.household.frames import Frames
from teach_agents.household.map import RoomMap
from teach_agents.household.search import ObjectSearch, best_match, filled, outlined, reachable, similarity
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Channel, Outcome, SimulatorAction
from tests.household.fake import COUNTER, FakeSimulator, box
from tests.household.helpers import ready, the


def search(household: Household, words: str) -> ActionResult:
    return household.act(Role.COMMANDER, Action.search(words))


def reply(result: ActionResult) -> dict[str, Any]:
    assert result.reply is not None
    return dict(result.reply)


def test_similarity_is_a_percentage_and_minds_the_case() -> None:
    assert similarity("Mug", "Mug") == 100
    assert similarity("Mug", "mug") == 67
    assert similarity("CoffeeMachine", "CoffeeMachin") == 96
    assert similarity("Mug", "xyz") == 0
    assert similarity("Mug", "") == 0


def test_the_likeliest_type_wins_then_the_nearest_object() -> None:
    things = [
        box("Mug", (3, 0, 0), (1, 1, 1), object_id="far"),
        box("Mug", (1, 0, 0), (1, 1, 1), object_id="near"),
        box("Cup", (0, 0, 0), (1, 1, 1), object_id="cup"),
    ]
    assert (best_match("Mug", things, Vec3(0, 0, 0)) or things[2]).object_id == "near"
    assert (best_match("Cup", things, Vec3(0, 0, 0)) or things[0]).object_id == "cup"
    assert best_match("", things, Vec3(0, 0, 0)) is None
    assert best_match("Mug", [], Vec3(0, 0, 0)) is None


def test_a_search_answers_in_teachs_form() -> None:
    household, fake = ready()
    result = search(household, "Mug")
    answer = reply(result)
    assert result.success
    assert result.object_id == the(fake, "Mug")
    assert list(answer) == [
        "success",
        "oid",
        "shown_oid",
        "view_pos_norm",
        "view_rot_norm",
        "pos_norm",
        "view_hotspot_width",
        "view_hotspots",
    ]
    assert (answer["oid"], answer["shown_oid"]) == (the(fake, "Mug"), the(fake, "Mug"))
    assert answer["pos_norm"] == pytest.approx([(0.35 + 3) / 6, 1 - (0.85 + 3) / 6])
    assert answer["view_pos_norm"] == pytest.approx([(0.25 + 3) / 6, 1 - (0.5 + 3) / 6])
    assert answer["view_rot_norm"] == [0.0, -1.0]
    assert answer["view_hotspot_width"] == pytest.approx(10 / 900)


def test_the_camera_stands_on_the_nearest_cell_and_looks_at_the_object() -> None:
    household, fake = ready()
    search(household, "Mug")
    shown = household.observe(Role.COMMANDER).target_view
    assert shown is not None
    spots = np.array(reply(search(household, "Mug"))["view_hotspots"]) + 5 / 900
    assert spots.size > 0
    assert np.abs(spots - 0.5).max() < 0.3, "the mug is near the middle of the picture"


def test_hotspots_are_the_corners_of_cells_whose_middle_shows_the_object() -> None:
    household, fake = ready(view_size=450)
    spots = reply(search(household, "Tomato"))["view_hotspots"]
    cells = np.array(spots) * 90
    assert np.allclose(cells, cells.round())
    shown = ObjectSearch(fake, Frames(fake), 450, RoomMap.of(fake))
    camera = shown.camera_for(fake.world.objects[the(fake, "Tomato")])
    ids = fake.view(camera, frozenset({Channel.IDS}), size=450).ids
    assert ids is not None
    tomato = list(fake.world.objects).index(the(fake, "Tomato"))
    middles = cells.round().astype(int) * 5 + 2
    assert (ids[middles[:, 1], middles[:, 0]] == tomato).all()
    assert len(spots) == (ids[2::5, 2::5] == tomato).sum()


def test_what_is_in_the_hand_or_gone_is_not_found() -> None:
    household, fake = ready()
    fake.change(the(fake, "Mug"), is_picked_up=True)
    assert reply(search(household, "Mug"))["oid"] != the(fake, "Mug")
    fake.change(the(fake, "Tomato"), exists=False)
    assert reply(search(household, "Tomato"))["oid"] != the(fake, "Tomato")


def test_something_hidden_is_shown_by_what_holds_it() -> None:
    household, fake = ready()
    microwave = the(fake, "Microwave")
    inside = box("Mug", (1.1, 1.1, 0.3), (0.05, 0.05, 0.05), object_id="Cup|in", parents=(microwave,), pickupable=True)
    fake.world.objects["Cup|in"] = inside
    fake.world.version += 1
    result = household.act(Role.COMMANDER, Action.select("Cup|in"))
    assert (reply(result)["oid"], reply(result)["shown_oid"]) == ("Cup|in", microwave)
    assert "cannot be seen" in result.message


def test_something_hidden_that_nothing_holds_is_shown_by_a_receptacle_near_it() -> None:
    household, fake = ready()
    inside = box("Mug", (0.1, 0.85, 1.0), (0.02, 0.02, 0.02), object_id="Cup|in", pickupable=True)
    fake.world.objects["Cup|in"] = inside
    fake.world.version += 1
    answer = reply(household.act(Role.COMMANDER, Action.select("Cup|in")))
    assert answer["shown_oid"] in {COUNTER, the(fake, "Pot"), the(fake, "Mug"), the(fake, "Plate")}


def test_when_nothing_can_be_shown_the_shown_id_is_empty() -> None:
    def bare() -> Any:
        room = FakeSimulator().world
        mug = room.objects[the(FakeSimulator(), "Mug")]
        room.objects = {mug.object_id: box("Mug", (0, -9, 0), (0.1, 0.1, 0.1), object_id=mug.object_id)}
        return room

    household, fake = ready(make=bare)
    result = search(household, "Mug")
    assert result.success
    assert reply(result)["shown_oid"] == ""
    assert reply(result)["view_hotspots"] == []
    target = household.observe(Role.COMMANDER).target_view
    assert target is not None
    assert target.rgb.shape == (180, 180, 3)


@pytest.mark.parametrize("action", [Action.select("Mug|nowhere"), Action.select(""), Action.search("")])
def test_a_search_that_finds_nothing_says_so_and_is_no_failure_of_the_session(action: Action) -> None:
    household, _ = ready()
    result = household.act(Role.COMMANDER, action)
    assert not result.success
    assert result.reply == {"success": False}
    assert repr(action.query) in result.message
    assert household.failures[Role.COMMANDER] == 0
    assert household.observe(Role.COMMANDER).target_view is None


def test_the_object_shown_keeps_its_colours_inside_a_green_line() -> None:
    rgb = np.full((20, 20, 3), 100, dtype=np.uint8)
    mask = np.zeros((20, 20), dtype=bool)
    mask[8:12, 8:12] = True
    picture = outlined(rgb, mask)
    assert (picture[mask] == 100).all()
    assert (picture[7, 9] == (40, 220, 60)).all()
    assert (picture[0, 0] == 100).all()
    assert (rgb == 100).all()


def test_lit_the_object_is_green_and_what_surrounds_it_is_as_it_was() -> None:
    rgb = np.full((20, 20, 3), 100, dtype=np.uint8)
    rgb[8, 8] = 220
    mask = np.zeros((20, 20), dtype=bool)
    mask[8:12, 8:12] = True
    picture = filled(rgb, mask)
    assert (picture[mask].argmax(axis=1) == 1).all()
    assert picture[8, 8].sum() > picture[9, 9].sum(), "light and shade remain"
    assert (picture[~mask] == 100).all()


def test_the_object_shown_blinks_between_its_own_colours_and_green() -> None:
    household, _ = ready()
    assert household.observe(Role.COMMANDER).target_lit is None
    search(household, "Mug")
    seen = household.observe(Role.COMMANDER)
    assert seen.target_view is not None and seen.target_lit is not None
    changed = (seen.target_view.rgb != seen.target_lit.rgb).any(axis=2)
    assert changed.any()
    assert not changed.all()
    assert household.observe(Role.FOLLOWER).target_lit is None


class Mute(FakeSimulator):
    """Answers no query."""

    def step(self, action: SimulatorAction) -> Outcome:
        return Outcome(False, "not today") if action.name.startswith("Get") else super().step(action)


class Terse(FakeSimulator):
    """Gives its reachable positions as pairs."""

    def step(self, action: SimulatorAction) -> Outcome:
        return Outcome(True, value=[(0.0, 0.25), Vec3(0.5, 0.9, 0.0)])


def test_reachable_positions_come_in_any_of_three_forms_or_not_at_all() -> None:
    assert reachable(Terse()) == [(0.0, 0.25), (0.5, 0.0)]
    assert (0.5, -0.5) in reachable(FakeSimulator())
    with pytest.raises(SimulatorError, match="fake gave no reachable positions: not today"):
        reachable(Mute())


def test_the_picture_of_what_was_found_goes_stale_like_any_other() -> None:
    household, fake = ready()
    search(household, "Mug")
    target = household.observe(Role.COMMANDER).target_view
    assert target is not None
    household.act(Role.FOLLOWER, Action("Turn Left"))
    with pytest.raises(StaleViewError):
        _ = target.rgb
