"""An agent that does again what one person did in a recorded TEACh session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from teach_agents.actions import Action, Role
from teach_agents.agents.contract import Agent
from teach_agents.data import Game, Interaction, Keyboard, ObjectInteraction, ProgressCheck, read_game
from teach_agents.observations import Observation

__all__ = ["DemonstrationAgent", "demonstrated_turns", "recorded_as_action"]

Turn = tuple[Action, Action]


class DemonstrationAgent(Agent):
    """Replays one role of a recorded game, then ends the session.

    Failed actions are left out, as TEACh's own replay does (specification 6.4). Both roles of one game keep the order
    in which people acted: what the Commander did and what the Follower did right after it share a turn, anything else
    has a turn of its own. A view that differs from the recorded one may make a click miss; nothing is forced.
    """

    def __init__(self, game: str | Path | Game, role: Role) -> None:
        if not isinstance(game, Game):
            game = read_game(Path(game))
        self._role = Role(role)
        seat = tuple(Role).index(self._role)
        self._actions: Sequence[Action] = [turn[seat] for turn in demonstrated_turns(game.episode.interactions)]

    def act(self, observation: Observation) -> Action:
        """What the person did in this turn; Finish or Stop when nothing is left."""
        if observation.turn < len(self._actions):
            return self._actions[observation.turn]
        return Action.finish() if self._role is Role.COMMANDER else Action.stop()


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


def _worth_repeating(interaction: Interaction) -> bool:
    # The success of OpenProgressCheck says whether the task was complete, not whether the call worked.
    return bool(interaction.success) or interaction.action == "OpenProgressCheck"


def demonstrated_turns(interactions: Iterable[Interaction]) -> list[Turn]:
    """A recorded session as turns: what the Commander and the Follower do in each, in the recorded order."""
    turns: list[Turn] = []
    commander: Action | None = None
    for interaction in interactions:
        action = recorded_as_action(interaction) if _worth_repeating(interaction) else None
        if action is None:
            continue
        if interaction.role is Role.FOLLOWER:
            turns.append((commander or Action.wait(), action))
            commander = None
            continue
        if commander is not None:
            turns.append((commander, Action.wait()))
        commander = action
    if commander is not None:
        turns.append((commander, Action.wait()))
    return turns
