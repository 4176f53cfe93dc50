from __future__ import annotations

import asyncio
import inspect
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents.errors import InputError, ModelError, ModelMissingError, ModelTimeoutError, SpecError
from teach_agents.models import (
    Batched,
    ChatMessage,
    Choices,
    LanguageModel,
    Prompt,
    Regex,
    Schema,
    Settings,
    choose,
    load_model,
)
from teach_agents.models.conformance import LanguageModelContract
from tests.models import tiny

torch = pytest.importorskip("torch")
from teach_agents.models.local.model import TransformersModel  # noqa: E402  # after the check
from teach_agents.models.local.rendering import rendered  # noqa: E402  # the same

SHORT = Settings(max_tokens=12)
CHOICES = Choices(["Pickup Mug", "Pickup", 'Say "hi"\\\n\tnow', "\u00e9 \U0001f642"])
STEP = Schema(
    {
        "$defs": {
            "Spot": {
                "type": "object",
                "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 9}},
                "additionalProperties": False,
            }
        },
        "type": "object",
        "properties": {
            "action": {"enum": ["Pickup", "Place"]},
            "words": {"type": "string", "maxLength": 6},
            "at": {"anyOf": [{"$ref": "#/$defs/Spot"}, {"type": "null"}]},
            "kind": {"oneOf": [{"const": "a"}, {"const": "b"}]},
        },
        "required": ["action", "words", "at", "kind"],
        "additionalProperties": False,
    }
)


@pytest.fixture(scope="module")
def model(chat_folder: Path) -> TransformersModel:
    return TransformersModel(str(chat_folder), dtype="float32")


@pytest.fixture(scope="module")
def seeing(seeing_folder: Path) -> TransformersModel:
    return TransformersModel(str(seeing_folder), dtype="float32")


