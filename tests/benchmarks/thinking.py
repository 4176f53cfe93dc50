"""Agents that tell what they think, for runs that keep it."""

from __future__ import annotations

import time
from typing import Any

from teach_agents.actions import Action
from teach_agents.agents import Agent
from teach_agents.core.agents.contract import Briefing
from teach_agents.models.prompts import Usage
from teach_agents.observations import Observation

__all__ = ["MARKUP", "Hearing", "Speaking", "Thinking", "ThinkingCommander"]

MARKUP = "<script>alert('thought')</script>"


class Thinking(Agent):
    """Decides in its first and third step, fails at the latter, and ends with its fifth. Its thoughts tell the time."""

    provenance = {"model": "dice", "perception": "oracle"}

    def begin(self, briefing: Briefing) -> None:
        self.usage = Usage()

    def act(self, observation: Observation) -> Action:
        self.thought = self._thought(observation.turn)
        if self.thought is not None:
            self.usage += Usage(model_calls=1, prompt_tokens=10, generated_tokens=2)
        return Action("Turn Left") if observation.turn < 4 else Action.stop()

    def _thought(self, turn: int) -> dict[str, Any] | None:
        if turn not in (0, 2):
            return None
        candidates = ["look for a mug", "wait", "stop"][: 3 - turn // 2]
        failed = {"error": "ValueError: no candidate"} if turn else {}
        prompt = {"system": "You act.", "user": f"Step {turn}. {MARKUP}", "images": 0}
        return {"prompt": prompt, "candidates": candidates, "choice": "wait", "seconds": time.perf_counter(), **failed}


class ThinkingCommander(Thinking):
    """The same in the other chair, where it waits."""

    def act(self, observation: Observation) -> Action:
        super().act(observation)
        return Action.wait()


class Speaking(Agent):
    """Asks for something, corrects itself, and waits."""

    says = ("Get the green mug, please.", "No, the toaster belongs to Anna.")

    def act(self, observation: Observation) -> Action:
        return Action.say(self.says[observation.turn]) if observation.turn < len(self.says) else Action.wait()


class Hearing(Agent):
    """Reads what Speaking says, asks back, and tells of both; stops in its fourth step."""

    read = ("get(green mug)", "no; fact(the toaster belongs to anna)")

    def act(self, observation: Observation) -> Action:
        turn = observation.turn
        self.thought = None
        news = [number for number, said in enumerate(observation.dialogue) if said.time_ms >= 1000 * (turn - 1)]
        if turn in (1, 2):
            told = {"utterance": news[0], "acts": self.read[turn - 1], "confidence": 0.75, "by": "heads"}
            more = {"clarifies": True} if turn == 1 else {"repairs": True}
            self.thought = {"heard": [told], "state": {"facts": Speaking.says[turn - 1].lower()}, **more}
        return Action.say("Which one?") if turn == 1 else Action.stop() if turn > 2 else Action.wait()
