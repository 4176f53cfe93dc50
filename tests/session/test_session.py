from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents import Agent, ScriptedAgent, SilentCommander
from teach_agents.core.bus import MemoryBus
from teach_agents.core.messages import EVERYONE, Message, ProgressChanged
from teach_agents.errors import BusLostError, SceneError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.observations import Observation, Privilege, Utterance
from teach_agents.session import EndReason, Goals, Session, SessionResult, Timeouts, read_record, run_session
from teach_agents.simulator.contract import Outcome, Scene, SimulatorAction
from tests.household.fake import FakeSimulator
from tests.session.support import FORWARD, WAIT, Recall, click, scenario, session, small_household

QUICK = Timeouts(begin_s=0.6, act_s=0.6)


def _run(held: Session, **options: Any) -> SessionResult:
    return asyncio.run(held.run(scenario(), **options))


def test_finish_and_stop_end_when_their_turn_is_over() -> None:
    finished = _run(session([WAIT, Action.finish()], [FORWARD, Action("Turn Left")]))
    assert (finished.end_reason, finished.turns) == (EndReason.FINISHED, 2)
    assert finished.actions == {Role.COMMANDER: 1, Role.FOLLOWER: 2}
    stopped = _run(session([Action.say("hi")], [Action.stop()]))
    assert (stopped.end_reason, stopped.turns) == (EndReason.STOPPED, 1)
    assert stopped.utterances == {Role.COMMANDER: 1, Role.FOLLOWER: 0}
    assert _run(session([Action.finish()], [Action.stop()])).end_reason is EndReason.FINISHED


def test_both_roles_are_asked_on_the_same_state_before_either_acts() -> None:
    commander, follower = Recall(Action.say("go"), Action.finish()), Recall(FORWARD)
    _run(session(commander, follower))
    assert [seen.turn for seen in follower.seen] == [0, 1]
    assert follower.seen[0].dialogue == ()
    assert follower.seen[1].dialogue == (Utterance(Role.COMMANDER, "go", 0),)
    assert commander.seen[1].last_result == ActionResult(True, "Text")
    assert commander.seen[0].pose != follower.seen[0].pose
    assert follower.seen[1].last_action == FORWARD


class Rinsing(FakeSimulator):
    """Whatever is picked up is clean."""

    def step(self, action: SimulatorAction) -> Outcome:
        if action.name == "PickupObject":
            self.change(action.object_id, is_dirty=False)
        return super().step(action)


def test_the_final_state_decides() -> None:
    script = [click(small_household(), "Mug"), Action.stop()]
    result = asyncio.run(session((), script).run(scenario("Clean All X", "Mug")))
    assert result.initial_progress.goal_conditions_total == result.progress.goal_conditions_total
    assert not result.success

    held = Session(Household(Rinsing(), view_size=64), SilentCommander(), ScriptedAgent(script))
    result = asyncio.run(held.run(scenario("Clean All X", "Mug")))
    assert result.success
    assert not result.initial_progress.success
    assert result.progress.goal_conditions_satisfied > result.initial_progress.goal_conditions_satisfied


def test_a_session_that_breaks_off_fails_even_where_the_task_is_complete() -> None:
    script = ScriptedAgent([click(small_household(), "Mug")])

    def follower(seen: Observation) -> Any:
        if seen.turn > 0:
            raise RuntimeError("boom")
        return script.act(seen)

    held = Session(Household(Rinsing(), view_size=64), SilentCommander(), follower)
    result = asyncio.run(held.run(scenario("Clean All X", "Mug")))
    assert (result.end_reason, result.turns) == (EndReason.CRASHED, 1)
    assert result.progress.success and not result.success


def test_a_coroutine_that_hangs_is_cancelled_when_its_session_is_over() -> None:
    cancelled = threading.Event()

    async def follower(seen: Observation) -> Action:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return WAIT

    assert _run(session((), follower, timeouts=QUICK)).end_reason is EndReason.TIMED_OUT
    assert cancelled.wait(5)


def test_goal_conditions_are_recorded_and_told_when_they_change(tmp_path: Path) -> None:
    async def held() -> list[tuple[int, int]]:
        bus, told = MemoryBus(), []
        events = bus.subscribe(EVERYONE)
        script = ScriptedAgent([FORWARD, Action("Backward"), click(small_household(), "Mug"), FORWARD, Action.stop()])
        path = tmp_path / "record"
        household = Household(Rinsing(), view_size=64)
        await Session(household, SilentCommander(), script, record=path, bus=bus).run(scenario("Clean All X", "Mug"))
        await bus.close()
        async for message in events:
            if isinstance(message.payload, ProgressChanged):
                told.append((message.payload.turn, message.payload.goal_conditions_satisfied))
        return told

    told = asyncio.run(held())
    recorded = [(turn.turn, turn.goals) for turn in read_record(tmp_path / "record").turns if turn.goals is not None]
    assert recorded == [(2, Goals(True, 4, 4))]
    assert told == [(2, 4)]


