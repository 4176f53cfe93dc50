"""How long a session may go on: turns, and failed actions of either role (paper section 5; specification 6.2, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from teach_agents.actions import Role
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Limits:
    """When a session ends without anybody's wish.

    `max_turns` counts turns, `max_failures` the failed actions of one role (each role has its own count; reaching
    it ends the session). `None` means no limit. Raises `InputError` for a limit below 1.
    """

    max_turns: int | None = 1000
    max_failures: int | None = 30

    def __post_init__(self) -> None:
        for name in ("max_turns", "max_failures"):
            value = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InputError("limits", f"{name} must be a whole number of at least 1, or None", value=value)

    @classmethod
    def live(cls) -> Limits:
        """No limits: people are at the keyboard."""
        return cls(max_turns=None, max_failures=None)

    def out_of_turns(self, turns: int) -> bool:
        """Whether `turns` turns are all that is allowed."""
        return self.max_turns is not None and turns >= self.max_turns

    def over_failed(self, failures: Mapping[Role, int]) -> Role | None:
        """The first role that has used up its failures, Commander first; `None` while neither has."""
        if self.max_failures is None:
            return None
        return next((role for role in Role if failures.get(role, 0) >= self.max_failures), None)
