"""The bus between processes: bounded mailboxes in Redis Streams (extra `redis`; Redis 6.2 or later)."""

from __future__ import annotations

from teach_agents.core.bus.redis.bus import RedisBus
from teach_agents.core.bus.redis.codec import MessageCodec

__all__ = ["MessageCodec", "ObservationCodec", "RedisBus"]

ObservationCodec = MessageCodec
