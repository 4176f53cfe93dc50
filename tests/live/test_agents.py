"""Agents in live sessions: when they are asked, what they see, and that none of them harms the session."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.planner import PlannerFollower
from teach_agents.agents.random_agents import RandomFollower
from teach_agents.agents.scripted import ScriptedAgent
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.session.context import Timeouts
from teach_agents.errors import PrivilegeError
from teach_agents.household import Household
from teach_agents.live import LiveError, LiveSession, household_for, record_of
from teach_agents.observations import Observation, Privilege
from teach_agents.session import replay
from tests.live.support import FORWARD, LEFT, LIMIT_S, Memory, heard, held, kinds, run, setting, until

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER
WAIT = Action.wait()


class Told(Agent):
    """Answers as it is told to, and keeps what it sees."""

    def __init__(self, answer: Callable[[Observation], Any], *privileges: Privilege) -> None:
        self._answer = answer
        self.privileges = frozenset(privileges)
        self.seen: list[Observation] = []
        self.briefings: list[Briefing] = []

    def begin(self, briefing: Briefing) -> None:
        self.briefings.append(briefing)

    def act(self, observation: Observation) -> Action:
        self.seen.append(observation)
        answer: Action = self._answer(observation)
        return answer


def _held(agent: Agent, journal: Memory | None = None, **options: Any) -> Any:
    return held(setting(follower="mine"), journal, lambda role, spec: agent, **options)


def test_an_agent_is_asked_when_there_is_news_and_else_now_and_then() -> None:
    agent = Told(lambda seen: WAIT)

    async def play() -> None:
        async with _held(agent, idle_s=LIMIT_S) as live:
            await until(lambda: live.idle(FOLLOWER))
            await live.act(COMMANDER, FORWARD)
            await live.act(COMMANDER, Action.progress_check())
            assert live.idle(FOLLOWER), "of that it sees and hears nothing"
            await live.say(COMMANDER, "hello")
            assert not live.idle(FOLLOWER)
            await until(lambda: live.idle(FOLLOWER))
            assert [seen.heard() for seen in agent.seen] == [None, "hello"]
            assert agent.briefings == [Briefing("live1", FOLLOWER, agent.briefings[0].seed, person=True)]
        async with _held(agent, idle_s=0.01):
            await until(lambda: len(agent.seen) > 14)
            assert [seen.turn for seen in agent.seen[2:6]] == [0, 1, 2, 3], "it is asked by and by"

    run(play)


def test_waiting_agents_are_asked_ever_more_rarely() -> None:
    agent = Told(lambda seen: WAIT)

    async def play() -> None:
        async with _held(agent, idle_s=0.01):
            began = time.monotonic()
            await until(lambda: len(agent.seen) >= 21)
            assert time.monotonic() - began >= 10 * 0.01 + 9 * 0.02

    run(play)


def test_an_agent_that_talks_to_itself_does_so_ever_more_rarely() -> None:
    agent = Told(lambda seen: Action.say("anybody?") if seen.turn % 5 == 4 else WAIT)

    async def play() -> None:
        async with _held(agent, idle_s=0.01) as live:
            began = time.monotonic()
            await until(lambda: len(live.record().turns) == 5)
            assert time.monotonic() - began >= 10 * 0.01 + 9 * 0.02

    run(play)


def test_the_first_look_is_at_a_silent_room_even_if_a_person_was_quicker() -> None:
    ready = threading.Event()
    agent = Told(lambda seen: WAIT)

    def build(role: Role, spec: str) -> Agent:
        assert ready.wait(LIMIT_S)
        return agent

    async def play() -> None:
        async with held(setting(follower="mine"), None, build, idle_s=LIMIT_S) as live:
            await live.say(COMMANDER, "clean the mug")
            assert (await live.screen(COMMANDER))["ready"] == {"follower": False}
            ready.set()
            await until(lambda: len(agent.seen) == 2)
            assert [seen.heard() for seen in agent.seen] == [None, "clean the mug"]

    run(play)


def test_an_agent_sees_its_own_last_action_and_acts_again_at_once() -> None:
    agent = Told(lambda seen: LEFT if seen.last_action is None else WAIT)

    async def play() -> None:
        async with _held(agent, idle_s=LIMIT_S) as live:
            await until(lambda: live.idle(FOLLOWER))
            assert [seen.last_action for seen in agent.seen] == [None, LEFT]
            result = agent.seen[1].last_result
            assert result is not None and result.success

    run(play)


def test_privileged_parts_are_of_the_moment_and_pictures_of_the_present() -> None:
    asked, go_on = threading.Event(), threading.Event()
    found: dict[str, Any] = {}

    def look(seen: Observation) -> Action:
        if found:
            return WAIT
        asked.set()
        assert go_on.wait(LIMIT_S)
        found["ids"] = seen.privileged.segmentation.ids
        found["visible"] = seen.privileged.visible
        found["rows"] = {row["objectId"]: row["visible"] for row in seen.privileged.objects}
        found["reachable"] = seen.privileged.reachable
        found["depth"] = seen.privileged.depth
        assert seen.follower_view is not None
        found["rgb"] = seen.follower_view.rgb
        with pytest.raises(PrivilegeError):
            Observation(seen.role, 0, seen.pose, seen.view).privileged.depth  # noqa: B018
        return WAIT

    agent = Told(look, *(one for one in Privilege if one != Privilege.GROUND_TRUTH))

    async def play() -> None:
        async with held(setting(commander="mine"), None, lambda role, spec: agent) as live:
            await until(asked.is_set)
            household = household_for(live.setting)
            household.reset(live.setting.scenario)
            then = household.observe(COMMANDER, agent.privileges)
            await live.act(FOLLOWER, LEFT)
            go_on.set()
            await until(lambda: "rgb" in found)
            assert (found["ids"] == then.privileged.segmentation.ids).all()
            assert (found["depth"] == then.privileged.depth).all()
            assert found["visible"] == then.privileged.visible
            assert found["rows"] == {row["objectId"]: row["visible"] for row in then.privileged.objects}
            assert found["reachable"] == then.privileged.reachable
            assert (found["rgb"] == await live.picture("view", FOLLOWER, 300)).all()
            assert then.follower_view is not None and (found["rgb"] != then.follower_view.rgb).any()

    run(play)


def test_who_has_skills_act_states_what_these_read() -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(), journal) as live:
            seen = await live.observe(FOLLOWER, {Privilege.DEPTH})
            await live.observe(FOLLOWER, {Privilege.OBJECTS})
            await live.observe(FOLLOWER, {Privilege.OBJECTS})
            assert seen.privileged.depth.shape == (300, 300)
            await until(lambda: kinds(live) == ["began", "joined", "joined"])
        async with held(setting(), journal) as again:
            await again.end()
            record = again.record()
            assert record.header.privileges == {COMMANDER: (), FOLLOWER: ("depth", "objects")}
            assert (record.result or {})["privileges"]["follower"] == ["depth", "objects"]
            assert record_of(again.setting, journal.lines).header == record.header

    run(play)


def test_what_an_agent_reads_is_what_it_declared_when_it_took_its_chair() -> None:
    def grown(seen: Observation) -> Action:
        agent.privileges = frozenset({Privilege.OBJECTS})
        return FORWARD if not seen.turn else Action.say(f"{len(seen.privileged.objects)} things")

    agent = Told(grown)

    async def play() -> None:
        async with _held(agent) as live:
            failed = await heard(live, "failed")
            assert failed.data["problem"].startswith("raised PrivilegeError: privileged information 'objects'")
            assert live.record().header.privileges[FOLLOWER] == ()

    run(play)


def _raising(seen: Observation) -> Action:
    raise SystemExit("out of my depth")


def _hanging(seen: Observation) -> Action:
    time.sleep(5)
    return WAIT


def _no_action(seen: Observation) -> Any:
    return "Forward" if seen.turn == 0 else WAIT


class Broken(Agent):
    """Cannot even begin."""

    def begin(self, briefing: Briefing) -> None:
        raise KeyError("weights")

    def act(self, observation: Observation) -> Action:
        raise AssertionError("it never got ready")


@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        (Told(_raising), "raised SystemExit: out of my depth"),
        (Broken(), "raised KeyError: 'weights'"),
        (Told(_hanging), "gave no answer within 0.1 s"),
        (PlannerFollower(), ""),
    ],
)
def test_an_agent_that_fails_leaves_the_session_alive_and_can_be_tried_again(agent: Agent, problem: str) -> None:
    made: list[Agent] = []
    journal = Memory()

    def build(role: Role, spec: str) -> Agent:
        if not made and not problem:
            made.append(agent)
            raise ImportError("no such agent")
        made.append(agent if not made else PlannerFollower())
        return made[-1]

    async def play() -> None:
        limits = Timeouts(begin_s=10, act_s=0.1 if "no answer" in problem else 10)
        async with held(setting(follower="mine"), journal, build, timeouts=limits) as live:
            failed = await heard(live, "failed")
            assert failed.role is FOLLOWER and failed.data["problem"] == (
                problem or "raised ImportError: no such agent"
            )
            assert "Traceback" not in str(failed) and live.status == "running" and live.idle(FOLLOWER)
            await live.say(COMMANDER, "are you there?")
            assert (await live.screen(COMMANDER))["failed"] == {"follower": failed.data["problem"]}
            await live.retry(COMMANDER)
            if "no answer" in problem:
                return
            await live.retry()
            said = await heard(live, "utterance", after=failed.seq + 1)
            assert said.role is FOLLOWER and (await live.screen())["failed"] == {}

    run(play)
    assert journal.lines[0]["events"][0]["kind"] == "began"


def test_who_takes_over_hears_what_nobody_has_answered() -> None:
    made: list[Told] = []

    def build(role: Role, spec: str) -> Agent:
        made.append(Told(lambda seen: WAIT) if made else Told(lambda seen: _raising(seen) if seen.heard() else WAIT))
        return made[-1]

    async def play() -> None:
        async with held(setting(follower="mine"), None, build, idle_s=LIMIT_S) as live:
            await until(lambda: live.idle(FOLLOWER))
            await live.say(COMMANDER, "wash the mug")
            await heard(live, "failed")
            await live.retry(FOLLOWER)
            await until(lambda: len(made) == 2 and len(made[1].seen) == 2)
            assert [seen.heard() for seen in made[1].seen] == [None, "wash the mug"]
            assert made[1].briefings[0].resumed and not made[0].briefings[0].resumed

    run(play)


def test_an_answer_that_is_no_action_is_a_failed_turn() -> None:
    agent = Told(_no_action)

    async def play() -> None:
        async with _held(agent) as live:
            event = await heard(live, "action")
            assert event.data["action"] is None and "no Action" in event.data["result"]["message"]
            await until(lambda: live.idle(FOLLOWER))
            assert agent.seen[1].last_action is None and agent.seen[1].last_result is not None
            await live.end()
            assert (live.record().result or {})["failures"]["follower"] == 1
            assert replay(live.record(), household_for(live.setting)).identical

    run(play)


def test_thinking_is_told_and_thoughts_are_kept() -> None:
    class Thinker(Told):
        def act(self, observation: Observation) -> Action:
            if observation.turn > 1:
                return WAIT
            time.sleep(0.4)
            self.thought = {"plan": ["look around"]} if observation.turn == 0 else None
            return LEFT if observation.turn == 0 else WAIT

    async def play() -> None:
        async with _held(Thinker(_no_action)) as live:
            first = await heard(live, "thought")
            second = await heard(live, "thought", after=first.seq)
            assert kinds(live)[2:] == ["thinking", "action", "thought", "thinking", "thought"]
            assert first.data["thought"] == {"plan": ["look around"]} and first.data["seconds"] >= 0.4
            assert second.data["thought"] == {} and second.data["turn"] is None
            assert live.record().turns[0].thoughts == {FOLLOWER: {"plan": ["look around"]}}
            assert first.to_json(COMMANDER) == first.to_json() == first.to_json(FOLLOWER)

    run(play)


def test_who_takes_long_to_be_ready_or_to_answer_first_is_told_of_within_half_a_second() -> None:
    class Heavy(Told):
        def begin(self, briefing: Briefing) -> None:
            time.sleep(0.6)

        def act(self, observation: Observation) -> Action:
            time.sleep(0.6)
            return WAIT

    async def play() -> None:
        async with _held(Heavy(_no_action), idle_s=0.01) as live:
            ready = await heard(live, "getting_ready")
            assert ready.role is FOLLOWER and ready.time_ms < 500 and ready.to_json(COMMANDER) == ready.to_json()
            first = await heard(live, "thinking", after=ready.seq)
            second = await heard(live, "thinking", after=first.seq)
            assert first.data == {"first": True} and second.data == {}

    run(play)


def test_agents_keep_the_pace() -> None:
    async def play() -> None:
        there = setting(follower="mine", pace_s=0.1)
        async with held(there, None, lambda role, spec: ScriptedAgent([LEFT] * 4)) as live:
            await until(lambda: len(live.record().turns) == 4)
            times = [event.time_ms for event in live.events if event.kind == "action"]
            assert min(b - a for a, b in zip(times, times[1:], strict=False)) >= 95

    run(play)


def test_agents_leave_people_time_to_react_to_what_they_said() -> None:
    words = [Action.say("Hello"), Action.progress_check(), Action.say("We make coffee"), Action.say("Wash a mug")]

    async def said(live: LiveSession, count: int) -> None:
        await until(lambda: kinds(live).count("utterance") == count)

    async def play() -> None:
        there = setting(commander="mine", reply_s=LIMIT_S)
        async with held(there, None, lambda role, spec: ScriptedAgent(words)) as live:
            await until(lambda: kinds(live)[-1] == "action")
            await asyncio.sleep(0.05)
            assert kinds(live).count("utterance") == 1 and not live.idle(COMMANDER)
            await live.act(FOLLOWER, LEFT)
            await said(live, 2)
            await live.say(FOLLOWER, "Which mug?")
            await said(live, 4)
        async with held(replace(there, reply_s=0.1), None, lambda role, spec: ScriptedAgent(words)) as live:
            await said(live, 3)
            times = [event.time_ms for event in live.events if event.kind == "utterance"]
            assert min(b - a for a, b in zip(times, times[1:], strict=False)) >= 95, "nobody did anything"

    run(play)


def test_followers_report_at_once_and_agents_do_not_wait_for_each_other() -> None:
    deeds = [Action.say("Okay"), LEFT, Action.say("Done")]

    async def play() -> None:
        async with held(
            setting(follower="mine", reply_s=LIMIT_S), None, lambda role, spec: ScriptedAgent(deeds)
        ) as live:
            await until(lambda: kinds(live).count("utterance") == 2)
        talk = {role: ScriptedAgent([Action.say("Hello")] * 3) for role in Role}
        async with held(setting("a", "b", reply_s=LIMIT_S), None, lambda role, spec: talk[role]) as live:
            await until(lambda: kinds(live).count("utterance") == 6)

    run(play)


def test_a_followers_stop_ends_nothing_that_a_person_could_go_on_with() -> None:
    agent = Told(lambda seen: Action.stop() if seen.heard() in (None, "go on") else WAIT)

    async def play() -> None:
        async with _held(agent, idle_s=0.01) as live:
            stopped = await heard(live, "action")
            assert stopped.data["action"] == {"name": "Stop"}
            await until(lambda: live.idle(FOLLOWER))
            await asyncio.sleep(0.05)
            assert len(agent.seen) == 1 and live.status == "running"
            await live.say(COMMANDER, "go on")
            await heard(live, "action", after=stopped.seq)
        other = {COMMANDER: Told(lambda seen: WAIT), FOLLOWER: agent}
        async with held(setting("a", "b"), None, lambda role, spec: other[role]) as live:
            assert (await heard(live, "ended")).data["reason"] == "stopped"

    run(play)


@pytest.mark.parametrize(("action", "reason"), [(Action.click("Pickup", 0.0, 0.0), "failure_limit")])
def test_agents_among_themselves_are_stopped(action: Action, reason: str) -> None:
    other = {COMMANDER: Told(lambda seen: WAIT), FOLLOWER: Told(lambda seen: action)}

    async def play() -> None:
        async with held(setting("a", "b"), None, lambda role, spec: other[role], idle_s=0.001) as live:
            assert (await heard(live, "ended")).data["reason"] == reason
            assert (live.record().result or {})["failures"]["follower"] == 30

    run(play)


def test_the_household_belongs_to_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    clashes: list[str] = []

    def alone(name: str) -> None:
        there = getattr(Household, name)

        def watched(*arguments: Any, **options: Any) -> Any:
            me = threading.get_ident()
            if inside and inside[-1] != me:
                clashes.append(name)
            inside.append(me)
            try:
                return there(*arguments, **options)
            finally:
                inside.pop()

        monkeypatch.setattr(Household, name, watched)

    def stare(seen: Observation) -> Action:
        assert seen.view.rgb.shape == (64, 64, 3) and seen.overhead is not None
        assert seen.overhead.rgb.shape == (64, 64, 3)
        return [LEFT, FORWARD, Action("Look Up"), Action("Look Down")][seen.turn % 4]

    async def play() -> None:
        agent = Told(stare, Privilege.OBJECTS, Privilege.SEGMENTATION)
        async with held(setting(follower="mine", view_size=64), None, lambda role, spec: agent) as live:
            for name in ("act", "observe", "progress", "click_for"):
                alone(name)

            async def look(live: LiveSession) -> None:
                for number in range(15):
                    await live.picture("view", COMMANDER, 64 + number)
                    await live.targets("Open")
                    await live.screen(COMMANDER)
                    await live.say(COMMANDER, str(number))
                    await live.act(COMMANDER, Action.progress_check())

            await asyncio.gather(*(look(live) for _ in range(3)))
            assert len(agent.seen) > 10 and not clashes
            assert (await live.screen(COMMANDER))["failed"] == {}
            await live.end()
            monkeypatch.undo()
            assert replay(live.record(), household_for(live.setting)).identical

    run(play)


def test_pictures_that_there_are_not_are_refused() -> None:
    async def play() -> None:
        async with held(setting(follower="random"), None, lambda role, spec: RandomFollower(seed=1)) as live:
            for name, role, match in (
                ("view2", FOLLOWER, "no picture"),
                ("target_view", COMMANDER, "before a search"),
                ("follower_view", FOLLOWER, "Follower's screen"),
            ):
                with pytest.raises(LiveError, match=match) as refused:
                    await live.picture(name, role, 64)
                assert refused.value.kind == "no_picture"
            with pytest.raises(ValueError, match="pixels"):
                await live.picture("overhead", FOLLOWER, 5000)
            with pytest.raises(ValueError, match="takes no click"):
                await live.targets("Forward")

    run(play)
