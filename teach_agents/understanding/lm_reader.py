"""Reading by any language model: told the notation, it writes what an utterance means, as JSON."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from teach_agents.core.dialogue import Act, DialogueAct, Reading
from teach_agents.errors import InputError, ModelError, ModelReplyError
from teach_agents.models import LanguageModel, load_model
from teach_agents.models.constraints import Constraint, Schema
from teach_agents.models.prompts import ChatMessage, Prompt, Settings
from teach_agents.understanding.notation import TOPICS, VERBS, read_meaning
from teach_agents.understanding.reader import UNREACHED, Reader, fitting
from teach_agents.understanding.rules_reader import RulesReader
from teach_agents.understanding.small_lm.reader import SmallModelReader

_LOG = logging.getLogger(__name__)
NAME = "lm"
_RECENT = 4
"""Lines of the talk that are shown."""
_TOKENS = 160
_CONFIDENCE = 0.8
"""What readings are taken to be worth of a model that says nothing of how sure it is."""


def lm_reader(model: str | LanguageModel = "default", timeout_s: float = 30.0, *, allow_import: bool = False) -> Reader:
    """The reader of a language model: by `default` SmolLM2 with the package's adapter for reading; any other, named by
    a SPEC, is told the notation in its prompt. Raises what `SmallModelReader` and `load_model` raise.
    """
    if model == "default":
        return SmallModelReader()
    return ModelReader(model, timeout_s, allow_import=allow_import)


class Meaning(Constraint):
    """JSON with acts of the notation of meanings."""

    schema = Schema(
        {
            "type": "object",
            "properties": {"acts": {"type": "array", "items": {"type": "string"}, "maxItems": 8}},
            "required": ["acts"],
            "additionalProperties": False,
        }
    ).schema

    def read(self, text: str) -> tuple[DialogueAct, ...]:
        """The acts that an answer gives. Raises `ModelReplyError` with the part that is none."""
        assert self.schema is not None
        told = Schema(self.schema).read(text)
        try:
            return tuple(act for line in told["acts"] for act in read_meaning(line))
        except InputError as error:
            raise ModelReplyError(f"{error}") from error


class ModelReader:
    """Reads with a language model, named by a SPEC; what it answers wrongly twice is unclear. Where it cannot be asked,
    which is logged once, rules read what they can, and the rest is unclear, by `UNREACHED`.
    """

    def __init__(self, model: str | LanguageModel, timeout_s: float = 30.0, *, allow_import: bool = False) -> None:
        from teach_agents_prompts import load_prompts

        self._model = load_model(model, allow_import=allow_import)
        self._rules = RulesReader()
        self._fails = False
        self._settings = Settings(max_tokens=_TOKENS, timeout_s=timeout_s)
        self._prompts = load_prompts().only("lm_reading*")
        listed = {"verbs": " ".join(sorted(VERBS)), "topics": " ".join(sorted(TOPICS))}
        self._system = ChatMessage("system", self._prompts.render("lm_reading_system", **listed))

    def load(self) -> None:
        """Load the model's weights."""
        self._model.load()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        shown, whole = fitting(text)
        if not shown.strip():
            return Reading((), 0.0, NAME)
        asked = self._prompts.render("lm_reading", recent=list(recent)[-_RECENT:], text=shown)
        prompt = Prompt((self._system, ChatMessage("user", asked)), answer=Meaning(), settings=self._settings)
        completion, failure = None, None
        try:
            completion = self._model.generate([prompt])[0]
            failure = completion.error
        except ModelError as error:
            failure = error
        if failure is not None and not isinstance(failure, ModelReplyError):
            return self._unreached(failure, text, recent)
        self._fails = False
        if completion is None or failure is not None:
            return Reading((DialogueAct(Act.UNCLEAR),), 0.0, NAME)
        acts: tuple[DialogueAct, ...] = completion.value
        return Reading(acts if whole else (*acts, DialogueAct(Act.UNCLEAR)), _CONFIDENCE, NAME)

    def _unreached(self, error: Exception, text: str, recent: Sequence[str]) -> Reading:
        """What rules read of an utterance that the model was not asked of."""
        if not self._fails:
            _LOG.warning("what was said is read by rules alone, as the model cannot be asked: %s", type(error).__name__)
        self._fails = True
        found = self._rules.read(text, recent)
        return found if found.acts else Reading((DialogueAct(Act.UNCLEAR),), 0.0, UNREACHED)
