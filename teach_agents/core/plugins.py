"""The plugin door: the kinds of things that can come in through it, and the hook that brings each.

A plugin is a module or object with functions marked `@hookimpl`, found through the entry-point group `teach_agents` or
given to `Registry.register`; what comes with the package is one of them. Each hook returns a mapping from name to
factory: a callable, its address as `"module:attribute"` (imported when first used), or, for what differs by seat, a
mapping from seat to either. A SPEC names what was registered and gives a factory its parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pluggy

if TYPE_CHECKING:
    from teach_agents.core.agents.contract import Agent
    from teach_agents.core.benchmark.contract import Benchmark
    from teach_agents.core.payload import Payload
    from teach_agents.core.session.hooks import DialogueHook
    from teach_agents.core.world import World


ENTRY_POINT_GROUP = "teach_agents"
hookimpl = pluggy.HookimplMarker(ENTRY_POINT_GROUP)

Target = str | Callable[..., object]
MadeT = TypeVar("MadeT")


@dataclass(frozen=True)
class Kind(Generic[MadeT]):
    """A kind of thing that has SPECs; a plugin declares its own by a hook `kinds` that returns a list of these.

    `hook` is the hook that registers things of it. `contract` is the address of the class that whatever is made must
    be an instance of, `adapt` of a function that it goes through before. `valued`: the first parameter of a SPEC may
    stand without its key. `seated`: a name may stand for a mapping from seat to factory. `stamped`: what is made
    remembers its SPEC as `spec`. `guarded`: it is judged, and handed no more than it declares (`context.takes`).
    """

    name: str
    hook: str
    contract: str = ""
    adapt: str = ""
    valued: bool = False
    seated: bool = False
    stamped: bool = False
    guarded: bool = False


_AGENT = "teach_agents.core.agents.contract"
AGENT: Kind[Agent] = Kind(
    "agent", "agents", f"{_AGENT}:Agent", f"{_AGENT}:as_agent", seated=True, stamped=True, guarded=True
)
WORLD: Kind[World] = Kind("world", "worlds", "teach_agents.core.world:World")
BENCHMARK: Kind[Benchmark[Any, Any]] = Kind("benchmark", "benchmarks", "teach_agents.core.benchmark.contract:Benchmark")
DIALOGUE_HOOK: Kind[DialogueHook] = Kind(
    "dialogue_hook", "dialogue_hooks", "teach_agents.core.session.hooks:DialogueHook", stamped=True
)
CONVENTION: Kind[Agent | None] = Kind("convention", "conventions")
"""Other people's ways to write an agent: a function of a class and the open context, to an agent or `None`."""

MESSAGE_KIND: Kind[Payload] = Kind("message_kind", "message_kinds", "teach_agents.core.payload:Payload")
"""What messages can say: a payload's class by its `kind`, which is imported when a message of that kind is read."""

CORE_KINDS: tuple[Kind[Any], ...] = (AGENT, WORLD, BENCHMARK, DIALOGUE_HOOK, CONVENTION, MESSAGE_KIND)
"""What can be registered whoever is installed."""
