"""A Commander without privileges: it reads out what the progress check says is missing."""

from typing import Any

from teach_agents import Action, Agent, Briefing, Observation


class Reader(Agent):
    """Opens the progress check, reads out its first open step, and waits until the Follower speaks again."""

    def __init__(self, patience: int = 60) -> None:
        self._patience = patience

    def begin(self, briefing: Briefing) -> None:
        """Forget the last session."""
        self._next_look = 0

    def act(self, observation: Observation) -> Action:
        """Look, read out, wait; Finish when the task is complete."""
        result = observation.last_result
        if observation.last_action == Action.progress_check() and result is not None and result.reply is not None:
            if result.reply["success"]:
                return Action.finish()
            subgoals: Any = result.reply["subgoals"]
            open_steps = [step for goal in subgoals for step in goal["steps"] if not step["success"]]
            self._next_look = observation.turn + self._patience
            return Action.say(open_steps[0]["desc"]) if open_steps else Action.wait()
        answered = observation.dialogue and observation.dialogue[-1].speaker is observation.role.partner
        if answered or observation.turn >= self._next_look:
            return Action.progress_check()
        return Action.wait()
