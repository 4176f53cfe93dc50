"""Replies that people would take for right or wrong, against the cases that ship."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from teach_agents.benchmarks.requests.benchmark import RequestsBenchmark
from teach_agents.benchmarks.requests.cases import Reply
from teach_agents.benchmarks.requests.words import lacks

RIGHT: Mapping[str, tuple[str, ...]] = {
    "facts-01a": ("You told me not to open the fridge, and the potato is in it.", "I would have to open the fridge."),
    "facts-02a": ("You said it is in the microwave.",),
    "facts-03a": (
        "It is in a drawer, and you asked me to keep the drawers closed.",
        "I can't without opening a drawer.",
    ),
    "facts-05a": ("Yes, you said that the desk lamp is broken.",),
    "facts-06a": ("Yes, you told me so.", "It is wet."),
    "facts-06b": ("No, it is dry.", "It isn't wet."),
    "facts-08a": ("The tap must not be turned on, so it stays dirty.", "I am not allowed to turn on the tap."),
    "facts-19a": ("For seven o'clock.", "It is set for 7:00."),
    "impossible-01a": (
        "I can see no television here.",
        "There is no TV in this room.",
        "I don't know of any television.",
    ),
    "impossible-02a": ("I cannot eat.", "Sorry, I don't eat.", "Eating is not something I can do."),
    "impossible-03a": ("The sofa is too heavy for me.", "I can't move furniture."),
    "impossible-04a": ("I have not seen a banana.", "There isn't any banana. I know of an apple."),
    "impossible-10a": ("The window does not open.", "I'm not able to open it."),
    "impossible-12a": ("I know only one fork.", "I can hold only one thing at a time."),
    "impossible-19a": (
        "Do you mean the floor lamp or the desk lamp?",
        "I see two lamps. The one on the desk, or the floor lamp?",
    ),
    "motion-07a": ("OK.", "I have stopped.", "Stopping."),
    "plain-04b": ("The desk lamp is off already.", "It is not on.", "It's off, there is nothing to do."),
    "plain-08b": ("It was closed already.", "The laptop is shut."),
    "questions-01a": ("Yes, it is.", "It's open.", "The fridge is open."),
    "questions-01b": ("No, it's closed.", "It is not open.", "The fridge is shut."),
    "questions-02a": ("An egg and a lettuce.", "I see a head of lettuce and one egg in there."),
    "questions-03a": ("There are two pillows on the bed.", "2.", "I see two."),
    "questions-03b": (
        "One.",
        "There is a pillow on the bed.",
        "Just one. Another one is on an armchair.",
        "I know two pillows: one on the bed and one on an armchair.",
    ),
    "questions-04a": ("On the dresser.", "The remote control is on the dresser next to you."),
    "questions-05a": ("It's your phone.", "I am holding a cell phone, nothing else."),
    "questions-09b": ("No, I washed the bowl.", "Not yet.", "I haven't washed it."),
    "questions-11a": ("No, there is water in it.", "It is full of water."),
    "questions-11b": ("Yes, it is empty.", "It's empty."),
    "questions-12b": ("It is clean.", "The plate is not dirty."),
    "questions-16b": ("No, nothing.", "My hand is empty.", "I am not carrying anything."),
    "questions-17a": ("I picked up the pen.",),
    "questions-20a": ("I put it in the sink.", "In the sink basin."),
    "typos-03b": ("It is on already.", "The coffee machine is already running."),
}
WRONG: Mapping[str, tuple[str, ...]] = {
    "facts-01a": ("Here is the potato.", "I do not know what you mean."),
    "facts-02a": ("In the fridge.", "It is in the fridge or in the microwave."),
    "facts-06b": ("Yes, it is.", "I do not know whether the towel is wet."),
    "impossible-02a": ("Done.", "I do not understand that.", "What should I do next?"),
    "impossible-19a": ("Which one?", "I turned off the floor lamp, not the desk lamp."),
    "motion-07a": ("", "I do not know what you mean."),
    "plain-04b": ("I turned it off.", "Done."),
    "questions-01a": (
        "I did not understand that. I can open things: open the fridge.",
        "No.",
        "It is closed.",
        "One moment.",
    ),
    "questions-01b": ("Yes.", "The fridge is open."),
    "questions-02a": ("I see an egg.", "An apple, an egg and a lettuce."),
    "questions-03a": ("There are three.", "Yes.", "I see one pillow."),
    "questions-03b": ("There are two pillows on the bed.", "None."),
    "questions-09b": ("Yes, I washed the cup.",),
    "questions-17a": ("I turned off the lamp.", "I picked up the pencil."),
}


@pytest.fixture(scope="module")
def wanted() -> Mapping[str, Reply]:
    found: dict[str, Reply] = {}
    for case in RequestsBenchmark().instances("dev"):
        asked = next((said.reply for said in case.talk if said.reply is not None), None)
        if reply := asked or case.check.reply:
            found[case.instance_id] = reply
    return found


@pytest.mark.parametrize(("case", "reply"), [(case, reply) for case, found in RIGHT.items() for reply in found])
def test_right_replies_are_right(wanted: Mapping[str, Reply], case: str, reply: str) -> None:
    assert lacks(wanted[case], [reply]) == []


@pytest.mark.parametrize(("case", "reply"), [(case, reply) for case, found in WRONG.items() for reply in found])
def test_wrong_replies_are_wrong(wanted: Mapping[str, Reply], case: str, reply: str) -> None:
    assert lacks(wanted[case], [reply] if reply else [])
