"""What a Commander may know: what it was shown, and nothing else of the true state of things."""

from __future__ import annotations

import pytest

from teach_agents.actions import Role
from teach_agents.agents.acting.things import Things
from teach_agents.agents.lm.commander_knowledge import CommanderEyes
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.errors import PrivilegeError, SpecError
from teach_agents.observations import Observation
from tests.agents.acting.making import Row, kitchen, row
from tests.agents.lm.commanding import check, seen


def _known(perception: Perception, observation: Observation) -> list[str]:
    return sorted(str(one["objectId"]) for one in perception.perceive(observation).privileged.objects)


def test_what_was_not_shown_is_not_known() -> None:
    eyes = CommanderEyes()
    assert _known(eyes, seen(kitchen())) == []
    assert _known(eyes, seen(kitchen(), ["Sink|0"])) == ["Sink|0"]
    assert _known(eyes, seen(kitchen(), ["Plate|1"])) == ["Plate|1", "Sink|0"]
    eyes.begin(0)
    assert _known(eyes, seen(kitchen())) == []


def test_a_progress_check_shows_what_it_names() -> None:
    reply = check(kitchen(), "N Slices Of X In Y", "1", "Tomato", "on", "Plate")
    assert _known(CommanderEyes(), seen(kitchen(), reply=reply)) == ["Plate|0", "Tomato|0"]


def test_a_search_shows_what_holds_the_thing_too() -> None:
    drawer = row("Drawer", 0, "CounterTop|0", receptacle=True, openable=True)
    rows = [*kitchen(), drawer, row("Spoon", 0, "Drawer|0", pickupable=True)]
    found = seen(rows, reply={"success": True, "oid": "Spoon|0", "shown_oid": "Drawer|0"})
    eyes = CommanderEyes()
    assert _known(eyes, found) == ["CounterTop|0", "Drawer|0", "Spoon|0"]
    (spoon,) = Things(eyes.perceive(found).privileged.objects).of("Spoon")
    assert spoon.parents == ("Drawer|0",)


def test_a_row_names_nothing_that_is_unknown() -> None:
    fridge = row("Fridge", 0, receptacle=True, openable=True, receptacleObjectIds=["Egg|0"])
    egg = row("Egg", 0, "Fridge|0", pickupable=True)
    (known,) = CommanderEyes().perceive(seen([fridge, egg], ["Fridge|0"])).privileged.objects
    assert known["receptacleObjectIds"] == []


def test_a_thing_is_known_as_it_was_last_shown() -> None:
    def mug(dirty: bool) -> Row:
        return row("Mug", 0, pickupable=True, dirtyable=True, isDirty=dirty)

    def is_dirty(observation: Observation) -> object:
        return eyes.perceive(observation).privileged.objects[0]["isDirty"]

    eyes = CommanderEyes()
    assert is_dirty(seen([mug(True)], ["Mug|0"])) is True
    assert is_dirty(seen([mug(False)])) is True
    assert is_dirty(seen([mug(False)], ["Mug|0"])) is False


def test_who_sees_a_slice_knows_that_the_whole_is_gone() -> None:
    name = "Tomato|+00.10|+01.00|+00.20"
    whole = {**row("Tomato", 0, pickupable=True, sliceable=True, isSliced=False), "objectId": name}
    part = {**row("TomatoSliced", 0, pickupable=True), "objectId": f"{name}|TomatoSliced_0"}
    eyes = CommanderEyes()
    eyes.perceive(seen([whole], [name]))
    now = eyes.perceive(seen([{**whole, "isSliced": True}, part], [str(part["objectId"])]))
    assert [thing.object_type for thing in Things(now.privileged.objects)] == ["TomatoSliced"]


@pytest.mark.parametrize("tier", ["none", "detector"])
def test_without_eyes_only_replies_tell(tier: str) -> None:
    hearsay = perception_of(tier, seat=Role.COMMANDER)
    assert (hearsay.name, hearsay.privileges) == (tier, frozenset())
    assert hearsay.provenance == {"perception": tier, "looks_at": "replies only"}
    assert _known(hearsay, seen(kitchen(), ["Sink|0"])) == []
    reply = check(kitchen(), "Clean All X", "Plate")
    (first, second) = hearsay.perceive(seen((), reply=reply)).privileged.objects
    assert (first["objectType"], first["isDirty"], second["isDirty"]) == ("Plate", True, True)
    found: dict[str, object] = {"success": True, "oid": "Plate|1", "shown_oid": "Sink|0", "pos_norm": [0.5, 0.25]}
    told = hearsay.perceive(seen((), reply=found))
    things = Things(told.privileged.objects)
    plate = things.get("Plate|1")
    assert plate is not None and [holder.object_type for holder in things.holders(plate)] == ["Sink"]
    with pytest.raises(PrivilegeError):
        _ = told.privileged.segmentation


def test_an_unknown_tier_is_refused() -> None:
    with pytest.raises(SpecError, match="detector, none, oracle"):
        perception_of("clairvoyant", seat=Role.COMMANDER)
