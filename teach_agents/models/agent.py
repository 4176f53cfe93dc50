"""Agents whose decisions are a language model's: what they have in common, and the one that plays in any world."""

from __future__ import annotations

import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.world import World
from teach_agents.errors import InputError, SpecError
from teach_agents.models.contract import LanguageModel
from teach_agents.models.deciding import Asked, Decider
from teach_agents.models.prompts import Usage
from teach_agents.models.scaffold import Candidate, Scaffold, ScaffoldAgent, scaffold_of

if TYPE_CHECKING:
    from teach_agents_prompts import Prompts

    from teach_agents.arrays import ByteArray


class ModelAgent(Agent):
    """An agent that decides by a `Decider`, and says what that cost and what it depends on."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider
        self.thought = None

    def load(self) -> None:
        """Load the model's weights."""
        self._decider.load()

    @property
    def usage(self) -> Usage:
        """What the model cost in this session."""
        return self._decider.usage

    @property
    def provenance(self) -> Mapping[str, str]:  # type: ignore[override]  # the weights are known once they are loaded
        """Model and prompts."""
        return MappingProxyType(self._decider.provenance)

    @property
    def failed_decisions(self) -> int:
        """How many decisions of this session were not the model's, because it failed."""
        return self._decider.failed_decisions


class LanguageModelAgent(ScaffoldAgent, ModelAgent):
    """Any language model in a seat of any world with a scaffold; its privileges are those of the scaffold.

    It waits where the model gives no choice, and stops when its decisions are spent. With `pictures` the model is shown
    what the scaffold shows. Where a session goes on from a record the model is asked once more on all turns so far, and
    has to choose what it chose.
    """

    relives = True

    def __init__(
        self, scaffold: Scaffold[Any], seat: str, decider: Decider, prompts: Prompts, *, pictures: bool = False
    ) -> None:
        self._prompts = prompts
        self._pictures = pictures
        ModelAgent.__init__(self, decider)
        ScaffoldAgent.__init__(self, scaffold, seat)

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._decider.begin(briefing.seed)
        super().begin(briefing)

    def action_distribution(self, observation: Any) -> list[tuple[Any, float]]:
        """How probable the model would find what each candidate begins with if it had to choose now.

        Nothing is done or remembered. Candidates that leave the words open are not asked about.
        """
        offered = [one for one in self._offered(observation).values() if not one.words] or [self._waiting()]
        found = self._decider.distribution(self._asked(observation), [one.text for one in offered])
        return [(self._actions(one, observation)[0], found[one.text]) for one in offered]

    def _choose(self, observation: Any, offered: Mapping[str, Candidate]) -> Candidate:
        if self._decider.is_spent:
            return Candidate("stop", self.scaffold.codec.stop(self.seat))
        asked = self._asked(observation)
        decision = self._decider.decide(asked, [*offered], safe="wait")
        self.thought = decision.thought
        chosen = offered.get(decision.text, self._waiting())
        if not chosen.words:
            return chosen
        wording = self._prompts.render("lm_world_say", prompt=asked.user, choice=chosen.text)
        words = self._decider.word(Asked(asked.system, wording, asked.images))
        return self._saying(words) if words else self._waiting()

    def _asked(self, observation: Any) -> Asked:
        scaffold = self.scaffold
        past = () if scaffold.tells_past else tuple(self.past)
        system = self._prompts.render("lm_world_system", seat=self.seat, about=scaffold.about(self.seat))
        user = self._prompts.render("lm_world", past=past, text=scaffold.text(observation))
        shown = scaffold.pictures(observation) if self._pictures else ()
        return Asked(system, user, tuple(_array(file) for file in shown))


def _array(file: bytes) -> ByteArray:
    """A picture as models take it."""
    import numpy as np
    from PIL import Image

    try:
        return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))
    except OSError as error:
        raise InputError("scaffold, pictures", f"is neither PNG nor JPEG: {error}") from error


def lm_agent(  # noqa: PLR0913  # one parameter of a SPEC each
    model: str | LanguageModel,
    world: World,
    seat: str,
    by: str = "generate",
    prompts: str = "",
    max_decisions: int = 200,
    timeout_s: float = 60.0,
    pictures: bool = False,
    allow_import: bool = False,
) -> LanguageModelAgent:
    """A seat played by a language model, named by a SPEC (`teach-agents models list`), in any world with a scaffold.

    `by` is how the model chooses: `generate`, or by its log-probability per token (`mean`) or of the whole text
    (`sum`); `prompts` a folder of templates in place of ours; `pictures` whether the model is shown what the seat sees.
    Raises `SpecError` for what cannot be meant, and for a world that offers nothing to choose from.
    """
    from teach_agents_prompts import load_prompts

    scaffold = scaffold_of(world, offering="lm")
    if not isinstance(pictures, bool):
        raise SpecError("lm, pictures", "must be true or false", value=pictures, valid=("true", "false"))
    own = load_prompts(prompts or None).only("lm_world*", "lm_choices", "repair")
    decider = Decider(model, own, by=by, max_decisions=max_decisions, timeout_s=timeout_s, allow_import=allow_import)
    return LanguageModelAgent(scaffold, seat, decider, own, pictures=pictures)
