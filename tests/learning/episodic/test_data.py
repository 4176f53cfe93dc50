"""From people's sessions to examples: what is drawn again, what is to be predicted, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from teach_agents.actions import Role
from teach_agents.data.follower_actions import follower_actions
from teach_agents.errors import InputError
from teach_agents.learning.episodic.sessions import Session, SessionFolder
from teach_agents.models.episodic.vocabulary import ACTION_NUMBER, ACTIONS, END, STOP, Vocabulary

torch = pytest.importorskip("torch")
from teach_agents.learning.episodic.examples import (  # noqa: E402  # after the check  # noqa: E402  # the same
    NOTHING,
    batched,
    examples_of,
    games_in,
    is_held_out,
    ordered,
    read_data,
)
from teach_agents.learning.episodic.recording import How, Source, fill, record, sources  # noqa: E402  # the same
from tests.benchmarks.edh.sessions import errand, household  # noqa: E402  # the same
from tests.learning.episodic.making import asked, kept, session  # noqa: E402  # the same
from tests.models.episodic.tiny import CELLS, CHANNELS, tiny_sight  # noqa: E402  # the same

WORDS = Vocabulary.of(["bring the mug", "the sink ok"], ["Mug", "Sink"], fewest=1)


def test_a_session_is_carried_out_again_and_looked_at() -> None:
    world = household()
    made = record(errand(), "hash", world, tiny_sight())
    assert made.actions == tuple(one.action for one in follower_actions(errand().episode.interactions))
    assert len(made.features) == len(made.actions) + 1 and made.features.dtype == np.float16
    assert made.features.shape[1:] == (CELLS, CHANNELS)
    assert {name for action, name in zip(made.actions, made.objects, strict=True) if action == "Pickup"} == {"Mug"}
    assert all(
        (name == "") == (action not in ("Pickup", "Place"))
        for action, name in zip(made.actions, made.objects, strict=True)
    )
    assert [text for _, _, text in made.said] == ["a mug, please", "not there", "the table, I mean"]
    assert made.source == "hash" and made.stretches == ((1, 7), (8, 9))
    last = world.observe(Role.FOLLOWER).view
    assert (made.features[-1] == tiny_sight().look([last.rgb])[0]).all(), "the last frame is what it sees at the end"


def test_a_session_comes_back_from_its_file(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path, {"encoder": "x"})
    folder.keep(made := session(1))
    (back,) = folder.sessions([made.game_id, "nobody"])
    assert (back.features == made.features).all()
    assert (back.game_id, back.room, back.actions) == (made.game_id, made.room, made.actions)
    assert (back.said, back.stretches, back.places, back.objects) == (
        made.said,
        made.stretches,
        made.places,
        made.objects,
    )
    assert folder.source(made.game_id) == made.source and folder.source("nobody") is None


def test_damaged_files_and_folders_of_another_kind_are_refused(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path, {"encoder": "x"})
    folder.keep(made := session(1))
    folder.file(made.game_id).write_bytes(b"no")
    with pytest.raises(InputError, match="damaged"):
        Session.read(folder.file(made.game_id))
    with pytest.raises(InputError, match=r"another way \(encoder\)"):
        SessionFolder(tmp_path, {"encoder": "y"})


def test_a_stretch_is_predicted_from_what_was_before_it_and_ends_with_stop() -> None:
    made = session(1)
    first, second = examples_of(made, WORDS, context=2)
    assert (first.begin, first.future, first.end) == (0, 0, 4)
    assert (second.begin, second.future, second.end) == (2, 4, 9), "as many steps of the past as there is context"
    assert [WORDS.words[number] for number in second.words] == [
        "bring",
        "the",
        "mug",
        "<<commander>>",
        "the",
        "sink",
        "ok",
        "<<follower>>",
        "<<stop>>",
    ]
    batch = batched([second, first], WORDS)
    assert batch.actions[0].tolist()[:2] == [NOTHING, NOTHING], "history is not learnt"
    assert batch.actions[0].tolist()[2:] == [*(ACTION_NUMBER[one] for one in made.actions[4:]), STOP]
    assert batch.actions[1].tolist() == [
        *(ACTION_NUMBER[one] for one in made.actions[:4]),
        STOP,
        NOTHING,
        NOTHING,
        NOTHING,
    ]
    assert batch.episodes.steps.tolist() == [8, 5]
    assert (batch.episodes.frames[0, -1].numpy() == made.features[9]).all(), (
        "to stop is right at the frame after the last"
    )
    assert batch.episodes.words[1].tolist()[4] == END and batch.episodes.words[1].tolist()[5:] == [0] * 4


def test_history_loss_learns_what_was_done_before_but_no_talk() -> None:
    made = session(1)
    talks = replace(made, actions=("Text", *made.actions[1:]), objects=("", *made.objects[1:]))
    (_, second) = examples_of(talks, WORDS, context=99)
    targets = batched([second], WORDS, history_loss=True)
    assert targets.actions[0].tolist() == [NOTHING, *(ACTION_NUMBER[one] for one in talks.actions[1:]), STOP]
    expected = [WORDS.object_number.get(name, NOTHING) for name in talks.objects]
    assert targets.objects[0].tolist() == [*expected, NOTHING]
    assert all(ACTIONS[number] != "Text" for number in targets.actions[0].tolist() if number != NOTHING)


def test_an_epoch_has_every_example_once_in_an_order_of_its_own() -> None:
    examples = [one for number in range(9) for one in examples_of(session(number), WORDS, 4)]
    orders = [ordered(examples, 4, np.random.default_rng([0, epoch])) for epoch in (0, 0, 1)]
    flat = [[id(one) for batch in order for one in batch] for order in orders]
    assert flat[0] == flat[1] != flat[2]
    assert sorted(flat[0]) == sorted(flat[2]) == sorted(map(id, examples))
    assert all(len(batch) <= 4 for batch in orders[0])


def test_sessions_that_are_kept_are_not_carried_out_again(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 2)
    wanted = sources(sorted(games.iterdir()))
    shelf = SessionFolder(features, {**tiny_sight().identity, "view_size": 300})
    told: list[tuple[int, int]] = []
    assert fill(shelf, _named(shelf, wanted), How(), told=lambda *one: told.append(one)) == []
    assert told == [(2, 2)]


def _named(shelf: SessionFolder, wanted: Sequence[Source]) -> list[Source]:
    """The sources under the hashes that the kept sessions say they come from."""
    return [replace(one, sha256=shelf.source(one.game_id) or "") for one in wanted]


def test_a_broken_game_is_one_session_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teach_agents.learning.episodic.recording.Sight", lambda *told: tiny_sight())
    (tmp_path / "bad.game.json").write_text("{}")
    shelf = SessionFolder(tmp_path / "features", {})
    (failure,) = fill(shelf, sources([tmp_path / "bad.game.json"]), How(view_size=64))
    assert failure.game_id == "bad" and "GameFileError" in failure.why


def test_splits_that_results_are_told_on_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "valid_seen"
    folder.mkdir()
    (folder / "a.game.json").write_text("{}")
    with pytest.raises(InputError, match="results are told on"):
        games_in([folder])
    with pytest.raises(InputError, match="no game file"):
        games_in([tmp_path / "nowhere"])


def test_rooms_are_held_out_by_their_names(tmp_path: Path) -> None:
    held = [f"FloorPlan{number}" for number in range(1, 400) if is_held_out(f"FloorPlan{number}", 0.1)]
    assert 15 < len(held) < 65 and not any(is_held_out(one, 0.0) for one in held)
    games, features = kept(tmp_path, 6, rooms=6)
    shelf = SessionFolder(features, {**tiny_sight().identity, "view_size": 300})
    wanted = sources(sorted(games.iterdir()))
    share = 0.5
    data = read_data(shelf, wanted, asked(games, features, held_out=share).settings)
    assert {is_held_out(one.session.room, share) for one in data.learnt} == {False}
    assert {one.session.game_id for one in (*data.learnt, *data.held_out)} == {one.game_id for one in wanted}
