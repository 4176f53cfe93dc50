"""Reading by a language model: what it writes is read, and what it writes wrongly is unclear."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.errors import ModelError
from teach_agents.models import Completion, LanguageModel, Prompt
from teach_agents.understanding.lm_reader import ModelReader
from teach_agents.understanding.notation import read_meaning
from teach_agents.understanding.reader import UNREACHED, load_reader
from tests.agents.dialogue.talking import Room


class _Model(LanguageModel):
    """Answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = [*answers]
        self.asked: list[str] = []

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        self.asked += [prompt.messages[-1].text for prompt in prompts]
        return [Completion(self.answers.pop(0)) for _ in prompts]


def test_what_a_model_writes_is_read_and_the_talk_is_shown() -> None:
    model = _Model('{"acts": ["put(2 dirty plate @on table, in sink)", "wash(them)"]}')
    reading = ModelReader(model).read("the plates, please", ["person: hello", "robot: Which ones?"])
    assert reading.acts == read_meaning("put(2 dirty plate @on table, in sink); wash(them)")
    assert reading.by == "lm" and 0 < reading.confidence < 1
    assert "robot: Which ones?" in model.asked[0] and "the plates, please" in model.asked[0]


def test_an_act_that_is_none_is_asked_for_once_more() -> None:
    model = _Model('{"acts": ["grab(apple)"]}', '{"acts": ["get(apple)"]}')
    assert ModelReader(model).read("grab an apple").acts == read_meaning("get(apple)")
    assert len(model.asked) == 2


@pytest.mark.parametrize("answer", ["I would get an apple.", '{"acts": "get(apple)"}', '{"acts": ["get((apple)"]}'])
def test_what_cannot_be_read_is_unclear(answer: str) -> None:
    reading = ModelReader(_Model(answer, answer)).read("grab an apple")
    assert reading.acts == (DialogueAct(Act.UNCLEAR),) and reading.confidence == 0.0


def test_it_is_named_by_a_spec() -> None:
    assert isinstance(load_reader("lm:model=uniform"), ModelReader)


class _Away(LanguageModel):
    """A model that nobody can reach."""

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        return [Completion("", error=ModelError("no such host")) for _ in prompts]


def test_where_the_model_is_away_rules_read_and_that_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    reader = ModelReader(_Away())
    assert reader.read("open the fridge").acts == read_meaning("open(fridge)")
    assert reader.read("would it be possible for the thing to be shut").by == UNREACHED
    assert len(caplog.records) == 1


def test_the_words_are_not_blamed_where_the_model_is_away() -> None:
    room = Room("FloorPlan1", PlannerFollower(understanding=ModelReader(_Away())))
    assert "model" in room.say("would it be possible for the thing to be shut").text
    assert room.say("open the fridge").done["Open"] == 1
