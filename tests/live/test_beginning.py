"""How a live session with a Follower begins: nobody waits for weights to be greeted, answered and kept informed."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from teach_agents.actions import Action, Role
from teach_agents.agents.dialogue.response_phrases import GREETING
from teach_agents.agents.lm.follower import lm_follower
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.live import make_scenario
from teach_agents.models import LanguageModel
from teach_agents.models.prompts import Completion, Prompt
from teach_agents.observations import Observation
from tests.live.support import LIMIT_S, heard, held, run, setting

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER


class Loading(LanguageModel):
    """A model whose weights are not there before `there` is set."""

    def __init__(self) -> None:
        self.there = threading.Event()
        self.asked = 0

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        self.asked += 1
        assert self.there.wait(LIMIT_S)
        return [Completion("wait") for _ in prompts]


def test_a_person_is_greeted_and_answered_while_the_model_loads() -> None:
    model = Loading()

    async def play() -> None:
        made_of = setting(follower="mine", scenario=make_scenario(room="FloorPlan7"))
        agent = lm_follower(model, understanding="rules")
        async with held(made_of, None, lambda role, spec: agent) as live:
            asked = await live.say(COMMANDER, "What do you see?")
            hello = await heard(live, "utterance", asked.seq)
            answer = await heard(live, "utterance", hello.seq)
            assert hello.data["text"] == GREETING
            assert answer.role is FOLLOWER and "I see" in answer.data["text"]
            assert answer.data["reply_to"] == asked.seq
            assert not model.asked

    try:
        run(play)
    finally:
        model.there.set()


class Late(Agent):
    """Says hello once a person has spoken, which it does not know yet; then answers."""

    def __init__(self) -> None:
        self.spoken_to = threading.Event()

    def act(self, observation: Observation) -> Action:
        if not observation.dialogue:
            assert self.spoken_to.wait(LIMIT_S)
            return Action.say("Hello!")
        return Action.say("Two mugs.") if len(observation.dialogue) == 2 else Action.wait()


def test_who_spoke_while_the_other_looked_for_words_waits_for_no_reaction_of_their_own() -> None:
    agent = Late()

    async def play() -> None:
        began = time.monotonic()
        async with held(setting(follower="mine", reply_s=LIMIT_S), None, lambda role, spec: agent) as live:
            asked = await live.say(COMMANDER, "How many mugs are there?")
            agent.spoken_to.set()
            hello = await heard(live, "utterance", asked.seq)
            answer = await heard(live, "utterance", hello.seq)
            assert answer.data["text"] == "Two mugs."
            assert time.monotonic() - began < LIMIT_S / 2

    run(play)


def test_getting_ready_and_answering_first_are_announced_as_one_wait() -> None:
    class Slow(Agent):
        def begin(self, briefing: Briefing) -> None:
            time.sleep(0.25)

        def act(self, observation: Observation) -> Action:
            time.sleep(0.6)
            return Action.wait()

    async def play() -> None:
        async with held(setting(follower="mine"), None, lambda role, spec: Slow()) as live:
            async for event in live.follow():
                if event.kind in ("getting_ready", "thinking"):
                    assert event.time_ms < 500
                    return

    run(play)
