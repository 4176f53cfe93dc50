"""The language-model Follower: a model decides, skills carry out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.dialogue.conversation import Conversation
from teach_agents.agents.dialogue.listener import is_own
from teach_agents.agents.dialogue.noun_types import noun_of
from teach_agents.agents.history import History
from teach_agents.agents.lm.agent import TALKS, LanguageAgent, check_bool, hearing, own_model
from teach_agents.agents.lm.candidates import GO_ON, WAIT, Candidate, Situation, candidates, primitive_candidates
from teach_agents.agents.lm.follower_life import Life, Ways
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.lm.memory import Memory
from teach_agents.agents.lm.vlm_answers import ActionDecider
from teach_agents.agents.lm.vlm_follower import PICTURE, VisionFollower
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.core.agents.contract import Briefing
from teach_agents.errors import SpecError
from teach_agents.models import LanguageModel
from teach_agents.models.deciding import Asked, Decider
from teach_agents.observations import Observation
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.reader import Reader, load_reader, load_weights_of, quick

if TYPE_CHECKING:
    from teach_agents_prompts import Prompts


ACTIONS: Mapping[str, Callable[[Situation], list[Candidate]]] = {
    "skills": candidates,
    "primitive": primitive_candidates,
}
"""What a decision is about: a command, which skills carry out, or one action of TEACh's."""
VLM = "vlm"
"""The tier in which the model sees for itself."""


class LanguageFollower(LanguageAgent):
    """A Follower whose every decision is a language model's; its privileges are those of its perception.

    At each decision point the model is shown what was said and done, and chooses among candidates that come from what
    the Follower heard, sees and remembers. With a `history` (EDH, TfD) it is alone: nobody will answer.
    """

    def __init__(  # noqa: PLR0913  # one parameter of a SPEC each
        self,
        decider: Decider,
        perception: Perception,
        prompt: FollowerPrompt,
        *,
        talk: str = "phrases",
        actions: str = "skills",
        history: History | None = None,
        understanding: str | Reader = "hybrid",
        own: Callable[[str], bool] = is_own,
    ) -> None:
        self._prompt = prompt
        self._own = own
        self._reader = None if history is not None else load_reader(understanding)
        self._wording = talk == "model"
        self._candidates = ACTIONS[actions]
        self._alone = history is not None
        self._untouched = history is not None and not history.actions
        super().__init__(decider, perception)

    @property
    def provenance(self) -> Mapping[str, str]:  # type: ignore[override]  # as of every agent with a model
        """Model, prompts, memory and perception."""
        return MappingProxyType({**super().provenance, **self._prompt.provenance})

    def _forget(self, briefing: Briefing) -> None:
        self._body = Body()
        ways = Ways(self._decide, self._word, lambda: self._decider.is_spent)
        rng = random.Random(briefing.seed)
        self._life = Life(self._body, ways, rng, alone=self._alone, untouched=self._untouched)
        self._turns = self._life.turns(briefing)
        self._talk = None
        if self._reader is not None:
            reader = self._reader if briefing.person else quick(self._reader)
            self._talk = Conversation(self._body, reader, rng, self._own, briefing=briefing)
            if not self._perception.lasting_ids:
                self._talk.state.forget_ids(lambda name: noun_of(type_from_id(name)))

    def load(self) -> None:
        """Load what reads people's words, which is needed first, and the model's weights."""
        if self._reader is not None:
            load_weights_of(self._reader)
        super().load()

    def _see(self, perceived: Observation) -> None:
        self._body.see(perceived if self._talk is None else self._talk.hear(perceived))

    def act(self, observation: Observation) -> Action:
        """One turn: of the talk, where something was said that is for it; else of the model's way."""
        self._look(observation)
        self.thought = None
        if self._talk is None:
            return next(self._turns)
        action = self._talk.turn()
        if action is None:
            if self._talk.took_over():
                self._turns = self._life.go_on()
            action = self._talk.guarded(next(self._turns))
        told = self._talk.thought()
        if told is not None:
            self.thought = MappingProxyType({**(self.thought or {}), **told})
        return action

    def _question(self) -> tuple[Asked, list[str]]:
        situation = self._life.preview()
        return self._prompt.of(situation), [one.text for one in self._candidates(situation)]

    def choose(self, situation: Situation) -> Candidate:
        """What the model would choose in a situation that the caller has made; nothing is done, the decision counts."""
        return self._decide(situation)

    def _decide(self, situation: Situation) -> Candidate:
        offered = {one.text: one for one in self._candidates(situation)}
        safe = GO_ON if situation.plan.doing else WAIT
        decision = self._decider.decide(self._prompt.of(situation), [*offered], safe=safe.text)
        self.thought = MappingProxyType({**decision.thought, "plan": situation.plan.to_json()})
        return offered.get(decision.text, safe)

    def _word(self, chosen: Candidate) -> str | None:
        if not self._wording:
            return None
        return self._decider.word(self._prompt.wording(self._life.situation, chosen.text))


