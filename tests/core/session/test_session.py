"""Sessions in worlds of words: any seats, strangers, hooks, a bus, cuts and mishaps."""

from __future__ import annotations

import asyncio
import contextvars
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.agents.contract import Agent
from teach_agents.core.agents.distribution import Reading, distribution_of
from teach_agents.core.bus import MemoryBus
from teach_agents.core.environment import Forced
from teach_agents.core.errors import BusError, InputError, RecordError
from teach_agents.core.messages import (
    EVERYONE,
    SESSION,
    BeginAsked,
    Message,
    ObservationAsked,
    SpeakAsked,
    SpeakDone,
    UnknownPayload,
    UtteranceSaid,
)
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.policies import READING, Probe
from teach_agents.core.session.session import Session
from teach_agents.core.sizes import LONGEST_ERROR, LONGEST_TEXT
from teach_agents.core.values import Result, Say, Stop, Utterance, Wait
from tests.core.session.worlds import Bench, Pair, Put, Script, Sight, read, replayed


def _three() -> dict[str, Script]:
    return {
        "lead": Script(Say("left: a cup"), Say("right: a fork"), Wait(), Stop()),
        "left": Script(Wait(), Put("a cup"), Say("done")),
        "right": Script(Wait(), Wait(), Put("a fork")),
    }


def _plainly(session: Session) -> Any:
    return session.play("x", seed=3)


def _in_an_event_loop(session: Session) -> Any:
    return asyncio.run(session.run("x", seed=3))


def _in_a_notebook(session: Session) -> Any:
    async def cell() -> Any:
        return session.play("x", seed=3)

    return asyncio.run(cell())


every_way = pytest.mark.parametrize("play", [_plainly, _in_an_event_loop, _in_a_notebook])


@every_way
def test_one_who_leads_and_two_who_have_bodies(play: Callable[[Session], Any], tmp_path: Path) -> None:
    path, world, agents = tmp_path / "a.jsonl", Bench(), _three()
    result = play(Session(world, agents, record=path))
    assert (result.end_reason, result.turns, result.details) == ("stopped", 4, "")
    assert world.places == {"lead": (), "left": ("a cup",), "right": ("a fork",)}
    assert dict(result.utterances) == {"lead": 2, "left": 1, "right": 0}
    assert dict(result.costs) == {"lead": 0.0, "left": 1.0, "right": 1.0}
    assert agents["left"].ears == [("lead", "left: a cup"), ("lead", "right: a fork")]
    assert agents["lead"].ears == [("left", "done")]
    assert agents["left"].results[1] == Result(True, "left put a cup")
    assert agents["right"].seen[3] == Sight(9, ("a fork",)), "a body sees its own place"
    assert len({one.briefing.seed for one in agents.values()}) == 3
    assert replayed(path, Bench()).identical


@pytest.mark.parametrize("kept", [1, 2, 3, 4])
def test_a_session_goes_on_where_it_was_cut(kept: int, tmp_path: Path) -> None:
    class Counting(Script):
        relives = True

    def agents() -> dict[str, Agent]:
        return {seat: Counting(*one.actions) for seat, one in _three().items()}

    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    Session(Bench(), agents(), record=whole).play("x")
    lines = whole.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:kept]) + lines[kept][:9])
    again = agents()
    Session(Bench(), again, record=cut).play_on()
    assert cut.read_bytes() == whole.read_bytes()
    assert isinstance(again["left"], Counting) and again["left"].ears[0] == ("lead", "left: a cup")


def test_a_record_of_another_world_or_version_or_of_other_agents_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    Session(Bench(), _three(), record=path).play("x")
    first, *rest = path.read_text(encoding="utf8").splitlines(keepends=True)
    with pytest.raises(RecordError, match=r"of another world; got 'bench'"):
        read(path, Pair())
    for version, problem in ((3, "version of the world 'bench' that is not read here"), (1, ""), ('"2"', "version")):
        path.write_text(first.replace('"world_version":2', f'"world_version":{version}') + "".join(rest))
        if problem:
            with pytest.raises(RecordError, match=problem):
                read(path, Bench())
        else:
            assert len(read(path, Bench()).turns) == 4
    path.write_text(first + rest[0])
    with pytest.raises(RecordError, match="cannot be resumed with another lead agent"):
        Session(Bench(), {**_three(), "lead": lambda seen: Wait()}, record=path).play_on()


