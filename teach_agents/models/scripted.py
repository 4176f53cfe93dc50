"""Models without weights: one says what it was told to say, one chooses by lot."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Sequence

from teach_agents.errors import InputError
from teach_agents.models.constraints import Choices
from teach_agents.models.contract import LanguageModel
from teach_agents.models.prompts import Completion, Prompt, Scores, Usage


class ScriptedModel(LanguageModel):
    """Answers from a list, in order, and then with its last answer again; or as a function of the prompt says.

    `answers` is a list, one text with `|` between the answers (as a SPEC writes it), or the function. `score` gives all
    probability to the choice that it would answer (`0.0`, others `-inf`), or spreads it evenly when its answer is none
    of them. Its tokens are words. `prompts` holds every prompt.
    """

    name = "scripted"
    scores = True

    def __init__(self, answers: str | Sequence[str] | Callable[[Prompt], str]) -> None:
        self._function = answers if callable(answers) else None
        script = () if callable(answers) else answers.split("|") if isinstance(answers, str) else answers
        self._script = tuple(script)
        if self._function is None and not self._script:
            raise InputError("scripted model", "needs at least one answer")
        self.prompts: list[Prompt] = []
        self._lock = threading.Lock()

    def _next(self, prompt: Prompt) -> str:
        with self._lock:
            self.prompts.append(prompt)
            asked = len(self.prompts)
        return self._function(prompt) if self._function else self._script[min(asked, len(self._script)) - 1]

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """The next answers of the script, as far as `max_tokens` words and up to the first of `stop`."""
        return [self._said(prompt, self._next(prompt)) for prompt in prompts]

    def _said(self, prompt: Prompt, answer: str) -> Completion:
        read = sum(len(message.text.split()) for message in prompt.messages)
        for stop in prompt.settings.stop:
            answer = answer.partition(stop)[0]
        words = answer.split()
        if len(words) > prompt.settings.max_tokens:
            answer = " ".join(words[: prompt.settings.max_tokens])
            return Completion(answer, finish="length", usage=Usage(1, read, prompt.settings.max_tokens))
        return Completion(answer, usage=Usage(1, read, len(words)))

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """All probability on the script's next answer."""
        return [self._scored(prompt) for prompt in prompts]

    def _scored(self, prompt: Prompt) -> Scores:
        said = self._said(prompt, self._next(prompt))
        choices = prompt.choices
        if said.text not in choices:
            rows = (-math.log(len(choices)),) * len(choices)
        else:
            rows = tuple(0.0 if one == said.text else -math.inf for one in choices)
        return Scores(rows, tuple(len(one.split()) for one in choices), said.usage)


_HAIR = 1e-9


class UniformModel(LanguageModel):
    """Every choice is as likely as any other.

    What is drawn follows from `seed`, the prompt's own seed and the choices, and from no text of the prompt: a run
    repeats. A prompt without choices gets an empty answer.
    """

    name = "uniform"
    constrains = scores = True

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One of the choices each."""
        return [Completion(self._drawn(prompt)) for prompt in prompts]

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """The same for all choices, but for a hair's breadth to the one that is drawn."""
        return [_even(prompt.choices, self._drawn(prompt)) for prompt in prompts]

    def _drawn(self, prompt: Prompt) -> str:
        if not isinstance(prompt.answer, Choices):
            return ""
        rng = random.Random(f"{self._seed} {prompt.settings.seed} {prompt.choices}")
        return rng.choice(prompt.choices)


def _even(choices: Sequence[str], drawn: str) -> Scores:
    each = -math.log(len(choices))
    return Scores(tuple(each + _HAIR * (one == drawn) for one in choices), (1,) * len(choices), Usage(1))
