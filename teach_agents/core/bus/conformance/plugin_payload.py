"""A kind of message that the suite's plugin registers by this address, and that nobody else imports."""

from __future__ import annotations

from teach_agents.core.payload import Payload


class Hummed(Payload, kind="conformance_hummed"):
    """Somebody hums."""

    tune: str
