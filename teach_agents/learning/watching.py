"""A person's session seen through our Follower's eyes: what it would know and be asked at any point of a replay.

The record wins where the simulator disagrees (`benchmarks.edh.restoring`). A `Shadow` sees what our Follower would see
from the person's place, hears what was said, and keeps the plan as if the person's deeds had been its own commands.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from teach_agents.actions import ActionKind, Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.lm.candidates import Candidate, Kind, Situation, candidates
from teach_agents.agents.lm.follower_life import Step, first_look
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.lm.plan import Plan
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.benchmarks.edh.restoring import Restorer, Why
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.data.games import Game
from teach_agents.household import Household, Scenario
from teach_agents.models.deciding import Asked
from teach_agents.observations import Observation, Utterance
from teach_agents.tasks.classes import type_from_id

Click = tuple[str, str]
"""An interaction that succeeded: its action, and the type of the object that was clicked on."""

_LONGEST = 150
"""Actions within which whatever can be done has begun."""


class Replayed:
    """A session under way: `reached` is how many of its interactions were carried out.

    `is_lost` says that something could not be brought about, so that the household is not as the person's was.
    """

    def __init__(self, game: Game, household: Household) -> None:
        household.reset(Scenario.from_game(game))
        self.household = household
        self.reached = 0
        self._interactions = game.episode.interactions
        self._restorer = Restorer(household)
        self._shadows: list[Shadow] = []

    @property
    def is_lost(self) -> bool:
        """Whether what follows is uncertain."""
        return any(one.why is Why.LOST for one in self._restorer.overrides)

    def shadow(self, prompt: FollowerPrompt, *, alone: bool = False) -> Shadow:
        """Our Follower in the person's place from now on; one that is `alone` has heard all that was said."""
        made = Shadow(self.household, prompt, alone=alone)
        made.see(self.reached)
        self._shadows.append(made)
        return made

    def leave(self, shadow: Shadow) -> None:
        """This one watches no more."""
        self._shadows.remove(shadow)

    def carry_out(self) -> None:
        """The next interaction."""
        one = self._interactions[self.reached]
        self._restorer.follow((one,), first=self.reached)
        self.reached += 1
        if one.role is Role.FOLLOWER and one.success:
            for shadow in self._shadows:
                shadow.see(self.reached)


class Shadow:
    """Our Follower's eyes, body and plan, carried along."""

    def __init__(self, household: Household, prompt: FollowerPrompt, *, alone: bool) -> None:
        self._household = household
        self._prompt = prompt
        self._perception = perception_of("oracle")
        self.body = Body()
        self.situation = Situation(self.body, Plan(), alone)

    def see(self, turn: int) -> None:
        """What is in view now."""
        self.body.see(self._seen(self._perception, turn))

    def _seen(self, perception: Perception, turn: int) -> Observation:
        return perception.perceive(self._household.observe(Role.FOLLOWER, perception.privileges, turn=turn))

    @contextmanager
    def looking_around(self, turn: int) -> Iterator[None]:
        """See the room as a Follower does before it first decides, and stand where that ends; then go back.

        What was seen stays known; the session is as it was.
        """
        with self._going_back():
            for action in first_look(self.body, alone=self.situation.alone):
                self._household.act(Role.FOLLOWER, action)
                self.see(turn)
            yield
        self.see(turn)

    def first_click(self, chosen: Candidate) -> Click | None:
        """The interaction that carrying out a choice begins with; then all is as it was, and nothing was seen.

        `None` where nothing is clicked on: what was chosen is no deed, or nothing comes of it.
        """
        if chosen.kind not in (Kind.DO, Kind.LOOK_FOR):
            return None
        body, perception, turn = Body(), copy.deepcopy(self._perception), self.body.observation.turn
        body.memory = copy.deepcopy(self.body.memory)
        with self._going_back():
            body.see(self._seen(perception, turn))
            for action in islice(Step(body, chosen, self.situation.failed).run(), _LONGEST):
                result = self._household.act(Role.FOLLOWER, action)
                if result.success and result.object_id and action.type.kind is ActionKind.OBJECT:
                    return action.name, type_from_id(result.object_id)
                body.see(self._seen(perception, turn))
        return None

    @contextmanager
    def _going_back(self) -> Iterator[None]:
        """What is done meanwhile was never done."""
        simulator = self._household.simulator
        assert isinstance(simulator, Insisting), "sessions are replayed on the embedded simulator"
        memory = simulator.inner.remember()
        properties = copy.deepcopy(dict(self._household.custom_properties))
        try:
            yield
        finally:
            simulator.inner.recall(memory)
            self._household.recall_custom_properties(properties)

    def hear(self, said: Sequence[Utterance]) -> None:
        """Something was said."""
        self.situation.plan.hear(said)

    def did(self, text: str, object_ids: Sequence[str]) -> None:
        """A command was carried out."""
        self.situation.plan.begin(text)
        self.situation.plan.end("done")
        self.body.memory.handled += object_ids

    def question(self) -> tuple[Asked, tuple[Candidate, ...]]:
        """What our Follower would be asked now, and what it could choose."""
        return self._prompt.of(self.situation), tuple(candidates(self.situation))
