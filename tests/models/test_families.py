"""Other kinds of models: absolute positions, windows of attention, states instead of keys and values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.models import Choices, Prompt, Settings
from teach_agents.models.local.packages import quiet
from tests.models import tiny

transformers = pytest.importorskip("transformers")
from teach_agents.models.local.model import TransformersModel  # noqa: E402  # after the check

RULES = "You are a robot. Pickup the mug, place it in the sink, say what next. " * 2
MOVES = Choices(["Pickup Mug", "Place", "Say hello to it."])
TOKENS = {"vocab_size": 420, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 1, "initializer_range": 0.3}
FAMILIES = {
    "GPT2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256},
    "Mamba": {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4},
    "Mistral": {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 48,
        "sliding_window": 16,
    },
}


@pytest.fixture(params=sorted(FAMILIES))
def model(request: pytest.FixtureRequest, tmp_path: Path) -> TransformersModel:
    family = request.param
    transformers.set_seed(0)
    config = getattr(transformers, f"{family}Config")(**TOKENS, **FAMILIES[family])
    kind: Any = getattr(transformers, "GPT2LMHeadModel" if family == "GPT2" else f"{family}ForCausalLM")
    with quiet():
        kind(config).save_pretrained(tmp_path)
    tiny.tokenizer().save_pretrained(tmp_path)
    return TransformersModel(str(tmp_path), dtype="float32")


def test_batches_give_what_each_gives_alone_turn_after_turn(model: TransformersModel) -> None:
    short, long = Settings(max_tokens=6), Settings(max_tokens=9)
    prompts = [Prompt.of("Hi", None, short, system=RULES), Prompt.of("What next? " * 5, None, long, system=RULES)]
    scored = [Prompt.of(prompt.messages[-1].text, MOVES, system=RULES) for prompt in prompts]
    alone = [model.generate([prompt])[0].text for prompt in prompts]
    expected = [model.score([prompt])[0].log_probabilities for prompt in scored]
    for _ in range(3):
        assert [one.text for one in model.generate(prompts)] == alone
        for one, values in zip(model.score(scored), expected, strict=True):
            assert one.log_probabilities == pytest.approx(values, abs=1e-3)
