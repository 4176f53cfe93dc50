"""Stop means stop: the session sees to it, whatever the agent makes of it, and before any model answers."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.planner import PlannerFollower
from teach_agents.core.agents.contract import Agent
from teach_agents.core.control import NOT_DONE
from teach_agents.core.dialogue import Act
from teach_agents.live import LiveSession
from teach_agents.live.control_hold import Hold
from teach_agents.observations import Observation
from tests.live.support import LEFT, LIMIT_S, Memory, heard, held, kinds, run, setting, until

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER
RIGHT = Action("Turn Right")


class Walker(Agent):
    """Turns for ever, whatever is said; `slow_s` to choose each turn, and words where `say` has some for it."""

    def __init__(self, slow_s: float = 0.01, **say: str) -> None:
        self.slow_s = slow_s
        self.say = say
        self.seen: list[Observation] = []

    def act(self, observation: Observation) -> Action:
        self.seen.append(observation)
        time.sleep(self.slow_s)
        words = self.say.pop(observation.heard() or "", "")
        return Action.say(words) if words else LEFT


def _held(agent: Agent, journal: Memory | None = None, **fields: Any) -> Any:
    return held(setting(follower="mine", reply_s=0.0, **fields), journal, lambda role, spec: agent, idle_s=0.02)


def _motions(live: LiveSession, after: int = -1) -> int:
    return sum(event.kind == "action" for event in live.events[after + 1 :])


def test_after_stop_nothing_is_done_until_something_is_asked_for() -> None:
    agent = Walker(0.05)

    async def play() -> None:
        async with _held(agent) as live:
            await until(lambda: _motions(live) > 2)
            said = await live.say(COMMANDER, "STOP!!!")
            told = await heard(live, "control", said.seq)
            assert told.seq == said.seq + 1 and told.data == {"act": "stop"} and told.role is FOLLOWER
            asked = len(agent.seen)
            await until(lambda: len(agent.seen) > asked + 4)
            await live.say(COMMANDER, "thank you")
            await until(lambda: len(agent.seen) > asked + 8)
            assert _motions(live, said.seq) == 0
            assert agent.seen[-1].last_result is not None and agent.seen[-1].last_result.message == NOT_DONE
            await live.say(COMMANDER, "turn around, please")
            await until(lambda: _motions(live, said.seq) > 1)
            assert [event.data["act"] for event in live.events if event.kind == "control"] == ["stop", "resume"]
            assert live.record().turns

    run(play)


def test_the_late_answer_of_a_slow_model_is_dropped_and_the_stop_is_told_at_once() -> None:
    asked, answer = threading.Event(), threading.Event()

    class Slow(Agent):
        def act(self, observation: Observation) -> Action:
            if observation.heard() is None:
                return Action.wait()
            if observation.heard() == "stop":
                return Action.say("I have stopped.")
            asked.set()
            assert answer.wait(LIMIT_S)
            return LEFT

    async def play() -> None:
        async with _held(Slow()) as live:
            await live.say(COMMANDER, "turn left")
            await until(asked.is_set)
            began = time.monotonic()
            said = await live.say(COMMANDER, "stop")
            assert (await heard(live, "control", said.seq)).data == {"act": "stop"}
            assert time.monotonic() - began < 0.5
            answer.set()
            words = await heard(live, "utterance", said.seq)
            assert words.data["text"] == "I have stopped." and words.data["reply_to"] == said.seq
            assert _motions(live, said.seq) == 0

    run(play)


def test_what_waits_for_its_turn_when_stop_is_said_is_not_done() -> None:
    async def play() -> None:
        async with _held(Walker(0.0), pace_s=0.0) as live:
            await until(lambda: _motions(live) > 5)
            said = await live.say(COMMANDER, "stop, turn right")
            assert (await heard(live, "control", said.seq)).data == {"act": "stop"}
            await until(lambda: _motions(live, said.seq) > 0)

    run(play)


def test_wait_holds_deeds_but_not_words_until_the_agent_may_go_on() -> None:
    agent = Walker(0.01, **{"what do you see?": "A mug."})

    async def play() -> None:
        async with _held(agent) as live:
            await until(lambda: _motions(live) > 1)
            said = await live.say(COMMANDER, "hang on a second")
            await live.say(COMMANDER, "what do you see?")
            await until(lambda: "A mug." in [event.data.get("text") for event in live.events])
            await until(lambda: live.idle(FOLLOWER))
            assert _motions(live, said.seq) == 0
            going = await live.say(COMMANDER, "ok, go on")
            assert (await heard(live, "control", going.seq)).data == {"act": "resume"}
            await until(lambda: _motions(live, going.seq) > 1)

    run(play)


def test_who_was_told_to_stop_still_has_after_a_restart() -> None:
    journal, agent = Memory(), Walker()

    async def play() -> None:
        async with _held(agent, journal) as live:
            await until(lambda: _motions(live) > 1)
            await live.say(COMMANDER, "stop")
            motions = _motions(live)
        asked = len(agent.seen)
        async with _held(agent, journal) as again:
            await until(lambda: len(agent.seen) > asked + 3)
            assert _motions(again) == motions
            await again.say(COMMANDER, "go on")
            await until(lambda: _motions(again) > motions)

    run(play)


def test_agents_among_themselves_and_commanders_are_not_held() -> None:
    async def play() -> None:
        talker = {COMMANDER: Walker(0.01), FOLLOWER: Walker(0.01)}
        talker[COMMANDER].say[""] = "stop"
        async with held(setting("a", "b"), None, lambda role, spec: talker[role], idle_s=0.02) as live:
            said = await heard(live, "utterance")
            await until(lambda: _motions(live, said.seq) > 3)
            assert "control" not in kinds(live)
        async with held(setting(commander="mine"), None, lambda role, spec: Walker(0.01)) as live:
            said = await live.say(FOLLOWER, "wait")
            await until(lambda: _motions(live, said.seq) > 3)
            assert "control" not in kinds(live)
            await asyncio.sleep(0)

    run(play)


@pytest.mark.parametrize(
    ("said", "by", "changes"),
    [
        (["stop"], Act.STOP, Act.STOP),
        (["stop", "thanks"], Act.STOP, None),
        (["stop", "do not touch the knife"], Act.STOP, None),
        (["stop", "wash the mug"], None, Act.RESUME),
        (["stop", "what is in the fridge?"], None, Act.RESUME),
        (["stop", "gibberish of a kind"], None, Act.RESUME),
        (["stop, put the mug down"], None, Act.STOP),
        (["wait", "what is in the fridge?"], Act.WAIT, None),
        (["wait", "ok"], None, Act.RESUME),
        (["wait", "carry on with the dishes"], None, Act.RESUME),
        (["wait", "stop"], Act.STOP, Act.STOP),
        (["wait, what do you see?"], None, None),
        (["go on"], None, None),
        (["wash the mug"], None, None),
        (["STOP STOP you are spilling it everywhere"], Act.STOP, Act.STOP),
    ],
)
def test_what_is_said_holds_an_agent_or_lets_it_go(said: list[str], by: Act | None, changes: Act | None) -> None:
    hold = Hold()
    assert [hold.hear(text) for text in said][-1] is changes and hold.by is by
    assert hold.bars(LEFT) is (by is not None) and not hold.bars(Action.say("Yes")) and not hold.bars(None)


def test_the_planner_stops_in_its_tracks_and_goes_on_to_the_end() -> None:
    async def play() -> None:
        there = setting(follower="planner", reply_s=0.0, pace_s=0.03)
        async with held(there, None, lambda role, spec: PlannerFollower(), idle_s=0.02) as live:
            await until(lambda: live.idle(FOLLOWER))
            await live.say(COMMANDER, "bring me a fork")
            for word in ("wait", "stop"):
                await until(lambda: kinds(live)[-2:] == ["action", "action"])
                said = await live.say(COMMANDER, word)
                await heard(live, "utterance", said.seq)
                await asyncio.sleep(0.3)
                assert _motions(live, said.seq) == 0
                await live.say(COMMANDER, "go on")
            await until(lambda: live.idle(FOLLOWER))
            assert (await live.screen(COMMANDER))["held"] == "Fork"

    run(play)
