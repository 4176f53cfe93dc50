"""What agents think in a session, as its record keeps it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent, ScriptedAgent
from teach_agents.errors import ActionError
from teach_agents.household import Limits
from teach_agents.observations import Observation
from teach_agents.session import DialogueHook, Session, SessionResult, TurnRecord, read_record, replay, to_game
from tests.session.support import FORWARD, WAIT, scenario, session, small_household

FOUR = Limits(max_turns=4, max_failures=None)


class Thinker(Agent):
    """Thinks aloud in every other turn; its thoughts are its own thread's."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._said: dict[str, Any] | None = None
        self._answered_in: threading.Thread | None = None
        self.read_elsewhere = False

    def act(self, observation: Observation) -> Action:
        self._answered_in = threading.current_thread()
        self._said = None
        if observation.turn % 2 == 0:
            self._said = {"prompt": f"turn {observation.turn}", "candidates": ["a", "b"], "seconds": self._seconds}
        return WAIT

    @property
    def thought(self) -> dict[str, Any] | None:  # type: ignore[override]  # read only
        self.read_elsewhere |= threading.current_thread() is not self._answered_in
        return self._said


class AsyncThinker(Thinker):
    """The same, in a coroutine."""

    def act(self, observation: Observation) -> Awaitable[Action]:  # type: ignore[override]  # either is an agent
        async def answered() -> Action:
            await asyncio.sleep(0)
            return Thinker.act(self, observation)

        return answered()


class Mistaken(Agent):
    """Answers by no action, and has thought about it."""

    def act(self, observation: Observation) -> Action:
        self.thought = {"choice": "fly", "plan": object()} if observation.turn else {"choice": "fly"}
        raise ActionError("fly", "is no action")


class Overhearing(DialogueHook):
    """Keeps the thoughts of every turn."""

    def __init__(self) -> None:
        self.thoughts: list[Any] = []

    def turn_executed(self, record: TurnRecord) -> None:
        self.thoughts.append(record.thoughts)


def _play(path: Path, *agents: Agent, limits: Limits = FOUR) -> SessionResult:
    held = Session(small_household(), *agents, limits=limits, record=path)
    return asyncio.run(held.run(scenario()))


def test_thoughts_are_read_in_the_agents_thread_and_kept_with_the_turn(tmp_path: Path) -> None:
    for thinker in (Thinker(), AsyncThinker()):
        _play(tmp_path / "a", ScriptedAgent([]), thinker)
        lines = [json.loads(line) for line in (tmp_path / "a").read_text().splitlines()][1:-1]
        assert ["thoughts" in line for line in lines] == [True, False, True, False]
        assert lines[2]["thoughts"] == {"follower": {"prompt": "turn 2", "candidates": ["a", "b"], "seconds": 0.0}}
        assert not thinker.read_elsewhere
    turn = read_record(tmp_path / "a").turns[2]
    assert turn.thoughts == {Role.FOLLOWER: lines[2]["thoughts"]["follower"]}
    assert turn.done[Role.COMMANDER].thought is None


def test_hooks_are_told_what_was_thought() -> None:
    hook = Overhearing()
    asyncio.run(session(Thinker(), (), limits=FOUR).with_hook(hook).run(scenario()))
    assert [list(found) for found in hook.thoughts] == [[Role.COMMANDER], [], [Role.COMMANDER], []]


def test_a_thought_behind_no_action_is_kept_and_one_that_is_no_json_is_told(tmp_path: Path) -> None:
    _play(tmp_path / "a", ScriptedAgent([]), Mistaken(), limits=Limits(max_turns=2, max_failures=None))
    first, second = read_record(tmp_path / "a").turns
    assert first.done[Role.FOLLOWER].action is None and first.thoughts[Role.FOLLOWER] == {"choice": "fly"}
    assert second.thoughts[Role.FOLLOWER] == {"error": "thought.plan is no JSON value: a object"}


def test_nothing_but_the_record_depends_on_the_times_in_thoughts(tmp_path: Path) -> None:
    results = [_play(tmp_path / f"{n}", ScriptedAgent([FORWARD]), Thinker(seconds=n)) for n in (1.0, 2.0)]
    first, second = (one.to_json(timed=False) for one in results)
    assert first == second
    records = [read_record(tmp_path / f"{n}") for n in (1.0, 2.0)]
    assert records[0].turns == records[1].turns and records[0].turns[0].thoughts != records[1].turns[0].thoughts


def test_a_record_with_thoughts_is_replayed_resumed_and_made_a_game(tmp_path: Path) -> None:
    path = tmp_path / "a"
    _play(path, ScriptedAgent([FORWARD]), Thinker())
    household = small_household()
    assert replay(read_record(path), household).identical
    assert to_game(read_record(path), household)[1].identical
    header, *turns, _ = path.read_text().splitlines(keepends=True)
    path.write_text("".join([header, *turns[:2]]))
    held = Session(household, ScriptedAgent([FORWARD]), Thinker(), limits=FOUR, record=path)
    assert asyncio.run(held.resume()).turns == 4
    assert path.read_text().splitlines(keepends=True)[1:-1] == turns
