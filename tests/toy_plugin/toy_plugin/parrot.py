"""A Follower that says again what it is told."""

from __future__ import annotations

from teach_agents import Action, Agent, Observation


class Parrot(Agent):
    """Repeats the Commander's latest utterance, `times` times over, and stops when it hears `bye`."""

    def __init__(self, times: int = 1) -> None:
        self.times = times

    def act(self, observation: Observation) -> Action:
        """Say it again."""
        heard = observation.heard()
        if heard is None:
            return Action.wait()
        return Action.stop() if heard == "bye" else Action.say(" ".join([heard] * self.times))
