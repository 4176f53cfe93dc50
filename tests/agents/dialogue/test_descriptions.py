"""What descriptions stand for: ranks, neighbours, parts of furniture, "the one", names that people use."""

from __future__ import annotations

import pytest

from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue import noun_types
from teach_agents.agents.dialogue.dialogue_state import Deed
from teach_agents.agents.dialogue.interpretation import carried
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.understanding.english.lexicon import is_known
from teach_agents.understanding.notation import read_meaning, read_phrase, write_meaning
from tests.agents.dialogue.asking import Asked
from tests.agents.dialogue.talking import Room


@pytest.fixture(scope="module")
def kitchen() -> Asked:
    return Asked("FloorPlan7")


@pytest.fixture(scope="module")
def bedroom() -> Asked:
    return Asked("FloorPlan301")


def _found(room: Asked, description: str) -> list[Thing]:
    return [*Resolver(room.body, room.state).find(read_phrase(description)).chosen]


def _types(room: Asked, description: str) -> list[str]:
    return [thing.object_type for thing in Resolver(room.body, room.state).find(read_phrase(description)).things]


@pytest.mark.parametrize("mark", ["fridge", "sink", "microwave"])
def test_the_nearest_to_a_landmark_is_the_nearest_of_all(kitchen: Asked, mark: str) -> None:
    landmark = kitchen.body.things.of(*kinds_of(mark))[0]
    (found,) = _found(kitchen, f"nearest cabinet @near {mark}")
    assert gap(found, landmark) == min(gap(one, landmark) for one in kitchen.body.things.of("Cabinet"))


def test_what_shares_a_surface_is_next_to_where_nothing_is_nearer(kitchen: Asked) -> None:
    assert _types(kitchen, "cup @near kettle") == ["Cup"], "on the same counter"
    assert _types(kitchen, "mug @near kettle") == [], "on another"
    assert _types(kitchen, "plate @near fridge") == [], "the floor is no such surface"


def test_the_middle_one_is_that_by_height_or_from_left_to_right(kitchen: Asked, bedroom: Asked) -> None:
    heights = sorted(one.center.y for one in kitchen.body.things.of("Shelf"))
    (shelf,) = _found(kitchen, "middle shelf")
    assert shelf.center.y == heights[1]
    row = [_found(kitchen, f"{look} drawer")[0].object_id for look in ("left", "second", "third", "right")]
    assert len({*row}) == 4, "side by side"
    assert _found(kitchen, "middle drawer")[0].object_id == row[2]
    levels = sorted({round(one.center.y, 1) for one in bedroom.body.things.of("Drawer")})
    middle = _found(bedroom, "middle drawer of dresser")[0].center.y
    assert levels[0] < round(middle, 1) < levels[-1]


@pytest.mark.parametrize("mark", ["desk", "dresser"])
def test_a_drawer_of_furniture_is_a_drawer_and_no_furniture(bedroom: Asked, mark: str) -> None:
    (act,) = carried(read_meaning(f"open(bottom drawer of {mark})"))
    (landmark,) = bedroom.body.things.of(*kinds_of(mark))
    found = Resolver(bedroom.body, bedroom.state).find(act.slots[0].phrase)
    assert {thing.object_type for thing in found.things} == {"Drawer"}
    assert all(gap(thing, landmark) == 0 for thing in found.things)
    assert found.things[0].center.y == min(thing.center.y for thing in found.things)
    room = Room("FloorPlan301", meanings={})
    assert room.say(f"open the bottom drawer of the {mark}").done["Open"] == 1


def test_names_of_several_words_are_one_name() -> None:
    def meant(line: str) -> str:
        return write_meaning(carried(read_meaning(line)))

    assert meant("get(slice of bread)") == "get(slice_of_bread)"
    assert meant("go_to(bed of dog)") == "go_to(bed_of_dog)"
    assert meant("put(2 roll of toilet_paper, on holder)") == "put(2 roll_of_toilet_paper, on holder)"
    assert meant("never(open(door of fridge))") == "never(open(door_of_fridge))"
    assert meant("get(loaf of bread)") == "get(loaf)"
    assert meant("get(head of lettuce)") == "get(lettuce)"
    assert meant("get(dirty one of mug)") == "get(1 dirty mug)"
    assert meant("get(mug of coffee)") == "get(mug of coffee)"
    assert meant("open(top shelf of table)") == "open(top shelf of table)"


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("loo", ["Toilet"]),
        ("toilet_lid", ["Toilet"]),
        ("toilet_seat", ["Toilet"]),
        ("loo_roll", ["ToiletPaper"]),
        ("roll_holder", ["ToiletPaperHanger", "TowelHolder", "HandTowelHolder"]),
        ("footstool", ["Ottoman", "Footstool", "Stool"]),
        ("hoover", ["VacuumCleaner"]),
        ("settee", ["Sofa"]),
        ("skillet", ["Pan"]),
        ("shaker", ["SaltShaker", "PepperShaker"]),
        ("fridge_door", ["Fridge"]),
        ("soap_dispenser", ["SoapBottle"]),
        ("phone", ["CellPhone"]),
        ("keychain", ["KeyChain"]),
        ("remotecontrol", ["RemoteControl"]),
        ("television_set", ["Television"]),
        ("stand", ["TVStand", "SideTable"]),
        ("wallet", []),
        ("qwzx", []),
    ],
)
def test_people_have_many_names_for_things(said: str, kinds: list[str]) -> None:
    assert [*kinds_of(said)] == kinds