def test_what_leads_elsewhere_now_is_not_gone_on_with_and_replay_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    Session(Bench(), _three(), record=path).play("x")
    lines = path.read_text(encoding="utf8").splitlines(keepends=True)
    lines[2] = lines[2].replace("left put a cup", "left put two cups")
    path.write_text("".join(lines))
    (difference,) = replayed(path, Bench()).differences
    assert difference == "turn 1: the left's Put gave success (left put a cup), recorded success (left put two cups)"
    path.write_text("".join(lines[:4]))
    with pytest.raises(RecordError, match="cannot be resumed: turn 1: the left's Put"):
        Session(Bench(), _three(), record=path).play_on()


def test_a_stranger_is_heard_in_what_is_seen_recorded_replayed_and_named(tmp_path: Path) -> None:
    path, heard = tmp_path / "a.jsonl", []

    class Ear(DialogueHook):
        def heard(self, turn: int, listener: Any, utterance: Utterance) -> None:
            heard.append((turn, listener, utterance.speaker))

    agents = {"lead": Script(Wait(), Wait(), Stop()), "left": Script()}
    session = Session(Pair(), agents, record=path).with_hook(Ear())
    session.say("mind the step", as_="guest")
    result = session.play("x")
    assert result.strangers == ("guest",) and dict(result.utterances) == {"lead": 0, "left": 0}
    assert [one.text for one in agents["left"].seen[0].dialogue] == ["mind the step"]
    assert heard == [(0, "lead", "guest"), (0, "left", "guest")]
    assert read(path, Pair()).turns[0].before == (Utterance("guest", "mind the step", 0),)
    assert replayed(path, Pair()).identical


def test_a_stranger_is_heard_by_agents_where_nothing_is_seen_of_it() -> None:
    agents = _three()
    session = Session(Bench(), agents)
    session.say("hello", as_="guest")
    session.play("x")
    assert all(one.ears[0] == ("guest", "hello") for one in agents.values())


@pytest.mark.parametrize("name", ["left", "", " ", 5])
def test_nobody_speaks_under_the_name_of_a_seat_or_what_is_no_name(name: Any) -> None:
    with pytest.raises(InputError, match="a name that is no seat"):
        Session(Bench(), _three()).say("hello", as_=name)


@pytest.mark.parametrize("text", [5, None])
def test_what_is_no_text_is_said_by_nobody(text: Any) -> None:
    session = Session(Bench(), {"lead": Script(Say(text), Stop())})
    with pytest.raises(InputError, match="no text"):
        session.say(text, as_="guest")
    result = session.play("x")
    assert (result.end_reason, result.utterances["lead"], result.failures["lead"]) == ("stopped", 0, 1)


def test_a_session_with_a_bus_is_not_held_off_it(tmp_path: Path) -> None:
    session = Session(Bench(), _three(), bus=MemoryBus(), record=tmp_path / "a.jsonl")
    with pytest.raises(InputError, match=r"with a bus it is held by `await session.run\(...\)`"):
        session.play("x")
    with pytest.raises(InputError, match=r"with a bus it is held by `await session.resume\(\)`"):
        session.play_on()
    assert not list(tmp_path.iterdir())


def test_what_is_no_world_and_what_is_no_hook_are_refused() -> None:
    wrong: Any = object()
    with pytest.raises(InputError, match="needs an Environment"):
        Session(wrong, _three())
    with pytest.raises(InputError, match="needs a DialogueHook"):
        Session(Bench(), _three()).with_hook(wrong)


def test_a_reading_of_who_is_not_there_and_of_what_is_no_action() -> None:
    result = Session(Bench(), _three(), policy=Probe("rigth")).play("x")
    assert result.reason == "InputError: Probe: nobody sits there; got 'rigth'; did you mean 'right'?"
    read_is: list[Any] = []

    class Ear(DialogueHook):
        def turn_executed(self, record: Any) -> None:
            read_is.extend(record.events[0].data["chances"])

    agents = {**_three(), "left": Script("north")}
    assert Session(Bench(), agents, policy=Probe("left")).with_hook(Ear()).play("x").end_reason == "read"
    (((action, share),)) = (read_is[0],)
    assert action["type"] == "NoAction" and "'north', which is no action" in action["problem"] and share == 1.0


