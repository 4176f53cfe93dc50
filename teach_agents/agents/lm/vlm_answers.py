"""What a vision-language model is asked for and answers: an action, and the point of the picture that it is done at.

Models give points on scales of their own, whatever they are asked for. A scale that is known is named; else it follows
from the numbers (`Scale.AUTO`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from types import MappingProxyType
from typing import Any

from teach_agents.actions import FOLLOWER_ACTIONS, OBJECT_ACTIONS, Action
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import ModelReplyError
from teach_agents.models import Completion, Prompt, Schema, Settings
from teach_agents.models.deciding import Asked, Decider

LONGEST = 200
"""Characters of what is said at once."""
_CLOSEST_TO_EDGE = math.nextafter(1.0, 0.0)
_SHOWN = 60


class Scale(StrEnum):
    """What the numbers of a point are, x to the right and y down from the upper left corner."""

    AUTO = "auto"
    """By their range: both at most 1, fractions; both below 2, fractions outside the picture; both at most 100,
    hundredths; both at most 1,000, thousandths; larger ones, pixels of the picture that was shown."""
    FRACTION = "fraction"
    PERCENT = "percent"
    THOUSANDTHS = "thousandths"
    PIXELS = "pixels"

    @property
    def asked(self) -> Scale:
        """The scale that the model is asked for."""
        return Scale.FRACTION if self is Scale.AUTO else self

    def whole(self, size: int) -> float:
        """The number at the far edge of a picture of so many pixels."""
        return {Scale.PERCENT: 100.0, Scale.THOUSANDTHS: 1000.0, Scale.PIXELS: float(size)}.get(self, 1.0)

    def of(self, point: tuple[float, float]) -> Scale:
        """The scale that a point is on: itself, or by the range of the numbers."""
        if self is not Scale.AUTO:
            return self
        most = max(point)
        return next((scale for top, scale in _RANGES if most <= top), Scale.PIXELS)


_RANGES = (
    (math.nextafter(2.0, 0.0), Scale.FRACTION),
    (100.0, Scale.PERCENT),
    (1000.0, Scale.THOUSANDTHS),
)


def fraction_of(point: tuple[float, float], scale: Scale, size: tuple[int, int]) -> tuple[float, float]:
    """A point on a scale as fractions, both in [0, 1), of a picture of `size` (width, height) pixels.

    Raises `ModelReplyError` for one outside the picture.
    """
    found = scale.of(point)
    x, y = (value / found.whole(side) for value, side in zip(point, size, strict=True))
    if not (0 <= x <= 1 and 0 <= y <= 1):
        shown = ", ".join(f"{value:g}" for value in point)
        raise ModelReplyError(f"the point [{shown}] ({found}) lies outside the picture")
    return min(x, _CLOSEST_TO_EDGE), min(y, _CLOSEST_TO_EDGE)


class ActionAnswer(Schema):
    """JSON that names one of the Follower's actions, its point where it takes one, and its words where it says any.

    The answer is read as an `Action`. Forgiven are: other names for actions, points as objects, boxes (their middle is
    meant) or texts, fields that an action does not take, and an action's bare name instead of JSON. `size` is the width
    and height of the picture that is shown, pixels; a model that constrains its answers is held to points within it.
    """

    def __init__(self, scale: Scale, size: tuple[int, int], longest: int = LONGEST) -> None:
        asked = scale.asked
        kind = "number" if asked is Scale.FRACTION else "integer"
        number = {"type": kind, "minimum": 0, "maximum": int(asked.whole(max(size)))}
        point = {"type": "array", "items": number, "minItems": 2, "maxItems": 2}
        properties = {
            "action": {"enum": list(FOLLOWER_ACTIONS)},
            "point": {"anyOf": [point, {"type": "null"}]},
            "say": {"type": "string", "maxLength": longest},
        }
        fields = {"type": "object", "properties": properties, "required": list(properties)}
        super().__init__({**fields, "additionalProperties": False})
        self._scale = scale
        self._size = size
        self._longest = longest

    def read(self, text: str) -> Action:
        """The action. Raises `ModelReplyError` where none is named, or it lacks its point or its words."""
        bare = _action_name(text) if len(text) < _SHOWN else None
        given = {"action": bare} if bare else _ANY.read(text)
        said = str(given["action"])
        name = _action_name(said)
        if not name:
            raise ModelReplyError(f"there is no action {said[:_SHOWN]!r}; there are: {', '.join(FOLLOWER_ACTIONS)}")
        if name in OBJECT_ACTIONS:
            point = _numbers(given.get("point", given.get("point_2d", given.get("bbox_2d"))))
            if point is None:
                raise ModelReplyError(f"{name} needs its point in the picture, [x, y]")
            return Action.click(name, *fraction_of(point, self._scale, self._size))
        if name != "Text":
            return Action(name)
        words = " ".join(str(given.get("say") or given.get("text") or "").split())[: self._longest]
        if not words:
            raise ModelReplyError('Text needs the words to say, in "say"')
        return Action.say(words)


_ANY = Schema(
    {"type": "object", "properties": {"action": {"type": "string", "maxLength": 200}}, "required": ["action"]}
)
"""JSON that names an action somehow."""
_BY_WORDS: Mapping[str, str] = {
    **{
        said: name
        for name, others in {
            "Backward": "move back, move backward",
            "Close": "close",
            "Forward": "move ahead, move forward",
            "NoOp": "no action, none, wait",
            "Pan Left": "move left",
            "Pan Right": "move right",
            "Pickup": "pick up, take",
            "Place": "drop, put, put down",
            "Stop": "done, finish",
            "Text": "ask, reply, say, speak",
            "ToggleOff": "switch off, turn off",
            "ToggleOn": "switch on, turn on",
            "Turn Left": "rotate left",
            "Turn Right": "rotate right",
        }.items()
        for said in others.split(", ")
    },
    **{re.sub(r"[^a-z]", "", name.lower()): name for name in FOLLOWER_ACTIONS},
}
"""Actions by what models call them, in small letters: by other names, and by their own."""


def _action_name(said: str) -> str | None:
    """The action that a model means by a name."""
    words = " ".join(re.sub(r"([a-z])([A-Z])", r"\1 \2", said.strip(" \t\r\n\"'`*.")).replace("_", " ").lower().split())
    return _BY_WORDS.get(words) or _BY_WORDS.get(words.replace(" ", ""))


def _numbers(value: Any) -> tuple[float, float] | None:
    """The two numbers of a point; of a box (x0, y0, x1, y1) its middle."""
    if isinstance(value, str):
        value = [float(one) for one in re.findall(r"-?\d{1,9}(?:\.\d{1,9})?", value[:LONGEST])]
    if isinstance(value, Mapping):
        value = [value.get("x"), value.get("y")]
    if isinstance(value, Sequence) and len(value) == 1 and isinstance(value[0], Sequence):
        value = value[0]
    if not isinstance(value, Sequence) or not all(_is_number(one) for one in value):
        return None
    if len(value) == 4:
        return (value[0] + value[2]) / 2, (value[1] + value[3]) / 2
    return (float(value[0]), float(value[1])) if len(value) == 2 else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9


_TOKENS = 192
"""For JSON of an action, a point and 200 characters, with some words around it."""
_PRECISION = 6
_KEPT = 300
"""Characters of an answer that a thought keeps."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided, and `thought`, all about it as JSON for the session's record.

    `failed` says why the action is none of the model's but the safe one; "" otherwise.
    """

    action: Action
    thought: JsonMapping
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
        if done and done.error:
            failed = f"{type(done.error).__name__}: {done.error}"
        elif done and not isinstance(done.value, Action):
            failed = f"no action: {done.value!r}"
        self.failed_decisions += bool(failed)
        return self._decided(asked, done, safe, failed, perf_counter() - begun)

    def _decided(
        self, asked: Asked, done: Completion | None, safe: Action, failed: str, seconds: float = 0.0
    ) -> Decided:
        action = safe if failed or not done else done.value
        thought = {
            "prompt": {"system": asked.system, "user": asked.user, "images": len(asked.images)},
            "answer": done.text[:_KEPT] if done else "",
            "choice": _told(action),
            "usage": done.usage.to_json() if done else {},
            "seconds": round(seconds, _PRECISION),
            "counts": self.counts,
            **({"error": failed} if failed else {}),
        }
        return Decided(action, MappingProxyType(thought), failed)


def _told(action: Action) -> str:
    """An action in words, as a record shows it."""
    if action.x is not None:
        return f"{action.name} {action.x:.3f} {action.y:.3f}"
    return f"{action.name}: {action.utterance}" if action.utterance else action.name
