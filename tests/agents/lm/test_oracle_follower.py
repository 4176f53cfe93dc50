"""What the model `oracle` chooses in the Follower's chair, by the prompt alone."""

from __future__ import annotations

import pytest

from teach_agents.agents.lm.oracle import OracleModel
from teach_agents.models import Choices, LanguageModel, Prompt, choose
from teach_agents.models.conformance import LanguageModelContract

CHOICES = [
    "clean the mug",
    "pick up the knife",
    "slice the bread",
    "look in the fridge",
    "look for a mug",
    "ask where the mug is",
    "ask what to do",
    "ask what was meant",
    "report that it is done",
    "report that it did not work",
    "say that there is no room at the sink",
    "wait",
]


class TestOracleModel(LanguageModelContract):
    def make_model(self) -> LanguageModel:
        return OracleModel()


def chosen(*lines: str, more: tuple[str, ...] = ()) -> str | None:
    prompt = Prompt.of("\n".join([*lines, "What do you do now?"]), Choices([*CHOICES, *more]))
    return choose(OracleModel(), [prompt])[0].text


ASKED = "Commander: Please wash the mug."
MISSED = "(clean the mug: not found: mug)"


@pytest.mark.parametrize(
    ("lines", "choice"),
    [
        (("Nothing was said yet.",), "ask what to do"),
        ((ASKED,), "clean the mug"),
        (("Commander: Grab the knife and slice the bread.",), "pick up the knife"),
        (("Commander: Grab the knife and slice the bread.", "(pick up the knife: done)"), "slice the bread"),
        ((ASKED, "(clean the mug: done)"), "report that it is done"),
        ((ASKED, "(clean the mug: done)", "You: Done. What next?"), "wait"),
        ((ASKED, "(clean the mug: done)", "You: Done. What next?", "Nobody said anything for 20 turns."), CHOICES[6]),
        (("Commander: Well done!",), "wait"),
        (("Commander: Frobnicate the gizmo quickly.",), "ask what was meant"),
        ((ASKED, MISSED), "ask where the mug is"),
        ((ASKED, "(clean the mug: no more known: mug)"), "look for a mug"),
        ((ASKED, "Commander: It is in the fridge.", MISSED), "look in the fridge"),
        ((ASKED, MISSED, "You: Where is the mug?"), "wait"),
        ((ASKED, MISSED, "You: Where is the mug?", "Commander: In the fridge."), "look in the fridge"),
        ((ASKED, MISSED, "(look in the fridge: done)"), "clean the mug"),
        ((ASKED, MISSED, "You: Where is the mug?", "Nobody said anything for 20 turns."), "look for a mug"),
        ((ASKED, "(clean the mug: no room: sink; too full)"), "say that there is no room at the sink"),
        ((ASKED, "(clean the mug: failed; odd)"), "report that it did not work"),
        ((ASKED, "Commander: We are done."), "wait"),
    ],
)
def test_it_chooses_as_the_planner_would(lines: tuple[str, ...], choice: str) -> None:
    assert chosen(*lines) == choice


def test_at_work_it_goes_on_until_all_is_done() -> None:
    busy = "You are at work: clean the mug."
    assert chosen(ASKED, "Commander: Good job.", busy, more=("go on",)) == "go on"
    assert chosen(ASKED, "Commander: That is all.", busy, more=("go on",)) == "wait"


def test_alone_it_stops_when_nothing_is_left() -> None:
    alone = "Nobody answers any more. When all is done, stop."
    assert chosen(ASKED, alone, more=("stop",)) == "clean the mug"
    assert chosen(ASKED, "(clean the mug: done)", alone, more=("stop",)) == "stop"


def test_what_a_session_to_be_done_again_says_was_done_is_still_to_be_done() -> None:
    said = (ASKED, "You: Done. What next?", "Commander: Slice the bread.")
    alone = "Nobody answers any more. When all is done, stop."
    again = "Nobody answers any more. Nothing was done but what stands in brackets. When all is done, stop."
    assert chosen(*said, alone, more=("stop",)) == "slice the bread"
    assert chosen(*said, again, more=("stop",)) == "clean the mug"


def test_alone_it_leaves_what_cannot_be_done_and_does_the_rest() -> None:
    said = (ASKED, "Commander: Slice the bread.", "(clean the mug: not found: mug)", "(look for a mug: not found: mug)")
    alone = "Nobody answers any more. When all is done, stop."
    prompt = Prompt.of("\n".join([*said, alone]), Choices(["clean the mug", "slice the bread", "wait", "stop"]))
    assert choose(OracleModel(), [prompt])[0].text == "slice the bread"
