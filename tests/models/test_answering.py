"""Answers that are generated here are those that transformers generates, alone and together, with less to compute."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from teach_agents.models import Choices, Completion, Prompt, Regex, Schema, Settings

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from teach_agents.models.local import model as module  # noqa: E402  # after the check
from teach_agents.models.local.model import TransformersModel  # noqa: E402
from teach_agents.models.local.readings import reads_rows  # noqa: E402

WORDS = ("Pickup", "Place", " the", " mug", " in", " sink", "Say ", "\u00e9", "\U0001f642", " a", "x", "123", "\n")
KINDS = (
    Regex(r"(yes|no), \w{1,5}"),
    Schema({"type": "object", "properties": {"a": {"enum": ["Pickup", "Place"]}}, "required": ["a"]}),
    None,
)


@pytest.fixture
def model(chat_folder: Path) -> TransformersModel:
    made = TransformersModel(str(chat_folder), dtype="float32")
    made.weights.prefixes.clear()
    return made


def _drawn(rng: random.Random, most: int) -> str:
    return "".join(rng.choices(WORDS, k=rng.randint(1, most)))


def _prompts(rng: random.Random) -> list[Prompt]:
    """Prompts that begin alike or not, mostly with choices that begin alike or are one another's beginnings."""
    rules = _drawn(rng, 40)
    made = []
    for _ in range(rng.randint(1, 6)):
        drawn = {_drawn(rng, 6) for _ in range(rng.randint(2, 9))}
        options = [one for one in sorted(drawn) if one.strip()] or ["x"]
        answer = Choices(options) if rng.random() < 0.8 else rng.choice(KINDS)
        most = rng.choice((3, 12, 30))
        made.append(Prompt.of(_drawn(rng, 20), answer, Settings(max_tokens=most), system=rules))
    return made


def _told(done: list[Completion]) -> list[tuple[str, str, int, int]]:
    return [(one.text, one.finish, one.usage.prompt_tokens, one.usage.generated_tokens) for one in done]


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_transformers(
    model: TransformersModel, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = _prompts(random.Random(seed))
    assert reads_rows(model.weights)
    together = _told(model.complete(prompts))
    alone = [told for prompt in prompts for told in _told(model.complete([prompt]))]
    monkeypatch.setattr(module, "reads_rows", lambda weights: False)
    model.weights.prefixes.clear()
    assert together == alone == _told(model.complete(prompts))


def test_only_what_is_new_and_open_is_computed(model: TransformersModel) -> None:
    read: list[int] = []
    embedding = model.weights.model.get_input_embeddings()
    hook = embedding.register_forward_hook(lambda module, given, made: read.append(given[0].numel()))
    rules = "Pickup the mug, place it in the sink, say what next. " * 3
    prompts = [Prompt.of(f"{said} What next?", Choices(["Pickup", "Place"]), system=rules) for said in "ab"]
    first, second = model.complete(prompts)
    assert read[0] < 1.5 * first.usage.prompt_tokens < first.usage.prompt_tokens + second.usage.prompt_tokens
    read.clear()
    forced = Choices(["place it in the sink 1", "place it in the sink 2"])
    (done,) = model.complete([Prompt(prompts[0].messages, forced)])
    hook.remove()
    assert read[0] == 1 and len(read) <= 2 < done.usage.generated_tokens <= sum(read)