def test_what_was_said_too_late_is_not_said_in_the_next_session() -> None:
    def late(seen: Any) -> Any:
        session.say("late", as_="guest")
        return Stop()

    session = Session(Pair(), {"lead": late, "left": Script()})
    assert session.play("x").strangers == ()
    assert session.play("x").strangers == ()


def test_a_session_with_a_stranger_goes_on_and_still_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    session = Session(Pair(), {"lead": Script(Wait(), Wait(), Stop()), "left": Script()}, record=path)
    session.say("mind the step", as_="guest")
    session.play("x")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    agents = {"lead": Script(Stop()), "left": Script()}
    assert Session(Pair(), agents, record=path).play_on().strangers == ("guest",)
    assert [one.text for one in agents["left"].seen[0].dialogue] == ["mind the step"]


def test_a_third_party_speaks_listens_and_sees_nobodys_observation() -> None:
    async def scene() -> tuple[Any, list[Message], Any]:
        bus = MemoryBus(capacity=4096)
        told: list[Message] = []
        tap = bus.subscribe(EVERYONE)
        agents = {"lead": Script(*[Wait()] * 200, Stop()), "left": Script()}
        playing = asyncio.create_task(Session(Pair(), agents, bus=bus).run("x", session_id="s"))

        async def speak(name: str) -> Any:
            asked = SpeakAsked(speaker=name, text="hello")
            request = Message(session="s", sequence=0, sender=name, recipient=SESSION, correlation=name, payload=asked)
            with suppress(BusError):
                return (await bus.request(request, timeout=5)).payload

        while not any(one.kind == "action_executed" for one in told):
            told.append(await tap.receive())
        replies = await asyncio.gather(speak("guest"), speak("left"))
        result = await playing
        await bus.close()
        return result, told + [one async for one in tap], replies

    result, told, replies = asyncio.run(asyncio.wait_for(scene(), 60))
    assert result.strangers == ("guest",) and replies[0] == SpeakDone() and "no seat" in replies[1].problem
    said = [one.payload for one in told if isinstance(one.payload, UtteranceSaid)]
    assert [(one.speaker, one.text) for one in said] == [("guest", "hello")]
    asked = [one.payload for one in told if isinstance(one.payload, ObservationAsked)]
    assert len(asked) == 402 and all(one.observation is None for one in asked)


def test_whatever_strangers_send_harms_nobody(tmp_path: Path) -> None:
    async def scene() -> None:
        bus = MemoryBus(capacity=4096)
        tap = bus.subscribe(EVERYONE)

        async def meddle() -> None:
            async for heard in tap:
                for recipient in (*Bench.seats, SESSION) if heard.sender != "stranger" else ():
                    for payload in (
                        BeginAsked(role="left"),
                        ObservationAsked(turn=0, role="left", observation=Sight(0, ())),
                        UnknownPayload.model_validate({"kind": "nobody_knows", "what": 1}),
                    ):
                        with suppress(BusError):
                            await bus.publish(
                                Message(
                                    session=heard.session,
                                    sequence=0,
                                    sender="stranger",
                                    recipient=recipient,
                                    correlation=heard.correlation,
                                    payload=payload,
                                )
                            )

        meddling = asyncio.create_task(meddle())
        await Session(Bench(), _three(), record=tmp_path / "far.jsonl", bus=bus).run("x")
        await bus.close()
        await meddling

    asyncio.run(asyncio.wait_for(scene(), 60))
    Session(Bench(), _three(), record=tmp_path / "near.jsonl").play("x")
    assert (tmp_path / "far.jsonl").read_bytes() == (tmp_path / "near.jsonl").read_bytes()


