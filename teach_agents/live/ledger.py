"""What was done in a live session: each action carried out, judged, counted and kept as a turn of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from teach_agents.actions import Action, ActionKind, ActionResult, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.errors import RecordError
from teach_agents.household import Household
from teach_agents.live.events import Told, actor_of, events_of
from teach_agents.live.keeping import header_of
from teach_agents.live.setting import LiveSetting
from teach_agents.observations import Privilege
from teach_agents.session.conduct import goals_of
from teach_agents.session.digest import StateDigest
from teach_agents.session.record import RecordHeader, SessionRecord
from teach_agents.session.replay import reenact
from teach_agents.session.result import SessionResult
from teach_agents.session.setting import End, Tally, result_of
from teach_agents.session.turns import Done, TurnRecord

__all__ = ["Deed", "Ledger", "held_type"]


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody wants to do. `action` is `None`, and `problem` says why, for an agent's answer that was none.

    `key` is a person's name for it, by which it is known again; `seconds` is how long an agent thought.
    """

    role: Role
    action: Action | None
    key: str = ""
    problem: str = ""
    thought: Mapping[str, Any] | None = None
    seconds: float | None = None

    @property
    def brief(self) -> bool:
        """Whether it is done in no time, where the simulator is brisk."""
        return self.action is None or self.action.type.kind in _BRIEF


_BRIEF = frozenset({ActionKind.MOTION, ActionKind.KEYBOARD})


class Ledger:
    """One session's turns. The household stands at its beginning; whoever calls has it to himself.

    In a turn of live play one role acts; for the other the record holds that it waited.
    """

    def __init__(self, setting: LiveSetting, household: Household) -> None:
        self._setting = setting
        self._household = household
        self._digest = StateDigest(household)
        self._initial = self.progress = household.progress()
        self._tally = Tally()
        self._last: dict[Role, Done] = {}
        self.last_actor: Role | None = None
        """Whose turn the last one was."""
        self._agents: dict[Role, Agent] = {}
        self._granted: dict[Role, frozenset[Privilege]] = dict.fromkeys(Role, frozenset())
        self.turns: list[TurnRecord] = []
        self.check: Done | None = None
        """The Commander's last progress check."""
        self.search: Done | None = None
        """The Commander's last search that found something."""

    def seat(self, role: Role, agent: Agent) -> None:
        """An agent is ready in its chair."""
        self._agents[role] = agent
        self.grant(role, agent.privileges)

    def grant(self, role: Role, privileges: frozenset[Privilege]) -> frozenset[Privilege] | None:
        """Note that a chair reads these, which the result states: all that it reads; `None` where none is new."""
        before = self._granted[role]
        self._granted[role] = before | privileges
        return self._granted[role] if self._granted[role] != before else None

    def last(self, role: Role) -> Done | None:
        """What a role did last."""
        return self._last.get(role)

    @property
    def failures(self) -> dict[Role, int]:
        """Failed actions, answers that were none included."""
        return {role: self._household.failures[role] + self._tally.refused[role] for role in Role}

    @property
    def utterances(self) -> int:
        """What was said so far, by either role."""
        return len(self._household.dialogue)

    def carry_out(self, deed: Deed, time_ms: int) -> tuple[TurnRecord, list[Told]]:
        """Do it: the turn, which counts once it is kept, and what is told of it.

        Raises `SimulatorError` and the like where the simulator is broken.
        """
        household, role, action = self._household, deed.role, deed.action
        if action is None:
            result = ActionResult(False, deed.problem or "the agent gave no action")
        else:
            result = household.act(role, action, time_ms)
        poses = {Role.COMMANDER: household.commander, Role.FOLLOWER: household.simulator.state.agent}
        waited = Action.wait()
        done = {one: Done(waited, ActionResult(True, waited.name), time_ms, pose) for one, pose in poses.items()}
        done[role] = Done(action, result, time_ms, poses[role], deed.thought)
        interacted = action is not None and action.type.kind is ActionKind.OBJECT
        goals = None
        if interacted:
            before, self.progress = goals_of(self.progress), household.progress()
            goals = now if (now := goals_of(self.progress)) != before else None
        turn = TurnRecord(len(self.turns), done, self._digest.now(interacted=interacted), goals)
        return turn, events_of(turn, held_type(household), deed.seconds)

    def keep(self, turn: TurnRecord) -> None:
        """A turn that was carried out counts."""
        self.turns.append(turn)
        self._tally.add(turn)
        role = self.last_actor = actor_of(turn)
        done = self._last[role] = turn.done[role]
        name = "" if done.action is None else done.action.name
        if name == "OpenProgressCheck" and done.result.reply is not None:
            self.check = done
        elif name in ("SearchObject", "SelectOid") and done.result.success:
            self.search = done

    def take_up(self, turns: Sequence[TurnRecord]) -> None:
        """Carry out the turns of a session that goes on. Raises `RecordError` when they lead elsewhere now."""
        for number, turn in enumerate(turns):
            if turn.turn != number:
                raise RecordError("journal", f"expected turn {number}", value=turn.turn)
        record = replace(self.record(None), turns=tuple(turns))
        differences = reenact(self._household, record)
        if differences:
            raise RecordError("journal", f"the session cannot go on: {differences[0]}")
        for turn in turns:
            self.keep(turn)
        self.progress = self._household.progress()

    def header(self) -> RecordHeader:
        """The record's first line."""
        name = self._household.simulator.name
        return header_of(self._setting, name, {role: sorted(self._granted[role]) for role in Role})

    def record(self, result: SessionResult | None) -> SessionRecord:
        """All of it, as if it had been read from a file."""
        told = None if result is None else result.to_json(timed=False)
        return SessionRecord(Path(), self.header(), tuple(self.turns), told, 0)

    def result(self, end: End) -> SessionResult:
        """How it ended, judged on the state as it is now."""
        self.progress = self._household.progress()
        checks = self._initial, self.progress
        return result_of(self.header(), self._agents, self._tally, end, checks=checks, failures=self.failures)


def held_type(household: Household) -> str | None:
    """The type of the object in the Follower's hand."""
    state = household.simulator.state
    return None if state.held is None else state.objects[state.held].object_type
