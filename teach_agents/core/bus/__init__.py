"""The message bus: publish, subscribe, request with a reply, close."""

from __future__ import annotations

from teach_agents.core.bus.contract import MessageBus, Subscription
from teach_agents.core.bus.memory import MemoryBus

__all__ = ["MemoryBus", "MessageBus", "Subscription"]