class Breaking(Agent):
    """Raises in its second turn."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.asked = 0

    def act(self, observation: Any) -> Any:
        self.asked += 1
        if self.asked == 2:
            raise self.error
        return Wait()


@every_way
@pytest.mark.parametrize(
    "error", [SystemExit(2), StopIteration("x"), asyncio.CancelledError(), ValueError("é" * 99999)]
)
def test_what_an_agent_raises_is_its_crash(
    play: Callable[[Session], Any], error: BaseException, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    result = play(Session(Bench(), {"left": Breaking(error)}, record=path))
    assert (result.end_reason, result.turns, result.success) == ("crashed", 1, False)
    assert result.reason.startswith(f"the left raised {type(error).__name__}: ")
    assert len(result.reason) <= LONGEST_ERROR and len(result.details) <= LONGEST_ERROR
    assert read(path, Bench()).result is not None and replayed(path, Bench()).identical


def test_an_answer_that_is_none_is_the_worlds_to_count_and_so_is_one_that_is_too_long(tmp_path: Path) -> None:
    path, answers = tmp_path / "a.jsonl", (None, "north", Say("x" * (LONGEST_TEXT + 1)), Put("a"), Stop())
    result = Session(Bench(), {"left": Script(*answers)}, record=path).play("x")
    assert dict(result.failures)["left"] == 3 and dict(result.actions)["left"] == 2
    assert [turn.done["left"].action for turn in read(path, Bench()).turns] == [None, None, None, Put("a"), Stop()]


def test_a_late_agent_that_comes_back_touches_nothing(tmp_path: Path) -> None:
    path, back = tmp_path / "a.jsonl", threading.Event()

    def slow(seen: Sight) -> Any:
        time.sleep(0.4 if seen.acts else 0)
        if seen.acts:
            back.set()
        return Put("late")

    world = Bench()
    result = Session(world, {"left": slow}, timeouts=Timeouts(act_s=0.1), record=path).play("x")
    assert (result.end_reason, result.turns) == ("timed_out", 1)
    written = path.read_bytes()
    assert back.wait(5)
    time.sleep(0.05)
    assert path.read_bytes() == written and world.acts == 1


NAMED = contextvars.ContextVar("NAMED", default="nobody")


@every_way
def test_agents_find_the_context_in_which_the_session_was_begun(play: Callable[[Session], Any]) -> None:
    found = []

    async def act(seen: Any) -> Any:
        found.append(NAMED.get())
        return Stop()

    token = NAMED.set("somebody")
    play(Session(Bench(), {"left": act}))
    NAMED.reset(token)
    assert found == ["somebody"]


@pytest.mark.parametrize("after", [0.0, 0.01, 0.03, 0.1])
def test_a_session_that_is_cancelled_at_any_moment_can_be_gone_on_with(after: float, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"

    class Slow(Script):
        relives = True

        async def act(self, observation: Any) -> Any:
            await asyncio.sleep(0.004)
            return super().act(observation)

    def session() -> Session:
        done = [Put(str(number)) for number in range(30)]
        return Session(Bench(), {"left": Slow(*done, Stop()), "right": Slow()}, record=path)

    async def scene() -> None:
        task = asyncio.create_task(session().run("x"))
        while not path.exists():
            await asyncio.sleep(0)
        await asyncio.sleep(after)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(scene())
    assert read(path, Bench()).result is None
    assert session().play_on().turns == 31
    whole = path.read_bytes()
    path.unlink()
    session().play("x")
    assert path.read_bytes() == whole


def test_an_agent_for_other_seats_or_of_unknown_privileges_is_refused_before_anything_begins() -> None:
    class Lead(Script):
        seats = ("lead",)

    class Nosy(Script):
        privileges = frozenset({"evrything"})

    with pytest.raises(InputError, match=r"agent Lead: is not made for this seat; got 'left'; valid: lead"):
        Session(Bench(), {"left": Lead()})
    with pytest.raises(InputError, match="did you mean 'everything'"):
        Session(Bench(), {"left": Nosy()})
    with pytest.raises(InputError, match=r"needs agents for seats of the world; got \['middle'\]"):
        Session(Bench(), {"middle": Script()})


class Sure(Agent):
    """Tells what it would do; the way in which it tells it is given."""

    def __init__(self, told: Any) -> None:
        self.told_so = told

    async def action_distribution(self, observation: Any) -> Any:
        return self.told_so

    def act(self, observation: Any) -> Any:
        raise AssertionError("who tells its distribution is not asked for an action")


@pytest.mark.parametrize("told", [{Put("a"): 0.25, Wait(): 0.75}, [(Wait(), 0.5), (Put("a"), 0.25), (Wait(), 0.25)]])
def test_an_agents_own_distribution_counts(told: Any) -> None:
    reading = asyncio.run(distribution_of(Sure(told), Sight(0, ())))
    assert reading == Reading(((Wait(), 0.75), (Put("a"), 0.25)), "distribution")


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({Wait(): 0.7}, "add up to 1; got 0.7"),
        ({Wait(): 1.5, Put("a"): -0.5}, "not negative"),
        ({Wait(): float("nan")}, "add up to 1"),
        (5, "must be a mapping, or pairs"),
        ({Put("b"): 1.0}, "is none of the valid actions"),
    ],
)
def test_what_is_no_distribution_is_refused(told: Any, problem: str) -> None:
    with pytest.raises(InputError, match=f"agent Sure, action_distribution: .*{problem}"):
        asyncio.run(distribution_of(Sure(told), Sight(0, ()), [Wait(), Put("a")]))


def test_others_are_asked_once_or_so_many_times() -> None:
    answers = iter([Put("a"), Put("b"), Put("a"), Put("a")] + [Wait()])
    agent = Script()
    agent.act = lambda observation: next(answers)  # type: ignore[method-assign]
    reading = asyncio.run(distribution_of(agent, Sight(0, ()), samples=4))
    assert reading == Reading(((Put("a"), 0.75), (Put("b"), 0.25)), "samples:4")
    assert asyncio.run(distribution_of(agent, Sight(0, ()))) == Reading(((Wait(), 1.0),), "one_hot")


def test_a_forced_deed_of_a_seat_where_nobody_sits_is_recorded_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    probe = Probe("left", prefix=[Forced("lead", Say("hello")), Forced("right", Put("a"))])
    left = Script()
    result = Session(Bench(), {"left": left}, policy=probe, record=path).play("x")
    record = read(path, Bench())
    assert (result.end_reason, result.turns, left.ears) == ("read", 3, [("lead", "hello")])
    assert [[(seat, one.forced) for seat, one in turn.done.items()] for turn in record.turns] == [
        [("lead", True)],
        [("right", True)],
        [],
    ]
    assert [one.kind for one in record.turns[-1].events] == [READING] and replayed(path, Bench()).identical


def test_a_reading_may_be_played_on_from(tmp_path: Path) -> None:
    path, ended = tmp_path / "a.jsonl", Session(Bench(), _three()).play("x")
    probe = Probe("left", prefix=[Forced("lead", Say("hello"))], goes_on=True)
    result = Session(Bench(), _three(), policy=probe, record=path).play("x")
    record = read(path, Bench())
    assert (result.end_reason, result.turns) == (ended.end_reason, ended.turns + 1), "the prefix, then all as ever"
    assert [[one.kind for one in turn.events if one.kind == READING] for turn in record.turns[:3]] == [
        [],
        [READING],
        [],
    ]
    assert set(record.turns[1].done) == {"lead", "left", "right"} and replayed(path, Bench()).identical


def test_who_comes_behind_the_end_of_a_turn_does_nothing_in_it_unless_the_world_says_so(tmp_path: Path) -> None:
    class Patient(Bench):
        finishes_turns = True

    for world, acted in ((Bench, ["lead"]), (Patient, ["lead", "left"])):
        path = tmp_path / f"{world.__name__}.jsonl"
        Session(world(), {"lead": Script(Stop()), "left": Script(Put("a cup"))}, record=path).play("x")
        assert [[*turn.done] for turn in read(path, world()).turns] == [acted]


def test_a_session_that_is_being_held_holds_no_other(tmp_path: Path) -> None:
    held = threading.Event()
    session = Session(Bench(), {"lead": lambda seen: Stop() if held.wait(60) else Stop()})
    with ThreadPoolExecutor() as pool:
        first = pool.submit(session.play, "x")
        while True:
            try:
                session.play("y")
            except InputError as error:
                assert "one at a time" in str(error)
                break
        held.set()
        assert first.result(60).end_reason == "stopped"
    assert session.play("y").end_reason == "stopped", "afterwards it does"


def test_what_an_act_costs_is_a_finite_number_or_the_worlds_fault(tmp_path: Path) -> None:
    class Dear(Bench):
        def act(self, seat: Any, action: Any) -> Result:
            return replace(super().act(seat, action), cost=math.nan)

    result = Session(Dear(), {"left": Script(Put("a cup"))}, record=tmp_path / "a.jsonl").play("x")
    assert result.end_reason == "crashed" and "charges the left must be a finite number, not nan" in result.reason
