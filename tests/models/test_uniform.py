"""The control: a choice by lot."""

from __future__ import annotations

from collections import Counter

from teach_agents.models import Choices, LanguageModel, Prompt, Settings, choose, load_model
from teach_agents.models.conformance import LanguageModelContract

OPTIONS = ["a", "b", "c", "d"]


class TestUniformModel(LanguageModelContract):
    def make_model(self) -> LanguageModel:
        return load_model("uniform")


def drawn(by: str, seed: int = 0) -> list[str | None]:
    prompts = [Prompt.of("Which?", Choices(OPTIONS), Settings(seed=number)) for number in range(400)]
    return [one.text for one in choose(load_model(f"uniform:seed={seed}"), prompts, by=by)]


def test_every_choice_is_as_likely_and_a_run_repeats() -> None:
    for by in ("generate", "mean"):
        assert min(Counter(drawn(by)).values()) > 70
        assert drawn(by) == drawn(by)
        assert drawn(by) != drawn(by, seed=1)


def test_it_says_that_all_are_as_likely() -> None:
    (one,) = choose(load_model("uniform"), [Prompt.of("Which?", Choices(OPTIONS))], by="mean")
    assert [round(probability, 6) for probability in one.distribution] == [0.25] * 4
