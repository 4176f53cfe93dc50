"""What is registered of a world beside its environments and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from teach_agents.core.codec import Codec
from teach_agents.core.plugins import Target
from teach_agents.core.values import nothing


@dataclass(frozen=True, slots=True)
class World:
    """A world that a plugin registers through the hook `worlds`, under the name that its codec writes.

    `agents` are names of its own, looked up before those that any world shares: two worlds may use one name. A target
    is a factory, its address `"module:attribute"`, or a mapping from seat to either. `scaffold` makes the world's
    `Scaffold` from the codec: with it language models, random agents and people at a terminal play there. `wire` makes
    its `Wire` from the codec, where what agents see travels over HTTP otherwise than the codec writes it. `knows_valid`
    says that its environments know what can be done (`Valid`).
    """

    open_context: ClassVar[bool] = True
    """It holds no more than anybody may know: any factory of an agent is handed its `world`."""

    codec: Codec[Any, Any, Any]
    agents: Mapping[str, Target | Mapping[str, Target]] = field(default_factory=nothing)
    scaffold: Target | None = None
    wire: Target | None = None
    knows_valid: bool = False

    def __call__(self) -> World:
        """Itself: a world may stand where its factory does."""
        return self
