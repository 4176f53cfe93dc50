"""Encoders of transformers, and EfficientNet-Lite0, keep the contract."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from teach_agents.errors import InputError, MissingExtraError, ModelError, ModelMissingError
from teach_agents.models.vision import Features, VisionEncoder, load_vision_encoder
from teach_agents.models.vision.conformance import VisionEncoderContract

pytest.importorskip("transformers")
from teach_agents.models.vision.efficientnet import EFFICIENTNET  # after the check
from tests.models.vision.conftest import Built

PICTURE = np.random.default_rng(1).integers(0, 256, (60, 80, 3)).astype(np.uint8)


class Means(VisionEncoder):
    """The mean colour: the least that keeps the contract."""

    name = "means"
    dimension = 3
    size = 1, 1
    hash = "0" * 16

    def compute(self, images: object) -> Features:
        assert isinstance(images, list)
        return Features(np.stack([image.mean(axis=(0, 1)) for image in images]).astype(np.float32))


class TestMeans(VisionEncoderContract):
    def make_encoder(self) -> VisionEncoder:
        return Means()


@pytest.mark.parametrize("family", ["clip", "convnext", "dinov2", "siglip", "vit"])
class TestTransformers(VisionEncoderContract):
    @pytest.fixture(autouse=True)
    def folder(self, family: str, built: Built) -> None:
        self._folder = built("encoder", family)

    def make_encoder(self) -> VisionEncoder:
        return load_vision_encoder(f"hf:{self._folder},dtype=float32")


@pytest.mark.skipif(EFFICIENTNET.find() is None, reason=f"weights are missing; get them with: {EFFICIENTNET.command}")
class TestEfficientNet(VisionEncoderContract):
    def make_encoder(self) -> VisionEncoder:
        return load_vision_encoder("efficientnet-lite0")

    def test_it_tells_a_smooth_picture_from_a_chequered_one(self) -> None:
        """Two chequered pictures look more alike than a chequered and a smooth one."""
        rows, columns = np.mgrid[0:90, 0:90]
        chequers = [np.where((rows // side + columns // side) % 2, 255, 0) for side in (9, 10)]
        pictures = [np.repeat(one[..., None], 3, axis=2).astype(np.uint8) for one in (*chequers, rows)]
        vectors = self.make_encoder().encode(pictures).vectors
        one, other, smooth = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        assert one @ other > one @ smooth


@pytest.mark.parametrize(("family", "shape"), [("clip", (16, 2, 2)), ("dinov2", (16, 2, 2)), ("convnext", (12, 2, 2))])
def test_maps_keep_the_places_of_the_picture(family: str, shape: tuple[int, ...], built: Built) -> None:
    encoder = load_vision_encoder(f"hf:{built('encoder', family)},dtype=float32")
    seen = encoder.encode([PICTURE, PICTURE])
    assert seen.maps is not None and seen.maps.shape == (2, *shape)
    half = PICTURE.copy()
    half[:, 40:] = 0
    changed = encoder.encode([half]).maps
    assert changed is not None and not np.allclose(changed[0], seen.maps[0])


def test_the_vector_of_clip_is_the_one_that_is_compared_with_texts(built: Built) -> None:
    import torch
    from transformers import AutoModel

    encoder = load_vision_encoder(f"hf:{built('encoder', 'clip')},dtype=float32")
    model = AutoModel.from_pretrained(built("encoder", "clip")).eval()
    made = encoder.eyes.prepared([PICTURE])  # type: ignore[attr-defined]  # TransformersEncoder
    with torch.inference_mode():
        expected = model.get_image_features(**made).pooler_output.numpy()
    assert encoder.dimension == 12 and encoder.size == (16, 16)
    assert encoder.encode([PICTURE]).vectors == pytest.approx(expected, abs=1e-5)


def test_other_weights_have_another_hash(built: Built) -> None:
    one, other = (load_vision_encoder(f"hf:{built('encoder', name)}") for name in ("vit", "dinov2"))
    assert one.hash != other.hash


def test_what_is_missing_or_no_encoder_is_said(tmp_path: Path, chat_folder: Path) -> None:
    with pytest.raises(ModelMissingError, match="there is no such folder"):
        load_vision_encoder(f"hf:{tmp_path}/nowhere").encode([PICTURE])
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_vision_encoder(f"hf:{chat_folder}").encode([PICTURE])
    with pytest.raises(InputError, match="max_batch"):
        load_vision_encoder(f"hf:{tmp_path},max_batch=0")


def test_without_weights_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEACH_AGENTS_CACHE", str(tmp_path))
    with pytest.raises(ModelMissingError, match="teach-agents models get efficientnet-lite0"):
        load_vision_encoder("efficientnet-lite0")


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "transformers"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"teach-agents\[models\]"):
        load_vision_encoder("hf:elsewhere").encode([PICTURE])


def test_a_backend_that_breaks_down_is_a_model_error() -> None:
    class Broken(Means):
        def compute(self, images: object) -> Features:
            raise RuntimeError("out of memory")

    class Long(Means):
        def compute(self, images: object) -> Features:
            return Features(np.zeros((1, 4), np.float32))

    with pytest.raises(ModelError, match="broke down: RuntimeError: out of memory"):
        Broken().encode([PICTURE])
    with pytest.raises(ModelError, match=r"not float32 \(1, 3\)"):
        Long().encode([PICTURE])


def test_a_folded_network_sees_what_the_whole_one_sees() -> None:
    torch = pytest.importorskip("torch")
    from teach_agents.models.vision.lite import Lite0

    torch.manual_seed(0)
    network = Lite0()
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(part.running_mean, -0.1, 0.1)
            torch.nn.init.uniform_(part.running_var, 0.5, 1.5)
    pictures = torch.rand(2, 3, 64, 64)
    with torch.inference_mode():
        whole = network.eval()(pictures)
        assert torch.allclose(network.folded()(pictures), whole, atol=1e-4) and whole.std() > 0
    assert not any(isinstance(part, torch.nn.BatchNorm2d) for part in network.modules())
