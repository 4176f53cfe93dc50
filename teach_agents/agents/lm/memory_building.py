"""Examples for a `Memory` from recorded sessions: what people said, and what was then done, in commands.

TEACh's sessions hold clicks. Those that follow words are folded into what they amount to: what was picked up and put
down was put somewhere, what was cut was cut with the knife in hand, doors were opened on the way to something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.agents.lm.memory import Example
from teach_agents.agents.lm.phrases import command
from teach_agents.data.games import Game, game_files, read_game
from teach_agents.data.interactions import Keyboard, ObjectInteraction
from teach_agents.errors import InputError
from teach_agents.tasks.classes import object_classes, type_from_id
from teach_agents.understanding.english.understanding import mentioned
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_WORDS = 3
"""How many of the Commander's latest utterances before something was done are taken together."""
_LETTERS = 120
"""How long they are together at most, so that an example is short enough for a prompt; a single one may be longer."""
_COMMANDS = 4
"""How many commands an example has at most."""
_KNIVES = "Knife", "ButterKnife"
_BASINS = "Sink", "SinkBasin", "Bathtub", "BathtubBasin"
_VESSELS = "Pan", "Pot"
_SELF_ENDING = "CoffeeMachine", "Faucet", "Microwave", "ShowerHead", "StoveKnob", "Toaster"
"""What is turned off as a matter of course."""
_OF_WATER = ("water", "fill", "boil")
_OF_DIRT = ("clean", "dirty", "rinse", "wash")
_EVALUATION = re.compile(r"(divided_)?(val|valid|test)_(seen|unseen)", re.IGNORECASE)


def training_files(source: str | Path) -> list[Path]:
    """The game files of a file or folder, none of them kept for evaluation.

    Raises `InputError` for one in a folder that is called so (`valid_seen`, `test_unseen`, ...): agents are judged by
    those sessions and must not have read them.
    """
    files = game_files(source)
    for file in files:
        kept = [part for part in file.resolve().parent.parts if _EVALUATION.fullmatch(part)]
        if kept:
            problem = "is of a split that agents are judged by; take training sessions, or say that you mean it"
            raise InputError(f"folder {kept[0]}", problem, value=file.name)
    return files


def examples_from_games(files: Iterable[Path], tell: Callable[[int], None] = lambda done: None) -> list[Example]:
    """The examples of several sessions in order, the same words with the same commands once; `tell` hears how many
    files are done. Raises `GameFileError`."""
    found: dict[tuple[str, tuple[str, ...]], Example] = {}
    for number, file in enumerate(files, start=1):
        for one in examples_from_game(read_game(file)):
            found.setdefault((one.heard.casefold(), one.did), one)
        tell(number)
    return list(found.values())


def examples_from_game(game: Game) -> Iterator[Example]:
    """What the Commander said and what the Follower then did, up to the Commander's next words.

    Left out is what was done without words, and what had nothing to do with them: none of its things was spoken of.
    """
    said: list[str] = []
    hands = Hands()
    done: list[Instruction] = []
    for one in game.episode.interactions:
        match one:
            case Keyboard(role=Role.COMMANDER):
                if done:
                    yield from _example(said, done, game.game_id)
                    said, done = [], []
                said = latest_words([*said, " ".join(one.corrected.split())])
            case ObjectInteraction(role=Role.FOLLOWER, success=True) if one.object_id:
                hands.fold(one.action, type_from_id(one.object_id), done, wet=is_of_water(said))
    yield from _example(said, done, game.game_id)


def latest_words(said: list[str]) -> list[str]:
    """The latest utterances, as many as stand together in an example; the last one in any case."""
    said = said[-_WORDS:]
    while len(said) > 1 and sum(map(len, said)) > _LETTERS:
        said = said[1:]
    return said


def _example(said: list[str], done: list[Instruction], source: str) -> Iterator[Example]:
    heard = ". ".join(text.rstrip(".!?,; ") for text in said if text)
    spoken_of = frozenset(reference.noun for reference in mentioned(heard))
    did = dict.fromkeys(command(one) for one in done if _concerns(one, spoken_of))
    if did:
        yield Example(heard, tuple(did)[:_COMMANDS], source)