def lm_follower(  # noqa: PLR0913  # one parameter of a SPEC each
    model: str | LanguageModel,
    perception: str | Perception = "oracle",
    by: str = "generate",
    talk: str = "phrases",
    actions: str = "skills",
    prompts: str = "",
    memory: str | Memory = "",
    max_decisions: int = 200,
    timeout_s: float = 60.0,
    pictures: bool = False,
    points: str = "auto",
    picture: int = PICTURE,
    words: bool = True,
    history: History | None = None,
    understanding: str | Reader = "hybrid",
    allow_import: bool = False,
) -> LanguageFollower | VisionFollower:
    """A Follower played by a language model, named by a SPEC (`teach-agents models list`).

    `perception` is how it sees, a tier; `by` how the model chooses: `generate`, or by its log-probability per token
    (`mean`) or of the whole text (`sum`); `talk` who puts its words: `phrases` or the `model`; `actions` what it
    decides on: `skills` or `primitive` actions; `prompts` a folder of templates in place of ours; `memory` a file of
    examples from past sessions (`teach-agents memory build`); `pictures` whether the model is shown what the Follower
    sees. With `perception=vlm` the model answers with an action and a point instead (`VisionFollower`): `points` is the
    scale of its points, `picture` the longer side of what it is shown, pixels. `words=false` blanks all that is said
    before it is heard, the control of what dialogue is worth. `understanding` reads what people
    say. Raises `SpecError` for what cannot be meant.
    """
    from teach_agents_prompts import load_prompts

    if perception == VLM:
        _refuse_with_vlm(by=by, talk=talk, actions=actions, memory=memory, words=words)
        seen = load_prompts(prompts or None).only("lm_vlm*", "lm_choices", "repair")
        namer = ActionDecider(model, seen, max_decisions=max_decisions, timeout_s=timeout_s, allow_import=allow_import)
        return VisionFollower(namer, seen, points=points, picture=picture, alone=history is not None)
    SpecError.check("lm, talk", talk, TALKS)
    SpecError.check("lm, actions", actions, ACTIONS)
    check_bool("pictures", pictures)
    own: Prompts = load_prompts(prompts or None).only("lm_follower*", "lm_choices", "repair")
    decider = Decider(
        own_model(model, Role.FOLLOWER),
        own,
        by=by,
        max_decisions=max_decisions,
        timeout_s=timeout_s,
        allow_import=allow_import,
    )
    eyes = hearing(perception_of(perception, allow_import=allow_import), words)
    prompt = FollowerPrompt(own, pictures=pictures, memory=_remembered(memory))
    return LanguageFollower(
        decider,
        eyes,
        prompt,
        talk=talk,
        actions=actions,
        history=history,
        understanding=understanding,
        own=_own(model),
    )


def _own(model: str | LanguageModel) -> Callable[[str], bool]:
    """What is the model's to decide upon: the pair's own English, and for the small model that ships, whose readers are
    better at it, nothing."""
    return (lambda text: False) if model == "default" else is_own


def _remembered(memory: str | Memory) -> Memory | None:
    if isinstance(memory, Memory):
        return memory
    if not isinstance(memory, str):
        raise SpecError("lm, memory", "must be a file", value=memory)
    return Memory.load(memory) if memory else None


def _refuse_with_vlm(**given: object) -> None:
    """Options of a Follower that chooses among candidates, which one that answers with a point does not have."""
    for name, value in given.items():
        if value != _OF_CHOOSING[name]:
            raise SpecError(f"lm, {name}", "cannot be chosen with perception=vlm: the model names actions", value=value)


_OF_CHOOSING = {"by": "generate", "talk": "phrases", "actions": "skills", "memory": "", "words": True}
