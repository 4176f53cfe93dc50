"""One text into another language: asked of a model within a time limit, remembered, checked for being an answer."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from teach_agents_prompts import Prompts

from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.models import Completion, LanguageModel, Prompt, Settings, Usage

_TEMPLATE = "translate"
_KEPT = 4096
"""How many translations are remembered."""
_LEAST_TOKENS = 48
"""Tokens for a translation, besides one for every character."""
_LONGER = 4
"""How many times longer than the text, plus a few words, a translation may be."""
_SPARE = 40


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in another language, or as it was, and the problem that kept it so."""

    text: str
    problem: str = ""


class Translator:
    """Translates with one model and the template `translate`; may be used from several threads.

    `usage` is what the model's answers cost, those that came too late left out; whoever counts may set it back.

    A model that does not answer in time is left to itself and asked again for the next text only when it is back.
    Raises `InputError` for a limit of 0 seconds or less, or above an hour.
    """

    def __init__(self, model: LanguageModel, prompts: Prompts, time_limit_s: float = 20.0) -> None:
        if isinstance(time_limit_s, bool) or not 0 < time_limit_s <= 3600:
            problem = "time_limit_s must be above 0 and at most 3600 seconds"
            raise InputError("translate", problem, value=time_limit_s)
        self._model = model
        self._limit = float(time_limit_s)
        self._prompts = prompts.only(_TEMPLATE)
        self._known: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._busy: threading.Thread | None = None
        self._lock = threading.Lock()
        self.usage = Usage()

    @property
    def name(self) -> str:
        """What results call the model."""
        return self._model.name

    @property
    def prompt_hash(self) -> str:
        """The template's."""
        return self._prompts.hash

    def translated(self, text: str, language: str) -> Translation:
        """`text` in `language`. Never raises for what the model does."""
        with self._lock:
            known = self._known.get((text, language))
            if known is not None:
                self._known.move_to_end((text, language))
                return Translation(known)
            try:
                found = self._checked(text, self._answer(text, language))
            except TeachAgentsError as error:
                return Translation(text, str(error))
            self._known[text, language] = found
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
            return Translation(found)

    def _answer(self, text: str, language: str) -> str:
        if self._busy is not None and self._busy.is_alive():
            raise TeachAgentsError(f"{self.name}: is still at an earlier translation")
        prompt = self._prompt(text, language)
        answers: list[Completion] = []
        problems: list[str] = []

        def ask() -> None:
            try:
                answers.extend(self._model.generate([prompt]))
            except Exception as error:  # noqa: BLE001  # a model of somebody's own can raise anything
                problems.append(f"{type(error).__name__}: {error}")

        self._busy = threading.Thread(target=ask, name="translation", daemon=True)
        self._busy.start()
        self._busy.join(self._limit)
        if not answers:
            raise TeachAgentsError(problems[0] if problems else f"{self.name}: no answer within {self._limit:g} s")
        (answer,) = answers
        self.usage += answer.usage
        if answer.error is not None or answer.finish != "stop":
            raise TeachAgentsError(str(answer.error or f"{self.name}: the translation was cut short"))
        return answer.text

    def _prompt(self, text: str, language: str) -> Prompt:
        asked = self._prompts.render(_TEMPLATE, text=text, language=language)
        return Prompt.of(asked, settings=Settings(max_tokens=_LEAST_TOKENS + len(text), timeout_s=self._limit))

    def _checked(self, text: str, answer: str) -> str:
        """The answer's words without quotes around them."""
        found = " ".join(answer.split())
        if len(found) > 2 and found[0] in "\"'\u201c\u00ab" and found[-1] in "\"'\u201d\u00bb":
            found = found[1:-1].strip()
        if not any(character.isalpha() for character in found):
            raise TeachAgentsError(f"{self.name}: answered {answer[:40]!r}, which has no words")
        if len(found) > _LONGER * len(text) + _SPARE:
            raise TeachAgentsError(f"{self.name}: answered {len(found)} characters to {len(text)}")
        return found
