"""A plugin: an agent, a task file, and a benchmark whose actions have nothing to do with TEACh's."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents import hookimpl
from teach_agents.core.plugins import Target


@hookimpl
def agents() -> Mapping[str, Target | Mapping[str, Target]]:
    """`parrot` takes the Follower's chair only."""
    return {"parrot": {"follower": "toy_plugin.parrot:Parrot"}}


@hookimpl
def tasks() -> Mapping[str, Target]:
    """A folder with one definition."""
    return {"toy": "toy_plugin.definitions:folder"}


@hookimpl
def benchmarks() -> Mapping[str, Target]:
    """Guess a number."""
    return {"guessing": "toy_plugin.guessing:GuessingBenchmark"}
