"""A world of one's own: two rooms, a locked door, a box; a guide who knows the word, a walker who has hands."""

import random
from dataclasses import dataclass

from teach_agents import Agent, Benchmark, hookimpl
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Judgement, Status, Valid
from teach_agents.core.values import Event, Result, Say, Stop, Wait
from teach_agents.core.world import World
from teach_agents.models.scaffold import Candidate, Scaffold

WORDS = ("amber", "birch", "cedar", "delta", "ember", "flint")
STEPS = (
    ("You are in the hall. The door is locked. The box is shut.", ""),
    ("You are in the hall. The door is locked. A key lies in the open box.", "take the key"),
    ("You are in the hall. The door is locked. You hold the key.", "unlock the door"),
    ("You are in the hall. The door is open.", "go through the door"),
    ("You are in the study.", ""),
)


@dataclass(frozen=True)
class House:
    """An instance: the words carved into the box, and the one that opens it."""

    instance_id: str
    words: tuple[str, ...]
    secret: str
    groups: dict[str, str]


@dataclass(frozen=True)
class Do:
    """What the walker does: one of the commands that are listed."""

    command: str


@dataclass(frozen=True)
class View:
    """What a seat sees, what it can do, and what was said."""

    text: str
    commands: tuple[str, ...]
    heard: tuple[str, ...]


class TwoRooms(Environment[House, Do, View], Valid):
    """The walker has to get into the study. A wrong word jams the box; after 20 actions night falls."""

    codec = Codec("two_rooms", instance=House, actions=(Do,), observation=View)
    seats = ("guide", "walker")

    def reset(self, instance, seed):
        self.house, self.step, self.left, self.over, self.said = instance, 0, 20, "", ()
        return ()

    def observe(self, seat, privileges=()):
        known = f"The walker has to get into the study. The box opens to {self.house.secret}."
        told = known if seat == "guide" else STEPS[self.step][0]
        return View(told, tuple(one.command for one in self.valid_actions(seat)), self.said)

    def valid_actions(self, seat):
        if seat == "guide" or self.over:
            return ()
        return [Do(STEPS[self.step][1])] if self.step else [Do(f"say {word} to the box") for word in self.house.words]

    def act(self, seat, action):
        if self.over:
            return Result(False, "it is over")
        valid, self.left = self.valid_actions(seat), self.left - 1
        self.over = "" if self.left else "night falls"
        if isinstance(action, Say):
            self.said += (f"{seat}: {action.text}",)
        elif isinstance(action, Stop):
            self.over = f"the {seat} stopped"
        elif action in valid:
            return self.carry_out(action.command)
        elif not isinstance(action, Wait):
            return Result(False, f"the {seat} cannot do that now: {action!r}")
        return Result(True)

    def carry_out(self, command):
        if self.step == 0 and self.house.secret not in command:
            self.over = "the box has jammed"
            return Result(True, self.over, events=(Event("jammed"),))
        self.step += 1
        self.over = "the walker is in the study" if self.step == 4 else self.over
        return Result(True)

    def status(self):
        return Status(self.over, "escaped" if self.step == 4 else "stayed")

    def judge(self):
        return Judgement(self.step == 4, {"steps": self.step})

    def digest(self):
        return f"{self.step} {self.left} {self.over} {self.said}"


class Guide(Agent):
    """Says once what it knows."""

    def act(self, view):
        return Wait() if view.heard else Say(view.text)


class Walker(Agent):
    """Does what can be done; among several words it waits for the one that it hears."""

    def act(self, view):
        heard = " ".join(view.heard)
        known = [one for one in view.commands if one.split()[1] in heard or len(view.commands) == 1]
        return Do(known[0]) if known else Wait()


class Escape(Benchmark):
    """Get the walker out: twenty houses with two to six words."""

    agents = {"guide": "scripted", "walker": "scripted"}

    def instances(self, split):
        dice = random.Random(self.known(split))
        houses = [(number, dice.sample(WORDS, 2 + number % 5)) for number in range(20)]
        return [House(f"house-{n}", tuple(w), dice.choice(w), {"level": f"{len(w)} words"}) for n, w in houses]

    def environment(self):
        return TwoRooms()

    def score(self, record):
        return {"success": record["final"]["success"], "steps": record["final"]["steps"]}


class Choices(Scaffold):
    """What language models, lots and people may choose; everything else reads as it is."""

    def candidates(self, view, seat):
        known = [Candidate(one, Do(one)) for one in view.commands] or [Candidate("say something", words=True)]
        return [*known, Candidate("wait", Wait())]


@hookimpl
def worlds():
    return {"two_rooms": World(TwoRooms.codec, {"scripted": {"guide": Guide, "walker": Walker}}, Choices)}


@hookimpl
def benchmarks():
    return {"escape": Escape}
