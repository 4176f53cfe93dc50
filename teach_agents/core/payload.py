"""What a message can say: payloads, told apart by their kind, and how a world's values stand in them.

A world's actions and results are its own values in memory. A bus between processes reads and writes them by its codec
(`core.bus.redis.MessageCodec`), given to pydantic as the `context`; without one they are JSON when read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    InstanceOf,
    PlainSerializer,
    PlainValidator,
    PrivateAttr,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidationInfo,
    model_serializer,
)

from teach_agents.core.codec import plain
from teach_agents.core.errors import PluginError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.plugins import MESSAGE_KIND
from teach_agents.core.values import NOTHING, Result

if TYPE_CHECKING:
    from teach_agents.core.registry import Registry

Name = InstanceOf[str]
"""A text that stays what it is in memory, say a member of a world's enumeration."""


def _values(info: ValidationInfo | SerializationInfo) -> Any:
    """The codec of the world whose values travel; `None` in memory, and where nobody says which world it is."""
    return getattr(info.context, "values", None)


def _own_json(value: Any) -> Any:
    """A value where no codec writes it: in a form of its own, by its class and fields, or JSON as it is."""
    if hasattr(value, "to_json"):
        return value.to_json()
    return {"type": type(value).__name__, **plain(value)} if is_dataclass(value) else value


def _read_action(value: Any, info: ValidationInfo) -> Any:
    codec = _values(info)
    return value if value is None or codec is None else codec.action_from_json(value)


def _read_result(value: Any, info: ValidationInfo) -> Any:
    codec = _values(info)
    if codec is not None and value is not None:
        return codec.result_from_json(value)
    hidden = isinstance(value, Result) and (value.trace or value.events)
    return replace(value, trace=NOTHING, events=()) if hidden else value


def _written_by(method: str) -> PlainSerializer:
    def write(value: Any, info: SerializationInfo) -> Any:
        codec = _values(info)
        return _own_json(value) if value is None or codec is None else getattr(codec, method)(value)

    return PlainSerializer(write)


WorldAction = Annotated[Any, PlainValidator(_read_action), _written_by("action_to_json")]
WorldResult = Annotated[Any, PlainValidator(_read_result), _written_by("result_to_json")]
"""What agents may know of a result: its trace and events are taken off."""


class Payload(BaseModel):
    """What a message says.

    A class with a `kind` is known by it from its definition on: one that states it, `class BellRang(Payload,
    kind="bell_rang")`, or has a field of that name with a default. A plugin registers it by the hook `message_kinds`,
    so that it is found where nobody has imported it.

    What a field declared with `exclude=True` holds is for the recipient: no other listener gets it, and the JSON leaves
    it out. Raises `PluginError` where another class has the kind.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = ""
    _by_kind: ClassVar[dict[str, type[Payload]]] = {}
    _private: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, kind: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if kind:
            cls.__annotations__ |= {"kind": Literal[kind]}
            cls.kind = kind

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        cls._private = tuple(name for name, field in cls.model_fields.items() if field.exclude)
        kind = cls.model_fields["kind"].default
        if not isinstance(kind, str) or not kind:
            return
        known = Payload._by_kind.setdefault(kind, cls)
        if not issubclass(cls, known):
            if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
                names = f"{cls.__module__}.{cls.__qualname__}", f"{known.__module__}.{known.__qualname__}"
                raise PluginError(f"the message kind {kind!r} of {names[0]} is that of {names[1]}")
            Payload._by_kind[kind] = cls  # its module was loaded again

    def overheard(self) -> Self:
        """The payload as those get it whom it is not for: itself where nothing in it is for the recipient."""
        if not self._private:
            return self
        hidden = {name: None for name in self._private if getattr(self, name) is not None}
        return self.model_copy(update=hidden) if hidden else self


class UnknownPayload(Payload):
    """A payload of a kind that nobody here defines, or that does not read as its kind does (`problem` says why)."""

    model_config = ConfigDict(extra="allow")

    kind: str
    _problem: str = PrivateAttr("")

    @property
    def data(self) -> JsonMapping:
        """What it holds besides its kind, as JSON."""
        return self.model_extra or NOTHING

    @property
    def problem(self) -> str:
        """Why it cannot be read; empty for a kind that is not known."""
        return self._problem


def payload_class(kind: str, registry: Registry | None = None) -> type[Payload] | None:
    """The class of a kind: one that is defined in this process, or that a plugin registers (`message_kinds`).

    `None` where nobody knows the kind. Raises `PluginError` for a plugin that registers no such class.
    """
    known = Payload._by_kind.get(kind)
    if known is None:
        from teach_agents.core.registry import default_registry

        entry = (registry or default_registry()).entries(MESSAGE_KIND).get(kind)
        found = None if entry is None else entry.factory()
        known = Payload._by_kind.get(kind)
        if entry is not None and known is not found:
            raise PluginError(f"plugin {entry.plugin!r}, message_kind {kind!r}: {found!r} is no Payload of this kind")
    return known


class Stating(Payload):
    """Says of which world, in which version, the values are that travel; nothing is the first world's first version."""

    world: str = ""
    version: int = 0

    @model_serializer(mode="wrap")
    def _without_nothing(self, write: SerializerFunctionWrapHandler) -> JsonObject:
        return {key: value for key, value in write(self).items() if value or key not in ("world", "version")}


def payload_of(value: object, info: ValidationInfo) -> Payload:
    """A payload as it is, or read from JSON; from a wire, what does not read as its kind harms nobody."""
    if isinstance(value, Payload):
        return value
    if not isinstance(value, Mapping) or not isinstance(value.get("kind"), str):
        raise ValueError(f"a payload is a JSON object with a 'kind', got {value!r}")
    problem = ""
    try:
        found = payload_class(value["kind"], getattr(info.context, "registry", None))
        if found is not None:
            return found.model_validate(value, context=info.context)
    except (ValidationError, PluginError) as error:
        if info.context is None:
            raise
        problem = str(error)
    unknown = UnknownPayload.model_validate(value)
    unknown._problem = problem
    return unknown
