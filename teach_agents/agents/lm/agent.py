"""What the Commander and the Follower of a language model have in common: a model that decides, eyes, turns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Mapping, Sequence
from types import MappingProxyType

from teach_agents.actions import Action, Role
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.perceived import Wordless
from teach_agents.core.agents.contract import Briefing
from teach_agents.errors import SpecError
from teach_agents.models import LanguageModel
from teach_agents.models.agent import ModelAgent
from teach_agents.models.deciding import Asked, Decider
from teach_agents.observations import Observation

TALKS = ("phrases", "model")
"""Who puts what an agent says into words."""


def own_model(model: str | LanguageModel, role: Role) -> str | LanguageModel:
    """The model that an agent is given; `default` is that of its role."""
    return f"default:{role}" if model == "default" else model


def hearing(eyes: Perception, words: bool) -> Perception:
    """A perception that hears what is said, or only that something is said. Raises `SpecError` for another value."""
    check_bool("words", words)
    return eyes if words else Wordless(eyes)


def check_bool(name: str, value: object) -> None:
    """Raise `SpecError` unless a parameter is true or false."""
    if not isinstance(value, bool):
        raise SpecError(f"lm, {name}", "must be true or false", value=value, valid=("true", "false"))


class LanguageAgent(ModelAgent):
    """An agent whose every decision is a language model's; its privileges are those of its perception.

    A chair says how a session begins (`_forget`), takes in what is perceived (`_see`), and what would be asked now
    (`_question`); `_turns` gives an action a turn, for ever.
    """

    _turns: Generator[Action, None, None]

    def __init__(self, decider: Decider, perception: Perception) -> None:
        super().__init__(decider)
        self._perception = perception
        self._seen: Observation | None = None
        self.privileges = perception.privileges
        self._forget(Briefing("", ""))

    @abstractmethod
    def _forget(self, briefing: Briefing) -> None:
        """Everything as at the beginning of a session, which may have begun before."""

    @abstractmethod
    def _see(self, perceived: Observation) -> None:
        """Take in what is perceived in a new turn."""

    @abstractmethod
    def _question(self) -> tuple[Asked, Sequence[str]]:
        """The prompt and the candidates of a decision that had to be made now."""

    @property
    def provenance(self) -> Mapping[str, str]:  # type: ignore[override]  # as of every agent with a model
        """Model, prompts and perception."""
        return MappingProxyType({**super().provenance, **self._perception.provenance})

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._decider.begin(briefing.seed)
        self._perception.begin(briefing.seed)
        self._seen = None
        self.thought = None
        self._forget(briefing)

    def recall(self, observation: Observation) -> None:
        """Take in what was seen before, by whoever was in this chair."""
        self._look(observation)

    def act(self, observation: Observation) -> Action:
        """One turn: a decision if there is something to decide, else the next action of what was decided."""
        self._look(observation)
        self.thought = None
        return next(self._turns)

    def action_distribution(self, observation: Observation) -> dict[str, float]:
        """How probable the model would find each candidate if it had to decide now. Nothing is done or remembered.

        The observation is that of a turn, before or after it was acted upon, in order of turns.
        """
        self._look(observation)
        asked, candidates = self._question()
        return self._decider.distribution(asked, candidates)

    def _look(self, observation: Observation) -> None:
        if observation is not self._seen:
            self._seen = observation
            self.perceived = self._perception.perceive(observation)
            self._see(self.perceived)
