"""Demonstrations from people's sessions: where a person began something, our Follower's prompt, candidates, and choice.

Two kinds. In "human" the Commander is there: the Follower decides after each of the Commander's utterances and when a
deed is over, and what it said itself is put as our Follower would put it. In "alone" a stretch of a session without
talk is done as in EDH: all that was said before it was heard at once, nobody answers, and at its end is "stop".
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.lm.candidates import STOP, WAIT, Candidate
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.lm.memory_building import training_files
from teach_agents.agents.lm.phrases import command
from teach_agents.benchmarks.solo.player import household_for
from teach_agents.core.benchmark.engines import Job
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.edh import stretches
from teach_agents.data.follower_actions import follower_actions
from teach_agents.data.games import GAME_SUFFIX, Game, read_game
from teach_agents.data.interactions import Interaction, Keyboard
from teach_agents.household import Household
from teach_agents.learning.deeds import Deed, deeds
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.gathering import stored
from teach_agents.learning.matching import is_small_talk, is_spoken_of, matched, meant_as, says_it_is_over
from teach_agents.learning.watching import Replayed, Shadow
from teach_agents.models.deciding import Asked
from teach_agents.observations import Utterance
from teach_agents.understanding.english.speaking import say_report
from teach_agents.understanding.english.values import Instruction, Verb

WORKER = "teach_agents.learning.people:work"
KINDS = ("human", "alone")


@dataclass(frozen=True, slots=True)
class Moment:
    """A point at which our Follower would decide, and what the person did then.

    `choice` is the candidate that it amounts to, `None` where there is none, which `dropped` explains. `deed` is what
    was done, if anything was. `heard` says that the Commander has just spoken.
    """

    kind: str
    asked: Asked
    offered: tuple[Candidate, ...]
    shadow: Shadow
    choice: Candidate | None
    dropped: str = ""
    deed: Deed | None = None
    heard: bool = False


def moments(game: Game, household: Household, prompt: FollowerPrompt, kinds: Sequence[str] = KINDS) -> Iterator[Moment]:
    """The points of a session in order, each while the household stands there; until what was done could not be
    brought about here. Raises `SceneError` or `DefinitionError` when the session cannot be set up."""
    replayed = Replayed(game, household)
    done = game.episode.interactions
    made = deeds(done)
    watchers: dict[str, type[_Told | _Alone]] = {"human": _Told, "alone": _Alone}
    watching = [watcher(replayed, prompt, done, made) for kind, watcher in watchers.items() if kind in kinds]
    for index in range(-1, len(done)):
        if index >= 0:
            replayed.carry_out()
        if replayed.is_lost:
            return
        for one in watching:
            yield from one.after(index)


_Act = Deed | int
"""What a person does of its own accord: a deed, or the index of what it says."""


class _Told:
    """The session with the Commander there."""

    def __init__(
        self, replayed: Replayed, prompt: FollowerPrompt, done: Sequence[Interaction], made: Sequence[Deed]
    ) -> None:
        self._replayed = replayed
        self._shadow = replayed.shadow(prompt)
        self._keyed = {at: one for at, one in enumerate(done) if isinstance(one, Keyboard)}
        self._said: list[str] = []
        self._looked = False
        self._rng = random.Random(len(done))
        self._words = [at for at, one in self._keyed.items() if one.role is Role.COMMANDER]
        self._talk = [at for at, one in self._keyed.items() if _is_word_of_the_followers(one)]
        acts: list[Deed | int] = [*made, *self._talk]
        self._acts = _decided(acts, self._words)
        self._ends = {one.last: one for one in made}
        self._idle = _idle(self._words, [*map(_first, acts)], len(done))
        self._texts: dict[int, str] = {}
        self._reports: dict[int, str] = {}

    def after(self, index: int) -> Iterator[Moment]:
        """What is decided right after an interaction; -1 is before the first."""
        heard = index in self._words
        self._take_in(index)
        act = self._acts.get(index)
        if act is None and index not in self._idle:
            return
        with self._standing():
            if isinstance(act, Deed):
                moment, self._texts[act.first] = _begun("human", act, self._shadow, self._said, heard=heard)
                yield moment
            else:
                yield self._rest(index) if act is None else self._say(act)

    def _standing(self) -> AbstractContextManager[None]:
        """Where our Follower would decide: when it first heard something it looks around, and stays there."""
        if self._looked or not self._shadow.situation.plan.entries:
            return nullcontext()
        self._looked = True
        return self._shadow.looking_around(self._replayed.reached)

    def _take_in(self, index: int) -> None:
        ended, one = self._ends.get(index), self._keyed.get(index)
        if ended and (text := self._texts.get(ended.first)):
            self._shadow.did(text, ended.object_ids)
        if not one or not one.utterance.strip():
            return
        time_ms = round(1000 * one.time_start)
        if one.role is Role.COMMANDER:
            self._said.append(one.utterance)
            self._shadow.hear([Utterance(one.role, one.utterance, time_ms)])
        elif index in self._talk:
            self._shadow.hear([Utterance(one.role, self._reports.get(index, one.utterance), time_ms)])

    def _say(self, index: int) -> Moment:
        asked, offered = self._shadow.question()
        choice = meant_as(self._keyed[index], offered)
        if choice:
            self._reports[index] = " ".join(say_report(one, self._rng) for one in choice.reports)
        return Moment("human", asked, offered, self._shadow, choice, "" if choice else "said what we have no words for")

    def _rest(self, index: int) -> Moment:
        asked, offered = self._shadow.question()
        said, is_last = self._keyed[index], index == self._words[-1]
        meant = STOP if is_last else WAIT
        fits = says_it_is_over(said) if is_last else is_small_talk(said)
        choice = meant if fits and meant in offered else None
        return Moment("human", asked, offered, self._shadow, choice, "" if choice else "did nothing that we know why")


class _Alone:
    """The stretches of the session without talk, each as its own EDH instance."""

    def __init__(
        self, replayed: Replayed, prompt: FollowerPrompt, done: Sequence[Interaction], made: Sequence[Deed]
    ) -> None:
        self._replayed = replayed
        self._prompt = prompt
        self._done = done
        self._plans: dict[int, list[Deed]] = {}
        for one in stretches(done):
            within = [deed for deed in made if one.start <= deed.last < one.end]
            if within:
                self._plans[one.start - 1] = within
        self._shadow: Shadow | None = None
        self._left: list[Deed] = []
        self._text = ""
        self._begun = False

    def after(self, index: int) -> Iterator[Moment]:
        """What is decided right after an interaction."""
        if index in self._plans:
            if self._shadow:
                self._replayed.leave(self._shadow)
            self._shadow = self._replayed.shadow(self._prompt, alone=True)
            self._shadow.hear(self._replayed.household.dialogue)
            self._shadow.situation.untouched = not follower_actions(self._done[: index + 1])
            self._left, self._begun = [*self._plans[index]], False
            with self._shadow.looking_around(self._replayed.reached):
                yield self._next(index)
        elif self._shadow and self._left and index == self._left[0].last:
            deed = self._left.pop(0)
            if self._text:
                self._shadow.did(self._text, deed.object_ids)
                self._begun = True
            yield self._next(index)

    def _next(self, index: int) -> Moment:
        shadow = self._shadow
        assert shadow, "there is a stretch"
        if not self._left:
            asked, offered = shadow.question()
            self._replayed.leave(shadow)
            self._shadow = None
            dropped = "" if self._begun else "did nothing that was spoken of"
            return Moment("alone", asked, offered, shadow, STOP if self._begun else None, dropped)
        past = self._done[: index + 1]
        said = [one.utterance for one in past if isinstance(one, Keyboard) and one.role is Role.COMMANDER]
        moment, self._text = _begun("alone", self._left[0], shadow, said)
        return moment


def _begun(kind: str, deed: Deed, shadow: Shadow, said: Sequence[str], *, heard: bool = False) -> tuple[Moment, str]:
    """The moment at which a deed is begun, and the command that it counts as from then on, "" for none."""
    asked, offered = shadow.question()
    choice = _choice(deed, offered, shadow.body, said)
    if not is_spoken_of(deed, said):
        text, dropped = "", "did what was not spoken of"
    elif choice:
        text, dropped = choice.text, ""
    else:
        text, dropped = command(deed.instruction), f"not offered: {deed.instruction.verb}"
    return Moment(kind, asked, offered, shadow, None if dropped else choice, dropped, deed, heard), text


def _choice(deed: Deed, offered: Sequence[Candidate], body: Body, said: Sequence[str]) -> Candidate | None:
    """The candidate that a deed is; what was just spoken of and put where nobody told was fetched."""
    found = matched(deed, offered, body)
    made = deed.instruction
    if found or made.verb is not Verb.PUT or body.held:
        return found
    fetched = replace(deed, instruction=Instruction(Verb.PICK_UP, made.what), where_id="")
    return matched(fetched, offered, body) if is_spoken_of(fetched, said[-1:]) else None


def _is_word_of_the_followers(one: Keyboard) -> bool:
    """Whether a Follower said more than small talk."""
    words = one.role is Role.FOLLOWER and bool(one.utterance.strip())
    return words and (not is_small_talk(one) or says_it_is_over(one))


def _first(act: _Act) -> int:
    return act.first if isinstance(act, Deed) else act


def _last(act: _Act) -> int:
    return act.last if isinstance(act, Deed) else act


def _decided(acts: Sequence[_Act], words: Sequence[int]) -> dict[int, _Act]:
    """By the index after which our Follower would decide on it: each act. That is when it last heard or ended one."""
    points = {-1, *words, *map(_last, acts)}
    found: dict[int, _Act] = {}
    for act in sorted(acts, key=_first):
        point = max(point for point in points if point < _first(act))
        found.setdefault(point, act)
    return found


def _idle(words: Sequence[int], firsts: Sequence[int], end: int) -> list[int]:
    """The indices of words upon which nothing was done or said, `firsts`, before the next ones."""
    pairs = pairwise([*words, end])
    return [word for word, then in pairs if not any(word < first < then for first in firsts)]


def demonstrations_of(game: Game, household: Household) -> tuple[list[Demonstration], JsonObject]:
    """A session's demonstrations, each kind's together, and what is to be told of it as JSON.

    Raises what `moments` raises.
    """
    from teach_agents_prompts import load_prompts

    own = load_prompts(None).only("lm_follower*", "lm_choices", "repair")
    found: list[Demonstration] = []
    dropped: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for one in moments(game, household, FollowerPrompt(own)):
        kind, asked, choice = one.kind, one.asked, one.choice
        if not choice:
            dropped[f"{kind}: {one.dropped}"] += 1
            continue
        texts = tuple(candidate.text for candidate in one.offered)
        found.append(Demonstration(game.game_id, kind, Role.FOLLOWER, asked.system, asked.user, texts, choice.text))
        labels[f"{kind}: {_sort_of(choice)}"] += 1
    return sorted(found, key=lambda one: KINDS.index(one.kind)), {
        "room": game.episode.room,
        "task": game.task.task_name,
        "dropped": dict(dropped),
        "labels": dict(labels),
    }


def _sort_of(choice: Candidate) -> str:
    instruction = choice.instruction
    return instruction.verb.value if instruction else " ".join(choice.text.split()[:2])


def sources(games: str | Path, *, limit: int | None = None) -> list[Job]:
    """The sessions of a folder as work for a `Gathering` with `WORKER`; `limit` draws some, the same each time.

    Raises `InputError` for sessions that agents are judged by.
    """
    files = training_files(games)
    if limit is not None and limit < len(files):
        files = sorted(random.Random(0).sample(files, limit))
    return [Job(file.name.removesuffix(GAME_SUFFIX), {"game": str(file.resolve())}) for file in files]


def work(payload: JsonMapping) -> JsonObject:
    """The job of a `Gathering`: watch one session."""
    return stored(payload, lambda: demonstrations_of(read_game(Path(payload["source"]["game"])), _household()))


@cache
def _household() -> Household:
    """One household a process."""
    return household_for("embedded")
