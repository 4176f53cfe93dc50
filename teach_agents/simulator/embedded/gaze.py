"""How far the body reaches, and how wide its eyes see."""

from __future__ import annotations

from typing import NamedTuple


class Gaze(NamedTuple):
    """How far the body reaches, level, in metres (AI2-THOR's visibilityDistance); its eyes' field of view, degrees."""

    reach: float = 1.5
    field_of_view: float = 90.0


GAZE = Gaze()
"""As AI2-THOR ships."""
