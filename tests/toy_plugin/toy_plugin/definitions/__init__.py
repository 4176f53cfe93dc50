"""The plugin's task definitions."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """Where they are."""
    return Path(__file__).parent
