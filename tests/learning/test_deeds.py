from __future__ import annotations

from teach_agents.actions import Role
from teach_agents.agents.lm.phrases import command
from teach_agents.data.interactions import Interaction, Keyboard, ObjectInteraction
from teach_agents.learning.deeds import deeds


def _session(*done: str) -> list[Interaction]:
    """Clicks `Action Type` (with `2` for another one of a type) and words `C: ...`, `F: ...`."""
    made: list[Interaction] = []
    for number, one in enumerate(done):
        if one[1] == ":":
            role = Role.COMMANDER if one[0] == "C" else Role.FOLLOWER
            made.append(Keyboard(role=role, action="Text", time_start=number, success=True, utterance=one[3:]))
            continue
        action, kind = one.split()
        name = f"{kind.rstrip('2')}|{number if '2' in kind else 1}|0|0"
        click = ObjectInteraction(
            role=Role.FOLLOWER, action=action, time_start=number, success=True, x=0.5, y=0.5, object_id=name
        )
        made.append(click)
    return made


def _told(*done: str) -> list[tuple[str, int, int]]:
    return [(command(one.instruction), one.first, one.last) for one in deeds(_session(*done))]


def test_doors_and_what_is_taken_on_the_way_belong_to_what_comes_of_them() -> None:
    done = ("C: wash the mug", "Open Cabinet", "Pickup Mug", "Close Cabinet", "Place Sink", "ToggleOn Faucet")
    assert _told(*done) == [("clean the mug", 1, 5)]
    assert _told("Pickup Knife", "Open Fridge", "Slice Tomato") == [("slice the tomato", 0, 2)]
    assert _told("Pickup Mug", "Open Cabinet", "Place Cabinet") == [("put the mug in the cabinet", 0, 2)]


def test_what_is_put_down_to_be_worked_on_is_part_of_that() -> None:
    done = ("Open Fridge", "Pickup Tomato", "Place CounterTop", "Pickup Knife", "Slice Tomato")
    assert _told(*done) == [("slice the tomato", 0, 4)]
    assert _told("Pickup Mug", "Place Cabinet", "Pickup Mug", "Place Sink")[0][0] == "put the mug in the cabinet"


def test_a_knife_is_laid_aside_on_the_way() -> None:
    done = ("Pickup Knife", "Slice Tomato", "C: now wash the mug", "Place CounterTop", "Pickup Mug", "Place Sink")
    assert _told(*done)[1] == ("put the mug in the sink", 3, 5)


def test_nothing_goes_on_over_the_commanders_words() -> None:
    done = ("Pickup Mug", "C: on the table", "Place DiningTable")
    assert _told(*done) == [("pick up the mug", 0, 0), ("put the mug on the dining table", 2, 2)]
    assert _told("Pickup Mug", "F: where to?", "Place DiningTable") == [("put the mug on the dining table", 0, 2)]


def test_the_same_done_to_several_is_one_deed_of_as_many_things() -> None:
    made = deeds(_session("Pickup Fork", "Place Sink", "Pickup Fork2", "Place Sink"))
    assert [(command(one.instruction), one.first, one.last) for one in made] == [("put the fork in the sink", 0, 3)]
    assert len(made[0].object_ids) == 2
    assert made[0].where_id.startswith("Sink|")


def test_what_is_taken_up_again_belongs_to_what_comes() -> None:
    done = ("Pickup Mug", "Place Sink", "ToggleOn Faucet", "ToggleOff Faucet", "Pickup Mug", "Place Shelf")
    assert _told(*done) == [("clean the mug", 0, 3), ("put the mug on the shelf", 4, 5)]


def test_what_was_opened_and_no_more_was_looked_into() -> None:
    assert _told("C: check the cabinet", "Open Cabinet") == [("look in the cabinet", 1, 1)]
    assert _told("C: open the cabinet", "Open Cabinet") == [("open the cabinet", 1, 1)]
