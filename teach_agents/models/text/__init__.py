"""Texts as vectors: the contract, an encoder without weights, and pretrained ones that keep it."""

from __future__ import annotations

from teach_agents.models.loading import load_text_encoder
from teach_agents.models.text.contract import TextEncoder
from teach_agents.models.text.hashed import HashedEncoder

__all__ = ["HashedEncoder", "TextEncoder", "load_text_encoder"]
