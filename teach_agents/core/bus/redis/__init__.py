"""The bus between processes: bounded mailboxes in Redis Streams (extra `redis`; Redis 6.2 or later)."""

from __future__ import annotations

from teach_agents.core.bus.redis.bus import RedisBus
from teach_agents.core.bus.redis.codec import ObservationCodec

__all__ = ["ObservationCodec", "RedisBus"]
