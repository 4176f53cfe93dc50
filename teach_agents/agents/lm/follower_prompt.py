"""What a model that plays the Follower is shown: the dialogue and what was done first, what changes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.lm.candidates import Situation, in_view
from teach_agents.agents.lm.memory import Example, Memory
from teach_agents.models.deciding import Asked
from teach_agents.understanding.english.lexicon import noun

if TYPE_CHECKING:
    from teach_agents_prompts import Prompts


_LOG = 700
"""Characters of what was said and done that are shown, about 200 tokens."""
_EXAMPLES = 2
"""Examples of past sessions, about 30 tokens each."""
_SHOWN = 10
"""Kinds of things in view that are named."""
_STATES = {
    "isDirty": "dirty",
    "isOpen": "open",
    "isToggled": "running",
    "isFilledWithLiquid": "full",
    "simbotIsCooked": "cooked",
}
_UNTOLD = frozenset({"Floor", "Wall", "Window", "SinkBasin", "BathtubBasin", "StoveKnob", "LightSwitch"})


class FollowerPrompt:
    """Renders prompts from templates; with `pictures` each shows what is in view.

    With a `memory` each begins with what was done in past sessions when something like the Commander's last words was
    said.
    """

    def __init__(self, prompts: Prompts, *, pictures: bool = False, memory: Memory | None = None) -> None:
        self._prompts = prompts
        self._pictures = pictures
        self._memory = memory

    @property
    def provenance(self) -> dict[str, str]:
        """Which memory there is, and how its texts are compared."""
        return {} if self._memory is None else self._memory.provenance

    def of(self, situation: Situation) -> Asked:
        """The prompt of a decision."""
        plan, body = situation.plan, situation.body
        held = body.held
        user = self._prompts.render(
            "lm_follower",
            examples=self._examples(plan.requests),
            log=plan.window(_LOG),
            held=_told(held) if held else "",
            seen=_seen(body),
            doing=plan.doing,
            silence=situation.silence,
            alone=situation.alone,
            untouched=situation.untouched,
        )
        return Asked(self._system(), user, (body.observation.view.rgb,) if self._pictures else ())

    def _examples(self, requests: Sequence[str]) -> tuple[Example, ...]:
        return self._memory.examples(requests[0], _EXAMPLES) if self._memory is not None and requests else ()

    def wording(self, situation: Situation, meant: str) -> Asked:
        """The prompt for words of the model's own."""
        said = self._prompts.render("lm_follower_say", log=situation.plan.window(_LOG), meant=meant)
        return Asked(self._system(), said)

    def _system(self) -> str:
        return self._prompts.render("lm_follower_system")


def _seen(body: Body) -> list[str]:
    """Kinds of things in view, the nearest first."""
    told = (_told(thing) for thing in in_view(body) if thing.object_type not in _UNTOLD)
    return list(dict.fromkeys(told))[:_SHOWN]


def _told(thing: Thing) -> str:
    states = [word for flag, word in _STATES.items() if thing.has(flag)]
    return " ".join([*states[:1], noun(thing.object_type).one])
