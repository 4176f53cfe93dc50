"""The plugin door: every hook there is.

A plugin is a module or object with functions marked `@hookimpl`, found through the entry-point group `teach_agents` or
given to `Registry.register`. Each hook returns a mapping from name to factory: a callable, its address as
`"module:attribute"` (imported when first used), or, for agents that play only one chair or differ by chair, a mapping
from role to either. A SPEC names what was registered and gives a factory its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pluggy

__all__ = ["ENTRY_POINT_GROUP", "HookSpecs", "Target", "hookimpl"]

ENTRY_POINT_GROUP = "teach_agents"
hookspec = pluggy.HookspecMarker(ENTRY_POINT_GROUP)
hookimpl = pluggy.HookimplMarker(ENTRY_POINT_GROUP)

Target = str | Callable[..., object]


class HookSpecs:
    """The hooks a plugin may implement; any other is refused."""

    @hookspec
    def agents(self) -> Mapping[str, Target | Mapping[str, Target]]:  # type: ignore[empty-body]  # a specification
        """Make an `Agent`. Factories may take `role`."""

    @hookspec
    def simulators(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `Simulator`."""

    @hookspec
    def tasks(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Give the path of a task definition file or of a folder of them."""

    @hookspec
    def benchmarks(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `Benchmark`."""

    @hookspec
    def models(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `LanguageModel`."""

    @hookspec
    def dialogue_hooks(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `DialogueHook`."""

    @hookspec
    def vision_encoders(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `VisionEncoder`."""

    @hookspec
    def detectors(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `Detector`."""

    @hookspec
    def depth_estimators(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `DepthEstimator`."""

    @hookspec
    def text_encoders(self) -> Mapping[str, Target]:  # type: ignore[empty-body]  # a specification
        """Make a `TextEncoder`."""