def test_limits_end_a_session() -> None:
    result = _run(session((), (), limits=Limits(max_turns=3)))
    assert (result.end_reason, result.turns, result.reason) == (EndReason.TURN_LIMIT, 3, "3 turns were taken")
    wrong = [Action.click("Pickup", 2.0, 0.5)] * 9
    result = _run(session((), wrong, limits=Limits(max_failures=4)))
    assert (result.end_reason, result.turns) == (EndReason.FAILURE_LIMIT, 4)
    assert result.reason == "the follower failed 4 times"
    assert result.failures == {Role.COMMANDER: 0, Role.FOLLOWER: 4}


@pytest.mark.parametrize("nonsense", [None, "Forward", 3, {"name": "Forward"}, object()])
def test_an_answer_that_is_no_action_is_a_failed_action(nonsense: Any) -> None:
    commander = Recall()
    seen: list[Observation] = []

    def follower(observation: Observation) -> Any:
        seen.append(observation)
        return nonsense

    result = _run(session(commander, follower, limits=Limits(max_failures=2)))
    assert result.end_reason is EndReason.FAILURE_LIMIT
    assert result.failures[Role.FOLLOWER] == 2
    assert result.actions[Role.FOLLOWER] == 0
    told = seen[1].last_result
    assert told is not None
    assert not told.success
    assert "which is no Action" in told.message


def test_an_action_that_cannot_be_is_a_failed_action() -> None:
    result = _run(session((), lambda observation: Action("Fly"), limits=Limits(max_failures=1)))
    assert result.end_reason is EndReason.FAILURE_LIMIT
    foreign = _run(session((), [Action.finish()], limits=Limits(max_failures=1)))
    assert foreign.end_reason is EndReason.FAILURE_LIMIT


class Raising(Agent):
    def __init__(self, error: BaseException, begins: bool = True) -> None:
        self.error = error
        self.begins = begins

    def begin(self, briefing: Any) -> None:
        if not self.begins:
            raise self.error

    def act(self, observation: Observation) -> Action:
        raise self.error


@pytest.mark.parametrize(
    "error", [RuntimeError("no battery"), StopIteration(), SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()]
)
@pytest.mark.parametrize("begins", [True, False])
def test_an_agent_that_raises_ends_the_session_as_crashed(error: BaseException, begins: bool) -> None:
    result = _run(session((), Raising(error, begins)))
    assert result.end_reason is EndReason.CRASHED
    assert result.reason == f"the follower raised {type(error).__name__}: {error}"
    assert not result.success
    assert "test_session.py" in result.details


def test_an_agent_that_hangs_ends_the_session_as_timed_out() -> None:
    free = threading.Event()

    def sleepy(observation: Observation) -> Action:
        free.wait(20)
        return WAIT

    started = time.monotonic()
    held = session((), sleepy, timeouts=QUICK)
    result = _run(held)
    assert result.end_reason is EndReason.TIMED_OUT
    assert result.reason == "the follower gave no answer in turn 0 within 0.6 s"
    assert time.monotonic() - started < 5
    free.set()
    assert _run(session(held._context.agents[Role.COMMANDER], [Action.stop()])).end_reason is EndReason.STOPPED


def test_async_agents_are_asked_too_and_timed_out_even_when_they_block() -> None:
    async def polite(observation: Observation) -> Action:
        await asyncio.sleep(0.001)
        return Action.stop()

    assert _run(session((), polite)).end_reason is EndReason.STOPPED

    async def forgetful(observation: Observation) -> Action:
        await asyncio.sleep(60)
        return WAIT

    assert _run(session((), forgetful, timeouts=QUICK)).end_reason is EndReason.TIMED_OUT
    free = threading.Event()

    async def blocking(observation: Observation) -> Action:
        free.wait(20)
        return WAIT

    assert _run(session((), blocking, timeouts=QUICK)).end_reason is EndReason.TIMED_OUT
    free.set()


def test_an_agent_may_be_slow_to_begin_but_not_for_ever() -> None:
    class Loading(Recall):
        def begin(self, briefing: Any) -> None:
            time.sleep(1)

    assert _run(session((), Loading(), timeouts=QUICK)).reason == "the follower was not ready within 0.6 s"


def test_agents_are_told_their_seed_and_chair() -> None:
    agents = Recall(Action.finish()), Recall()
    asyncio.run(session(*agents).run(scenario(seed=7)))
    briefings = [agent.briefings[0] for agent in agents]
    assert [briefing.role for briefing in briefings] == list(Role)
    assert briefings[0].seed != briefings[1].seed
    assert not briefings[0].resumed
    again = Recall(Action.finish())
    asyncio.run(session(again, ()).run(scenario(seed=7)))
    assert again.briefings[0].seed == briefings[0].seed


