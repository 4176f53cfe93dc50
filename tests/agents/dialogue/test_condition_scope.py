"""What conditions of an utterance are about, and which of its orders hang on them."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.branches import of_condition
from teach_agents.agents.dialogue.condition_scope import with_scope
from teach_agents.understanding.matching import same
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        (
            "Turn the TV off if it's on. If it's off already, get me the remote.",
            "if(it: on) turn_off(tv); if(it: off) get(remote)",
            "if(it: on) turn_off(tv); if(tv: off) get(remote)",
        ),
        (
            "Clean the plate if it is dirty, and the mug too if it is dirty.",
            "if(it: dirty) wash(plate); if(it: dirty) wash(mug)",
            "if(it: dirty) wash(plate); if(it: dirty) wash(mug)",
        ),
        (
            "Give the bowl a quick wash if it's dirty, then pop it in the fridge",
            "wash(bowl); if(it: dirty) put(it, in fridge)",
            "if(it: dirty) wash(bowl); put(it, in fridge)",
        ),
        (
            "Switch the lamp off if it's on. After that, bring me the book.",
            "if(lamp: on) turn_off(lamp); if(lamp: on) get(book)",
            "if(lamp: on) turn_off(lamp); get(book)",
        ),
        (
            "Look in the fridge. If there is potato, cook it, if there is no potato cut the tomato",
            "look_in(fridge); if(potato) cook(it); unless(potato) slice(tomato)",
            "look_in(fridge); if(potato @in fridge) cook(it); unless(potato @in fridge) slice(tomato)",
        ),
        (
            "Have a look on the shelf. If the vase is there bring it, if it isn't bring the statue.",
            "look_at(shelf); if(vase) get(it); unless(vase) get(statue)",
            "look_at(shelf); if(vase @on shelf) get(it); unless(vase @on shelf) get(statue)",
        ),
        (
            "Walk to the desk, and if my watch is still there, get it",
            "go_to(desk); if(watch) get(it)",
            "go_to(desk); if(watch @on desk) get(it)",
        ),
        (
            "Brew some coffee. Once the coffee is ready, bring it",
            "make(coffee); if(coffee: ready) get(it)",
            "make(coffee); get(it)",
        ),
        (
            "Hang up a roll from the counter, and if there is another one left on the counter, put that in a drawer",
            "put(roll @on counter, on holder); if(another one @on counter) put(that, in drawer)",
            "put(roll @on counter, on holder); if(roll @on counter) put(that, in drawer)",
        ),
        (
            "If the safe is open, put my keys in there. If it's closed, put them on the bed.",
            "if(safe: open) put(all key, in there); if(safe: closed) put(them, on bed)",
            "if(safe: open) put(all key, in there); if(safe: closed) put(all key, on bed)",
        ),
        (
            "Cut me some bread. If you had to use the knife, put it in the sink.",
            "slice(bread, with knife); put(knife, in sink)",
            "slice(bread, with knife); if(knife: used) put(knife, in sink)",
        ),
    ],
)
def test_by_the_words_and_the_other_orders(text: str, read: str, meant: str) -> None:
    found = with_scope(read_meaning(read), text)
    assert same(found, read_meaning(meant)), write_meaning(found)


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("unless(egg @in fridge) get(one, from counter)", "unless(egg @in fridge) get(egg, from counter)"),
        ("if(mug: dirty) get(clean one)", "if(mug: dirty) get(clean mug)"),
        ("unless(coffee @in mug) make(some)", "unless(coffee @in mug) make(coffee)"),
        ("unless(anything @on sofa) put(it, on there)", "unless(anything @on sofa) put(it, on sofa)"),
    ],
)
def test_one_is_such_a_thing_and_what_is_not_there_is_not_it(read: str, meant: str) -> None:
    (act,) = read_meaning(read)
    assert write_meaning([of_condition(act)]) == meant


def test_in_there_is_what_is_open() -> None:
    (act,) = read_meaning("if(safe: open) put(key, in there)")
    assert write_meaning([of_condition(act)]) == "if(safe: open) put(key, in safe)"


@pytest.mark.parametrize(("setup", "is_closed"), [((), True), (("open Fridge",), False)])
def test_what_was_done_on_one_condition_does_not_meet_its_opposite(setup: tuple[str, ...], *, is_closed: bool) -> None:
    text = "Close the fridge if it's open. If it's closed already, turn the microwave on."
    room = Room(setup=setup, meanings={text: "if(it: open) close(fridge); if(it: closed) turn_on(microwave)"})
    said = room.say(text)
    assert not room.one("Fridge")["isOpen"]
    assert bool(said.done["ToggleOn"] + said.done["Toggle On"]) is is_closed


def test_a_tool_that_was_not_needed_stays() -> None:
    text = "Wash the mug. If you used the knife, put it in the sink."
    room = Room(setup=("dirty Mug",), meanings={text: "wash(mug); put(knife, in sink)"})
    assert "did not use the knife" in room.say(text).text


def test_toast_is_not_made_of_a_knife() -> None:
    text = "Make me a slice of toast with the knife."
    room = Room(meanings={text: "make(1 slice_of_toast, with knife)"})
    assert "cannot be toasted" not in room.say(text).text
