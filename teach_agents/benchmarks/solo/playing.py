"""The Follower's loop: look, answer, act, until it stops or has used up its steps or failures (specification 6.2)."""

from __future__ import annotations

import asyncio
import inspect
import time
import traceback
from collections.abc import Awaitable
from dataclasses import dataclass, replace

from teach_agents.actions import Action, Role
from teach_agents.agents.contract import Agent, Briefing
from teach_agents.benchmarks.costs import Costs, Metered, talk
from teach_agents.benchmarks.metrics import Status
from teach_agents.household import Household, Limits

__all__ = ["Played", "play_alone"]


@dataclass(frozen=True, slots=True)
class Played:
    """What a Follower did.

    `predicted` holds each step's action and click as fractions (row, column), `refused` what the failed ones met with:
    step, action and the household's message.
    """

    status: Status
    reason: str
    steps: int
    stopped: bool
    failed_actions: int
    predicted: tuple[tuple[str, tuple[float, float] | None], ...]
    refused: tuple[tuple[int, str, str], ...]
    costs: Costs


def play_alone(household: Household, follower: Agent, briefing: Briefing, limits: Limits) -> Played:
    """Let the Follower act in a household that stands ready.

    Whatever the Follower does there is a result: one that raises has crashed, an answer that is no action is a failed
    action. The step that broke down and a Stop count as steps. One that hangs is for the process to end, by a time
    limit.
    """
    return asyncio.run(_Loop(household, follower, limits).run(briefing))


class _Loop:
    def __init__(self, household: Household, follower: Agent, limits: Limits) -> None:
        self._household = household
        self._follower = follower
        self._limits = limits
        self._failed_before = household.failures[Role.FOLLOWER]
        self._predicted: list[tuple[str, tuple[float, float] | None]] = []
        self._refused: list[tuple[int, str, str]] = []
        self._said: list[str] = []
        self._invalid = 0

    async def run(self, briefing: Briefing) -> Played:
        begun = time.perf_counter()
        status, reason = Status.DONE, ""
        try:
            await _settled(self._follower.begin(briefing))
            while not self._over():
                await self._step()
        except Exception:  # noqa: BLE001  # whatever an agent raises is its failure, with the whole reason
            status, reason = Status.CRASHED, traceback.format_exc()
        costs = replace(talk(self._said), invalid_actions=self._invalid, wall_s=time.perf_counter() - begun)
        if isinstance(self._follower, Metered):
            costs += self._follower.usage
        stopped = bool(self._predicted) and self._predicted[-1][0] == "Stop"
        return Played(
            status,
            reason,
            len(self._predicted),
            stopped,
            self._failed,
            tuple(self._predicted),
            tuple(self._refused),
            costs,
        )

    @property
    def _failed(self) -> int:
        return self._household.failures[Role.FOLLOWER] - self._failed_before

    def _over(self) -> bool:
        if self._predicted and self._predicted[-1][0] == "Stop":
            return True
        return self._limits.out_of_turns(len(self._predicted)) or bool(
            self._limits.over_failed({Role.FOLLOWER: self._failed})
        )

    async def _step(self) -> None:
        turn = len(self._predicted)
        self._predicted.append(("", None))
        seen = self._household.observe(Role.FOLLOWER, self._follower.privileges, turn=turn)
        answer = await _settled(self._follower.act(seen))
        if isinstance(answer, Action) and answer.allowed_for(Role.FOLLOWER):
            self._predicted[-1] = _written(answer)
            self._said += [answer.utterance] if answer.name == "Text" else []
        else:
            self._invalid += 1
        result = self._household.act(Role.FOLLOWER, answer, time_ms=turn)  # type: ignore[arg-type]  # it refuses these
        if not result.success:
            self._refused.append((turn, self._predicted[-1][0], result.message))


async def _settled(answer: object) -> object:
    return await answer if isinstance(answer, Awaitable) and inspect.isawaitable(answer) else answer


def _written(action: Action) -> tuple[str, tuple[float, float] | None]:
    return action.name, None if action.x is None or action.y is None else (action.y, action.x)
