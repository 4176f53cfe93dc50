"""Orders carried out in real rooms, by a body that knows them and by one that looks for itself; judged by the truth."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from teach_agents.agents.acting.navigation import stand_of
from teach_agents.understanding.english.values import Reference
from tests.agents.dialogue.ordering import Servant

Check = Callable[[Servant], object]
KITCHEN: list[tuple[str, Check]] = [
    ("get(apple)", lambda room: room.one("Apple")["isPickedUp"]),
    ("put(it, in fridge)", lambda room: room.is_in("Apple", "Fridge") and not room.one("Fridge")["isOpen"]),
    ("get(apple, from fridge)", lambda room: room.one("Apple")["isPickedUp"] and not room.one("Fridge")["isOpen"]),
    ("throw_away(it)", lambda room: room.is_in("Apple", "GarbageCan")),
    ("open(fridge)", lambda room: room.one("Fridge")["isOpen"]),
    ("close(it)", lambda room: not room.one("Fridge")["isOpen"]),
    ("slice(bread)", lambda room: room.one("BreadSliced")),
    ("toast(bread)", lambda room: any(row["isCooked"] for row in room.all("BreadSliced"))),
    ("make(coffee)", lambda room: any(row.get("simbotIsFilledWithCoffee") for row in room.all("Mug"))),
    ("cook(potato, in pan)", lambda room: room.one("Potato")["isCooked"] and room.is_in("Potato", "Pan")),
    ("turn_on(stove)", lambda room: any(row["isToggled"] for row in room.all("StoveKnob"))),
    ("turn_off(stove)", lambda room: not any(row["isToggled"] for row in room.all("StoveKnob"))),
    ("fill(cup, with water)", lambda room: room.one("Cup")["isFilledWithLiquid"]),
    ("put(salt, near sink)", lambda room: room.is_in("SaltShaker", "CounterTop")),
]
LIVING_ROOM: list[tuple[str, Check]] = [
    ("get(remote)", lambda room: room.one("RemoteControl")["isPickedUp"]),
    ("put_back(it)", lambda room: not room.one("RemoteControl")["isPickedUp"]),
    ("put(all book, on coffee_table)", lambda room: room.is_in("Book", "CoffeeTable")),
    ("throw_away(newspaper)", lambda room: room.is_in("Newspaper", "GarbageCan")),
    ("turn_on(tv)", lambda room: room.one("Television")["isToggled"]),
    ("turn_off(all light)", lambda room: not room.one("FloorLamp")["isToggled"]),
]
BATHROOM: list[tuple[str, Check]] = [
    ("get(towel)", lambda room: room.one("Towel")["isPickedUp"]),
    ("put_back(it)", lambda room: room.is_in("Towel", "TowelHolder")),
    ("turn_on(tap)", lambda room: any(row["isToggled"] for row in room.all("Faucet"))),
    ("turn_off(tap)", lambda room: not any(row["isToggled"] for row in room.all("Faucet"))),
    ("throw_away(toilet_paper)", lambda room: room.is_in("ToiletPaper", "GarbageCan")),
    ("turn_on(candle)", lambda room: any(row["isToggled"] for row in room.all("Candle"))),
]


@pytest.mark.parametrize("looks_for_itself", [False, True])
@pytest.mark.parametrize(
    ("room", "orders"), [("FloorPlan1", KITCHEN), ("FloorPlan203", LIVING_ROOM), ("FloorPlan403", BATHROOM)]
)
def test_what_is_said_to_be_done_is_true(room: str, orders: list[tuple[str, Check]], *, looks_for_itself: bool) -> None:
    servant = Servant(room, looks_for_itself=looks_for_itself)
    said: list[str] = []
    for order, check in orders:
        outcome = servant.told(order)
        assert outcome.done, (order, outcome)
        assert check(servant), (order, outcome)
        assert servant.acted, order
        assert outcome.said.endswith("."), outcome
        said.append(outcome.said)
    assert len({*said}) == len(said)


@pytest.fixture(scope="module")
def kitchen() -> Servant:
    return Servant("FloorPlan1")


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("get(banana)", "banana"),
        ("open(apple)", "The apple cannot be opened."),
        ("slice(mug)", "The mug cannot be sliced."),
        ("wash(counter)", "I can wash dishes and rinse food, but not the counter."),
        ("pick_up(fridge)", "I cannot pick up the fridge: I can carry only what fits in my hand."),
        ("go_to(bathroom)", "I cannot leave this kitchen."),
        ("get(apple, from microwave)", "counter"),
        ("make(tea)", "coffee"),
        ("eat(apple)", "I can bring you the apple."),
        ("follow(me)", "Tell me where to go."),
        ("put_back(apple)", "I have not moved the apple."),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(kitchen: Servant, order: str, words: str) -> None:
    outcome = kitchen.told(order)
    assert not outcome.done
    assert not kitchen.acted
    assert words in outcome.said, outcome


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("close(fridge)", "The fridge is closed already."),
        ("turn_on(light)", "The light is on already."),
        ("drop(it)", ""),
        ("come", ""),
        ("wash(plate)", "The plate is clean already."),
        ("turn_off(stove)", ""),
        ("turn_off(water)", "The tap is off already."),
    ],
)
def test_what_is_so_already_takes_no_action(order: str, words: str) -> None:
    servant = Servant("FloorPlan1")
    outcome = servant.told(order)
    assert outcome.done
    assert not servant.acted
    assert words in outcome.said


def test_one_hand_brings_one_thing_at_a_time() -> None:
    servant = Servant("FloorPlan12", seed=2)
    outcome = servant.told("get(2 spoon)")
    assert outcome.done
    assert "only one at a time" in outcome.said
    assert [row["isPickedUp"] for row in servant.all("Spoon")].count(True) == 1
    assert len(outcome.ids) == 2
    fewer = servant.told("get(3 potato)")
    assert not fewer.done
    assert fewer.said.endswith("I know of only two potatoes.")


def test_what_was_said_last_is_said_otherwise(kitchen: Servant) -> None:
    first, again = kitchen.told("open(potato)").said, kitchen.told("open(potato)").said
    assert first == "The potato cannot be opened."
    assert again.endswith(": the potato cannot be opened.")


@pytest.mark.parametrize("looks_for_itself", [False, True])
def test_what_is_too_big_stays_where_it_is(*, looks_for_itself: bool) -> None:
    servant = Servant("FloorPlan314", looks_for_itself=looks_for_itself)
    outcome = servant.told("throw_away(pillow)")
    assert not outcome.done
    assert "does not fit in the bin" in outcome.said
    assert not any(row["isPickedUp"] for row in servant.all("Pillow"))


def test_it_comes_back_to_where_the_talk_began() -> None:
    servant = Servant("FloorPlan1")
    body = servant.explorer.body
    begun = stand_of(body.pose)
    assert servant.told("go_to(sink)").done
    assert stand_of(body.pose)[0] != begun[0]
    assert servant.told("come").done
    assert stand_of(body.pose) == begun


def test_what_people_said_of_where_a_thing_is_is_looked_at_first() -> None:
    servant = Servant("FloorPlan1", looks_for_itself=True)
    servant.explorer.body.memory.hints.append(("Cup", Reference("Cabinet", 1, definite=True)))
    outcome = servant.told("get(cup)")
    assert outcome.done, outcome
    told = servant.acted
    unaware = Servant("FloorPlan1", looks_for_itself=True)
    unaware.told("get(cup)")
    assert told < unaware.acted


def test_what_was_shut_is_looked_into_and_shut_again() -> None:
    servant = Servant("FloorPlan1", looks_for_itself=True)
    outcome = servant.told("look_in(fridge)")
    assert outcome.said == "In the fridge there is an egg."
    assert not servant.one("Fridge")["isOpen"]


def test_steps_that_are_blocked_are_counted() -> None:
    servant = Servant("FloorPlan1")
    before = servant.explorer.body.pose.position
    outcome = servant.told("step_back(40)")
    assert not outcome.done
    after = servant.explorer.body.pose.position
    made = round(((before.x - after.x) ** 2 + (before.z - after.z) ** 2) ** 0.5 / 0.25)
    assert made == servant.acted - 1


def test_a_table_is_cleared() -> None:
    servant = Servant("FloorPlan203")
    outcome = servant.told("clear(coffee_table)")
    assert outcome.done
    assert not servant.is_in("Laptop", "CoffeeTable")
    assert not any(row["isPickedUp"] for row in servant.explorer.rows.values())


@pytest.mark.parametrize("looks_for_itself", [False, True])
def test_dirty_dishes_are_washed_and_the_tap_is_off_again(*, looks_for_itself: bool) -> None:
    servant = Servant("FloorPlan5", looks_for_itself=looks_for_itself, seed=1)
    assert any(row.get("isDirty") and row.get("pickupable") for row in servant.explorer.rows.values())
    outcome = servant.told("wash(all dirty dish)")
    assert outcome.done, outcome
    washed = [servant.explorer.rows[name] for name in outcome.ids]
    assert washed
    assert not any(row["isDirty"] for row in washed)
    assert not any(row["isToggled"] for row in servant.all("Faucet"))
