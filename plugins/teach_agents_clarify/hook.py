"""A Follower that asks which one is meant: a dialogue hook for requests that fit several things equally well.

Written as a third party would write it, against the public API of `teach_agents` alone. It goes by what the Follower's
own agent reads of the room (through its perception, where it has one), and by the dialogue alone where that is nothing.
"""

from __future__ import annotations

from teach_agents import Action, DialogueHook, Observation, Role, SessionResult
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.session import Done, TurnRecord
from teach_agents_clarify.ties import OPENING, question, tie_of


class Clarify(DialogueHook):
    """Has the Follower ask, once a request, in place of its next action, when several things tie.

    Things tie when the request names one thing ("the mug"), several that it knows fit, and words can tell them apart.
    `wait` is how many turns it then lets pass for an answer, `most` how many things a question names, `indefinite`
    whether "a mug" is to be asked about as well.
    """

    def __init__(self, wait: int = 2, most: int = 3, indefinite: bool = False) -> None:
        for name, value, least in (("wait", wait, 0), ("most", most, 2)):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError("clarify", f"{name} must be a whole number, at least {least}", value=value)
        self._wait = wait
        self._most = most
        self._indefinite = bool(indefinite)
        self.begin("", 0)

    def begin(self, session_id: str, seed: int) -> None:
        """Forget the last session."""
        self._request = self._tried = self._asked = self._settled = -1
        self._said = self._patience = self._questions = 0

    def before_action(self, observation: Observation, action: Action) -> Action:
        """The question, or the silence after it, in place of what the Follower would do."""
        request = self._request
        if observation.role is not Role.FOLLOWER or action.name in ("Text", "Stop") or request in (-1, self._settled):
            return action
        if request == self._asked:
            return Action.wait() if self._patience > 0 else action
        if request == self._tried:
            return action  # somebody kept the question back
        phrases = tie_of(observation, request, indefinite=self._indefinite)
        if not phrases:
            return action
        self._tried = request
        return Action.say(question(phrases, self._most))

    def turn_executed(self, record: TurnRecord) -> None:
        """Follow the dialogue: what was asked for, whether it was asked back, what settled it."""
        before = self._request
        self._patience -= 1
        for role, done in record.done.items():
            spoke = done.action is not None and done.action.name == "Text" and done.result.success
            if role is Role.COMMANDER and spoke:
                self._request = self._said
            if role is Role.FOLLOWER and spoke and self._is_question(done, before):
                self._asked, self._patience = before, self._wait
                self._questions += 1
            if role is Role.FOLLOWER and done.result.success and done.result.object_id is not None:
                self._settled = before
            self._said += spoke

    def _is_question(self, done: Done, request: int) -> bool:
        """Whether this was the question, which other hooks may have put into other words."""
        if done.action is None or done.chosen is None or done.chosen.name == "Text":
            return False
        return request == self._tried or done.action.utterance.startswith(OPENING)

    def ended(self, result: SessionResult) -> JsonMapping:
        """How many questions it asked."""
        return {"questions": self._questions}