def test_names_are_of_kinds_that_there_are_and_none_is_listed_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = dict(noun_types._SAID)
    assert all(is_known(kind) for kinds in listed.values() for kind in kinds.split()), "each is a type or a class"
    in_vain = []
    for name, kinds in listed.items():
        with monkeypatch.context() as without:
            without.delitem(noun_types._SAID, name)
            kinds_of.cache_clear()
            if kinds and " ".join(kinds_of(name)) == kinds:
                in_vain.append(name)
    kinds_of.cache_clear()
    assert in_vain == []


def test_a_shaker_may_be_either_and_which_is_asked() -> None:
    room = Room(meanings={"bring me the shaker": "get(shaker)", "the pepper one": "choose(pepper_shaker)"})
    asked = room.say("bring me the shaker")
    assert "salt shaker" in asked.text and "pepper shaker" in asked.text and asked.text.endswith("?")
    assert not asked.done
    room.say("the pepper one")
    assert room.holding() == "PepperShaker"


def test_the_dirty_one_is_the_one_that_is_dirty_whether_or_not_it_was_spoken_of() -> None:
    room = Room(setup=("dirty Plate",), meanings={})
    assert "plate" in room.say("wash the dirty one").text
    assert not room.one("Plate")["isDirty"]


def test_the_first_and_the_second_one_are_of_the_last_two_orders(kitchen: Asked) -> None:
    apple, fork = kitchen.one("Apple"), kitchen.one("Fork")
    kitchen.state.deeds = [
        Deed("get(mug)", True, "", (kitchen.one("Mug").object_id,)),
        Deed("get(apple)", True, "", (apple.object_id,)),
        Deed("get(fork)", True, "", (fork.object_id,)),
    ]
    assert _found(kitchen, "first one") == [apple] and _found(kitchen, "second one") == [fork]
    kitchen.state.deeds = kitchen.state.deeds[:1]
    assert apple not in _found(kitchen, "first one")
    kitchen.state.deeds = []


def test_words_for_one_state_are_one_word() -> None:
    assert {state_called(word) for word in ("shut", "down", "lowered")} == {"closed"}
    assert state_called("qwzx") == "qwzx"
    assert not [word for word in LOOKS if state_called(word) != word], "only that one is looked up"


def test_a_cracked_egg_is_found_by_either_word() -> None:
    room = Room(meanings={"get the cracked egg": "pick_up(cracked egg)"})
    assert "cracked" in room.say("get the cracked egg").text and not room.holding()
    room.say("crack the egg")
    assert "Yes" in room.say("is the egg cracked?").text
    room.say("get the cracked egg")
    assert room.holding() == "EggCracked"


@pytest.mark.parametrize("look", ["on", "burning", "lit"])
def test_a_state_may_stand_where_contents_do(look: str) -> None:
    words = "put out the one that burns"
    room = Room("FloorPlan207", meanings={words: f"turn_off(lamp +{look})"})
    room.say(words)
    assert not room.one("FloorLamp")["isToggled"]


def test_nothing_is_put_beside_itself() -> None:
    words = "stand the soap with the other soap"
    meanings = {words: "put(soap @in bathtub, near other soap)"}
    room = Room("FloorPlan406", setup=("put SoapBar on CounterTop",), meanings=meanings)
    room.say(words)
    assert room.is_in("SoapBottle", "CounterTop") and room.is_in("SoapBar", "CounterTop")


@pytest.mark.parametrize("read", ["turn_off(water)", "turn_off(water @in hall)", "turn_off(running water)"])
@pytest.mark.parametrize("source", ["ShowerHead", "Faucet"])
def test_water_is_turned_off_where_it_runs(source: str, read: str) -> None:
    setup = (f"on {source}",) if source == "ShowerHead" else ("on Faucet#1",)
    room = Room("FloorPlan401", setup=setup, meanings={"stop that splashing": read})
    room.say("stop that splashing")
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == source)
