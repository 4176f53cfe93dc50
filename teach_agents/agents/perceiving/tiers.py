"""Tiers of perception by name, and how each is made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.detector import DetectorPerception
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.core.specs import parse
from teach_agents.errors import SpecError

__all__ = ["TIERS", "perception_of"]

TIERS: Mapping[str, Callable[..., Perception]] = {"detector": DetectorPerception, "oracle": OraclePerception}
"""What makes a perception, by the tier's name; what else it takes are its options."""


def perception_of(spec: str, **options: object) -> Perception:
    """A new perception of a tier, named by a SPEC: `oracle`, `detector:depth=floor`.

    `options` are further ones. Raises `SpecError` for an unknown tier, and for options that it does not take.
    """
    parsed = parse(spec, where="option 'perception'")
    name, options = parsed.name, {**parsed.parameters, **options}
    if name not in TIERS:
        raise SpecError("option 'perception'", "there is no such tier of perception", value=name, valid=TIERS)
    try:
        inspect.signature(TIERS[name]).bind(**options)
    except TypeError as error:
        raise SpecError(f"perception {name!r}", f"takes other options: {error}", value=options) from error
    return TIERS[name](**options)
