"""How often an agent understands people: it chooses what the person did next.

Counted is every utterance of a Commander that precedes an interaction: the Follower's next successful click on an
object comes before the Commander's next words, and the Follower said no more than small talk in between. What the
person did is the deed that this click begins (`deeds`: clicks up to the Commander's next words, folded into commands).
The agent is asked where the utterance was heard, with what our Follower would know there (`watching`). It understands
when its choice is a command with the deed's verb, and with a noun that is the deed's object type, or a class that the
type is of; where a thing is put is not compared, of what is looked into the place is. An utterance counts whatever the
deed is, and whether it is offered or not. Beside that the same is told of those utterances alone whose deed is of what
was spoken of (`matching.is_spoken_of`): people also clear things out of their way.

Commands leave room: "put the bread on the counter" and "pick up the bread" begin alike. So it is told, too, how often
carrying the choice out where the person stood begins with what the person clicked on first: the same action on the same
type of object, as rule 7 of EDH's sub-goals names a step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

from teach_agents.actions import Role
from teach_agents.agents.lm.candidates import Candidate, done
from teach_agents.agents.lm.follower import LanguageFollower
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.lm.memory import Memory
from teach_agents.core.benchmark.statistics import bootstrap_mean
from teach_agents.core.json_types import JsonObject
from teach_agents.data.games import Game
from teach_agents.data.interactions import Interaction, Keyboard, ObjectInteraction
from teach_agents.household import Household
from teach_agents.learning.deeds import deeds
from teach_agents.learning.matching import agrees, is_spoken_of, meant_by
from teach_agents.learning.people import Moment, moments
from teach_agents.learning.watching import Click
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.values import Instruction

OFFERED = "offered"
"""The bound of what can be understood: whether any candidate is what the person did. It does nothing."""

Chooser = Callable[[Moment], Candidate | None]
"""What somebody would choose at a moment; `None` for nothing."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One utterance: by chooser whether it was understood, and whether what it would do begins as the person began;
    among how many candidates, and whether of what was spoken of."""

    room: str
    understood: dict[str, bool]
    begun_alike: dict[str, bool]
    candidates: int
    spoken_of: bool


def heard_in(game: Game, household: Household, choosers: dict[str, Chooser]) -> Iterator[Heard]:
    """The utterances of a session that count, as far as it could be carried out again.

    Raises what `moments` raises.
    """
    from teach_agents_prompts import load_prompts

    for one in moments(game, household, FollowerPrompt(load_prompts(None)), kinds=("human",)):
        if not one.heard or not one.deed:
            continue
        did = _click(game.episode.interactions[one.deed.first])
        begins = cache(one.shadow.first_click)
        chosen = {name: choose(one) for name, choose in choosers.items()}
        found = {name: _agrees(made, one) for name, made in chosen.items()}
        alike = {name: made is not None and begins(made) == did for name, made in chosen.items()}
        found[OFFERED] = any(_agrees(made, one) for made in one.offered)
        said = [*reversed(one.shadow.situation.plan.requests)]
        yield Heard(game.episode.room, found, alike, len(one.offered), is_spoken_of(one.deed, said))


def _click(one: Interaction) -> Click:
    assert isinstance(one, ObjectInteraction) and one.object_id, "a deed begins with a click"
    return one.action, type_from_id(one.object_id)


def _agrees(made: Candidate | None, moment: Moment) -> bool:
    """Whether what was chosen is the person's deed."""
    assert moment.deed
    if not made or not made.instruction:
        return False
    return agrees(made.instruction, moment.deed, moment.shadow.body)


def by_agent(follower: LanguageFollower) -> Chooser:
    """What an agent of a language model chooses."""
    return lambda moment: follower.choose(moment.shadow.situation)


def by_majority(most: Instruction) -> Chooser:
    """Always the same."""
    made = done(most)
    return lambda moment: made


def by_memory(memory: Memory) -> Chooser:
    """What was done first in the past session in which the likest words were heard."""

    def choose(moment: Moment) -> Candidate | None:
        found = memory.examples(moment.shadow.situation.plan.requests[0], 1)
        made = meant_by(found[0].did[0]) if found else None
        return done(made) if made else None

    return choose


def majority(games: Iterable[Game]) -> Instruction:
    """What people do most often after words, as verb and type. `games` must hold a deed that follows words."""
    counts: Counter[Instruction] = Counter()
    for game in games:
        clicked = game.episode.interactions
        words = [at for at, one in enumerate(clicked) if isinstance(one, Keyboard) and one.role is Role.COMMANDER]
        last = -1
        for deed in deeds(clicked):
            heard = max((at for at in words if at < deed.first), default=-1)
            if heard > last:
                made = deed.instruction
                counts[Instruction(made.verb, made.what, None if made.what else made.where)] += 1
                last = heard
    return counts.most_common(1)[0][0]


def figures(heard: Sequence[Heard]) -> JsonObject:
    """By chooser the share that was understood, with its 95 % interval over rooms: of all, and of `spoken_of` alone;
    and of all the share that was `begun_alike`."""
    spoken = [one for one in heard if one.spoken_of]
    return {
        **_shares([(one.room, one.understood) for one in heard]),
        "median_candidates": median(one.candidates for one in heard) if heard else None,
        "spoken_of": _shares([(one.room, one.understood) for one in spoken]),
        "begun_alike": _shares([(one.room, one.begun_alike) for one in heard]),
    }


def _shares(found: Sequence[tuple[str, Mapping[str, bool]]]) -> JsonObject:
    """By chooser how many were right, of rooms and who was right there."""
    rooms = [room for room, _ in found]
    systems: JsonObject = {}
    for name in found[0][1] if found else ():
        hits = [float(right[name]) for _, right in found]
        share, interval = bootstrap_mean(hits, clusters=rooms)
        systems[name] = {"right": int(sum(hits)), "share": share, "ci": interval}
    return {"n": len(found), "rooms": len(set(rooms)), "systems": systems}
