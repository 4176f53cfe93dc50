"""One choice among candidates after another, made by any language model: whatever it answers, there is a decision."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import median
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import MissingExtraError, ModelMissingError, ModelTimeoutError, SpecError
from teach_agents.models import Batched, Choices, Counted, LanguageModel, Prompt, ScriptedModel, Settings, load_model
from teach_agents.models.choosing import BY, Choice, choose
from teach_agents.models.prompts import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from teach_agents_prompts import Prompts


_SHOWN = 5
"""How many of the likeliest candidates a thought names."""
_WRAPPED = 256
"""Tokens for the answer of a model that may put words around its choice."""
_LONGEST_ANSWER_S = 600.0
_PRECISION = 6
_NOTHING: JsonMapping = MappingProxyType({})
_MAKING = threading.Lock()
"""Held while a model is looked up: agents that are made at the same time must not each get one of their own."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Asked:
    """A rendered prompt: the system's text, the user's, and what is shown (RGB arrays)."""

    system: str
    user: str
    images: tuple[NDArray[np.uint8], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided: one of the candidates, and `thought`, all about it as JSON for the session's record.

    `failed` says why there is no choice of the model's, and `text` is the safe candidate then; "" otherwise.
    """

    text: str
    thought: JsonMapping
    failed: str = ""


class Decider:
    """Lets one model choose, for one agent.

    `model` is a SPEC or a model. One SPEC is one model in a process; the prompts of concurrent sessions to one model
    that gains by it go into one pass (`LanguageModel.gathers`). `prompts` are all those of the agent. `by` is how the
    model chooses, see `models.choose`: `generate`, the default, costs the same however many candidates there are. A
    model that does not constrain its answers is shown the candidates (template `lm_choices`).

    A decision takes at most `timeout_s` seconds, and there are `max_decisions` in a session; a decision beyond them is
    the safe candidate. Raises `SpecError` for what cannot be meant.
    """

    def __init__(
        self,
        model: str | LanguageModel,
        prompts: Prompts,
        *,
        by: str = "generate",
        max_decisions: int = 200,
        timeout_s: float = 60.0,
        allow_import: bool = False,
    ) -> None:
        if by not in BY:
            raise SpecError("lm", "chooses by no such thing", value=by, valid=BY)
        if type(max_decisions) is not int or max_decisions < 1:
            raise SpecError("lm", "max_decisions must be a whole number from 1 on", value=max_decisions)
        if not 0 < timeout_s <= _LONGEST_ANSWER_S:
            problem = f"timeout_s must be above 0 and at most {_LONGEST_ANSWER_S:g}"
            raise SpecError("lm", problem, value=timeout_s)
        made = model if isinstance(model, LanguageModel) else _model(model, allow_import)
        with _MAKING:
            self._model = Counted(_batched(made) if made.gathers else made)
        self._prompts = prompts
        self._by = by
        self._most = max_decisions
        self._timeout_s = float(timeout_s)
        self.begin(0)

    def begin(self, seed: int) -> None:
        """A session begins: all counts at nothing. `seed` is of what the model draws, if it draws."""
        self._seed = seed
        self._sizes: list[int] = []
        self._model.reset()
        self.failed_decisions = 0

    def load(self) -> None:
        """Load the model's weights. Raises `ModelMissingError`, `MissingExtraError`, `ModelError`."""
        self._model.load()

    @property
    def decisions(self) -> int:
        """How many were asked for in this session, failed ones too."""
        return len(self._sizes)

    @property
    def is_spent(self) -> bool:
        """Whether there are no decisions left."""
        return self.decisions >= self._most

    @property
    def usage(self) -> Usage:
        """What the model cost in this session."""
        return self._model.usage

    @property
    def provenance(self) -> dict[str, str]:
        """Which model, how it chooses, and which prompts it reads."""
        known = {
            "model": self._model.name,
            "model_hash": self._model.fingerprint,
            "prompt_hash": self._prompts.hash,
            "by": self._by,
        }
        return {name: value for name, value in known.items() if value}

    @property
    def counts(self) -> dict[str, float]:
        """How many decisions there were, how many of them failed, and the median number of candidates."""
        return {
            "decisions": self.decisions,
            "failed_decisions": self.failed_decisions,
            "median_candidates": float(median(self._sizes or [0])),
        }

    def decide(self, asked: Asked, candidates: Sequence[str], *, safe: str) -> Decision:
        """Let the model choose among `candidates`; it is not asked where there is only one.

        Never raises for what a model does: without a choice in time the decision is `safe` and counts as failed. Raises
        `ModelMissingError` and `MissingExtraError` where there is no model at all to ask.
        """
        options = list(dict.fromkeys(candidates))
        if len(options) == 1:
            return _decision(options[0], {"candidates": options})
        if self.is_spent:
            return _decision(safe, {"candidates": options}, f"no decisions left of {self._most}")
        self._sizes.append(len(options))
        begun = perf_counter()
        choice, failed = self._chosen(self._prompt(asked, options), self._by)
        self.failed_decisions += bool(failed)
        prompt = {"system": asked.system, "user": asked.user, "images": len(asked.images)}
        more = {
            "distribution": _likeliest(options, choice.distribution),
            "usage": choice.usage.to_json(),
            "seconds": round(perf_counter() - begun, _PRECISION),
            "counts": self.counts,
        }
        text = safe if failed or choice.text is None else choice.text
        return _decision(text, {"prompt": prompt, "candidates": options}, failed, more)

    def distribution(self, asked: Asked, candidates: Sequence[str]) -> dict[str, float]:
        """How probable the model finds each candidate; counts as no decision.

        By log-probabilities where the model has them, else all on the one that it answers. Even where it fails.
        """
        options = list(dict.fromkeys(candidates))
        by = "mean" if self._by == "generate" else self._by
        choice, _ = self._chosen(self._prompt(asked, options), by)
        even = [1 / len(options)] * len(options)
        return dict(zip(options, choice.distribution or even, strict=True))

    def word(self, asked: Asked, *, longest: int = 200) -> str | None:
        """A short free answer in one line, at most `longest` characters; `None` where there is none.

        Not a decision, but counted as usage.
        """
        settings = Settings(max_tokens=max(8, longest // 3), seed=self._seed, stop=("\n",), timeout_s=self._timeout_s)
        prompt = Prompt.of(asked.user, None, settings, system=asked.system, images=asked.images)
        done, _ = self._tried(lambda: self._model.generate([prompt])[0])
        words = "" if done is None or done.error is not None else " ".join(str(done.value or "").split())
        return words.strip("\"' ")[:longest].strip() or None

    def _prompt(self, asked: Asked, options: Sequence[str]) -> Prompt:
        user = asked.user
        tokens = _WRAPPED
        if self._model.constrains:
            tokens = max(map(len, options)) + 16
        elif self._by == "generate" or not self._model.scores:
            user = f"{user.rstrip()}\n\n{self._prompts.render('lm_choices', choices=options)}"
        settings = Settings(max_tokens=tokens, seed=self._seed + self.decisions, timeout_s=self._timeout_s)
        return Prompt.of(user, Choices(options), settings, system=asked.system, images=asked.images)

    def _chosen(self, prompt: Prompt, by: str) -> tuple[Choice, str]:
        """The model's choice, and why there is none."""
        choice, failed = self._tried(lambda: choose(self._model, [prompt], by=by)[0])
        if choice is None:
            return Choice(None, (), Usage()), failed
        if choice.error is not None:
            return choice, f"{type(choice.error).__name__}: {choice.error}"
        return (choice, "") if choice.text in prompt.choices else (choice, f"no candidate: {choice.text!r}")

    def _tried(self, call: Callable[[], _Value]) -> tuple[_Value | None, str]:
        """What a call of the model gives, or why it gives nothing within its time."""
        try:
            return _within(self._timeout_s, call), ""
        except (ModelMissingError, MissingExtraError):
            raise
        except Exception as error:  # noqa: BLE001  # whatever breaks in a model, the session goes on
            return None, f"{type(error).__name__}: {error}"


def _decision(text: str, asked: JsonMapping, failed: str = "", more: JsonMapping = _NOTHING) -> Decision:
    error = {"error": failed} if failed else {}
    return Decision(text, MappingProxyType({**asked, "choice": text, **more, **error}), failed)


def _likeliest(options: Sequence[str], distribution: Sequence[float]) -> dict[str, float]:
    """The likeliest candidates with their probabilities, falling; none of no probability."""
    ranked = sorted(zip(options, distribution, strict=False), key=lambda one: -one[1])[:_SHOWN]
    return {text: round(probability, _PRECISION) for text, probability in ranked if probability > 0}


def _within(seconds: float, call: Callable[[], _Value]) -> _Value:
    """What a call returns or raises, if it does in time; a call that hangs is left behind in its thread."""
    answer: Future[_Value] = Future()

    def work() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:  # noqa: BLE001  # it is raised where the call is waited for
            answer.set_exception(error)

    threading.Thread(target=work, name="decision", daemon=True).start()
    try:
        return answer.result(timeout=seconds)
    except TimeoutError as error:
        if answer.done():
            raise
        raise ModelTimeoutError(f"no answer within {seconds:g} s") from error


def _model(spec: str, allow_import: bool) -> LanguageModel:
    """The model of a SPEC: the same for everybody in this process, but for scripts, which begin anew with each."""
    with _MAKING:
        shared = _shared(spec, allow_import=allow_import)
    return load_model(spec, allow_import=allow_import) if isinstance(shared, ScriptedModel) else shared


_shared = lru_cache(maxsize=16)(load_model)
_batched = lru_cache(maxsize=16)(Batched)
"""What gathers the prompts of all who ask a model."""
