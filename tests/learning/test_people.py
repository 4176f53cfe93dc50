from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from teach_agents_prompts import load_prompts

from teach_agents.actions import Role
from teach_agents.agents.history import History
from teach_agents.agents.lm.candidates import Candidate, Kind
from teach_agents.agents.lm.follower import LanguageFollower
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.benchmarks.edh.player import EdhPlayer
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference as Instance
from teach_agents.core.benchmark.statistics import wilson
from teach_agents.data import Game, write_game
from teach_agents.data.edh import edh_id, stretches
from teach_agents.data.interactions import Interaction, Keyboard
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.matching import is_small_talk, meant_as
from teach_agents.learning.people import demonstrations_of, moments, sources
from teach_agents.learning.understanding import OFFERED, by_majority, figures, heard_in, majority
from teach_agents.models import Completion, LanguageModel, Prompt
from teach_agents.models.deciding import Decider
from teach_agents.understanding.english.values import Instruction, Reference, Verb
from tests.benchmarks.edh.sessions import errand, household

WORDS = {0: ("C", "please put the mug on the counter", ""), 7: ("F", "ok what now?", "RequestForInstruction")}
LAST = ("C", "that is all, we are done", "FeedbackPositive")


def _said(one: Interaction, role: str, text: str, act: str) -> Keyboard:
    assert isinstance(one, Keyboard)
    who = Role.COMMANDER if role == "C" else Role.FOLLOWER
    acts = {"text_segments": [text], "das": [act]} if act else None
    return replace(one, role=who, utterance=text, corrected_utterance=None, da_metadata=acts)


@cache
def _game() -> Game:
    """A mug is asked for and put down, the Follower asks on, takes it up again unasked, and it is over."""
    game = errand()
    episode = game.episode
    done = [
        _said(one, *WORDS.get(at, LAST)) if isinstance(one, Keyboard) else one
        for at, one in enumerate(episode.interactions)
    ]
    return replace(game, episodes=(replace(episode, interactions=tuple(done)),))


@cache
def _made() -> tuple[list[Demonstration], dict[str, dict[str, int]]]:
    return demonstrations_of(_game(), household())


def test_a_persons_deeds_and_words_become_choices_of_our_follower() -> None:
    made = [one for one in _made()[0] if one.kind == "human"]
    assert [one.choice for one in made][:2] == ["put the mug on the counter top", "report that it is done"]
    assert made[-1].choice == "stop"
    assert made[0].user.startswith("Commander: please put the mug on the counter\nYou see: ")
    assert "(put the mug on the counter top: done)" in made[1].user
    assert "ok what now?" not in made[-1].user
    assert all(one.role is Role.FOLLOWER and one.choice in one.choices for one in made)


def test_alone_all_was_said_and_at_the_end_is_stop() -> None:
    made = [one for one in _made()[0] if one.kind == "alone"]
    assert [one.choice for one in made][:2] == ["put the mug on the counter top", "stop"]
    assert all("Nobody answers any more." in one.user for one in made)


def test_what_is_told_of_a_session_counts_labels() -> None:
    made, told = _made()
    assert sum(told["labels"].values()) == len(made)
    assert told["labels"]["human: put"] == 1


def test_a_followers_words_are_meant_by_their_acts() -> None:
    asked = errand().episode.interactions[0]
    where = _said(asked, "F", "where is the mug", "RequestForObjectLocationAndOtherDetails")
    offered = [Candidate("ask what to do", Kind.SAY), Candidate("report that it is done", Kind.SAY)]
    assert meant_as(where, offered) is None
    assert meant_as(_said(asked, "F", "next?", "RequestForInstruction"), offered[:1]) == offered[0]
    assert meant_as(_said(asked, "F", "all done", "Acknowledge"), offered) == offered[1]
    assert is_small_talk(_said(asked, "F", "ok", "Acknowledge"))


def test_sessions_of_other_splits_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "valid_seen"
    folder.mkdir()
    (folder / "a.game.json").write_text("{}")
    with pytest.raises(InputError, match="is of a split that agents are judged by"):
        sources(folder)


def test_understanding_compares_verb_and_type_with_what_was_done() -> None:
    mug = Reference("Mug")
    choosers = {
        "right": by_majority(Instruction(Verb.PUT, mug, Reference("Fridge"))),
        "class": by_majority(Instruction(Verb.PUT, Reference("Drinkware", None))),
        "verb": by_majority(Instruction(Verb.PICK_UP, mug)),
        "type": by_majority(Instruction(Verb.PUT, Reference("Plate"))),
    }
    (heard,) = heard_in(_game(), household(), choosers)
    assert heard.begun_alike == {"right": True, "class": False, "verb": True, "type": False}
    assert heard.understood == {"right": True, "class": True, "verb": False, "type": False, OFFERED: True}
    told = figures([heard, replace(heard, room="another")])
    assert told["n"] == 2
    assert told["systems"]["right"] == {"right": 2, "share": 1.0, "ci": wilson(1.0, 2)}


def test_the_majority_is_what_is_done_most_often_after_words() -> None:
    most = majority([_game()])
    assert (most.verb, most.what) == (Verb.PUT, Reference("Mug", definite=True))


class _Listening(LanguageModel):
    """Keeps what it is asked, and stops."""

    constrains = True

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        self.asked += prompts
        return [Completion("stop") for _ in prompts]


LISTENING = _Listening()


class ListeningFollower(LanguageFollower):
    def __init__(self, history: History) -> None:
        own = load_prompts(None).only("lm_follower*", "lm_choices", "repair")
        super().__init__(Decider(LISTENING, own), perception_of("oracle"), FollowerPrompt(own), history=history)


def test_alone_the_prompt_is_the_one_that_the_benchmark_shows(tmp_path: Path) -> None:
    path = tmp_path / "train" / "recorded.game.json"
    path.parent.mkdir()
    write_game(_game(), path)
    (first, *_) = stretches(_game().episode.interactions)
    player = EdhPlayer(Settings(follower=f"{__name__}:ListeningFollower"))
    player.play(Instance(edh_id("recorded", first.number), "train", str(path)))
    alone = next(one for one in _made()[0] if one.kind == "alone")
    assert LISTENING.asked[0].messages[-1].text == alone.user
    assert LISTENING.asked[0].choices == alone.choices


def test_what_a_choice_would_begin_with_is_found_out_without_a_trace() -> None:
    def asked(*, trying: bool) -> list[tuple[str, tuple[str, ...]]]:
        found = []
        for one in moments(_game(), household(), FollowerPrompt(load_prompts(None)), kinds=("human",)):
            found.append((one.asked.user, tuple(candidate.text for candidate in one.offered)))
            if trying:
                clicks = [one.shadow.first_click(candidate) for candidate in one.offered]
                assert any(clicks), "something can be done"
                assert [candidate.text for candidate in one.shadow.question()[1]] == [*found[-1][1]]
        return found

    assert asked(trying=True) == asked(trying=False)
