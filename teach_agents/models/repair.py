"""From raw completions to answers: read as what was asked for, and asked for once more where they are not that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.errors import ModelError, ModelReplyError, ModelTimeoutError
from teach_agents.models.constraints import Choices, Regex
from teach_agents.models.prompts import ChatMessage, Completion, Prompt, Usage

_QUOTED = 2000
"""Characters of a wrong answer that the model is shown again."""


class Asking:
    """A batch of prompts until each has its answer: at most two rounds.

    `batch` is what is to be asked next, nothing when all is said; `completions` has the answers then. With `repair`
    whoever gave what is not what was asked for is told so and asked a second time, never a third.
    """

    def __init__(self, prompts: Sequence[Prompt], *, repair: bool) -> None:
        self._prompts = tuple(prompts)
        self._repair = repair
        self._read: dict[int, Completion] = {}
        self._places: Sequence[int] = range(len(self._prompts))
        self.batch: Sequence[Prompt] = self._prompts

    def answered(self, raw: Sequence[Completion]) -> None:
        """Take the raw completions of `batch`. Raises `ModelError` where they are not as many."""
        if len(raw) != len(self.batch):
            raise ModelError(f"the model gave {len(raw)} completions to {len(self.batch)} prompts")
        for place, completion in zip(self._places, raw, strict=True):
            read = _read(self._prompts[place], completion)
            if place in self._read:
                read = replace(read, usage=self._read[place].usage + read.usage + Usage(repairs=1))
            self._read[place] = read
        wrong = [place for place in self._places if isinstance(self._read[place].error, ModelReplyError)]
        self._places, self._repair = (wrong if self._repair else ()), False
        self.batch = [_again(self._prompts[place], self._read[place]) for place in self._places]

    @property
    def completions(self) -> list[Completion]:
        """One per prompt, in their order; whoever has none of the kind asked for counts as a failure."""
        read = [self._read[place] for place in range(len(self._prompts))]
        return [replace(one, usage=one.usage + Usage(failures=1)) if one.error else one for one in read]


def _read(prompt: Prompt, raw: Completion) -> Completion:
    """The completion with its value, or with the error that keeps it from having one."""
    text = raw.text.encode("utf8", "replace").decode("utf8")
    if raw.error is not None:
        return replace(raw, text=text, value=None)
    try:
        value = text if prompt.answer is None else prompt.answer.read(text)
        error: ModelError | None = None
    except ModelReplyError as misread:
        value, error = None, _cut_short(prompt, raw, misread)
    if raw.finish == "timeout" and (error or prompt.answer is None):
        value, error = None, ModelTimeoutError(f"no whole answer within {prompt.settings.timeout_s:g} s")
    return replace(raw, text=text, value=value, error=error)


def _cut_short(prompt: Prompt, raw: Completion, misread: ModelReplyError) -> ModelReplyError:
    if raw.finish != "length":
        return misread
    return ModelReplyError(f"{misread}; it was cut short after {prompt.settings.max_tokens} tokens")


def _again(prompt: Prompt, wrong: Completion) -> Prompt:
    """The prompt, the wrong answer, and what is wrong with it."""
    from teach_agents_prompts import render

    answer = prompt.answer
    asked = render(
        "repair",
        problem=str(wrong.error).removeprefix("the answer "),
        choices=answer.options if isinstance(answer, Choices) else (),
        pattern=answer.pattern if isinstance(answer, Regex) else "",
        schema="" if answer is None or isinstance(answer, Choices | Regex) else json.dumps(answer.schema),
    )
    said = ChatMessage("assistant", wrong.text[:_QUOTED])
    return replace(prompt, messages=(*prompt.messages, said, ChatMessage("user", asked)))
