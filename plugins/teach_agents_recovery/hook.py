"""Advice after failures: a dialogue hook that tells a role what to try next, and something else when that fails too.

Written as a third party would write it, against the public API of `teach_agents` alone. The hint stands in the next
observation's `last_result.help`, behind TEACh's own hint where there is one.
"""

from __future__ import annotations

from collections import Counter

from teach_agents import Action, ActionResult, DialogueHook, Role, SessionResult
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.session import TurnRecord
from teach_agents_recovery.advice import advice_on


class Recovery(DialogueHook):
    """Adds a hint to the result of every failed action of `role` (`follower`, `commander` or `both`).

    A failure that repeats, the same advice for the same action, gets the other way from its `patience`th time on.
    """

    def __init__(self, role: str = "both", patience: int = 2) -> None:
        roles = {"both": tuple(Role), **{one.value: (one,) for one in Role}}
        InputError.check("recovery", role, roles, "role")
        if patience < 1:
            raise InputError("recovery", "patience must be at least 1", value=patience)
        self._roles = roles[role]
        self._patience = patience
        self.begin("", 0)

    def begin(self, session_id: str, seed: int) -> None:
        """Forget the last session."""
        self._failures: dict[Role, Counter[tuple[str, str]]] = {role: Counter() for role in Role}
        self._hints = dict.fromkeys(Role, 0)

    def after_result(self, turn: int, role: Role, action: Action | None, result: ActionResult) -> str | None:
        """What to try next, after a failure."""
        if result.success or role not in self._roles:
            return None
        advice = advice_on(result.message)
        before = self._failures[role][_name(action), advice.what]
        return advice.again if before + 1 >= self._patience else advice.first

    def turn_executed(self, record: TurnRecord) -> None:
        """Count failures; whatever changes the world makes them count anew."""
        for role, done in record.done.items():
            if not done.result.success:
                self._failures[role][_name(done.action), advice_on(done.result.message).what] += 1
            elif done.result.object_id is not None:
                self._failures[role].clear()
            self._hints[role] += role in self._roles and not done.result.success

    def ended(self, result: SessionResult) -> JsonMapping:
        """How many hints each role was given."""
        return {"hints": {role.value: count for role, count in self._hints.items() if count}}


def _name(action: Action | None) -> str:
    return "" if action is None else action.name
