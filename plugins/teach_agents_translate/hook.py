"""Two chairs that speak different languages: a dialogue hook that translates utterances with any language model.

Written as a third party would write it, against the public API of `teach_agents` alone. Does a pair still understand
each other in French? What the model cannot translate in time gets through as it is, and is counted.
"""

from __future__ import annotations

import re

from teach_agents_prompts import load_prompts

from teach_agents import DialogueHook, LanguageModel, Role, SessionResult, load_model
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.models import Usage
from teach_agents_translate.translator import Translator

__all__ = ["Translate", "Translator"]


_LANGUAGE = re.compile(r"(?:[^\W\d_][\w '()-]{0,39})?")


class Translate(DialogueHook):
    """Puts what is said into another language, by `model` (a SPEC, or a model made in Python).

    `to` is the language of both roles, `commander` and `follower` what each speaks instead; a role without a language
    speaks as it is. A translation takes `time_limit_s` seconds at most. The same words are translated once, however
    often they are said. An answer that is empty or out of all proportion is not used. `prompts` is a folder with a
    template `translate.jinja` of one's own.
    """

    def __init__(
        self,
        model: str | LanguageModel,
        to: str = "",
        *,
        commander: str = "",
        follower: str = "",
        time_limit_s: float = 20.0,
        prompts: str = "",
        allow_import: bool = False,
    ) -> None:
        languages = {Role.COMMANDER: commander or to, Role.FOLLOWER: follower or to}
        for role, language in languages.items():
            if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
                raise InputError("translate", f"the {role}'s language must be a name such as French", value=language)
        if not any(languages.values()):
            valid = ("to=French", "commander=French", "follower=French")
            raise InputError("translate", "needs a language", value=to, valid=valid)
        self._languages = languages
        self._translator = Translator(
            load_model(model, allow_import=allow_import), load_prompts(prompts or None), time_limit_s
        )

    def begin(self, session_id: str, seed: int) -> None:
        """Count anew; what was translated stays known."""
        self._counts = {"translated": 0, "untranslated": 0}
        self._problem = ""
        self._translator.usage = Usage()

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """The translation, or the words as they are."""
        language = self._languages[speaker]
        if not language or not any(character.isalpha() for character in text):
            return text
        found = self._translator.translated(text, language)
        self._counts["untranslated" if found.problem else "translated"] += 1
        self._problem = self._problem or found.problem
        return found.text

    def ended(self, result: SessionResult) -> JsonMapping:
        """How many utterances were translated and how many were not, what kept the first of these, and what it cost."""
        usage = self._translator.usage.to_json()
        counts = {name: usage[name] for name in ("model_calls", "prompt_tokens", "generated_tokens")}
        model = {"model": self._translator.name, "prompt_hash": self._translator.prompt_hash}
        return {**self._counts, **({"problem": self._problem} if self._problem else {}), **counts, **model}
