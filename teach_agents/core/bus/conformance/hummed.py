"""A kind of message that the suite's plugin registers by this address, and that nobody else imports."""

from __future__ import annotations

from typing import Literal

from teach_agents.core.payload import Payload


class Hummed(Payload):
    """Somebody hums."""

    kind: Literal["conformance_hummed"] = "conformance_hummed"
    tune: str
