"""One choice after another, whatever the model does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from teach_agents_prompts import load_prompts

from teach_agents.errors import ModelError, ModelMissingError, SpecError
from teach_agents.models import Completion, LanguageModel, Prompt, Scores, ScriptedModel
from teach_agents.models.deciding import Asked, Decider

ASKED = Asked("You are the Follower.", "The mug is dirty.")
CANDIDATES = ["clean the mug", "wait", "ask what to do"]


def decider(model: str | LanguageModel, **settings: object) -> Decider:
    return Decider(model, load_prompts().only("lm_choices"), **settings)  # type: ignore[arg-type]  # wrong ones too


class Broken(LanguageModel):
    name = "broken"

    def __init__(self, error: Exception) -> None:
        self._error = error

    def complete(self, prompts: Sequence[Prompt]) -> Sequence[Completion]:
        raise self._error


class Hanging(LanguageModel):
    name = "hanging"

    def __init__(self) -> None:
        self.released = threading.Event()

    def complete(self, prompts: Sequence[Prompt]) -> Sequence[Completion]:
        self.released.wait(20)
        return [Completion("wait") for _ in prompts]


class Scoring(ScriptedModel):
    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        return [Scores((-1.0, -2.0, -3.0), (1, 1, 1)) for _ in prompts]


def test_a_decision_is_the_models_choice_and_says_all_about_it() -> None:
    made = decider(ScriptedModel("Clean the mug."))
    decision = made.decide(ASKED, CANDIDATES, safe="wait")
    assert (decision.text, decision.failed) == ("clean the mug", "")
    thought = json.loads(json.dumps(dict(decision.thought)))
    assert thought["prompt"] == {"system": ASKED.system, "user": ASKED.user, "images": 0}
    assert thought["candidates"] == CANDIDATES
    assert (thought["choice"], thought["distribution"]) == ("clean the mug", {"clean the mug": 1.0})
    assert thought["usage"]["model_calls"] == made.usage.model_calls == 1
    assert made.counts == {"decisions": 1, "failed_decisions": 0, "median_candidates": 3.0}
    assert made.provenance["model"] == "scripted"
    assert len(made.provenance["prompt_hash"]) == 12


def test_a_model_that_is_not_held_to_them_is_shown_the_candidates() -> None:
    model = ScriptedModel("wait")
    decider(model).decide(ASKED, CANDIDATES, safe="wait")
    assert "- ask what to do" in model.prompts[0].messages[-1].text


@pytest.mark.parametrize(
    "answer", ["", "I would rather sing.", "wash wash " * 5000, "\ud83d", '{"choice": 3}', "等一下"]
)
def test_what_is_no_choice_ends_in_the_safe_candidate(answer: str) -> None:
    made = decider(ScriptedModel([answer]))
    decision = made.decide(ASKED, CANDIDATES, safe="wait")
    assert decision.text == "wait"
    assert "ModelReplyError" in decision.failed
    assert decision.thought["error"] == decision.failed
    assert made.failed_decisions == 1
    json.dumps(dict(decision.thought)).encode()


@pytest.mark.parametrize("error", [ModelError("refused"), ZeroDivisionError("odd")])
def test_a_model_that_breaks_down_is_a_failed_decision(error: Exception) -> None:
    decision = decider(Broken(error)).decide(ASKED, CANDIDATES, safe="wait")
    assert decision.text == "wait"
    assert str(error) in decision.failed


def test_a_model_that_hangs_is_not_waited_for() -> None:
    model = Hanging()
    decision = decider(model, timeout_s=0.05).decide(ASKED, CANDIDATES, safe="wait")
    model.released.set()
    assert decision.text == "wait"
    assert "no answer within 0.05 s" in decision.failed


def test_no_model_at_all_is_an_error() -> None:
    with pytest.raises(ModelMissingError, match="models get"):
        decider(Broken(ModelMissingError("models get it"))).decide(ASKED, CANDIDATES, safe="wait")


def test_decisions_run_out() -> None:
    made = decider(ScriptedModel("clean the mug"), max_decisions=2)
    assert [made.decide(ASKED, CANDIDATES, safe="wait").text for _ in range(3)] == ["clean the mug"] * 2 + ["wait"]
    assert made.is_spent
    assert (made.decisions, made.failed_decisions) == (2, 0)
    made.begin(1)
    assert made.usage.model_calls == 0
    assert made.decide(ASKED, CANDIDATES, safe="wait").text == "clean the mug"


def test_where_there_is_one_candidate_nothing_is_decided() -> None:
    made = decider(ScriptedModel("sing"))
    assert made.decide(ASKED, ["stop", "stop"], safe="wait").text == "stop"
    assert made.decisions == 0


def test_how_probable_each_candidate_is_can_be_asked_without_deciding() -> None:
    made = decider(Scoring("wait"))
    found = made.distribution(ASKED, CANDIDATES)
    assert [*found] == CANDIDATES
    assert sum(found.values()) == pytest.approx(1.0)
    assert found["clean the mug"] > found["wait"] > found["ask what to do"]
    assert made.decisions == 0
    assert decider(Broken(ModelError("no"))).distribution(ASKED, CANDIDATES)["wait"] == pytest.approx(1 / 3)


def test_scripts_begin_anew_with_every_agent() -> None:
    for _ in range(2):
        made = decider("scripted:wait|clean the mug")
        assert [made.decide(ASKED, CANDIDATES, safe="wait").text for _ in range(2)] == ["wait", "clean the mug"]


class Gathering(ScriptedModel):
    gathers = True

    def __init__(self) -> None:
        super().__init__("wait")
        self.batches: list[int] = []

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        self.batches.append(len(prompts))
        time.sleep(0.05)
        return super().complete(prompts)


def test_prompts_of_concurrent_sessions_go_into_one_pass() -> None:
    model = Gathering()
    deciders = [decider(model) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda one: one.decide(ASKED, CANDIDATES, safe="stop"), deciders))
    assert [decision.text for decision in made] == ["wait"] * 8
    assert all(one.usage.model_calls == 1 for one in deciders)
    assert sum(model.batches) == 8 > len(model.batches)


def test_free_words_are_one_short_line() -> None:
    assert decider(ScriptedModel('"Shall I  wash\nit?"')).word(ASKED) == "Shall I wash"
    assert len(decider(ScriptedModel("la " * 500)).word(ASKED, longest=40) or "") <= 40
    assert decider(ScriptedModel([""])).word(ASKED) is None
    assert decider(Broken(ModelError("no"))).word(ASKED) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"by": "luck"}, "valid: mean"), ({"max_decisions": 0}, "from 1 on"), ({"timeout_s": -1.0}, "above 0")],
)
def test_wrong_settings_are_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        decider(ScriptedModel("wait"), **settings)
