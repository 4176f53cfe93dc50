"""Modules that have moved are found by the names they had, too: the same module, not a copy."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    f"teach_agents.{was}": f"teach_agents.core.{now}"
    for was, now in {
        "agents.contract": "agents.contract",
        "agents.thoughts": "agents.thoughts",
        "benchmarks.conformance": "benchmark.conformance",
        "benchmarks.contract": "benchmark.contract",
        "benchmarks.engines": "benchmark.engines",
        "benchmarks.environment": "benchmark.folder",
        "benchmarks.folder": "benchmark.folder",
        "benchmarks.journal": "benchmark.folder",
        "benchmarks.comparison": "benchmark.comparison",
        "benchmarks.measured": "benchmark.summary",
        "benchmarks.reporting.page": "benchmark.reporting.page",
        "benchmarks.reporting.thoughts": "benchmark.reporting.parts",
        "benchmarks.reproducing": "benchmark.reproducing",
        "benchmarks.rescoring": "benchmark.rescoring",
        "benchmarks.selection": "benchmark.selection",
        "benchmarks.statistics": "benchmark.statistics",
        "benchmarks.stored": "benchmark.stored",
        "bus": "bus",
        "messages": "messages",
        "plugins": "plugins",
        "registry": "registry",
        "specs": "specs",
        "workers.answering": "bus.answering",
    }.items()
} | {
    "teach_agents.benchmarks.edh.relevance": "teach_agents.benchmarks.edh.generating",
    "teach_agents.agents.english": "teach_agents.understanding.english",
    "teach_agents.agents.lm.deciding": "teach_agents.models.deciding",
    "teach_agents.conventions.spaces": "teach_agents.session.spaces",
}
"""Where packages and modules are now, by the name that each had."""


class _Moved:
    """A finder and a loader, without the base classes: to load those takes as long as all of the package."""

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        was, rest = name, ""
        while was not in MOVED and was.startswith("teach_agents."):
            was, _, last = was.rpartition(".")
            rest = f".{last}{rest}"
        return ModuleSpec(name, self, origin=MOVED[was] + rest) if was in MOVED else None  # type: ignore[arg-type]  # a loader

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        found = import_module(str(spec.origin))
        spec.loader_state = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def find_moved() -> None:
    """Let imports by earlier names find what has moved; once is enough."""
    if not any(isinstance(one, _Moved) for one in sys.meta_path):
        sys.meta_path.insert(0, _Moved())
