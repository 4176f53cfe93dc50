"""Perceptions by SPEC: the tiers that come with the package, those that plugins register, and `module:Class`."""

from __future__ import annotations

from teach_agents.actions import Role
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.core.specs import build
from teach_agents.kinds import PERCEPTION


def perception_of(spec: str | Perception, *, seat: Role = Role.FOLLOWER, allow_import: bool = False) -> Perception:
    """A perception that a SPEC names: `oracle`, `detector:depth=floor`; a perception is given back as it is.

    Raises what `build` raises.
    """
    if isinstance(spec, Perception):
        return spec
    return build(PERCEPTION, spec, seat=seat, allow_import=allow_import)