def test_a_simulator_that_breaks_ends_the_session_with_a_result() -> None:
    class Breaking(FakeSimulator):
        def step(self, action: SimulatorAction) -> Outcome:
            if action.name == "MoveAhead":
                raise RuntimeError("lost the wire")
            return super().step(action)

    held = Session(Household(Breaking(), view_size=64), ScriptedAgent([]), ScriptedAgent([WAIT, FORWARD]))
    result = _run(held)
    assert result.end_reason is EndReason.CRASHED
    assert result.reason == "RuntimeError: lost the wire"
    assert result.turns == 1


def test_a_scenario_that_cannot_be_is_refused_before_the_session_begins() -> None:
    with pytest.raises(SceneError):
        asyncio.run(session().run(Scenario("x", "Coffee", (), Scene("FloorPlan999"))))


def test_privileges_are_granted_and_stated() -> None:
    class Seeing(Recall):
        privileges = frozenset({Privilege.OBJECTS})

        def act(self, observation: Observation) -> Action:
            assert observation.privileged.objects
            return Action.stop()

    result = _run(session((), Seeing()))
    assert result.end_reason is EndReason.STOPPED
    assert result.to_json()["privileges"] == {"commander": [], "follower": ["objects"]}


def test_observers_hear_the_whole_session_in_order() -> None:
    async def scene() -> list[Message]:
        bus = MemoryBus(capacity=4)
        tap = bus.subscribe(EVERYONE)
        heard: list[Message] = []

        async def listen() -> None:
            async for message in tap:
                heard.append(message)

        listening = asyncio.create_task(listen())
        await session([Action.say("hi"), Action.finish()], (), bus=bus).run(scenario(), session_id="mine")
        await bus.close()
        await listening
        return heard

    heard = asyncio.run(scene())
    assert {message.session for message in heard} == {"mine"}
    ours = [message for message in heard if message.sender == "environment"]
    assert [message.sequence for message in ours] == list(range(len(ours)))
    told = [message.kind for message in ours if message.recipient == EVERYONE]
    turn = ["action_executed", "action_executed"]
    assert told == ["session_began", turn[0], "utterance_said", turn[1], *turn, "session_ended"]
    asked = [message for message in heard if message.correlation]
    assert len(asked) == 2 * (2 + 4)


def test_an_observer_who_never_reads_holds_nobody_up_and_is_told_what_it_missed() -> None:
    async def scene() -> SessionResult:
        bus = MemoryBus(capacity=2, patience=0.05)
        tap = bus.subscribe(EVERYONE)
        result = await session([Action.say("hi"), Action.finish()], bus=bus).run(scenario())
        assert [(await tap.receive()).sequence for _ in range(2)] == [0, 1]
        with pytest.raises(BusLostError):
            await tap.receive()
        return result

    assert asyncio.run(scene()).end_reason is EndReason.FINISHED


def test_two_sessions_share_a_bus() -> None:
    async def scene() -> list[SessionResult]:
        bus = MemoryBus()
        held = [session([WAIT] * number, [WAIT] * number + [Action.stop()], bus=bus) for number in (3, 5)]
        running = (one.run(scenario(), session_id=str(number)) for number, one in enumerate(held))
        return list(await asyncio.gather(*running))

    assert [result.turns for result in asyncio.run(scene())] == [4, 6]


def test_plain_code_has_its_own_door() -> None:
    result = run_session(small_household(), SilentCommander(), lambda seen: Action.stop(), scenario())
    assert result.end_reason is EndReason.STOPPED
    assert result.agents == {Role.COMMANDER: "SilentCommander", Role.FOLLOWER: "<lambda>"}

    async def inside() -> SessionResult:
        return run_session(small_household(), SilentCommander(), lambda seen: Action.stop(), scenario())

    assert asyncio.run(inside()).end_reason is EndReason.STOPPED, "a notebook has a running loop"


def test_the_result_is_plain_json() -> None:
    result = _run(session([Action.finish()]))
    data = result.to_json()
    assert data["end_reason"] == "finished"
    assert data["simulator"] == "fake"
    assert data["progress"]["goal_conditions_total"] == result.progress.goal_conditions_total
    assert "wall_s" in data
    assert "wall_s" not in result.to_json(timed=False)


def test_no_threads_are_left_behind() -> None:
    before = threading.active_count()
    for _ in range(5):
        _run(session([Action.finish()]))
    time.sleep(0.05)
    assert threading.active_count() <= before


def test_an_utterance_that_is_no_text_is_a_failed_action() -> None:
    words: Any = 5
    result = _run(session(lambda observation: Action.say(words), (), limits=Limits(max_failures=1)))
    assert result.end_reason is EndReason.FAILURE_LIMIT


def test_an_error_that_cannot_even_be_printed_ends_the_session_all_the_same() -> None:
    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    result = _run(session((), Raising(Unspeakable())))
    assert result.end_reason is EndReason.CRASHED
