"""Looking around, and looking for what was not seen yet."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.acting.insides import Inside
from teach_agents.agents.acting.navigation import Paths
from teach_agents.agents.acting.performing import perform, simplified
from teach_agents.agents.acting.receptacles import likelihood
from teach_agents.agents.acting.skills.hands import pick_up, put_held
from teach_agents.agents.acting.skills.searching import (
    is_well_looked_into,
    least_looked_into,
    look_about,
    look_at,
    look_for,
    look_into,
    look_round,
    survey,
)
from teach_agents.agents.acting.skills.surface_search import is_looked_over, look_over
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.conformance import blank_observation
from teach_agents.observations import Pose, Privilege, Vec3
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.understanding.english.values import Instruction, Reference, ReportKind, Verb
from tests.agents.acting.making import kitchen, row, things
from tests.agents.perceiving.looking_around import Explorer

_ALL = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})


def _all_knowing() -> Body:
    body = Body()
    body.see(blank_observation(Role.FOLLOWER, 0, _ALL))
    return body


def _known(explorer: Explorer, kind: str) -> list[Thing]:
    return [thing for thing in explorer.body.things if thing.object_type == kind]


def test_who_knows_everything_neither_looks_around_nor_for_anything() -> None:
    body = _all_knowing()
    assert list(survey(body)) == []
    assert list(look_at(body, next(iter(things(*kitchen()))))) == []
    with pytest.raises(SkillError) as error:
        list(look_for(body, "Mug", lambda: False))
    assert error.value.kind is ReportKind.NOT_FOUND and error.value.noun == "Mug"


@pytest.mark.parametrize("room", ["FloorPlan7", "FloorPlan301"])
def test_a_survey_shows_nearly_all_that_lies_open(room: str) -> None:
    explorer = Explorer(room)
    assert explorer.carry_out(survey(explorer.body)) <= 40
    furniture = [name for name, row in explorer.rows.items() if not row.get("pickupable")]
    seen = [name for name in furniture if name in explorer.known]
    assert len(seen) >= 0.85 * len(furniture)
    assert explorer.failures <= 2


@pytest.mark.parametrize("room", ["FloorPlan7", "FloorPlan201", "FloorPlan301", "FloorPlan406"])
def test_a_look_round_ends_where_it_began_and_shows_most_of_the_room(room: str) -> None:
    explorer = Explorer(room)
    stand, horizon = explorer.body.stand, explorer.body.pose.horizon
    moved = explorer.carry_out(look_round(explorer.body))
    assert 4 < moved <= 36
    assert (explorer.body.stand, explorer.body.pose.horizon) == (stand, horizon)
    furniture = [name for name, row in explorer.rows.items() if not row.get("pickupable")]
    assert len([name for name in furniture if name in explorer.known]) >= 0.8 * len(furniture)


def test_a_look_about_opens_nothing_and_ends_when_it_is_enough() -> None:
    explorer = Explorer("FloorPlan1")
    assert explorer.carry_out(look_about(explorer.body, lambda: True)) == 0
    assert explorer.carry_out(look_about(explorer.body, lambda: False, most=20)) <= 20
    assert not explorer.body.memory.looked_into


def test_a_thorough_look_shows_all_that_is_inside_and_shuts_it_again() -> None:
    explorer = Explorer("FloorPlan4")
    explorer.carry_out(look_round(explorer.body))
    fridge = _known(explorer, "Fridge")[0]
    inside = {name for name, row in explorer.rows.items() if fridge.object_id in (row.get("parentReceptacles") or ())}  # type: ignore[operator]
    assert len(inside) > 1 and not inside & {thing.object_id for thing in explorer.body.things}
    explorer.carry_out(look_into(explorer.body, [fridge], lambda: False, thorough=True))
    assert inside <= {thing.object_id for thing in explorer.body.things}
    assert not explorer.rows[fridge.object_id]["isOpen"]


def test_what_is_in_a_shut_thing_is_found_and_nothing_else_is_left_open() -> None:
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    assert not _known(explorer, "Egg")
    explorer.carry_out(look_for(explorer.body, "Egg", lambda: bool(_known(explorer, "Egg"))))
    egg = _known(explorer, "Egg")[0]
    opened = {thing.object_type for thing in explorer.body.things if thing.has("isOpen")}
    assert opened == {holder.object_type for holder in explorer.body.things.holders(egg)} == {"Fridge"}


def test_a_search_in_vain_ends_within_its_budget() -> None:
    explorer = Explorer("FloorPlan1")
    steps = look_for(explorer.body, "Pumpkin", lambda: False, most=30)
    with pytest.raises(SkillError) as error:
        explorer.carry_out(steps)
    assert error.value.kind is ReportKind.NOT_FOUND and explorer.turn == 30


def test_a_tool_that_nobody_has_seen_is_looked_for() -> None:
    explorer = Explorer("FloorPlan1")
    assert not _known(explorer, "Knife")
    explorer.carry_out(survey(explorer.body))
    explorer.carry_out(perform(explorer.body, Instruction(Verb.SLICE, Reference("Tomato", 1, True))))
    assert _known(explorer, "TomatoSliced")


def test_where_things_were_said_to_be_comes_first() -> None:
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    shut = [thing for thing in explorer.body.things if thing.object_type in ("Fridge", "Microwave", "Drawer")]
    told = next(thing for thing in shut if thing.object_type == "Microwave")
    steps = look_for(explorer.body, "Egg", lambda: False, lambda holder: holder.object_type == "Microwave", most=60)
    with pytest.raises(SkillError):
        explorer.carry_out(steps)
    assert next(iter(explorer.body.memory.looked_into)) == told.object_id


def test_a_hint_is_followed_first_and_what_it_does_not_help_with_is_found_all_the_same() -> None:
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    explorer.body.memory.hints.append(("Egg", Reference("Microwave", 1, True)))
    explorer.carry_out(perform(explorer.body, Instruction(Verb.PICK_UP, Reference("Egg", 1, True))))
    first = explorer.body.things.get(next(iter(explorer.body.memory.looked_into)))
    assert first is not None and first.object_type == "Microwave"
    assert explorer.body.held == _known(explorer, "Egg")[0]


def test_of_several_places_those_come_first_that_were_not_looked_into() -> None:
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    drawers = _known(explorer, "Drawer")[:2]
    explorer.body.memory.looked_into[drawers[0].object_id] = 1
    explorer.carry_out(look_into(explorer.body, drawers, lambda: False))
    assert explorer.body.memory.looked_into == {drawer.object_id: 1 for drawer in drawers}


def test_a_look_that_was_broken_off_is_no_look_at_all_of_an_inside() -> None:
    explorer = Explorer("FloorPlan7")
    explorer.carry_out(survey(explorer.body))
    fridge = _known(explorer, "Fridge")[0]
    memory = explorer.body.memory
    explorer.carry_out(look_into(explorer.body, [fridge], lambda: bool(memory.looked_into)))
    assert not is_well_looked_into(explorer.body, fridge)
    explorer.carry_out(look_into(explorer.body, [fridge], lambda: False, thorough=True))
    assert is_well_looked_into(explorer.body, fridge) and memory.unseen_inside[fridge.object_id] < 0.5


def test_no_far_walk_is_taken_for_the_last_corner_of_an_inside() -> None:
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    cabinets = _known(explorer, "Cabinet")
    explorer.body.memory.looked_into.update(cabinet.object_id for cabinet in cabinets[1:])
    assert least_looked_into(explorer.body, cabinets) == cabinets[:1]
    assert explorer.carry_out(look_into(explorer.body, cabinets, lambda: False, thorough=True)) <= 60


def test_a_noun_phrase_that_nothing_fits_says_less() -> None:
    room = things(row("Mug", 0, "Shelf|0", pickupable=True), row("Shelf", 0, receptacle=True))
    fridge, egg = Reference("Fridge", 1, True), Reference("Egg")
    asked = Instruction(Verb.PICK_UP, Reference("Mug", 1, True, place=fridge, content=egg))
    assert simplified(asked, "Mug", room) == Instruction(Verb.PICK_UP, Reference("Mug", 1, True))
    assert simplified(Instruction(Verb.PICK_UP, Reference("Mug", 1, True)), "Mug", room) is None
    assert simplified(Instruction(Verb.PICK_UP, egg), "Egg", room) is None


def test_things_are_sought_where_such_things_are() -> None:
    assert likelihood("Egg", "Fridge") > likelihood("Egg", "Drawer") > likelihood("Egg", "Toilet") > 0.0
    assert likelihood("Silverware", "Drawer") > likelihood("Fork", "Drawer")


def test_a_cabinet_is_looked_into_from_before_its_front_and_a_drawer_from_above() -> None:
    cells = np.array([(x, z) for x in range(-6, 7) for z in range(3, 10)])
    (cabinet, drawer) = things(
        row("Cabinet", 0, openable=True, at=(0.0, 0.4, 0.0), size=(0.6, 0.6, 0.6)),
        row("Drawer", 0, openable=True, at=(0.0, 0.7, 0.3), size=(0.5, 0.2, 0.5)),
    )
    paths = Paths(((0, 9), 0), [(x, z) for x, z in cells.tolist()])
    view = Inside(cabinet, cabinet, cells).best_view(paths, 0.9)
    assert view is not None and view.stand[1] == 2 and abs(view.stand[0][0]) <= 2
    above = Inside(drawer, drawer, cells).best_view(paths, 0.9)
    assert above is not None and above.stand[1] == 2 and above.horizon > 0


def test_inside_there_is_nothing_to_be_gained_where_all_was_seen() -> None:
    cells = np.array([(x, z) for x in range(-6, 7) for z in range(3, 10)])
    paths = Paths(((0, 9), 0), [(x, z) for x, z in cells.tolist()])
    (cabinet,) = things(row("Cabinet", 0, openable=True, at=(0.0, 0.9, 0.0), size=(0.6, 0.6, 0.6)))
    seen, unseen = (Inside(cabinet, cabinet, cells) for _ in range(2))
    seen.look(np.full((60, 60), 20.0, np.float32), Pose(Vec3(0.0, 0.9, 1.5), 180.0, 30.0))
    assert [inside.is_hidden for inside in (seen, unseen)] == [False, True]
    assert seen.best_view(paths, 0.9) is None and unseen.best_view(paths, 0.9) is not None


def test_what_lies_low_in_an_open_box_is_found() -> None:
    explorer = Explorer("FloorPlan202")
    explorer.carry_out(survey(explorer.body))
    explorer.carry_out(pick_up(explorer.body, _known(explorer, "CreditCard")[0]))
    explorer.carry_out(put_held(explorer.body, _known(explorer, "Box")[0]))
    explorer.perception.begin(0)
    explorer.body = Body()
    explorer.do(Action.wait())
    explorer.carry_out(look_round(explorer.body))
    assert not _known(explorer, "CreditCard")
    explorer.carry_out(look_for(explorer.body, "CreditCard", lambda: bool(_known(explorer, "CreditCard"))))
    assert _known(explorer, "CreditCard")


@pytest.mark.parametrize(
    ("room", "kind"), [("FloorPlan201", "Pillow"), ("FloorPlan230", "Watch"), ("FloorPlan324", "TennisRacket")]
)
def test_what_lies_in_the_open_but_hidden_from_afar_is_found(room: str, kind: str) -> None:
    explorer = Explorer(room)
    explorer.carry_out(look_round(explorer.body))
    assert not _known(explorer, kind)
    explorer.carry_out(look_for(explorer.body, kind, lambda: bool(_known(explorer, kind))))
    assert _known(explorer, kind)


def test_what_stands_on_a_counter_behind_other_things_is_found_and_nothing_is_opened_for_it() -> None:
    explorer = Explorer("FloorPlan9")
    explorer.carry_out(look_round(explorer.body))
    explorer.carry_out(look_about(explorer.body, lambda: bool(_known(explorer, "Toaster")), noun="Toaster"))
    assert _known(explorer, "Toaster") and not explorer.body.memory.looked_into


def test_what_hangs_high_is_looked_for_along_the_walls() -> None:
    explorer = Explorer("FloorPlan308")
    for name in [name for name in explorer.rows if name.startswith("Blinds|")]:
        explorer.household.simulator.step(SimulatorAction("OpenObject", name, force=True))
    explorer.do(Action.wait())
    explorer.carry_out(look_round(explorer.body))
    assert len(_known(explorer, "Blinds")) < 2
    pitches = []
    for action in look_about(explorer.body, lambda: len(_known(explorer, "Blinds")) == 2, noun="Blinds"):
        explorer.do(action)
        pitches.append(explorer.body.pose.horizon)
    assert len(_known(explorer, "Blinds")) == 2 and min(pitches) == 0.0


def test_a_surface_is_looked_over_until_nearly_all_of_it_was_seen_from_near() -> None:
    explorer = Explorer("FloorPlan201")
    explorer.carry_out(look_round(explorer.body))
    sofa = next(one for one in _known(explorer, "Sofa") if not is_looked_over(explorer.body, one))
    assert explorer.carry_out(look_over(explorer.body, sofa, lambda: False)) > 0
    assert is_looked_over(explorer.body, sofa)
    assert explorer.carry_out(look_over(explorer.body, sofa, lambda: False)) == 0


def test_an_open_sink_that_was_seen_from_near_is_not_looked_into() -> None:
    looked = {}
    for near in (False, True):
        explorer = Explorer("FloorPlan1")
        explorer.carry_out(survey(explorer.body))
        basin = next(one for one in explorer.body.things if one.object_type == "SinkBasin")
        if near:
            voxels = explorer.body.knowledge.coverage.voxels  # type: ignore[union-attr]  # it looks for itself
            middles, _ = voxels.unseen(basin.low, basin.high)
            seen = np.insert(middles, 1, basin.center.y, axis=1)
            explorer.perception.map.coverage.voxels.look(seen, Vec3(basin.center.x, 0.9, basin.center.z))  # type: ignore[attr-defined]  # the oracle's
        with pytest.raises(SkillError):
            explorer.carry_out(look_for(explorer.body, "Knife", lambda: False, most=60))
        looked[near] = basin.object_id in explorer.body.memory.looked_into
    assert looked == {False: True, True: False}


class _Jammed(Explorer):
    """Nothing opens for so many tries."""

    times = 1000

    def do(self, action: Action) -> bool:
        if action.name == "Open" and self.times > 0:
            self.times -= 1
            return super().do(Action.click("Close", action.x or 0.0, action.y or 0.0))
        return super().do(action)


def test_what_did_not_open_was_not_looked_into() -> None:
    explorer = _Jammed("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    fridge = _known(explorer, "Fridge")[0]
    with pytest.raises(SkillError):
        explorer.carry_out(look_into(explorer.body, [fridge], lambda: False))
    assert not explorer.body.memory.looked_into
    assert explorer.body.memory.unopened == {fridge.object_id: 2}


def test_what_jams_at_first_is_opened_another_way() -> None:
    explorer = _Jammed("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    fridge = _known(explorer, "Fridge")[0]
    jams = 0
    while not explorer.body.memory.unopened and jams < 40:
        jams += 1
        explorer.times = jams
        explorer.body.memory.troubles.clear()
        explorer.carry_out(look_into(explorer.body, [fridge], lambda: False))
    assert explorer.body.memory.unopened and explorer.body.memory.looked_into[fridge.object_id] == jams


def test_a_search_comes_back_to_a_likely_place_that_did_not_open() -> None:
    explorer = _Jammed("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    fridge = _known(explorer, "Fridge")[0]
    explorer.times = 3
    for action in look_for(explorer.body, "Egg", lambda: bool(_known(explorer, "Egg"))):
        explorer.do(action)
        explorer.times *= not explorer.body.memory.unopened
    assert _known(explorer, "Egg") and explorer.body.memory.unopened == {fridge.object_id: 1}
