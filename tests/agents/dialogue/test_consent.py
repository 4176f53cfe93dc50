"""What is to be asked about before it is done is asked about at that moment, and done at a yes."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.consent import asks_first, with_consent
from teach_agents.agents.dialogue.stated_homes import tells_home
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Always ask me before you open the drawer.", "never(open(drawer))"),
        ("dont open the fridge without asking", "never(open(fridge))"),
        ("Before you open the drawer, always ask me", "never(open(drawer))"),
        ("check with me before putting anything in the fridge", "never(put(anything, in fridge))"),
        ("Nobody opens the safe without my permission", "never(open(safe))"),
        ("you may only open the drawer if I say so", "never(open(drawer))"),
        ("no need to ask before you open the drawer", "allow(open(drawer))"),
        ("don't ask me how", "fact(x y)"),
        ("tell me when you are done", "fact(x y)"),
        ("let me know if you see the keys", "fact(x y)"),
    ],
)
def test_what_is_to_be_asked_about_is_not_done_unasked(text: str, meant: str) -> None:
    assert write_meaning(with_consent(read_meaning("fact(x y)"), text)) == meant
    assert asks_first(text) is meant.startswith("never")


@pytest.mark.parametrize(("answer", "opens"), [("Yes.", 1), ("You may open it.", 1), ("No.", 0)])
def test_it_asks_on_its_way_and_goes_by_the_answer(answer: str, opens: int) -> None:
    meanings = {
        "You may open it.": "allow(open(it))",
        "Ask me before you open the drawer.": "fact(ask me before you open the drawer)",
    }
    room = Room("FloorPlan225", setup=["put Watch in Drawer"], meanings=meanings)
    room.say("Ask me before you open the drawer.")
    asked = room.say("Bring me the watch.")
    assert asked.text.endswith("May I open the drawer?") and not asked.touched
    assert room.say(answer).done["Open"] == opens


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The watch belongs in the box.", True),
        ("By the way, my slippers live under the bed", True),
        ("The keys always go in the bowl.", True),
        ("The watch goes in the box.", False),
        ("It belongs in the drawer.", False),
        ("The watch belongs in the box, please.", False),
        ("The watch belongs in the box. Put it there.", False),
    ],
)
def test_an_utterance_tells_no_more_than_a_home(text: str, told: bool) -> None:
    assert tells_home(text) is told


def test_what_is_allowed_this_once_stays_forbidden() -> None:
    once = "just this once you can open it"
    room = Room("FloorPlan225", meanings={once: "allow(open(it))", "Never open the drawer.": "never(open(drawer))"})
    room.say("Never open the drawer.")
    room.say("Open the drawer.")
    assert room.say(once).done["Open"] == 1
    room.say("Close the drawer.")
    assert not room.say("Open the drawer.").touched
