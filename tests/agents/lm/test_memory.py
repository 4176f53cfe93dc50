"""Memory of past sessions: what clicks are folded into, what is found again, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from teach_agents_prompts import load_prompts
from typer.testing import CliRunner

from teach_agents.actions import Role
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.lm.memory import Example, Memory
from teach_agents.agents.lm.memory_building import examples_from_game, examples_from_games, training_files
from teach_agents.agents.lm.oracle_follower import follower_choice
from teach_agents.cli.main import app
from teach_agents.data import Game, Interaction, keyboard, object_interaction, write_game
from teach_agents.errors import InputError, SpecError
from teach_agents.models.text import HashedEncoder
from teach_agents.understanding.english.understanding import understand_instructions
from tests.agents.lm.following import follower, heard
from tests.data.samples import sample_game

PLACE = "|+01.00|+00.90|-00.50"
EXAMPLES = [
    Example("please rinse the mug", ("clean the mug",), "one"),
    Example("rinse that mug", ("clean the mug",), "two"),
    Example("the knife is in the drawer", ("open the drawer", "pick up the knife"), "three"),
]


def _game(*events: str) -> Game:
    """A session of events such as `say hello`, `ask what?`, `Pickup Mug`, `Place Sink/SinkBasin`, `fail Pickup Mug`."""
    made: list[Interaction] = []
    for at, event in enumerate(events):
        word, _, rest = event.partition(" ")
        if word in ("say", "ask"):
            made.append(keyboard(Role.COMMANDER if word == "say" else Role.FOLLOWER, rest, time_start=at))
            continue
        success = word != "fail"
        action, _, kind = (event if success else rest).partition(" ")
        thing, _, part = kind.partition("/")
        object_id = f"{thing}{PLACE}" + (f"|{part}" if part else "")
        click = {"x": 0.5, "y": 0.5, "time_start": float(at)}
        made.append(object_interaction(action, object_id=object_id, success=success, **click))
    return sample_game(interactions=tuple(made))


@pytest.mark.parametrize(
    ("events", "did"),
    [
        (("Pickup Mug",), ["pick up the mug"]),
        (("Pickup Mug", "Place CounterTop"), ["put the mug on the counter top"]),
        (("Pickup Mug", "Place Sink/SinkBasin", "ToggleOn Faucet", "ToggleOff Faucet"), ["clean the mug"]),
        (
            ("Pickup Mug", "Place Sink/SinkBasin", "ToggleOn Faucet", "Pickup Mug", "Pour Sink/SinkBasin"),
            ["clean the mug"],
        ),
        (("Pickup Mug", "Place CoffeeMachine", "ToggleOn CoffeeMachine"), ["make coffee in the mug"]),
        (("fail Pickup Mug", "Open Fridge", "Open Cabinet", "Pickup Mug"), ["pick up the mug"]),
    ],
)
def test_clicks_are_folded_into_commands(events: Sequence[str], did: list[str]) -> None:
    (example,) = examples_from_game(_game("say take the mug", *events))
    assert list(example.did) == did


@pytest.mark.parametrize(
    ("said", "events", "did"),
    [
        ("slice the bread", ("Pickup Knife", "Slice Bread", "Place CounterTop"), ["slice the bread"]),
        (
            "toast a slice of bread",
            ("Pickup Bread/BreadSliced_1", "Place Toaster", "ToggleOn Toaster"),
            ["toast the slice of bread"],
        ),
        (
            "boil the potato in water",
            ("Pickup Potato", "Place Pot", "ToggleOn StoveKnob"),
            ["boil the potato"],
        ),
        (
            "fill the pot with water",
            ("Pickup Pot", "Place Sink/SinkBasin", "ToggleOn Faucet"),
            ["fill the pot with water"],
        ),
        ("water the plant", ("Pour HousePlant",), ["water the house plant"]),
        ("look in the fridge", ("Open Cabinet", "Open Fridge", "Close Fridge"), ["open the fridge"]),
        ("turn on the lamp", ("ToggleOn FloorLamp",), ["turn on the floor lamp"]),
    ],
)
def test_what_was_said_helps_to_tell_what_was_done(said: str, events: Sequence[str], did: list[str]) -> None:
    (example,) = examples_from_game(_game(f"say {said}", *events))
    assert list(example.did) == did


def test_words_are_taken_together_until_something_is_done() -> None:
    game = _game(
        "Pickup Knife",
        "say hi there!",
        "ask what shall I do?",
        "say  wash the mug ",
        "Pickup Mug",
        "ask done?",
        "Place Table",
        "say great",
        "say now the plate.",
        "Pickup Book",
        "Pickup Plate",
    )
    first, second = examples_from_game(game)
    assert (first.heard, first.source) == ("hi there. wash the mug", game.game_id)
    assert (second.heard, second.did) == ("great. now the plate", ("pick up the plate",))


def test_what_was_done_without_words_about_it_is_left_out(tmp_path: Path) -> None:
    assert not list(examples_from_game(_game("say bring me the mug", "Pickup Book", "Place Shelf")))
    for name in ("a", "b"):
        write_game(_game("say the mug!", "Pickup Mug"), tmp_path / f"{name}.game.json")
    told: list[int] = []
    assert len(examples_from_games(training_files(tmp_path), told.append)) == 1 and told == [1, 2]


@pytest.mark.parametrize("folder", ["valid_seen", "games/test_unseen", "divided_valid_seen/part"])
def test_sessions_that_agents_are_judged_by_are_refused(tmp_path: Path, folder: str) -> None:
    for name in ("train", folder):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        write_game(_game("say the mug!", "Pickup Mug"), tmp_path / name / "a.game.json")
    assert len(training_files(tmp_path / "train")) == 1
    for named in (tmp_path, tmp_path / folder, tmp_path / folder / "a.game.json"):
        with pytest.raises(InputError, match=r"folder .*(valid|test).*split that agents are judged by"):
            training_files(named)


def test_the_most_alike_come_first_each_with_other_commands() -> None:
    memory = Memory.of(EXAMPLES, HashedEncoder())
    found = memory.examples("rinse the mug", 5)
    assert [one.did for one in found] == [("clean the mug",), ("open the drawer", "pick up the knife")]
    assert found[0].heard == "please rinse the mug" and 1 > found[0].likeness > found[1].likeness > 0
    assert memory.examples("rinse the mug", 1) == found[:1]
    assert memory.examples("", 3) == memory.examples("xyz", 3) == memory.examples("rinse", 0) == ()
    assert Memory.of([], HashedEncoder()).examples("rinse", 3) == ()


def test_a_memory_reads_back_and_is_the_same_file_every_time(tmp_path: Path) -> None:
    made = Memory.of(EXAMPLES, "hashed:dimension=64")
    assert made.to_bytes() == Memory.of(EXAMPLES, "hashed:dimension=64").to_bytes()
    (tmp_path / "memory").write_bytes(made.to_bytes())
    read = Memory.load(tmp_path / "memory")
    assert len(read) == 3 and read.examples("the knife", 2) == made.examples("the knife", 2)
    assert read.to_bytes() == made.to_bytes()
    assert set(read.provenance) == {"memory_hash", "embeddings"} and len(read.provenance["memory_hash"]) == 12
    assert read.provenance["embeddings"].startswith("hashed:dimension=64 ")


def test_a_follower_is_shown_what_was_done_when_something_alike_was_said(tmp_path: Path) -> None:
    prompts = load_prompts().only("lm_follower*")
    remembering = FollowerPrompt(prompts, memory=Memory.of(EXAMPLES, "hashed"))
    shown = remembering.of(heard("hello", "please fetch the knife")).user
    assert shown.splitlines()[1] == '- "the knife is in the drawer" came to: open the drawer, then pick up the knife'
    assert "came to" not in remembering.of(heard()).user
    assert "came to" not in FollowerPrompt(prompts).of(heard("please fetch the knife")).user


def test_the_oracle_does_not_take_examples_for_requests() -> None:
    memory = Memory.of([Example("please rinse the mug", ("clean the mug",))], "hashed")
    shown = FollowerPrompt(load_prompts(), memory=memory).of(heard("please open the fridge")).user
    assert "rinse the mug" in shown
    assert follower_choice(shown, ["clean the mug", "open the fridge", "wait"]) == "open the fridge"


def test_results_tell_which_memory_a_follower_had(tmp_path: Path) -> None:
    (tmp_path / "memory").write_bytes(Memory.of(EXAMPLES, "hashed").to_bytes())
    remembering, forgetful = follower("uniform", memory=str(tmp_path / "memory")), follower("uniform")
    assert set(remembering.provenance) - set(forgetful.provenance) == {"memory_hash", "embeddings"}


def test_a_memory_that_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: cannot be read"):
        follower("uniform", memory=str(tmp_path / "nowhere"))
    with pytest.raises(SpecError, match="must be a file; got 5"):
        follower("uniform", memory=5)


def _packed(texts: object, vectors: NDArray[np.generic]) -> bytes:
    numbers, whole = io.BytesIO(), io.BytesIO()
    np.save(numbers, vectors)
    with zipfile.ZipFile(whole, "w") as packed:
        packed.writestr("memory.json", json.dumps(texts))
        packed.writestr("vectors.npy", numbers.getvalue())
    return whole.getvalue()


def test_what_is_no_memory_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory"
    with pytest.raises(InputError, match="cannot be read: No such file"):
        Memory.load(file)
    good = Memory.of(EXAMPLES, "hashed").to_bytes()
    texts = {"format": 1, "encoder": "hashed", "encoder_hash": HashedEncoder().hash, "examples": []}
    none = np.zeros((0, 512), np.float16)
    for damaged in (b"", b"a text", good[:200], good[:-30], _packed([], none), _packed(texts | {"format": 2}, none)):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match="is no memory, or a damaged one .*teach-agents memory build"):
            Memory.load(file)
    file.write_bytes(_packed(texts, np.zeros((1, 512), np.float16)))
    with pytest.raises(InputError, match=r"vectors of \(0, 512\); got \(1, 512\)"):
        Memory.load(file)
    file.write_bytes(_packed(texts | {"encoder_hash": "0" * 16}, none))
    with pytest.raises(InputError, match="was made with hashed of weights 0000.* build it again"):
        Memory.load(file)


def test_a_memory_is_built_and_searched_from_the_command_line(tmp_path: Path) -> None:
    games, out = tmp_path / "train", tmp_path / "made" / "train.memory"
    games.mkdir()
    write_game(
        _game("say rinse the mug", "Pickup Mug", "Place Sink/SinkBasin", "ToggleOn Faucet"), games / "a.game.json"
    )
    command = ["memory", "build", "--games", str(games), "--out", str(out), "--encoder", "hashed"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0 and "1 examples of 1 sessions, encoded by hashed" in done.output
    found = json.loads(CliRunner().invoke(app, ["memory", "search", str(out), "rinse it", "--json"]).stdout)
    assert found["did"] == ["clean the mug"] and found["heard"] == "rinse the mug"
    assert "clean the mug" in CliRunner().invoke(app, ["memory", "search", str(out), "rinse it"]).stdout


def test_sessions_without_examples_make_no_memory(tmp_path: Path) -> None:
    write_game(_game("Pickup Mug"), tmp_path / "a.game.json")
    out = tmp_path / "memory"
    command = ["memory", "build", "--games", str(tmp_path), "--out", str(out), "--encoder", "hashed"]
    assert "nothing was said and done" in str(CliRunner().invoke(app, command).exception)
    assert not out.exists()


def test_the_command_line_refuses_what_is_for_evaluation_unless_told(tmp_path: Path) -> None:
    (tmp_path / "valid_seen").mkdir()
    write_game(_game("say the mug", "Pickup Mug"), tmp_path / "valid_seen" / "a.game.json")
    out = tmp_path / "memory"
    command = ["memory", "build", "--games", str(tmp_path), "--out", str(out), "--encoder", "hashed"]
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, InputError) and not out.exists()
    assert CliRunner().invoke(app, [*command, "--evaluation-too"]).exit_code == 0 and out.exists()
    done = CliRunner().invoke(app, [*command[:-3], str(tmp_path), "--encoder", "hashed", "--evaluation-too"])
    assert "is a folder; name a file" in str(done.exception)


@pytest.mark.data
def test_what_people_did_comes_to_commands_that_are_understood(teach_data: Path) -> None:
    games = training_files(teach_data / "games" / "train")[:20]
    examples = examples_from_games(games)
    assert len(examples) > len(games)
    for one in examples:
        assert one.heard and one.did
        assert all(len(understand_instructions(text)) == 1 for text in one.did), one