def _concerns(step: Instruction, spoken_of: frozenset[str]) -> bool:
    """Whether one of a step's things, or its class, was spoken of: people also clear things out of their way."""
    return any(not spoken_of.isdisjoint(object_classes(thing.noun)) for thing in step.phrases)


def is_of_water(said: Iterable[str]) -> bool:
    """Whether a tap was to fill things: water was spoken of, and not to rinse with."""
    text = " ".join(said).casefold()
    return any(word in text for word in _OF_WATER) and not any(word in text for word in _OF_DIRT)


class Hands:
    """What the Follower holds, from one click to the next."""

    held = ""

    def fold(self, action: str, kind: str, done: list[Instruction], *, wet: bool) -> None:
        """Add a successful click on a thing of this kind to what was `done`; `wet` says that water was spoken of."""
        if action == "ToggleOn":
            done[-1:] = _turned_on(kind, done[-1] if done else None, wet=wet)
        elif action in _FOLDS:
            _FOLDS[action](self, kind, done)

    def _picked_up(self, kind: str, done: list[Instruction]) -> None:
        self.held = kind
        if not done or done[-1].what != _the(kind):
            done.append(Instruction(Verb.PICK_UP, _the(kind)))

    def _placed(self, kind: str, done: list[Instruction]) -> None:
        self._leave_out_taking(done)
        held, self.held = self.held, ""
        if held and not (held in _KNIVES and any(one.verb is Verb.SLICE for one in done)):
            done.append(Instruction(Verb.PUT, _the(held), _the(kind)))

    def _sliced(self, kind: str, done: list[Instruction]) -> None:
        self._leave_out_taking(done)
        done.append(Instruction(Verb.SLICE, _the(kind)))

    def _leave_out_taking(self, done: list[Instruction]) -> None:
        """What was picked up last was picked up for what is done with it now."""
        if done[-1:] == [Instruction(Verb.PICK_UP, _the(self.held))]:
            done.pop()

    def _poured(self, kind: str, done: list[Instruction]) -> None:
        if kind in _BASINS and self.held:
            held = _the(self.held)
            if done[-1:] != [Instruction(Verb.CLEAN, held)]:
                done.append(Instruction(Verb.EMPTY, held))
        elif kind == "HousePlant":
            done.append(Instruction(Verb.WATER, _the(kind)))
        elif kind not in _BASINS:
            done.append(Instruction(Verb.FILL, _the(kind)))

    def _turned_off(self, kind: str, done: list[Instruction]) -> None:
        if kind not in _SELF_ENDING:
            done.append(Instruction(Verb.TURN_OFF, _the(kind)))

    def _opened(self, kind: str, done: list[Instruction]) -> None:
        """Doors are opened on the way to something: only what was looked into last tells of anything."""
        if done and done[-1].verb is Verb.OPEN:
            done.pop()
        done.append(Instruction(Verb.OPEN, _the(kind)))


_FOLDS: Mapping[str, Callable[[Hands, str, list[Instruction]], None]] = {
    "Pickup": Hands._picked_up,
    "Place": Hands._placed,
    "Slice": Hands._sliced,
    "Pour": Hands._poured,
    "ToggleOff": Hands._turned_off,
    "Open": Hands._opened,
}


def _turned_on(kind: str, last: Instruction | None, *, wet: bool) -> list[Instruction]:
    """What it amounts to that a thing was turned on, together with what was done just before."""
    before = [last] if last else []
    if last and last.verb is Verb.PUT and last.what and last.where:
        verb = _by_appliance(kind, last.where.noun, wet=wet)
        if verb:
            return [Instruction(verb, last.what)]
    return before if kind in _SELF_ENDING else [*before, Instruction(Verb.TURN_ON, _the(kind))]


def _by_appliance(kind: str, place: str, *, wet: bool) -> Verb | None:
    """What an appliance does to a thing that was just put into `place`."""
    if kind == "Faucet" and place in _BASINS:
        return Verb.FILL if wet else Verb.CLEAN
    if kind == "StoveKnob" and place in _VESSELS:
        return Verb.BOIL if wet else Verb.COOK
    verbs = {"CoffeeMachine": Verb.COFFEE, "Microwave": Verb.COOK, "Toaster": Verb.TOAST}
    return verbs.get(kind) if place == kind else None


def _the(kind: str) -> Reference:
    return Reference(kind, definite=True)