class TestTransformersModel(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def _folder(self, chat_folder: Path) -> None:
        self.folder = chat_folder

    def make_model(self) -> LanguageModel:
        return load_model(f"hf:{self.folder}")


class TestSeeingModel(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def _folder(self, seeing_folder: Path) -> None:
        self.folder = seeing_folder

    def make_model(self) -> LanguageModel:
        return load_model(f"hf:{self.folder}")


class TestBatchedTransformersModel(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def _folder(self, chat_folder: Path) -> None:
        self.folder = chat_folder

    def make_model(self) -> LanguageModel:
        return Batched(load_model(f"hf:{self.folder}"))


def _prompts() -> list[Prompt]:
    """One of each kind, of different lengths."""
    return [
        Prompt.of("Hello.", settings=SHORT),
        Prompt.of("What next? " * 9, settings=Settings(max_tokens=20)),
        Prompt.of("What next?", CHOICES, SHORT, system="You are a robot."),
        Prompt.of("Say it in JSON.", STEP, Settings(max_tokens=80)),
        Prompt.of("When?", Regex(r"\d{2}:\d{2} (am|pm)"), SHORT),
        Prompt.of("Tell a tale.", settings=Settings(max_tokens=12, temperature=0.9, top_p=0.9, seed=5)),
        Prompt.of("Place the mug.", settings=Settings(max_tokens=12, temperature=2.0, seed=6)),
    ]


def test_a_batch_gives_what_each_prompt_gives_alone(model: TransformersModel) -> None:
    together = model.generate(_prompts())
    alone = [model.generate([prompt])[0] for prompt in _prompts()]
    for one, other in zip(together, alone, strict=True):
        assert (one.text, one.value, one.finish) == (other.text, other.value, other.finish)
        assert one.usage.prompt_tokens == other.usage.prompt_tokens
        assert one.usage.generated_tokens == other.usage.generated_tokens
    assert len({one.text for one in together}) == len(together)
    small = TransformersModel(model.name, dtype="float32", max_batch=2)
    assert [one.text for one in small.generate(_prompts())] == [one.text for one in together]


def test_concurrent_callers_get_what_they_get_alone(model: TransformersModel) -> None:
    async def ask(batched: Batched) -> list[str]:
        done = await asyncio.gather(*(batched.agenerate([prompt]) for prompt in _prompts()))
        return [one.text for (one,) in done]

    with Batched(model, max_wait_s=0.5) as batched:
        said = asyncio.run(asyncio.wait_for(ask(batched), 60))
    assert said == [one.text for one in model.generate(_prompts())]


@pytest.mark.parametrize("seed", range(4))
def test_constrained_answers_are_always_what_was_asked_for(model: TransformersModel, seed: int) -> None:
    wild = Settings(max_tokens=90, temperature=1.5, seed=seed)
    kinds = (STEP, CHOICES, Regex(r"(yes|no), \w{1,5}"), Choices([str(number) for number in range(120)]))
    for done in model.generate([Prompt.of("What next?", kind, wild) for kind in kinds]):
        assert done.error is None and done.finish == "stop", done


def test_the_dice_are_each_prompts_own(model: TransformersModel) -> None:
    def tale(seed: int) -> Prompt:
        return Prompt.of("Tell a tale.", settings=Settings(max_tokens=12, temperature=1.0, seed=seed))

    first, again, other = model.generate([tale(1), tale(1), tale(2)])
    assert first.text == again.text != other.text
    cold = Prompt.of("Tell a tale.", settings=Settings(max_tokens=12, temperature=1.0, top_p=1e-6, seed=9))
    greedy = Prompt.of("Tell a tale.", settings=SHORT)
    assert model.generate([cold])[0].text == model.generate([greedy])[0].text


def test_answers_end_where_they_are_told_to(model: TransformersModel) -> None:
    (whole,) = model.generate([Prompt.of("Hello.", settings=SHORT)])
    assert (whole.finish, whole.usage.generated_tokens) == ("length", 12)
    stop = whole.text[len(whole.text) // 2 :][:2]
    (cut,) = model.generate([Prompt.of("Hello.", settings=Settings(max_tokens=12, stop=(stop,)))])
    assert (cut.finish, cut.text) == ("stop", whole.text.partition(stop)[0])
    (late,) = model.generate([Prompt.of("Hello.", settings=Settings(max_tokens=300, timeout_s=1e-6))])
    assert late.finish == "timeout" and isinstance(late.error, ModelTimeoutError)


def _by_hand(model: TransformersModel, prompt: Prompt, choice: str) -> float:
    """The log-probability of a choice, from one pass over prompt and choice together."""
    weights = model.weights
    read = weights.tokenizer(rendered(weights, prompt), add_special_tokens=False)["input_ids"]
    said = [*weights.tokenizer(choice, add_special_tokens=False)["input_ids"], weights.ends[0]]
    with torch.inference_mode():
        logits = weights.model(input_ids=torch.tensor([read + said])).logits[0].log_softmax(-1)
    return float(sum(logits[len(read) - 1 + at, token] for at, token in enumerate(said)))


def test_scores_are_the_log_probabilities_of_whole_answers(model: TransformersModel) -> None:
    prompts = [Prompt.of("What next?", CHOICES), Prompt.of("Or this? " * 5, Choices(["a", "bb ccc d"]))]
    for batch in (1, 3, 32):
        narrow = TransformersModel(model.name, dtype="float32", max_batch=batch)
        for prompt, scores in zip(prompts, narrow.score(prompts), strict=True):
            expected = [_by_hand(model, prompt, choice) for choice in prompt.choices]
            assert scores.log_probabilities == pytest.approx(expected, abs=1e-3)
            assert scores.usage.prompt_tokens > 0
    best = max(CHOICES.options, key=lambda choice: _by_hand(model, prompts[0], choice))
    assert choose(model, prompts[:1], by="sum")[0].text == best


def test_a_model_without_a_chat_template_goes_on_with_the_text(chat_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    shutil.copytree(chat_folder, folder)
    tiny.tokenizer(None).save_pretrained(folder)
    (folder / "chat_template.jinja").unlink()
    plain = TransformersModel(str(folder), dtype="float32")
    prompt = Prompt.of("Once", Choices(["a", "b"]), system="A tale.")
    assert rendered(plain.weights, prompt) == "A tale.\n\nOnce"
    assert plain.score([prompt])[0].tokens == (1, 1)
    (empty,) = plain.generate([""])
    assert "empty" in str(empty.error)


def test_a_template_that_knows_no_system_message_gets_its_text_elsewhere(chat_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "strict"
    shutil.copytree(chat_folder, folder)
    tiny.tokenizer(tiny.WITHOUT_SYSTEM).save_pretrained(folder)
    strict = TransformersModel(str(folder), dtype="float32")
    assert rendered(strict.weights, Prompt.of("Hi.", system="Obey.")) == "<|user|>Obey.\n\nHi.<|end|><|assistant|>"


def test_neighbours_of_one_role_are_one_message(model: TransformersModel) -> None:
    chat = (ChatMessage("user", "a"), ChatMessage("user", "b"), ChatMessage("assistant", "Sure: "))
    assert rendered(model.weights, Prompt(chat)) == "<|user|>a\n\nb<|end|><|assistant|>Sure: "


def test_a_prompt_that_cannot_be_read_fails_alone(model: TransformersModel) -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    prompts = [Prompt.of("x " * 600), Prompt.of("Hello.", settings=SHORT), Prompt.of("Look.", images=[picture])]
    long, fine, blind = model.generate(prompts)
    assert "the model reads 512 in all" in str(long.error)
    (full,) = model.generate([Prompt.of("x " * 240, settings=Settings(max_tokens=400, temperature=3.0))])
    assert full.usage.prompt_tokens + full.usage.generated_tokens <= 512 and full.error is None
    assert fine.error is None and fine.text
    assert "does not see" in str(blind.error)
    with pytest.raises(ModelError, match="does not see"):
        model.score([Prompt.of("Look.", CHOICES, images=[picture])])
    with pytest.raises(InputError, match="cannot be decoded"):
        model.generate([Prompt.of("Hello.", Regex(r"(a)\1"))])


def test_an_adapter_changes_what_is_said(model: TransformersModel, tmp_path: Path) -> None:
    adapter = tiny.build_adapter(tmp_path / "adapter", Path(model.name))
    changed = load_model(f"hf:{model.name},adapter={adapter},dtype=float32")
    prompt = Prompt.of("Hello.", settings=SHORT)
    assert changed.generate([prompt])[0].text != model.generate([prompt])[0].text
    with pytest.raises(ModelMissingError, match="no adapter"):
        TransformersModel(model.name, adapter=str(tmp_path)).generate([prompt])


def test_weights_are_loaded_once_and_when_they_are_needed(model: TransformersModel) -> None:
    TransformersModel("nowhere/at-all")
    again = TransformersModel(model.name, dtype="float32")
    assert again.weights is model.weights


def test_other_threads_leave_the_interpreter_to_a_model_soon(model: TransformersModel) -> None:
    before = sys.getswitchinterval()
    try:
        for usual, then in ((0.005, 0.0005), (0.0001, 0.0001)):
            sys.setswitchinterval(usual)
            assert model.weights.model is not None
            assert sys.getswitchinterval() == pytest.approx(then, rel=0.05)
    finally:
        sys.setswitchinterval(before)


def test_weights_that_are_not_there_are_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelMissingError, match="models get smollm2"):
        TransformersModel("nobody/nothing").generate(["Hello."])
    with pytest.raises(ModelMissingError, match="holds no model"):
        TransformersModel(str(tmp_path)).generate(["Hello."])
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(ModelError, match="cannot be loaded"):
        TransformersModel(str(tmp_path)).generate(["Hello."])


@pytest.mark.parametrize("options", ["dtype=int4", "max_batch=0", "device=abacus"])
def test_bad_options_are_refused(chat_folder: Path, options: str) -> None:
    with pytest.raises(InputError, match=options.partition("=")[0].removeprefix("max_")):
        load_model(f"hf:{chat_folder},{options}").generate(["Hello."])
    with pytest.raises(SpecError, match="needs the parameter 'path'"):
        load_model("hf")


def _picture(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 255, (20, 30, 3)).astype(np.uint8)


def test_pictures_are_seen_and_batched_like_words(seeing: TransformersModel) -> None:
    prompts = [
        Prompt.of("What is it?", settings=SHORT, images=[_picture(0)]),
        Prompt.of("What is it?", settings=SHORT, images=[_picture(1)]),
        Prompt.of("What is it?", settings=SHORT),
        Prompt.of("Which of the two is it, and why is it that one?", STEP, images=[_picture(0), _picture(1)]),
    ]
    together = seeing.generate(prompts)
    assert [one.text for one in together] == [seeing.generate([prompt])[0].text for prompt in prompts]
    assert len({one.text for one in together}) == 4 and together[3].error is None
    scored = [replace(prompt, answer=CHOICES) for prompt in prompts]
    apart = [seeing.score([prompt])[0].log_probabilities for prompt in scored]
    for one, other in zip(seeing.score(scored), apart, strict=True):
        assert one.log_probabilities == pytest.approx(other, abs=1e-3)
    assert apart[0] != pytest.approx(apart[1], abs=1e-3)


def test_choices_behind_pictures_are_refused_where_nothing_of_a_prompt_is_kept(
    seeing_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = TransformersModel(str(seeing_folder), dtype="float32")
    expected = model.score([Prompt.of("Which?", CHOICES)])[0].log_probabilities
    monkeypatch.setattr(type(model.weights), "cache_name", "")
    assert model.score([Prompt.of("Which?", CHOICES)])[0].log_probabilities == pytest.approx(expected, abs=1e-3)
    with pytest.raises(ModelError, match="behind pictures"):
        model.score([Prompt.of("Which?", CHOICES, images=[_picture(0)])])
    prompt = Prompt.of("Which?", CHOICES, images=[_picture(0)])
    (answer,) = choose(model, [prompt], by="generate")
    assert answer.text in prompt.choices, "it may say its choice"


def test_whether_prompts_hold_pictures_is_not_told_by_what_a_processor_calls_them(
    seeing_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = TransformersModel(str(seeing_folder), dtype="float32")
    shown = [Prompt.of("Which?", CHOICES, images=[_picture(seed)]) for seed in range(2)]
    expected = [one.log_probabilities for one in model.score(shown)]
    forward, called = model.weights.model.forward, model.weights.processor.__class__.__call__
    taken = frozenset(inspect.signature(forward).parameters)

    def processed(processor: Any, *given: Any, **options: Any) -> Any:
        made = called(processor, *given, **options)
        made["image_patches"] = made.pop("pixel_values")
        return made

    def passed(image_patches: Any = None, **given: Any) -> Any:
        return forward(**given, **({} if image_patches is None else {"pixel_values": image_patches}))

    monkeypatch.setattr(type(model.weights.processor), "__call__", processed)
    monkeypatch.setattr(model.weights.model, "forward", passed)
    monkeypatch.setattr(type(model.weights), "takes", lambda weights, name: name in taken)
    found = [one.log_probabilities for one in model.score(shown)]
    assert found == [pytest.approx(one, abs=1e-3) for one in expected]
    assert found[0] != pytest.approx(found[1], abs=1e-3), "the second is not what was kept of the first"
    monkeypatch.setattr(type(model.weights), "cache_name", "")
    with pytest.raises(ModelError, match="behind pictures"):
        model.score(shown)
