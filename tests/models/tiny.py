"""Models of a few thousand parameters, random, built on the spot: one that chats, one that sees, an adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from teach_agents.models.local.packages import quiet

CHAT = (
    "{% for m in messages %}<|{{ m['role'] }}|>"
    "{% if m['content'] is string %}{{ m['content'] }}{% else %}"
    "{% for part in m['content'] %}{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}{% if not loop.last or m['role'] != 'assistant' %}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
WITHOUT_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}" + CHAT
_SPECIAL = ["<pad>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<image>"]


def tokenizer(template: str | None = CHAT) -> Any:
    """A byte-level BPE of 400 tokens."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    trained = ByteLevelBPETokenizer()
    text = ["Pickup the mug and place it in the sink.", '{"action": "Place", "words": "mug"}', "What next? Say hello."]
    trained.train_from_iterator(text * 3, vocab_size=400, special_tokens=_SPECIAL, show_progress=False)
    made = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]  # transformers'
        tokenizer_object=trained._tokenizer,
        pad_token="<pad>",
        eos_token="<|end|>",
        extra_special_tokens={"image_token": "<image>"},
    )
    made.chat_template = template
    return made


def _text_config() -> dict[str, Any]:
    return {
        "vocab_size": 420,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "pad_token_id": 0,
        "bos_token_id": None,
        "eos_token_id": 1,
        # Large random weights, so that what comes out depends on what went in.
        "initializer_range": 0.4,
    }


def build_chat(folder: Path, template: str | None = CHAT) -> Path:
    """A Llama."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(**_text_config())).save_pretrained(folder)
    tokenizer(template).save_pretrained(folder)
    return folder


def build_adapter(folder: Path, base: Path) -> Path:
    """A LoRA adapter that changes what the model says."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(1)
    config = LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False, task_type="CAUSAL_LM")
    with quiet():
        get_peft_model(AutoModelForCausalLM.from_pretrained(base), config).save_pretrained(str(folder))
    return folder


def build_seeing(folder: Path, context: int = 512) -> Path:
    """A LLaVA: CLIP eyes of 16 x 16 pixels in patches of 8, and the Llama; it reads `context` tokens."""
    import torch
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(0)
    words = tokenizer()
    eyes = CLIPVisionConfig(
        hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2, image_size=16, patch_size=8
    )
    reading = LlamaConfig(**{**_text_config(), "max_position_embeddings": context})
    config = LlavaConfig(vision_config=eyes, text_config=reading, image_token_index=words.image_token_id)
    size = {"shortest_edge": 16}
    pictures = CLIPImageProcessorPil(size=size, crop_size={"height": 16, "width": 16})
    model = LlavaForConditionalGeneration(config)
    torch.nn.init.normal_(model.model.multi_modal_projector.linear_2.weight, std=1.0)
    model.generation_config.eos_token_id = 1
    model.generation_config.pad_token_id = 0
    model.save_pretrained(folder)
    LlavaProcessor(  # type: ignore[no-untyped-call]  # transformers'
        image_processor=pictures,
        tokenizer=words,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=CHAT,
    ).save_pretrained(folder)
    return folder


def build_gguf(file: Path) -> Path:
    """A Llama of one layer as a GGUF file, with the words of `tokenizer`."""
    import json

    import gguf
    import numpy as np

    words = json.loads(tokenizer()._tokenizer.to_str())["model"]
    size, wide, heads = 16, 24, 2
    count = len(words["vocab"])
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_block_count(1)
    writer.add_context_length(128)
    writer.add_embedding_length(size)
    writer.add_feed_forward_length(wide)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(count)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(sorted(words["vocab"], key=words["vocab"].__getitem__))
    writer.add_token_types([gguf.TokenType.CONTROL] * len(_SPECIAL) + [gguf.TokenType.NORMAL] * (count - len(_SPECIAL)))
    writer.add_token_merges([" ".join(pair) for pair in words["merges"]])
    writer.add_eos_token_id(1)
    writer.add_pad_token_id(0)
    writer.add_chat_template(CHAT)
    square, one = (size, size), (size,)
    shapes = {"token_embd": (count, size), "output_norm": one, "blk.0.attn_norm": one, "blk.0.ffn_norm": one}
    shapes |= {f"blk.0.attn_{part}": square for part in ("q", "k", "v", "output")}
    shapes |= {"blk.0.ffn_gate": (wide, size), "blk.0.ffn_up": (wide, size), "blk.0.ffn_down": (size, wide)}
    dice = np.random.default_rng(0)
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", dice.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file
