"""One action after another, said by any model that sees: whatever it answers, there is an action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from types import MappingProxyType
from typing import Any

from teach_agents.actions import FOLLOWER_ACTIONS, Action
from teach_agents.agents.lm.vlm_answers import ActionAnswer
from teach_agents.models import Completion, Prompt, Settings
from teach_agents.models.deciding import Asked, Decider

_TOKENS = 192
"""For JSON of an action, a point and 200 characters, with some words around it."""
_PRECISION = 6
_SHOWN = 300
"""Characters of an answer that a thought keeps."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided, and `thought`, all about it as JSON for the session's record.

    `failed` says why the action is none of the model's but the safe one; "" otherwise.
    """

    action: Action
    thought: Mapping[str, Any]
    failed: str = ""


class ActionDecider(Decider):
    """Lets one model name actions; limits, counts and costs are those of every decision."""

    def answer(self, asked: Asked, kind: ActionAnswer, *, safe: Action) -> Decided:
        """Let the model name an action, of all there are.

        Never raises for what a model does: without an action in time the decision is `safe` and counts as failed.
        Raises `ModelMissingError` and `MissingExtraError` where there is no model at all to ask.
        """
        if self.is_spent:
            return self._decided(asked, None, safe, "no decisions left")
        self._sizes.append(len(FOLLOWER_ACTIONS))
        settings = Settings(max_tokens=_TOKENS, seed=self._seed + self.decisions, timeout_s=self._timeout_s)
        prompt = Prompt.of(asked.user, kind, settings, system=asked.system, images=asked.images)
        begun = perf_counter()
        done, failed = self._tried(lambda: self._model.generate([prompt])[0])
        if done is not None and done.error is not None:
            failed = f"{type(done.error).__name__}: {done.error}"
        elif done is not None and not isinstance(done.value, Action):
            failed = f"no action: {done.value!r}"
        self.failed_decisions += bool(failed)
        return self._decided(asked, done, safe, failed, perf_counter() - begun)

    def _decided(
        self, asked: Asked, done: Completion | None, safe: Action, failed: str, seconds: float = 0.0
    ) -> Decided:
        action = safe if failed or done is None else done.value
        thought = {
            "prompt": {"system": asked.system, "user": asked.user, "images": len(asked.images)},
            "answer": "" if done is None else done.text[:_SHOWN],
            "choice": _told(action),
            "usage": {} if done is None else done.usage.to_json(),
            "seconds": round(seconds, _PRECISION),
            "counts": self.counts,
            **({"error": failed} if failed else {}),
        }
        return Decided(action, MappingProxyType(thought), failed)


def _told(action: Action) -> str:
    """An action in words, as a record shows it."""
    if action.x is not None and action.y is not None:
        return f"{action.name} {action.x:.3f} {action.y:.3f}"
    return f"{action.name}: {action.utterance}" if action.utterance else action.name
