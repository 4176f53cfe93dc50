"""An agent that does again what one person did in a recorded TEACh session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.context import takes
from teach_agents.data import Game, Interaction, Keyboard, ObjectInteraction, ProgressCheck, read_game
from teach_agents.household import Household
from teach_agents.observations import Observation, Privilege


@dataclass(frozen=True, slots=True)
class Deed:
    """One recorded action that is done again: its place in the session, and the object that it acted upon, if any."""

    action: Action
    index: int
    object_id: str | None = None


Turn = tuple[Deed | None, Deed | None]
"""What the Commander and the Follower do at one time; `None` is to wait."""


@takes("game", "household")
class DemonstrationAgent(Agent):
    """Replays one role of a recorded game, then ends the session.

    Failed actions are left out, as TEACh's own replay does (specification 6.4). Both roles of one game keep the order
    in which people acted: what the Commander did and what the Follower did right after it share a turn, anything else
    has a turn of its own. Nothing is forced. Where a `household` is given and the recorded click would choose another
    object in it than it did, the Follower clicks on a visible pixel of the recorded one: it then reads objects by id.
    """

    def __init__(self, game: str | Path | Game, role: Role, household: Household | None = None) -> None:
        if not isinstance(game, Game):
            game = read_game(Path(game))
        self._role = Role(role)
        self._household = household if self._role is Role.FOLLOWER else None
        seat = tuple(Role).index(self._role)
        self._deeds: Sequence[Deed | None] = [turn[seat] for turn in demonstrated_turns(game.episode.interactions)]
        sight = frozenset({Privilege.SEGMENTATION}) if self._household else frozenset()
        self.privileges = sight | {Privilege.GROUND_TRUTH}

    def act(self, observation: Observation) -> Action:
        """What the person did in this turn; Finish or Stop when nothing is left."""
        if observation.turn >= len(self._deeds):
            return Action.finish() if self._role is Role.COMMANDER else Action.stop()
        deed = self._deeds[observation.turn]
        if deed is None:
            return Action.wait()
        return deed.action if self._household is None else aimed(self._household, deed.action, deed.object_id)


def aimed(household: Household, recorded: Action, object_id: str | None) -> Action:
    """A recorded action, its click moved to a visible pixel of its object where it would choose another (6.4).

    Where no pixel of the object shows, the recorded click is left as it is.
    """
    if object_id is None or recorded.x is None or household.aimed_at(recorded) == object_id:
        return recorded
    point = household.click_for(object_id, recorded.name)
    return recorded if point is None else Action.click(recorded.name, *point)


def recorded_as_action(interaction: Interaction) -> Action | None:
    """The action that a recorded interaction stands for, or `None` when a session has no such action.

    Walks on the map (300) have none: the steps that follow them are recorded one by one. Neither have the stray
    progress checks of Followers.
    """
    if isinstance(interaction, ObjectInteraction):
        action = Action.click(interaction.action, float(interaction.x), float(interaction.y))
    elif isinstance(interaction, Keyboard):
        action = Action.say(interaction.utterance)
    elif isinstance(interaction, ProgressCheck):
        action = Action(interaction.action, query=interaction.query)
    else:
        action = Action(interaction.action)
    return action if action.allowed_for(interaction.role) else None


def demonstrated_turns(interactions: Iterable[Interaction]) -> list[Turn]:
    """A recorded session as turns: what the Commander and the Follower do in each, in the recorded order."""
    turns: list[Turn] = []
    for index, interaction in enumerate(interactions):
        # The success of OpenProgressCheck says whether the task was complete, not whether the call worked.
        worked = interaction.success or interaction.action == "OpenProgressCheck"
        action = recorded_as_action(interaction) if worked else None
        if action is None:
            continue
        deed = Deed(action, index, interaction.object_id if isinstance(interaction, ObjectInteraction) else None)
        if interaction.role is Role.COMMANDER:
            turns.append((deed, None))
        else:
            turns.append((turns.pop()[0] if turns and turns[-1][1] is None else None, deed))
    return turns
