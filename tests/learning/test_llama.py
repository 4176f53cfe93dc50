"""The hidden states that training computes are those of transformers and peft."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
peft = pytest.importorskip("peft")

from teach_agents.learning.reading import llama  # noqa: E402  # needs torch
from teach_agents.models.local.packages import quiet  # noqa: E402


@pytest.fixture
def wrapped(monkeypatch: pytest.MonkeyPatch) -> object:
    """A small Llama of random weights with an adapter that is not nothing."""
    monkeypatch.setattr(llama, "_compiled", lambda: llama._layer)
    torch.manual_seed(1)
    config = transformers.LlamaConfig(
        vocab_size=90,
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=6,
        num_key_value_heads=2,
    )
    lora = peft.LoraConfig(
        r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM", init_lora_weights=False
    )
    with quiet():
        return peft.get_peft_model(transformers.LlamaForCausalLM(config).to(torch.bfloat16), lora)


def test_hidden_states_are_those_of_transformers(wrapped: object) -> None:
    tokens = torch.randint(90, (3, 11))
    found = llama.hidden_states(wrapped, tokens, lowest=0)
    theirs = wrapped.base_model.model.model(input_ids=tokens).last_hidden_state  # type: ignore[attr-defined]
    assert found.shape == theirs.shape
    assert torch.nn.functional.cosine_similarity(found.float(), theirs.float(), dim=-1).min() > 0.999


def test_only_layers_that_learn_get_gradients(wrapped: object) -> None:
    llama.hidden_states(wrapped, torch.randint(90, (2, 5)), lowest=1).float().sum().backward()  # type: ignore[no-untyped-call]
    taught = {
        int(name.split("layers.")[1].split(".")[0])
        for name, one in wrapped.named_parameters()  # type: ignore[attr-defined]
        if one.requires_grad and one.grad is not None and one.grad.abs().sum() > 0
    }
    assert taught == {1, 2}
