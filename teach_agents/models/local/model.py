"""Any causal or vision-language model of transformers as a `LanguageModel`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter

from teach_agents.errors import ModelError
from teach_agents.models.batches import in_batches
from teach_agents.models.contract import LanguageModel
from teach_agents.models.local.gguf import converted
from teach_agents.models.local.packages import check_source, torch, transformers
from teach_agents.models.local.readings import reads_rows
from teach_agents.models.local.rendering import Rendered, inputs, rendered, seeing, tokens_of
from teach_agents.models.local.rows import Row, Rows, answers
from teach_agents.models.local.scoring import scored
from teach_agents.models.local.weights import Source, Weights, fingerprint, load_weights
from teach_agents.models.prompts import Completion, Prompt, Scores, Usage


class TransformersModel(LanguageModel):
    """A causal language model, or one that takes images and text, from a folder or the hub (its cache, if offline).

    Prompts go through the model's chat template; without one their texts are continued as they are. Answers are
    constrained while they are decoded (llguidance). A call is cut into passes of at most `max_batch` prompts or
    choices; a batch gives what each prompt gives alone, as far as the arithmetic of `dtype` allows. `adapter` is a LoRA
    adapter. Weights are loaded when first needed, once per process for the same source.
    """

    def __init__(
        self, path: str, *, adapter: str = "", dtype: str = "auto", device: str = "auto", max_batch: int = 32
    ) -> None:
        check_source(path, max_batch=max_batch)
        self.name = path
        self.source = Source(path, adapter, dtype, device)
        self._held: Weights | None = None
        self._max_batch = max_batch

    constrains = scores = gathers = True

    @classmethod
    def from_gguf(
        cls, file: str, *, adapter: str = "", dtype: str = "auto", device: str = "auto", max_batch: int = 32
    ) -> TransformersModel:
        """The model of a GGUF file, which is converted the first time."""
        folder = converted(Path(file).expanduser())
        return cls(str(folder), adapter=adapter, dtype=dtype, device=device, max_batch=max_batch)

    @classmethod
    def around(cls, weights: Weights, source: Source, *, max_batch: int = 32) -> TransformersModel:
        """The model of weights that somebody holds, read from `source` and perhaps changed since.

        Whoever changes them clears their prefixes.
        """
        made = cls(**asdict(source), max_batch=max_batch)
        made._held = weights
        return made

    @property
    def weights(self) -> Weights:
        """Model, tokenizer and processor. Raises `ModelMissingError` and `MissingExtraError`."""
        return self._held or load_weights(self.source)

    def load(self) -> None:
        """Load the weights, if nobody has yet."""
        _ = self.weights

    @property
    def fingerprint(self) -> str:
        """Of all its tensors, once they are loaded; see `weights.fingerprint`."""
        return fingerprint(self.weights)

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One completion per prompt, as long as the model has room for; a prompt that leaves none gets an error."""
        weights = self.weights
        made, failed = _rendered(weights, prompts)
        done: dict[int, Completion] = {at: Completion("", error=error) for at, error in failed.items()}
        for places in self._passes(prompts, made):
            done |= zip(places, _answered(weights, [made[at] for at in places]), strict=True)
        return [done[at] for at in range(len(prompts))]

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """The choices of each prompt; the prompt is read once for all of them."""
        weights = self.weights
        made, failed = _rendered(weights, prompts)
        for error in failed.values():
            raise error
        done: dict[int, Scores] = {}
        for places in self._passes(prompts, made, seeing_size=1):
            done |= zip(places, scored(weights, [made[at] for at in places], self._max_batch), strict=True)
        return [done[at] for at in range(len(prompts))]

    def _passes(self, prompts: Sequence[Prompt], places: Iterable[int], seeing_size: int = 0) -> list[list[int]]:
        """Places of prompts that go through the model together: with images or without, of like length."""
        passes: list[list[int]] = []
        for sees in (False, True):
            mine = sorted(
                (at for at in places if bool(prompts[at].images) is sees),
                key=lambda at: sum(len(message.text) for message in prompts[at].messages),
            )
            size = (sees and seeing_size) or self._max_batch
            passes += in_batches(mine, size)
        return passes


def _rendered(weights: Weights, prompts: Sequence[Prompt]) -> tuple[dict[int, Rendered], dict[int, ModelError]]:
    """Prompts by their places, and what is wrong with those that the model cannot read."""
    made: dict[int, Rendered] = {}
    failed: dict[int, ModelError] = {}
    for at, prompt in enumerate(prompts):
        try:
            text = rendered(weights, prompt)
            tokens = tokens_of(weights, text)
            if not tokens:
                raise ModelError("the prompt is empty, and this model has no chat template around it")
            room = weights.context - len(tokens)
            if room <= 0:
                raise ModelError(f"the prompt has {len(tokens)} tokens; the model reads {weights.context} in all")
            if prompt.settings.max_tokens > room:
                prompt = replace(prompt, settings=replace(prompt.settings, max_tokens=room))
            made[at] = Rendered(prompt, text, tokens)
        except ModelError as error:
            failed[at] = error
    return made, failed


def _answered(weights: Weights, batch: Sequence[Rendered]) -> list[Completion]:
    """The answers to prompts, all with images or all without, together."""
    begun = perf_counter()
    with weights.lock, torch().inference_mode():
        if reads_rows(weights):
            rows, read = answers(weights, batch), [len(one.tokens) for one in batch]
        else:
            rows, read = _generated(weights, batch)
    seconds = (perf_counter() - begun) / len(batch)
    return [
        Completion(row.text, finish=row.finish, usage=Usage(1, count, len(row.tokens), seconds))
        for row, count in zip(rows, read, strict=True)
    ]


def _generated(weights: Weights, batch: Sequence[Rendered]) -> tuple[list[Row], list[int]]:
    """Answers as transformers generates them, and how many tokens each prompt has, with its pictures."""
    prompts = [one.prompt for one in batch]
    made, known = inputs(weights, batch), None
    if not seeing(batch):
        made, known = weights.prefixes.begin(made, weights.tokenizer.pad_token_id)
    rows = [Row(weights, prompt) for prompt in prompts]
    settings = transformers().GenerationConfig(
        max_new_tokens=max(prompt.settings.max_tokens for prompt in prompts),
        do_sample=False,
        return_dict_in_generate=True,
        eos_token_id=list(weights.ends),
        pad_token_id=weights.tokenizer.pad_token_id,
    )
    done = weights.model.generate(
        **made,
        **({} if known is None else {weights.cache_name: known}),
        generation_config=settings,
        logits_processor=[Rows(rows).prefer],
        stopping_criteria=[Rows(rows).take],
    )
    if not seeing(batch):
        weights.prefixes.remember(made, getattr(done, weights.cache_name, None))
    return rows, made["attention_mask"].sum(-1).tolist()
