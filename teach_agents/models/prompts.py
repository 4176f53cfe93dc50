"""What goes into a language model and what comes out of it, as typed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError, ModelError
from teach_agents.models.constraints import Choices, Constraint

if TYPE_CHECKING:
    from teach_agents.arrays import Image


_ROLES = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat. `role` is `system`, `user` or `assistant`; images (RGB, HxWx3, uint8) precede the text."""

    role: str
    text: str
    images: tuple[Image, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Refuse what no chat knows."""
        if self.role not in _ROLES:
            raise InputError("chat message", "has no such role", value=self.role, valid=_ROLES)
        for image in self.images:
            if not is_picture(image):
                wrong = getattr(image, "shape", type(image).__name__)
                raise InputError("chat message", "an image is an array HxWx3 of uint8", value=wrong)


def is_picture(image: object) -> bool:
    """Whether this is an array H x W x 3 of uint8 that holds something."""
    shape: tuple[int, ...] = getattr(image, "shape", ())
    return len(shape) == 3 and shape[2] == 3 and str(getattr(image, "dtype", "")) == "uint8" and 0 not in shape


@dataclass(frozen=True, slots=True)
class Settings:
    """How an answer is generated.

    `temperature` 0 takes the likeliest token each time; above 0 tokens are drawn, with a `seed` that makes the draw
    repeatable where the model allows it, from the likeliest that hold `top_p` of the probability. An answer ends before
    the first of `stop`, after `max_tokens`, or when `timeout_s` seconds are over.
    """

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    stop: tuple[str, ...] = ()
    timeout_s: float = 120.0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for right, name, problem in (
            (self.max_tokens >= 1, "max_tokens", "must be at least 1"),
            (0 <= self.temperature < 100, "temperature", "must be 0 or more"),
            (0 < self.top_p <= 1, "top_p", "must be above 0 and at most 1"),
            (self.timeout_s > 0, "timeout_s", "must be above 0"),
            (
                isinstance(self.stop, tuple) and "" not in self.stop,
                "stop",
                "must be a tuple of texts that are not empty",
            ),
        ):
            if not right:
                raise InputError(name, problem, value=getattr(self, name))


@dataclass(frozen=True, slots=True)
class Prompt:
    """A chat to be continued; `answer` says what the continuation has to be, `None` for free text."""

    messages: tuple[ChatMessage, ...]
    answer: Constraint | None = None
    settings: Settings = Settings()

    def __post_init__(self) -> None:
        """Refuse a chat that leaves nothing to answer."""
        if not self.messages or self.messages[-1].role == "system":
            raise InputError("prompt", "needs a message of the user or the assistant at its end")

    @classmethod
    def of(
        cls,
        text: str,
        answer: Constraint | None = None,
        settings: Settings | None = None,
        *,
        system: str = "",
        images: Iterable[Image] = (),
    ) -> Prompt:
        """The prompt of one message by the user, with images and a system message if there are any."""
        first = (ChatMessage("system", system),) if system else ()
        return cls((*first, ChatMessage("user", text, tuple(images))), answer, settings or Settings())

    @property
    def images(self) -> tuple[Image, ...]:
        """Every image, in order."""
        return tuple(image for message in self.messages for image in message.images)

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices that the answer is one of. Raises `InputError` where it need not be one."""
        if not isinstance(self.answer, Choices):
            raise InputError("score", "only prompts whose answer is one of given choices can be scored")
        return self.answer.options


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls of models cost: one or many.

    `model_calls` counts prompts that went to a model; `model_s` is seconds, shared out among the prompts of a batch;
    `cost_usd` is `None` where no price is known. `repairs` counts second rounds, `failures` prompts without an answer.
    """

    model_calls: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0
    model_s: float = 0.0
    cost_usd: float | None = None
    repairs: int = 0
    failures: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together; what is not known counts as nothing beside what is."""
        return Usage(*map(_sum, astuple(self), astuple(other)))

    def to_json(self) -> JsonObject:
        """The counts as JSON."""
        return asdict(self)


def _sum(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else one + other


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer to one prompt.

    `value` is what the text was read as: one of the choices, JSON values, the matching text, or the text itself.
    `finish` is `stop`, `length` or `timeout`. Where there is no answer, or none of the kind that was asked for, `error`
    says why and `value` is `None`. `log_probability` is of the whole answer, where the model tells it.
    """

    text: str
    value: Any = None
    finish: str = "stop"
    usage: Usage = Usage(model_calls=1)
    error: ModelError | None = None
    log_probability: float | None = None

    def checked(self) -> Completion:
        """Itself, or its `error` raised."""
        if self.error is not None:
            raise self.error
        return self


@dataclass(frozen=True, slots=True)
class Scores:
    """Log-probabilities (natural) of the choices of one prompt as the whole answer, and how many `tokens` each has."""

    log_probabilities: tuple[float, ...]
    tokens: tuple[int, ...]
    usage: Usage = Usage(model_calls=1)


def total(usages: Iterable[Usage]) -> Usage:
    """All of them together."""
    return sum(usages, Usage())


def as_prompts(prompts: Sequence[Prompt | str]) -> list[Prompt]:
    """Plain texts become prompts of one message. Raises `InputError` for what is neither."""
    if isinstance(prompts, str | Prompt | Mapping):
        raise InputError("prompts", "must be a list: one call answers many", value=type(prompts).__name__)
    made = [Prompt.of(one) if isinstance(one, str) else one for one in prompts]
    for one in made:
        if not isinstance(one, Prompt):
            raise InputError("prompts", "must be texts or Prompts", value=type(one).__name__)
    return made
