"""What prompts begin with alike is read once, and nothing that is said changes by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.models import Choices, Prompt, Settings
from tests.models import tiny

torch = pytest.importorskip("torch")
from teach_agents.models.local import prefixes  # noqa: E402  # after the check
from teach_agents.models.local.model import TransformersModel  # noqa: E402

RULES = "You are a robot. Pickup the mug, place it in the sink, say what next. " * 3
MOVES = Choices(["Pickup Mug", "Place", "Say hello."])


def _prompts(turn: int, *sessions: str) -> list[Prompt]:
    said = [f"{session} turn {turn}: " + "what next? " * (1 + len(session)) for session in sessions]
    return [Prompt.of(text, MOVES, Settings(max_tokens=8), system=RULES) for text in said]


def _free(prompts: list[Prompt]) -> list[Prompt]:
    return [Prompt(prompt.messages, None, prompt.settings) for prompt in prompts]


@pytest.fixture
def fresh(tmp_path: Path) -> Any:
    """Makes the same model anew, with nothing kept."""
    pytest.importorskip("transformers")
    folders = iter(tmp_path / str(number) for number in range(99))
    return lambda: TransformersModel(str(tiny.build_chat(next(folders))), dtype="float32")


def _read(model: TransformersModel) -> list[int]:
    """The tokens that each pass of the model reads from now on, in a list that grows."""
    seen: list[int] = []
    embedding = model.weights.model.get_input_embeddings()
    embedding.register_forward_hook(lambda module, given, made: seen.append(given[0].shape[1]))
    return seen


def test_the_beginning_is_read_once_and_scores_stay(fresh: Any) -> None:
    model, other = fresh(), fresh()
    seen = _read(model)
    batches = [_prompts(turn, "a", "bbb", "cc") for turn in range(3)] + [_prompts(9, "a"), _prompts(9, "dddd", "e")]
    for batch in batches:
        expected = [other.score([prompt])[0] for prompt in batch]
        other.weights.prefixes.clear()
        for one, scores in zip(model.score(batch), expected, strict=True):
            assert one.log_probabilities == pytest.approx(scores.log_probabilities, abs=1e-3)
            assert one.usage.prompt_tokens == scores.usage.prompt_tokens
    passes = seen[::2]  # every other pass is of the choices
    assert passes[0] > 60 and max(passes[1:]) < 60


def test_each_prompt_of_a_batch_begins_with_what_is_known_of_it(fresh: Any) -> None:
    model, alone = fresh(), fresh()
    seen = _read(model)

    def batch(turn: int) -> list[Prompt]:
        others = [Prompt.of(f"{turn}, {name}: what next?", MOVES, system="Another role. " * 30) for name in "xy"]
        return [*_prompts(turn, "a", "bbb"), *others, Prompt.of("Short.", MOVES)][: 4 + turn % 2]

    for turn in range(6):
        for one, prompt in zip(model.score(batch(turn)), batch(turn), strict=True):
            alone.weights.prefixes.clear()
            assert one.log_probabilities == pytest.approx(alone.score([prompt])[0].log_probabilities, abs=1e-3)
    passes = seen[::2]
    assert passes[0] > 60 and max(passes[2:]) < 60


def test_answers_stay_the_same(fresh: Any) -> None:
    model = fresh()
    for turn in range(3):
        batch = _free(_prompts(turn, "a", "bbb"))
        said = [one.text for one in model.generate(batch)]
        alone = fresh()
        assert said == [alone.generate([prompt])[0].text for prompt in batch]


def test_other_prompts_in_between_are_no_harm(fresh: Any) -> None:
    model = fresh()
    seen = _read(model)
    for turn in range(3):
        model.score(_prompts(turn, "a", "b"))
        model.score([Prompt.of("Another role. " * 30 + str(turn), MOVES)])
        model.score([Prompt.of("Short.", MOVES)])
    first, second = seen[12::2][:2]
    assert first < 60 and second < 60


def test_prompts_are_kept_as_far_as_there_is_room(fresh: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = fresh()
    roles = [Prompt.of(f"Role {role}. " * 30, MOVES) for role in range(6)]
    for _ in range(2):
        model.score(roles)
        model.generate(roles)
    kept = model.weights.prefixes._kept
    assert len(kept) == 6
    one = max(each.size for each in kept)
    monkeypatch.setattr(prefixes, "_ROOM", 2 * one)
    model.score([Prompt.of(f"Other {turn}. " * 30, MOVES) for turn in (1, 2)])
    kept = model.weights.prefixes._kept
    assert 1 <= len(kept) < 6 and sum(each.size for each in kept) <= 2 * one


def test_the_rest_of_a_choice_that_no_other_begins_like_is_not_computed(fresh: Any) -> None:
    model = fresh()
    options = ["Pickup the mug, place it in the sink", "what next? Say hello to the robot"]
    done = model.generate([Prompt.of("Say what next.", Choices(options), Settings(max_tokens=40))])[0]
    assert done.value in options and done.finish == "stop"
    assert done.usage.generated_tokens < len(model.weights.tokenizer(done.value)["input_ids"]) / 2
