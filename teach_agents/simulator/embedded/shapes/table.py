"""Which builder makes which object type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from teach_agents.simulator.embedded.shapes.blueprint import Blueprint, pack
from teach_agents.simulator.embedded.shapes.look import Look
from teach_agents.simulator.embedded.shapes.parts import Material, Part, box

__all__ = ["BUILDERS", "blueprint_of", "parts_for"]

Builder = Callable[[Look], Iterable[Part]]


def _plain(look: Look) -> Iterable[Part]:
    w, h, d = look.size
    colour = (90 + look.seed % 130, 90 + look.seed // 130 % 130, 90 + look.seed // 16900 % 130)
    yield box((0, h / 2, 0), (w, h, d), Material(colour))


BUILDERS: Mapping[str, Builder] = MappingProxyType({})
"""Object type to builder; a type that is not listed is drawn as a plain box."""


def parts_for(look: Look) -> tuple[Part, ...]:
    """The parts of an object that looks like `look`, in its own frame."""
    if not look.setting.drawn:
        return ()
    return tuple(BUILDERS.get(look.object_type, _plain)(look))


@lru_cache(maxsize=16384)
def blueprint_of(look: Look) -> Blueprint:
    """The packed parts of `look`, shared by every object and session that looks the same."""
    return pack(parts_for(look))
