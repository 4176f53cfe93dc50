"""The plugin `dialogue_acts`: utterances are tagged, tags recorded and counted; the tagger can be learnt again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from teach_agents_dialogue_acts import train
from teach_agents_dialogue_acts.classifier import ACTS, Classifier, Recipe, Tagger, learn, shipped
from teach_agents_dialogue_acts.features import Stretch, columns, stretches
from teach_agents_dialogue_acts.hook import DialogueActs
from teach_agents_dialogue_acts.measuring import majority, measured

from teach_agents.actions import Action, Role
from teach_agents.core.dialogue import Act
from teach_agents.core.specs import build
from teach_agents.data import keyboard, write_game
from teach_agents.data.dialogue_acts import ACT_OF
from teach_agents.errors import InputError, SpecError
from teach_agents.session import read_record, replay
from tests.data.samples import sample_game
from tests.session.support import WAIT, Recall, scenario, session, small_household

SMALL = Recipe(width=1 << 10, epochs=6, batch=8, step=0.3)


@pytest.mark.parametrize(
    ("speaker", "text", "acts"),
    [
        (Role.FOLLOWER, "What should I do today?", {"RequestForInstruction"}),
        (Role.COMMANDER, "Please make a cup of coffee.", {"Instruction"}),
        (Role.COMMANDER, "The mug is in the cabinet next to the fridge.", {"InformationOnObjectDetails"}),
        (Role.FOLLOWER, "Where is the knife?", {"RequestForObjectLocationAndOtherDetails"}),
        (Role.COMMANDER, "Great job!", {"FeedbackPositive"}),
        (Role.COMMANDER, "Hello! Please slice the tomato.", {"Greetings/Salutations", "Instruction"}),
    ],
)
def test_plain_utterances_are_tagged_as_people_would(speaker: Role, text: str, acts: set[str]) -> None:
    assert set(Tagger(shipped()).acts(speaker, text)) == acts


def test_every_text_gets_an_act_of_teachs() -> None:
    for text in ("", "...", "zxqv", "?" * 500, "日本語", "a" * 5000, "no, wait. yes! ok, go"):
        found = Tagger(shipped()).acts(Role.FOLLOWER, text)
        assert found and set(found) <= set(ACTS) and len(found) == len(set(found))


@pytest.mark.parametrize(
    ("labels", "hello", "order", "question"),
    [
        ("core", "hello", "order", "question"),
        ("teach", "Greetings/Salutations", "Instruction", "RequestForInstruction"),
    ],
)
def test_tags_are_recorded_counted_and_replayed(
    tmp_path: Path, labels: str, hello: str, order: str, question: str
) -> None:
    follower = Recall(Action.say("What should I do today?"), WAIT, Action.stop())
    says = [WAIT, Action.say("Hello! Please make a cup of coffee.")]
    held = session(says, follower, record=tmp_path / "r").with_hook(DialogueActs(labels=labels), "dialogue_acts")
    result = asyncio.run(held.run(scenario()))
    assert result.dialogue_acts == {Role.COMMANDER: {hello: 1, order: 1}, Role.FOLLOWER: {question: 1}}
    assert result.hooks == (("dialogue_acts", {"weights": shipped().fingerprint}),)
    record = read_record(tmp_path / "r")
    assert record.turns[1].done[Role.COMMANDER].dialogue_acts == (hello, order)
    assert replay(record, small_household()).identical


def test_tags_are_words_of_the_core_or_of_teach_and_nothing_else() -> None:
    assert set(ACT_OF) == set(ACTS) and set(ACT_OF.values()) <= set(Act)
    with pytest.raises(SpecError, match="did you mean 'teach'"):
        DialogueActs(labels="teech")


def test_what_came_before_is_known_to_a_session_taken_up_again(tmp_path: Path) -> None:
    says = [Action.say("Is it in the sink?"), Action.say("ok"), Action.say("no"), Action.say("sure"), Action.finish()]
    answers = (Action.say("yes"), Action.say("What next?"), Action.say("done"), WAIT)

    def held() -> object:
        return session(says, Recall(*answers), record=tmp_path / "r").with_hook(DialogueActs(), "dialogue_acts")

    asyncio.run(held().run(scenario()))  # type: ignore[attr-defined]  # a session
    whole = (tmp_path / "r").read_bytes()
    (tmp_path / "r").write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    asyncio.run(held().resume())  # type: ignore[attr-defined]  # a session
    assert (tmp_path / "r").read_bytes() == whole


def test_utterances_are_cut_behind_sentences_and_commas() -> None:
    assert stretches("Hello!  We need toast. Slice it, then go") == ["Hello!", "We need toast.", "Slice it,", "then go"]
    assert stretches("...") == ["..."] and stretches("") == [""]


def test_columns_are_few_distinct_and_depend_on_what_came_before() -> None:
    one = Stretch("yes it is", Role.FOLLOWER)
    found = columns(one, 64)
    assert len(set(found)) == len(found) and found.max() < 64
    width = 1 << 14
    for other in (
        replace(one, speaker=Role.COMMANDER),
        replace(one, previous="Confirm", previous_speaker=Role.COMMANDER),
        replace(one, begins=False),
    ):
        assert not np.array_equal(columns(one, width), columns(other, width))


def _toy() -> list[tuple[Stretch, str]]:
    lines = {
        "Instruction": ["slice the tomato", "make the toast", "wash a mug"],
        "Greetings/Salutations": ["hello", "hi there", "good day"],
    }
    return [(Stretch(text, Role.COMMANDER), act) for act, texts in lines.items() for text in texts] * 3


def test_learning_is_repeatable_and_learns(tmp_path: Path) -> None:
    losses: list[float] = []
    one = learn(_toy(), SMALL, on_epoch=lambda epoch, loss: losses.append(loss))
    assert losses[-1] < losses[0] / 2
    assert one.act(Stretch("hello", Role.COMMANDER)) == "Greetings/Salutations"
    assert one.act(Stretch("slice a mug", Role.COMMANDER)) == "Instruction"
    assert one.probabilities(Stretch("hello", Role.COMMANDER)).sum() == pytest.approx(1.0)
    assert learn(_toy(), SMALL).fingerprint == one.fingerprint
    assert learn(_toy(), replace(SMALL, seed=1)).fingerprint != one.fingerprint
    one.noted({"games": 3}).save(tmp_path / "weights.npz")
    again = Classifier.load(tmp_path / "weights.npz")
    assert again.notes == {"games": 3}
    assert all(again.act(stretch) == one.act(stretch) for stretch, _ in _toy())
    one.noted({"games": 3}).save(tmp_path / "same.npz")
    assert (tmp_path / "same.npz").read_bytes() == (tmp_path / "weights.npz").read_bytes()


def test_a_file_that_holds_no_weights_is_refused(tmp_path: Path) -> None:
    for name, content in {"a.npz": b"no weights", "b.npz": b"PK\x03\x04", "c.npz": b""}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="is no file of weights"):
            Classifier.load(tmp_path / name)
    np.savez(tmp_path / "d.npz", steps=np.zeros((4, 1)), scale=np.ones(1), acts=["Chat"], notes="{}")
    with pytest.raises(InputError, match="learnt for other acts; got 'Chat'"):
        Classifier.load(tmp_path / "d.npz")
    with pytest.raises(InputError, match="absent"):
        build("dialogue_hook", f"dialogue_acts:weights={tmp_path / 'absent.npz'}")


def test_agreement_counts_acts_that_occur_and_whole_utterances() -> None:
    pairs = [
        (frozenset({"Affirm"}), frozenset({"Affirm"})),
        (frozenset({"Affirm", "Instruction"}), frozenset({"Instruction"})),
        (frozenset({"Deny"}), frozenset({"Affirm"})),
    ]
    found = measured(pairs)
    assert found.f1 == {"Affirm": 0.5, "Deny": 0.0, "Instruction": 1.0}
    assert (found.n, found.macro_f1) == (3, 0.5) and found.accuracy == pytest.approx(1 / 3)
    assert majority(labels for labels, _ in pairs) == "Affirm"


def _games(folder: Path) -> Path:
    """Five games in which people say and do the same."""
    lines = ((Role.COMMANDER, stretch.text, act) for stretch, act in _toy()[:6])
    said = [
        replace(
            keyboard(role, text, time_start=float(number)), da_metadata={"text_segments": [text, ""], "das": [act, ""]}
        )
        for number, (role, text, act) in enumerate(lines, 1)
    ]
    unlabelled = keyboard(Role.FOLLOWER, "hm", time_start=9.0)
    folder.mkdir()
    for number in range(5):
        write_game(sample_game(interactions=(*said, unlabelled)), folder / f"{number}.game.json")
    return folder


def test_the_program_learns_from_games_and_says_how_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = _games(tmp_path / "games")
    assert train.main(["--games", str(games), "--out", str(tmp_path / "w.npz"), "--folds", "2"]) == 0
    told = capsys.readouterr().err
    assert "30 labelled stretches of 5 games" in told and "fold 2 of 2: macro-F1 1.000" in told
    learnt = Classifier.load(tmp_path / "w.npz")
    assert learnt.notes["cross_validation"]["n"] == 30 and learnt.notes["stretches"] == 30
    assert learnt.notes["majority"]["commander"] in ("Instruction", "Greetings/Salutations")
    assert train.main(["--games", str(games), "--out", str(tmp_path / "again.npz"), "--folds", "2"]) == 0
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "w.npz").read_bytes()
    hook = build("dialogue_hook", f"dialogue_acts:weights={tmp_path / 'w.npz'}")
    assert isinstance(hook, DialogueActs)


def test_the_program_refuses_what_it_cannot_learn_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mute").mkdir()
    write_game(sample_game(), tmp_path / "mute" / "a.game.json")
    for arguments, problem in {
        ("--games", str(tmp_path / "mute")): "holds no labelled utterance",
        ("--games", str(tmp_path / "absent")): "absent",
        ("--games", str(_games(tmp_path / "games")), "--folds", "6"): "from 2 to 5",
    }.items():
        assert train.main([*arguments, "--out", str(tmp_path / "w.npz")]) == 2
        assert problem in capsys.readouterr().err
    assert not (tmp_path / "w.npz").exists()


def test_the_shipped_weights_are_small_and_say_where_they_come_from() -> None:
    assert Path(train.__file__).with_name("weights.npz").stat().st_size < 1_000_000
    assert shipped().notes["games"] == 1482
    assert shipped().notes["majority"]["any"] == "Instruction"
