"""An adapter that was trained here, loaded as any model: it decides as the model that was trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.errors import ModelMissingError, SpecError
from teach_agents.learning.settings import Limits, TrainingSettings
from teach_agents.models import Batched, choose, load_model

torch = pytest.importorskip("torch")
peft = pytest.importorskip("peft")
from teach_agents.learning.demonstrations import write_demonstrations  # noqa: E402  # after the check
from teach_agents.learning.games import agent_of, model_of  # noqa: E402  # the same
from teach_agents.learning.running import train  # noqa: E402  # the same
from teach_agents.learning.samples import prompt_of, samples_of  # noqa: E402  # the same
from teach_agents.models.local import smollm2  # noqa: E402  # the same
from teach_agents.models.local.grammar import Matcher  # noqa: E402  # the same
from teach_agents.models.local.model import TransformersModel  # noqa: E402  # the same
from teach_agents.models.local.packages import quiet  # noqa: E402  # the same
from teach_agents.models.local.weights import Source, read_weights  # noqa: E402  # the same
from tests.learning.conftest import Watching, sessions  # noqa: E402  # the same
from tests.models import tiny  # noqa: E402  # the same

PROMPTS = [prompt_of(one) for one in sessions(6)]


@pytest.fixture(scope="module")
def trained(settings: TrainingSettings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an adapter."""
    folder = tmp_path_factory.mktemp("trained")
    write_demonstrations(folder / "play.jsonl", sessions(24))
    longer = replace(settings, rank=8, epochs=4, checks=0)
    train(longer, [folder / "play.jsonl"], folder / "out", limits=Limits(), watcher=Watching())
    return folder / "out"


@pytest.fixture(scope="module")
def merged(base_folder: Path, trained: Path) -> TransformersModel:
    """The model as a SPEC names it."""
    model = load_model(f"{model_of(f'hf:{base_folder}', trained)},dtype=float32,device=cpu")
    assert isinstance(model, TransformersModel)
    return model


@pytest.fixture(scope="module")
def unmerged(base_folder: Path, trained: Path) -> TransformersModel:
    """The same with the adapter beside the weights, as it is trained."""
    source = Source(str(base_folder), dtype="float32", device="cpu")
    weights = read_weights(source)
    with quiet():
        wrapped = peft.PeftModel.from_pretrained(weights.model, str(trained))
    return TransformersModel.around(replace(weights, model=wrapped.get_base_model().eval()), source)


@pytest.mark.parametrize("by", ["generate", "mean", "sum"])
def test_merged_and_unmerged_choose_the_same(merged: TransformersModel, unmerged: TransformersModel, by: str) -> None:
    ours = [one.text for one in choose(merged, PROMPTS, by=by)]
    assert ours == [one.text for one in choose(unmerged, PROMPTS, by=by)]
    assert ours == [choose(merged, [prompt], by=by)[0].text for prompt in PROMPTS]
    assert len(set(ours)) > 1
    with Batched(merged) as batched:
        assert ours == [one.text for one in choose(batched, PROMPTS, by=by)]


def test_the_adapter_changes_scores_and_fingerprint(
    base_folder: Path, merged: TransformersModel, unmerged: TransformersModel
) -> None:
    raw = load_model(f"hf:{base_folder},dtype=float32,device=cpu")
    assert merged.fingerprint != raw.fingerprint
    ours, theirs, before = (model.score(PROMPTS) for model in (merged, unmerged, raw))
    for one, other, base in zip(ours, theirs, before, strict=True):
        assert one.log_probabilities == pytest.approx(other.log_probabilities, abs=0.01)
        assert one.log_probabilities != pytest.approx(base.log_probabilities, abs=1.0)


def test_what_is_learnt_is_what_scoring_reads_and_generation_allows(merged: TransformersModel) -> None:
    demonstrations = sessions(4)
    weights = merged.weights
    for one, sample in zip(demonstrations, samples_of(weights, demonstrations), strict=True):
        prompt = prompt_of(one)
        (scores,) = merged.score([prompt])
        assert scores.usage.prompt_tokens == len(sample.prompt)
        assert scores.tokens[prompt.choices.index(one.choice)] == len(sample.answer)
        assert prompt.answer is not None
        matcher = Matcher(weights, prompt.answer)
        for token in sample.answer[:-1]:
            assert matcher.allowed(len(weights.tokenizer))[token]
            ended = matcher.take(token)
        assert ended or matcher.allowed(len(weights.tokenizer))[sample.answer[-1]]


def test_an_adapter_of_another_model_or_a_damaged_one_is_refused(
    base_folder: Path, trained: Path, tmp_path: Path
) -> None:
    adapter = tiny.build_adapter(tmp_path / "adapter", base_folder)
    weights = adapter / "adapter_model.safetensors"
    weights.write_bytes(weights.read_bytes()[:200])
    with pytest.raises(ModelMissingError, match="no adapter that fits"):
        TransformersModel(str(base_folder), adapter=str(adapter)).generate(["Hello."])
    weights.write_bytes((trained / "adapter_model.safetensors").read_bytes())  # of another rank
    with pytest.raises(ModelMissingError, match="no adapter that fits"):
        TransformersModel(str(base_folder), adapter=str(adapter), dtype="float32").generate(["Hello."])


def test_a_spec_names_base_and_adapter() -> None:
    assert model_of("smollm2", Path("runs/f")) == "smollm2:adapter=runs/f"
    assert model_of("hf:/base,dtype=float32", Path("a, b")) == 'hf:/base,dtype=float32,adapter="a, b"'
    assert agent_of("smollm2", Path("runs/f")) == "lm:model=smollm2:adapter=runs/f"
    assert agent_of("hf:/base", Path("runs/f")) == 'lm:model="hf:/base,adapter=runs/f"'


def test_adapters_of_the_package_are_named_by_role(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="default:follower"):
        load_model("default:cook")
    monkeypatch.setattr(smollm2, "_FOLDER", tmp_path)
    with pytest.raises(ModelMissingError, match="teach-agents train follower"):
        load_model("default:follower")
