"""The Episodic Transformer: what attends to what, reading step by step, words, features, files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from teach_agents.errors import InputError, ModelError, ModelMissingError
from teach_agents.models.episodic.shape import Shape
from teach_agents.models.episodic.sight import Sight
from teach_agents.models.episodic.vocabulary import ACTIONS, END, STOP, Vocabulary, object_class, padded
from teach_agents.models.vision import Features

torch = pytest.importorskip("torch")
from teach_agents.models.episodic.network import Episodes, EpisodicNetwork, Told  # noqa: E402  # after the check
from teach_agents.models.episodic.reading import Reader  # noqa: E402  # the same
from teach_agents.models.episodic.trained import ABOUT, WEIGHTS, read_trained  # noqa: E402  # the same
from tests.models.episodic.tiny import (  # noqa: E402  # the same
    CELLS,
    CHANNELS,
    DIALOGUE,
    Quarters,
    tiny_sight,
    tiny_trained,
    vocabulary,
)


def _episodes() -> Episodes:
    dice = torch.Generator().manual_seed(1)
    words = torch.tensor([[5, 6, 7, END], [6, END, 0, 0]])
    frames = torch.rand(2, 5, CELLS, CHANNELS, generator=dice)
    actions = torch.randint(0, len(ACTIONS), (2, 5), generator=dice)
    return Episodes(words, frames, actions, torch.tensor([5, 3]))


def _read(network: EpisodicNetwork, episodes: Episodes) -> Told:
    with torch.no_grad():
        told: Told = network.eval()(episodes)
    return told


@pytest.mark.parametrize("inputs", ["language+vision", "language", "vision"])
def test_an_episode_reads_step_by_step_as_it_reads_at_once(inputs: str) -> None:
    network, episodes = tiny_trained(inputs).network, _episodes()
    told = _read(network, episodes)
    for row, steps in enumerate(episodes.steps.tolist()):
        reader = Reader(network)
        reader.hear([word for word in episodes.words[row].tolist() if word])
        for step in range(steps):
            before = int(episodes.actions[row, step - 1]) if step else None
            likely = reader.see(episodes.frames[row, step].numpy(), before)
            for found, expected in ((likely.actions, told.actions), (likely.objects, told.objects)):
                np.testing.assert_allclose(found, expected[row, step].softmax(-1).numpy(), atol=1e-5)


def test_a_step_depends_on_what_is_past_alone() -> None:
    network, episodes = tiny_trained().network, _episodes()
    before = _read(network, episodes).actions[0]
    frames, actions = episodes.frames.clone(), episodes.actions.clone()
    frames[0, 3] += 1
    actions[0, 3] = (actions[0, 3] + 1) % len(ACTIONS)
    after = _read(network, episodes._replace(frames=frames, actions=actions)).actions[0]
    changed = (before - after).abs().amax(dim=1) > 1e-6
    assert changed.tolist() == [False, False, False, True, True]


def test_only_the_action_just_before_is_attended_to() -> None:
    network, episodes = tiny_trained().network, _episodes()
    frame_at_first_layer = EpisodicNetwork(Shape(**{**network.shape.to_json(), "layers": 1})).eval()
    before = _read(frame_at_first_layer, episodes).actions[0]
    actions = episodes.actions.clone()
    actions[0, 1] = (actions[0, 1] + 1) % len(ACTIONS)
    after = _read(frame_at_first_layer, episodes._replace(actions=actions)).actions[0]
    assert ((before - after).abs().amax(dim=1) > 1e-6).tolist() == [False, False, True, False, False]


def test_what_a_network_is_not_shown_changes_nothing() -> None:
    episodes = _episodes()
    blind = episodes._replace(frames=torch.zeros_like(episodes.frames))
    deaf = episodes._replace(words=torch.full((2, 1), END))
    whole = {inputs: tiny_trained(inputs).network for inputs in ("language+vision", "language", "vision")}
    for inputs, other in (("language", blind), ("vision", deaf)):
        assert torch.equal(_read(whole[inputs], episodes).actions[0], _read(whole[inputs], other).actions[0])
        assert not torch.equal(
            _read(whole["language+vision"], episodes).actions[0], _read(whole["language+vision"], other).actions[0]
        )


def test_stop_is_an_action_and_padding_is_none() -> None:
    assert ACTIONS[STOP] == "Stop" and len(set(ACTIONS)) == len(ACTIONS) == 18
    episodes = _episodes()
    longer = episodes._replace(
        frames=torch.cat([episodes.frames, torch.rand(2, 4, CELLS, CHANNELS)], dim=1),
        actions=torch.cat([episodes.actions, torch.full((2, 4), STOP)], dim=1),
    )
    network = tiny_trained().network
    torch.testing.assert_close(_read(network, longer).actions[0, :5], _read(network, episodes).actions[0])


def test_dialogues_are_read_with_their_speakers_and_from_their_end() -> None:
    known = vocabulary()
    read = [known.words[number] for number in known.read(DIALOGUE)]
    assert read == ["bring", "the", "mug", "<<unknown>>", "<<commander>>", "ok", "<<follower>>", "<<stop>>"]
    assert known.read([]) == [END]
    assert Vocabulary(known.words, known.objects, kept=3).read(DIALOGUE) == known.read(DIALOGUE)[-3:]
    assert padded([[3, 4], [5]]) == [[3, 4], [5, 0]]


def test_rare_words_are_unknown_and_frequent_ones_come_first() -> None:
    known = Vocabulary.of(["b a, b", "a b c"], ["Mug"], fewest=2)
    assert known.words[5:] == ("b", "a")
    with pytest.raises(InputError, match="at least one class"):
        Vocabulary.of(["a"], [])


def test_classes_are_types_with_slices_apart_and_basins_as_their_sinks() -> None:
    ids = (
        "Mug|+01.00|+00.90|-00.50",
        "Apple|+01.00|+00.90|-00.50|AppleSliced_2",
        "Sink|+01.00|+00.90|-00.50|SinkBasin",
    )
    assert [object_class(one) for one in ids] == ["Mug", "AppleSliced", "Sink"]


def test_features_keep_apart_what_differs() -> None:
    pictures = [np.full((6, 6, 3), value, np.uint8) for value in (0, 90, 180)]
    pictures[0][:3, :3] = 255
    seen = tiny_sight().look(pictures)
    assert seen.shape == (3, CELLS, CHANNELS) and seen.dtype == np.float16
    assert np.abs(seen[0, 0] - seen[0, 1]).max() > 0.1, "the bright quarter is not the dark one"
    assert (seen == tiny_sight().look(pictures)).all()
    assert tiny_sight().identity == {"encoder": "quarters", "encoder_hash": "0" * 16, "channels": CHANNELS}


def test_an_encoder_without_maps_is_refused() -> None:
    class Flat(Quarters):
        def compute(self, images: object) -> Features:
            return Features(np.zeros((1, 3), np.float32))

    with pytest.raises(ModelError, match="no feature maps"):
        Sight(Flat()).look([np.zeros((4, 4, 3), np.uint8)])


def test_a_trained_network_comes_back_from_its_files(tmp_path: Path) -> None:
    made, episodes = tiny_trained(), _episodes()
    for name, content in made.files().items():
        (tmp_path / name).write_bytes(content)
    back = read_trained(tmp_path, "cpu")
    assert (back.vocabulary, dict(back.sight), back.context, back.hash) == (
        made.vocabulary,
        dict(made.sight),
        made.context,
        made.hash,
    )
    assert torch.equal(_read(back.network, episodes).objects, _read(made.network, episodes).objects)
    assert made.hash != tiny_trained(seed=1).hash


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / WEIGHTS).write_bytes(b"no"), "damaged"),
        (lambda folder: (folder / ABOUT).write_text("{}"), "is not of format"),
        (lambda folder: _changed(folder, "actions", ["Stop"]), "trained with other actions"),
        (lambda folder: _changed(folder, "context", "many"), "does not fit"),
        (lambda folder: _changed(folder, "shape", {}), "lacks keys"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, damage: object, said: str) -> None:
    for name, content in tiny_trained().files().items():
        (tmp_path / name).write_bytes(content)
    assert callable(damage)
    damage(tmp_path)
    with pytest.raises(ModelError, match=said):
        read_trained(tmp_path, "cpu")


def _changed(folder: Path, key: str, value: object) -> None:
    told = json.loads((folder / ABOUT).read_text())
    (folder / ABOUT).write_text(json.dumps({**told, key: value}))


def test_a_folder_without_a_network_says_how_to_train_one(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="teach-agents train episodic-transformer"):
        read_trained(tmp_path)


def test_shapes_that_make_no_network_are_refused() -> None:
    for wrong in ({"width": 100}, {"inputs": "smell"}, {"words": 0}, {"dropout": 1.0}):
        with pytest.raises(InputError):
            Shape(**{"words": 9, "objects": 2, **wrong})  # type: ignore[arg-type]
