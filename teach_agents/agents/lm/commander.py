"""A Commander that any language model plays: it chooses what to find out, to ask for, to say, and when to finish."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from teach_agents.actions import Role
from teach_agents.agents.acting.things import Things
from teach_agents.agents.guiding.guide import Guide, Leader
from teach_agents.agents.instructing.goals import Reply
from teach_agents.agents.lm.agent import TALKS, LanguageAgent, hearing, own_model
from teach_agents.agents.lm.commander_life import MOST_ASKED, MOST_SOUGHT, CommanderLife, Ways
from teach_agents.agents.lm.commander_moves import Kind, Move, asks
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.core.agents.contract import Briefing
from teach_agents.errors import SpecError
from teach_agents.models import LanguageModel
from teach_agents.models.deciding import Asked, Decider
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.english.values import Instruction
from teach_agents.understanding.reader import Reader, load_reader, load_weights_of

if TYPE_CHECKING:
    from teach_agents_prompts import Prompts


_LONGEST_UTTERANCE = 160
_IN_WORDS = Kind.ASK, Kind.CORRECT, Kind.TELL, Kind.UNKNOWN, Kind.PRAISE
"""What the model may put into its own words."""


class LanguageCommander(LanguageAgent):
    """A Commander whose every decision is a language model's; its privileges are those of its perception.

    It knows the task from progress checks and the room from what it was shown. Candidates are: checking, looking
    around, searching, steps that would solve what the check found wrong, one at a time, answers, corrections, praise,
    waiting, finishing. When its decisions are spent it finishes.

    A person in the Follower's seat is led by `guiding`, whose words `understanding` reads, a reader or its SPEC: the
    model chooses the steps, and nothing else.
    """

    def __init__(
        self,
        decider: Decider,
        perception: Perception,
        prompts: Prompts,
        *,
        talk: str = "phrases",
        understanding: str | Reader = "hybrid",
    ) -> None:
        SpecError.check("lm, talk", talk, TALKS)
        self._reader = load_reader(understanding)
        self._prompts = prompts
        self._wording = talk == "model"
        super().__init__(decider, perception)

    def _forget(self, briefing: Briefing) -> None:
        looks = Privilege.SEGMENTATION in self.privileges
        self._life = CommanderLife(Ways(self._choose, self._word), random.Random(briefing.seed), looks=looks)
        self._turns = self._life.turns()
        if briefing.person:
            rng = random.Random(f"guide {briefing.seed}")
            self._turns = Guide(_Leader(self), self._reader, rng).turns()

    def load(self) -> None:
        """Load the model, and what reads people's words."""
        super().load()
        load_weights_of(self._reader)

    def _see(self, perceived: Observation) -> None:
        self._life.see(perceived)

    def _question(self) -> tuple[Asked, list[str]]:
        preview = self._life.preview()
        return self._asked(preview), [move.text for move in preview.moves()]

    def _choose(self, moves: list[Move]) -> Move:
        offered: dict[str, Move] = {}
        for move in moves:
            offered.setdefault(move.text, move)
        safe = Kind.FINISH if self._decider.is_spent else Kind.WAIT
        safe_text = safe.value if safe in offered else next(iter(offered))
        decision = self._decider.decide(self._asked(self._life), [*offered], safe=safe_text)
        self.thought = MappingProxyType(
            {**decision.thought, "plan": [text for text, move in offered.items() if move.kind is Kind.ASK]}
        )
        return offered[decision.text]

    def _asked(self, life: CommanderLife) -> Asked:
        talk = [{"speaker": str(one.speaker).capitalize(), "text": one.text} for one in life.now.dialogue]
        render = self._prompts.render
        return Asked(render("lm_commander_system"), render("lm_commander", **life.notes.inputs(talk)))

    def _word(self, move: Move, phrase: str) -> str:
        if not self._wording or move.kind not in _IN_WORDS:
            return phrase
        asked = self._asked(self._life)
        wording = self._prompts.render("lm_commander_wording", prompt=asked.user, move=move.text, phrase=phrase)
        return self._decider.word(Asked(asked.system, wording), longest=_LONGEST_UTTERANCE) or phrase


class _Leader(Leader):
    """A language model leads a person: it chooses among the steps that would help, and searches for what it is asked
    about."""

    searches = thinks = True

    def __init__(self, commander: LanguageCommander) -> None:
        self._commander = commander
        self.sees = Privilege.OBJECTS in commander.privileges

    @property
    def now(self) -> Observation:
        """What is perceived in this turn."""
        return self._commander._life.now

    @property
    def things(self) -> Things:
        """What was shown to it so far."""
        return self._commander._life.things

    def choose(self, options: Sequence[Instruction], reply: Reply) -> Instruction:
        """The model's choice among the first few."""
        life = self._commander._life
        life.listen()
        life.notes.checked(reply)
        moves = asks(options)[:MOST_ASKED]
        if not moves:
            return options[0]
        move = self._commander._choose(moves)
        life.notes.asked(move)
        assert move.step is not None, "a step is asked for"
        return move.step

    def worth_searching(self, reply: Reply) -> Sequence[str]:
        """What is needed and was not found yet."""
        notes = self._commander._life.notes
        notes.checked(reply)
        return notes.wanted(self.things, None)[:MOST_SOUGHT]

    def searched(self, noun: str) -> None:
        """Once in a session, but for what is asked about."""
        self._commander._life.notes.searched(noun, noun, "")


def lm_commander(  # noqa: PLR0913  # one parameter of a SPEC each
    model: str | LanguageModel,
    perception: str | Perception = "oracle",
    by: str = "generate",
    talk: str = "phrases",
    prompts: str = "",
    max_decisions: int = 200,
    timeout_s: float = 60.0,
    words: bool = True,
    understanding: str | Reader = "hybrid",
    allow_import: bool = False,
) -> LanguageCommander:
    """A Commander played by a language model, named by a SPEC (`teach-agents models list`).

    `perception` is how it sees: `oracle` recognises what its camera, checks and searches show; in `none` it looks at no
    picture and knows what replies say, and `detector` is the same by another name. `by` is how the model chooses:
    `generate`, or by its log-probability per token (`mean`) or of the whole text (`sum`); `talk` who puts its words:
    `phrases` or the `model`; `prompts` a folder of templates in place of ours; `words=false` blanks all that is said
    before it is heard; `understanding` reads what a person says to it, a SPEC of `teach_agents.understanding`. Raises
    `SpecError` for what cannot be meant.
    """
    from teach_agents_prompts import load_prompts

    own: Prompts = load_prompts(prompts or None).only("lm_commander*", "lm_choices", "repair")
    decider = Decider(
        own_model(model, Role.COMMANDER),
        own,
        by=by,
        max_decisions=max_decisions,
        timeout_s=timeout_s,
        allow_import=allow_import,
    )
    eyes = hearing(perception_of(perception, seat=Role.COMMANDER, allow_import=allow_import), words)
    return LanguageCommander(decider, eyes, own, talk=talk, understanding=understanding)
